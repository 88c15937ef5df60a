/** Which names of a text are declared where, by the best analysis that its language has. */
import { type Binding, bindingsByName } from './bindings.js';
import type { FlatTree } from './flat-tree.js';
import { isScript } from './languages/index.js';
import { bindingsInMarkup, hasPointers } from './pointers.js';
import type { Syntax } from './syntax.js';

/** The bindings of a text: exact for JavaScript and TypeScript, by names and scopes for the others. */
export function bindingsOf(syntax: Syntax, tree: FlatTree): Promise<readonly Binding[]> {
  let known = bound.get(tree);
  if (known === undefined) bound.set(tree, (known = findBindings(syntax, tree)));
  return known;
}

/** Several passes in a row look at the same text. */
const bound = new WeakMap<FlatTree, Promise<readonly Binding[]>>();

async function findBindings(syntax: Syntax, tree: FlatTree): Promise<readonly Binding[]> {
  if (isScript(syntax.language)) {
    const { bindingsByTypeScript } = await import('./typescript.js');
    const exact = await bindingsByTypeScript(tree, syntax.language.name);
    if (exact !== undefined) return exact;
  }
  return bindingsByName(tree);
}

/** The same, with ids and links where a text has those. */
export const referredTo = async (syntax: Syntax, tree: FlatTree): Promise<readonly Binding[]> =>
  hasPointers(syntax.language) ? bindingsInMarkup(syntax.language, tree) : bindingsOf(syntax, tree);

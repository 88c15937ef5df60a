/** Which names of a text are declared where, by the best analysis that its language has. */
import { type Binding, bindingsByName } from './bindings.js';
import type { FlatTree } from './flat-tree.js';
import { bindingsInMarkup } from './ids-and-references.js';
import type { Syntax } from './syntax.js';

/** The bindings of a text: exact for JavaScript and TypeScript, by names and scopes for the others. */
export function bindingsOf(syntax: Syntax, tree: FlatTree): Promise<readonly Binding[]> {
  let known = bound.get(tree);
  if (known === undefined) bound.set(tree, (known = findBindings(syntax, tree)));
  return known;
}

/** Several passes in a row analyse the same text. */
const bound = new WeakMap<FlatTree, Promise<readonly Binding[]>>();

async function findBindings(syntax: Syntax, tree: FlatTree): Promise<readonly Binding[]> {
  const { compiler } = syntax.language;
  if (compiler !== undefined) {
    const { bindingsByTypeScript } = await import('./typescript.js');
    const exact = await bindingsByTypeScript(tree, compiler);
    if (exact !== undefined) return exact;
  }
  return bindingsByName(tree);
}

/** The same, with ids and links if the text has them. */
export const bindingsWithIds = async (syntax: Syntax, tree: FlatTree): Promise<readonly Binding[]> =>
  syntax.language.pointers !== undefined ? bindingsInMarkup(syntax.language, tree) : bindingsOf(syntax, tree);

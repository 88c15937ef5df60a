/** Which names of a text are declared where, by the best analysis that its language has. */
import { type Binding, bindingsByName } from './bindings.js';
import type { Outline } from './flat-tree.js';
import { isScript } from './languages/index.js';
import { bindingsInMarkup, hasPointers } from './pointers.js';
import type { Syntax } from './syntax.js';

/** The bindings of a text: exact for JavaScript and TypeScript, by names and scopes for the others. */
export function bindingsOf(syntax: Syntax, outline: Outline): Promise<readonly Binding[]> {
  let known = bound.get(outline);
  if (known === undefined) bound.set(outline, (known = findBindings(syntax, outline)));
  return known;
}

/** Several passes in a row look at the same text. */
const bound = new WeakMap<Outline, Promise<readonly Binding[]>>();

async function findBindings(syntax: Syntax, outline: Outline): Promise<readonly Binding[]> {
  if (isScript(syntax.language)) {
    const { bindingsByTypeScript } = await import('./typescript.js');
    const exact = await bindingsByTypeScript(outline, syntax.language.name);
    if (exact !== undefined) return exact;
  }
  return bindingsByName(outline);
}

/** The same, with ids and links where a text has those. */
export const referredTo = async (syntax: Syntax, outline: Outline): Promise<readonly Binding[]> =>
  hasPointers(syntax.language) ? bindingsInMarkup(syntax.language, outline) : bindingsOf(syntax, outline);

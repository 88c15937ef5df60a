/** Which names of a text are declared where, by the best analysis that its language has. */

import { type FlatTree, grammarAt } from '../flat-tree.js';
import type { Syntax } from '../syntax.js';
import { type Binding, bindingsByName } from './bindings.js';
import { bindingsInMarkup } from './ids-and-references.js';

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
  return (syntax.language.markup ? await bindingsInScripts(tree) : undefined) ?? bindingsByName(tree);
}

/** The scripts of a page share their names, as if they were one text. The rest of the page has names of its own: classes, ids. */
async function bindingsInScripts(tree: FlatTree): Promise<readonly Binding[] | undefined> {
  const scripts = scriptsIn(tree);
  if (scripts.length === 0) return undefined;
  const { bindingsByTypeScript } = await import('./typescript.js');
  const exact = await bindingsByTypeScript(tree, compilerAt(tree, scripts[0]!)!, codeOf(tree, scripts));
  if (exact === undefined) return undefined;
  const isOther = (leaf: number): boolean => compilerAt(tree, leaf) === undefined;
  const others = bindingsByName(tree).flatMap(({ name, definitions, uses }): readonly Binding[] => {
    const own = { name, definitions: definitions.filter(isOther), uses: uses.filter(isOther) };
    return own.definitions.length === 0 ? [] : [own];
  });
  return [...exact, ...others];
}

const compilerAt = (tree: FlatTree, node: number): string | undefined => grammarAt(tree, node).language.compiler;

/** The outermost nodes whose names the compiler can resolve. */
function scriptsIn(tree: FlatTree): readonly number[] {
  const found: number[] = [];
  for (let node = 0; node < tree.count; node++) {
    if (compilerAt(tree, node) === undefined) continue;
    found.push(node);
    node = tree.past[node]! - 1;
  }
  return found;
}

/** The text of the scripts at its place. A script ends before a tag, so there is room for what ends its last statement. */
function codeOf(tree: FlatTree, scripts: readonly number[]): string {
  const pieces: string[] = [];
  let position = 0;
  const blankTo = (end: number): void => void pieces.push(tree.text.slice(position, end).replace(/[^\n]/g, ' '));
  for (const script of scripts) {
    blankTo(tree.start[script]!);
    pieces.push(tree.text.slice(tree.start[script]!, tree.end[script]!));
    position = tree.end[script]!;
    if (position >= tree.text.length) continue;
    pieces.push(';');
    position++;
  }
  blankTo(tree.text.length);
  return pieces.join('');
}

/** The same, with ids and links if the text has them. */
export const bindingsWithIds = async (syntax: Syntax, tree: FlatTree): Promise<readonly Binding[]> =>
  syntax.language.pointers !== undefined ? bindingsInMarkup(syntax.language, tree) : bindingsOf(syntax, tree);

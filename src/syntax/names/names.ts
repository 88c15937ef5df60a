/** The names in a text, and new short ones. */
import { type FlatTree, is, isLeaf, isNamed, kindsOf, textOf } from '../flat-tree.js';

/** A spelling and the leaves that carry it, in source order. */
export interface Name {
  readonly text: string;
  readonly leaves: readonly number[];
}

const spelling = /^[\p{L}_$@][\p{L}\p{N}_$-]*$/u;

export const isIdentifier = (tree: FlatTree, node: number): boolean =>
  isLeaf(tree, node) && isNamed(tree, node) && is(tree, node, 'identifier') && spelling.test(textOf(tree, node));

/** All identifiers by spelling, in the order of their first leaf. */
export function names(tree: FlatTree): readonly Name[] {
  const found = new Map<string, number[]>();
  const isName = tree.grammars.map(grammar => kindsOf(grammar, 'identifier'));
  for (let node = 0; node < tree.count; node++) {
    if (!isLeaf(tree, node) || isName[tree.grammar[node]!]![tree.kind[node]!] !== 1 || !isNamed(tree, node)) continue;
    const text = textOf(tree, node);
    const leaves = found.get(text);
    if (leaves !== undefined) leaves.push(node);
    else if (spelling.test(text)) found.set(text, [node]);
  }
  return [...found].map(([text, leaves]) => ({ text, leaves }));
}

/** Short words: a, b, … z, A, … Z, then a0, a1 … */
export function* shortWords(first = ''): Generator<string> {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  yield* first + letters;
  for (let n = 0; ; n++) for (const letter of letters) yield letter + n;
}

/** Those that the text does not use yet. */
export function* freshNames(tree: FlatTree, first = ''): Generator<string> {
  const used = new Set(tree.text.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  for (const word of shortWords(first)) if (!used.has(word)) yield word;
}

import { isLeaf, isNamed, kindOf, type Outline, textOf } from './flat-tree.js';

/** A spelling and the leaves that carry it, in source order. */
export interface Name {
  readonly text: string;
  readonly leaves: readonly number[];
}

const identifierKinds =
  /identifier|(^|_)name$|^Name$|^(word|constant|variable|label|symbol|atom|simple_symbol|bare_key|custom_property_name|instance_variable|class_variable|global_variable|shorthand_property_identifier)$/;
const spelling = /^[\p{L}_$@][\p{L}\p{N}_$-]*$/u;

export const isIdentifier = (outline: Outline, node: number): boolean =>
  isLeaf(outline, node) &&
  isNamed(outline, node) &&
  identifierKinds.test(kindOf(outline, node)) &&
  spelling.test(textOf(outline, node));

/** All identifiers by spelling, in the order of their first leaf. */
export function names(outline: Outline): readonly Name[] {
  const found = new Map<string, number[]>();
  const isKind = outline.grammars.map(tongue => tongue.kinds.map(kind => identifierKinds.test(kind)));
  for (let node = 0; node < outline.count; node++) {
    if (
      !isLeaf(outline, node) ||
      isKind[outline.tongue[node]!]![outline.kind[node]!] !== true ||
      !isNamed(outline, node)
    )
      continue;
    const text = textOf(outline, node);
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

/** Those of them that nothing in the text is called. */
export function* freshNames(outline: Outline, first = ''): Generator<string> {
  const used = new Set(outline.text.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  for (const word of shortWords(first)) if (!used.has(word)) yield word;
}

/** Words that a replacement may bring in although the text has none of them: they are no names. */
export const builtIn: ReadonlySet<string> = new Set(['int', 'any', 'u8', 'pass', 'var', 'let', 'mut', 'local']);

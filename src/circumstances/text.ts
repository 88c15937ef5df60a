/** A text as deltas: its lines, tokens or characters. */
import type { Circumstance, Configuration } from '../core/index.js';
import { add, compose, type Fragment, type Trace, textOf, without } from '../core/trace.js';

/**
 * A text cut at these positions (the first is 0, the last its length): each piece is a delta, and absence is deletion.
 *
 * @example
 * ```ts
 * pieces('field', 'a=1&b=2', [0, 4, 7]).build(of([1])); // → 'b=2'
 * ```
 */
export function pieces(name: string, text: string, cuts: ArrayLike<number>): Circumstance<string> {
  const count = cuts.length - 1;
  let weights: Uint32Array | undefined;
  return {
    name,
    count,
    // Computed on first use. Left out for a text with more pieces than this, because it would take too much memory.
    ...(count > mostWeighed
      ? {}
      : {
          get weights() {
            weights ??= lengthsOf(cuts);
            return weights;
          },
        }),
    build: configuration => join(text, cuts, configuration),
    trace: configuration => kept(cuts, configuration),
    describe: delta => text.slice(cuts[delta]!, cuts[delta + 1]!),
    edited: {
      texts: new Map([['', text]]),
      changes: delta => [{ file: '', start: cuts[delta]!, end: cuts[delta + 1]!, text: '' }],
    },
  };
}

const mostWeighed = 16_000_000;

function lengthsOf(cuts: ArrayLike<number>): Uint32Array {
  const lengths = new Uint32Array(cuts.length - 1);
  for (let i = 0; i < lengths.length; i++) lengths[i] = cuts[i + 1]! - cuts[i]!;
  return lengths;
}

/**
 * By lines, each with its own line end, so that CRLF, a lone CR and a missing last newline stay what they are.
 *
 * @example
 * ```ts
 * lines('a\nb\r\nc').build(of([0, 1])); // → 'a\nb\r\n'
 * ```
 */
export const lines = (text: string): Circumstance<string> => pieces('line', text, cutsOf(text, /\r\n|\n|\r/g));

/**
 * By words, numbers, runs of blanks and single characters: what nearly every language agrees on, without a grammar.
 *
 * @example
 * ```ts
 * tokens('f(x1, 2)').count; // → 7
 * ```
 */
export const tokens = (text: string): Circumstance<string> =>
  pieces('token', text, cutsOf(text, /[\p{L}\p{N}_$]+|[^\S\r\n]+|\r\n|[\s\S]/gu));

/**
 * By characters: whole code points, never half of one.
 *
 * @example
 * ```ts
 * characters('a😀b').count; // → 3
 * ```
 */
export function characters(text: string): Circumstance<string> {
  const cuts: number[] = [0];
  for (let i = 0; i < text.length; ) {
    i += text.codePointAt(i)! > 0xffff ? 2 : 1;
    cuts.push(i);
  }
  return pieces('character', text, cuts);
}

/** A run of fewer equal bytes is not worth counting them together. */
const shortRun = 16;

/**
 * By bytes of data, which often has thousands of zeros in a row. It does not matter which of them is removed, so such a run falls into
 * pieces of 1, 1, 2, 4, 8 … bytes: any number of them can be removed, and one question shows that no single one can.
 */
export const bytes = (text: string): Circumstance<string> => pieces('byte', text, byteCuts(text));

/** Where they begin and end. */
export function byteCuts(text: string): readonly number[] {
  const cuts: number[] = [0];
  for (let start = 0; start < text.length; ) {
    const one = String.fromCodePoint(text.codePointAt(start)!);
    let end = start + one.length;
    while (text.startsWith(one, end)) end += one.length;
    const isLong = end - start >= shortRun * one.length;
    for (let at = start; at < end; cuts.push(at))
      at = Math.min(end, at + (isLong ? Math.max(one.length, at - start) : one.length));
    start = end;
  }
  return cuts;
}

/** All blank lines and trailing blanks, as one delta: removes in one test what large deletions leave behind. */
export function blankLines(text: string): Circumstance<string> | undefined {
  // Looked for from the first blank of a run only: from each of them, a long run inside a line would take minutes.
  const trimmed = without(text, /(?<![^\S\n])[^\S\n]+$/gm);
  const rest = compose(trimmed, without(textOf(trimmed, text), /^\n+|(?<=\n)\n+/g)) as Trace;
  const short = textOf(rest, text);
  // A few of them are not worth a separate test: other passes remove them too.
  if ((text.length - short.length) * blankShare < text.length) return undefined;
  return {
    name: 'blank lines',
    count: 1,
    weights: [text.length - short.length],
    build: configuration => (configuration.length === 0 ? short : text),
    trace: configuration => (configuration.length === 0 ? rest : [{ start: 0, end: text.length }]),
  };
}

const blankShare = 8;

/** The pieces as texts, in order. */
export const piecesOf = (cut: (text: string) => Circumstance<string>, text: string): readonly string[] => {
  const circumstance = cut(text);
  return Array.from({ length: circumstance.count }, (_, delta) => circumstance.describe!(delta));
};

function cutsOf(text: string, ends: RegExp): readonly number[] {
  const cuts: number[] = [0];
  for (const match of text.matchAll(ends)) cuts.push(match.index + match[0].length);
  if (cuts.at(-1)! < text.length) cuts.push(text.length);
  return cuts;
}

function join(text: string, cuts: ArrayLike<number>, configuration: Configuration): string {
  if (configuration.length === 2) return text.slice(cuts[configuration[0]!]!, cuts[configuration[1]!]!);
  const kept: string[] = [];
  for (let i = 0; i < configuration.length; i += 2)
    kept.push(text.slice(cuts[configuration[i]!]!, cuts[configuration[i + 1]!]!));
  return kept.join('');
}

function kept(cuts: ArrayLike<number>, configuration: Configuration): Trace {
  const trace: Fragment[] = [];
  for (let i = 0; i < configuration.length; i += 2)
    add(trace, { start: cuts[configuration[i]!]!, end: cuts[configuration[i + 1]!]! });
  return trace;
}

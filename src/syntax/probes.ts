/** Statements that note when they are reached, and the text in which they do: coverage of a program that is compiled. */
import { pauseIfDue } from '../core/pause.js';
import { type FlatTree, grammarAt } from './flat-tree.js';

/** A place that notes when it is reached. */
export interface Probe {
  /** What did not run if this place was never reached. */
  readonly start: number;
  readonly end: number;
  /** Where its call is written. */
  readonly at: number;
  /** A statement without brackets gets them, and they end here. */
  readonly closesAt?: number;
}

/** How the statements of a language note that they are reached. */
export interface Probing {
  /** In the order of the text, and in steps: a large one takes a while. */
  probesIn(tree: FlatTree): Generator<void, readonly Probe[]>;
  /** Where the body of the function begins at which the program starts, without a tree: it tells only whether the program is executed at all. */
  startIn(text: string): number | undefined;
  /** The call that notes a number, as a statement. */
  call(id: number): string;
  /** The text with the functions that are called, for so many numbers in all files together. */
  withPrelude(text: string, count: number, isAlone: boolean): string;
}

/** The places in a text that can note that they are reached; none if its language has no such calls. */
export async function probesOf(tree: FlatTree): Promise<readonly Probe[]> {
  const steps = probingOf(tree)?.probesIn(tree);
  if (!steps) return [];
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await pauseIfDue();
  }
}

export const probingOf = (tree: FlatTree): Probing | undefined => grammarAt(tree, 0).language.probing;

/** The text in which these places note that they are reached, the first one under the number `from`. */
export function withProbes(tree: FlatTree, probes: readonly Probe[], from: number): string {
  const { call } = probingOf(tree)!;
  const insertions = probes.flatMap(({ at, closesAt }, i) => [
    { at, isEnd: false, text: closesAt === undefined ? call(from + i) : `{${call(from + i)}` },
    ...(closesAt === undefined ? [] : [{ at: closesAt, isEnd: true, text: '}' }]),
  ]);
  insertions.sort((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd));
  const pieces: string[] = [];
  let position = 0;
  for (const { at, text } of insertions) {
    pieces.push(tree.text.slice(position, at), text);
    position = at;
  }
  return pieces.join('') + tree.text.slice(position);
}

/** What these probes say did not run: start, end, start, end …, sorted. */
export function idleRanges(probes: readonly Probe[], isReached: (index: number) => boolean): readonly number[] {
  const ranges: number[] = [];
  for (const [i, { start, end }] of probes.entries()) {
    // An inner one adds nothing.
    if (isReached(i) || (ranges.length > 0 && end <= ranges.at(-1)!)) continue;
    ranges.push(start, end);
  }
  return ranges;
}

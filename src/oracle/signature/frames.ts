/** Picks the stack frames that distinguish one failure from another. */
import type { Frame } from './found.js';
import { isVolatile, type Volatile } from './normalise.js';

/** Functions that only raise or report an error: it happened in their caller. */
const raisers =
  /^_*(?:(?:throw|raise|assert|invariant|unreachable|croak|panic|fatal|abort|die|fail)\w*|\w+(?:_error|_fail|Error|Failed)|error|err|unexpected|check)$/i;

/** Names that say little about the place: code that walks or dispatches is the same for many failures. */
const vague =
  /^(?:visit\w{0,10}|walk|traverse|transform|each|map|filter|reduce|for_?each|next|call|apply|run|parse|print|get|set|add|push|pop|read|write|emit|handle|process|exec|execute|invoke|eval|main|fn|callback|cb|init|new|start|do|loop|iter|step|accept|process_?node|call_?once|operator\S*|<lambda>)$/i;

/** Minified names are the same two letters in every other function. */
const isMinified = (name: string): boolean => name.length <= 3;
const isVague = (name: string): boolean => isMinified(name) || vague.test(last(name));

/** The part of a dotted or colon-separated name that is judged. */
const last = (name: string): string => name.split(/::|[.#/]/).at(-1) || name;

/** Each function once, in the order of its first, innermost call: a cycle counts as its members. */
export function collapse(frames: readonly Frame[]): readonly Frame[] {
  const seen = new Set<string>();
  return frames.filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** Frames for people: the top few, including those of the input. */
export const topFrames = (frames: readonly Frame[], count = 4): readonly string[] =>
  collapse(frames)
    .slice(0, count)
    .map(frame => frame.name);

/**
 * The frames that must be the same: from the innermost one on, until `depth` of them are meaningful. ClusterFuzz compares
 * three frames to distinguish bugs. A shrinking input needs fewer, because the callers change when the input loses its
 * nesting. In minified code no name is meaningful: then only the innermost frame counts, and not its callers.
 */
export function identifyingFrames(frames: readonly Frame[], depth: number, context: Volatile): readonly string[] {
  if (depth === 0) return [];
  const own = collapse(frames.filter(frame => frame.file === undefined || !isVolatile(frame.file, context)));
  const names = own.map(frame => frame.name);
  let from = 0;
  while (from < names.length - 1 && raisers.test(last(names[from]!))) from++;
  const telling: string[] = [];
  for (let left = depth, i = from; i < names.length && left > 0 && telling.length < depth + 2; i++) {
    telling.push(names[i]!);
    if (!isVague(names[i]!)) left--;
  }
  return telling.length > 1 && telling.every(isMinified) ? telling.slice(0, 1) : telling;
}

/** Endless recursion in a native stack: some function appears again and again. */
export function isRecursion(frames: readonly Frame[], times = 8): boolean {
  const counts = new Map<string, number>();
  for (const { name } of frames.slice(0, 100)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts.values()].some(count => count >= times) && frames.length >= 60;
}

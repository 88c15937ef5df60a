/**
 * What differs between two texts, as lines, and inside lines that replace each other. A line that only one side has stays whole, and so do words that differ side by side:
 * half of them would be in neither input, and explain nothing. Only what is too long to read is cut further.
 */
import { pairLines } from '../../circumstances/changes/line-pairs.js';
import { type Aligned, alignment, differing } from '../../circumstances/sequence.js';
import { characters, lines, piecesOf, tokens } from '../../circumstances/text.js';
import { hunksBetween } from '../../core/diff.js';
import type { Circumstance } from '../../core/index.js';
import { addAll } from '../../core/lists.js';

/** Words that differ side by side are read at a glance up to this many characters. */
const readable = 60;
/** A line that only one side has is cut if it is longer than this. */
const longestLine = 200;

/** Words side by side that only one version has, or each version its own. */
type Run = readonly Aligned<string>[];

/** Lines as deltas: a line that replaces a similar one is one delta with it, however many others come or go beside them. */
export function linesDiffering(passing: string, failing: string): Circumstance<readonly string[]> {
  const [old, now] = [piecesOf(lines, passing), piecesOf(lines, failing)];
  const sequence: Aligned<string>[] = [];
  const deltaOf: number[] = [];
  let [count, at] = [0, 0];
  const add = (kind: Aligned<string>['kind'], elements: readonly string[], delta: number): void => {
    for (const element of elements) {
      sequence.push({ kind, element });
      deltaOf.push(delta);
    }
  };
  for (const hunk of hunksBetween(old, now)) {
    add('shared', old.slice(at, hunk.oldStart), -1);
    for (const { oldStart, oldCount, newStart, newCount } of pairLines(hunk, old, now)) {
      add('gone', old.slice(oldStart, oldStart + oldCount), count);
      add('new', now.slice(newStart, newStart + newCount), count++);
    }
    at = hunk.oldStart + hunk.oldCount;
  }
  add('shared', old.slice(at), -1);
  return differing('line', sequence, deltaOf);
}

/**
 * Words as deltas, inside lines that replace each other. `isReadByStatement`: the lines that only one side has are statements of which each is needed, and half of one
 * explains nothing. They are one delta.
 */
export function wordsDiffering(
  passing: string,
  failing: string,
  level: 'token' | 'character',
  isReadByStatement = false,
): Circumstance<readonly string[]> {
  const sequence: Aligned<string>[] = [];
  const deltaOf: number[] = [];
  let [count, hasLong] = [0, false];
  let lines: number | undefined;
  const add = (run: Run, isWhole: boolean): void => {
    const gone = run.filter(({ kind }) => kind === 'gone').length;
    const isPaired = gone * 2 === run.length;
    for (const [i, piece] of run.entries()) {
      sequence.push(piece);
      deltaOf.push(isWhole ? count : count + (isPaired ? i % gone : i));
    }
    count += isWhole ? 1 : isPaired ? gone : run.length;
  };
  for (const { run, most } of runsIn(passing, failing)) {
    if (run[0]!.kind === 'shared') {
      addAll(sequence, run);
      addAll(
        deltaOf,
        run.map(() => -1),
      );
      continue;
    }
    const text = (kind: Aligned<string>['kind']) =>
      run.flatMap(each => (each.kind === kind ? [each.element] : [])).join('');
    const [gone, come] = [text('gone'), text('new')];
    if (Math.max(gone.length, come.length) <= most) {
      if (isReadByStatement && most === longestLine) {
        lines ??= count++;
        addAll(sequence, run);
        addAll(
          deltaOf,
          run.map(() => lines!),
        );
      } else add(run, true);
      continue;
    }
    hasLong = true;
    const cut = level === 'token' ? tokens : characters;
    for (const inner of groups(alignment(piecesOf(cut, gone), piecesOf(cut, come))))
      if (inner[0]!.kind === 'shared') {
        addAll(sequence, inner);
        addAll(
          deltaOf,
          inner.map(() => -1),
        );
      } else add(inner, false);
  }
  // What can be read is settled by the tokens.
  if (level === 'character' && !hasLong) return { name: level, count: 0, build: () => [failing] };
  return differing(level, sequence, deltaOf);
}

/** Both texts as runs of what they share and what they do not. `most`: from which length on a run is cut. */
function* runsIn(passing: string, failing: string): Generator<{ readonly run: Run; readonly most: number }> {
  const [old, now] = [piecesOf(lines, passing), piecesOf(lines, failing)];
  let at = 0;
  const shared = (to: number) => old.slice(at, to).map(element => ({ kind: 'shared' as const, element }));
  for (const hunk of hunksBetween(old, now)) {
    if (hunk.oldStart > at) yield { run: shared(hunk.oldStart), most: 0 };
    for (const { oldStart, oldCount, newStart, newCount } of pairLines(hunk, old, now)) {
      const gone = old.slice(oldStart, oldStart + oldCount).join('');
      const come = now.slice(newStart, newStart + newCount).join('');
      if (oldCount === 1 && newCount === 1)
        for (const run of groups(alignment(piecesOf(tokens, gone), piecesOf(tokens, come))))
          yield { run, most: readable };
      else {
        const line = { kind: oldCount > 0 ? ('gone' as const) : ('new' as const), element: gone + come };
        yield { run: [line], most: longestLine };
      }
    }
    at = hunk.oldStart + hunk.oldCount;
  }
  if (at < old.length) yield { run: shared(old.length), most: 0 };
}

/** Neighbours that are shared, and neighbours that are not. */
function groups(sequence: readonly Aligned<string>[]): readonly Run[] {
  const found: Aligned<string>[][] = [];
  for (const piece of sequence) {
    const last = found.at(-1);
    if (last && (last[0]!.kind === 'shared') === (piece.kind === 'shared')) last.push(piece);
    else found.push([piece]);
  }
  return found;
}

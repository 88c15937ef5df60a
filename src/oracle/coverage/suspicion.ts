/** Ranks executed changes by how likely they cause the failure. */
import { namesAround } from '../../circumstances/changes/functions.js';
import { greatestOf } from '../../core/lists.js';
import type { Coverage } from './coverage.js';
import { type Telling, tellsOf } from './printed-words.js';
import type { Judged, JudgedPart } from './suspects.js';

/** A file in both versions, according to the hunks between them. */
export interface Compared {
  readonly oldPath?: string;
  readonly newPath?: string;
  readonly hunks: readonly Pick<JudgedPart, 'oldStart' | 'oldCount' | 'newStart' | 'newCount'>[];
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/** A line of the new version that the failing run names, for example in a stack trace. */
export interface Named {
  readonly path: string;
  readonly line: number;
}

/** What the runs of both versions executed and printed, and the lines that the failing one names. */
export interface BothRuns {
  readonly old: Coverage;
  readonly now: Coverage;
  readonly named?: readonly Named[];
  /** Words that only one of them printed. */
  readonly telling?: Telling;
  /** Words of the test itself: it mostly calls what is wrong. */
  readonly inTest?: ReadonlySet<string>;
}

/**
 * How likely each change is to be the culprit, relative to the others. If a line that both versions have ran in only one of
 * them, the two runs diverged there, and the change that caused it is usually close; it is also close to the lines that the
 * failure names, has words that only one run prints, or is in a function that the test calls by its name. This gives an order for the search, and proves nothing.
 */
export function suspicion(
  changes: readonly Judged[],
  files: readonly Compared[],
  { old, now, named = [], telling = new Map(), inTest = new Set() }: BothRuns,
): readonly number[] {
  const [oldLines, newLines] = [linesOf(files, 'old'), linesOf(files, 'new')];
  const executed = (lines: LinesByPath, seen: Coverage): LinesByPath =>
    new Map([...lines].filter(([path]) => seen.executed.has(path ?? '')));
  const calls = callsOf(changes, { old: executed(oldLines, old), new: executed(newLines, now) }, inTest);
  const spots = new Map<string, readonly number[]>();
  for (const file of files) {
    if (file.newPath === undefined) continue;
    // A bundle is compared with each of its modules.
    const known = spots.get(file.newPath) ?? named.filter(({ path }) => path === file.newPath).map(({ line }) => line);
    spots.set(file.newPath, [...divergingLines(file, old, now), ...known]);
  }
  return changes.map(
    ({ parts }, at) =>
      telltale * calls[at]! +
      greatestOf(
        parts.map(part => {
          const words = telling.get(part.newPath ?? '') ?? telling.get(part.oldPath ?? '');
          const tells = words ? tellsOf(words, ...sidesOf(part, oldLines, newLines)) : 0;
          return weightOf(part, spots, now) * (isOnlyUndecided(part, old, now) ? declared : 1) + telltale * tells;
        }),
      ),
  );
}

/**
 * From 0 to 1, for each change: 1 if it is in a function that the test calls by its name, and no other change is. The more others are, the less that says. Only files
 * that ran count: a package often has the same code for browsers.
 */
function callsOf(
  changes: readonly Judged[],
  lines: Readonly<Record<'old' | 'new', LinesByPath>>,
  inTest: ReadonlySet<string>,
): readonly number[] {
  if (inTest.size === 0) return changes.map(() => 0);
  const known = new Map<readonly string[], readonly (readonly string[])[]>();
  const namesIn = (text: readonly string[] = [], start: number, count: number): readonly string[] => {
    if (count === 0 || text.length === 0) return [];
    if (!known.has(text)) known.set(text, namesAround(text));
    // `p.absoluteTo` is called as `absoluteTo`.
    const calledNames = (line: number) => (known.get(text)![line] ?? []).map(name => name.split(/[.:]/).at(-1)!);
    return [...calledNames(start), ...calledNames(start + count - 1)].filter(name => inTest.has(name));
  };
  const named = changes.map(
    ({ parts }) =>
      new Set(
        parts.flatMap(({ oldPath, oldStart, oldCount, newPath, newStart, newCount }) => [
          ...namesIn(lines.old.get(oldPath), oldStart, oldCount),
          ...namesIn(lines.new.get(newPath), newStart, newCount),
        ]),
      ),
  );
  const counts = new Map<string, number>();
  for (const name of named.flatMap(names => [...names])) counts.set(name, (counts.get(name) ?? 0) + 1);
  return named.map(names => Math.max(0, greatestOf([...names].map(name => 1 / counts.get(name)!))));
}

type LinesByPath = ReadonlyMap<string | undefined, readonly string[]>;

function sidesOf(
  part: JudgedPart,
  olds: LinesByPath,
  news: LinesByPath,
): readonly [readonly string[], readonly string[]] {
  if (part.text !== undefined) return [[part.text], part.instead === undefined ? [] : [part.instead]];
  const { oldStart, oldCount, newStart, newCount } = part;
  return [
    olds.get(part.oldPath)?.slice(oldStart, oldStart + oldCount) ?? [],
    news.get(part.newPath)?.slice(newStart, newStart + newCount) ?? [],
  ];
}

const linesOf = (files: readonly Compared[], side: 'old' | 'new'): LinesByPath =>
  new Map(files.map(each => (side === 'old' ? [each.oldPath, each.oldLines] : [each.newPath, each.newLines])));

/** The lines of new, counted from 1, that both versions have and only one of them ran. */
function divergingLines(
  { oldPath, newPath, hunks, oldLines, newLines }: Compared,
  old: Coverage,
  now: Coverage,
): readonly number[] {
  const before = oldPath === undefined ? undefined : old.executed.get(oldPath);
  const after = newPath === undefined ? undefined : now.executed.get(newPath);
  if (!before || !after) return [];
  const gone = hunks.reduce((sum, { oldCount }) => sum + oldCount, 0);
  const isSame = gone > oldLines.length / 2 ? onlyOnce(newLines) : () => true;
  const found: number[] = [];
  const end = { oldStart: oldLines.length, oldCount: 0, newStart: 0, newCount: 0 };
  let [from, shift] = [0, 0];
  for (const hunk of [...hunks, end]) {
    for (let line = from + 1; line <= hunk.oldStart; line++)
      if (before.has(line) !== after.has(line + shift) && isSame(line + shift)) found.push(line + shift);
    from = hunk.oldStart + hunk.oldCount;
    shift = hunk.newStart + hunk.newCount - from;
  }
  return found;
}

/** In a rewritten file, a line such as `return;` may stand beside another one by accident. */
function onlyOnce(lines: readonly string[]): (line: number) => boolean {
  const counts = new Map<string, number>();
  for (const text of lines) counts.set(text.trim(), (counts.get(text.trim()) ?? 0) + 1);
  return line => counts.get(lines[line - 1]!.trim()) === 1;
}

/** How likely a declaration outside of functions is, compared with a line that ran: coverage counts neither for nor against it. */
const declared = 0.3;

/** It has lines that coverage can't judge, and none that ran. */
function isOnlyUndecided(part: JudgedPart, old: Coverage, now: Coverage): boolean {
  const sides = [
    [old, part.oldPath, part.oldStart, part.oldCount],
    [now, part.newPath, part.newStart, part.newCount],
  ] as const;
  let undecided = false;
  for (const [coverage, path = '', start, count] of sides)
    for (let line = start + 1; line <= start + count; line++) {
      if (coverage.executed.get(path)?.has(line)) return false;
      undecided ||= coverage.undecided.get(path)?.has(line) ?? false;
    }
  return undecided;
}

/** How much likelier a change is with a word that only one run prints, and that no other change has: runs diverge in many places. */
const telltale = 16;
/** How much likelier a change is right where the runs diverge, compared with one that is far away. */
const most = 8;
/** At this distance in lines, the bonus is halved. */
const half = 10;

function weightOf(part: JudgedPart, spots: ReadonlyMap<string, readonly number[]>, now: Coverage): number {
  const path = part.newPath;
  if (path === undefined) return 1;
  // Files that were read and did not run as code: a manifest, a table.
  if (!now.executed.has(path)) return 0.5;
  let nearest = Number.POSITIVE_INFINITY;
  for (const line of spots.get(path) ?? [])
    nearest = Math.min(nearest, Math.max(part.newStart + 1 - line, line - part.newStart - part.newCount, 0));
  return 1 + (most * half) / (half + nearest);
}

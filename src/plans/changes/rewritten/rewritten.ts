/** Files that were rewritten: most of their lines are gone, although many of their functions are still there. */
import { createHash } from 'node:crypto';
import type { Changes } from '../../../circumstances/changes/changes.js';
import type { FileChange } from '../../../circumstances/changes/diff.js';
import { deltasOf, has, size } from '../../../core/index.js';
import type { Suspicion } from '../levels/blame.js';
import type { Pair } from '../pair.js';
import { functionsOf, type OldFunction } from './old-functions.js';
import { isRewritten, originsIn } from './origins.js';

/** If only less than this share of the changes that the test runs is in rewritten files, lines come first. */
const most = 1 / 2;

/** In a rewritten file, a hunk mostly has about as many lines. */
const linesOfHunk = 10;

/**
 * New path and old paths of each rewritten file, if most of the changes that the test runs are in such files; otherwise none. An added file whose code was
 * in others is rewritten, too.
 */
export function rewrittenIn(all: Changes, suspicion: Suspicion): ReadonlyMap<string, readonly string[]> {
  const { changes, files } = all;
  const { suspects } = suspicion;
  const origins = originsIn(all, suspicion);
  const oldPathsOf = ({ oldPath, newPath }: FileChange) =>
    oldPath === undefined ? origins.get(newPath!) : newPath === undefined ? undefined : [oldPath];
  const split = new Set([...origins.values()].flat());
  const { left = [] } = suspicion;
  const isMoved = ({ oldPath, newPath }: FileChange) =>
    newPath === undefined || left.includes(newPath)
      ? split.has(oldPath!)
      : oldPath === undefined && origins.has(newPath);
  const rewritten = new Set([...files.keys()].filter(file => isMoved(files[file]!) || isRewritten(files[file]!)));
  const isInside = (delta: number) => changes[delta]!.parts.some(({ file }) => rewritten.has(file));
  const inside = [...deltasOf(suspects)].filter(isInside);
  // A file that comes or goes is one change, however long it is.
  const hunksIn = (delta: number) => {
    const [part] = changes[delta]!.parts;
    return isMoved(files[part!.file]!) ? Math.max(1, (part!.oldCount + part!.newCount) / linesOfHunk) : 1;
  };
  const more = inside.reduce((sum, delta) => sum + hunksIn(delta) - 1, 0);
  if (inside.length + more <= most * (size(suspects) + more)) return new Map();
  const touched = new Set(inside.flatMap(delta => changes[delta]!.parts.map(({ file }) => file)));
  return new Map(
    [...touched].flatMap(file => {
      const oldPaths = oldPathsOf(files[file]!);
      const isRun = !left.includes(files[file]!.newPath!);
      return rewritten.has(file) && isRun && oldPaths ? [[files[file]!.newPath!, oldPaths]] : [];
    }),
  );
}

/** What coverage says about a list of changes. */
export type Judge = (changes: Changes) => Promise<Suspicion>;

export interface Judged {
  readonly changes: Changes;
  readonly suspicion: Suspicion;
  readonly judge: Judge;
}

/** The functions of these files that differ and that the test may run. */
export async function functionsIn(
  pair: Pair,
  paths: ReadonlyMap<string, readonly string[]>,
  { changes, suspicion: { suspects }, judge }: Judged,
): Promise<readonly OldFunction[]> {
  const found: Omit<OldFunction, 'likely'>[] = [];
  for (const [path, oldPaths] of paths) {
    const executed = [...deltasOf(suspects)].flatMap(delta =>
      changes.changes[delta]!.parts.filter(part => part.newPath === path),
    );
    for (const each of await functionsOf(pair, { old: oldPaths, new: path })) {
      const [from, to] = each.lines.new;
      const isNear = executed.some(part => part.newStart < to && part.newStart + part.newCount >= from - 1);
      if (isNear) found.push(each);
    }
  }
  if (found.length === 0) return [];
  // A hunk of a rewritten file is in many functions, so each function is judged by its own lines.
  const inside = found.map(({ path, lines: { new: lines } }) => ({ path, lines: insideOf(lines) }));
  const { suspects: called, weights } = await judge(asChanges(inside, 'function', changes));
  return found.map((each, at) => ({
    ...each,
    likely: has(called, at) ? (weights?.[at] ?? 1) + saysOther * each.difference : notCalled,
  }));
}

/** How much likelier a function is that says something else than in old, and not the same in other words. */
const saysOther = 3;

/** How likely a function is that new does not call: by itself it changes nothing, but an old function may call it. */
const notCalled = 0.1;

/** The first and the last line also run when the function is defined, and not only when it is called. */
const insideOf = ([from, to]: readonly [number, number]): readonly [number, number] =>
  to - from > 1 ? [from + 1, to - 1] : [from, to];

/** Lines of new, counted from 1. */
export interface LinesOfNew {
  readonly path: string;
  readonly lines: readonly [number, number];
  /** If it is only a part of its lines. */
  readonly part?: string;
  /** What is in the place of this part in new. */
  readonly now?: string;
  /** If only old has them: new does not run what it has not. */
  readonly old?: LinesOfOld;
}

export interface LinesOfOld {
  readonly path: string;
  readonly lines: readonly [number, number];
}

/**
 * Each as a change, so that coverage can judge it. `name`: one of them, in the singular. What coverage says is noted under the name of the changes, so it
 * names the places too: a search judges several lists.
 */
export function asChanges(places: readonly LinesOfNew[], name: string, changes: Changes): Changes {
  const key = createHash('sha256')
    .update(
      JSON.stringify(
        places.map(({ path, lines, old, part }) => [path, lines, ...(old ? [old.path, old.lines] : []), part ?? '']),
      ),
    )
    .digest('base64url')
    .slice(0, 16);
  const fileOf = new Map(changes.files.map(({ newPath }, file) => [newPath, file]));
  const oldFileOf = new Map(changes.files.map(({ oldPath }, file) => [oldPath, file]));
  const each = places.map(({ path, lines: [from, to], old, part: text, now }) => {
    const own = text === undefined ? {} : { text, ...(now ? { instead: now } : {}) };
    const part = { kind: 'hunk' as const, file: fileOf.get(path)!, newPath: path, newStart: from - 1, ...own };
    const parts = [
      old
        ? {
            ...part,
            // In a bundle, and in a file that was moved, it is from another file.
            file: oldFileOf.get(old.path) ?? part.file,
            newCount: 0,
            oldPath: old.path,
            oldStart: old.lines[0] - 1,
            oldCount: old.lines[1] - old.lines[0] + 1,
          }
        : { ...part, newCount: to - from + 1, oldStart: 0, oldCount: 0 },
    ];
    return { kind: 'hunk' as const, label: path, parts };
  });
  return { ...changes, name: `${name} ${key}`, count: each.length, changes: each };
}

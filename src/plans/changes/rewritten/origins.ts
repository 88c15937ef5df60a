/**
 * Where the code of an added file comes from. A large file is often split into modules, modules become one bundle, or a file moves to another folder while it is
 * rewritten. Then no file of old has its path, and none is so alike that it was renamed, but most of its words are in files that are gone or that were rewritten.
 */
import type { Changes } from '../../../circumstances/changes/changes.js';
import type { FileChange } from '../../../circumstances/changes/diff.js';
import { realHunks } from '../../../circumstances/changes/formatting.js';
import { inertLines } from '../../../circumstances/changes/inert.js';
import { deltasOf } from '../../../core/index.js';
import { addAll } from '../../../core/lists.js';
import { languageOf } from '../../../syntax/languages/index.js';
import type { Suspicion } from '../levels/blame.js';
import { wordsIn } from './old-functions.js';

/** A file is rewritten if more than this share of its old lines is gone. */
const most = 1 / 2;

/** In a smaller file, lines are found as quickly as functions. */
const fewest = 20;

/** Formatting, blank lines and comments do not count. */
export function isRewritten(change: FileChange): boolean {
  if (change.oldPath === undefined || change.newPath === undefined) return false;
  const inert = inertLines(change.oldPath, change.oldLines);
  const codeIn = (from: number, to: number) => inert.slice(from, to).filter(isInert => !isInert).length;
  const gone = realHunks(change).reduce(
    (sum, { oldStart, oldCount }) => sum + codeIn(oldStart, oldStart + oldCount),
    0,
  );
  return gone >= fewest && gone > most * codeIn(0, inert.length);
}

/** An added file comes from an old one if this share of the words of either is in the other one, too. */
const mostWords = 0.6;
/** A second file of which less is in an added one was not put into it, if the first one has most of its words. */
const nearlyAll = 0.8;
/** With fewer words, too much is alike by accident. */
const fewestWords = 8;

const known = new WeakMap<Suspicion, ReadonlyMap<string, readonly string[]>>();

/**
 * New path and old paths of each added file whose code was in other files, as far as the test runs both: in one of them, or, if it is a bundle, in many. What the
 * test does not run may be the same code once more: a package often has a bundle beside its modules.
 */
export function originsIn({ changes, files }: Changes, suspicion: Suspicion): ReadonlyMap<string, readonly string[]> {
  const before = known.get(suspicion);
  if (before) return before;
  const found = new Map<string, readonly string[]>();
  known.set(suspicion, found);
  const run = [
    ...new Set([...deltasOf(suspicion.suspects)].flatMap(delta => changes[delta]!.parts.map(({ file }) => file))),
  ].map(file => files[file]!);
  for (const [newPath, origins] of originsAmong(run, suspicion.left))
    found.set(
      newPath,
      origins.map(({ oldPath }) => oldPath!),
    );
  return found;
}

/** What is found in each of these files, compared with what it comes from. `paths`: new path and old path. */
export async function foundInEach<Found>(
  paths: ReadonlyMap<string, string | undefined>,
  { changes, suspicion }: { readonly changes: Changes; readonly suspicion: Suspicion },
  find: (path: string, oldPaths: readonly string[] | undefined) => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  const origins = originsIn(changes, suspicion);
  const found: Found[] = [];
  for (const [path, oldPath] of paths)
    addAll(found, await find(path, oldPath === undefined ? origins.get(path) : [oldPath]));
  return found;
}

/** New path, and the files that the code of each added file was in, as far as both are among these. `left`: files of new that are still there, but not run any more. */
export function originsAmong(
  files: readonly FileChange[],
  left: readonly string[] = [],
): ReadonlyMap<string, readonly FileChange[]> {
  const found = new Map<string, readonly FileChange[]>();
  const added = files.filter(({ oldPath, newPath }) => oldPath === undefined && languageOf(newPath!));
  const gone = files.flatMap(file => {
    const { oldPath, newPath, oldLines } = file;
    if (added.length === 0 || oldPath === undefined || !languageOf(oldPath)) return [];
    const words = wordsOf(oldLines);
    const isGone = newPath === undefined || left.includes(newPath) || isRewritten(file);
    return isGone && words.size >= fewestWords ? [{ file, words }] : [];
  });
  for (const { newPath, newLines } of gone.length === 0 ? [] : added) {
    const words = wordsOf(newLines);
    if (words.size < fewestWords) continue;
    const alike = gone.filter(({ file }) => languageOf(file.oldPath!) === languageOf(newPath!));
    const origins = originsOf(words, alike);
    if (origins.length > 0) found.set(newPath!, origins);
  }
  return found;
}

interface Gone {
  readonly file: FileChange;
  readonly words: ReadonlySet<string>;
}

/** The file that is most like an added one; if that has only a part of its words, also those that are nearly all in it and have others. */
function originsOf(words: ReadonlySet<string>, gone: readonly Gone[]): readonly FileChange[] {
  const [best, ...others] = gone
    .map(each => ({ ...each, common: [...each.words].filter(word => words.has(word)) }))
    .filter(each => each.common.length >= mostWords * Math.min(words.size, each.words.size))
    .map(each => ({ ...each, likeness: each.common.length / (words.size + each.words.size - each.common.length) }))
    .sort((a, b) => b.likeness - a.likeness);
  if (!best) return [];
  const origins = [best];
  const explained = new Set(best.common);
  for (const each of others) {
    const isExplained = explained.size >= mostWords * words.size && origins.length === 1;
    if (isExplained && each.common.length < nearlyAll * each.words.size) continue;
    const more = each.common.filter(word => !explained.has(word));
    if (each.common.length < mostWords * each.words.size || more.length < fewestWords) continue;
    origins.push(each);
    for (const word of more) explained.add(word);
  }
  return origins.map(({ file }) => file);
}

const wordsOf = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap(wordsIn));

/**
 * Where the code of an added file comes from. A large file is often split into modules, or moves to another folder while it is rewritten. Then no file of old
 * has its path, and none is so alike that it was renamed, but most of its words are in one file that is gone or that was rewritten.
 */
import type { Changes } from '../../circumstances/changes/changes.js';
import type { FileChange } from '../../circumstances/changes/diff.js';
import { realHunks } from '../../circumstances/changes/formatting.js';
import { inertLines } from '../../circumstances/changes/inert.js';
import { languageOf } from '../../syntax/languages/index.js';
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
/** With fewer words, too much is alike by accident. */
const fewestWords = 8;

const known = new WeakMap<Changes['files'], ReadonlyMap<string, string>>();

/** New path and old path of each added file whose code was in another file. */
export function originsIn({ files }: Pick<Changes, 'files'>): ReadonlyMap<string, string> {
  const before = known.get(files);
  if (before) return before;
  const found = new Map<string, string>();
  known.set(files, found);
  const added = files.filter(({ oldPath, newPath }) => oldPath === undefined && languageOf(newPath!));
  const gone = files.flatMap(file => {
    const { oldPath, newPath, oldLines } = file;
    if (added.length === 0 || oldPath === undefined || !languageOf(oldPath)) return [];
    const words = wordsOf(oldLines);
    const isGone = newPath === undefined || isRewritten(file);
    return isGone && words.size >= fewestWords ? [{ oldPath, words }] : [];
  });
  for (const { newPath, newLines } of gone.length === 0 ? [] : added) {
    const words = [...wordsOf(newLines)];
    if (words.length < fewestWords) continue;
    const [best] = gone
      .filter(({ oldPath }) => languageOf(oldPath) === languageOf(newPath!))
      .map(each => ({ ...each, share: shareOf(words, each.words) }))
      .sort((a, b) => b.share - a.share);
    if (best && best.share >= mostWords) found.set(newPath!, best.oldPath);
  }
  return found;
}

/** A module is a part of what it was split from, and a file that has grown has more words than before. */
const shareOf = (words: readonly string[], old: ReadonlySet<string>): number =>
  words.filter(word => old.has(word)).length / Math.min(words.length, old.size);

const wordsOf = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap(wordsIn));

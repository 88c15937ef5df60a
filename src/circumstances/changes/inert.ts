/** Which lines of a source file can't matter to a program: blank ones and comments. */
import { type Configuration, of } from '../../core/index.js';
import type { Changes } from './changes.js';
import type { Lines } from './lines.js';

const hash = /\.(?:py|rb|sh|bash|pl|ya?ml|toml|r|cmake|mk)$|(?:^|\/)(?:Makefile|Dockerfile)$/i;
const slashes = /\.(?:[cm]?[jt]sx?|[ch]|cc|cpp|cxx|hh|hpp|java|go|rs|swift|kt|scala|php|cs|css|less|scss|dart|m|mm)$/i;

/**
 * One flag for each line. It reads line by line and not by a grammar, so a line of a template string that looks like a
 * comment counts as one. That is good enough to choose what to test first, and never a reason to leave something out of the
 * search.
 */
export function inertLines(path: string, lines: Lines): readonly boolean[] {
  const isHash = hash.test(path);
  const isSlashes = slashes.test(path);
  let inside = false;
  return lines.map(line => {
    const text = line.trim();
    if (text === '') return true;
    if (isHash) return text.startsWith('#') && !text.startsWith('#!');
    if (!isSlashes) return false;
    if (!inside && text.startsWith('//')) return true;
    if (!inside && !text.startsWith('/*')) return false;
    const end = text.indexOf('*/', inside ? 0 : 2);
    inside = end < 0;
    return inside || text.slice(end + 2).trim() === '';
  });
}

/** The changes that affect only formatting, blank lines and comments, on both sides. */
export function inertIn({ changes, files }: Changes): Configuration {
  const known = files.map(({ oldPath, newPath, oldLines, newLines }) => ({
    old: inertLines(oldPath ?? '', oldLines),
    new: inertLines(newPath ?? '', newLines),
  }));
  const isInert = ({ kind: is, parts }: Changes['changes'][number]): boolean =>
    is === 'formatting' ||
    (parts.length > 0 &&
      parts.every(
        ({ kind, file, oldStart, oldCount, newStart, newCount }) =>
          (kind === 'hunk' || kind === 'line') &&
          known[file]!.old.slice(oldStart, oldStart + oldCount).every(Boolean) &&
          known[file]!.new.slice(newStart, newStart + newCount).every(Boolean),
      ));
  return of([...changes.keys()].filter(delta => isInert(changes[delta]!)));
}

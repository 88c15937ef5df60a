/** Files that were rewritten: most of their lines are gone, although many of their functions are still there. */
import type { Changes } from '../../circumstances/changes/changes.js';
import type { FileChange } from '../../circumstances/changes/diff.js';
import { realHunks } from '../../circumstances/changes/formatting.js';
import { inertLines } from '../../circumstances/changes/inert.js';
import { deltasOf, size } from '../../core/index.js';
import type { Suspicion } from './blame.js';
import { functionsOf, type OldFunction } from './old-functions.js';
import type { Pair } from './pair.js';

/** A file is rewritten if more than this share of its old lines is gone. */
const most = 1 / 2;

/** New path and old path of each rewritten file, if most of the changes that the test runs are in such files; otherwise none. */
export function rewrittenIn({ changes, files }: Changes, { suspects }: Suspicion): ReadonlyMap<string, string> {
  const rewritten = new Set([...files.keys()].filter(file => isRewritten(files[file]!)));
  const isInside = (delta: number) => changes[delta]!.parts.some(({ file }) => rewritten.has(file));
  const inside = [...deltasOf(suspects)].filter(isInside);
  if (inside.length <= most * size(suspects)) return new Map();
  const touched = new Set(inside.flatMap(delta => changes[delta]!.parts.map(({ file }) => file)));
  return new Map(
    [...touched].flatMap(file => {
      const { oldPath, newPath } = files[file]!;
      return rewritten.has(file) && oldPath !== undefined && newPath !== undefined ? [[newPath, oldPath]] : [];
    }),
  );
}

/** Formatting, blank lines and comments do not count. */
function isRewritten(change: FileChange): boolean {
  if (change.oldPath === undefined || change.newPath === undefined) return false;
  const inert = inertLines(change.oldPath, change.oldLines);
  const codeIn = (from: number, to: number) => inert.slice(from, to).filter(isInert => !isInert).length;
  const gone = realHunks(change).reduce(
    (sum, { oldStart, oldCount }) => sum + codeIn(oldStart, oldStart + oldCount),
    0,
  );
  return gone > most * codeIn(0, inert.length);
}

/** The functions of these files that differ and that the test runs, each as likely as the likeliest change in it. */
export async function functionsIn(
  pair: Pair,
  paths: ReadonlyMap<string, string>,
  { changes }: Pick<Changes, 'changes'>,
  { suspects, weights }: Suspicion,
): Promise<readonly OldFunction[]> {
  const found: OldFunction[] = [];
  for (const [path, oldPath] of paths) {
    const executed = [...deltasOf(suspects)].flatMap(delta =>
      changes[delta]!.parts.filter(part => part.newPath === path).map(part => ({ ...part, delta })),
    );
    for (const each of await functionsOf(pair, { old: oldPath, new: path })) {
      const [from, to] = each.lines.new;
      const likely = executed
        .filter(({ newStart, newCount }) => newStart < to && newStart + newCount >= from - 1)
        .map(({ delta }) => weights?.[delta] ?? 1);
      if (likely.length > 0) found.push({ ...each, likely: Math.max(...likely) });
    }
  }
  return found;
}

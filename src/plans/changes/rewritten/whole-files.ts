/** Files beside the rewritten ones, reverted as a whole. */
import type { Changes } from '../../../circumstances/changes/changes.js';
import type { Artifact } from '../../../core/artifact.js';
import { all, deltasOf, minus, of, type Test } from '../../../core/index.js';
import { addTo } from '../../../core/lists.js';
import type { Event } from '../../../engine/index.js';
import { askerFor, type BlameOptions, Stopped } from '../levels/asker.js';
import type { Suspicion } from '../levels/blame.js';
import { levelOf } from '../levels/levels.js';

/** The likeliest ones are tried, up to this many. */
const mostFiles = 8;

/**
 * Whether new passes without the changes of one file that was not rewritten. Its lines are then found quickly, while in rewritten files each addition and each lost part has
 * to be tried by itself.
 */
export async function* passesWithoutOneFile(
  { changes, suspicion }: { readonly changes: Changes; readonly suspicion: Suspicion },
  rewritten: ReadonlyMap<string, unknown>,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, boolean> {
  const questions = likeliestFiles(changes, suspicion, rewritten).map(file => minus(all(changes.count), of(file)));
  if (questions.length === 0) return false;
  try {
    const level = levelOf(changes, 'hunk', same => same);
    const asker = askerFor({ level, lessons: { missing: new Set() } }, test, options, () => undefined);
    const outcomes = yield* asker.askUntilPass('other files as in old', questions);
    return outcomes.at(-1) === 'pass';
  } catch (error) {
    if (error instanceof Stopped) return false;
    throw error;
  }
}

/**
 * The changes of each file that both versions have, that the test runs and that was not rewritten. The upgrade of a package is one change in many
 * files: all of it counts as the first of them.
 */
function likeliestFiles(
  { changes, files }: Changes,
  { suspects, weights }: Suspicion,
  rewritten: ReadonlyMap<string, unknown>,
): readonly (readonly number[])[] {
  const likely = new Map<number, number>();
  for (const delta of deltasOf(suspects)) {
    const [part] = changes[delta]!.parts;
    if (part) likely.set(part.file, Math.max(likely.get(part.file) ?? 0, weights?.[delta] ?? 1));
  }
  const byFile = new Map<number, number[]>();
  for (const [delta, { parts }] of changes.entries()) if (parts[0]) addTo(byFile, parts[0].file, delta);
  const upgraded = new Set(
    changes.flatMap(({ kind, parts: [part] }) => (kind === 'package' && part ? [part.file] : [])),
  );
  const isBeside = (file: number): boolean => {
    if (upgraded.has(file)) return true;
    const { oldPath, newPath } = files[file]!;
    return oldPath !== undefined && newPath !== undefined && !rewritten.has(newPath);
  };
  return [...likely]
    .filter(([file]) => isBeside(file))
    .sort(([, a], [, b]) => b - a)
    .slice(0, mostFiles)
    .map(([file]) => byFile.get(file)!);
}

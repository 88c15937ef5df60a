/** Edits inside the function that matters: if it was written anew, one of them may say more than its old lines, and takes fewer tests to find. */
import type { Artifact } from '../../../core/artifact.js';
import { hunksBetween } from '../../../core/diff.js';
import type { Test } from '../../../core/index.js';
import { addAll } from '../../../core/lists.js';
import type { Event } from '../../../engine/index.js';
import type { BlameOptions } from '../levels/asker.js';
import type { Pair } from '../pair.js';
import { additionsTo } from './additions.js';
import { type CodeEdit, type NewWithEdits, type Place, rankOf, saysOfOld, withFewestEdits } from './code-edits.js';
import type { NewWithOld } from './function-search.js';
import { type Replacement, textOf } from './old-functions.js';
import { restorationsTo } from './restorations.js';
import type { Judged } from './rewritten.js';

/** Fewer lines that differ are found as fast. */
const fewest = 12;
/** A larger edit is no better than the lines of the old function. */
const largest = 6;
/** However long the function is. */
const mostEdits = 12;

/** New as it passes with one small edit of the only function of old that it needs. Undefined if there is none. */
export async function* newWithEditInside(
  { pair, ...judged }: Judged & { readonly pair: Pair },
  { functions }: NewWithOld,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, NewWithEdits | undefined> {
  const [only, ...others] = functions;
  if (only === undefined || others.length > 0) return undefined;
  const lines = linesDiffering(pair, only);
  if (lines < fewest) return undefined;
  const likelihood = ({ path, own: [from, to] }: Place) =>
    path === only.path && from >= only.lines.new[0] && to <= only.lines.new[1] + 1 ? 1 : 0;
  const oldPath = judged.changes.files.find(({ newPath }) => newPath === only.path)?.oldPath;
  const edits: CodeEdit[] = [];
  for (const list of [restorationsTo, additionsTo])
    addAll(edits, await list(pair, new Map([[only.path, oldPath]]), judged, { likelihood, most: mostEdits }));
  const likely = edits
    .filter(edit => !edit.isForced && linesDiffering(pair, edit) <= largest)
    .sort((a, b) => scoreOf(b) - scoreOf(a))
    .slice(0, Math.min(mostEdits, lines));
  if (likely.length === 0) return undefined;
  yield {
    type: 'noticed',
    what: 'note',
    text: `New passes with an old function of which ${lines} lines differ: smaller edits in it are tried first (${likely.length}).`,
  };
  const words = { one: 'edit', pass: 'edits of the function', isSingle: true } as const;
  const found = yield* withFewestEdits(pair, { edits: likely, words }, test, options);
  return typeof found === 'object' ? found : undefined;
}

const scoreOf = (edit: CodeEdit): number => rankOf(edit) * saysOfOld(edit);

function linesDiffering({ new: { files } }: Pair, { path, start, end, text }: Replacement): number {
  const now = (textOf(files.get(path)) ?? '').slice(start, end);
  const trimmed = (each: string) => each.split('\n').map(line => line.trim());
  return hunksBetween(trimmed(now), trimmed(text)).reduce(
    (sum, { oldCount, newCount }) => sum + oldCount + newCount,
    0,
  );
}

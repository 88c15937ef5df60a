/** Searches the commits between two revisions. */
import type { Artifact } from '../../core/artifact.js';
import { type Outcome, type Test, UserError } from '../../core/index.js';
import { type Ended, type Event, type Memory, recallOrTest } from '../../engine/index.js';
import { identify } from '../../sources/files.js';
import type { Commit, Repository } from '../../sources/versions/git.js';
import type { Context } from '../job.js';
import { firstBadCommit } from './commits.js';
import { bothFail } from './ends.js';
import type { BlameOptions } from './levels/blame.js';
import { type Pair, pairOf } from './pair.js';

export interface HistoryResult {
  readonly ended: Ended;
  /** What remains to be searched: the first bad commit and the one before it, or the versions themselves. */
  readonly pair: Pair;
  /** The first bad commit, or all candidates for it, in words; unset if there is no history to search. */
  readonly commits: readonly DescribedCommit[];
  readonly searched: number;
}

export interface DescribedCommit {
  readonly id: string;
  /** `1a2b3c4d Jane Doe 2024-05-01 Fix the frobnicator` */
  readonly words: string;
}

/** Two versions with no history between them that could be searched. */
export const withoutHistory = (pair: Pair): HistoryResult => ({ ended: 'done', pair, commits: [], searched: 0 });

/** Two versions, and the outcome of the old one; the new one fails. */
export interface CheckedPair {
  readonly pair: Pair;
  readonly old: Outcome;
}

/** With two revisions: the first bad commit between them, or before them if the old one fails too. */
export async function* searchHistory(
  { pair, old }: CheckedPair,
  test: Test<Artifact>,
  settings: BlameOptions,
  context: Context,
): AsyncGenerator<Event, HistoryResult> {
  const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });
  const lacking = lackOf(pair);
  if (lacking || !pair.git) {
    if (pair.git) yield note(`${lacking}: the two trees are compared, and not the commits between them.`);
    return withoutHistory(pair);
  }
  const {
    repository,
    commits: [first, last],
  } = pair.git;
  const isBack = old === 'fail';
  if (isBack) yield note(`${pair.titles[0]} fails too: an older commit that passes is looked for.`);
  const history = isBack ? repository.history(first, []) : repository.history(last, [first]);
  const found = yield* firstBadCommit({ repository, commits: history, startsPassing: !isBack }, test, settings);
  if (found.ended !== 'done') return { ...withoutHistory(pair), ended: found.ended, searched: history.length };
  if (found.neverPassed)
    throw new UserError(
      `No commit before ${pair.titles[0]} passes, back to ${history[0]!.id.slice(0, 8)}. Either the failure is as old as the history, or the test does not work on older versions.`,
      'Pass a version that works first.',
      1,
    );
  const described = found.candidates.map(({ id }) => ({ id, words: repository.describe(id) }));
  const [only] = described;
  if (described.length === 1) yield note(`the first bad commit of ${history.length}: ${only!.words}`);
  else
    yield note(
      `the first bad commit is one of ${described.length}; the others cannot be tested: ${described.map(each => each.words).join('; ')}`,
    );
  return {
    ended: 'done',
    pair: await narrowed(pair, { repository, candidates: found.candidates }, test, {
      memory: context.folder.journal,
      ...settings,
      ...context,
    }),
    commits: described,
    searched: history.length,
  };
}

/** From a commit that passes to the one that fails. A parent that was assumed to pass must be tested. */
async function narrowed(
  pair: Pair,
  { repository, candidates }: { readonly repository: Repository; readonly candidates: readonly Commit[] },
  test: Test<Artifact>,
  { memory, signal }: { readonly memory: Memory; readonly signal: AbortSignal },
): Promise<Pair> {
  const bad = candidates.at(-1)!;
  const among = new Set(candidates.map(({ id }) => id));
  const before = candidates.flatMap(({ parents }) => parents).filter(id => !among.has(id));
  const now = { files: repository.snapshot(bad.id) };
  for (const id of before) {
    const tree = { files: repository.snapshot(id) };
    const { outcome } = await recallOrTest(memory, identify(tree), () => test(tree, signal));
    if (outcome === 'pass') return pairOf(tree, now, [id.slice(0, 8), bad.id.slice(0, 8)]);
  }
  return pairOf(pair.old, now, [pair.titles[0], bad.id.slice(0, 8)]);
}

/** Why there are no searchable commits between the versions, if there are none. */
function lackOf({ git, titles: [old, now] }: Pair): string | undefined {
  if (!git) return 'The versions are not revisions of a repository';
  const { repository, commits } = git;
  if (repository.isShallow()) return 'The repository is a shallow clone';
  return repository.history(commits[0], [commits[1]]).length > 0 ? `${old} is no ancestor of ${now}` : undefined;
}

/** If both versions fail, only older commits can help: without a history to search there is nothing to do. */
export function demandSearchable(pair: Pair, said?: string): void {
  if (!pair.git || lackOf(pair)) throw bothFail(pair, said);
}

/** For --granularity commit. */
export function demandHistory(pair: Pair): void {
  const lacking = lackOf(pair);
  if (lacking)
    throw new UserError(
      `${lacking}, so there are no commits to search.`,
      pair.git?.repository.isShallow()
        ? 'Fetch the missing history first:\n  git fetch --unshallow --tags'
        : 'Pass two revisions, the old one an ancestor of the new one, or remove --granularity commit.',
    );
}

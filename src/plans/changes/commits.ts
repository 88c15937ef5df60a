/** Finds the first bad commit. */
import type { Artifact } from '../../core/artifact.js';
import { type Circumstance, deltasOf, type Test } from '../../core/index.js';
import { type Ended, type Event, explore } from '../../engine/index.js';
import { observationOf } from '../../run/journal-file.js';
import type { Commit, Repository } from '../../sources/versions/git.js';
import { firstBad } from '../../strategies/first-bad.js';
import { askedRun, noisyFirstBad, runsOf } from '../../strategies/noisy-first-bad.js';
import type { BlameOptions } from './levels/blame.js';

export interface FirstBadCommit {
  readonly ended: Ended;
  /** The first commit that fails, if the answers identify it. */
  readonly commit?: Commit;
  /** All that may be the first one; the last of them fails. */
  readonly candidates: readonly Commit[];
  readonly neverPassed: boolean;
}

export interface SearchedHistory {
  readonly repository: Repository;
  readonly commits: readonly Commit[];
  /** What comes before the first commit passes. */
  readonly startsPassing: boolean;
}

/** How many trees are kept: a search goes back and forth between a few. */
const kept = 64;

/** The first commit that fails, over any history. A tree that does not build is unresolved, and its commit is skipped. */
export async function* firstBadCommit(
  { repository, commits, startsPassing }: SearchedHistory,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, FirstBadCommit> {
  const trees = new Map<number, Artifact>();
  const treeOf = (commit: number): Artifact => {
    const tree = trees.get(commit) ?? { files: repository.snapshot(commits[commit]!.id) };
    if (trees.size >= kept) trees.delete(trees.keys().next().value!);
    trees.set(commit, tree);
    return tree;
  };
  const { accepted: _, measure: _size, beyond: _beyond, identify, flaky, ...rest } = options;
  const count = commits.length;
  const circumstance: Circumstance<Artifact> = {
    name: 'commit',
    count,
    // A commit with everything before it: the last one has the tree.
    build: configuration => treeOf(configuration.at(-1)! - 1),
    describe: commit => commits[commit]!.id,
  };
  const runs: Circumstance<TreeRun> = {
    name: 'run of a commit',
    count: runsOf(count),
    build(configuration) {
      const { commit, run } = askedRun(configuration, count);
      return { tree: treeOf(commit), commit: commits[commit]!, run };
    },
  };
  const [plain, noisy] = [
    firstBad(commits, { startsPassing }),
    flaky && noisyFirstBad(commits, { startsPassing, ...flaky }),
  ];
  yield { type: 'pass', pass: 'commits', round: 1, deltas: count, strategy: (noisy ?? plain).name };
  const end =
    flaky && noisy
      ? yield* explore(noisy, runs, ({ tree }, signal) => flaky.test(tree, signal), {
          ...rest,
          eager: true,
          memory: flaky.memory,
          // Two commits may have the same tree: their runs are still different runs.
          identify: ({ tree, commit, run }) => observationOf(`${commit.id} ${identify(tree)}`, run),
        })
      : yield* explore(plain, circumstance, test, { ...rest, identify, eager: true });
  const { commit, candidates, neverPassed } = end.result ?? { candidates: end.best, neverPassed: false };
  return {
    ended: end.ended,
    ...(commit === undefined ? {} : { commit: commits[commit]! }),
    candidates: [...deltasOf(candidates)].map(each => commits[each]!),
    neverPassed,
  };
}

/** One run of the test on the tree of a commit. */
interface TreeRun {
  readonly tree: Artifact;
  readonly commit: Commit;
  readonly run: number;
}

/**
 * The first bad commit if the failure shows only sometimes: Bayesian search (Horstein 1963; Burnashev and Zigangirov 1974;
 * for histories, git-bayesect). Each commit has a probability of being the first bad one. Each question is one run of one
 * commit: the one whose outcome is expected to be most informative. An answer shifts the probabilities by Bayes' rule, and
 * the search ends when one commit has nearly all of the probability. A plain search must be sure of each commit before it
 * looks at the next one; this one need not be sure of any but the last, so it takes fewer runs.
 *
 * It departs from these in working on any directed acyclic history, with three outcomes: a commit that can't be tested is not
 * asked again, and adds no information. Without a commit that is known to pass, the prior favours recent commits, because old
 * versions are less likely to run at all.
 */
import { type Configuration, deltasOf, type Outcome, of, type Strategy } from '../core/index.js';
import { type FirstBad, graphOf, type HistoryCommit, type HistoryOptions } from './first-bad.js';

export interface NoisyOptions extends HistoryOptions {
  /** How often the failure shows in a commit that has it, and in one that does not. */
  readonly present: number;
  readonly absent: number;
  /** How probable the answer must be. */
  readonly confidence: number;
}

/** How often a commit failed, passed, and could not be tested. */
type Seen = readonly [fails: number, passes: number, unresolved: number];

export interface NoisyState {
  readonly phase: 'search' | 'done';
  /** By the number of the commit. */
  readonly seen: Readonly<Record<number, Seen>>;
  readonly runs: number;
}

/** After this many runs, the stated rates can't be right. */
const mostRuns = 5000;
/** A run that is expected to give fewer bits than this is not worth it. */
const leastBits = 1e-4;

/** Run number `run` of a commit, of `count` commits, as a configuration. */
export const runOf = (commit: number, run: number, count: number): Configuration => of([run * count + commit]);

/** The commit and the number of its run, from such a configuration. */
export function askedRun(
  configuration: Configuration,
  count: number,
): { readonly commit: number; readonly run: number } {
  const delta = configuration.at(-1)! - 1;
  return { commit: delta % count, run: Math.floor(delta / count) };
}

/** How many deltas are enough for all runs of this many commits. */
export const runsOf = (count: number): number => count * mostRuns;

export function noisyFirstBad(
  commits: readonly HistoryCommit[],
  options: NoisyOptions,
): Strategy<NoisyState, FirstBad> {
  const { startsPassing = true, confidence } = options;
  const count = commits.length;
  const graph = graphOf(commits);
  const information = informationOf(options);
  const weights = weightsOf(options);
  const prior = commits.map((_, commit) => (startsPassing ? 0 : -Math.log(count - commit)));

  /** The probability of each commit to be the first bad one. */
  const beliefs = remembered((state: NoisyState): readonly number[] => {
    // What an answer says about all ancestors of a commit is added at the start of their ranges, and subtracted at the end.
    const steps = new Float64Array(count + 1);
    for (const [commit, [fails, passes]] of Object.entries(state.seen)) {
      const weight = fails * weights.fail + passes * weights.pass;
      for (const [at, border] of graph.ancestors(Number(commit)).entries())
        steps[border]! += at % 2 === 0 ? weight : -weight;
    }
    let sum = 0;
    const logs = prior.map((log, commit) => log + (sum += steps[commit]!));
    const highest = logs.reduce((a, b) => Math.max(a, b));
    const parts = logs.map(log => Math.exp(log - highest));
    const total = parts.reduce((a, b) => a + b);
    return parts.map(part => part / total);
  });
  const questions = remembered((state: NoisyState): number | undefined => {
    const isBad = badness(graph, beliefs(state));
    let best: number | undefined;
    let most = leastBits;
    for (let commit = 0; commit < count; commit++) {
      if (isUntestable(state.seen[commit])) continue;
      const bits = information(isBad[commit]!);
      if (bits > most) [best, most] = [commit, bits];
    }
    return best;
  });
  const isSure = (state: NoisyState): boolean => beliefs(state).some(part => part >= confidence);
  const settle = (state: NoisyState): NoisyState =>
    isSure(state) || state.runs >= mostRuns || questions(state) === undefined ? { ...state, phase: 'done' } : state;

  return {
    name: 'first bad commit, flaky',
    start: () => settle({ phase: 'search', seen: {}, runs: 0 }),
    next(state) {
      if (state.phase === 'search') {
        const commit = questions(state)!;
        return { kind: 'ask', configuration: runOf(commit, runsIn(state.seen[commit]), count), questionKind: 'run' };
      }
      const candidates = credible(beliefs(state), confidence);
      const [commit, ...others] = deltasOf(candidates);
      const neverPassed = !startsPassing && graph.parents[commit!]!.length === 0;
      const isSole = others.length === 0 && !neverPassed;
      return { kind: 'done', result: { candidates, neverPassed, ...(isSole ? { commit: commit! } : {}) } };
    },
    answer(state, outcome: Outcome) {
      const commit = questions(state)!;
      const [fails, passes, unresolved] = state.seen[commit] ?? [0, 0, 0];
      const seen: Seen = {
        fail: [fails + 1, passes, unresolved] as const,
        pass: [fails, passes + 1, unresolved] as const,
        unresolved: [fails, passes, unresolved + 1] as const,
      }[outcome];
      return settle({ ...state, seen: { ...state.seen, [commit]: seen }, runs: state.runs + 1 });
    },
    best: state => credible(beliefs(state), confidence),
  };
}

const runsIn = ([fails, passes, unresolved]: Seen = [0, 0, 0]): number => fails + passes + unresolved;
const isUntestable = ([fails, passes, unresolved]: Seen = [0, 0, 0]): boolean => unresolved > fails + passes;

/** How strongly a failure and a pass suggest that a commit is bad. */
const weightsOf = ({ present, absent }: NoisyOptions) => ({
  fail: Math.log(present / absent),
  pass: Math.log((1 - present) / (1 - absent)),
});

/** Expected information of one run of a commit, in bits, from the probability that it is bad. */
function informationOf({ present, absent }: NoisyOptions): (isBad: number) => number {
  const [ofPresent, ofAbsent] = [entropy(present), entropy(absent)];
  return isBad => entropy(isBad * present + (1 - isBad) * absent) - (isBad * ofPresent + (1 - isBad) * ofAbsent);
}

const entropy = (p: number): number => (p <= 0 || p >= 1 ? 0 : -p * Math.log2(p) - (1 - p) * Math.log2(1 - p));

/** The probability of each commit to be bad: that the first bad one is itself or one of its ancestors. */
function badness(graph: ReturnType<typeof graphOf>, first: readonly number[]): readonly number[] {
  const sums: number[] = [];
  for (const [commit, own] of first.entries()) {
    const parents = graph.parents[commit]!;
    // Walking all ancestors is needed only at merges.
    if (parents.length < 2) sums.push(own + (parents.length === 1 ? sums[parents[0]!]! : 0));
    else {
      let sum = 0;
      for (const ancestor of deltasOf(graph.ancestors(commit))) sum += first[ancestor]!;
      sums.push(sum);
    }
  }
  return sums;
}

/** The fewest commits that together have this probability. */
function credible(first: readonly number[], enough: number): Configuration {
  const order = [...first.keys()].sort((a, b) => first[b]! - first[a]! || a - b);
  let sum = 0;
  const chosen: number[] = [];
  for (const commit of order) {
    if (sum >= enough && chosen.length > 0) break;
    chosen.push(commit);
    sum += first[commit]!;
  }
  return of(chosen);
}

/** `next` and `answer` compute the same for the same state, and an engine that looks ahead calls them often. */
function remembered<Value>(of: (state: NoisyState) => Value): (state: NoisyState) => Value {
  const known = new WeakMap<NoisyState, { readonly value: Value }>();
  return state => {
    let entry = known.get(state);
    if (!entry) known.set(state, (entry = { value: of(state) }));
    return entry.value;
  };
}

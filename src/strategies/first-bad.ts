/**
 * The first bad commit in any history that is a directed acyclic graph, by halving what is left, with three outcomes. As in
 * `git bisect`, the commit that splits the candidates most evenly is tested next, judged by how many candidates are its
 * ancestors. It departs from git in three ways. One question at a time, so that the transcript is the same on any number of
 * workers; a driver that looks ahead at w questions gets log(w + 1) halvings in one round, which is the k-ary search that
 * more workers are for. A commit that can't be tested is skipped, and the next question goes to another quarter of the
 * candidates, then to the eighths, since what does not build often does not build next to it either. And without a commit
 * that passes, the search first goes back, twice as far each time, until one does.
 */
import {
  type Configuration,
  deltasOf,
  empty,
  has,
  intersection,
  minus,
  type Outcome,
  of,
  type Strategy,
  size,
  union,
} from '../core/index.js';

export interface HistoryCommit {
  readonly id: string;
  readonly parents: readonly string[];
}

export interface FirstBad {
  /** The first commit that fails, if the answers identify it. */
  readonly commit?: number;
  /** All candidates for the first one, in order: more than one if commits between them could not be tested. */
  readonly candidates: Configuration;
  /** A failing commit without an ancestor that is known to pass: nothing in this history passed. */
  readonly neverPassed: boolean;
}

/** Commits by number; a configuration is a commit with all its ancestors, and that commit has the highest number in it. */
export interface HistoryState {
  readonly phase: 'back' | 'search' | 'done';
  /** The earliest commit that is known to fail. */
  readonly bad: number;
  /** What may be the first bad commit: ancestors of `bad`, itself included, and of nothing that passed. */
  readonly candidates: Configuration;
  readonly skipped: Configuration;
  /** How many unresolved answers in a row were the last ones. */
  readonly skips: number;
  /** Phase `back`: how far the last question was behind the failing commit of that time, along first parents. */
  readonly distance: number;
  /** A commit that passes is known, so the candidates have a beginning. */
  readonly passed: boolean;
}

export interface HistoryOptions {
  /** Whether the commits before the oldest ones are known to pass; else the search first looks for one that passes. */
  readonly startsPassing?: boolean;
}

/**
 * `commits`: parents before children, the last one fails. Parents outside the list are assumed to pass.
 * The result's numbers are places in that list.
 */
export function firstBad(
  commits: readonly HistoryCommit[],
  { startsPassing = true }: HistoryOptions = {},
): Strategy<HistoryState, FirstBad> {
  const graph = graphOf(commits);

  const settle = (state: HistoryState): HistoryState => {
    if (state.phase === 'back') return further(graph, state) === undefined ? { ...state, phase: 'done' } : state;
    return question(graph, state) === undefined ? { ...state, phase: 'done' } : state;
  };
  // `next` and `answer` compute the same for the same state, and an engine that looks ahead calls them often.
  const known = new WeakMap<HistoryState, number>();
  const asked = (state: HistoryState): number => {
    const commit =
      known.get(state) ?? (state.phase === 'back' ? further(graph, state)?.commit : question(graph, state))!;
    known.set(state, commit);
    return commit;
  };

  return {
    name: 'first bad commit',
    start: all =>
      settle({
        phase: startsPassing ? 'search' : 'back',
        bad: commits.length - 1,
        candidates: intersection(all, graph.ancestors(commits.length - 1)),
        skipped: empty,
        skips: 0,
        distance: 0,
        passed: startsPassing,
      }),
    next(state) {
      if (state.phase !== 'done') {
        const configuration = graph.ancestors(asked(state));
        return { kind: 'ask', configuration, questionKind: state.phase };
      }
      const left = of(
        [...deltasOf(state.candidates)].filter(commit => commit === state.bad || has(state.skipped, commit)),
      );
      const result = { candidates: left, neverPassed: !state.passed };
      return {
        kind: 'done',
        result: size(left) === 1 && !result.neverPassed ? { ...result, commit: state.bad } : result,
      };
    },
    answer(state, outcome: Outcome) {
      const commit = asked(state);
      const line = graph.ancestors(commit);
      const back = state.phase === 'back';
      switch (outcome) {
        case 'fail':
          return settle({
            ...state,
            bad: commit,
            candidates: intersection(state.candidates, line),
            skips: 0,
            distance: back ? further(graph, state)!.distance : 0,
          });
        case 'pass':
          return settle({
            ...state,
            phase: 'search',
            candidates: minus(state.candidates, line),
            skips: 0,
            passed: true,
          });
        case 'unresolved':
          return settle({ ...state, skipped: union(state.skipped, of([commit])), skips: state.skips + 1 });
        default:
          throw outcome satisfies never;
      }
    },
    best: state => graph.ancestors(state.bad),
  };
}

export interface Graph {
  readonly parents: readonly (readonly number[])[];
  /** A commit and everything before it. */
  ancestors(commit: number): Configuration;
}

export function graphOf(commits: readonly HistoryCommit[]): Graph {
  const number = new Map(commits.map(({ id }, i) => [id, i]));
  const parents = commits.map(commit => commit.parents.flatMap(id => number.get(id) ?? []));
  const known = new Map<number, Configuration>();
  const ancestors = (commit: number): Configuration => {
    let found = known.get(commit);
    if (!found) {
      const seen = new Set([commit]);
      for (const at of seen) for (const parent of parents[at]!) seen.add(parent);
      found = of(seen);
      known.set(commit, found);
    }
    return found;
  };
  return { parents, ancestors };
}

/** Twice as far back from the failing commit, along first parents; untestable commits are skipped. */
function further(
  graph: Graph,
  state: HistoryState,
): { readonly commit: number; readonly distance: number } | undefined {
  const distance = Math.max(1, state.distance * 2);
  let last: number | undefined;
  for (let at = graph.parents[state.bad]![0], steps = 1; at !== undefined; at = graph.parents[at]![0], steps++) {
    if (!has(state.candidates, at)) break;
    if (has(state.skipped, at)) continue;
    last = at;
    if (steps >= distance) break;
  }
  return last === undefined ? undefined : { commit: last, distance };
}

/** The untested candidate whose share of the candidates as ancestors is nearest to the wanted share. */
function question(graph: Graph, state: HistoryState): number | undefined {
  const total = size(state.candidates);
  const wanted = share(state.skips) * total;
  let best: number | undefined;
  let nearest = Number.POSITIVE_INFINITY;
  const counts = countsOf(graph, state.candidates);
  for (const commit of deltasOf(state.candidates)) {
    if (commit === state.bad || has(state.skipped, commit)) continue;
    const far = Math.abs(counts.get(commit)! - wanted);
    if (far < nearest) {
      best = commit;
      nearest = far;
    }
  }
  return best;
}

/** 1/2, 1/4, 3/4, 1/8, 3/8, 5/8, 7/8, 1/16 … */
function share(skips: number): number {
  const level = Math.floor(Math.log2(skips + 1));
  const parts = 2 ** (level + 1);
  return (2 * (skips + 1 - parts / 2) + 1) / parts;
}

/** How many candidates each candidate has as ancestors, itself included. A walk is needed only at merges. */
function countsOf(graph: Graph, candidates: Configuration): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const commit of deltasOf(candidates)) {
    const parents = graph.parents[commit]!.filter(parent => has(candidates, parent));
    if (parents.length < 2) counts.set(commit, 1 + (parents.length === 1 ? counts.get(parents[0]!)! : 0));
    else {
      const seen = new Set([commit]);
      for (const at of seen) for (const parent of graph.parents[at]!) if (has(candidates, parent)) seen.add(parent);
      counts.set(commit, seen.size);
    }
  }
  return counts;
}

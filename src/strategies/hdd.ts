/**
 * hdd: hierarchical delta debugging, level by level over a tree. Misherghi and Su, "HDD: Hierarchical Delta Debugging", ICSE
 * 2006: at each depth, a list algorithm decides which of the remaining nodes can be removed, each with its subtree. With
 * `fixpoint` (HDD*), the levels are walked again until a whole walk changes nothing: then no single node with its subtree can
 * be removed (1-tree-minimal). Departure: the list algorithm is a parameter; the paper's ddmin is the default. If it leaves one
 * node, removing that node is tested too, as picireny does: ddmin takes it for granted that the empty list passes.
 */
import {
  type Configuration,
  deltasOf,
  depths,
  empty,
  isEmpty,
  minus,
  of,
  type Parents,
  type Strategy,
  size,
  subtrees,
} from '../core/index.js';
import { type Ddmin, ddmin } from './ddmin.js';

export interface Hdd<Inner> {
  readonly phase: 'list' | 'last' | 'done';
  readonly kept: Configuration;
  readonly level: number;
  readonly inner?: Inner;
  /** What the current walk over the levels began with. */
  readonly began: Configuration;
}

export interface HddOptions<Inner> {
  readonly parents: Parents;
  readonly list?: Strategy<Inner>;
  readonly fixpoint?: boolean;
}

/**
 * Simplifies a tree level by level; with `fixpoint`, until no node can be removed with its subtree.
 *
 * @example
 * ```ts
 * const parents = [-1, 0, 1, 0, 3];
 * const leaf = configuration => (isClosed(parents, configuration) && has(configuration, 4) ? 'fail' : 'unresolved');
 * runInOrder(hdd({ parents }), all(5), leaf).result; // → [0, 1, 3, 5]
 * ```
 */
export function hdd<Inner = Ddmin>(options: HddOptions<Inner>): Strategy<Hdd<Inner>> {
  const { parents, fixpoint = false } = options;
  const list = options.list ?? (ddmin() as unknown as Strategy<Inner>);
  const depth = depths(parents);
  const deepest = depth.reduce((most, d) => Math.max(most, d), -1);
  const nodesAt = (kept: Configuration, level: number) =>
    of([...deltasOf(kept)].filter(delta => depth[delta] === level));
  const keeping = (state: Hdd<Inner>, nodes: Configuration) =>
    minus(state.kept, subtrees(parents, minus(nodesAt(state.kept, state.level), nodes)));

  /** The next level that has nodes and a question to ask, or the end of the walk. */
  const enter = (kept: Configuration, level: number, began: Configuration): Hdd<Inner> => {
    for (let at = level; at <= deepest; at++) {
      const nodes = nodesAt(kept, at);
      if (!isEmpty(nodes)) return settle({ phase: 'list', kept, level: at, inner: list.start(nodes), began });
    }
    return fixpoint && size(kept) < size(began) ? enter(kept, 0, kept) : { phase: 'done', kept, level: deepest, began };
  };
  const settle = (state: Hdd<Inner>): Hdd<Inner> => {
    const step = list.next(state.inner!);
    if (step.kind === 'ask') return state;
    const kept = keeping(state, step.result);
    if (size(step.result) === 1) return { phase: 'last', kept, level: state.level, began: state.began };
    return enter(kept, state.level + 1, state.began);
  };

  return {
    name: fixpoint ? 'hdd*' : 'hdd',
    twoValued: list.twoValued ?? false,
    start: all => enter(all, 0, all),
    next(state) {
      if (state.phase === 'done') return { kind: 'done', result: state.kept };
      if (state.phase === 'last') return { kind: 'ask', configuration: keeping(state, empty), questionKind: 'last' };
      const step = list.next(state.inner!);
      if (step.kind === 'done') throw new Error('hdd: a settled level has a question.');
      return {
        ...step,
        configuration: keeping(state, step.configuration),
        sure: step.sure?.map(c => keeping(state, c)),
      };
    },
    answer(state, outcome) {
      if (state.phase === 'done') throw new Error('hdd is done; it has no question to answer.');
      if (state.phase === 'list') return settle({ ...state, inner: list.answer(state.inner!, outcome) });
      const kept = outcome === 'fail' ? keeping(state, empty) : state.kept;
      return enter(kept, state.level + 1, state.began);
    },
    best: state => (state.phase === 'list' ? keeping(state, list.best(state.inner!)) : state.kept),
    explain: (state, outcome) =>
      state.phase === 'list' ? (list.explain?.(state.inner!, outcome) ?? {}) : { part: `level ${state.level}` },
  };
}

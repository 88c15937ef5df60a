/** A single algorithm on all changes, for comparison. */
import type { Changes } from '../../circumstances/changes/changes.js';
import { treeOf } from '../../circumstances/changes/tree.js';
import type { Packages } from '../../circumstances/packages.js';
import type { Artifact } from '../../core/artifact.js';
import {
  all,
  type Circumstance,
  type Configuration,
  minus,
  type Outcome,
  type Strategy,
  type Test,
} from '../../core/index.js';
import { type Ended, type Event, explore } from '../../engine/index.js';
import { askAll } from '../../strategies/ask-all.js';
import { add, dd, ddmin, hdd, type Isolation, sweep } from '../../strategies/index.js';
import type { Blamed, BlameOptions } from './levels/blame.js';
import { levelOfUpgrades } from './levels/hierarchy.js';
import { levelOf } from './levels/levels.js';

export const plainStrategies = ['dd', 'ddmin', 'hdd', 'add', 'sweep'] as const;
export type PlainStrategy = (typeof plainStrategies)[number];

export interface Plain {
  /** One cause: what the algorithm blames. None if the search was stopped. */
  readonly blamed: Blamed;
  /** The outcomes of old with only that applied, and of new without it. */
  readonly alone: Outcome;
  readonly without: Outcome;
}

/** What is searched, and how. */
interface PlainSearch {
  readonly strategy: PlainStrategy;
  readonly changes: Changes | Packages;
  readonly suspects: Configuration;
}

interface Found {
  readonly ended: Ended;
  readonly set: Configuration;
}

/** One algorithm by itself, as in its paper, for comparison; then the two tests that show what its answer is worth. */
export async function* plain(
  searched: PlainSearch,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Plain> {
  const { changes } = searched;
  const { ended, set } = yield* search(searched, test, options);
  const level =
    'files' in changes ? levelOf(changes, changes.name, configuration => configuration) : levelOfUpgrades(changes);
  const everything = all(changes.count);
  const blamed: Blamed = {
    ended,
    level,
    causes: [],
    back: everything,
    failing: set,
    minimal: [],
    minimalRevert: [],
    proofs: [],
    widened: false,
  };
  if (ended !== 'done') return { blamed, alone: 'unresolved', without: 'unresolved' };
  const check = askAll(everything, [set, minus(everything, set)]);
  yield { type: 'pass', pass: 'both ways', round: 1, deltas: changes.count, strategy: check.name };
  const proof = yield* explore(check, changes, test, options);
  const [alone = 'unresolved', without = 'unresolved'] = proof.result ?? [];
  const cause = { changes: set, suspects: set };
  return { blamed: { ...blamed, ended: proof.ended, causes: [cause], back: set }, alone, without };
}

async function* search(
  { strategy: name, changes, suspects }: PlainSearch,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Found> {
  async function* run<State, Result>(
    strategy: Strategy<State, Result>,
    circumstance: Circumstance<Artifact>,
    blamedBy: (result: Result) => Configuration,
    failing: (best: Configuration) => Configuration = best => best,
  ): AsyncGenerator<Event, Found> {
    const { count } = circumstance;
    yield { type: 'pass', pass: `${circumstance.name}s`, round: 1, deltas: count, strategy: strategy.name };
    const { ended, result, best } = yield* explore(strategy, circumstance, test, options);
    return { ended, set: result === undefined ? failing(best) : blamedBy(result) };
  }
  const itself = (result: Configuration) => result;
  switch (name) {
    case 'dd':
      return yield* run(dd(), changes, ({ difference }: Isolation) => difference);
    case 'ddmin':
      return yield* run(ddmin(), changes, itself);
    case 'sweep':
      return yield* run(sweep(), changes, itself);
    case 'add':
      return yield* run(add({ suspects }), changes, itself);
    case 'hdd': {
      // Upgrades have no levels: there hdd is its list algorithm.
      if (!('files' in changes)) return yield* run(ddmin(), changes, itself);
      const tree = treeOf(changes);
      return yield* run(hdd({ parents: tree.parents }), tree, tree.leaves, tree.leaves);
    }
    default:
      throw name satisfies never;
  }
}

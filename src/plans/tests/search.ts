/**
 * Removes files, then tests, then files that are only loaded, as long as the target has the same outcome; then tests the order.
 */
import {
  type Arrangement,
  byFile,
  byLoadedFile,
  byOrder,
  byTest,
  othersReversed,
  type TestName,
  targetFirst,
  testsOf,
} from '../../circumstances/tests.js';
import { all, type Circumstance, type Strategy, type Test } from '../../core/index.js';
import { Counter, type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import { ddlin } from '../../strategies/index.js';
import { type ListStrategy, listStrategy } from '../../strategies/registry.js';
import { type Confirming, confirm, doubtOf } from '../confirm.js';
import type { Found } from '../job.js';
import { proofOf } from '../proof.js';
import type { Sought } from './judge.js';

/**
 * A runner is slow to start and keeps a core busy meanwhile, so few runs may be speculative, however many workers there are.
 */
const mostAhead = 10;

export interface SearchOptions {
  readonly settings: ExploreOptions<Arrangement> & Confirming;
  readonly keep: (best: Arrangement) => void;
  readonly strategy?: string;
  readonly selectedBy?: (test: TestName) => string;
  /** Whether the runner can run tests in another order. */
  readonly orders: boolean;
}

export interface TestsFound extends Found<Arrangement> {
  /** Whether the target must run after the others; undefined if that was not tried. */
  readonly mustFollow?: boolean;
  /** Whether the others must run in this order; undefined if that was not tried. */
  readonly othersInOrder?: boolean;
}

export async function* searchTests(
  original: Arrangement,
  { target }: Sought,
  test: Test<Arrangement>,
  { settings, keep, strategy = 'sweep', selectedBy, orders }: SearchOptions,
): AsyncGenerator<Event, TestsFound> {
  let best = original;
  let ended: Ended = 'done';
  const history = [original];
  let round = 1;

  /** Searches one level; says whether anything could be removed. */
  async function* level(
    circumstance: Circumstance<Arrangement>,
    search: ListStrategy = listStrategy(strategy),
  ): AsyncGenerator<Event, boolean> {
    const { name, count } = circumstance;
    if (count === 0 || ended !== 'done') return false;
    yield { type: 'pass', pass: `${name}s`, round, deltas: count, strategy: search.name };
    const accepted = (smaller: Arrangement) => {
      history.push(smaller);
      keep(smaller);
    };
    const end = yield* explore(search, circumstance, test, { ...settings, mostAhead, identify, accepted });
    const next = circumstance.build(end.best)!;
    const isChanged = identify(next) !== identify(best);
    ended = end.ended;
    best = next;
    return isChanged;
  }

  yield* level(byFile(best, target));
  do yield* level(byTest(best, target, selectedBy));
  while ((yield* level(byLoadedFile(best))) && round++ > 0);
  const after = () => ({ deltas: testsOf(best).length });
  if (ended !== 'done') return { ended, minimal: [], best, after: after() };
  const hasHeld = yield* confirmed();
  if (!hasHeld) return { ended, minimal: [], best, after: after() };

  /** Tests the result again; the newest older one that holds, if it does not. */
  async function* confirmed(): AsyncGenerator<Event, boolean> {
    const { confirm: times, counter = new Counter(), doubted } = settings;
    if (!times) return true;
    const again = yield* confirm(history, test, { ...settings, identify, counter, times, round: round + 1 });
    const doubt = doubted ? undefined : doubtOf(again.how);
    if (doubt !== undefined) yield { type: 'noticed', what: 'note', text: doubt };
    [ended, best] = [again.ended, again.artifact];
    return again.how === 'held';
  }

  /** Whether the target has another outcome in this order. The result keeps its own order in any case. */
  async function* matters(other: Arrangement): AsyncGenerator<Event, boolean | undefined> {
    if (!orders || identify(other) === identify(best)) return undefined;
    const found = best;
    const isFree = yield* level(byOrder(found, other), ddlin() as unknown as Strategy<unknown, never>);
    best = found;
    return ended === 'done' ? !isFree : undefined;
  }
  const mustFollow = yield* matters(targetFirst(best, target));
  const othersInOrder = testsOf(best).length > 2 ? yield* matters(othersReversed(best, target)) : undefined;
  return {
    ended,
    minimal: ['test', ...(best.some(({ tests }) => tests.length === 0) ? ['loaded file'] : [])],
    best,
    proofs: [byTest(best, target, selectedBy), byLoadedFile(best)].flatMap(circumstance =>
      proofOf({ circumstance, set: all(circumstance.count), of: 'the result', identify }),
    ),
    after: after(),
    ...(mustFollow === undefined ? {} : { mustFollow }),
    ...(othersInOrder === undefined ? {} : { othersInOrder }),
  };
}

/** What identifies an arrangement in the journal. */
export const identify = (arrangement: Arrangement): string => JSON.stringify(arrangement);

/**
 * Removes files, then tests, then files that are only loaded, as long as the target has the same outcome; then tests the order
 * of the others. Tests run one after another, so that the target must come after them needs no test of its own: a run in which
 * it comes first is, as far as it is concerned, a run without them.
 */
import {
  type Arrangement,
  byFile,
  byLoadedFile,
  byOrder,
  byTest,
  keepTests,
  othersReversed,
  type TestName,
  testsOf,
} from '../../circumstances/tests.js';
import { all, type Circumstance, type Test } from '../../core/index.js';
import { Counter, type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import { ddlin } from '../../strategies/index.js';
import { type ListStrategy, listStrategy } from '../../strategies/registry.js';
import { type Confirming, confirm, doubtOf } from '../confirm.js';
import type { Found } from '../job.js';
import { proofOf } from '../proof.js';
import type { TargetFailure } from './judge.js';

/** A runner is slow to start and keeps a core busy, so few runs may be speculative, however many workers there are. */
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
  /** The target must run after the others; undefined if the runner has an order of its own. */
  readonly mustFollow?: true;
  /** Whether the others must run in this order; undefined if that was not tried. */
  readonly othersInOrder?: boolean;
}

export async function* searchTests(
  begin: Arrangement,
  { target }: TargetFailure,
  test: Test<Arrangement>,
  { settings, keep, strategy = 'sweep', selectedBy, orders }: SearchOptions,
): AsyncGenerator<Event, TestsFound> {
  let best = begin;
  let ended: Ended = 'done';
  const history = [begin];
  let round = 1;

  /** Searches one level; returns whether anything could be removed. */
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

  // If no file has two tests that can be removed, files and tests are the same questions.
  const files = byFile(best, target);
  if (files.count < testsOf(best).length - 1) yield* level(files);
  do {
    yield* level(byTest(best, target, selectedBy));
    if (othersIn(best) > 1) yield* level(byOrder(best, withoutOthers(best, target)), single);
  } while ((yield* level(byLoadedFile(best))) && round++ > 0);
  const after = () => ({ deltas: testsOf(best).length });
  if (ended !== 'done') return { ended, minimal: [], best, after: after() };
  const hasHeld = yield* confirmed();
  if (!hasHeld) return { ended, minimal: [], best, after: after() };

  /** Tests the result again; the newest older one that holds, if it does not. */
  async function* confirmed(): AsyncGenerator<Event, boolean> {
    const { confirm: wanted, counter = new Counter(), doubted } = settings;
    if (!wanted) return true;
    // Each time is a whole run of the test runner, and every step of the search has shown the failure before.
    const times = 1;
    const again = yield* confirm(history, test, { ...settings, identify, counter, times, round: round + 1 });
    const doubt = doubted ? undefined : doubtOf(again.how);
    if (doubt !== undefined) yield { type: 'noticed', what: 'note', text: doubt };
    [ended, best] = [again.ended, again.artifact];
    return again.how === 'held';
  }

  const found = best;
  const other = othersReversed(best, target);
  const isTried = orders && othersIn(best) > 1 && identify(other) !== identify(best);
  const isFree = isTried ? yield* level(byOrder(best, other), single) : undefined;
  // The result keeps its own order in any case.
  best = found;
  return {
    ended,
    minimal: ['test', ...(best.some(({ tests }) => tests.length === 0) ? ['loaded file'] : [])],
    best,
    proofs: [byTest(best, target, selectedBy), byLoadedFile(best)].flatMap(circumstance =>
      proofOf({ circumstance, set: all(circumstance.count), of: 'the result', identify }),
    ),
    after: after(),
    ...(orders && othersIn(best) > 0 ? { mustFollow: true } : {}),
    ...(isFree === undefined || ended !== 'done' ? {} : { othersInOrder: !isFree }),
  };
}

const single = ddlin() as unknown as ListStrategy;

const othersIn = (arrangement: Arrangement): number => testsOf(arrangement).length - 1;

/** The target alone, with the same files loaded: removing all others at once may work if removing one of them does not. */
const withoutOthers = (arrangement: Arrangement, target: TestName): Arrangement =>
  keepTests(arrangement, [target], () => true);

/** What identifies an arrangement in the journal. */
export const identify = (arrangement: Arrangement): string => JSON.stringify(arrangement);

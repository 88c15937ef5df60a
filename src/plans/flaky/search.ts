/**
 * Runs a job's search; repeats it with repeated tests if its result turns out to be flaky; and measures what a flaky search
 * found.
 */
import type { Counter, Event, ExploreOptions, Size } from '../../engine/index.js';
import { confirmations } from '../confirm.js';
import type { Context, Expected, Found, Opened } from '../job.js';
import { untilDoubted } from './check-on-the-way.js';
import { checksOf, detectsFlakiness } from './rates.js';
import { makeReliable, type Reliability } from './reliability.js';
import type { Settled } from './settle.js';

export interface ReliableSearch<Tested, Best, End extends Found<Best>> {
  readonly opened: Opened<Tested, Best, End>;
  readonly expected: Expected<Tested, Best>;
  readonly context: Context;
  readonly reliability: Reliability<Tested, Best>;
  readonly settings: ExploreOptions<Tested> & { readonly counter: Counter };
  /** Called with each smaller result. */
  keep(best: Best): void;
  /** Passes on the events of a search, and returns its end. */
  follow<Result>(run: AsyncGenerator<Event, Result>): Promise<Result>;
}

export interface Searched<Best, End> {
  readonly end: End;
  /** How often the result fails, if the failure shows only sometimes. */
  readonly settled?: Settled<Best>;
}

export async function searchReliably<Tested, Best, End extends Found<Best>>(
  searching: ReliableSearch<Tested, Best, End>,
): Promise<Searched<Best, End>> {
  const { expected, context, settings } = searching;
  const { probe, test } = expected;
  const first = await searchOnce(searching, searching.reliability, checkedOnTheWay(searching));
  if (first.end && !first.isDoubtful) return settledEnd(searching, { ...first, end: first.end });
  const what = first.end ? 'The result' : 'The same input';
  const text = `${what} does not fail each time it is tested again, so the failure is flaky. Searching again.`;
  context.see({ type: 'noticed', what: 'note', text });
  const reliability = await makeReliable(probe, test, context, true);
  settings.counter.forget();
  const second = await searchOnce(searching, reliability, run => run);
  // A second search that was stopped early may have found less than the first one.
  const { end } = second;
  if (end.ended !== 'done' && first.end && isSmaller(first.end.after, end.after))
    return { end: { ...first.end, ended: end.ended } };
  return settledEnd(searching, second);
}

interface Once<Tested, Best, End> {
  readonly reliability: Reliability<Tested, Best>;
  readonly end: End;
  /** The accepted results, the newest last. */
  readonly history: readonly Best[];
  /** The result did not fail each time it was tested again. */
  readonly isDoubtful: boolean;
}

/** A search whose end is `undefined` if it was abandoned on its way. */
type Watch<Best, End, Watched> = (run: AsyncGenerator<Event, End>, best: () => Best) => AsyncGenerator<Event, Watched>;

/** A failure that was seen only once is checked as soon as that takes little time. */
function checkedOnTheWay<Tested, Best, End extends Found<Best>>({
  expected,
  context,
}: ReliableSearch<Tested, Best, End>): Watch<Best, End, End | undefined> {
  const { probe, test, before } = expected;
  const { testedOf } = probe ?? {};
  if (!probe?.isUnchecked || !testedOf) return run => run;
  const { signal, folder } = context;
  const { journal } = folder;
  const again = Array.from({ length: checksOf(probe, context) }, () => probe.original);
  return (run, best) =>
    untilDoubted(run, { test, tested: () => [...again, testedOf(best())], bytes: before.bytes ?? 0, journal, signal });
}

async function searchOnce<Tested, Best, End extends Found<Best>, Watched extends End | undefined>(
  { opened, expected, context, settings, keep, follow }: ReliableSearch<Tested, Best, End>,
  reliability: Reliability<Tested, Best>,
  watch: Watch<Best, End, Watched>,
): Promise<Once<Tested, Best, Watched>> {
  const { over, memory, isSure } = reliability;
  const history: Best[] = [expected.original];
  let isDoubtful = false;
  let newest = expected.original;
  const accept = (best: Best) => {
    newest = best;
    if (reliability.settle && history.at(-1) !== best) history.push(best);
    keep(best);
  };
  const canMeasure = expected.probe !== undefined && detectsFlakiness(context.options);
  const confirming = isSure
    ? { memory }
    : { confirm: confirmations, ...(canMeasure ? { doubted: () => (isDoubtful = true) } : {}) };
  const single = { test: expected.test, memory: context.folder.journal };
  const search = {
    test: over(expected.test),
    steady: over,
    settings: { ...settings, ...confirming },
    ...(reliability.rates ? { flaky: { ...single, ...reliability.rates } } : {}),
    keep: accept,
  };
  const run = watch(opened.search(search), () => newest);
  const end = await follow(reliability.follow(run, () => history.at(-1)!));
  if (end) accept(end.best);
  return { reliability, end, history, isDoubtful: isDoubtful && end?.ended === 'done' };
}

async function settledEnd<Tested, Best, End extends Found<Best>>(
  { opened, context }: ReliableSearch<Tested, Best, End>,
  { reliability, end, history }: Once<Tested, Best, End>,
): Promise<Searched<Best, End>> {
  const settled = end.ended === 'done' ? await reliability.settle?.(history) : undefined;
  if (!settled) return { end };
  context.see({ type: 'noticed', what: 'note', text: settled.sentence });
  if (settled.how === 'held') return { end, settled };
  // A job that can't go back keeps its result, and claims nothing about it.
  return { end: { ...(opened.goBack?.(end, settled.best) ?? end), minimal: [] }, settled };
}

const isSmaller = (one: Size, other: Size): boolean =>
  (one.bytes ?? 0) < (other.bytes ?? 0) || (one.bytes === other.bytes && one.deltas < other.deltas);

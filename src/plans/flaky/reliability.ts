/** Makes the tests of a search reliable if the failure shows only sometimes; tests that always agree are unchanged. */
import type { Test } from '../../core/index.js';
import { defaultConfidence, errorsFor, hypothesesFor, type Measured, referenceRate } from '../../core/sequential.js';
import type { Event, Memory } from '../../engine/index.js';
import { type Certainty, measure, observing, readUntilDecided, sequentially } from '../../oracle/flaky.js';
import { decisionOf } from '../../run/journal-file.js';
import type { Context, Probe, SingleRuns } from '../job.js';
import { describeRate, detectsFlakiness, measureRates, measuringRuns, noticeOf } from './rates.js';
import { type RateNote, rateNoteName } from './recorded.js';
import { type Settled, settle } from './settle.js';

export interface Reliability<Tested, Best> {
  /** Each verdict is made from several runs. */
  readonly isSure: boolean;
  /** How often the failure shows, for a search that decides by single runs. */
  readonly rates?: Pick<SingleRuns<Tested>, 'present' | 'absent' | 'confidence'>;
  /** `kind`: distinguishes tests that run the same artifacts in different ways. */
  over(test: Test<Tested>, kind?: string): Test<Tested>;
  /** Where the verdicts of the search are kept. */
  readonly memory: Memory;
  /** The search, with the result so far measured between its passes. */
  follow<Found>(run: AsyncGenerator<Event, Found>, best: () => Best): AsyncGenerator<Event, Found>;
  /** Measures a result again, and goes back to the newest older one that holds. Unset if that is not necessary. */
  readonly settle?: (history: readonly Best[]) => Promise<Settled<Best>>;
}

/** Answers between two measurements of the result so far: each costs several runs, so measuring stays a small part. */
const answersBetween = measuringRuns;
/** Runs of such a measurement. */
const window = measuringRuns / 2;

/** `doubt`: the search reached a result that did not fail every time. */
export async function makeReliable<Tested, Best>(
  probe: Probe<Tested, Best> | undefined,
  test: Test<Tested>,
  context: Context,
  doubt = false,
): Promise<Reliability<Tested, Best>> {
  const { options, folder, say } = context;
  const { journal } = folder;
  const single = { isSure: false, over: (raw: Test<Tested>) => raw, memory: journal, follow: alone };
  if (!probe || !detectsFlakiness(options)) return single;
  // A resumed run must take the same path, so the second measurement has its own name.
  const name = rateNoteName(doubt);
  let rate = journal.noted<RateNote>(name);
  if (rate === undefined) {
    rate = await measureRates(probe, test, context, probe.suspect || doubt);
    journal.note(name, rate);
    for (const line of rate.isFlaky ? noticeOf(rate.seen!, options, probe.called) : []) say(line);
  }
  return rate.isFlaky ? repeating(probe, test, rate.seen!, context) : single;
}

async function* alone<Found>(run: AsyncGenerator<Event, Found>): AsyncGenerator<Event, Found> {
  return yield* run;
}

function repeating<Tested, Best>(
  probe: Probe<Tested, Best>,
  test: Test<Tested>,
  first: Measured,
  { options, folder: { journal }, signal, workers }: Context,
): Reliability<Tested, Best> {
  const { identify, testedOf } = probe;
  const { confidence = defaultConfidence } = options;
  const errors = errorsFor(confidence);
  const observe = (raw: Test<Tested>, kind = '') =>
    observing(raw, { memory: journal, identify: artifact => kind + identify(artifact) });
  const reading = observe(test);
  let measured = first;
  let certainty: Certainty = { hypotheses: hypothesesFor(first), errors };
  /** How often the reference has changed: a verdict is a function of the content, its runs and this number. */
  let epoch = 0;

  /** The runs that decided about an artifact were partly luck, so its rate is measured in later runs. */
  const rateOf = async (tested: Tested, count: number) => {
    const { runs } = await readUntilDecided(reading, certainty, tested, signal);
    return measure(reading, tested, { from: Math.max(runs, measuringRuns), count, workers }, signal);
  };
  /** The reference follows a result that fails more often. It never sinks, because many small steps would end in a rare failure. */
  async function* raise(tested: Tested): AsyncGenerator<Event, void> {
    const seen = await rateOf(tested, window);
    const next = { ...measured, original: seen };
    if (referenceRate(next) <= referenceRate(measured)) return;
    measured = next;
    certainty = { hypotheses: hypothesesFor(next), errors };
    epoch++;
    const text = `The result so far fails in ${describeRate(seen)}, more often than before: from now on, candidates are compared with it.`;
    yield { type: 'noticed', what: 'note', text };
  }
  return {
    isSure: true,
    rates: { ...hypothesesFor(first), confidence },
    over: (raw, kind) => (artifact, stop) => sequentially(observe(raw, kind), certainty)(artifact, stop),
    memory: {
      recall: name => journal.recall(decisionOf(name, epoch)),
      record: (name, verdict) => journal.record(decisionOf(name, epoch), verdict),
    },
    // Between two passes no test is running, so no verdict depends on when the change happens.
    async *follow(run, best) {
      let answers = 0;
      let last: Best | undefined;
      for (;;) {
        const step = await run.next();
        if (step.done) return step.value;
        if (step.value.type === 'answered') answers++;
        if (step.value.type === 'pass' && testedOf && answers >= answersBetween && best() !== last) {
          last = best();
          answers = 0;
          yield* raise(testedOf(last));
        }
        yield step.value;
      }
    },
    ...(testedOf
      ? { settle: history => settle(history, certainty.hypotheses, best => rateOf(testedOf(best), measuringRuns)) }
      : {}),
  };
}

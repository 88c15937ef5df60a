/** Finds out whether a failure shows only sometimes, and how often. */
import { cannotCombine } from '../../core/cannot-combine.js';
import { type Test, UserError } from '../../core/index.js';
import { defaultConfidence, type Measured, referenceRate, type Seen, wilson } from '../../core/sequential.js';
import { measure, observing } from '../../oracle/flaky.js';
import type { Called, Context, JobOptions, Probe } from '../job.js';
import type { RateNote } from './recorded.js';

/** Runs that measure a rate. */
export const measuringRuns = 40;
/** More runs of the original and of the empty input, if the first ones agreed. Few, because most tests are not flaky. */
const look = { original: 2, empty: 1 };
/** Seconds on one worker that this measurement may take. */
const lookSeconds = 1;
/** Below this rate, parts of the input that only make the failure more frequent are hard to distinguish from noise. */
const lowRate = 0.8;
/** The empty input must fail much less often than the original. */
const tooClose = 0.6;

/** Refuses options that contradict each other, before anything is run. */
export function checkFlaky({ flaky, confidence, repeat, cache }: JobOptions): void {
  if (cache === false && typeof flaky === 'number')
    throw cannotCombine(
      '--flaky',
      '--no-cache',
      'A flaky test is run as often as it takes to be sure. Remove --no-cache.',
    );
  if (cache === false && repeat !== undefined && repeat > 1)
    throw cannotCombine(
      '--repeat',
      '--no-cache',
      'A flaky test is run as often as it takes to be sure. Remove --no-cache.',
    );
  if (flaky === 'off' && repeat !== undefined && repeat > 1)
    throw cannotCombine('--flaky off', '--repeat', 'Remove --flaky off to look for the failure several times.');
  if (flaky === 'off' && confidence !== undefined)
    throw cannotCombine('--flaky off', '--confidence', 'With --flaky off, each test is run once.');
  if (typeof flaky === 'number' && repeat !== undefined)
    throw cannotCombine(
      '--flaky <rate>',
      '--repeat',
      'The rate is known, so there is nothing to measure. Remove --repeat.',
    );
}

/** With --no-cache, the user wants single answers. */
export const detectsFlakiness = ({ flaky = 'auto', cache, repeat }: JobOptions): boolean =>
  flaky !== 'off' && cache !== false && repeat !== 1;

/** The rates, if the failure shows only sometimes. `isSuspect`: runs of the same artifact did not agree. */
export async function measureRates<Tested>(
  probe: Probe<Tested, never>,
  test: Test<Tested>,
  { options, signal, workers, folder }: Context,
  isSuspect = probe.suspect,
): Promise<RateNote> {
  if (typeof options.flaky === 'number')
    return {
      isFlaky: true,
      seen: { original: { fails: Math.round(options.flaky * measuringRuns), runs: measuringRuns } },
    };
  const observe = observing(probe.test ?? test, { memory: folder.journal, identify: probe.identify });
  const both = async (original: number, empty: number): Promise<Measured> => {
    const seen = await measure(observe, probe.original, { from: 0, count: original, workers }, signal);
    if (probe.empty === undefined) return { original: seen };
    return { original: seen, empty: await measure(observe, probe.empty, { from: 0, count: empty, workers }, signal) };
  };
  if (!isSuspect) {
    if (probe.isUnchecked) return { isFlaky: false };
    const runs = lookOf(options, probe.seconds / workers);
    if (!runs) return { isFlaky: false };
    const seen = await both(runs.original, runs.empty);
    if (seen.original.fails === seen.original.runs && (seen.empty?.fails ?? 0) === 0) return { isFlaky: false, seen };
  }
  const count = Math.max(measuringRuns, options.repeat ?? 0);
  const seen = await both(count, count);
  demandRate(seen, probe.called);
  return { isFlaky: true, seen };
}

/** How often the original is run again if it was run only once: as often as it would have been before the search. */
export const checksOf = ({ seconds }: { readonly seconds: number }, { options, workers }: Context): number =>
  1 + (lookOf(options, seconds / workers)?.original ?? 0);

/** How many runs the measurement takes; `undefined` if they would take too long and were not requested. */
function lookOf({ repeat }: JobOptions, seconds: number): typeof look | undefined {
  if (repeat !== undefined) return { original: repeat, empty: repeat };
  return (look.original + look.empty) * seconds <= lookSeconds ? look : undefined;
}

/** What an input is called if it has no other name. */
const inputs: Called = { original: 'the original', empty: 'the empty input' };

function demandRate({ original, empty }: Measured, called = inputs): void {
  if (empty && empty.fails > 0 && empty.fails >= original.fails * tooClose)
    throw new UserError(
      `The failure shows in ${describeRate(original)} of ${called.original}, and in ${describeRate(empty)} of ${called.empty}: too often to distinguish the two.`,
      'Choose a rule that only this failure meets (--match, --exit), or make the test less noisy.',
      1,
    );
  if (original.fails === 0)
    throw new UserError(
      `The failure showed in the first run, and in none of ${original.runs} further runs.`,
      'It is too rare to reduce. Make it more frequent (a fixed seed, a smaller time limit, a loop around it) and try again.',
      1,
    );
}

export function noticeOf(
  measured: Measured,
  { flaky, confidence = defaultConfidence }: JobOptions,
  called = inputs,
): readonly string[] {
  const { original, empty } = measured;
  const background = empty ? `, ${called.empty} in ${empty.fails} of ${empty.runs}` : '';
  const seen =
    typeof flaky === 'number'
      ? `flaky: expected to fail in ${percent(flaky)} % of all runs (--flaky ${flaky}).`
      : `flaky: fails in ${describeRate(original)}${background}.`;
  const low =
    referenceRate(measured) < lowRate
      ? [
          'At this rate, parts that only make the failure more frequent may be removed. The result is measured at the end.',
        ]
      : [];
  return [`${seen} Each test is run until it is ${percent(confidence)} % sure (--confidence).`, ...low];
}

/** `31 of 40 runs (63–88 %)`. */
export function describeRate(seen: Seen): string {
  const { low, high } = wilson(seen);
  return `${seen.fails} of ${seen.runs} runs (${Math.round(low * 100)}–${Math.round(high * 100)} %)`;
}

const percent = (part: number): string => String(Number((part * 100).toFixed(4)));

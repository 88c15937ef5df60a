/**
 * Decides from repeated runs whether a failure that shows only sometimes is there (Wald 1945, "Sequential Tests of
 * Statistical Hypotheses"). A decision depends on two counts only, so it is a pure function: the same runs in the same order
 * always stop at the same run.
 *
 * It departs from Wald in having two hypotheses against it. That the failure is gone (it then shows as often as on the empty
 * input) is ruled out with the full confidence. That it has become much rarer is ruled out with less: each such test takes ten
 * times as many runs, and the end of a search measures the result anyway.
 */

/** How often a failure was seen in a number of runs. */
export interface Seen {
  readonly fails: number;
  readonly runs: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** What the decision is between: rates from 0 to 1, with `absent` < `present`. */
export interface Hypotheses {
  /** The failure is there: it shows at least this often. */
  readonly present: number;
  /** It is there and has become too rare. */
  readonly faded: number;
  /** It is not there: whatever shows is background. */
  readonly absent: number;
}

/** How often a decision may be wrong. */
export interface ErrorRates {
  /** The chance of accepting a failure although it is not there. */
  readonly falseFail: number;
  /** The chance of missing one although it is there. */
  readonly falsePass: number;
  /** The chance of accepting one as frequent as before although it has become rare. */
  readonly faded: number;
}

/** After this many runs without a decision, the rate is between the hypotheses: too low to continue with. */
export const mostRuns = 2000;

/** `undefined`: one more run is needed. */
export function decide(
  { present, faded, absent }: Hypotheses,
  errors: ErrorRates,
  seen: Seen,
): 'fail' | 'pass' | undefined {
  const againstAbsent = logLikelihoodRatio(present, absent, seen);
  const againstFaded = logLikelihoodRatio(present, faded, seen);
  const missed = Math.log(errors.falsePass);
  if (againstAbsent <= missed || againstFaded <= missed) return 'pass';
  if (againstAbsent >= -Math.log(errors.falseFail) && againstFaded >= -Math.log(errors.faded)) return 'fail';
  return seen.runs >= mostRuns ? 'pass' : undefined;
}

/** How much likelier one rate makes the observations than another. */
function logLikelihoodRatio(rate: number, other: number, { fails, runs }: Seen): number {
  return fails * Math.log(rate / other) + (runs - fails) * Math.log((1 - rate) / (1 - other));
}

/** Half the width of an interval in standard deviations, for 95 %. */
const z95 = 1.96;

/**
 * The rates that are consistent with the observations (Wilson 1927). It is also correct for few runs, and near 0 and 1.
 *
 * @example
 * ```ts
 * wilson({ fails: 31, runs: 40 }); // → { low: 0.625, high: 0.877 }
 * ```
 */
export function wilson({ fails, runs }: Seen, z = z95): Interval {
  if (runs === 0) return { low: 0, high: 1 };
  const rate = fails / runs;
  const scale = 1 + (z * z) / runs;
  const middle = (rate + (z * z) / (2 * runs)) / scale;
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / runs + (z * z) / (4 * runs * runs));
  return { low: fails === 0 ? 0 : Math.max(0, middle - half), high: fails === runs ? 1 : Math.min(1, middle + half) };
}

/** What the first runs of a search saw: the original, and something on which the failure should not show. */
export interface Measured {
  readonly original: Seen;
  readonly empty?: Seen;
}

/** Parts of the reference rate that a candidate is tested for and against. */
const [asBefore, tooRare] = [0.9, 0.6];
/** Measured rates are moved one standard deviation to the safe side: a reference that is too high rejects everything. */
const caution = 1;
/** Without a measured background, this fraction of the reference rate is used. */
const assumedBackground = 0.25;
/** A rate of 0 would make a single false failure a proof, and a rate of 1 a single pass. */
const [least, most] = [0.01, 0.99];

/** The rate of the original, as far as it can be relied on. */
export const referenceRate = ({ original }: Measured): number =>
  Math.min(most, Math.max(least, wilson(original, caution).low));

/**
 * The hypotheses for candidates, from measured rates.
 *
 * @example
 * ```ts
 * hypothesesFor({ original: { fails: 40, runs: 40 } }); // → { present: 0.878, faded: 0.585, absent: 0.244 }
 * ```
 */
export function hypothesesFor(measured: Measured): Hypotheses {
  const reference = referenceRate(measured);
  const background = measured.empty ? wilson(measured.empty, caution).high : reference * assumedBackground;
  const faded = reference * tooRare;
  return { present: reference * asBefore, faded, absent: Math.min(faded, Math.max(least / 2, background)) };
}

/** How sure a decision is unless the user says otherwise. */
export const defaultConfidence = 0.999;

/**
 * Building on a failure that is not there ruins a search; missing one only leaves something in. So the first gets a tenth of
 * the error.
 */
export const errorsFor = (confidence: number): ErrorRates => ({
  falseFail: (1 - confidence) / 10,
  falsePass: 1 - confidence,
  faded: 0.3,
});

/** Whether a result that was measured again is still as frequent as a candidate must be. */
export const holdsRate = ({ present }: Hypotheses, seen: Seen): boolean => wilson(seen).high >= present;

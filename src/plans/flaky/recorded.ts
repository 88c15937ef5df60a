/** What a journal says about a flaky failure: what was decided, and whether its lines agree with it. */
import type { Verdict } from '../../core/index.js';
import type { Measured } from '../../core/sequential.js';
import { decidedContent, isObservationOf } from '../../run/journal-file.js';

/** What was decided about the failure rate. */
export interface RateNote {
  readonly isFlaky: boolean;
  /** The runs that show it; none if it was not measured. */
  readonly seen?: Measured;
}

/** `second`: of the second search, which follows if the first result did not hold. */
export const rateNoteName = (second: boolean): string =>
  second ? 'failure rate of the second search' : 'failure rate';

export const isFlakyRun = (noted: ReadonlyMap<string, unknown>): boolean =>
  [false, true].some(second => (noted.get(rateNoteName(second)) as RateNote | undefined)?.isFlaky === true);

type Verdicts = ReadonlyMap<string, readonly Verdict[]>;

/** Whether the runs that measured a flaky failure are those that were recorded. Returns a sentence if they are not. */
export function disagreementIn(
  noted: ReadonlyMap<string, unknown>,
  verdicts: Verdicts,
  original: string,
): string | undefined {
  const { seen } = (noted.get(rateNoteName(false)) ?? {}) as Partial<RateNote>;
  const runs = [...verdicts].flatMap(([name, [verdict]]) =>
    isObservationOf(name) ? [{ name, verdict: verdict! }] : [],
  );
  const ofOriginal = runs.filter(({ name }) => isObservationOf(name, original));
  const fails = (list: typeof runs) => list.filter(({ verdict }) => verdict.outcome === 'fail').length;
  const counted = { fails: fails(ofOriginal), runs: ofOriginal.length };
  const rest = { fails: fails(runs) - counted.fails, runs: runs.length - counted.runs };
  const isSame = (a: typeof counted, b: typeof counted = { fails: 0, runs: 0 }) =>
    a.fails === b.fails && a.runs === b.runs;
  if (isSame(counted, seen?.original) && isSame(rest, seen?.empty)) return undefined;
  return 'The runs that measured the failure rate are not those that the journal summarises.';
}

/** The decisions on a content, the newest first. */
export function decisionsIn(verdicts: Verdicts): (content: string) => readonly Verdict[] {
  const found = new Map<string, Verdict[]>();
  for (const [name, [verdict]] of verdicts) {
    const content = decidedContent(name);
    if (content !== undefined) found.set(content, [verdict!, ...(found.get(content) ?? [])]);
  }
  return content => found.get(content) ?? [];
}

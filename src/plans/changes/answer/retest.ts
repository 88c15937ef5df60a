/**
 * Retests what the answer rests on: both ends before the search, the patches after it. Reports a test that changes its answer.
 */
import type { Artifact } from '../../../core/artifact.js';
import type { Outcome, Test } from '../../../core/index.js';
import { addTo } from '../../../core/lists.js';
import type { Context } from '../../job.js';
import type { BlameOptions } from '../levels/blame.js';

/** Something whose outcome is known from one run. */
export interface Known {
  /** As people call it: "the old version". */
  readonly what: string;
  readonly artifact: Artifact;
  readonly outcome: Outcome;
  /** How often it is run again; twice by default. */
  readonly again?: number;
}

/** A sentence for each whose outcome changed. The journal remembers them, so a resumed run does not test again. */
export async function disagreements(
  known: readonly Known[],
  name: string,
  test: Test<Artifact>,
  { folder: { journal }, signal, workers }: Context,
): Promise<readonly string[]> {
  const noted = journal.noted<readonly string[]>(name);
  if (noted) return noted;
  const runs = known.flatMap(each => Array.from({ length: each.again ?? 2 }, () => each));
  const seen = new Map<Known, Outcome[]>();
  for (let i = 0; i < runs.length; i += workers) {
    const batch = runs.slice(i, i + workers);
    const verdicts = await Promise.all(batch.map(({ artifact }) => test(artifact, signal)));
    if (signal.aborted) return [];
    for (const [k, each] of batch.entries()) addTo(seen, each, verdicts[k]!.outcome);
  }
  const found = known.flatMap(each => {
    const other = seen.get(each)!.filter(outcome => outcome !== each.outcome);
    if (other.length === 0) return [];
    const shown = [...new Set(other)].join(' and ');
    return [
      `${each.what} came out as "${each.outcome}" at first, and as "${shown}" in ${other.length} of ${each.again ?? 2} more runs`,
    ];
  });
  journal.note(name, found);
  return found;
}

/**
 * Whether a limit on tests leaves room for a second look. A failure that is known to be flaky has been measured already. It is decided once: a resumed run
 * takes the same steps, also with another limit.
 */
export function mayAskAgain(
  what: string,
  count: number,
  { maxTests = Number.POSITIVE_INFINITY, counter, flaky }: BlameOptions,
  { folder: { journal } }: Context,
): boolean {
  if (flaky || count === 0) return false;
  const name = `room to ask ${what} again`;
  const known = journal.noted<boolean>(name);
  if (known !== undefined) return known;
  const hasRoom = (counter?.spent ?? 0) + 2 * count <= maxTests;
  journal.note(name, hasRoom);
  return hasRoom;
}

export const flaky = (found: readonly string[]): string =>
  `The test does not always say the same: ${found.join('; ')}. The answer may be wrong; run it with --repeat 5, or make the test steady.`;

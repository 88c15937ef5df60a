/** Checks a failure that was seen only once, as soon as the search has a much smaller result. */
import type { Test, Verdict } from '../../core/index.js';
import type { Event } from '../../engine/index.js';
import type { Journal } from '../../run/journal.js';

/** A result of this part of the original is much smaller: what is tested again then no longer holds it up. */
const muchSmaller = 8;
/** If nothing is much smaller after this many answers, it is not worth waiting any longer. */
const mostAnswers = 24;

const noteName = 'reproduced on the way';

export interface Check<Tested> {
  readonly test: Test<Tested>;
  /** What must fail again: the original, and the smallest result so far. */
  readonly tested: () => readonly Tested[];
  /** The size of the original. */
  readonly bytes: number;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/**
 * The events of a search. It ends early, with `undefined`, if something that failed does not fail again. That is decided between two passes, when no answer is awaited, so it does not depend on the number of workers.
 */
export async function* untilDoubted<Tested, End>(
  run: AsyncGenerator<Event, End>,
  check: Check<Tested>,
): AsyncGenerator<Event, End | undefined> {
  let answers = 0;
  let isChecked = false;
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
    const event = step.value;
    if (event.type === 'answered') answers++;
    if (event.type === 'pass' && !isChecked) {
      const isDue = answers >= mostAnswers || (event.bytes ?? check.bytes) * muchSmaller <= check.bytes;
      isChecked = isDue;
      if (isDue && !(await holds(check))) {
        await run.return(undefined as never);
        return undefined;
      }
    }
    yield event;
  }
}

/** A resumed run remembers the answer. What was stopped is not an answer: the search notices by itself that it must end. */
async function holds<Tested>({ test, tested, journal, signal }: Check<Tested>): Promise<boolean> {
  let hasFailed = journal.noted<boolean>(noteName);
  if (hasFailed !== undefined) return hasFailed;
  hasFailed = true;
  for (const artifact of tested()) {
    if (hasFailed) hasFailed = (await judge(test, artifact, signal)).outcome === 'fail';
    if (signal.aborted) return true;
  }
  journal.note(noteName, hasFailed);
  return hasFailed;
}

async function judge<Tested>(test: Test<Tested>, tested: Tested, signal: AbortSignal): Promise<Verdict> {
  try {
    return await test(tested, signal);
  } catch (error) {
    return { outcome: 'unresolved', reason: `the test broke: ${(error as Error).message}` };
  }
}

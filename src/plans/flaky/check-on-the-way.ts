/** Checks a failure that was seen only once: the first much smaller result of the search is tested again. */
import type { Test, Verdict } from '../../core/index.js';
import type { Event } from '../../engine/index.js';
import type { Journal } from '../../run/journal.js';

/** A result of this part of the original is much smaller: testing it again takes little time. */
const muchSmaller = 8;
/** If nothing is much smaller after this many answers, it is not worth waiting any longer. */
const mostAnswers = 24;
/** How often the result is tested again. */
const times = 2;

const noteName = 'reproduced on the way';

export interface Check<Tested> {
  readonly test: Test<Tested>;
  /** The smallest result so far, as it is tested. */
  readonly best: () => Tested;
  /** The size of the original. */
  readonly bytes: number;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/**
 * The events of a search. It ends early, with `undefined`, if the result so far does not fail each time it is tested again.
 * That is decided between two passes, when no answer is awaited, so it does not depend on the number of workers.
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
async function holds<Tested>({ test, best, journal, signal }: Check<Tested>): Promise<boolean> {
  const known = journal.noted<boolean>(noteName);
  if (known !== undefined) return known;
  const tested = best();
  let failed = 0;
  for (let i = 0; i < times && failed === i; i++) {
    const { outcome } = await judge(test, tested, signal);
    if (signal.aborted) return true;
    if (outcome === 'fail') failed++;
  }
  journal.note(noteName, failed === times);
  return failed === times;
}

async function judge<Tested>(test: Test<Tested>, tested: Tested, signal: AbortSignal): Promise<Verdict> {
  try {
    return await test(tested, signal);
  } catch (error) {
    return { outcome: 'unresolved', reason: `the test broke: ${(error as Error).message}` };
  }
}

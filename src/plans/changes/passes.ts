/** Counts the tests of each step of `changes`. */
import type { Event } from '../../engine/index.js';

/** What one step of the search took. */
export interface PassTaken {
  readonly pass: string;
  /** `check`: a question of the plan itself, such as the proof. */
  readonly strategy: string;
  /** Tests that one worker would run for it. */
  readonly tests: number;
  /** Those of them that could not be built or run. */
  readonly unresolved: number;
}

/** The same events; what each pass took is kept in `taken`. */
export async function* counting<Result>(
  run: AsyncGenerator<Event, Result>,
  taken: PassTaken[],
): AsyncGenerator<Event, Result> {
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
    const event = step.value;
    if (event.type === 'pass') taken.push({ pass: event.pass, strategy: event.strategy, tests: 0, unresolved: 0 });
    const last = taken.at(-1);
    if (event.type === 'answered' && !event.known && event.reason !== 'infeasible' && last)
      taken[taken.length - 1] = {
        ...last,
        tests: last.tests + 1,
        unresolved: last.unresolved + (event.outcome === 'unresolved' ? 1 : 0),
      };
    yield event;
  }
}

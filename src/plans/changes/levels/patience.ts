/** How long the search for causes goes on without getting anywhere: all of its parts together, at all levels. */
import { type Configuration, size } from '../../../core/index.js';
import type { Event } from '../../../engine/index.js';

/** What the searches for causes have spent in vain so far, and how much they may spend. */
export interface Patience {
  spent: number;
  most: number;
}

/** The search for causes may spend this many tests on what can't be built or run. */
export const mostInVain = 32;
/** The same as soon as new is known to pass without some changes: that is an answer, and more about the cause is only worth half as much. */
export const mostAfterRevert = 16;

/** What a search inside a failing set came to. */
interface Followed<Result> {
  /** The smallest set that was seen to fail. */
  readonly smallest: Configuration;
  /** Missing if the search ran out of patience. */
  readonly result?: Result;
}

/**
 * Follows a search inside `failing`, and ends it as soon as no patience is left. Each test of something that can't be built or run uses up
 * one; a smaller failing set restores as much as it is smaller, as in `descend`. So there are at most 32 · (1 + ln n) such tests for a
 * cause among n changes, and half as many if the revert is known. All causes together have one patience: the second one gets what the first
 * one leaves. The proof is not counted: it is for few changes, and every answer is part of it.
 */
export async function* patiently<Result>(
  patience: Patience,
  failing: Configuration,
  search: AsyncGenerator<Event, Result>,
): AsyncGenerator<Event, Followed<Result>> {
  let smallest = failing;
  try {
    for (;;) {
      const step = await search.next();
      if (step.done) return { smallest, result: step.value };
      yield step.value;
      if (step.value.type !== 'answered') continue;
      const { configuration, outcome, known, proof } = step.value;
      if (outcome === 'fail' && size(configuration) < size(smallest)) {
        const lost = 1 - size(configuration) / size(smallest);
        patience.spent = Math.max(0, patience.spent - patience.most * lost);
        smallest = configuration;
      }
      if (outcome !== 'unresolved' || known || proof) continue;
      patience.spent++;
      if (patience.spent >= patience.most) return { smallest };
    }
  } finally {
    await search.return(undefined as never);
  }
}

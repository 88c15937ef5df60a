/** The passing and the failing order of events, for the page. */

import { describeEvent } from '../../oracle/schedules/describe-event.js';
import type { Recording } from '../../oracle/schedules/recording.js';
import type { Timeline, TimelineItem } from '../../report/page/data.js';
import type { Finding } from './findings.js';
import type { Pair } from './result.js';

/** Events shown of each order. */
const most = 120;

/** The passing and the failing order side by side, from the point where they diverge. */
export function timelineOf(
  byDefault: Recording,
  { last, isSwapped }: Finding,
  pairs: readonly Pair[],
): Timeline | undefined {
  if (!last) return undefined;
  const decisive = new Set(pairs.flatMap(({ before, after }) => [before.id, after.id]));
  const [passing, failing] = isSwapped ? [last.recording, byDefault] : [byDefault, last.recording];
  const parted = partingOf(passing, failing);
  const from = Math.max(0, parted - 5);
  const itemsOf = (recording: Recording): readonly TimelineItem[] =>
    recording.order.slice(from, from + most).map(({ id, at }) => {
      const { what, text } = describeEvent(recording, id);
      return { id, what, text, at, ...(decisive.has(id) ? { decisive: true as const } : {}) };
    });
  return { passing: itemsOf(passing), failing: itemsOf(failing), skipped: from };
}

/** The first position at which the two orders differ. */
function partingOf(a: Recording, b: Recording): number {
  const shorter = Math.min(a.order.length, b.order.length);
  for (let i = 0; i < shorter; i++) if (a.order[i]!.id !== b.order[i]!.id) return i;
  return shorter;
}

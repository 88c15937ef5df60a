/** Places in new with some old functions, as places in the two versions that were given. */
import type { Reverted } from '../answer/culprits.js';
import type { LineInOld } from './function-search.js';

/** The same place with the lines of old; without them if they are not from there. */
export function inOld<Place extends Reverted>(place: Place, lineInOld: LineInOld | undefined): Place {
  if (!lineInOld) return place;
  const { old, new: now } = place.lines;
  const at = (line: number): number | undefined => lineInOld(place.file, line);
  const [from, to] = (old ?? []).map(at);
  // Lines of several places in old have no common range there.
  const isOne = from !== undefined && to !== undefined && to - from === old![1] - old![0];
  const label = / -(\d+),(\d+)(?= \+\d+,\d+$)/;
  return {
    ...place,
    lines: { ...(isOne ? { old: [from, to] as const } : {}), ...(now ? { new: now } : {}) },
    change: place.change.replace(label, (same, line: string, count: string) => {
      const start = at(Number(line));
      return start === undefined ? same : ` -${start},${count}`;
    }),
  };
}

/** Through a version between the two. */
export const composed =
  (inner: LineInOld, outer: LineInOld): LineInOld =>
  (path, line) => {
    const between = inner(path, line);
    return between === undefined ? undefined : outer(path, between);
  };

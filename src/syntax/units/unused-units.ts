/** Units of a text that nothing uses any more. */
import { addAll } from '../../core/lists.js';
import type { Span } from '../edit.js';
import { word } from './unit-names.js';
import type { Unit } from './units.js';

/** A word of a text that a unit declares. */
interface Use {
  readonly at: number;
  /** The units that may be meant. */
  readonly meant: readonly number[];
}

/**
 * Which units are used in the text, and not in what is left of it without some spans and without such units. A unit that nothing used before is
 * there for another reason, and stays.
 */
export function unusedWithout(text: string, units: readonly Unit[]): (removed: readonly Span[]) => readonly number[] {
  const uses = usesIn(text, units);
  const isInside = (at: number, { start, end }: Pick<Span, 'start' | 'end'>): boolean => start <= at && at < end;
  /** By unit: how many of these words mean it. */
  const countsOf = (isThere: (at: number) => boolean): Int32Array => {
    const counts = new Int32Array(units.length);
    for (const { at, meant } of uses)
      if (isThere(at)) for (const unit of meant) if (!isInside(at, units[unit]!)) counts[unit]!++;
    return counts;
  };
  const before = countsOf(() => true);
  return removed => {
    const unused: number[] = [];
    for (;;) {
      const isThere = (at: number): boolean =>
        !removed.some(span => isInside(at, span)) && !unused.some(unit => isInside(at, units[unit]!));
      const counts = countsOf(isThere);
      const more = [...units.keys()].filter(i => before[i]! > 0 && counts[i] === 0 && !unused.includes(i));
      if (more.length === 0) return unused;
      addAll(unused, more);
    }
  };
}

/** Whether words in what is left without some spans mean only units that are not left. */
export function breaksUses(text: string, units: readonly Unit[]): (removed: readonly Span[]) => boolean {
  const uses = usesIn(text, units);
  return removed => {
    const isGone = (at: number): boolean => removed.some(({ start, end }) => start <= at && at < end);
    const isLeft = (unit: number): boolean => !isGone(units[unit]!.start);
    return uses.some(({ at, meant }) => !isGone(at) && !meant.some(isLeft));
  };
}

function usesIn(text: string, units: readonly Unit[]): readonly Use[] {
  const declarers = new Map<string, number[]>();
  // A variable of a function is declared as its function and its name.
  for (const [i, { declares }] of units.entries())
    for (const each of declares) declarers.set(each, [...(declarers.get(each) ?? []), i]);
  const uses: Use[] = [];
  for (const { 0: each, index } of text.matchAll(word)) {
    const around = units.flatMap(({ start, end }, i) => (start <= index && index < end ? [i] : []));
    const local = around.toReversed().find(i => declarers.has(`${i} ${each}`));
    const meant = declarers.get(local === undefined ? each : `${local} ${each}`);
    if (meant) uses.push({ at: index, meant });
  }
  return uses;
}

/** Slices of a text: some of its units, with everything that they need. */
import { inTwoSteps } from '../circumstances/in-two-steps.js';
import type { Circumstance, Configuration } from '../core/index.js';
import { addAll, addTo } from '../core/lists.js';
import { cut } from '../syntax/text-cut.js';
import type { Unit } from '../syntax/units/units.js';
import { editing } from './edits.js';

/** What a slice knows of a unit. */
export type Sliceable = Omit<Unit, 'node' | 'start'>;

/** Units, and those of them that always stay. */
export interface Sliced {
  readonly text: string;
  readonly units: readonly Sliceable[];
  readonly fixed: readonly number[];
  readonly by: 'name' | 'place';
}

export function slicesOf(
  { text, units, fixed, by }: Sliced,
  leastAt: (start: number) => number,
): Circumstance<string> | undefined {
  if (by === 'name' && units.every(({ mentions }) => mentions.length === 0)) return undefined;
  const groups = groupUnits(units, leastAt);
  if (groups.length < 2) return undefined;
  const inner = removing(text, units);
  const close = closure(units);
  const kept = (configuration: Configuration): Configuration => {
    const roots: number[] = [...fixed];
    for (let i = 0; i < configuration.length; i += 2)
      for (let group = configuration[i]!; group < configuration[i + 1]!; group++) addAll(roots, groups[group]!);
    return close(roots);
  };
  return {
    name: 'slice',
    count: groups.length,
    weights: groups.map(group => group.reduce((sum, unit) => sum + inner.weights![unit]!, 0)),
    build: configuration => inner.build(kept(configuration)),
    trace: configuration => inner.trace!(kept(configuration)),
    describe: delta => `${groups[delta]!.length} declarations`,
  };
}

/** The units at these places: what they use is the first delta, and everything else the second. */
export function sliceOf(
  { text, units, fixed }: Omit<Sliced, 'by'>,
  places: readonly number[],
): Circumstance<string> | undefined {
  const unitAt = (place: number): number => units.findLastIndex(({ from, end }) => from <= place && place < end);
  const roots = [...fixed, ...places.map(unitAt).filter(unit => unit > 0)];
  return inTwoSteps(removing(text, units), {
    alone: closure(units.map(withoutNames))(roots),
    complete: closure(units)(roots),
    described: ['what the named places use', 'everything else'],
  });
}

export const withoutNames = <One extends Sliceable>(unit: One): One => ({ ...unit, mentions: [], isOperator: false });

const removing = (text: string, units: readonly Sliceable[]): Circumstance<string> =>
  editing(
    'unit',
    text,
    units.map(({ from, end }) => ({
      spans: [isWholeLines(text, from, end) ? { start: from, end, text: '' } : cut(text, from, end)],
    })),
  );

/** Neighbours, as many as are worth a question. Containers are in no group: they follow from what they contain. */
function groupUnits(units: readonly Sliceable[], leastAt: (start: number) => number): readonly (readonly number[])[] {
  const containers = new Set(units.map(unit => unit.within));
  const groups: number[][] = [];
  let isFull = true;
  let size = 0;
  for (const [i, { from, end }] of units.entries()) {
    if (i === 0 || containers.has(i)) continue;
    if (isFull) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)!.push(i);
    size += end - from;
    // Near the end, less is enough: a group that began before must not contain all of it.
    isFull = size >= leastAt(end);
  }
  return groups;
}

/** From some units to all that they need: what contains them, and what declares the names that they mention. */
export function closure(units: readonly Sliceable[]): (roots: readonly number[]) => Configuration {
  const declarers = new Map<string, number[]>();
  for (const [i, { declares }] of units.entries()) for (const name of declares) addTo(declarers, name, i);
  const operators = [...units.keys()].filter(i => units[i]!.isOperator);
  return roots => {
    const isKept = new Uint8Array(units.length);
    const seen = new Set<string>();
    const open = [...roots];
    /** One of many with a name that is mentioned, for types that nothing mentions so far. */
    const waiting = new Set<number>();
    const need = (unit: number): void => {
      if (unit < 0 || isKept[unit] === 1) return;
      isKept[unit] = 1;
      open.push(unit);
    };
    for (const root of roots) isKept[root] = 1;
    for (;;) {
      const unit = open.pop();
      if (unit === undefined) {
        const meant = [...waiting].filter(i => units[i]!.onlyWith.every(name => seen.has(name)));
        if (meant.length === 0) break;
        for (const i of meant) {
          waiting.delete(i);
          need(i);
        }
        continue;
      }
      const { within, mentions } = units[unit]!;
      need(within);
      // A member of a class inside a function is known to nobody else, and has no declarer.
      for (const name of mentions) {
        if (seen.has(name)) continue;
        seen.add(name);
        for (const declarer of declarers.get(name) ?? [])
          if (units[declarer]!.onlyWith.length === 0) need(declarer);
          else waiting.add(declarer);
      }
    }
    // An operator of types that are all kept is probably used, and needs nothing more.
    for (const i of operators) if (units[i]!.mentions.every(name => seen.has(name))) isKept[i] = 1;
    for (const i of operators)
      if (isKept[i] === 1) for (let at = units[i]!.within; at > 0; at = units[at]!.within) isKept[at] = 1;
    return rangesOf(isKept);
  };
}

function rangesOf(isKept: Uint8Array): Configuration {
  const ranges: number[] = [];
  for (let i = 0; i < isKept.length; i++)
    if (isKept[i] === 1) {
      if (ranges.at(-1) === i) ranges[ranges.length - 1] = i + 1;
      else ranges.push(i, i + 1);
    }
  return ranges;
}

/** The indentation of the next line stays, because it may mean something. */
const isWholeLines = (text: string, from: number, end: number): boolean =>
  (from === 0 || text[from - 1] === '\n') && text[end - 1] === '\n';

/** Keeps some declarations of a large text, with everything that they use. */
import { inTwoSteps } from '../../../circumstances/in-two-steps.js';
import type { Circumstance, Configuration } from '../../../core/index.js';
import { addAll, addTo } from '../../../core/lists.js';
import type { FlatTree } from '../../../syntax/flat-tree.js';
import { keptRanges } from '../../../syntax/keep.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { cut } from '../../../syntax/text-cut.js';
import { type Unit, unitsOf } from '../../../syntax/units/units.js';
import { editing } from '../../edits.js';

/** A unit that is larger than one part in this many is taken apart. */
const containerShare = 16;

export interface SliceOptions {
  /** How many characters a group at this place must have. */
  readonly leastAt: (start: number) => number;
  /** Whether what is kept is kept with what it mentions, or only with what contains it. */
  readonly by: 'name' | 'place';
  /** What the user marked to keep. */
  readonly keep?: RegExp | undefined;
}

/**
 * Binary reduction (Kalhauge and Palsberg 2019): a delta is a group of neighbouring declarations, and one that is left out
 * stays as long as a declaration that is kept mentions its name, directly or through others. So every candidate is complete
 * as far as names go, and a cause that needs a few declarations of ten thousand is found in a few questions. The paper reads
 * dependencies from bytecode; we compare words, which finds too many of them and rarely too few.
 */
export async function slices(
  syntax: Syntax,
  text: string,
  { leastAt, keep, by }: SliceOptions,
): Promise<Circumstance<string> | undefined> {
  const { tree, units, fixed } = await unitsIn(syntax, text, [text.trimEnd().length - 1], keep);
  return slicesOf({ tree, units: by === 'name' ? units : units.map(withoutNames), fixed, by }, leastAt);
}

/** The parts of a short text as deltas: its declarations, their members and the statements of its functions, each with what it uses. */
export async function slicesWithin(syntax: Syntax, text: string): Promise<Circumstance<string> | undefined> {
  const tree = await syntax.bareTree(text);
  const units = await unitsOf(tree, Number.POSITIVE_INFINITY, 'all');
  const fixed = [...units.keys()].filter(i => units[i]!.isFixed);
  return slicesOf({ tree, units, fixed, by: 'name' }, () => 1);
}

/** Units, and those of them that always stay. */
export interface Sliced {
  readonly tree: FlatTree;
  readonly units: readonly Unit[];
  readonly fixed: readonly number[];
  readonly by: 'name' | 'place';
}

export function slicesOf(
  { tree, units, fixed, by }: Sliced,
  leastAt: (start: number) => number,
): Circumstance<string> | undefined {
  if (by === 'name' && units.every(({ mentions }) => mentions.length === 0)) return undefined;
  const groups = groupUnits(units, leastAt);
  if (groups.length < 2) return undefined;
  const inner = removing(tree, units);
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

/**
 * The declarations at these places: what they use is the first delta, and everything else the second. A parser often fails
 * without the names that it would look up later.
 */
export async function sliceAround(
  syntax: Syntax,
  text: string,
  places: readonly number[],
  keep?: RegExp,
): Promise<Circumstance<string> | undefined> {
  // A line is rarely all that a failure needs of its function.
  const { tree, units, fixed } = await unitsIn(syntax, text, [], keep);
  const unitAt = (place: number): number => units.findLastIndex(({ from, end }) => from <= place && place < end);
  const roots = [...fixed, ...places.map(unitAt).filter(unit => unit > 0)];
  return inTwoSteps(removing(tree, units), {
    alone: closure(units.map(withoutNames))(roots),
    complete: closure(units)(roots),
    described: ['what the named places use', 'everything else'],
  });
}

const withoutNames = (unit: Unit): Unit => ({ ...unit, mentions: [], isOperator: false });

/** Several passes look at the same text. */
const known = new WeakMap<FlatTree, { readonly opened: string; readonly units: Promise<readonly Unit[]> }>();

/**
 * The units of a text, with those of the functions at these places; `fixed`: those that stay, because of what they are or because
 * the user marked them.
 */
export async function unitsIn(syntax: Syntax, text: string, places: readonly number[], keep: RegExp | undefined) {
  const tree = await syntax.bareTree(text);
  const opened = places.join();
  let found = known.get(tree);
  if (found?.opened !== opened)
    known.set(tree, (found = { opened, units: unitsOf(tree, text.length / containerShare, places) }));
  const units = await found.units;
  const marked = keptRanges(tree, keep);
  const isMarked = (unit: Unit) => marked.some(range => unit.from < range.end && range.start < unit.end);
  const fixed = [...units.keys()].filter(i => units[i]!.isFixed || isMarked(units[i]!));
  return { tree, units, fixed };
}

const removing = (tree: FlatTree, units: readonly Unit[]): Circumstance<string> =>
  editing(
    'unit',
    tree.text,
    units.map(({ from, end }) => ({ spans: [cut(tree.text, from, end)] })),
  );

/** Neighbours, as many as are worth a question. Containers are in no group: they follow from what they contain. */
function groupUnits(units: readonly Unit[], leastAt: (start: number) => number): readonly (readonly number[])[] {
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
export function closure(units: readonly Unit[]): (roots: readonly number[]) => Configuration {
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

/** Keeps some declarations of a large text, with everything that they use. */
import type { Circumstance } from '../../../core/index.js';
import type { FlatTree } from '../../../syntax/flat-tree.js';
import { keptRanges } from '../../../syntax/keep.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { type Unit, unitsOf } from '../../../syntax/units/units.js';
import { sliceOf, slicesOf, withoutNames } from '../../sliced.js';

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
  const { units, fixed } = await unitsIn(syntax, text, [text.trimEnd().length - 1], keep);
  return slicesOf({ text, units: by === 'name' ? units : units.map(withoutNames), fixed, by }, leastAt);
}

/** The parts of a short text as deltas: its declarations, their members and the statements of its functions, each with what it uses. */
export async function slicesWithin(syntax: Syntax, text: string): Promise<Circumstance<string> | undefined> {
  const tree = await syntax.bareTree(text);
  const units = await unitsOf(tree, Number.POSITIVE_INFINITY, 'all');
  const fixed = [...units.keys()].filter(i => units[i]!.isFixed);
  return slicesOf({ text, units, fixed, by: 'name' }, () => 1);
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
  const { units, fixed } = await unitsIn(syntax, text, [], keep);
  return sliceOf({ text, units, fixed }, places);
}

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

/**
 * Which place to look at next. A transition is the point where one variable stops being the cause and another one starts (Cleve
 * and Zeller, "Locating Causes of Program Failures", ICSE 2005, §4); it is found by a binary search between two places with
 * different causes. It departs from the paper in the choice of the middle: places with fewer frames on the stack come first, so
 * the search sees the callers before it goes into what they call.
 */
import type { Difference } from '../../circumstances/states/differences.js';

/** The smallest difference that makes the passing run fail at a place. */
export interface Cause {
  readonly differences: readonly Difference[];
  readonly tests: number;
}

/** `same`: the two states do not differ. `unknown`: no set of differences could be shown to be the cause. */
export type Finding = Cause | 'same' | 'unknown';

/** Two neighbouring places with different findings, and the places between them. −1 is the start, and the number of places the end. */
export interface Gap {
  readonly left: number;
  readonly right: number;
  /** `value`: the same variable has other values. */
  readonly by: 'variable' | 'value';
  readonly inside: readonly number[];
}

export interface Searching {
  /** The depth of the stack at each place. */
  readonly depths: readonly number[];
  readonly findings: ReadonlyMap<number, Finding>;
  /** The least depth at which only the failing run executes something between two places; infinite if there is none. */
  readonly divergence: (left: number, right: number) => number;
}

/** In a gap, this many places without an answer are enough. */
const mostUnknown = 3;
/** This many more places are inspected to see how the value of one variable changed. */
const mostForValues = 6;

export const isCause = (finding: Finding | undefined): finding is Cause => typeof finding === 'object';

export function sameVariable(a: Cause, b: Cause): boolean {
  const names = new Set(a.differences.flatMap(each => each.names));
  return b.differences.some(each => each.names.some(name => names.has(name)));
}

const valuesOf = ({ differences }: Cause): string =>
  differences.map(({ passing, failing }) => `${passing} → ${failing}`).join();
export const sameValues = (a: Cause, b: Cause): boolean => valuesOf(a) === valuesOf(b);

/** The gaps that are left, closed ones included (nothing is inside them). */
export function gapsOf(searching: Searching): readonly Gap[] {
  const { depths, findings } = searching;
  const known = [...findings].filter(([, finding]) => finding !== 'unknown').sort(([a], [b]) => a - b);
  const marks: [number, Finding][] = [[-1, 'same'], ...known, [depths.length, 'unknown']];
  const gaps: Gap[] = [];
  for (let i = 0; i + 1 < marks.length; i++) {
    const [[left, a], [right, b]] = [marks[i]!, marks[i + 1]!];
    if (a === 'same' && b === 'same') continue;
    const isVariable = !isCause(a) || !isCause(b) || !sameVariable(a, b);
    if (!isVariable && sameValues(a as Cause, b as Cause)) continue;
    gaps.push({ left, right, by: isVariable ? 'variable' : 'value', inside: insideOf(left, right, searching) });
  }
  return gaps;
}

/**
 * Where memory cannot be read or written, for example inside a container of C++, many places have no answer. The last one before the
 * failure is looked at in any case: hardly anything happens after it, so few variables are enough there.
 */
function insideOf(left: number, right: number, { findings, depths }: Searching): readonly number[] {
  const inside: number[] = [];
  let unknown = 0;
  for (let place = left + 1; place < right; place++) {
    if (findings.has(place)) unknown++;
    else inside.push(place);
  }
  if (unknown < mostUnknown) return inside;
  return right === depths.length ? inside.filter(place => place === right - 1) : [];
}

/**
 * Up to `most` places, in the order in which they will be inspected if every answer is a new variable. The first is the next.
 */
export function nextPlaces(searching: Searching, most: number): readonly number[] {
  const gaps = gapsOf(searching).filter(({ inside }) => inside.length > 0);
  const valuesSeen = [...searching.findings.values()].filter(isCause).length - gaps.length;
  const open = gaps
    .filter(({ by }) => by === 'variable' || valuesSeen < mostForValues)
    .map(gap => ({ gap, order: orderOf(gap, searching) }))
    .sort((a, b) => a.order.map((x, i) => x - b.order[i]!).find(x => x !== 0) ?? 0);
  const chosen: number[] = [];
  const queue = open.map(({ gap }) => gap.inside);
  for (let inside = queue.shift(); inside && chosen.length < most; inside = queue.shift()) {
    const middle = middleOf(inside, searching.depths);
    if (middle === undefined) continue;
    chosen.push(inside[middle]!);
    queue.push(inside.slice(0, middle), inside.slice(middle + 1));
  }
  return chosen;
}

/**
 * Which gap comes first: one in which the runs diverge and whose inner places are not deeper in the stack than its ends;
 * then any other that is not deeper; then the called functions, if the runs diverge only there. Two variables come before
 * two values of one, a place nearer to the bottom of the stack before the rest, and wide gaps before narrow ones.
 */
function orderOf({ left, right, by, inside }: Gap, { depths, divergence }: Searching): readonly number[] {
  const least = depthOf(inside, depths);
  const ends = Math.max(depths[left] ?? 0, depths[right] ?? 0);
  const parts = divergence(left, right);
  const order = least <= ends ? (parts <= ends ? 0 : 1) : parts > ends && parts < Number.POSITIVE_INFINITY ? 2 : 3;
  return [order, Number(by === 'value'), least, -inside.length];
}

const depthOf = (places: readonly number[], depths: readonly number[]): number =>
  places.reduce((least, place) => Math.min(least, depths[place]!), Number.POSITIVE_INFINITY);

/** The middle one of those with the fewest frames. */
function middleOf(inside: readonly number[], depths: readonly number[]): number | undefined {
  const least = depthOf(inside, depths);
  const shallow = inside.flatMap((place, i) => (depths[place] === least ? [i] : []));
  return shallow[shallow.length >> 1];
}

/**
 * Where the states of two runs can be compared: statements to watch, chosen by coverage, and the places that both runs reach.
 */
import { difference } from '../../core/diff.js';
import { leastOf } from '../../core/lists.js';
import type { Location, Ran, Stop } from '../../oracle/states/protocol.js';

/** A moment that both runs reach: the same statement, at the same depth of the stack. */
export interface Place {
  readonly location: number;
  readonly depth: number;
  readonly passing: Stop;
  readonly failing: Stop;
  /** Its number in the failing run's trace. */
  readonly at: number;
}

export interface Choice {
  readonly locations: readonly Location[];
  /** Locations that only the failing run reaches. */
  readonly onlyFailing: ReadonlySet<number>;
  /** How many statements there were to choose from. */
  readonly of: number;
}

/**
 * The statements to watch: those that the failing run reaches, as long as they are reached at most `most` times in total.
 * Statements that the two runs reach a different number of times come first, then the program's own, then those that are
 * reached least: a hot inner loop is left out before anything else.
 */
export function chooseLocations(
  passing: readonly Ran[],
  failing: readonly Ran[],
  most: number,
  isIn: (path: string) => boolean,
): Choice {
  const counts = new Map(
    passing.flatMap(({ path, statements }) =>
      statements.map(([line, column, count]) => [`${path}:${line}:${column}`, count] as const),
    ),
  );
  const all = failing
    .filter(({ path }) => isIn(path))
    .flatMap(({ path, statements }) =>
      statements.map(([line, column, count, name]) => {
        const other = counts.get(`${path}:${line}:${column}`) ?? 0;
        return { location: { path, line, column, function: name }, count, other };
      }),
    );
  const order = all.toSorted(
    (a, b) =>
      Number(a.count === a.other) - Number(b.count === b.other) ||
      Number(isForeign(a.location.path)) - Number(isForeign(b.location.path)) ||
      a.count - b.count,
  );
  let sum = 0;
  const chosen = new Set(order.filter(({ count, other }) => (sum += Math.max(count, other)) <= most));
  const kept = all.filter(each => chosen.has(each));
  return {
    locations: kept.map(({ location }) => location),
    onlyFailing: new Set(kept.flatMap(({ other }, i) => (other === 0 ? [i] : []))),
    of: all.length,
  };
}

const isForeign = (path: string): boolean => /(^|\/)(node_modules|site-packages|dist-packages)\//.test(path);

/**
 * The places that both runs reach, in order. Statements are aligned function by function: first those with the fewest
 * frames on the stack, then, inside each pair of statements, what the two call. So two places have the same callers, and a
 * loop with more iterations in one run does not misalign the rest.
 */
export function commonPlaces(passing: Int32Array, failing: Int32Array): readonly Place[] {
  const [hitsP, hitsF] = [hitsOf(passing), hitsOf(failing)];
  const pairs: (readonly [number, number])[] = [];
  const waiting: (readonly [Span, Span])[] = [
    [
      { trace: passing, from: 0, to: passing.length / 2 },
      { trace: failing, from: 0, to: failing.length / 2 },
    ],
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const depth = leastOf(next.map(leastDepth));
    const [p, f] = next.map(span => statementsAt(span, depth)) as [Statement[], Statement[]];
    const later = (a: Span, b: Span) => a.from < a.to && b.from < b.to && waiting.push([a, b]);
    // Steps before the first statement were called by something that is not traced.
    later(before(next[0], p), before(next[1], f));
    for (const [i, j] of aligned(p, f)) {
      pairs.push([p[i]!.at, f[j]!.at]);
      later(p[i]!.calls, f[j]!.calls);
    }
  }
  return pairs
    .sort(([, a], [, b]) => a - b)
    .map(([i, j]) => {
      const location = failing[2 * j]!;
      const depth = failing[2 * j + 1]!;
      return { location, depth, passing: { location, hit: hitsP[i]! }, failing: { location, hit: hitsF[j]! }, at: j };
    });
}

/** A part of a trace. */
interface Span {
  readonly trace: Int32Array;
  readonly from: number;
  readonly to: number;
}

interface Statement {
  readonly location: number;
  readonly at: number;
  /** What runs before the next statement of the same function. */
  readonly calls: Span;
}

function leastDepth({ trace, from, to }: Span): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = from; at < to; at++) least = Math.min(least, trace[2 * at + 1]!);
  return least;
}

function statementsAt({ trace, from, to }: Span, depth: number): Statement[] {
  const at: number[] = [];
  for (let i = from; i < to; i++) if (trace[2 * i + 1] === depth) at.push(i);
  return at.map((i, n) => ({ location: trace[2 * i]!, at: i, calls: { trace, from: i + 1, to: at[n + 1] ?? to } }));
}

const before = (span: Span, [first]: readonly Statement[]): Span => ({ ...span, to: first?.at ?? span.from });

/** Pairs of equal statements: a longest common subsequence. */
function* aligned(p: readonly Statement[], f: readonly Statement[]): Generator<readonly [number, number]> {
  const locations = (list: readonly Statement[]) => Int32Array.from(list, ({ location }) => location);
  let [i, j] = [0, 0];
  for (const hunk of [
    ...difference(locations(p), locations(f)),
    { oldStart: p.length, oldCount: 0, newStart: 0, newCount: 0 },
  ]) {
    while (i < hunk.oldStart) yield [i++, j++];
    [i, j] = [hunk.oldStart + hunk.oldCount, hunk.newStart + hunk.newCount];
  }
}

/** For each step of a trace, how often its location was reached before. */
function hitsOf(trace: Int32Array): Int32Array {
  const counts = new Map<number, number>();
  return Int32Array.from({ length: trace.length / 2 }, (_, i) => {
    const location = trace[2 * i]!;
    const hit = counts.get(location) ?? 0;
    counts.set(location, hit + 1);
    return hit;
  });
}

/** The least stack depth, between two places, of lines that only the failing run executes. */
export function divergenceOf(trace: Int32Array, places: readonly Place[], onlyFailing: ReadonlySet<number>) {
  const steps: number[] = [];
  for (let at = 0; at < trace.length / 2; at++) if (onlyFailing.has(trace[2 * at]!)) steps.push(at);
  return (left: number, right: number): number => {
    const [from, to] = [places[left]?.at ?? -1, places[right]?.at ?? Number.POSITIVE_INFINITY];
    return steps.reduce(
      (least, at) => (at > from && at < to ? Math.min(least, trace[2 * at + 1]!) : least),
      Number.POSITIVE_INFINITY,
    );
  };
}

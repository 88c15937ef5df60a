/** Where the states of two runs can be compared: statements to watch, chosen by coverage, and the places that both runs come to. */
import { difference } from '../../circumstances/changes/myers.js';
import type { Location, Ran, Stop } from '../../oracle/states/protocol.js';

/** A moment that both runs come to: the same statement, at the same depth of the stack. */
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
  /** Locations that only the failing run comes to. */
  readonly onlyFailing: ReadonlySet<number>;
  /** How many statements there were to choose from. */
  readonly of: number;
}

/**
 * The statements to watch: those that the failing run comes to, as long as they are not reached more often than `most` times in
 * all. Those that the two runs reach a different number of times come first, then the program's own, then those that are reached
 * least: a hot inner loop is left out before anything else.
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

/** The places that both runs come to, in order: the longest common subsequence of their traces. */
export function commonPlaces(passing: Int32Array, failing: Int32Array): readonly Place[] {
  const numbers = new Map<string, number>();
  const symbols = (trace: Int32Array) =>
    Int32Array.from({ length: trace.length / 2 }, (_, i) => {
      const symbol = `${trace[2 * i]} ${trace[2 * i + 1]}`;
      const number = numbers.get(symbol) ?? numbers.size;
      numbers.set(symbol, number);
      return number;
    });
  const [p, f] = [symbols(passing), symbols(failing)];
  const [hitsP, hitsF] = [hitsOf(passing), hitsOf(failing)];
  const places: Place[] = [];
  const common = (i: number, j: number, count: number) => {
    for (let k = 0; k < count; k++) {
      const location = failing[2 * (j + k)]!;
      places.push({
        location,
        depth: failing[2 * (j + k) + 1]!,
        passing: { location, hit: hitsP[i + k]! },
        failing: { location, hit: hitsF[j + k]! },
        at: j + k,
      });
    }
  };
  let [i, j] = [0, 0];
  for (const { oldStart, oldCount, newStart, newCount } of difference(p, f)) {
    common(i, j, oldStart - i);
    [i, j] = [oldStart + oldCount, newStart + newCount];
  }
  common(i, j, p.length - i);
  return places;
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

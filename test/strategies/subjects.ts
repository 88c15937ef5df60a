/** The published algorithms under the laws, each with what it promises. */
import {
  type Configuration,
  deltasOf,
  isSubset,
  minus,
  type Outcome,
  of,
  type Parents,
  type Strategy,
  size,
  slice,
  subtrees,
  union,
} from '../../src/core/index.js';
import {
  add,
  allFirst,
  type Causes,
  dd,
  ddlin,
  ddmin,
  ddminAll,
  each,
  exchange,
  first,
  guess,
  hdd,
  type Isolation,
  marco,
  shortest,
  sweep,
} from '../../src/strategies/index.js';

export type Ask = (configuration: Configuration) => Outcome;

/** A strategy under the laws: how to make it, what its result contains that must fail, and what it promises. */
export interface Subject {
  readonly name: string;
  make(count: number): Strategy<unknown, unknown>;
  failing(result: unknown, all: Configuration): readonly Configuration[];
  /** A sentence when the promise is broken. */
  broken(result: unknown, test: Ask, all: Configuration): string | undefined;
}

/** No single delta can be removed. The empty configuration is not tested if the paper assumes that it passes. */
export function oneMinimal(result: Configuration, test: Ask, { emptyToo = true } = {}): string | undefined {
  if (size(result) === 1 && !emptyToo) return undefined;
  for (const delta of deltasOf(result))
    if (test(minus(result, of([delta]))) === 'fail') return `delta ${delta} of {${[...deltasOf(result)]}} can go`;
  return undefined;
}

/** What marco says of each of its sets is so, and what it calls complete leaves nothing open. */
function brokenCauses(
  found: Causes,
  test: Ask,
  all: Configuration,
  minimality: { emptyToo: boolean },
): string | undefined {
  const { causes, passing, unknown } = found;
  for (const cause of causes) {
    const spare = oneMinimal(cause, test, minimality);
    if (spare) return spare;
    if (causes.some(other => other !== cause && isSubset(other, cause))) return 'a cause contains another one';
  }
  for (const set of passing) if (test(set) !== 'pass') return 'a passing set does not pass';
  for (const set of unknown) if (test(set) !== 'unresolved') return 'an unknown set has an outcome';
  if (causes.length === 0) return 'there is no cause';
  if (!found.complete) return undefined;
  for (const set of passing)
    for (const delta of deltasOf(minus(all, set))) {
      const more = union(set, of([delta]));
      if (!causes.some(cause => isSubset(cause, more))) return `${delta} could be added to a passing set`;
    }
  return undefined;
}

const listStrategy = (name: string, make: () => Strategy<unknown, Configuration>, emptyToo: boolean): Subject => ({
  name,
  make,
  failing: result => [result as Configuration],
  broken: (result, test) => oneMinimal(result as Configuration, test, { emptyToo }),
});
const of_ = <State>(strategy: Strategy<State, Configuration>) =>
  strategy as unknown as Strategy<unknown, Configuration>;

/** Comes from both sides, and ends where neither can move. */
const isolating = <State>(
  name: string,
  make: (count: number) => Strategy<State, Isolation | undefined> | Strategy<State, Isolation>,
): Subject => ({
  name,
  make: count => make(count) as unknown as Strategy<unknown, unknown>,
  failing: result => [(result as Isolation).failing],
  broken(result, test) {
    const { passing, failing, difference } = result as Isolation;
    if (test(passing) !== 'pass') return 'the passing side does not pass';
    if (size(difference) === 1) return undefined;
    for (const delta of deltasOf(difference)) {
      if (test(union(passing, of([delta]))) !== 'unresolved')
        return `${delta} could still be added to the passing side`;
      if (test(minus(failing, of([delta]))) !== 'unresolved')
        return `${delta} could still be taken from the failing side`;
    }
    return undefined;
  },
});

/** A binary tree over the deltas, in preorder. */
export const treeOf = (count: number): Parents => {
  const parents = new Array<number>(count).fill(-1);
  const grow = (from: number, to: number, parent: number) => {
    if (from >= to) return;
    parents[from] = parent;
    const middle = from + 1 + ((to - from - 1) >> 1);
    grow(from + 1, middle, from);
    grow(middle, to, from);
  };
  grow(0, count >> 1, -1);
  grow(count >> 1, count, -1);
  return parents;
};

export const subjects: readonly Subject[] = [
  listStrategy('ddlin', () => of_(ddlin()), true),
  listStrategy('ddlin, starting over', () => of_(ddlin({ afterSuccess: 'start over' })), true),
  listStrategy('ddmin', () => of_(ddmin()), false),
  listStrategy('ddmin by complements', () => of_(ddmin({ parts: 'complements' })), false),
  listStrategy('ddmin, smallest first', () => of_(ddmin({ choose: 'smallest' })), false),
  listStrategy('ddmin, complete rounds', () => of_(ddmin({ round: 'complete', complementsOfTwo: true })), false),
  listStrategy('ddmin, restarting', () => of_(ddmin({ afterComplement: 'restart' })), false),
  listStrategy('sweep', () => of_(sweep()), true),
  listStrategy('sweep after halves', () => of_(sweep({ halves: true })), true),
  listStrategy('sweep from the end after halves', () => of_(sweep({ halves: 'front' })), true),
  listStrategy('sweep, 4 lanes', () => of_(sweep({ lanes: 4 })), true),
  listStrategy('sweep, expecting few', () => of_(sweep({ expected: 1 })), true),
  listStrategy('sweep, expecting most', () => of_(sweep({ lanes: 8, expected: 1e6, wholeLanes: true })), true),
  listStrategy('sweep, 16 lanes', () => of_(sweep({ lanes: 16 })), true),
  listStrategy('all-first', () => of_(allFirst(sweep({ lanes: 3 }))), true),
  {
    name: 'exchange',
    make: () => of_(exchange(sweep())),
    failing: result => [result as Configuration],
    broken(result, test, all) {
      const last = of([size(all) - 1]);
      if (isSubset(last, result as Configuration))
        return size(all) > 1 && test(minus(all, last)) === 'fail'
          ? 'the others fail without the last delta'
          : undefined;
      return oneMinimal(result as Configuration, test);
    },
  },
  {
    name: 'ddmin, all failing subsets',
    make: () => ddminAll() as unknown as Strategy<unknown, unknown>,
    failing: result => result as readonly Configuration[],
    broken: (result, test) =>
      (result as readonly Configuration[]).map(each => oneMinimal(each, test, { emptyToo: false })).find(Boolean),
  },
  isolating('dd, until a rule holds', () => dd()),
  isolating('dd, complete', () => dd({ round: 'complete' })),
  isolating('dd with guesses', count => guess([of([0]), of([count - 1, count >> 1].filter(delta => delta >= 0))])),
  {
    name: 'add',
    make: count =>
      add({
        suspects: of(Array.from({ length: count }, (_, i) => i).filter(i => i % 3 !== 0 || count < 3)),
      }) as unknown as Strategy<unknown, unknown>,
    failing: (_, all) => [all],
    broken(result, test, all) {
      const left = result as Configuration;
      if (size(left) < 2) return undefined;
      for (const delta of deltasOf(left)) {
        if (test(minus(all, of([delta]))) !== 'unresolved') return `${delta} alone decides the failing set`;
        if (test(of([delta])) !== 'unresolved') return `${delta} alone has an outcome`;
      }
      return undefined;
    },
  },
  ...(
    [
      ['marco', () => marco({ limit: 12 })],
      ['marco by ddmin, 3 at most', () => marco({ limit: 3, list: ddmin() })],
    ] as const
  ).map(
    ([name, make]): Subject => ({
      name,
      make: make as () => Strategy<unknown, unknown>,
      failing: result => (result as Causes).causes,
      broken: (result, test, all) => brokenCauses(result as Causes, test, all, { emptyToo: name === 'marco' }),
    }),
  ),
  ...[false, true].map(
    (fixpoint): Subject => ({
      name: fixpoint ? 'hdd*' : 'hdd',
      make: count => hdd({ parents: treeOf(count), fixpoint }) as unknown as Strategy<unknown, unknown>,
      failing: result => [result as Configuration],
      broken(result, test, all) {
        if (!fixpoint) return undefined;
        const kept = result as Configuration;
        const parents = treeOf(size(all));
        for (const node of deltasOf(kept))
          if (test(minus(kept, subtrees(parents, of([node])))) === 'fail')
            return `node ${node} can go with all below it`;
        return undefined;
      },
    }),
  ),
  {
    name: 'first',
    make: () => of_(first()),
    failing: result => (size(result as Configuration) === 0 ? [] : [result as Configuration]),
    broken(result, test, all) {
      const [found = size(all)] = result as Configuration;
      for (const delta of deltasOf(all))
        if (delta < found && test(of([delta])) === 'fail') return `delta ${delta} fails alone, and comes earlier`;
      return undefined;
    },
  },
  {
    name: 'shortest',
    make: () => of_(shortest()),
    failing: result => [result as Configuration],
    broken(result, test) {
      const length = size(result as Configuration);
      const shorter = slice(result as Configuration, 0, length - 1);
      return length > 1 && test(shorter) === 'fail' ? `a beginning of ${length - 1} deltas fails too` : undefined;
    },
  },
  {
    name: 'each',
    make: () => of_(each()),
    failing: result => [...deltasOf(result as Configuration)].map(delta => of([delta])),
    broken(result, test, all) {
      for (const delta of deltasOf(minus(all, result as Configuration)))
        if (test(of([delta])) === 'fail') return `delta ${delta} fails alone, and is not reported`;
      return undefined;
    },
  },
];

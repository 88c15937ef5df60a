import {
  type Configuration,
  deltasOf,
  minus,
  type Outcome,
  of,
  type Parents,
  type Strategy,
  size,
  subtrees,
  union,
} from '../../src/core/index.js';
import {
  add,
  type Descended,
  dd,
  ddlin,
  ddmin,
  ddminAll,
  descend,
  hdd,
  type Isolation,
  sweep,
} from '../../src/strategies/index.js';

type Ask = (configuration: Configuration) => Outcome;

/** A strategy under the laws: how to make it, what its result contains that must fail, and what it promises. */
export interface Subject {
  readonly name: string;
  make(count: number): Strategy<unknown, unknown>;
  failing(result: unknown, all: Configuration): readonly Configuration[];
  /** A sentence when the promise is broken. */
  broken(result: unknown, test: Ask, all: Configuration): string | undefined;
}

/** No single delta can go; the empty configuration is left out where the paper takes it for granted that it passes. */
function oneMinimal(result: Configuration, test: Ask, { emptyToo = true } = {}): string | undefined {
  if (size(result) === 1 && !emptyToo) return undefined;
  for (const delta of deltasOf(result))
    if (test(minus(result, of([delta]))) === 'fail') return `delta ${delta} of {${[...deltasOf(result)]}} can go`;
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
  listStrategy('sweep, 4 strands', () => of_(sweep({ strands: 4 })), true),
  listStrategy('sweep, 16 strands', () => of_(sweep({ strands: 16 })), true),
  {
    name: 'ddmin, all failing subsets',
    make: () => ddminAll() as unknown as Strategy<unknown, unknown>,
    failing: result => result as readonly Configuration[],
    broken: (result, test) =>
      (result as readonly Configuration[]).map(each => oneMinimal(each, test, { emptyToo: false })).find(Boolean),
  },
  ...(['until a rule holds', 'complete'] as const).map(
    (round): Subject => ({
      name: `dd, ${round}`,
      make: () => dd({ round }) as unknown as Strategy<unknown, unknown>,
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
    }),
  ),
  {
    name: 'add',
    make: count =>
      add({
        dubious: of(Array.from({ length: count }, (_, i) => i).filter(i => i % 3 !== 0 || count < 3)),
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
  {
    name: 'descend',
    make: count =>
      descend({
        dubious: of(Array.from({ length: count }, (_, i) => i).filter(i => i % 3 !== 0 || count < 3)),
      }) as unknown as Strategy<unknown, unknown>,
    failing: result => [(result as Descended).failing],
    broken(result, test) {
      const { suspects, failing, refuted } = result as Descended;
      const without = test(minus(failing, suspects));
      if (refuted !== (without === 'fail')) return `refuted is ${refuted}, and F − D is ${without}`;
      if (size(suspects) < 2) return undefined;
      const alone = [...deltasOf(suspects)].find(delta => test(of([delta])) === 'fail');
      return alone === undefined ? undefined : `${alone} alone fails`;
    },
  },
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
];

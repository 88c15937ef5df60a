import {
  bySubtree,
  type Configuration,
  largerFirst,
  of,
  type Parents,
  type Strategy,
  UserError,
} from '../../core/index.js';
import { add, type Causes, dd, ddlin, ddmin, hdd, type Isolation, marco, sweep } from '../../strategies/index.js';

/** What the papers leave open, by name. The defaults are the papers' formulas. */
export interface Choices {
  readonly choose?: 'first' | 'smallest';
  readonly round?: 'complete';
  readonly restart?: boolean;
  readonly largerFirst?: boolean;
  readonly complementsOfTwo?: boolean;
  readonly half?: boolean;
  readonly fixpoint?: boolean;
  readonly bySubtree?: boolean;
  readonly strands?: number;
  /** D, for add, by number. */
  readonly dubious?: readonly number[];
  readonly parents?: Parents;
  /** For marco: how many causes, and how many ways to avoid them. */
  readonly limit?: number;
}

export interface Algorithm {
  readonly summary: string;
  readonly source: string;
  make(choices: Choices): Strategy<unknown, Configuration | Isolation | Causes>;
}

const partition = (choices: Choices) =>
  choices.bySubtree && choices.parents
    ? { partition: bySubtree(choices.parents) }
    : choices.largerFirst
      ? { partition: largerFirst }
      : {};
const ddminOptions = (choices: Choices) => ({
  ...(choices.choose ? { choose: choices.choose } : {}),
  ...(choices.round ? { round: choices.round } : {}),
  ...(choices.restart ? { afterComplement: 'restart' as const } : {}),
  ...(choices.complementsOfTwo ? { complementsOfTwo: true } : {}),
  ...(choices.half ? { finest: 'half' as const } : {}),
  ...partition(choices),
});

export const algorithms: Readonly<Record<string, Algorithm>> = {
  ddlin: {
    summary: 'takes away one delta at a time',
    source: 'Zeller, "Simplifying Test Cases", Linear Simplification',
    make: () => ddlin() as Strategy<unknown, Configuration>,
  },
  ddmin: {
    summary: 'subsets, then complements, then twice as many parts',
    source: 'Hildebrandt and Zeller 2000, Fig. 1',
    make: choices => ddmin(ddminOptions(choices)) as Strategy<unknown, Configuration>,
  },
  'ddmin-complements': {
    summary: 'ddmin by complements only',
    source: 'Zeller, "Simplifying Test Cases", Divide-and-Conquer Simplification',
    make: choices => ddmin({ ...ddminOptions(choices), parts: 'complements' }) as Strategy<unknown, Configuration>,
  },
  dd: {
    summary: 'isolates the difference between a passing and a failing configuration',
    source: 'Zeller and Hildebrandt 2002; "Step-by-Step Delta Debugging", §2',
    make: choices =>
      dd({ ...(choices.round ? { round: choices.round } : {}), ...partition(choices) }) as Strategy<unknown, Isolation>,
  },
  add: {
    summary: 'searches a dubious set inside a failing set',
    source: 'Yu, Lin, Chen and Zhang 2012, Algorithm 1',
    make: choices => add(choices.dubious ? { dubious: of(choices.dubious) } : {}) as Strategy<unknown, Configuration>,
  },
  hdd: {
    summary: 'level by level over a tree',
    source: 'Misherghi and Su 2006',
    make(choices) {
      if (!choices.parents)
        throw new UserError('hdd walks a tree, and these deltas have none.', 'Show it with --example tree-levels.');
      return hdd({ parents: choices.parents, ...(choices.fixpoint ? { fixpoint: true } : {}) }) as Strategy<
        unknown,
        Configuration
      >;
    },
  },
  marco: {
    summary: 'all causes, and all ways to avoid the failure',
    source: 'Liffiton, Previti, Malik and Marques-Silva 2016',
    make: ({ limit }) => marco(limit === undefined ? {} : { limit }) as Strategy<unknown, Causes>,
  },
  sweep: {
    summary: 'our own default: groups from the end, then a proof',
    source: 'docs/algorithms.md',
    make: choices => sweep(choices.strands ? { strands: choices.strands } : {}) as Strategy<unknown, Configuration>,
  },
};

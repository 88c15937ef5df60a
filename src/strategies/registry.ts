/** Every algorithm by name: the command line, `explain`, help texts and docs read this one list. */
import {
  bySubtree,
  type Configuration,
  largerFirst,
  of,
  type Parents,
  type Strategy,
  UserError,
} from '../core/index.js';
import { add } from './add.js';
import { dd, type Isolation } from './dd.js';
import { ddlin } from './ddlin.js';
import { ddmin } from './ddmin.js';
import { guess } from './guess.js';
import { hdd } from './hdd.js';
import { type Causes, marco } from './marco.js';
import { sweep } from './sweep.js';

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
  readonly lanes?: number;
  /** D, for add and guess, by number. */
  readonly suspects?: readonly number[];
  readonly parents?: Parents;
  /** For marco: how many causes, and how many ways to avoid them. */
  readonly limit?: number;
}

export interface Algorithm {
  readonly summary: string;
  readonly source: string;
  /** What it searches: a list of deltas to make smaller, a passing and a failing side, a suspected set, a tree, or all causes. */
  readonly over: 'list' | 'pair' | 'suspects' | 'tree' | 'causes';
  /** The choices that it reads. */
  readonly choices: readonly (keyof Choices)[];
  make(choices: Choices): Strategy<unknown, Configuration | Isolation | Causes>;
}

const ofDdmin = [
  ...(['choose', 'round', 'restart', 'complementsOfTwo', 'half'] as const),
  ...(['largerFirst', 'bySubtree', 'parents'] as const),
];

export type ListStrategy = Strategy<unknown, Configuration>;

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
  sweep: {
    summary: 'our own default: groups from the end, then a proof',
    source: 'docs/algorithms.md',
    over: 'list',
    choices: ['lanes'],
    make: choices => sweep(choices.lanes ? { lanes: choices.lanes } : {}) as ListStrategy,
  },
  ddmin: {
    summary: 'subsets, then complements, then twice as many parts',
    source: 'Hildebrandt and Zeller 2000, Fig. 1',
    over: 'list',
    choices: ofDdmin,
    make: choices => ddmin(ddminOptions(choices)) as ListStrategy,
  },
  'ddmin-complements': {
    summary: 'ddmin by complements only',
    source: 'Zeller, "Simplifying Test Cases", Divide-and-Conquer Simplification',
    over: 'list',
    choices: ofDdmin,
    make: choices => ddmin({ ...ddminOptions(choices), parts: 'complements' }) as ListStrategy,
  },
  ddlin: {
    summary: 'removes one delta at a time',
    source: 'Zeller, "Simplifying Test Cases", Linear Simplification',
    over: 'list',
    choices: [],
    make: () => ddlin() as ListStrategy,
  },
  dd: {
    summary: 'isolates the difference between a passing and a failing configuration',
    source: 'Zeller and Hildebrandt 2002; "Step-by-Step Delta Debugging", §2',
    over: 'pair',
    choices: ['round', 'largerFirst', 'bySubtree', 'parents'],
    make: choices =>
      dd({ ...(choices.round ? { round: choices.round } : {}), ...partition(choices) }) as Strategy<unknown, Isolation>,
  },
  add: {
    summary: 'searches a suspected set inside a failing set',
    source: 'Yu, Lin, Chen and Zhang 2012, Algorithm 1',
    over: 'suspects',
    choices: ['suspects'],
    make: choices => add(choices.suspects ? { suspects: of(choices.suspects) } : {}) as ListStrategy,
  },
  guess: {
    summary: 'dd, after asking whether the suspected set fails by itself',
    source: 'after Cleve and Zeller 2005, §4',
    over: 'suspects',
    choices: ['suspects'],
    // It has no result only if all deltas together do not fail, which is checked before.
    make: choices => guess(choices.suspects ? [of(choices.suspects)] : []) as Strategy<unknown, Isolation>,
  },
  hdd: {
    summary: 'level by level over a tree',
    source: 'Misherghi and Su 2006',
    over: 'tree',
    choices: ['parents', 'fixpoint'],
    make(choices) {
      if (!choices.parents)
        throw new UserError('hdd walks a tree, and these deltas have none.', 'Show it with --example tree-levels.');
      const { parents, fixpoint } = choices;
      return hdd({ parents, ...(fixpoint ? { fixpoint } : {}) }) as ListStrategy;
    },
  },
  marco: {
    summary: 'all causes, and all ways to avoid the failure',
    source: 'Liffiton, Previti, Malik and Marques-Silva 2016',
    over: 'causes',
    choices: ['limit'],
    make: ({ limit }) => marco(limit === undefined ? {} : { limit }) as Strategy<unknown, Causes>,
  },
};

/** The names of the algorithms that search one kind of thing, in the order in which help lists them. */
export const namesOf = (over: Algorithm['over']): readonly string[] =>
  Object.keys(algorithms).filter(name => algorithms[name]!.over === over);

function named(name: string, over: Algorithm['over'], choices: Choices = {}) {
  const known = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined;
  if (known?.over === over) return known.make(choices);
  const other = known ? `${name} does not work here.` : `There is no strategy called ${name}.`;
  throw new UserError(other, `Choose one of: ${namesOf(over).join(', ')}.`);
}

/** The list algorithm that `--strategy` names. */
export const listStrategy = (name: string): ListStrategy => named(name, 'list') as ListStrategy;

/** The algorithm that `--strategy` names for a passing and a failing side. */
export const pairStrategy = (name: string): Strategy<unknown, Isolation> =>
  named(name, 'pair') as Strategy<unknown, Isolation>;

/** The examples of the papers, with the choices that reproduce their tables. */
import type { Choices } from '../../strategies/registry.js';
import { type Model, numbered } from './model.js';

/** An example from a paper, with the choices that reproduce its table. */
export interface Example {
  readonly title: string;
  readonly algorithm: string;
  readonly model: Model;
  readonly choices?: Choices;
  /** The rows that the table begins with: step 0 for the full configuration, or steps 1 and 2 for both ends. */
  readonly ends?: 'full' | 'both';
}

const sheet = numbered(0, 8);
const eight = numbered(1, 8);
const regression: Model = {
  labels: eight.map(number => `c${number}`),
  fails: ['c3', 'c4', 'c5'],
  needs: [
    ['c4', 'c3'],
    ['c5', 'c3'],
    ['c6', 'c3'],
  ],
  together: [['c4', 'c5']],
};
/** z[i] = z[i] * (z[0] + 1.0), by the numbers that the lecture gives to the nodes of its syntax tree. */
const tree: Model = {
  labels: ['1', '1.2', '2', '2.1', '2.1.2', '2.2', '2.2.1', '2.2.1.2', '2.2.2'],
  fails: ['1', '1.2', '2', '2.1', '2.1.2', '2.2', '2.2.1', '2.2.1.2', '2.2.2'],
  unresolvedWithout: [['2.2.1', '2.2.1.2']],
  parents: [-1, 0, -1, 2, 3, 2, 5, 6, 5],
};

const forty = numbered(0, 40);
/** Every three of the five. */
const triples = ['0', '1', '2', '3', '4'].flatMap((a, i, five) =>
  five.slice(i + 1).flatMap((b, j) => five.slice(i + j + 2).map(c => [a, b, c])),
);

export const examples: Readonly<Record<string, Example>> = {
  quick: {
    title: 'Hildebrandt and Zeller 2000, Table 1: change 7 alone fails',
    algorithm: 'ddmin',
    model: { labels: eight, fails: ['7'] },
  },
  granularity: {
    title: 'Hildebrandt and Zeller 2000, Table 2: changes 1, 7 and 8 together, unresolved when only some are there',
    algorithm: 'ddmin',
    model: { labels: eight, fails: ['1', '7', '8'], partly: 'unresolved' },
  },
  linear: {
    title: 'Zeller, "Simplifying Test Cases", Linear Simplification: changes 5 and 7',
    algorithm: 'ddlin',
    model: { labels: eight, fails: ['5', '7'] },
  },
  'divide-and-conquer': {
    title:
      'Zeller, "Simplifying Test Cases", Divide-and-Conquer Simplification: changes 5 and 7; restarts with n = 2, larger part first',
    algorithm: 'ddmin-complements',
    model: { labels: eight, fails: ['5', '7'] },
    choices: { restart: true, largerFirst: true },
  },
  'sheet-ddmin': {
    title: '"Step-by-Step Delta Debugging", §1.3: 0 and 4 only together, 2 reveals the bug; rounds are completed',
    algorithm: 'ddmin',
    model: { labels: sheet, fails: ['2'], together: [['0', '4']] },
    choices: { round: 'complete', complementsOfTwo: true },
    ends: 'full',
  },
  'sheet-dd': {
    title: '"Step-by-Step Delta Debugging", §2.3: unresolved without 0 and 4, 2 reveals the bug; rounds are completed',
    algorithm: 'dd',
    model: { labels: sheet, fails: ['2'], required: ['0', '4'] },
    choices: { round: 'complete' },
    ends: 'both',
  },
  regression: {
    title: 'Yu et al. 2012, Fig. 1: c4 and c5 fail with c3; dd',
    algorithm: 'dd',
    model: regression,
  },
  'regression-add': {
    title: 'Yu et al. 2012, Fig. 2: the same, add on D = {c4, c5, c6, c7}',
    algorithm: 'add',
    model: regression,
    choices: { suspects: [3, 4, 5, 6] },
  },
  tree: {
    title: 'Zeller, "Simplifying Test Cases", Syntactical Simplification: z[i] = z[i] * (z[0] + 1.0), split by subtree',
    algorithm: 'ddmin-complements',
    model: tree,
    choices: { bySubtree: true, half: true, parents: tree.parents! },
  },
  'tree-levels': {
    title: 'The same tree, level by level: everything below 1 can be removed',
    algorithm: 'hdd',
    model: { ...tree, fails: ['1', '2', '2.2'], unresolvedWithout: [] },
    choices: { parents: tree.parents! },
  },
  'one-cause': {
    title: 'One cause, two deltas: two ways to avoid the failure',
    algorithm: 'marco',
    model: { labels: sheet, fails: ['2', '6'] },
  },
  'either-of-two': {
    title: 'Δ3 or Δ17: two causes, and only leaving out both avoids the failure',
    algorithm: 'marco',
    model: { labels: numbered(0, 32), fails: ['3'], or: [['17']] },
  },
  'three-causes': {
    title: '{1, 2}, {2, 9} or {30}: causes that share a delta',
    algorithm: 'marco',
    model: { labels: forty, fails: ['1', '2'], or: [['2', '9'], ['30']] },
  },
  'four-pairs': {
    title: 'Four disjoint pairs in 64 deltas: sixteen ways to avoid the failure',
    algorithm: 'marco',
    model: {
      labels: numbered(0, 64),
      fails: ['0', '1'],
      or: [
        ['2', '3'],
        ['4', '5'],
        ['6', '7'],
      ],
    },
  },
  'three-of-five': {
    title: 'Any three of five deltas: ten causes that overlap',
    algorithm: 'marco',
    model: { labels: numbered(0, 20), fails: triples[0]!, or: triples.slice(1) },
  },
  'far-apart': {
    title: 'Δ5 or Δ900 in 1000 deltas',
    algorithm: 'marco',
    model: { labels: numbered(0, 1000), fails: ['5'], or: [['900']] },
  },
  'hidden-cause': {
    title: '{2, 6} or {4, 6}, and 3 needs 2: what stays unknown',
    algorithm: 'marco',
    model: { labels: sheet, fails: ['2', '6'], or: [['4', '6']], needs: [['3', '2']] },
  },
};

/** The strategies that jobs are built from, under the same laws as the published algorithms. */
import {
  type Configuration,
  deltasOf,
  has,
  intersection,
  isEmpty,
  minus,
  nearlyEqual,
  type Outcome,
  of,
  runInOrder,
  type Strategy,
  size,
  union,
} from '../../src/core/index.js';
import { askAll } from '../../src/strategies/ask-all.js';
import { type CuttingOptions, cutting, type Grouping } from '../../src/strategies/cutting.js';
import { type FirstBad, firstBad, type HistoryCommit, type HistoryOptions } from '../../src/strategies/first-bad.js';
import { type Descended, ddmin, descend, sweep } from '../../src/strategies/index.js';
import { minimiseAdded, minimiseReverted } from '../../src/strategies/minimise-changes.js';
import { preventions } from '../../src/strategies/prevent.js';
import { type Ask, oneMinimal, type Subject } from './subjects.js';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const every = (count: number, is: (i: number) => boolean): Configuration => of(numbers(count).filter(is));
const each = (set: Configuration): readonly Configuration[] => [...deltasOf(set)].map(delta => of([delta]));

/** D inside F: F still fails, and D explains it, unless it says otherwise. */
const descending = (name: string, suspectsOf: (count: number) => Configuration, options: CuttingOptions): Subject => ({
  name,
  make: count => descend({ suspects: suspectsOf(count), ...cutting(options) }) as unknown as Strategy<unknown, unknown>,
  failing: result => [(result as Descended).failing],
  broken(result, test) {
    const { suspects, failing, refuted } = result as Descended;
    const without = test(minus(failing, suspects));
    if (refuted !== (without === 'fail')) return `refuted is ${refuted}, but F − D is ${without}`;
    if (size(suspects) < 2 || options.groupings) return undefined;
    const alone = [...deltasOf(suspects)].find(delta => test(of([delta])) === 'fail');
    return alone === undefined ? undefined : `${alone} alone fails`;
  },
});

const thirds = (count: number): Grouping =>
  numbers(Math.ceil(count / 3)).map(i => numbers(count).slice(3 * i, 3 * i + 3));

/** Each unit of the result is needed. A unit is a delta, or the part of a group that is in the result. */
const unitsOf = (result: Configuration, groups: Grouping | undefined): readonly Configuration[] =>
  (groups ? groups.map(group => intersection(of(group), result)) : each(result)).filter(unit => !isEmpty(unit));

const minimising = (name: string, groupsOf: (count: number) => Grouping | undefined): readonly Subject[] => {
  const options = (count: number) => {
    const groups = groupsOf(count);
    const fixed = every(count, i => i % 4 === 0 && count > 4);
    return { fixed, free: minus([0, count], fixed), ...(groups && { groups }) };
  };
  return [
    {
      name: `minimiseAdded${name}`,
      make: count => minimiseAdded(options(count)) as Strategy<unknown, unknown>,
      failing: (result, all) => [union(options(size(all)).fixed, result as Configuration)],
      broken(result, test, all) {
        const { fixed, groups } = options(size(all));
        for (const unit of unitsOf(result as Configuration, groups))
          if (test(union(fixed, minus(result as Configuration, unit))) === 'fail') return `${unit} is not needed`;
        return undefined;
      },
    },
    {
      name: `minimiseReverted${name}`,
      make: count => minimiseReverted([0, count], options(count)) as Strategy<unknown, unknown>,
      failing: (_, all) => [all],
      broken(result, test, all) {
        const { fixed, groups } = options(size(all));
        const reverted = union(fixed, result as Configuration);
        if (test(minus(all, reverted)) !== 'pass') return 'the rest does not pass';
        for (const unit of unitsOf(result as Configuration, groups))
          if (test(minus(all, minus(reverted, unit))) === 'pass') return `${unit} need not be reverted`;
        return undefined;
      },
    },
  ];
};

/** The definition of `preventions`: take a minimal set out until the rest prevents nothing; halve what is unresolved. */
function preventionsOf(set: Configuration, inner: () => Strategy<unknown>, test: Ask): readonly Configuration[] {
  if (isEmpty(set)) return [];
  const outcome = test(set);
  if (outcome === 'unresolved')
    return size(set) < 2 ? [] : nearlyEqual(set, 2).flatMap(half => preventionsOf(half, inner, test));
  if (outcome === 'pass') return [];
  const found = runInOrder(inner(), set, test).result;
  return [found, ...preventionsOf(minus(set, found), inner, test)];
}

const preventing = (name: string, inner: () => Strategy<unknown>, emptyToo: boolean): Subject => ({
  name,
  make: () => preventions(inner()) as Strategy<unknown, unknown>,
  failing: result => result as readonly Configuration[],
  broken(result, test, all) {
    const found = result as readonly Configuration[];
    for (const [i, set] of found.entries()) {
      if (found.slice(0, i).some(other => !isEmpty(intersection(set, other)))) return 'two sets overlap';
      const spare = oneMinimal(set, test, { emptyToo });
      if (spare) return spare;
    }
    const expected = preventionsOf(all, inner, test);
    return String(found) === String(expected) ? undefined : `${found} is not ${expected}`;
  },
});

/** A history with merges: every third commit also has the one before its parent as a parent. */
const historyOf = (count: number): readonly HistoryCommit[] =>
  numbers(count).map(i => ({
    id: `c${i}`,
    parents: [i - 1, ...(i % 3 === 2 ? [i - 2 - (i % 2)] : [])].map(parent => `c${parent}`),
  }));
const lineOf = (commits: readonly HistoryCommit[], commit: number): Configuration => {
  const seen = new Set([commit]);
  for (const at of seen)
    for (const id of commits[at]!.parents) if (Number(id.slice(1)) >= 0) seen.add(Number(id.slice(1)));
  return of(seen);
};

const history = (name: string, options: HistoryOptions): Subject => ({
  name,
  make: count => firstBad(historyOf(count), options) as Strategy<unknown, unknown>,
  failing: (result, all) => {
    const { commit } = result as FirstBad;
    return commit === undefined ? [all] : [lineOf(historyOf(size(all)), commit)];
  },
  broken(result, test, all) {
    const { commit, candidates, neverPassed } = result as FirstBad;
    const commits = historyOf(size(all));
    const outcomes = commits.map((_, i): Outcome => test(lineOf(commits, i)));
    const others = [...deltasOf(candidates)].filter(each => outcomes[each] !== 'unresolved');
    if (others.length > 1) return `${others} can be distinguished by a test`;
    if (neverPassed && commit !== undefined) return 'nothing passed, and a commit is blamed';
    const cleared = commits.flatMap((_, i) => (outcomes[i] === 'pass' ? [lineOf(commits, i)] : []));
    for (const id of commit === undefined ? [] : commits[commit]!.parents) {
      const parent = Number(id.slice(1));
      if (parent >= 0 && !cleared.some(line => has(line, parent))) return `parent ${parent} was never cleared`;
    }
    return undefined;
  },
});

export const jobSubjects: readonly Subject[] = [
  descending('descend', count => every(count, i => i % 3 !== 0 || count < 3), {}),
  descending('descend, everything suspected', count => [0, count], {}),
  descending('descend by groups and weights', count => every(count, i => i % 5 !== 1 || count < 3), {
    groupings: [thirds(36)],
    likely: delta => 1 + (delta % 4),
  }),
  ...minimising('', () => undefined),
  ...minimising(' by groups', thirds),
  preventing('preventions by ddmin', () => ddmin() as Strategy<unknown>, false),
  preventing('preventions by sweep', () => sweep() as Strategy<unknown>, true),
  history('first bad commit', {}),
  history('first bad commit, without one that passes', { startsPassing: false }),
  {
    name: 'askAll',
    make: count => askAll([0, count], questionsOf(count)) as Strategy<unknown, unknown>,
    failing: (_, all) => [all],
    broken(result, test, all) {
      const expected = questionsOf(size(all)).map(test);
      return String(result) === String(expected) ? undefined : `${result} is not ${expected}`;
    },
  },
  {
    name: 'askAll until one passes',
    make: count => askAll([0, count], questionsOf(count), 'pass') as Strategy<unknown, unknown>,
    failing: (_, all) => [all],
    broken(result, test, all) {
      const outcomes = questionsOf(size(all)).map(test);
      const first = outcomes.indexOf('pass');
      const expected = first < 0 ? outcomes : outcomes.slice(0, first + 1);
      return String(result) === String(expected) ? undefined : `${result} is not ${expected}`;
    },
  },
];

function questionsOf(count: number): readonly Configuration[] {
  return [2, 3, 5].map(n => every(count, i => i % n === 0));
}

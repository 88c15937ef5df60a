/** The budget of each group, in addition to that of the whole run. */
import type { Counter, ExploreOptions } from '../../engine/index.js';
import type { Journal } from '../../run/journal.js';

export interface GroupBudget {
  readonly tests?: number | undefined;
  readonly seconds?: number | undefined;
}

export interface Budgets {
  /** The limits of one search, named by `label`, for a group. */
  limits(key: string, label: string): Pick<ExploreOptions<never>, 'maxTests' | 'outOfTime'>;
  /** Counts a search against its group. Called when it ends. */
  settle(key: string, label: string): void;
  /** What a search may spend depends on what others have spent. */
  readonly areCounted: boolean;
  /** The whole run has no budget left. */
  isSpent(): boolean;
}

/**
 * Tests are counted as one worker would run them, so a budget of tests always ends a search at the same step. A time budget
 * does not: the step at which it ran out is recorded, and a resumed run stops there too.
 */
export function budgetsOf(
  group: GroupBudget,
  { maxTests = Infinity, outOfTime = () => false }: Pick<ExploreOptions<never>, 'maxTests' | 'outOfTime'>,
  { counter, journal }: { readonly counter: Counter; readonly journal: Journal },
): Budgets {
  const used = new Map<string, { tests: number; seconds: number }>();
  const usedBy = (key: string) => used.get(key) ?? { tests: 0, seconds: 0 };
  const noteOf = (label: string) => `time ran out: ${label}`;
  let began = { spent: 0, at: 0 };
  let isLate = false;
  return {
    areCounted: maxTests !== Infinity || group.tests !== undefined || group.seconds !== undefined,
    limits(key, label) {
      began = { spent: counter.spent, at: performance.now() };
      isLate = false;
      const noted = journal.noted<number>(noteOf(label));
      const { tests, seconds } = usedBy(key);
      const left = (group.tests ?? Infinity) - tests;
      const limit = Math.min(maxTests, counter.spent + Math.max(0, left), noted ?? Infinity);
      return {
        ...(limit === Infinity ? {} : { maxTests: limit }),
        outOfTime() {
          if (outOfTime()) return true;
          if (noted !== undefined || group.seconds === undefined) return false;
          isLate ||= seconds + (performance.now() - began.at) / 1000 >= group.seconds;
          return isLate;
        },
      };
    },
    settle(key, label) {
      const { tests, seconds } = usedBy(key);
      used.set(key, {
        tests: tests + counter.spent - began.spent,
        seconds: seconds + (performance.now() - began.at) / 1000,
      });
      if (isLate) journal.note(noteOf(label), counter.spent);
    },
    isSpent: () => counter.spent >= maxTests || outOfTime(),
  };
}

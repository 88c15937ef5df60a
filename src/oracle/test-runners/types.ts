/** What a test runner must offer so that culprit can choose its tests, order them and read how each of them ended. */
import type { Arrangement, TestName } from '../../circumstances/tests.js';

export interface TestRunner {
  readonly name: string;
  /** How to get it, if it is not installed. */
  readonly install: string;
  /** What can be put in another order: whole files, and the tests in a file. */
  readonly orders: 'files and tests' | 'files' | 'nothing';
  /** The name by which it selects a test, if tests of several files may share it. */
  readonly selectedBy?: (test: TestName) => string;
  /** What is compared before and after the other tests. */
  readonly compares: string;
  /** Whether it can be watched what each test changes. If not, only what the others leave for one test is compared. */
  readonly watchesEachTest?: boolean;
  /** Whether all files are loaded before the first test runs, and not each of them before its own tests. */
  readonly loadsAllFirst?: boolean;
  /** The position of the program in the words, or `undefined` if they call something else. */
  find(words: readonly string[]): number | undefined;
  /** The command that runs these tests, or all of them. Everything else that it needs is in the plan. */
  argv(called: Called, arrangement: Arrangement | undefined): readonly string[];
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The same as a command line of the runner itself, if it can express it. */
  inOwnWords?(called: Called, arrangement: Arrangement): readonly string[] | undefined;
}

/** How the user calls a runner. */
export interface Called {
  /** As it was typed, up to and including the program: `npx vitest`, `python3 -m pytest`. */
  readonly typed: readonly string[];
  /** What starts the program, without a package manager in between. */
  readonly program: readonly string[];
  readonly args: readonly string[];
}

export interface TestResult extends TestName {
  readonly state: 'passed' | 'failed';
  readonly message?: string;
}

/** Something that tests share, and its value before and after in a word (`null`: there was none). */
export type Change = readonly [kind: string, name: string, was: string | null, is: string | null];

/** What a test changed. */
export interface Changes {
  /** Left out: all tests before the target. */
  readonly by?: TestName;
  /** The process in which it ran. What is in memory ends with it. */
  readonly session: string;
  readonly changes: readonly Change[];
}

/** Something that tests share and that other tests changed before the target ran. */
export interface Trace {
  readonly kind: string;
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** What the plugins read; its path is in `CULPRIT_TESTS`. */
export interface Plan {
  /** The folder whose copy the tests run in. */
  readonly home: string;
  /** Gets one line of JSON per result. */
  readonly results?: string;
  readonly arrangement?: Arrangement;
  readonly target?: TestName;
  /** Compare what tests share from test to test (for some runners, only up to the target). */
  readonly watch?: boolean;
}

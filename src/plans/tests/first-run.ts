/** Runs the whole suite and single tests of it, and decides which test depends on others, and how. */
import {
  type Arrangement,
  arrange,
  isSameTest,
  only,
  shownTest,
  shuffled,
  type TestName,
} from '../../circumstances/tests.js';
import { UserError } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import { quoteAll } from '../../core/shell.js';
import { ownSeconds } from '../../oracle/command/first-run.js';
import type { Chosen } from '../../oracle/test-runners/index.js';
import type { Suite, SuiteRun } from '../../oracle/test-runners/suite.js';
import type { Changes, TestResult } from '../../oracle/test-runners/types.js';
import type { Context, JobOptions } from '../job.js';
import { firstLine, resultOf, type TargetFailure } from './judge.js';
import { showAgain } from './show-again.js';

export interface TestsOptions extends JobOptions {
  readonly test?: string;
  readonly shuffle?: number;
}

/** What the first runs decide for the whole run. */
export interface Settled extends TargetFailure {
  readonly arrangement: Arrangement;
  readonly timeout: number;
  /** 0: the order of the suite; otherwise the seed of the order in which the target fails. */
  readonly seed: number;
  /** It did not end in the same way each time. */
  readonly suspect?: boolean;
  /** Other tests that fail in this order. */
  readonly others: readonly TestName[];
  /** Where the search begins: fewer tests, among which the target has the same outcome. */
  readonly begin: Arrangement;
  /** What the tests before the target changed, if that was watched. */
  readonly changed: readonly Changes[];
}

/** What the first runs know before it is shown again. */
export type Suspected = Omit<Settled, 'begin' | 'suspect'> & {
  /** The tests that ran before the target. */
  readonly before: readonly TestName[];
};

/** Seconds that the whole suite may take without --timeout: this run sets the timeout of the tests. */
const patience = 3600;
/** Each failing test is run alone once. A suite in which everything fails has another problem. */
const mostAlone = 10;

export interface Asking {
  readonly suite: Suite;
  readonly chosen: Chosen;
  readonly context: Context;
  readonly timeout: number;
  readonly alone: Map<string, SuiteRun>;
}

export async function settle(suite: Suite, chosen: Chosen, context: Context): Promise<Settled> {
  const { folder, say } = context;
  const options = context.options as TestsOptions;
  const known = folder.journal.noted<Settled>('first run');
  if (known) return known;
  const whole = await runWhole(suite, chosen, context);
  const { results, run } = whole;
  if (results.length === 0) throw noResults(chosen, whole);
  const timeout = options.timeout ?? Math.max(1, ownSeconds(run) * 10);
  const natural = arrange(results, whole.order);
  const failed = results.filter(({ state }) => state === 'failed');
  const size = `${counted(results.length, 'test')} in ${counted(natural.length, 'file')}`;
  say(`${size}: ${failed.length} failed, in ${run.seconds.toFixed(1)} s`);
  const asking: Asking = { suite, chosen, context, timeout, alone: new Map() };
  const asked = options.test === undefined ? undefined : findTest(results, options.test);
  const settled =
    (await dependent({ ran: whole, arrangement: natural, seed: 0 }, asked, asking)) ??
    (await inOtherOrders(natural, asked, asking)) ??
    refuse(whole, asked, asking);
  const seen = await showAgain(settled, asking);
  folder.journal.note('first run', seen);
  return seen;
}

/** The suite as it is. If it is watched what each test changes, a suite that passes runs once more by itself. */
async function runWhole(suite: Suite, { runner }: Chosen, { options, signal }: Context): Promise<SuiteRun> {
  const limits = { timeout: options.timeout ?? patience, signal };
  if (!runner.watchesEachTest) return suite.run(limits);
  const ran = await suite.run({ ...limits, watched: 'each' });
  return ran.results.some(({ state }) => state === 'failed') ? ran : suite.run(limits);
}

/** A run of the suite in one order. */
interface OrderedRun {
  readonly ran: SuiteRun;
  readonly arrangement: Arrangement;
  /** The seed of the order; 0: not shuffled. */
  readonly seed: number;
}

/** The first test whose outcome in this order differs from its outcome alone. */
async function dependent(
  { ran, arrangement, seed }: OrderedRun,
  asked: TestName | undefined,
  asking: Asking,
): Promise<Suspected | undefined> {
  const failed = ran.results.filter(({ state }) => state === 'failed');
  const candidates = asked ? ran.results.filter(result => isSameTest(result, asked)) : failed.slice(0, mostAlone);
  for (const candidate of candidates) {
    const { file, name, state } = candidate;
    const target = { file, name };
    const alone = await runAlone(target, asking);
    if (alone.state === state) continue;
    const message = (state === 'failed' ? candidate : alone).message ?? 'failed';
    const others = failed.filter(result => !isSameTest(result, target)).map(({ file, name }) => ({ file, name }));
    const before = ran.results.slice(0, ran.results.indexOf(candidate)).map(({ file, name }) => ({ file, name }));
    const changed = ran.changed.filter(({ by }) => by && before.some(test => isSameTest(test, by)));
    return { target, state, message, arrangement, timeout: asking.timeout, seed, others, before, changed };
  }
  return undefined;
}

async function inOtherOrders(
  natural: Arrangement,
  asked: TestName | undefined,
  asking: Asking,
): Promise<Suspected | undefined> {
  const { suite, chosen, context, timeout } = asking;
  const { shuffle = 0 } = context.options as TestsOptions;
  for (let seed = 1; seed <= shuffle; seed++) {
    const arrangement = shuffled(natural, seed, chosen.runner.orders === 'files and tests');
    const watched = chosen.runner.watchesEachTest ? { watched: 'each' as const } : {};
    const ran = await suite.run({ arrangement, timeout, signal: context.signal, ...watched });
    context.say(`order ${seed}: ${ran.results.filter(({ state }) => state === 'failed').length} failed`);
    const found = await dependent({ ran, arrangement, seed }, asked, asking);
    if (found) return found;
  }
  return undefined;
}

async function runAlone(target: TestName, { suite, context, timeout, alone, chosen }: Asking): Promise<TestResult> {
  const key = shownTest(target);
  const ran = alone.get(key) ?? (await suite.run({ arrangement: only(target), timeout, signal: context.signal }));
  alone.set(key, ran);
  const result = resultOf(ran, target);
  if (result) return result;
  throw new UserError(
    `${key} can't be run alone: ${ran.run.timedOut ? 'it does not end in time' : `${chosen.runner.name} did not run it`}.`,
    lastWords(ran),
    1,
  );
}

/** What `--test` names: a whole `file › name`, a name, or a part of either that matches only one test. */
function findTest(results: readonly TestResult[], asked: string): TestName {
  const exact = results.filter(test => shownTest(test) === asked || test.name === asked);
  const found = exact.length > 0 ? exact : results.filter(test => shownTest(test).includes(asked));
  if (found.length === 1) return found[0]!;
  const list = (tests: readonly TestName[]) =>
    tests
      .slice(0, 5)
      .map(test => `\n  ${shownTest(test)}`)
      .join('');
  if (found.length > 1)
    throw new UserError(`--test ${asked} names ${found.length} tests.`, `Write one of them in full:${list(found)}`);
  throw new UserError(
    `No test that ran is called ${asked}.`,
    `Write a part of its name that no other test has. ${results.length} tests ran, for example:${list(results)}`,
  );
}

function refuse({ results }: SuiteRun, asked: TestName | undefined, { chosen, context }: Asking): never {
  const { shuffle = 0 } = context.options as TestsOptions;
  const tried = shuffle > 0 ? `, in the order of the suite and in ${shuffle} others` : '';
  const failed = results.filter(({ state }) => state === 'failed');
  const [first] = asked ? failed.filter(result => isSameTest(result, asked)) : failed;
  if (first) {
    const own = chosen.runner.inOwnWords?.(chosen.called, only(first));
    const isOne = asked !== undefined || failed.length === 1;
    throw new UserError(
      isOne
        ? `${shownTest(first)} fails alone too: ${firstLine(first.message ?? 'failed')}`
        : `Each of the ${Math.min(failed.length, mostAlone)} failing tests that were tried fails alone too, for example ${shownTest(first)}.`,
      `So other tests are not the reason.${own ? ` To run it alone: ${quoteAll(own)}` : ''}`,
      1,
    );
  }
  throw new UserError(
    asked
      ? `${shownTest(asked)} passes, alone and among all tests${tried}.`
      : `${results.length === 1 ? 'The only test passes' : `All ${results.length} tests pass`}${tried}.`,
    shuffle > 0
      ? 'Try more orders with a larger --shuffle.'
      : `Nothing to look for. ${chosen.runner.orders === 'nothing' ? 'If a test fails when it runs alone, name it with --test.' : 'To try other orders, add --shuffle 20; if a test fails when it runs alone, name it with --test.'}`,
    1,
  );
}

function noResults({ runner }: Chosen, ran: SuiteRun): UserError {
  const { run } = ran;
  const isMissing =
    run.exit === 127 ||
    /No module named '?pytest|Cannot find (module|package) '?(vitest|jest|mocha)/.test(outputOf(ran));
  if (isMissing)
    return new UserError(`${runner.name} is not installed here.`, `Install it first: ${runner.install}`, 1);
  const how = run.timedOut ? 'did not end in time' : `ended with ${run.exit ?? run.signal}`;
  return new UserError(`${runner.name} reported no test: it ${how}.`, lastWords(ran), 1);
}

const outputOf = ({ run }: SuiteRun): string => Buffer.concat([run.stdout, run.stderr]).toString('utf8');

function lastWords(ran: SuiteRun): string {
  const lines = outputOf(ran).trimEnd().split('\n').slice(-12);
  return lines.join('') === ''
    ? 'It printed nothing.'
    : `The last lines that it printed:\n${lines.map(line => `  ${line}`).join('\n')}`;
}

/** What a run of some tests says about the test in question. */
import { type Arrangement, isSameTest, shownTest, type TestName, testsOf } from '../../circumstances/tests.js';
import type { Verdict } from '../../core/index.js';
import type { SuiteRun } from '../../oracle/test-runners/suite.js';
import type { TestResult } from '../../oracle/test-runners/types.js';

/** What counts as the failure: the target fails as in the whole suite, or (`passed`) it passes as it did there. */
export interface TargetFailure {
  readonly target: TestName;
  readonly state: TestResult['state'];
  /** How the target fails: in the whole suite, or alone if it passes there. */
  readonly message: string;
}

export const resultOf = ({ results }: SuiteRun, target: TestName): TestResult | undefined =>
  results.find(result => isSameTest(result, target));

/**
 * Three outcomes. A target that did not run, or failed in another way, says nothing about the tests that were left out; nor
 * does a run in which the runner could not leave them out.
 */
export function judge(ran: SuiteRun, arrangement: Arrangement, sought: TargetFailure): Verdict {
  const { target, state, message } = sought;
  const { run } = ran;
  const about = { seconds: run.seconds, ...(run.exit === undefined ? {} : { exit: run.exit }) };
  const result = resultOf(ran, target);
  const extra = extraIn(ran, arrangement);
  if (extra) return { outcome: 'unresolved', reason: `the runner ran ${shownTest(extra)} too`, ...about };
  if (!result) return { outcome: 'unresolved', reason: run.timedOut ? 'timeout' : 'the test did not run', ...about };
  if (result.state === 'passed') return { outcome: state === 'passed' ? 'fail' : 'pass', ...about };
  const shown = result.message ?? 'failed';
  if (kindOf(shown) !== kindOf(message))
    return { outcome: 'unresolved', reason: `another failure: ${firstLine(shown)}`, ...about };
  return { outcome: state === 'failed' ? 'fail' : 'pass', signature: kindOf(shown), ...about };
}

function extraIn({ results }: SuiteRun, arrangement: Arrangement): TestName | undefined {
  const asked = new Set(testsOf(arrangement).map(shownTest));
  return results.find(result => !asked.has(shownTest(result)));
}

export const firstLine = (text: string): string => text.split('\n', 1)[0]!.slice(0, 200);

/** A failure without its values: for example, the number of leftover items depends on which tests ran before. */
export const kindOf = (message: string): string =>
  firstLine(message)
    .replace(/(["'`]).*?\1/g, '…')
    .replace(/\[[^\]]*\]|\{[^}]*\}|\([^)]*\)/g, '…')
    .replace(/-?\d+(\.\d+)?/g, '#');

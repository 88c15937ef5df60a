/** Describes in sentences on which tests the target depends, and what they leave behind. */
import { type Arrangement, isSameTest, shownTest, type TestName, testsOf } from '../../circumstances/tests.js';
import type { Trace } from '../../oracle/test-runners/types.js';
import type { Settled } from './first-run.js';
import { firstLine } from './judge.js';
import type { TestsFound } from './search.js';

export interface Needs {
  /** In the order in which they run. */
  readonly tests: readonly TestName[];
  /** Files that must be loaded although none of their tests runs. */
  readonly loaded: readonly string[];
}

export const needsOf = (arrangement: Arrangement, target: TestName): Needs => ({
  tests: testsOf(arrangement).filter(test => !isSameTest(test, target)),
  loaded: arrangement.filter(({ tests }) => tests.length === 0).map(({ file }) => file),
});

export function answerOf({ target, state, message, others }: Settled, found: TestsFound): string {
  const { tests, loaded } = needsOf(found.best, target);
  const verb = state === 'failed' ? 'fails' : 'passes';
  const conditions = [
    ...(tests.length > 0 ? [`after ${listed(tests.map(shownTest))}${orderOf(found)}`] : []),
    ...(loaded.length > 0 ? [`if ${listed(loaded)} ${loaded.length === 1 ? 'is' : 'are'} loaded`] : []),
  ];
  const alone =
    state === 'failed' ? `It fails with: ${firstLine(message)}` : `Otherwise it fails with: ${firstLine(message)}`;
  const more = others.slice(0, 5).map(test => `\n  ${shownTest(test)}`);
  const rest = others.length > 5 ? `\n  and ${others.length - 5} more` : '';
  return [
    conditions.length === 0
      ? `${shownTest(target)} ${verb} alone too, once it is run by name: no other test is needed.`
      : `${shownTest(target)} ${verb} only ${conditions.join(', and ')}.`,
    alone,
    ...(others.length > 0
      ? [`Other tests that fail in the same run; look at them one by one with --test:${more.join('')}${rest}`]
      : []),
  ].join('\n');
}

const orderOf = ({ othersInOrder }: TestsFound): string =>
  othersInOrder === undefined ? '' : othersInOrder ? ', in this order' : ', in any order of these';

const listed = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

const mostTraces = 20;

export function leavesOf(traces: readonly Trace[], needs: Needs, compares: string): string {
  if (needs.tests.length === 0) return '';
  const who = needs.tests.length === 1 ? shownTest(needs.tests[0]!) : 'These tests';
  if (traces.length === 0) return `No change was seen in what is compared: ${compares}.`;
  const lines = traces.slice(0, mostTraces).map(({ kind, name, change }) => `  ${kind} ${name}: ${change}`);
  const rest = traces.length > mostTraces ? [`  and ${traces.length - mostTraces} more`] : [];
  return [`${who} ${needs.tests.length === 1 ? 'leaves' : 'leave'} behind:`, ...lines, ...rest].join('\n');
}

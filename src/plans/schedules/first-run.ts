/** Runs the command as it is, then in the default order of events, before any schedule is tried. */
import { basename } from 'node:path';
import { defaultSchedule } from '../../circumstances/lateness.js';
import { type Outcome, UserError } from '../../core/index.js';
import { ownSeconds, timeoutFor } from '../../oracle/command/first-run.js';
import { type Asked, didNotRun } from '../../oracle/command/rules.js';
import { excerpt } from '../../oracle/command/run-in-words.js';
import type { Run } from '../../oracle/process/index.js';
import { describeJudged, type Judged, type ScheduleOracle } from '../../oracle/schedules/oracle.js';
import type { Recording } from '../../oracle/schedules/recording.js';
import type { Context } from '../job.js';

/** Seconds that the command may take without --timeout: there is nothing to compare with yet. */
const patience = 60;

/** What is known before any schedule is tried. Plain data, kept in the journal. */
export interface FirstOrder {
  /** The outcome in the default order of events. */
  readonly outcome: 'pass' | 'fail';
  /** Without culprit, the command ends in a different way. */
  readonly differs: boolean;
  /** What counts as the failure; any failure, if no rule was given and nothing has failed yet. */
  readonly rule: Judged;
  readonly described: string;
  readonly timeout: number;
  readonly recording: Recording;
}

export interface FirstOrderFacts {
  readonly asked: Exclude<Asked, { kind: 'differs' }>;
  readonly shown: string;
  readonly here: string;
  /** Why nothing may have been recorded. */
  readonly unseen: string;
}

/** Runs the command as it is, then in the default order of events; a resumed run remembers the outcomes. */
export async function firstOrder(
  oracle: ScheduleOracle,
  facts: FirstOrderFacts,
  { folder: { journal }, options, signal }: Context,
): Promise<FirstOrder> {
  const known = journal.noted<FirstOrder>('first order');
  if (known) return known;
  const { asked } = facts;
  const limit = options.timeout ?? patience;
  const anyRule: Judged = asked.kind === 'signature' ? { kind: 'any failure' } : asked;
  const plain = await oracle.plain(limit, signal);
  demandStarted(plain.run, facts);
  const isEndless = plain.run.timedOut;
  if (isEndless && asked.kind !== 'hang') throw endless(facts, limit, 'as it is');
  const { attempt, recording } = await oracle.observe(defaultSchedule, limit, signal);
  if (attempt.run.timedOut && asked.kind !== 'hang') throw endless(facts, limit, 'in the default order of events');
  demandEvents(recording, attempt.run, facts);
  const { outcome } = oracle.verdict(anyRule, attempt);
  if (outcome === 'unresolved') throw unclear(facts, attempt.run);
  const rule = outcome === 'fail' ? oracle.settle(asked, attempt) : anyRule;
  const first: FirstOrder = {
    outcome,
    differs: outcomeWithout(oracle, anyRule, plain.run) !== outcome,
    rule,
    described: describeJudged(rule),
    timeout: options.timeout ?? timeoutFor(Math.max(ownSeconds(plain.run), ownSeconds(attempt.run))),
    recording,
  };
  journal.note('first order', first);
  return first;
}

const outcomeWithout = (oracle: ScheduleOracle, rule: Judged, run: Run): Outcome =>
  oracle.verdict(rule, { run }).outcome;

function demandStarted(run: Run, { shown, here }: FirstOrderFacts): void {
  const reason = run.timedOut ? undefined : (didNotRun(run) ?? missingProgram(run));
  if (reason === undefined) return;
  throw new UserError(
    `The command can't be run: ${reason}.${said(run)}`,
    `Check its name and its path. To check it yourself:\n  cd ${here} && ${shown}`,
  );
}

/** Node's way to say that the file to run does not exist: no module required it. */
function missingProgram({ exit, stderr }: Run): string | undefined {
  const text = Buffer.from(stderr).toString();
  const path = /Error: Cannot find module '([^'\n]+)'/.exec(text)?.[1];
  return exit === 1 && path !== undefined && text.includes('requireStack: []')
    ? `Node does not find the program ${basename(path)}`
    : undefined;
}

const endless = ({ here, shown }: FirstOrderFacts, limit: number, how: string): UserError =>
  new UserError(
    `The command does not end within ${limit} s ${how}, so there is nothing to compare other orders with.`,
    `Give it more time with --timeout <s>. If not ending is the failure, add --hang.\nTo check it yourself:\n  cd ${here} && ${shown}`,
    1,
  );

const unclear = ({ here, shown }: FirstOrderFacts, run: Run): UserError =>
  new UserError(
    `In the default order the command neither passes nor fails by this rule.${said(run)}`,
    `To check it yourself:\n  cd ${here} && ${shown}`,
    1,
  );

function demandEvents({ processes, order }: Recording, run: Run, { unseen }: FirstOrderFacts): void {
  if (processes.length === 0) throw new UserError('No process could be put under a schedule.', unseen, 1);
  if (order.length === 0)
    throw new UserError(
      run.exit !== 0
        ? `The program fails before any event that could come in another order.${said(run)}`
        : 'The program ends without any event that could come in another order.',
      'It starts no timer, no I/O and no thread; its failure must have another cause. `culprit env` or `culprit tests` may find it.',
      1,
    );
}

function said(run: Run): string {
  const lines = excerpt(run, 6);
  return lines.length === 0 ? '' : `\n${lines.map(line => `  ${line}`).join('\n')}`;
}

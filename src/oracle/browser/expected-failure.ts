/** Decides which failure of a page is the expected one, and judges replays by it. */
import { UserError, type Verdict } from '../../core/index.js';
import type { Recording } from '../../sources/recording/recording.js';
import { type Failing, failureText, type PageError, severity } from './failing.js';
import type { ReplayTiming, Run } from './run.js';

/** What the first run decided. Plain data: a journal can hold it. */
export interface ExpectedFailure {
  readonly kind: PageError['kind'] | 'command';
  readonly signature: string;
  readonly timing: ReplayTiming;
  /** Other errors of the original recording: they are not new, so they raise no doubt. */
  readonly known: readonly string[];
}

export interface FirstRun {
  readonly expected: ExpectedFailure;
  /** The rule in words. */
  readonly rule: string;
  /** The failure as the browser reported it. */
  readonly text: string;
  readonly seconds: number;
  /** It happened again in a second replay. */
  readonly stable: boolean;
  readonly notes: readonly string[];
}

const anotherFailure = 'another failure';

export function judge(expected: ExpectedFailure, run: Run): Verdict {
  const seen = run.errors.find(each => each.signature === expected.signature);
  if (seen) return { outcome: 'fail', signature: seen.signature, excerpt: seen.text };
  const stopped = replayProblem(run);
  if (run.lost || run.unopened !== undefined) return stopped!;
  const rank = (kind: PageError['kind'] | 'command') => severity.indexOf(kind as PageError['kind']);
  const floor = Math.max(rank(expected.kind), rank('exception'));
  const other = run.errors.find(
    each => rank(each.kind) >= 0 && rank(each.kind) <= floor && !expected.known.includes(each.signature),
  );
  if (other)
    return {
      outcome: 'unresolved',
      reason: other.kind === 'hang' ? 'timeout' : anotherFailure,
      signature: other.signature,
      excerpt: other.text,
    };
  return stopped ?? { outcome: 'pass', ...(run.busy && { reason: 'requests were still pending at the end' }) };
}

/** Why a recording could not be replayed, if that is so. */
export function replayProblem(run: Run): Verdict | undefined {
  if (run.lost) return { outcome: 'unresolved', reason: 'the browser crashed' };
  if (run.unopened !== undefined) return { outcome: 'unresolved', reason: `the page does not load: ${run.unopened}` };
  if (run.missing !== undefined) return { outcome: 'unresolved', reason: run.missing };
  return undefined;
}

/**
 * Whether a verdict could have been different with more time: a wait ended without result. Next to other tests it may just
 * have been slow.
 */
export const dependsOnTime =
  ({ kind, timing }: ExpectedFailure) =>
  ({ outcome, reason }: Verdict): boolean =>
    outcome === 'fail'
      ? kind === 'hang'
      : outcome === 'pass'
        ? timing.linger > 0 || reason !== undefined
        : reason !== anotherFailure;

/** The expected failure, among everything that the original showed: nothing that happens without any action. */
export function chooseFailure(
  failing: Exclude<Failing, { kind: 'command' }>,
  run: Run,
  without: Run,
): PageError | undefined {
  const idle = new Set(without.errors.map(each => each.signature));
  const fresh = run.errors.filter(each => !idle.has(each.signature));
  if (failing.kind === 'any') {
    for (const kind of severity) {
      const found = fresh.findLast(each => each.kind === kind);
      if (found) return found;
    }
    return undefined;
  }
  const match = 'match' in failing ? failing.match : undefined;
  return fresh.findLast(
    each => each.kind === failing.kind && (!match || match.test(each.text) || match.test(each.signature)),
  );
}

/** Three times what the original needed, plus a little: enough on a busy machine, and short if nothing happens. */
export function learnTiming(
  run: Run,
  asked: ReplayTiming,
  options: { readonly patience?: number; readonly timeout?: number },
  seen: PageError | undefined,
): ReplayTiming {
  // An error that repeats (in a timer) was late only if it was late the first time.
  const first = seen && seen.kind !== 'hang' && run.errors.find(each => each.signature === seen.signature);
  const late = first ? Math.max(0, first.at - (run.restedAt ?? first.at)) : 0;
  return {
    patience: options.patience ?? Math.min(asked.patience, Math.round(100 + 3 * run.longestWait)),
    load: asked.load,
    answer: options.timeout ?? Math.min(asked.answer, Math.max(2000, Math.round(10 * run.slowestStep))),
    linger: late === 0 ? 0 : Math.round(50 + 3 * late),
    unhurried: asked.unhurried,
  };
}

export function notesOn(run: Run, expected: ExpectedFailure, unhurried: boolean): readonly string[] {
  const others = [...new Set(run.errors.map(each => each.signature))].filter(each => each !== expected.signature);
  return [
    ...(run.missing !== undefined ? [`The original recording does not replay to its end: ${run.missing}.`] : []),
    ...(unhurried
      ? ['The failure happens only if the page is idle after each action, so every test waits for that.']
      : []),
    ...(others.length > 0
      ? [`Also seen, but not the expected failure: ${others.map(each => each.split('\n')[0]).join('; ')}`]
      : []),
  ];
}

export const needsNoAction = (): UserError =>
  new UserError(
    'Nothing to reduce: the command fails in the same way after a replay without any action.',
    'Either no action is to blame, or the first replay left something behind. Let the command clean up at its end.',
    1,
  );

export const doesNotLoad = (recording: Recording, why: string): UserError => {
  const step = recording.steps.find(each => each.type === 'navigate');
  const url = step?.type === 'navigate' ? step.url : '';
  return new UserError(
    `The page ${url} does not load: ${why.replace(/\.$/, '')}.`,
    'Start its server, or fix the first "navigate" step of the recording.',
    2,
  );
};

export function noFailure(failing: Failing, run: Run, without: Run, recording: Recording): UserError {
  const wanted =
    failing.kind === 'any' || failing.kind === 'command'
      ? 'no failure'
      : `not the expected failure (${failureText[failing.kind]})`;
  const idle =
    without.errors.length > 0
      ? `\nThis happens even without any action:\n  ${without.errors.map(each => each.signature.split('\n')[0]).join('\n  ')}`
      : '';
  const seen =
    run.errors.length > 0
      ? `\nThis happened:\n  ${run.errors.map(each => each.signature.split('\n')[0]).join('\n  ')}`
      : '';
  const stuck = run.missing !== undefined ? ` The replay ended early: ${run.missing}.` : '';
  const isDialog = failing.kind === 'any' && run.errors.some(each => each.kind === 'dialog');
  return new UserError(
    `Nothing to reduce: the recording was replayed (${recording.steps.length} steps), but there was ${wanted}.${stuck}${seen}${idle}`,
    isDialog
      ? 'If the dialog is the failure, add --dialog. Otherwise describe the failure with --fails-when <expression>.'
      : 'Record it again, give a slow page more time with --patience <ms>, or describe the failure with --fails-when <expression>.',
    1,
  );
}

/** The first replay: finds the failure, and how fast the recording can be replayed. */
import { UserError, type Verdict } from '../../core/index.js';
import type { Recording } from '../../sources/recording/recording.js';
import {
  chooseFailure,
  doesNotLoad,
  type ExpectedFailure,
  type FirstRun,
  learnTiming,
  needsNoAction,
  noFailure,
  notesOn,
} from './expected-failure.js';
import { type Failing, failureText, type PageError } from './failing.js';
import { baseOf } from './page-session.js';
import type { ReplayTiming, Run } from './run.js';

export const patientFirst: ReplayTiming = {
  patience: 5000,
  load: 60_000,
  answer: 10_000,
  linger: 1000,
  unhurried: false,
};

interface Settling {
  readonly options: { readonly failing: Failing; readonly timeout?: number; readonly patience?: number };
  readonly replay: (recording: Recording, timing: ReplayTiming) => Promise<Run>;
  /** A test of the original, as all later ones will be made. */
  readonly test: (expected: ExpectedFailure) => Promise<Verdict>;
  readonly signal: AbortSignal;
}

/**
 * Decides what the expected failure is and how to replay it: as fast as the page allows, or, if the failure does not show then, with a
 * pause after each action. The learned timing is tested on the original before it is used.
 */
export async function settleFirst(recording: Recording, settling: Settling): Promise<FirstRun> {
  const { options, test, signal } = settling;
  const { failing, timeout, patience } = options;
  const first: ReplayTiming = {
    ...patientFirst,
    ...(timeout !== undefined && { load: timeout, answer: timeout }),
    ...(patience !== undefined && { patience }),
  };
  for (const unhurried of [false, true]) {
    const asked = { ...first, unhurried };
    const shown = await show(recording, asked, settling).catch((error: unknown) => {
      // If the command found nothing wrong, the reason is reported when there is nothing else to try.
      if (unhurried || !(error instanceof UserError) || error.exitCode !== 1) throw error;
      return undefined;
    });
    if (!shown) continue;
    const { run, without, error, seconds } = shown;
    const settled: ExpectedFailure = {
      kind: error?.kind ?? 'command',
      signature: error?.signature ?? 'command',
      timing: learnTiming(run, asked, options, error),
      known: [...new Set([...run.errors, ...without.errors].map(each => each.signature))],
    };
    let expected = settled;
    let again = await test(expected);
    if (again.outcome !== 'fail') {
      expected = { ...settled, timing: asked };
      again = await test(expected);
    }
    signal.throwIfAborted();
    return {
      expected,
      rule: error
        ? failing.kind === 'expression'
          ? `fail = the expression ${failing.expression} becomes true`
          : `fail = ${failureText[error.kind]}, as in the original`
        : 'fail = the command after the replay fails as it did after the original',
      text: error?.text ?? '',
      seconds,
      stable: again.outcome === 'fail',
      notes: notesOn(run, expected, unhurried),
    };
  }
  throw new Error('not reached');
}

interface Shown {
  readonly run: Run;
  readonly without: Run;
  /** Nothing if a command decides. */
  readonly error?: PageError;
  readonly seconds: number;
}

/** Replays the original, and then only the steps that open its page: a failure that shows there is not caused by the actions. */
async function show(recording: Recording, timing: ReplayTiming, { options, replay, signal }: Settling): Promise<Shown> {
  const { failing } = options;
  const bare: Recording = { ...recording, steps: baseOf(recording) };
  const began = performance.now();
  const played = async (each: Recording, how: ReplayTiming) => {
    const run = await replay(each, how);
    signal.throwIfAborted();
    if (run.unopened !== undefined) throw doesNotLoad(recording, run.unopened);
    return run;
  };
  const run = await played(recording, timing);
  const seconds = (performance.now() - began) / 1000;
  const isFailing = failing.kind === 'command' && (await failing.run(recording, signal)).outcome === 'fail';
  const without = await played(bare, { ...timing, linger: 0 });
  if (failing.kind !== 'command') {
    const error = chooseFailure(failing, run, without);
    if (!error) throw noFailure(failing, run, without, recording);
    return { run, without, error, seconds };
  }
  if (!isFailing) throw noFailure(failing, run, without, recording);
  if ((await failing.run(bare, signal)).outcome === 'fail') throw needsNoAction();
  return { run, without, seconds };
}

/** Runs a command under schedules in copies of the user's folder, and judges how it ends. */
import { join } from 'node:path';
import type { Schedule } from '../../circumstances/lateness.js';
import type { Artifact, Entry } from '../../core/artifact.js';
import type { Test, Verdict } from '../../core/index.js';
import type { Attempt } from '../command/attempt.js';
import { CommandOracle } from '../command/command.js';
import type { OracleOptions } from '../command/options.js';
import { type Asked, describeRule, judge, type Rule } from '../command/rules.js';
import { retryAlone } from '../retry-alone.js';
import { readSignature, type SignatureContext } from '../signature/read.js';
import { failingTests } from './failing-tests.js';
import { type Recording, readRecording } from './recording.js';
import type { ProcessSetting, Setting } from './under-node.js';

/** What counts: the user's rule, or else any failure until one is found, and then that failure. */
export type Judged =
  | Exclude<Rule, { readonly kind: 'differs' }>
  | { readonly kind: 'any failure' }
  /** A test of a test runner fails; those in `except` are known already. */
  | { readonly kind: 'test'; readonly name: string }
  | { readonly kind: 'any test'; readonly except: readonly string[] };

/** One question: is this the failure, if the events run in this order? */
export interface Trial {
  readonly schedule: Schedule;
  readonly rule: Judged;
}

export interface ScheduleOracleOptions extends Setting {
  readonly command: readonly string[];
  readonly jobs: number;
  readonly memory?: number;
  readonly processes?: number;
  readonly sandbox?: boolean;
  /** What the command writes outside its copy of the folder. */
  readonly outputs?: OracleOptions['outputs'];
  readonly beside?: OracleOptions['beside'];
  /** The files of the folder that is copied for each run, and its path. */
  readonly files: ReadonlyMap<string, Entry>;
  readonly here: string;
  /** Passes a schedule to the program: returns the environment variables for it. */
  readonly environmentFor: (schedule: Schedule, setting: ProcessSetting) => Readonly<Record<string, string>>;
  /** Makes the recording readable, while the program is still where it ran. */
  readonly read: (recording: Recording, root: string) => Recording;
}

export interface Observed {
  readonly attempt: Attempt;
  readonly recording: Recording;
}

/** The rule in words. */
export function describeJudged(rule: Judged): string {
  switch (rule.kind) {
    case 'any failure':
      return 'fail = the command fails in any way';
    case 'any test':
      return 'fail = a test fails';
    case 'test':
      return `fail = the test "${rule.name}" fails`;
    default:
      return describeRule(rule);
  }
}

/** Runs a command under schedules, in copies of the user's folder. Owns processes and folders until it is closed. */
export class ScheduleOracle {
  readonly #oracle: CommandOracle;
  readonly #options: ScheduleOracleOptions;
  readonly #artifact: Artifact;

  constructor(options: ScheduleOracleOptions) {
    const { command, jobs, memory, processes, sandbox, outputs, beside, here } = options;
    this.#options = options;
    this.#artifact = { files: options.files };
    this.#oracle = new CommandOracle({
      command,
      given: [],
      jobs,
      mirrors: here,
      isInputless: true,
      ...(outputs ? { outputs } : {}),
      ...(beside ? { beside } : {}),
      ...(memory === undefined ? {} : { memory }),
      ...(processes === undefined ? {} : { processes }),
      ...(sandbox ? { sandbox } : {}),
    });
  }

  get context(): SignatureContext {
    return this.#oracle.context;
  }

  /** The command as it is, without a schedule. */
  plain(timeout: number, signal: AbortSignal): Promise<Attempt> {
    return this.#oracle.attempt(this.#artifact, timeout, signal);
  }

  /** One run under a schedule. Recording takes time, so only runs that are inspected are recorded. */
  async observe(schedule: Schedule, timeout: number, signal: AbortSignal, isRecording = true): Promise<Observed> {
    const { slow, epoch, environmentFor: tell, read } = this.#options;
    const folderIn = (tmp: string) => join(tmp, '.culprit-schedule');
    const { attempt, seen } = await this.#oracle.observe(this.#artifact, timeout, signal, {
      placed: () => {},
      built: (root, tmp) => tell(schedule, { slow, epoch, root, folder: folderIn(tmp), isRecording }),
      ran: (root, tmp) => (isRecording ? read(readRecording(join(folderIn(tmp), 'trace')), root) : undefined),
    });
    return { attempt, recording: seen ?? { processes: [], events: {}, order: [], late: [], notes: [] } };
  }

  /** The test of schedules. A timeout next to other tests is repeated alone. */
  test(timeout: number): Test<Trial> {
    const once: Test<Trial> = async ({ schedule, rule }, signal) =>
      this.verdict(rule, (await this.observe(schedule, timeout, signal, false)).attempt);
    return retryAlone(once, verdict => verdict.reason === 'timeout');
  }

  verdict(rule: Judged, { run }: Attempt): Verdict {
    if (rule.kind !== 'any failure' && rule.kind !== 'test' && rule.kind !== 'any test')
      return judge(rule, run, this.context);
    if (run.timedOut) return { outcome: 'unresolved', reason: 'timeout' };
    if (rule.kind === 'test' || rule.kind === 'any test') {
      const failing = failingTests(run).filter(name =>
        rule.kind === 'test' ? name === rule.name : !rule.except.includes(name),
      );
      return failing.length > 0 ? { outcome: 'fail', signature: failing[0]! } : { outcome: 'pass' };
    }
    const signature = readSignature(run, this.context);
    return signature ? { outcome: 'fail', signature: signature.key } : { outcome: 'pass' };
  }

  /** The rule after a failure was found: without a user's rule, that failure and no other. */
  settle(asked: Exclude<Asked, { kind: 'differs' }>, { run }: Attempt): Judged {
    if (asked.kind !== 'signature') return asked;
    const signature = readSignature(run, this.context);
    return signature ? { kind: 'signature', signature } : { kind: 'any failure' };
  }

  close(): Promise<void> {
    return this.#oracle.close();
  }
}

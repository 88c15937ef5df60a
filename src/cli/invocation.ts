import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Artifact, Entry } from '../circumstances/artifact.js';
import { identify } from '../circumstances/files.js';
import { surroundingsOf } from '../circumstances/surroundings.js';
import type { Test } from '../core/index.js';
import { Counter, type ExploreOptions, type Size } from '../engine/index.js';
import { CommandOracle, type OracleOptions } from '../oracle/command.js';
import type { FirstRun, Setting } from '../oracle/first-run.js';
import { askedRule } from '../oracle/rules.js';
import { sweepAbandoned } from '../oracle/workspace.js';
import { type CommonOptions, jobsOf, type RuleOptions, runningOf } from './common.js';
import { firstRun } from './first-run.js';
import type { JobContext } from './job.js';
import { otherFailures } from './other-failures.js';

export interface Called {
  readonly job: string;
  readonly options: CommonOptions & RuleOptions;
  /** The command as it is run, and as a person types it. */
  readonly command: readonly string[];
  readonly shown: string;
  /** The arguments or the environment to begin with; the files are those of the folder. */
  readonly varying: Omit<Artifact, 'files'>;
  /** What is said of the original where it does not fail. */
  readonly setting: Setting;
  readonly before: Size;
  /** What is kept of an artifact: of a copy of the folder, nothing. */
  readonly kept: (artifact: Artifact) => Artifact;
  readonly cleaned?: OracleOptions['cleaned'];
  /** Wraps the test. */
  readonly judged?: (test: Test<Artifact>) => Test<Artifact>;
}

export interface Calling {
  readonly original: Artifact;
  readonly first: FirstRun;
  readonly test: Test<Artifact>;
  readonly counter: Counter;
  readonly settings: ExploreOptions<Artifact>;
}

/**
 * The frame of a search over how a command is called. The command runs in copies of the folder that the user is in, so that
 * it finds there what it finds when it is typed, and tests beside each other do not meet.
 */
export async function calling<Result>(
  context: JobContext,
  called: Called,
  search: (calling: Calling) => Promise<Result>,
): Promise<Result> {
  const { folder, see } = context;
  const { options, command, varying } = called;
  const here = process.cwd();
  sweepAbandoned();
  const { files, linked } = surroundingsOf(here);
  const original: Artifact = { files, ...varying };
  const oracle = new CommandOracle({
    command,
    given: [],
    ...runningOf(options),
    mirrors: here,
    ...(called.cleaned ? { cleaned: called.cleaned } : {}),
  });
  try {
    const asked = askedRule(options);
    const names = [command[0]!];
    const first = await firstRun(
      oracle,
      { artifact: original, asked, command, names, where: here, shown: called.shown, setting: called.setting },
      context,
    );
    const counter = new Counter();
    counter.started = folder.journal.executed;
    see({
      type: 'began',
      job: called.job,
      before: called.before,
      rule: first.described,
      command: called.shown,
      ...(first.signature ? { signature: first.signature.text } : {}),
    });
    noteSurroundings(context, files, linked);
    const raw = oracle.test(first.rule, first.timeout, options.repeat);
    const test = otherFailures(called.judged?.(raw) ?? raw, folder, see, called.kept);
    const settings: ExploreOptions<Artifact> = {
      workers: jobsOf(options),
      signal: context.signal,
      memory: options.cache === false ? folder.journal.inOrder() : folder.journal,
      counter,
      outOfTime: context.outOfTime,
      ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
      ...(options.cache === false ? { remember: false } : {}),
    };
    return await search({ original, first, test, counter, settings });
  } finally {
    await oracle.close();
  }
}

/** A run that goes on in a folder that has changed may see other verdicts than before: the user should know. */
export function noteSurroundings(
  { folder: { journal }, see, terminal }: JobContext,
  files: ReadonlyMap<string, Entry>,
  linked: readonly string[],
): void {
  const now = identify({ files });
  const then = journal.noted('surroundings');
  if (then === undefined) journal.note('surroundings', now);
  // Not an event: while a run is replayed, events are told to nobody.
  if (then !== undefined && then !== now)
    terminal.say('The files in this folder are not what they were when the run began; earlier verdicts are kept.');
  const few = linked.filter(path => !/(^|\/)(node_modules|\.git)$/.test(path));
  if (few.length > 0 && then === undefined)
    see({
      type: 'noticed',
      what: 'note',
      text: `Each test has its own copy of this folder. Too large to be copied, and so shared: ${few.slice(0, 5).join(', ')}${few.length > 5 ? ` and ${few.length - 5} more` : ''}.`,
    });
}

/** A path that leads out of the folder leads elsewhere from its copy, so it is given in full. */
export const typedWords = (words: readonly string[]): readonly string[] =>
  words.map(word => (/^\.\.(\/|$)/.test(word) && existsSync(word) ? resolve(word) : word));

/** A text as the only file of an artifact. */
export const textFiles = (texts: Readonly<Record<string, string>>): Artifact => ({
  files: new Map(Object.entries(texts).map(([name, text]) => [name, { kind: 'file', bytes: Buffer.from(text) }])),
});

/** The fields of `--json` that every job has. */
export const jsonOf = (
  context: JobContext,
  job: string,
  end: { readonly ended: string; readonly minimal: readonly string[] },
  counter: Counter,
  rest: Readonly<Record<string, unknown>>,
) => ({
  job,
  ended: end.ended,
  minimal: end.minimal,
  ...counter.counts,
  seconds: Number(context.seconds().toFixed(3)),
  ...rest,
  run: context.folder.path,
});

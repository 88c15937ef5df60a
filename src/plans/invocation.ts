/** What searches over a command's arguments or environment have in common. */
import { existsSync, realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Artifact, Entry } from '../core/artifact.js';
import type { Test } from '../core/index.js';
import type { Setting } from '../oracle/command/attempt.js';
import { CommandOracle } from '../oracle/command/command.js';
import type { OracleOptions } from '../oracle/command/options.js';
import { type AskedOptions, askedRule } from '../oracle/command/rules.js';
import { sweepAbandoned } from '../oracle/command/workspace.js';
import { ownResults } from '../run/output.js';
import { identify } from '../sources/files.js';
import { surroundingsOf } from '../sources/surroundings.js';
import { expectedOf, firstLook, firstRun, learnOutputs, runOptions } from './first-run.js';
import type { Context, JobOptions, Look } from './job.js';

export interface InvocationOptions {
  readonly options: JobOptions & AskedOptions;
  /** The command as it is run, and as a person types it. */
  readonly command: readonly string[];
  readonly shown: string;
  /** The arguments or the environment to start with; the files are those of the folder. */
  readonly varying: Omit<Artifact, 'files'>;
  /** The message if the original does not fail. */
  readonly setting: Setting;
  readonly cleaned?: OracleOptions['cleaned'];
  /** Wraps the test. */
  readonly judged?: (test: Test<Artifact>) => Test<Artifact>;
}

export interface Invocation {
  readonly original: Artifact;
  /** Runs the original, and returns the failure in words and the test for it. */
  firstRun(): Promise<ReturnType<typeof expectedOf> & { readonly test: Test<Artifact>; readonly look: Look<Artifact> }>;
  close(): Promise<void>;
}

/**
 * The command runs in copies of the folder that the user is in, so that it finds the same files as in the user's shell, and
 * parallel tests do not interfere.
 */
export function openInvocation(called: InvocationOptions, context: Context): Invocation {
  const { options, command, varying, shown } = called;
  const here = process.cwd();
  sweepAbandoned();
  const { files, linked } = surroundingsOf(here);
  const original: Artifact = { files, ...varying };
  const running = { command, given: [], ...runOptions(context, options), mirrors: here, isInputless: true };
  let oracle: CommandOracle | undefined;
  return {
    original,
    async firstRun() {
      const outputs = await learnOutputs(context, { ...running, artifact: original, isWhole: true });
      const cleaned = called.cleaned ? { cleaned: called.cleaned } : {};
      oracle = new CommandOracle({ ...running, ...outputs, warm: true, ...cleaned });
      const asked = askedRule(options);
      const names = [command[0]!];
      const unreduced = { artifact: original, asked, command, names, where: here, shown, setting: called.setting };
      const first = await firstRun(oracle, unreduced, context);
      noteSurroundings(context, files, linked);
      const raw = oracle.test(first.rule, first.timeout);
      const test = called.judged?.(raw) ?? raw;
      return { ...expectedOf(first, shown), test, look: { original, ...firstLook(first, context) } };
    },
    close: async () => oracle?.close(),
  };
}

/** A run that is resumed in a changed folder may get different verdicts than before: the user should know. */
export function noteSurroundings(
  { folder: { journal }, say }: Context,
  files: ReadonlyMap<string, Entry>,
  linked: readonly string[],
): void {
  const now = identify({ files: withoutResults(files) });
  const then = journal.noted('surroundings');
  if (then === undefined) journal.note('surroundings', now);
  if (then !== undefined && then !== now)
    say('The files in this folder have changed since the run began; earlier results are kept.');
  const few = linked.filter(path => !/(^|\/)(node_modules|\.git)$/.test(path));
  if (few.length > 0 && then === undefined)
    say(
      `Each test has its own copy of this folder, except of what is large or can't be read: ${few.slice(0, 5).join(', ')}${few.length > 5 ? ` and ${few.length - 5} more` : ''}.`,
    );
}

/** What culprit itself wrote into the folder is no change of the user's. */
function withoutResults(files: ReadonlyMap<string, Entry>): ReadonlyMap<string, Entry> {
  const results = ownResults().map(path => relative(realpathSync('.'), path));
  const isResult = (path: string) => results.some(result => path === result || path.startsWith(`${result}/`));
  return new Map([...files].filter(([path]) => !isResult(path)));
}

/** A relative path out of the folder would point elsewhere from a copy, so it is made absolute. */
export const typedWords = (words: readonly string[]): readonly string[] =>
  words.map(word => (/^\.\.(\/|$)/.test(word) && existsSync(word) ? resolve(word) : word));

/** Texts as the files of an artifact. */
export const textFiles = (texts: Readonly<Record<string, string>>): Artifact => ({
  files: new Map(Object.entries(texts).map(([name, text]) => [name, { kind: 'file', bytes: Buffer.from(text) }])),
});

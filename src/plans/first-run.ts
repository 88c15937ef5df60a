/** Runs a command on the unreduced input before anything else, and decides what counts as the failure. */
import type { Artifact } from '../core/artifact.js';
import { decode } from '../core/decode.js';
import { type Test, UserError, type Verdict } from '../core/index.js';
import { recallOrTest } from '../engine/index.js';
import type { Attempt, Setting } from '../oracle/command/attempt.js';
import type { CommandOracle } from '../oracle/command/command.js';
import { type FirstRun, settleFirstRun, showsFailure, showsSameFailure } from '../oracle/command/first-run.js';
import { keptOutput } from '../oracle/command/kept-output.js';
import type { OracleOptions } from '../oracle/command/options.js';
import { findOutputs, outputsIn, type Writing } from '../oracle/command/outputs.js';
import type { Asked, AskedOptions } from '../oracle/command/rules.js';
import type { Run } from '../oracle/process/index.js';
import { type NamedPlace, placesIn, readOutput, withBacktrace } from '../oracle/signature/index.js';
import type { Journal } from '../run/journal.js';
import { identify } from '../sources/files.js';
import { filesIn } from '../syntax/line-markers.js';
import { hintIfSlow } from './hint-if-slow.js';
import type { Context, JobOptions } from './job.js';

/** How many seconds the unreduced input may take without --timeout. This run sets the timeout of the tests. */
const patience = 600;
/** Nobody can wait for a hang to end: without --timeout, a run that takes this many seconds counts as one. */
const hang = 10;

export interface Unreduced {
  readonly artifact: Artifact;
  /** The input with nothing in it, if there is one: a failure that needs no input is reported as such. */
  readonly empty?: Artifact;
  readonly asked: Asked;
  readonly command: readonly string[];
  readonly names: readonly string[];
  /** Where the user can type the command to check. */
  readonly where: string;
  readonly shown: string;
  /** What it is, if it is not an input: `the new version (v1.3)`. */
  readonly called?: string;
  /** Where the command was run, if its circumstances vary and not its input. */
  readonly setting?: Setting;
  /** Options that this job does not have, so no message may suggest them. */
  readonly lacks?: readonly string[];
  /** It is large, so that the search begins after one run: whether the failure is stable is checked on a smaller result. */
  readonly isLarge?: boolean;
  /** It is run in a copy of the user's folder, after the input alone showed no failure. */
  readonly isInFolder?: boolean;
  /** Whether the first run can be judged at all: a build may have failed before it. */
  readonly checked?: (attempt: Attempt) => void;
}

/** Runs the command on the unreduced input before anything else, and decides what counts; a resumed run remembers it. */
export async function firstRun(oracle: CommandOracle, unreduced: Unreduced, context: Context): Promise<FirstRun> {
  const known = rememberedFirstRun(context);
  if (known) {
    context.say(`resumed: ${known.described}`);
    return known;
  }
  return (await tryFirstRun(oracle, unreduced, context)).accept();
}

export const rememberedFirstRun = ({ folder: { journal } }: Context): FirstRun | undefined =>
  journal.noted<FirstRun>('first run');

/** A first run that shows a failure. */
export interface TriedFirstRun {
  readonly first: FirstRun;
  /** From now on it is the first run: prints what it showed, and remembers it. */
  accept(): FirstRun;
}

/** The same, but not yet decided; throws a `UserError` if there is nothing to reduce. */
export async function tryFirstRun(
  oracle: CommandOracle,
  unreduced: Unreduced,
  { folder: { journal }, say, options, signal }: Context,
): Promise<TriedFirstRun> {
  const { artifact, empty, asked, isInFolder } = unreduced;
  const limit = options.timeout ?? (asked.kind === 'hang' ? hang : patience);
  let kept: Uint8Array = new Uint8Array();
  const look = { ran: (root: string) => void (kept = keptOutput(root, new Set(artifact.files.keys()))) };
  /** A failure may show only sometimes, so a run without the expected outcome is repeated; the last run comes first. */
  const called = (name: string): string => (isInFolder ? `${name} in its folder` : name);
  const attempts = async (name: string, tried: Artifact, isExpected: (made: Attempt) => boolean, most: number) => {
    const make = () => {
      const running = oracle.attempt(tried, limit, signal, tried === artifact && unreduced.isLarge ? { look } : {});
      return limit === patience ? hintIfSlow(running, say) : running;
    };
    const made = [await once(journal, called(name), make)];
    for (let n = 2; n <= most && !made[0]!.unbuilt && !isExpected(made[0]!); n++)
      made.unshift(await once(journal, called(`${name} ${n}`), make));
    return made as [Attempt, ...Attempt[]];
  };
  const isFlaky = mostLooks(options) > 1;
  const shows = (made: Attempt) => showsFailure(asked, made, oracle.context);
  const [original, missed] = await attempts('original', artifact, shows, mostLooks(options));
  unreduced.checked?.(original);
  const isUnchecked = unreduced.isLarge === true && missed === undefined && checksOnTheWay(options);
  const isSame = (made: Attempt) => showsSameFailure(asked, original, made, oracle.context);
  const again =
    asked.kind === 'hang' || isUnchecked
      ? undefined
      : (missed ?? (await once(journal, called('again'), () => oracle.attempt(artifact, limit, signal))));
  const [none, background] = empty ? await attempts('empty', empty, made => !isSame(made), isFlaky ? 3 : 1) : [];
  const settled = settleFirstRun({
    asked,
    command: unreduced.shown,
    ran: oracle.ranAs(artifact),
    where: unreduced.where,
    argv: oracle.argv,
    names: unreduced.names,
    original,
    ...(oracle.readsStdin ? { stdin: true } : {}),
    ...(options.force ? { force: true } : {}),
    ...(again ? { again } : {}),
    ...(none ? { empty: none } : {}),
    ...(unreduced.called === undefined ? {} : { called: unreduced.called }),
    ...(unreduced.setting === undefined ? {} : { setting: unreduced.setting }),
    ...(unreduced.lacks === undefined ? {} : { lacks: unreduced.lacks }),
    ...(options.timeout !== undefined ? { timeout: options.timeout } : asked.kind === 'hang' ? { timeout: hang } : {}),
    context: oracle.context,
  });
  const isSuspect = settled.stable === false || background !== undefined;
  const first = {
    ...(await withNativeFrames(settled, oracle, artifact, signal)),
    ...(isSuspect ? { isSuspect } : {}),
    ...(isInFolder ? { isInFolder } : {}),
    ...(isUnchecked ? { isUnchecked } : {}),
    ...(unreduced.isLarge ? { named: namedIn([original.run.stderr, original.run.stdout, kept], artifact) } : {}),
  };
  return {
    first,
    accept() {
      // The rule is printed with the first lines of the search, a moment later.
      const lines = [...first.lines.filter(line => line !== first.described), ...first.notes];
      for (const line of lines) say(line);
      // The outcome of the empty input is not tested again, unless the user asked to repeat tests.
      if (empty && none && none.run.seconds < first.timeout && !isSuspect && options.cache !== false)
        journal.record(identify(empty), oracle.verdict(first.rule, none));
      journal.note('first run', first);
      return first;
    },
  };
}

/** What the failure says about where in the input it is. One text may be made of many files, which are then meant. */
function namedIn(outputs: readonly Uint8Array[], { files }: Artifact): readonly NamedPlace[] {
  const [only] = files;
  const made = files.size === 1 && only?.[1].kind === 'file' ? filesIn(decode(only[1].bytes).text) : [];
  return outputs.flatMap(bytes => placesIn(readOutput(bytes), [...files.keys(), ...made]));
}

/** How often to look for the failure of the original: a second run costs nothing extra, because it is made anyway. */
function mostLooks({ flaky = 'auto', repeat }: JobOptions): number {
  if (flaky === 'off' || repeat === 1) return 1;
  if (typeof flaky === 'number') return Math.max(2, Math.ceil(Math.log(0.001) / Math.log(1 - Math.min(flaky, 0.99))));
  return Math.max(2, repeat ?? 2);
}

/** Whether the user left it to us when and how often the failure is looked for. */
const checksOnTheWay = ({ flaky = 'auto', repeat, cache }: JobOptions): boolean =>
  flaky === 'auto' && repeat === undefined && cache !== false;

/** What is known about how stable the failure is, for `Probe`. */
export const firstLook = (first: FirstRun, { folder: { journal } }: Context) => ({
  suspect: first.isSuspect === true,
  ...(first.isUnchecked ? { isUnchecked: true } : {}),
  seconds:
    journal.noted<{ readonly run: Written }>(first.isInFolder ? 'original in its folder' : 'original')?.run.seconds ??
    1,
});

/** For a pair: the passing side must pass. */
export async function demandPass(
  artifact: Artifact,
  { test, identify: name, refuse }: PassingSide,
  { folder: { journal }, signal }: Context,
): Promise<void> {
  const verdict = await recallOrTest(journal, name(artifact), () => test(artifact, signal));
  if (verdict.outcome !== 'pass') throw refuse(verdict);
}

interface PassingSide {
  readonly test: Test<Artifact>;
  readonly identify: (artifact: Artifact) => string;
  /** The message if it does not. */
  readonly refuse: (verdict: Verdict) => UserError;
}

/** How tests are run, for the oracle of any job. */
export const runOptions = (
  { workers, farm }: Context,
  options: JobOptions & Pick<AskedOptions, 'differs'> & Pick<OracleOptions, 'stdin'>,
) => ({
  jobs: workers,
  ...(farm ? { farm } : {}),
  ...(options.stdin ? { stdin: true } : {}),
  ...(options.differs === undefined ? {} : { differs: options.differs }),
  ...(options.memory ? { memory: options.memory } : {}),
  ...(options.processes ? { processes: options.processes } : {}),
  ...(options.sandbox ? { sandbox: true } : {}),
});

/** The failure in words, for the first event of a run. */
export const expectedOf = (first: FirstRun, command: string) => ({
  rule: first.described,
  command,
  ...(first.signature ? { signature: first.signature.text } : {}),
});

/**
 * Finds the words of the command that name its outputs, because each workspace needs its own; a resumed run remembers them.
 */
export async function learnOutputs(
  { folder: { journal }, say, options, signal }: Context,
  { cwd = process.cwd(), ...writing }: Omit<Writing, 'cwd' | 'timeout' | 'signal'> & { readonly cwd?: string },
): Promise<Pick<OracleOptions, 'outputs' | 'beside'>> {
  let words = journal.noted<readonly string[]>('outputs');
  if (!words) {
    words = await findOutputs({ ...writing, cwd, timeout: options.timeout ?? patience, signal });
    journal.note('outputs', words);
    for (const word of words)
      say(`The command writes to ${word}: each test writes to its own copy, and yours is not touched.`);
  }
  return words.length === 0 ? {} : outputsIn(words, { ...writing, cwd });
}

/** A crash without a message is described by its native stack; what counts as the same failure does not change. */
async function withNativeFrames(
  first: FirstRun,
  oracle: CommandOracle,
  artifact: Artifact,
  signal: AbortSignal,
): Promise<FirstRun> {
  const { signature, rule } = first;
  if (!signature || signature.where.length > 0 || !/^SIG/.test(signature.how)) return first;
  const frames = await oracle.backtrace(artifact, first.timeout, signal);
  if (!frames || frames.length === 0) return first;
  const located = withBacktrace(signature, frames);
  const lines = first.lines.map(line => line.replaceAll(signature.text, () => located.text));
  const described = first.described.replaceAll(signature.text, () => located.text);
  return {
    ...first,
    signature: located,
    lines,
    described,
    ...(rule.kind === 'signature' ? { rule: { ...rule, signature: located } } : {}),
  };
}

/** Whether the result crashes at a different place than the original: the same signal may hide another defect. */
export async function differentCrash(
  first: FirstRun,
  oracle: CommandOracle,
  result: Artifact,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { signature } = first;
  if (!signature || !/^SIG/.test(signature.how) || signature.where.length === 0) return undefined;
  const frames = await oracle.backtrace(result, first.timeout, signal);
  if (!frames || frames.length === 0 || frames.some(frame => frame === signature.where[0])) return undefined;
  return `The result dies in ${frames.slice(0, 3).join(' ← ')}, the original in ${signature.where.slice(0, 3).join(' ← ')}: it may be another defect. Use --match or --interesting to distinguish them.`;
}

/** A run in a form that JSON can hold: its output byte for byte. */
type Written = Omit<Run, 'stdout' | 'stderr'> & { readonly stdout: string; readonly stderr: string };

/** One run of the command, journalled: a run that is killed in its first minutes does not repeat them. */
async function once(journal: Journal, name: string, make: () => Promise<Attempt>): Promise<Attempt> {
  const known = journal.noted<{ readonly run: Written; readonly other?: Written }>(name);
  if (known) return { run: read(known.run), ...(known.other ? { other: read(known.other) } : {}) };
  const attempt = await make();
  const { run, other } = attempt;
  journal.note(name, { run: written(run), ...(other ? { other: written(other) } : {}) });
  return attempt;
}

const written = (run: Run): Written => ({ ...run, stdout: latin1(run.stdout), stderr: latin1(run.stderr) });
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const read = (run: Written): Run => ({
  ...run,
  stdout: Buffer.from(run.stdout, 'latin1'),
  stderr: Buffer.from(run.stderr, 'latin1'),
});

/** A first run that finds no failure is repeated up to this many times: the failure may show only sometimes. */
export async function repeatUntilFailure<T>(times: number, make: () => Promise<T>): Promise<T> {
  for (let left = times - 1; ; left--) {
    try {
      return await make();
    } catch (error) {
      if (left <= 0 || !(error instanceof UserError) || error.exitCode !== 1) throw error;
    }
  }
}

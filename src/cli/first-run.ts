import type { Artifact } from '../circumstances/artifact.js';
import { identify } from '../circumstances/files.js';
import type { Journal } from '../engine/journal.js';
import type { CommandOracle } from '../oracle/command.js';
import { type Attempt, type FirstRun, settleFirstRun } from '../oracle/first-run.js';
import type { Asked } from '../oracle/rules.js';
import type { Run } from '../oracle/runner/index.js';
import type { JobContext } from './job.js';

/** How long the unreduced input may take when nobody said: it is waited for, and tells how long a test may take. */
const patience = 600;
/** A hang can't be waited for: without --timeout this is how long it must last to count as one. */
const hang = 10;

export interface Unreduced {
  readonly artifact: Artifact;
  /** The input with nothing in it, where there is one: a failure that needs no input is said to be one. */
  readonly empty?: Artifact;
  readonly asked: Asked;
  readonly command: readonly string[];
  readonly names: readonly string[];
  /** Where the user can type the command to see for themselves. */
  readonly where: string;
  readonly shown: string;
}

/** Runs the command on the unreduced input before anything else, and settles what counts; a resumed run remembers it. */
export async function firstRun(
  oracle: CommandOracle,
  unreduced: Unreduced,
  { folder: { journal }, terminal, options, signal }: JobContext,
): Promise<FirstRun> {
  const known = journal.noted('first run') as FirstRun | undefined;
  if (known) {
    terminal.say(`resumed: ${known.described}`);
    return known;
  }
  const { artifact, empty, asked } = unreduced;
  const limit = options.timeout ?? (asked.kind === 'hang' ? hang : patience);
  const attempt = (name: string, tried: Artifact) => once(journal, name, () => oracle.attempt(tried, limit, signal));
  const original = await attempt('original', artifact);
  const again = asked.kind === 'hang' ? undefined : await attempt('again', artifact);
  const none = empty ? await attempt('empty', empty) : undefined;
  const first = settleFirstRun({
    asked,
    command: unreduced.shown,
    where: unreduced.where,
    argv: oracle.argv,
    names: unreduced.names,
    original,
    ...(again ? { again } : {}),
    ...(none ? { empty: none } : {}),
    ...(options.timeout !== undefined ? { timeout: options.timeout } : asked.kind === 'hang' ? { timeout: hang } : {}),
    context: oracle.context,
  });
  if (!options.quiet) for (const line of [...first.lines, ...first.notes]) terminal.say(line);
  // What is known of the empty input need not be asked again; unless asking again is what was wanted.
  if (empty && none && none.run.seconds < first.timeout && (options.repeat ?? 1) === 1 && options.cache !== false)
    journal.record(identify(empty), oracle.verdict(first.rule, none));
  journal.note('first run', first);
  return first;
}

/** A run as JSON can hold it: its output byte for byte. */
type Written = Omit<Run, 'stdout' | 'stderr'> & { readonly stdout: string; readonly stderr: string };

/** One go at the command, journalled: a run that is killed in its first minutes does not spend them again. */
async function once(journal: Journal, name: string, make: () => Promise<Attempt>): Promise<Attempt> {
  const known = journal.noted(name) as { readonly run: Written; readonly other?: Written } | undefined;
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

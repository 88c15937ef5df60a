import type { Artifact } from '../circumstances/artifact.js';
import type { CommandOracle } from '../oracle/command.js';
import { type FirstRun, settleFirstRun } from '../oracle/first-run.js';
import type { Asked } from '../oracle/rules.js';
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
  { folder, terminal, options, signal }: JobContext,
): Promise<FirstRun> {
  const known = folder.journal.settled as FirstRun | undefined;
  if (known) {
    terminal.say(`resumed: ${known.described}`);
    return known;
  }
  const { artifact, empty, asked } = unreduced;
  const limit = options.timeout ?? (asked.kind === 'hang' ? hang : patience);
  const original = await oracle.attempt(artifact, limit, signal);
  const again = asked.kind === 'hang' ? undefined : await oracle.attempt(artifact, limit, signal);
  const none = empty ? await oracle.attempt(empty, limit, signal) : undefined;
  const first = settleFirstRun({
    asked,
    command: unreduced.shown,
    where: unreduced.where,
    argv: unreduced.command,
    names: unreduced.names,
    original,
    ...(again ? { again } : {}),
    ...(none ? { empty: none } : {}),
    ...(options.timeout !== undefined ? { timeout: options.timeout } : asked.kind === 'hang' ? { timeout: hang } : {}),
    context: oracle.context,
  });
  if (!options.quiet) for (const line of [...first.lines, ...first.notes]) terminal.say(line);
  folder.journal.settle(first);
  return first;
}

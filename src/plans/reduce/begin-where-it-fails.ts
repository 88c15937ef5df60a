/** Decides whether the tests need the files around the input: `npm test`, `make`, a linter with its settings. */
import { UserError } from '../../core/index.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import type { FirstRun } from '../../oracle/command/first-run.js';
import { type InFolder, inFolder } from '../../oracle/command/in-folder.js';
import { ownResults } from '../../run/output.js';
import type { Given } from '../../sources/files.js';
import type { Selection } from '../../sources/selection.js';
import { firstRun, rememberedFirstRun, tryFirstRun, type Unreduced } from '../first-run.js';
import { noteSurroundings } from '../invocation.js';
import type { Context } from '../job.js';

export interface WhereItFails {
  readonly first: FirstRun;
  readonly oracle: CommandOracle;
}

interface Beginning {
  readonly given: readonly Given[];
  readonly reading: Selection;
  /** Where the result goes: an older one is no part of the folder. */
  readonly output: string;
  /** Opens the oracle, with the input alone in the workspaces or in copies of its folder. */
  open(around?: InFolder): CommandOracle;
  look(oracle: CommandOracle): Unreduced;
}

/** The message of a program that looks for a file which is not there. */
const missing =
  /no such file|cannot find|can't find|could not find|couldn't find|not found|ENOENT|does not exist|can't open/i;

/**
 * First, the input is alone in the folder of a test: that is fast, and nothing else can have a part in the failure. If it does not
 * fail then, if an empty input fails in the same way, or if something is missing, the command is tried in a copy of the user's folder.
 */
export async function beginWhereItFails(beginning: Beginning, context: Context): Promise<WhereItFails> {
  const { given, reading, output, open, look } = beginning;
  const around = () => inFolder(given, process.cwd(), { ...reading, results: [...ownResults(), output] });
  const remembered = rememberedFirstRun(context);
  if (remembered) {
    const folder = remembered.isInFolder ? around() : undefined;
    if (remembered.isInFolder && !folder)
      throw new UserError(
        'The tests of this run need the folder around the input, and the input is not inside the folder any more.',
        'Put it back where it was, or start a new run.',
        1,
      );
    if (folder) noteSurroundings(context, folder.files, folder.linked);
    const oracle = open(folder);
    return { oracle, first: await firstRun(oracle, look(oracle), context) };
  }
  const alone = open();
  const { first, problem } = await tryAlone(alone, look(alone), context);
  const folder = first === undefined || missing.test(first.first.signature?.text ?? '') ? around() : undefined;
  const other = folder && (await tryIn(folder, beginning, context));
  const found = other?.found;
  if (folder && found && (!first || found.first.signature?.key !== first.first.signature?.key)) {
    await alone.close();
    context.say('The command needs other files of this folder: each test runs in a copy of it.');
    noteSurroundings(context, folder.files, folder.linked);
    return { oracle: found.oracle, first: found.accept() };
  }
  await found?.oracle.close();
  if (first) return { oracle: alone, first: first.accept() };
  await alone.close();
  // In a copy of the folder, it says what the user sees there.
  throw other?.problem ?? problem;
}

async function tryAlone(oracle: CommandOracle, unreduced: Unreduced, context: Context) {
  try {
    return { first: await tryFirstRun(oracle, unreduced, context) };
  } catch (problem) {
    if (problem instanceof UserError && !context.signal.aborted) return { problem };
    await oracle.close();
    throw problem;
  }
}

/** The problem, if there is no failure to reduce there, either. */
async function tryIn(folder: InFolder, { open, look }: Beginning, context: Context) {
  const oracle = open(folder);
  try {
    const tried = await tryFirstRun(oracle, { ...look(oracle), isInFolder: true }, context);
    return { found: { ...tried, oracle } };
  } catch (problem) {
    await oracle.close();
    if (problem instanceof UserError && !context.signal.aborted) return { problem };
    throw problem;
  }
}

/** Turns the command line into a request, and starts its job. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../core/index.js';
import { noCommand } from '../core/no-command.js';
import type { Request } from '../plans/job.js';
import { RunFolder } from '../run/run-folder.js';
import { openFarm } from './farm.js';
import { jobNamed } from './jobs.js';
import { runJob } from './run-job.js';

export const typedArguments = (): readonly string[] => process.argv.slice(2);

export interface Wanted {
  /** Shown if something is missing. */
  readonly example: string;
  /** How many inputs there must be before `--`, and the message if the number is wrong. */
  readonly inputs: {
    readonly least: number;
    readonly most: number;
    readonly refuse: (given: readonly string[]) => string;
  };
  /** Whether there must be a command after `--`. */
  readonly command?: 'optional';
}

/** Commander does not report which words come after `--`, so they are read from the command line itself. */
export function readRequest(command: Command, wanted: Wanted): Request {
  const argv = typedArguments();
  const at = argv.indexOf('--');
  const words = at < 0 ? [] : argv.slice(at + 1);
  const inputs = command.args.slice(0, command.args.length - words.length);
  const advice = `For example: ${wanted.example}`;
  if (wanted.command !== 'optional' && (words.length === 0 || words[0] === '')) throw noCommand(wanted.example);
  const { least, most, refuse } = wanted.inputs;
  if (inputs.length < least || inputs.length > most) throw new UserError(refuse(inputs), advice);
  return { job: command.name(), inputs, command: words, options: command.opts() };
}

/** `resumed`: the folder of a run that is continued. */
export async function start(request: Request, resumed?: RunFolder): Promise<void> {
  const farm = await openFarm(request);
  try {
    let folder = resumed;
    for (let isRewound = false; ; isRewound = true) {
      const job = await jobNamed(request.job)(request, folder);
      const argv = folder?.journal.header.argv ?? typedArguments();
      const end = await runJob(job, request, argv, { resumed: folder, farm, isRewound });
      if (end === 'done') return;
      folder = RunFolder.reopen(resolve(end.again));
    }
  } finally {
    await farm?.close();
  }
}

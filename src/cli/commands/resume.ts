/** The command line of `culprit resume`. */

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { UserError } from '../../core/index.js';
import type { JobOptions, Request } from '../../plans/job.js';
import { latestRun, RunFolder } from '../../run/run-folder.js';
import { withBudgetOptions } from '../common.js';
import { setCommandLine } from '../failure.js';
import { start } from '../request.js';

export function resumeCommand(): Command {
  const command = new Command('resume')
    .description('continue an interrupted run without repeating tests')
    .argument('[run]', 'run folder (default: the newest in .culprit/)');
  return withBudgetOptions(command)
    .option('--workers <redis-url>', 'continue with the workers of this Redis')
    .option('--no-workers', 'continue on this machine only')
    .addHelpText('after', '\nExamples:\n  culprit resume .culprit/bug-1\n  culprit resume --max-time 600\n')
    .action(async (run: string | undefined, budgets: JobOptions) => {
      const folder = RunFolder.reopen(resolve(run ?? newestRun()));
      try {
        const { cwd } = folder.journal.header;
        if (!existsSync(cwd))
          throw new UserError(
            `The folder in which the run was started no longer exists: ${cwd}.`,
            `Create it again with the files that the command needs. The smallest result so far is in ${folder.path}/best.`,
          );
        for (const notice of folder.notices) process.stderr.write(`culprit: ${notice}\n`);
        setCommandLine(folder.journal.header.argv);
        process.chdir(cwd);
        await start(resumedRequest(folder, budgets), folder);
      } finally {
        folder.close();
      }
    });
}

/** A budget applies to one process only; without a new one, the resumed run continues to the end. */
function resumedRequest({ journal: { header }, path }: RunFolder, budgets: JobOptions): Request {
  const request = header.request as Request | undefined;
  if (!request)
    throw new UserError(
      `The run in ${path} was made by an older version of culprit and can't be resumed.`,
      'Start it again.',
      1,
    );
  const { maxTests: _, maxTime: __, ...options } = request.options;
  return { ...request, options: { ...options, ...budgets } };
}

export function newestRun(): string {
  const folders = existsSync('.culprit') ? readdirSync('.culprit').map(name => join('.culprit', name)) : [];
  const runs = folders.filter(path => existsSync(join(path, 'journal.jsonl')));
  return latestRun(runs.map(path => ({ path, changed: statSync(join(path, 'journal.jsonl')).mtimeMs })));
}

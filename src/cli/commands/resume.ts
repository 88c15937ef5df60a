import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { UserError } from '../../core/index.js';
import { actAs } from '../failure.js';
import { latestRun, RunFolder } from '../run-folder.js';

export function resumeCommand(): Command {
  return new Command('resume')
    .description('go on with an interrupted run, without running an answered test again')
    .argument('[run]', "the run's folder (default: the newest in .culprit/)")
    .addHelpText('after', '\nExample:\n  culprit resume .culprit/bug-1\n')
    .action(async (run: string | undefined) => {
      const folder = RunFolder.reopen(resolve(run ?? newestRun()));
      try {
        const { argv, cwd } = folder.journal.header;
        if (!existsSync(cwd))
          throw new UserError(
            `The folder ${cwd}, in which the run was started, is gone.`,
            `Make it again with what the command needs there. The smallest result so far is in ${folder.path}/best.`,
          );
        process.chdir(cwd);
        actAs(argv);
        const { program } = await import('../program.js');
        await program({ folder }).parseAsync(['node', 'culprit', ...withoutBudget(argv)]);
      } finally {
        folder.close();
      }
    });
}

/** A budget was for the first leg; going on means going on to the end. */
function withoutBudget(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  const head = end < 0 ? argv : argv.slice(0, end);
  const kept: string[] = [];
  for (let i = 0; i < head.length; i++) {
    const word = head[i]!;
    if (word === '--max-tests' || word === '--max-time') i++;
    else if (!/^--max-(tests|time)=/.test(word)) kept.push(word);
  }
  return end < 0 ? kept : [...kept, ...argv.slice(end)];
}

export function newestRun(): string {
  const folders = existsSync('.culprit') ? readdirSync('.culprit').map(name => join('.culprit', name)) : [];
  const runs = folders.filter(path => existsSync(join(path, 'journal.jsonl')));
  return latestRun(runs.map(path => ({ path, changed: statSync(join(path, 'journal.jsonl')).mtimeMs })));
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { UserError } from '../../core/index.js';
import { newestRun } from './resume.js';

export function reportCommand(): Command {
  return new Command('report')
    .description('the page of a run')
    .argument('[run]', "the run's folder (default: the newest in .culprit/)")
    .option('--open', 'open it in the browser')
    .option('--live', 'follow a run in the browser while it goes')
    .addHelpText('after', '\nExample:\n  culprit report --open\n  culprit report .culprit/bug-1 --live\n')
    .action(async (given: string | undefined, { open, live }: { open?: boolean; live?: boolean }) => {
      const run = given ?? newestRun();
      const say = (text: string) => void process.stdout.write(`${text}\n`);
      const { openPage } = await import('../../report/open.js');
      if (live) {
        const { serveLive } = await import('../../report/live.js');
        const stop = new AbortController();
        process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
        const { url, closed } = await serveLive({ run, known: async () => ({ title: run, run }), signal: stop.signal });
        say(`${url}  (Ctrl-C ends it)`);
        if (open) await openPage(url, say);
        await closed;
        return;
      }
      const page = join(run, 'report.html');
      if (!existsSync(page))
        throw new UserError(
          `There is no page at ${page}.`,
          'It is written when a run ends; --live follows one that goes on.',
        );
      say(page);
      if (open) await openPage(page, say);
    });
}

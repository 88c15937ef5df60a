/** `culprit report`: writes, opens or serves the page of a run. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Command } from 'commander';
import { asSearched } from '../../plans/archives.js';
import { readJournal } from '../../run/journal.js';
import { isLocked } from '../../run/lock.js';
import { pairFiles } from '../../run/originals.js';
import { readOrigins } from '../../run/origins.js';
import { demandFolder, keptIn, writable } from '../../run/run-folder.js';
import { runFacts } from '../live-page.js';
import { newestRun } from './resume.js';

export function reportCommand(): Command {
  return new Command('report')
    .description('write and open the report page of a run')
    .argument('[run]', 'run folder (default: the newest in .culprit/)')
    .option('--open', 'open the page in the browser')
    .option('--live', 'follow a run in the browser while it is running')
    .addHelpText('after', '\nExample:\n  culprit report --open\n  culprit report .culprit/bug-1 --live\n')
    .action(async (given: string | undefined, { open, live }: { open?: boolean; live?: boolean }) => {
      const run = given ?? newestRun();
      demandFolder(run);
      const say = (text: string) => void process.stdout.write(`${text}\n`);
      const { openPage } = await import('../../report/open.js');
      if (live) {
        const { serveLive } = await import('../../report/live.js');
        const stop = new AbortController();
        process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
        const { url, closed } = await serveLive({
          run,
          known: async () => knownOf(run, notedIn(run)),
          signal: stop.signal,
        });
        say(`${url}  (press Ctrl-C to stop)`);
        if (open) await openPage(url, say);
        await closed;
        return;
      }
      const page = join(run, 'report.html');
      if (isBehind(run, page)) await writePage(run, page);
      say(page);
      if (open) await openPage(resolve(page), say);
    });
}

/** A run that was killed, or is still running, has added to its journal since it wrote its page. */
function isBehind(run: string, page: string): boolean {
  const written = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -1;
  return written(page) < written(join(run, 'journal.jsonl')) || !existsSync(page);
}

async function writePage(run: string, page: string): Promise<void> {
  const journal = join(run, 'journal.jsonl');
  const { damagedLine, length, noted } = readJournal(journal);
  if (damagedLine !== undefined)
    process.stderr.write(
      `culprit: ${journal} is damaged at line ${damagedLine}; the page shows the run up to there.\n`,
    );
  const [{ stateOfJournal }, { writeReport }] = await Promise.all([
    import('../../report/journal.js'),
    import('../../report/page/write.js'),
  ]);
  const state = await stateOfJournal(journal, undefined, length);
  const going = isLocked(run) || state.ended ? {} : { resume: `culprit resume ${run}` };
  try {
    await writeReport(page, { ...state, ...knownOf(run, name => noted.get(name)), ...going });
  } catch (error) {
    writable(page, () => {
      throw error;
    });
  }
}

const notedIn = (run: string) => (name: string) => readJournal(join(run, 'journal.jsonl')).noted.get(name);

/** What a run's folder contains besides its journal: the original, and what is left of it. */
function knownOf(run: string, noted: (name: string) => unknown) {
  const [original, best] = [keptIn(run, 'original'), keptIn(run, 'best')].map(each => each && asSearched(each, noted));
  const names = [...new Set([...(original?.files.keys() ?? [])].map(path => path.split('/')[0]!))];
  return {
    ...factsOf(run),
    title: names.join(', ') || basename(resolve(run)),
    run,
    ...(original && best ? { files: pairFiles(original, best, readOrigins(run, best)) } : {}),
  };
}

/** The first line of a journal says how the run was started. A journal may be large, and may not exist yet. */
function factsOf(run: string): Partial<ReturnType<typeof runFacts>> {
  const start = Buffer.alloc(256 * 1024);
  try {
    const file = openSync(join(run, 'journal.jsonl'), 'r');
    try {
      const [line = ''] = start.toString('utf8', 0, readSync(file, start)).split('\n');
      return runFacts(JSON.parse(line));
    } finally {
      closeSync(file);
    }
  } catch {
    return {};
  }
}

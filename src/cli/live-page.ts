/** report.html, kept up to date during a run. */

import { quoteAll } from '../core/shell.js';
import type { Page } from '../plans/job.js';
import type { Terminal } from '../report/terminal.js';
import type { Header } from '../run/journal.js';
import type { RunFolder } from '../run/run-folder.js';
import { masked } from '../sources/environment/secrets.js';

/** A page costs as much as a few tests, so it is written at most this often. */
const interval = 5000;

export function livePage(folder: RunFolder, terminal: Terminal) {
  let due: NodeJS.Timeout | undefined;
  let shown = (): Page => ({ title: folder.journal.header.job });
  let writing: Promise<void> = Promise.resolve();
  /** One at a time: an older page must not replace a newer one. */
  const write = () => {
    writing = writing.then(async () => {
      const { writeReport } = await import('../report/page/write.js');
      const known = { run: folder.path, ...runFacts(folder.journal.header), ...printedBy(folder) };
      await writeReport(`${folder.path}/report.html`, { ...terminal.state, ...known, ...shown() });
    });
    return writing;
  };
  return {
    showing(page: () => Page) {
      shown = page;
    },
    soon() {
      due ??= setTimeout(() => {
        due = undefined;
        void write().catch(ignore);
      }, interval).unref();
    },
    close: () => clearTimeout(due),
    /** A page that cannot be written must not lose the other results. */
    async last(page: Page): Promise<boolean> {
      clearTimeout(due);
      shown = () => page;
      await writing.catch(ignore);
      writing = Promise.resolve();
      try {
        await write();
        return true;
      } catch (error) {
        terminal.say(`The report page could not be written: ${(error as Error).message}.`);
        return false;
      }
    },
  };
}

/** What the page shows about a run in addition to its events: how it was started, when, and with which versions. */
export const runFacts = ({ argv, versions, made }: Header) => ({
  called: `culprit ${quoteAll(argv.map(withoutSecret))}`,
  versions,
  ...(made ? { made } : {}),
});

/** `API_TOKEN=…` and addresses with a password are typed on command lines too, and a page is shown to others. */
function withoutSecret(word: string): string {
  const [, name, value] = /^([A-Za-z_][\w-]*)=(.*)$/s.exec(word) ?? [];
  return name === undefined ? masked('', word) : `${name}=${masked(name, value!)}`;
}

/** A bug report needs the command's output, but nobody reads more of it than this. */
const longestPrinted = 4_000;

function printedBy({ journal }: RunFolder): { readonly printed?: string } {
  const { run } = journal.noted<{ run?: { stdout?: unknown; stderr?: unknown } }>('original') ?? {};
  const text = [run?.stdout, run?.stderr]
    .map(bytes => (typeof bytes === 'string' ? Buffer.from(bytes, 'latin1').toString().trim() : ''))
    .filter(said => said !== '')
    .join('\n');
  if (text === '') return {};
  return { printed: text.length > longestPrinted ? `…${text.slice(-longestPrinted)}` : text };
}

const ignore = () => {};

/** report.html, kept up to date while a run goes on. */
import type { Page } from '../plans/job.js';
import type { Terminal } from '../report/terminal.js';
import type { RunFolder } from '../run/run-folder.js';

/** A page costs as much as a few tests, so it is written at most this often. */
const interval = 5000;

export function livePage(folder: RunFolder, terminal: Terminal) {
  let due: NodeJS.Timeout | undefined;
  let shown = (): Page => ({ title: folder.journal.header.job });
  let writing: Promise<void> = Promise.resolve();
  /** One after the other: an older page must not replace a newer one. */
  const write = () => {
    writing = writing.then(async () => {
      const { writeReport } = await import('../report/page/write.js');
      await writeReport(`${folder.path}/report.html`, { ...terminal.state, run: folder.path, ...shown() });
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
    /** A page that cannot be written is no reason to lose the rest of the end. */
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

const ignore = () => {};

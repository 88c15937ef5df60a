import { UserError } from '../core/index.js';
import type { Counter, Ended, Event } from '../engine/index.js';
import type { ReportData } from '../report/page/data.js';
import type { Ending } from '../report/panel.js';
import { Terminal } from '../report/terminal.js';
import type { CommonOptions } from './common.js';
import { RunFolder } from './run-folder.js';

/** What a job hands over when it is over; the shell around it says it to people and programs. */
export interface JobResult {
  readonly ended: Ended;
  readonly ending: Ending;
  /** The line of `--json`, without what every job has. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly page: Partial<ReportData> & { readonly title: string };
}

/** What a job may use while it runs. */
export interface JobContext {
  readonly folder: RunFolder;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  readonly options: CommonOptions;
  /** Seconds are up. */
  readonly outOfTime: () => boolean;
  /** Passes events on to the journal, the terminal and the page, and returns what the search came to. */
  follow<Result>(run: AsyncGenerator<Event, Result>): Promise<Result>;
  see(event: Event): void;
  readonly seconds: () => number;
}

/** Set when `culprit resume` runs a job again: the folder it goes on in. */
export interface Resuming {
  readonly folder: RunFolder;
}

/** The frame that every job runs in: its folder and journal, Ctrl-C, the terminal, the page, the exit code. */
export async function runJob(
  job: string,
  name: string,
  options: CommonOptions,
  argv: readonly string[],
  resuming: Resuming | undefined,
  work: (context: JobContext) => Promise<JobResult>,
): Promise<void> {
  const started = performance.now();
  const folder = resuming?.folder ?? RunFolder.create(options.run, name, { culprit: 1, job, argv, cwd: process.cwd() });
  const terminal = new Terminal(process.stderr, { quiet: options.quiet === true, verbose: options.verbose === true });
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(3);
    stop.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  const seconds = () => (performance.now() - started) / 1000;
  const page = livePage(folder, terminal);
  const see = (event: Event) => {
    folder.journal.event(event);
    terminal.see(event);
    if (event.type === 'reduced') page.soon();
  };
  try {
    const result = await work({
      folder,
      terminal,
      signal: stop.signal,
      options,
      outOfTime: () => options.maxTime !== undefined && seconds() >= options.maxTime,
      see,
      seconds,
      async follow(run) {
        for (;;) {
          const step = await run.next();
          if (step.done) return step.value;
          see(step.value);
        }
      },
    });
    await page.last(result);
    terminal.finish({
      ...result.ending,
      run: folder.path,
      page: `${folder.path}/report.html`,
      resume: `culprit resume ${folder.path}`,
    });
    const line = JSON.stringify(result.json);
    folder.write('summary.json', `${line}\n`);
    if (options.json) process.stdout.write(`${line}\n`);
    process.exitCode = result.ended === 'done' ? 0 : 3;
  } finally {
    terminal.close();
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    folder.close();
  }
}

/** report.html, kept up to date while the run goes: at most every few seconds, for it costs as much as a few tests. */
function livePage(folder: RunFolder, terminal: Terminal) {
  let due: NodeJS.Timeout | undefined;
  let title = folder.journal.header.job;
  let more: Partial<ReportData> = {};
  const write = async () => {
    const { writeReport } = await import('../report/page/write.js');
    await writeReport(`${folder.path}/report.html`, { ...terminal.state, title, run: folder.path, ...more });
  };
  return {
    soon() {
      due ??= setTimeout(() => {
        due = undefined;
        void write().catch(() => {});
      }, 5000).unref();
    },
    async last(result: JobResult) {
      clearTimeout(due);
      title = result.page.title;
      more = result.page;
      await write();
    },
  };
}

/** The counts of a run as `--json` has them. */
export const jsonCounts = (counter: Counter) => counter.counts;

/** The arguments that a run was started with, for its journal. */
export const ownArguments = (): readonly string[] => process.argv.slice(2);

export function readRegex(text: string, name: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new UserError(
      `${name} is not a regular expression: ${(error as Error).message}.`,
      'Put a backslash before signs that stand for themselves.',
    );
  }
}

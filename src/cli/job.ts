import { UserError } from '../core/index.js';
import type { Counter, Ended, Event } from '../engine/index.js';
import type { ReportData } from '../report/page/data.js';
import type { Ending } from '../report/panel.js';
import { type Out, Terminal } from '../report/terminal.js';
import type { CommonOptions } from './common.js';
import { noteRun, printFailure, printJson } from './failure.js';
import { RunFolder } from './run-folder.js';

type Page = Partial<ReportData> & { readonly title: string };

/** What a job hands over when it is over; the shell around it says it to people and programs. */
export interface JobResult {
  readonly ended: Ended;
  readonly ending: Ending;
  /** The line of `--json`, without what every job has. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly page: Page;
  /** Something that the user must know though there is a result: it is said last, and decides the exit code. */
  readonly problem?: UserError;
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
  /** Seconds of the whole run, over all of its legs. */
  readonly seconds: () => number;
  /** What the page shows beside the events while the run goes; asked for each time that it is written. */
  showing(page: () => Page): void;
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
  const { journal } = folder;
  noteRun({
    path: folder.path,
    close() {
      terminal.close();
      folder.close();
    },
  });
  const resume = `culprit resume ${folder.path}`;
  let isMuted = false;
  const terminal = new Terminal(
    screen(process.stderr, () => isMuted),
    {
      quiet: options.quiet === true,
      verbose: options.verbose === true,
      clock: () => (journal.replaying ? 0 : journal.milliseconds),
    },
  );
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(3);
    stop.abort();
  };
  let fault: unknown;
  const fail = (error: unknown) => {
    fault ??= error;
    stop.abort();
  };
  journal.failed = fail;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  // A reader that went away (`| head`) must not end a run of hours.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore);
  const seconds = () => journal.milliseconds / 1000;
  const page = livePage(folder, terminal);
  const see = (event: Event) => {
    const isOld = journal.replaying;
    // What was said in an earlier leg is not said again; a live panel shows it as one picture.
    isMuted = isOld && !terminal.live;
    journal.event(event);
    terminal.see(event);
    isMuted = false;
    if (isOld && !journal.replaying && !options.quiet)
      terminal.say(`went on after ${terminal.state.counts.tests} answers`);
    if (event.type === 'reduced' && !journal.replaying) page.soon();
  };
  const context: JobContext = {
    folder,
    terminal,
    signal: stop.signal,
    options,
    outOfTime: () => options.maxTime !== undefined && (performance.now() - started) / 1000 >= options.maxTime,
    see,
    seconds,
    async follow(run) {
      for (;;) {
        const step = await run.next();
        if (fault !== undefined) throw fault;
        if (step.done) return step.value;
        see(step.value);
      }
    },
    showing: page.showing,
  };
  let problem: UserError | undefined;
  try {
    const result = await work(context);
    const hasPage = await page.last(result.page);
    const written = hasPage ? { page: `${folder.path}/report.html` } : {};
    terminal.finish({ ...result.ending, ...written, run: folder.path, resume });
    const line = JSON.stringify(result.json);
    folder.write('summary.json', `${line}\n`);
    if (options.json) printJson(line);
    process.exitCode = result.ended === 'done' ? 0 : 3;
    problem = result.problem;
    if (problem) throw problem;
  } catch (error) {
    terminal.close();
    const hasBegun = terminal.state.job !== '';
    // What a stopped test complains of is the stop.
    const isStop = (error as Error).name === 'AbortError' || (error instanceof UserError && error !== problem);
    if (fault === undefined && stop.signal.aborted && isStop) {
      const where = hasBegun ? `; the smallest result so far is in ${folder.path}/best` : ' during the first run';
      const [message, advice] = [`stopped${where}.`, `Go on with: ${resume}`];
      process.stderr.write(`culprit: ${message}\n${advice}\n`);
      printFailure({ ended: 'interrupted', message, advice });
      process.exitCode = 3;
      return;
    }
    const cause = fault ?? error;
    // After a bug of ours, what is known of the run is kept.
    if (!hasBegun && !folder.resumed && cause instanceof UserError) {
      folder.discard();
      noteRun(undefined);
    }
    if (!hasBegun || cause === problem || (fault === undefined && !(error instanceof UserError))) throw cause;
    throw goingOn(cause, resume);
  } finally {
    terminal.close();
    page.close();
    for (const signal of signals) process.off(signal, interrupt);
    folder.close();
  }
}

function goingOn(fault: unknown, resume: string): UserError {
  const { message } = fault as Error;
  const advice = fault instanceof UserError ? fault.advice : 'The machine could not make the test.';
  return new UserError(message, `${advice}\nThen go on with: ${resume}`, 1);
}

const ignore = () => {};

const screen = (stream: NodeJS.WriteStream, isMuted: () => boolean): Out => ({
  get isTTY() {
    return stream.isTTY;
  },
  get columns() {
    return stream.columns;
  },
  write: text => isMuted() || stream.write(text),
});

/** report.html, kept up to date while the run goes: at most every few seconds, for it costs as much as a few tests. */
function livePage(folder: RunFolder, terminal: Terminal) {
  let due: NodeJS.Timeout | undefined;
  let shown = (): Page => ({ title: folder.journal.header.job });
  let writing: Promise<void> = Promise.resolve();
  /** One after the other: an older page must not take the place of a newer one. */
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
      }, 5000).unref();
    },
    close: () => clearTimeout(due),
    /** A page that can't be written is no reason to lose the rest of the end. */
    async last(page: Page): Promise<boolean> {
      clearTimeout(due);
      shown = () => page;
      await writing.catch(ignore);
      writing = Promise.resolve();
      try {
        await write();
        return true;
      } catch (error) {
        terminal.say(`The page can't be written: ${(error as Error).message}.`);
        return false;
      }
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

/** The one driver: runs any job in its own folder, with journal, terminal, page, budgets, Ctrl-C and exit code. */
import { availableParallelism } from 'node:os';
import { cannotCombine } from '../core/cannot-combine.js';
import { DeadEnd, UserError } from '../core/index.js';
import type { Event } from '../engine/index.js';
import { checkFlaky } from '../plans/flaky/rates.js';
import type { AnyJob, Context, JobOptions, Page, Request } from '../plans/job.js';
import type { RedisFarm } from '../remote/farm.js';
import { WrongAnswers } from '../remote/shared.js';
import { eventLine, resultLine, startLine } from '../report/event-lines.js';
import { listenForKeys } from '../report/keys.js';
import { type Out, Terminal } from '../report/terminal.js';
import { Journal } from '../run/journal.js';
import { madeNow } from '../run/machine.js';
import { showOthersWhenAsked } from '../run/other-failures.js';
import { RunFolder } from '../run/run-folder.js';
import { versions } from '../run/versions.js';
import { driveJob } from './drive-job.js';
import { noteRun, printFailure, printJson } from './failure.js';
import { formatOutputs } from './format-outputs.js';
import { livePage } from './live-page.js';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface RunOptions {
  /** The folder of a run to resume. */
  readonly resumed?: RunFolder | undefined;
  readonly farm?: RedisFarm | undefined;
  /** The run went back to the point before a worker's wrong answers: what it found since then is written again. */
  readonly isRewound?: boolean;
}

/** `argv`: the command line as it was typed, for people. `again`: the folder of a run that went back and must be resumed. */
export async function runJob(
  job: AnyJob,
  request: Request,
  argv: readonly string[],
  { resumed, farm, isRewound = false }: RunOptions = {},
): Promise<'done' | { readonly again: string }> {
  const started = performance.now();
  const { options } = request;
  refuseBoth(options);
  refuseNoSlots(options);
  checkFlaky(options);
  const writeFormats = formatOutputs(job.name, options, resumed);
  const made = madeNow();
  const header = { culprit: 2 as const, job: job.name, argv, cwd: process.cwd(), versions: versions(), request, made };
  const folder = resumed ?? RunFolder.create(options.run, job.runName, header);
  const { journal } = folder;
  const resume = `culprit resume ${folder.path}`;
  let isMuted = false;
  const terminal = new Terminal(
    screen(process.stderr, () => isMuted),
    {
      quiet: options.quiet === true,
      verbose: options.verbose === true,
      clock: () => (journal.replaying ? 0 : journal.milliseconds),
      keys: listenForKeys,
    },
  );
  terminal.wait(`${job.name}: the first run`);
  noteRun({
    path: folder.path,
    close() {
      terminal.close();
      folder.close();
    },
  });
  const stop = new AbortController();
  const interrupt = () => {
    if (stop.signal.aborted) process.exit(3);
    stop.abort();
  };
  let fault: unknown;
  journal.failed = (error: unknown) => {
    fault ??= error;
    stop.abort();
  };
  for (const signal of signals) process.on(signal, interrupt);
  // A closed pipe (`| head`) must not end a run of hours.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignore);
  if (options.events) print(startLine({ job: job.name, run: folder.path }));
  const page = livePage(folder, terminal);
  const see = showOthersWhenAsked(event => {
    const isOld = journal.replaying;
    // Messages from before the resume are not repeated; a live panel shows only their result.
    isMuted = isOld && !terminal.live;
    journal.event(event);
    if (options.events) print(eventLine(event));
    terminal.see(event);
    isMuted = false;
    if (isOld && !journal.replaying && !options.quiet)
      terminal.say(`resumed after ${terminal.state.counts.tests} tests`);
    if (event.type === 'reduced' && !journal.replaying) page.soon();
  });
  const follow = async <Result>(run: AsyncGenerator<Event, Result>): Promise<Result> => {
    for (;;) {
      const step = await run.next();
      if (fault !== undefined) throw fault;
      if (step.done) return step.value;
      see(step.value);
    }
  };
  const context: Context = {
    folder,
    options,
    signal: stop.signal,
    // With -j 0, what must run on this machine still needs a slot.
    workers: Math.max(1, options.jobs ?? availableParallelism()),
    see,
    say: line => {
      if (!options.quiet) terminal.say(line);
    },
    ...(farm ? { farm } : {}),
  };
  for (const output of job.outputs ?? [])
    if (output?.replaces !== undefined)
      context.say(`${output.path}, the result of ${output.replaces}, will be replaced.`);
  let wrong: WrongAnswers | undefined;
  farm?.host({ say: context.say, signal: stop.signal, position: () => journal.position }, error => {
    wrong = error;
    fault ??= error;
    stop.abort();
  });
  const outOfTime = () => options.maxTime !== undefined && (performance.now() - started) / 1000 >= options.maxTime;
  let problem: UserError | undefined;
  try {
    const showing = (shown: () => Page, look?: () => string | undefined) => {
      page.showing(shown);
      if (look) terminal.look = look;
    };
    const frame = { follow, outOfTime, showing, ...(farm ? { room: farm } : {}), isRewound };
    const result = await driveJob(job, context, frame);
    const hasPage = await page.last(result.presentation.page);
    const { output, smallest, reproduce, result: words, inWords } = result.presentation;
    terminal.finish({
      ...(output === undefined ? {} : { output }),
      ...(smallest === undefined ? {} : { smallest }),
      ...(reproduce === undefined ? {} : { reproduce }),
      ...(words === undefined ? {} : { result: words }),
      ...(inWords ? { inWords } : {}),
      ...(hasPage ? { page: `${folder.path}/report.html` } : {}),
      run: folder.path,
      resume,
    });
    const line = JSON.stringify(result.json);
    folder.write('summary.json', `${line}\n`);
    if (options.json) printJson(line);
    if (options.events) printJson(resultLine(result.json));
    writeFormats(result.json, folder);
    process.exitCode = result.ended === 'done' ? 0 : 3;
    problem = result.presentation.problem;
    if (problem) throw problem;
  } catch (error) {
    terminal.close();
    if (error instanceof WrongAnswers) wrong = error;
    if (wrong) return { again: folder.path };
    const hasBegun = terminal.state.job !== '';
    // A stopped test reports only that it was stopped.
    const isStop = (error as Error).name === 'AbortError' || (error instanceof UserError && error !== problem);
    if (fault === undefined && stop.signal.aborted && isStop) {
      const where = hasBegun ? `; the smallest result so far is in ${folder.path}/best` : ' during the first run';
      const [message, advice] = [`stopped${where}.`, `Continue with: ${resume}`];
      process.stderr.write(`culprit: ${message}\n${advice}\n`);
      printFailure({ ended: 'interrupted', message, advice });
      process.exitCode = 3;
      return 'done';
    }
    const cause = fault ?? error;
    // After an internal error, what is known about the run is kept.
    if (!hasBegun && !folder.resumed && cause instanceof UserError) {
      folder.discard();
      noteRun(undefined);
    }
    if (
      !hasBegun ||
      cause === problem ||
      cause instanceof DeadEnd ||
      (fault === undefined && !(error instanceof UserError))
    )
      throw cause;
    throw withResume(cause, resume);
  } finally {
    terminal.close();
    page.close();
    for (const signal of signals) process.off(signal, interrupt);
    folder.close();
    if (wrong) Journal.rewind(`${folder.path}/journal.jsonl`, wrong.position);
  }
  return 'done';
}

function withResume(fault: unknown, resume: string): UserError {
  const { message } = fault as Error;
  const advice = fault instanceof UserError ? fault.advice : 'The test could not be run on this machine.';
  return new UserError(message, `${advice}\nThen continue with: ${resume}`, 1);
}

const ignore = () => {};
const print = (line: string): void => void process.stdout.write(`${line}\n`);

function refuseBoth({ json, events, output, quiet, verbose }: JobOptions): void {
  if (quiet && verbose) throw cannotCombine('--quiet', '--verbose');
  if (output === '-' && (json || events))
    throw cannotCombine(
      '--output -',
      json ? '--json' : '--events',
      'Both write to standard output. Remove one of them, or write the result to a file.',
    );
  if (json && events) throw cannotCombine('--json', '--events', 'The last line of --events is the line of --json.');
}

function refuseNoSlots({ jobs, workers }: JobOptions): void {
  if (jobs === 0 && !workers)
    throw new UserError('--jobs 0 is not a whole number of at least 1.', 'Without --workers, tests need this machine.');
}

const screen = (stream: NodeJS.WriteStream, isMuted: () => boolean): Out => ({
  get isTTY() {
    return stream.isTTY;
  },
  get columns() {
    return stream.columns;
  },
  get rows() {
    return stream.rows;
  },
  write: text => isMuted() || stream.write(text),
});

/** The one driver: runs any job in its own folder, with journal, terminal, page, budgets, Ctrl-C and exit code. */

import { availableParallelism } from 'node:os';
import { cannotCombine } from '../core/cannot-combine.js';
import { DeadEnd, UserError } from '../core/index.js';
import { wilson } from '../core/sequential.js';
import { Counter, type Event, type Size } from '../engine/index.js';
import { checkFlaky } from '../plans/flaky/rates.js';
import { makeReliable } from '../plans/flaky/reliability.js';
import { searchReliably } from '../plans/flaky/search.js';
import type { AnyJob, Context, Expected, Found, JobOptions, Page, Presentation, Request } from '../plans/job.js';
import { recordClaim } from '../plans/recorded-claim.js';
import type { RedisFarm } from '../remote/farm.js';
import { WrongAnswers } from '../remote/shared.js';
import { eventLine, resultLine, startLine } from '../report/event-lines.js';
import { listenForKeys } from '../report/keys.js';
import { type Out, Terminal } from '../report/terminal.js';
import { Journal } from '../run/journal.js';
import { madeNow } from '../run/machine.js';
import { otherFailures, showOthersWhenAsked } from '../run/other-failures.js';
import { RunFolder } from '../run/run-folder.js';
import { versions } from '../run/versions.js';
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
    const result = await drive(job, context, frame);
    const hasPage = await page.last(result.presentation.page);
    const { output, reproduce, result: words, inWords } = result.presentation;
    terminal.finish({
      ...(output === undefined ? {} : { output }),
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

interface Frame {
  follow<Result>(run: AsyncGenerator<Event, Result>): Promise<Result>;
  outOfTime(): boolean;
  showing(page: () => Page, look?: () => string | undefined): void;
  /** The workers on other machines, if there are any. */
  readonly room?: RedisFarm;
  readonly isRewound: boolean;
}

interface Result {
  readonly ended: Found<unknown>['ended'];
  readonly presentation: Presentation & { readonly page: Page };
  readonly json: Readonly<Record<string, unknown>>;
}

/** First run, search, presentation. Counters, events, `best/` and the fields of `--json` are written here, once. */
async function drive(job: AnyJob, context: Context, frame: Frame): Promise<Result> {
  const { folder, see } = context;
  const opened = await job.open(context);
  try {
    const expected: Expected<unknown> = await opened.firstRun();
    const steadiness = await makeReliable(expected.probe, expected.test, context);
    const counter = new Counter();
    counter.started = folder.journal.executed;
    see({ type: 'began', job: job.name, before: sizeShown(expected, expected.before), ...failureOf(expected) });
    let best = expected.original;
    const keep = (next: unknown) => {
      best = next;
      if (!folder.journal.replaying || frame.isRewound) opened.keep(next);
    };
    keep(best);
    frame.showing(() => opened.page(best), opened.look?.bind(opened));
    const { end, settled } = await searchReliably({
      opened,
      expected: { ...expected, test: otherFailures(expected.test, folder, see, expected.kept) },
      context,
      reliability: steadiness,
      settings: settingsOf(context, counter, frame),
      keep,
      follow: frame.follow,
    });
    await frame.room?.settled();
    keep(end.best);
    recordClaim(folder.journal, end, expected);
    see({
      type: 'ended',
      ended: end.ended,
      minimal: end.minimal,
      size: sizeShown(expected, end.after),
      counts: counter.counts,
      seconds: secondsOf(context),
      ...(end.sentence === undefined ? {} : { sentence: end.sentence }),
    });
    const presentation = await opened.present(end);
    return {
      ended: end.ended,
      presentation: { ...presentation, page: presentation.page ?? opened.page(best) },
      json: {
        job: job.name,
        ended: end.ended,
        minimal: end.minimal,
        ...counter.counts,
        seconds: Number(secondsOf(context).toFixed(3)),
        before: expected.before,
        after: end.after,
        ...(presentation.output === undefined ? {} : { output: presentation.output }),
        run: folder.path,
        signature: expected.signature ?? expected.rule,
        ...(settled ? { rate: { ...settled.seen, ...wilson(settled.seen) } } : {}),
        ...presentation.fields,
      },
    };
  } finally {
    await opened.close();
  }
}

const sizeShown = ({ countsDeltas }: Expected<unknown>, size: Size): Size =>
  countsDeltas ? { deltas: size.deltas } : size;

const failureOf = ({ rule, signature, command }: Expected<unknown>) => ({
  rule,
  ...(command === undefined ? {} : { command }),
  ...(signature === undefined ? {} : { signature }),
});

const secondsOf = ({ folder }: Context): number => folder.journal.milliseconds / 1000;

function settingsOf(context: Context, counter: Counter, { outOfTime, room }: Frame) {
  const { options, folder } = context;
  return {
    workers: context.workers,
    ...(room ? { room } : {}),
    signal: context.signal,
    memory: options.cache === false ? folder.journal.inOrder() : folder.journal,
    counter,
    outOfTime,
    ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
    ...(options.cache === false ? { remember: false } : {}),
  };
}

function withResume(fault: unknown, resume: string): UserError {
  const { message } = fault as Error;
  const advice = fault instanceof UserError ? fault.advice : 'The test could not be run on this machine.';
  return new UserError(message, `${advice}\nThen continue with: ${resume}`, 1);
}

const ignore = () => {};
const print = (line: string): void => void process.stdout.write(`${line}\n`);

function refuseBoth({ json, events, output }: JobOptions): void {
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

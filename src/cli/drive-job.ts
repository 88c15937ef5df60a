/** What all jobs share inside a run: first run, search, presentation, and the fields of `--json`. */
import { UserError } from '../core/index.js';
import { wilson } from '../core/sequential.js';
import { Counter, type Event, type Size } from '../engine/index.js';
import { makeReliable } from '../plans/flaky/reliability.js';
import { searchReliably } from '../plans/flaky/search.js';
import type { AnyJob, Context, Expected, Found, Page, Presentation } from '../plans/job.js';
import { recordClaim } from '../plans/recorded-claim.js';
import type { RedisFarm } from '../remote/farm.js';
import { otherFailures } from '../run/other-failures.js';

/** What the driver does around a search. */
export interface Frame {
  follow<Result>(run: AsyncGenerator<Event, Result>): Promise<Result>;
  outOfTime(): boolean;
  showing(page: () => Page, look?: () => string | undefined): void;
  /** The workers on other machines, if there are any. */
  readonly room?: RedisFarm;
  readonly isRewound: boolean;
}

export interface Result {
  readonly ended: Found<unknown>['ended'];
  readonly presentation: Presentation & { readonly page: Page };
  readonly json: Readonly<Record<string, unknown>>;
}

/** First run, search, presentation. Counters, events, `best/` and the fields of `--json` are written here, once. */
export async function driveJob(job: AnyJob, context: Context, frame: Frame): Promise<Result> {
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
    // What it has here is older, and larger, than what the run found before.
    if (end.ended === 'interrupted' && folder.journal.replaying && !frame.isRewound)
      throw new UserError('Interrupted before the run was where it had been.');
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
    // A budget is for new tests: what the run knew before it was resumed is not given up again.
    outOfTime: () => !folder.journal.replaying && outOfTime(),
    ...(options.maxTests === undefined ? {} : { maxTests: Math.max(options.maxTests, folder.journal.spent) }),
    ...(options.cache === false ? { remember: false } : {}),
  };
}

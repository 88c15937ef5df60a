/** The job of `culprit states`: first run, watched runs, the chain, and what is said of it. */
import { bytesOf } from '../../circumstances/artifact.js';
import { UserError } from '../../core/index.js';
import { Counter } from '../../engine/index.js';
import { CommandOracle } from '../../oracle/command.js';
import { askedRule } from '../../oracle/rules.js';
import { debuggeeFor } from '../../oracle/states/debuggee.js';
import { watchWith } from '../../oracle/states/watch.js';
import { sweepAbandoned } from '../../oracle/workspace.js';
import { type Explained, explainStates } from '../../plans/states/index.js';
import { passingNeighbour } from '../../plans/states/neighbour.js';
import { type CommonOptions, jobsOf, type RuleOptions, runningOf } from '../common.js';
import { firstRun } from '../first-run.js';
import { jsonOf } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import { matcherOf } from './glob.js';
import type { Pair } from './pair.js';
import { chainLines, near, pageOf } from './show.js';
import { worldOf } from './world.js';

export interface StatesOptions extends CommonOptions, RuleOptions {
  readonly passing?: string;
  readonly failing?: string;
  readonly in?: readonly string[];
  readonly with?: string;
  readonly places?: number;
}

/** Places that are looked at unless --places says otherwise. */
const usualPlaces = 13;
/** The failing input is run twice before anything else. */
const firstRuns = 2;

export async function findStates(pair: Pair, options: StatesOptions, context: JobContext): Promise<JobResult> {
  sweepAbandoned();
  const { command, given } = pair;
  const oracle = new CommandOracle({ command, given, original: pair.failing, ...runningOf(options) });
  try {
    const debuggee = debuggeeFor(oracle.argv, options.with);
    const { folder, see } = context;
    const names = given.map(each => each.name);
    const first = await firstRun(
      oracle,
      {
        artifact: pair.failing,
        asked: askedRule(options),
        command,
        names,
        where: process.cwd(),
        shown: oracle.shown(given[0]!.path),
      },
      context,
    );
    const counter = new Counter();
    counter.executed = folder.journal.executed;
    const passing =
      pair.passing ?? (await passingNeighbour(pair.failing, oracle.test(first.rule, first.timeout), context.signal));
    if (!passing)
      throw new UserError(
        'No input that passes was found near the failing one.',
        'Give one with --passing, for instance from `culprit isolate`.',
        1,
      );
    const both = { passing, failing: pair.failing };
    let runs = 0;
    const world = worldOf(context, {
      oracle,
      watch: watchWith(oracle, debuggee),
      first,
      pair: both,
      watched: () => runs++,
      ...(options.repeat === undefined ? {} : { repeat: options.repeat }),
    });
    see({
      type: 'began',
      job: 'states',
      before: { deltas: 0 },
      rule: first.described,
      command: command.join(' '),
      ...(first.signature ? { signature: first.signature.text } : {}),
    });
    const found = await context.follow(
      explainStates(world, {
        workers: jobsOf(options),
        signal: context.signal,
        memory: options.cache === false ? folder.journal.inOrder() : folder.journal,
        counter,
        outOfTime: context.outOfTime,
        ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
        ...(options.cache === false ? { remember: false } : {}),
        isIn: matcherOf(options.in),
        steps: debuggee.steps,
        needs: debuggee.needs,
        places: options.places ?? usualPlaces,
      }),
    );
    return resultOf(found, {
      pair,
      context,
      counter,
      runs: firstRuns + runs + counter.counts.executed,
      signature: first.signature?.text ?? first.described,
    });
  } finally {
    await oracle.close();
  }
}

interface Rest {
  readonly pair: Pair;
  readonly context: JobContext;
  readonly counter: Counter;
  readonly runs: number;
  readonly signature: string;
}

function resultOf(found: Explained, { pair, context, counter, runs, signature }: Rest): JobResult {
  const { ended, chain, transitions, common, examined, hidden } = found;
  const { folder, see, terminal } = context;
  const lines = chainLines(found);
  const [first] = transitions;
  see({
    type: 'ended',
    ended,
    minimal: [],
    size: { deltas: chain.length },
    counts: counter.counts,
    seconds: context.seconds(),
    told: toldOf(found),
  });
  if (hidden > 0) terminal.say(`Up to ${hidden} differences at a place could not be put into the other run.`);
  if (lines.length > 0) terminal.say(`\n${lines.join('\n')}`);
  folder.write('chain.txt', `${lines.join('\n')}\n`);
  const size = { bytes: bytesOf(pair.failing), deltas: chain.length };
  return {
    ended,
    ending: { output: `${folder.path}/chain.txt` },
    json: jsonOf(context, 'states', { ended, minimal: [] }, counter, {
      before: { bytes: size.bytes, deltas: common },
      after: size,
      output: `${folder.path}/chain.txt`,
      signature,
      runs,
      places: { common, examined },
      hidden,
      chain,
      transitions,
    }),
    page: {
      ...pageOf(found),
      title: first
        ? `${near(first.file)}:${first.from}–${first.to}: how the failure comes about`
        : 'How the failure comes about',
    },
  };
}

function toldOf({ ended, chain, transitions, common, examined }: Explained): string {
  const looked = `${examined} of ${common} common places examined`;
  if (ended !== 'done') return `Stopped early: ${looked}.`;
  if (chain.length === 0)
    return `Done, ${looked}. At none of them did a difference in memory turn the passing run into the failing one.`;
  return `Done: ${chain.length} causes and ${transitions.length} transitions, ${looked}.`;
}

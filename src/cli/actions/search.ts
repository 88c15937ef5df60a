import { createHash } from 'node:crypto';
import {
  actionsOf,
  dependsOnTime,
  type FirstRun,
  type Recording,
  type Replayer,
} from '../../circumstances/actions/index.js';
import { quotedAll } from '../../circumstances/options/index.js';
import { Counter } from '../../engine/index.js';
import { againAlone, repeated } from '../../oracle/alone.js';
import { reduceActions } from '../../plans/actions.js';
import { jsonOf } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import { otherFailures } from '../other-failures.js';
import { listStrategy } from '../strategies.js';
import type { RecordingFiles } from './files.js';
import { type ActionsOptions, ruleWords } from './rule.js';

export interface Searched {
  readonly files: RecordingFiles;
  readonly title: string;
  readonly replayer: Replayer;
  readonly first: FirstRun;
  /** The failure and the rule in words. */
  readonly signature: string;
  readonly rule: string;
  readonly jobs: number;
  /** A recording as a script. */
  readonly script: (recording: Recording) => string;
  /** The command that runs afterwards, as a person types it. */
  readonly shown?: string;
}

/** More pictures than anyone looks at. */
const mostPictures = 40;

export async function searchActions(
  searched: Searched,
  options: ActionsOptions,
  context: JobContext,
): Promise<JobResult> {
  const { files, replayer, first, signature, rule, shown } = searched;
  const { original } = files;
  const { folder, see, signal } = context;
  const before = { bytes: files.bytes, deltas: actionsOf(original).count };
  const counter = new Counter();
  counter.started = folder.journal.executed;
  see({
    type: 'began',
    job: 'actions',
    before: { deltas: before.deltas },
    rule,
    signature,
    ...(shown === undefined ? {} : { command: shown }),
  });
  const test = otherFailures(
    repeated(againAlone(replayer.test, dependsOnTime(first.chase)), options.repeat ?? 1),
    folder,
    see,
    files.artifact,
  );
  let best = original;
  const keep = (recording: Recording) => {
    best = recording;
    if (!folder.journal.replaying) files.write(recording, searched.script(recording), folder);
  };
  keep(original);
  const reproduce = quotedAll(['culprit', 'actions', files.output, ...ruleWords(folder.journal.header.argv)]);
  const page = () => ({
    title: searched.title,
    reproduce,
    output: files.output,
    table: {
      caption: 'Every action; those that matter are marked',
      columns: ['#', 'action'],
      ...marked(original, best),
    },
  });
  context.showing(page);
  const end = await context.follow(
    reduceActions(
      original,
      test,
      {
        workers: searched.jobs,
        signal,
        memory: options.cache === false ? folder.journal.inOrder() : folder.journal,
        identify,
        counter,
        outOfTime: context.outOfTime,
        accepted: keep,
        ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
        ...(options.cache === false ? { remember: false } : {}),
      },
      options.strategy === undefined ? undefined : listStrategy(options.strategy),
    ),
  );
  keep(end.recording);
  const left = actionsOf(best);
  const words = Array.from({ length: left.count }, (_, delta) => left.describe!(delta));
  see({
    type: 'ended',
    ended: end.ended,
    minimal: end.minimal,
    size: { deltas: left.count },
    counts: counter.counts,
    seconds: context.seconds(),
  });
  const pictures =
    end.ended === 'interrupted' || left.count > mostPictures
      ? []
      : await replayer.pictures(best).catch((error: Error) => {
          context.terminal.say(`There are no pictures: ${error.message.split('\n')[0]}.`);
          return [];
        });
  const { mean, replays } = replayer.spent();
  if (options.verbose)
    context.terminal.say(
      `${replays} replays; each on average ${Math.round(mean.context)} ms for a fresh context, ${Math.round(mean.load)} to load, ${Math.round(mean.actions)} for actions, ${Math.round(mean.verdict)} until the verdict`,
    );
  const listed = words.map((each, i) => `${i + 1}. ${each}`).join('\n');
  return {
    ended: end.ended,
    ending: {
      output: files.output,
      reproduce,
      result: `${listed}\n\nAs a Playwright test: ${files.script}`,
    },
    json: jsonOf(context, 'actions', end, counter, {
      before,
      after: { bytes: files.measure(best), deltas: left.count },
      output: files.output,
      script: files.script,
      signature,
      actions: words,
    }),
    page: {
      ...page(),
      pictures: pictures.map(({ words: caption, png }) => ({
        caption,
        pngBase64: Buffer.from(png).toString('base64'),
      })),
    },
  };
}

const identify = ({ steps }: Recording): string =>
  createHash('sha256').update(JSON.stringify(steps)).digest('base64url').slice(0, 32);

/** What is left are the very steps of the original. */
function marked(original: Recording, left: Recording) {
  const actions = actionsOf(original);
  const steps = new Set(left.steps);
  const rows: string[][] = [];
  const remaining: number[] = [];
  for (let delta = 0; delta < actions.count; delta++) {
    rows.push([String(delta + 1), actions.describe!(delta)]);
    if (actions.build([delta, delta + 1])!.steps.every(step => steps.has(step))) remaining.push(delta);
  }
  return { rows, remaining };
}

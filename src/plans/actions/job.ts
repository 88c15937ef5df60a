/** `culprit actions`: which user actions matter, replayed in a real browser. */

import { basename } from 'node:path';
import { actionsOf, describeStep } from '../../circumstances/actions.js';
import { quoteAll } from '../../core/shell.js';
import { dependsOnTime, type FirstRun } from '../../oracle/browser/expected-failure.js';
import type { Failing } from '../../oracle/browser/failing.js';
import { openReplayer, type Replayer } from '../../oracle/browser/replay.js';
import { watchBrowser } from '../../oracle/browser/watch.js';
import { askedRule } from '../../oracle/command/rules.js';
import { sweepAbandoned } from '../../oracle/command/workspace.js';
import { openPostCheck, type PostCheck } from '../../oracle/post-check.js';
import { retryAlone } from '../../oracle/retry-alone.js';
import type { RunFolder } from '../../run/run-folder.js';
import { playwrightScript } from '../../sources/recording/playwright-script.js';
import { joinPresses } from '../../sources/recording/presses.js';
import { addressFrom, type Recording, type Selectors } from '../../sources/recording/recording.js';
import { listStrategy } from '../../strategies/registry.js';
import type { Context, Found, Job, Opened, Request } from '../job.js';
import { type RecordingFiles, recordingFiles } from './files.js';
import { firstRun, settledIn } from './first-run.js';
import { readableForm } from './readable.js';
import { type ActionsOptions, failingOf, ruleOf, ruleWords } from './rule.js';
import { identify, reduceActions } from './search.js';

/** More pictures than anyone looks at. */
const mostPictures = 40;

interface Prepared {
  readonly request: Request<ActionsOptions>;
  readonly files: RecordingFiles;
  readonly inPage: ReturnType<typeof failingOf>;
  readonly isKept: boolean;
}

export async function actionsJob(
  request: Request<ActionsOptions>,
  resumed?: RunFolder,
): Promise<Job<Recording, Recording, ReducedRecording>> {
  const { options, command } = request;
  const [path = ''] = request.inputs;
  const inPage = failingOf(options, command.length > 0);
  if (command.length > 0) askedRule(ruleOf(options));
  if (options.strategy) listStrategy(options.strategy);
  const kept = resumed?.keptOriginal();
  const files = await recordingFiles(path, options, resumed);
  sweepAbandoned();
  const prepared = { request, files, inPage, isKept: kept !== undefined };
  return { name: 'actions', runName: files.stem, outputs: files.outputs, open: context => open(prepared, context) };
}

interface ReducedRecording extends Found<Recording> {
  /** The same with whole clicks, key presses and filled fields, if it was also seen to fail. */
  readonly readable?: Recording;
}

async function open(prepared: Prepared, context: Context): Promise<Opened<Recording, Recording, ReducedRecording>> {
  const { request, files, inPage } = prepared;
  const { options, command } = request;
  const { folder } = context;
  if (!prepared.isKept) files.keepOriginal(folder);
  const postCheck = postCheckOf(request, context);
  // A command looks at what all tests share, so they cannot run at the same time.
  const jobs = postCheck ? 1 : context.workers;
  let replayer: Replayer | undefined;
  let first: FirstRun | undefined = settledIn(context);
  let dropDowns = new Set(folder.journal.noted<readonly string[]>('drop-downs'));
  const { original } = files;
  const script = (recording: Recording) =>
    scriptOf(recording, first!, prepared, {
      isCommand: postCheck !== undefined,
      isDropDown: selectors => dropDowns.has(JSON.stringify(selectors)),
    });
  const reproduce = quoteAll(['culprit', 'actions', files.output, ...ruleWords(options, command)]);
  const page = (best: Recording) => ({
    title: basename(request.inputs[0]!),
    reproduce,
    output: files.output,
    table: {
      caption: 'Every action; those that matter are marked',
      columns: ['#', 'action'],
      ...marked(original, best),
    },
  });
  return {
    async firstRun() {
      replayer = await openReplayer({
        failing: postCheck ? commandFailing(postCheck, files) : inPage,
        folder: files.home,
        watch: watchBrowser,
        signal: context.signal,
        jobs,
        ...(options.timeout === undefined ? {} : { timeout: options.timeout * 1000 }),
        ...(options.patience === undefined ? {} : { patience: options.patience }),
        ...(first ? { expected: first.expected } : {}),
      });
      if (first) context.say(`resumed: ${first.rule}`);
      if (!first) {
        first = await firstRun(replayer, original, context, postCheck);
        dropDowns = new Set(replayer.dropDowns);
        folder.journal.note('drop-downs', [...dropDowns]);
      }
      const settled = postCheck?.first();
      return {
        original,
        before: { bytes: files.bytes, deltas: actionsOf(original).count },
        countsDeltas: true,
        rule: settled?.described ?? first.rule,
        signature: settled ? (settled.signature?.text ?? settled.described) : inOneLine(first.expected.signature),
        ...(postCheck ? { command: quoteAll(command) } : {}),
        test: retryAlone(replayer.test, dependsOnTime(first.expected)),
        probe: { original, identify, testedOf: best => best, suspect: !first.stable, seconds: first.seconds },
        kept: files.artifact,
      };
    },
    async *search({ test, settings, keep }) {
      const searching = { ...settings, workers: jobs, accepted: keep };
      const strategy = options.strategy === undefined ? undefined : listStrategy(options.strategy);
      const { ended, minimal, recording, proofs } = yield* reduceActions(original, test, searching, strategy);
      const after = { bytes: files.measure(recording), deltas: actionsOf(recording).count };
      const finding = { memory: folder.journal, identify, counter: settings.counter!, signal: context.signal };
      const readable = ended === 'done' ? await readableForm(recording, test, finding) : undefined;
      return { ended, minimal, best: recording, after, proofs, ...(readable ? { readable } : {}) };
    },
    goBack: (end, best) => ({
      ...end,
      best,
      after: { bytes: files.measure(best), deltas: actionsOf(best).count },
    }),
    keep: best => files.write(best, script(best), folder),
    page,
    async present({ best, ended, readable = best }) {
      if (readable !== best) files.write(best, script(readable), folder);
      const left = actionsOf(best);
      const words = Array.from({ length: left.count }, (_, delta) => left.describe!(delta));
      const isShown = ended !== 'interrupted' && left.count <= mostPictures;
      const pictures = isShown ? await picturesOf(replayer!, best, context) : [];
      if (options.verbose) sayTimes(replayer!, context);
      const listed = listedActions(readable).join('\n');
      return {
        output: files.output,
        reproduce,
        result: `${listed}\n\nAs a Playwright test: ${files.script}`,
        fields: { script: files.script, actions: words },
        page: { ...page(best), pictures },
      };
    },
    async close() {
      await replayer?.close();
      await postCheck?.close();
    },
  };
}

/** The actions as people describe them: a press and its release are a click. */
function listedActions(recording: Recording): readonly string[] {
  const { steps } = joinPresses(recording);
  const actions = steps.slice(steps.findIndex(step => step.type === 'navigate') + 1);
  return actions.filter(step => step.type !== 'setViewport').map((step, i) => `${i + 1}. ${describeStep(step)}`);
}

function postCheckOf({ command, options }: Request<ActionsOptions>, { folder }: Context): PostCheck | undefined {
  const asked = command.length > 0 ? askedRule(ruleOf(options)) : undefined;
  if (!asked || asked.kind === 'differs') return undefined;
  const { timeout, memory, processes } = options;
  return openPostCheck({
    command,
    asked,
    journal: folder.journal,
    ...(timeout === undefined ? {} : { timeout }),
    ...(memory === undefined ? {} : { memory }),
    ...(processes === undefined ? {} : { processes }),
  });
}

const commandFailing = (postCheck: PostCheck, files: RecordingFiles): Failing => ({
  kind: 'command',
  run: (recording, signal) => postCheck.test(files.artifact(recording), signal),
});

interface Known {
  readonly isCommand: boolean;
  isDropDown(selectors: Selectors): boolean;
}

/** A recording as a Playwright test that checks for the failure. */
function scriptOf(
  recording: Recording,
  first: FirstRun,
  { request, files }: Prepared,
  { isCommand, isDropDown }: Known,
): string {
  const { kind, timing } = first.expected;
  const { failsWhen } = request.options;
  const failure = {
    kind,
    text: first.text,
    late: timing.linger > 0,
    ...(failsWhen && { expression: failsWhen }),
    ...(isCommand && { command: quoteAll(request.command) }),
  };
  return playwrightScript(recording, { failure, address: url => addressFrom(files.home, url), isDropDown });
}

async function picturesOf(replayer: Replayer, best: Recording, { say }: Context) {
  const pictures = await replayer.pictures(best).catch((error: Error) => {
    say(`No screenshots: ${error.message.split('\n')[0]}.`);
    return [];
  });
  return pictures.map(({ words, png }) => ({ caption: words, pngBase64: Buffer.from(png).toString('base64') }));
}

function sayTimes(replayer: Replayer, { say }: Context): void {
  const { mean, replays } = replayer.spent();
  const [context, load, actions, verdict] = [mean.context, mean.load, mean.actions, mean.verdict].map(Math.round);
  say(
    `${replays} replays; on average ${context} ms for a fresh context, ${load} to load, ${actions} for actions, ${verdict} until the verdict`,
  );
}

const inOneLine = (signature: string): string => signature.replace(/\n\s+at /g, ', at ');

/** What is left are unchanged steps of the original. */
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

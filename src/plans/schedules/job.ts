/** `culprit schedules`: which order of events makes a program fail. */
import { basename } from 'node:path';
import { UserError } from '../../core/index.js';
import { quoteAll } from '../../core/shell.js';
import { askedRule } from '../../oracle/command/rules.js';
import { sweepAbandoned } from '../../oracle/command/workspace.js';
import { ScheduleOracle, type Trial } from '../../oracle/schedules/oracle.js';
import { type Output, outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { surroundingsOf } from '../../sources/surroundings.js';
import { listStrategy } from '../../strategies/registry.js';
import { learnOutputs, runOptions } from '../first-run.js';
import { noteSurroundings, typedWords } from '../invocation.js';
import type { Context, Job, Opened, Request } from '../job.js';
import { backendNamed } from './backend.js';
import { type Finding, findOrders, type SchedulesOptions } from './findings.js';
import { type FirstOrder, firstOrder } from './first-run.js';
import { type Facts, filesOf, minimalOf, pageOf, present, sizeOf, summaryOf } from './present.js';
import { otherSchedule } from './result.js';

type Findings = readonly Finding[];

export async function schedulesJob(
  request: Request<SchedulesOptions>,
  resumed?: RunFolder,
): Promise<Job<Trial, Findings>> {
  const { command, options } = request;
  checkOptions(options);
  const output = outputOf(options, resumed);
  sweepAbandoned();
  const [program = ''] = command[0]!.trim().split(/\s/);
  return {
    name: 'schedules',
    runName: `${basename(program)}-schedules`,
    outputs: [output],
    open: context => open(request, output, context),
  };
}

async function open(
  { command, options }: Request<SchedulesOptions>,
  output: Output | undefined,
  context: Context,
): Promise<Opened<Trial, Findings>> {
  const { folder } = context;
  const words = typedWords(command);
  const here = process.cwd();
  const { files, linked } = surroundingsOf(here);
  const backend = backendNamed(options.threads ? 'threads' : 'node', folder.path);
  const epoch = epochOf(folder);
  const { environmentFor, read, unseen } = backend;
  const { slow, tries } = options;
  const running = { command: words, ...runOptions(context, options) };
  const writing = { ...running, given: [], mirrors: here, isInputless: true, artifact: { files }, isWhole: true };
  const outputs = await learnOutputs(context, writing);
  const oracle = new ScheduleOracle({ ...running, ...outputs, files, here, slow, epoch, environmentFor, read });
  const asked = judgedOf(options);
  const shown = quoteAll(words);
  let first: FirstOrder;
  const facts = (): Facts => ({ words, way: backend.name, first, options, epoch, folder: folder.path, output });
  return {
    async firstRun() {
      first = await firstOrder(oracle, { asked, shown, here, unseen }, context);
      noteSurroundings(context, files, linked);
      return {
        original: [],
        before: { deltas: tries },
        countsDeltas: true,
        rule: first.described,
        command: shown,
        test: oracle.test(first.timeout),
        kept: ({ schedule }) => otherSchedule(schedule, facts()),
      };
    },
    async *search({ test, settings, keep }) {
      const { ended, findings } = yield* findOrders(
        { oracle, first, asked, words, options, test, settings, keep },
        context,
      );
      return {
        ended,
        minimal: minimalOf(findings),
        best: findings,
        proofs: findings.flatMap(({ found, proofs }) => (found.isMinimal ? proofs : [])),
        after: sizeOf(findings),
        sentence: summaryOf(facts(), findings, ended),
      };
    },
    keep(best) {
      const made = filesOf(facts(), best);
      if (made) folder.keepBest(made);
    },
    page: best => pageOf(facts(), best),
    present: ({ best, ended }) => present(facts(), best, { ended, folder }),
    close: () => oracle.close(),
  };
}

/** The wall clock at the start of every run of the program, even in a resumed search. */
function epochOf({ journal }: RunFolder): number {
  const known = journal.noted<number>('epoch');
  if (known !== undefined) return known;
  const epoch = Date.now();
  journal.note('epoch', epoch);
  return epoch;
}

function checkOptions(options: SchedulesOptions): void {
  judgedOf(options);
  if (options.strategy) listStrategy(options.strategy);
  const { repeat, flaky, confidence, cache } = options;
  const asked = {
    '--repeat': repeat,
    '--flaky': flaky,
    '--confidence': confidence,
    '--no-cache': cache === false || undefined,
  };
  const [refused] = Object.entries(asked).find(([, value]) => value !== undefined) ?? [];
  if (refused !== undefined)
    throw new UserError(
      `${refused} is not for schedules: the same order gives the same outcome.`,
      'To see how often that is true, use --replays <n>.',
    );
}

function judgedOf(options: SchedulesOptions) {
  const asked = askedRule(options);
  if (asked.kind === 'differs')
    throw new UserError('--differs compares two commands, and a schedule is for one.', 'Use --match or --exit.');
  return asked;
}

/** Without --output, the schedule is only in the run's folder. */
function outputOf(options: SchedulesOptions, resumed: RunFolder | undefined): Output | undefined {
  const { output: asked, force, run } = options;
  if (asked === undefined) return undefined;
  return outputFor({ asked, otherwise: asked, kind: 'file', inputs: [], run, force, resumed });
}

/** `culprit tests`: which other tests, in which order, make a test fail that passes alone (or pass, if it fails alone). */
import { join } from 'node:path';
import { type Arrangement, shownTest, testsOf } from '../../circumstances/tests.js';
import { type Test, UserError } from '../../core/index.js';
import { isShellLine, quote, quoteAll } from '../../core/shell.js';
import { meaningOf } from '../../oracle/command/command.js';
import { sweepAbandoned } from '../../oracle/command/workspace.js';
import { type Chosen, chooseRunner } from '../../oracle/test-runners/index.js';
import { openSuite, type Suite, type SuiteRun, withModules } from '../../oracle/test-runners/suite.js';
import type { Trace } from '../../oracle/test-runners/types.js';
import { type Output, outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { surroundingsOf } from '../../sources/surroundings.js';
import { listStrategy } from '../../strategies/registry.js';
import { learnOutputs, runOptions } from '../first-run.js';
import { noteSurroundings, textFiles } from '../invocation.js';
import type { Context, Job, Opened, Request } from '../job.js';
import { answerOf, leavesOf, needsOf } from './answer.js';
import { type Settled, settle, type TestsOptions } from './first-run.js';
import { firstLine, judge } from './judge.js';
import { identify, searchTests, type TestsFound } from './search.js';
import { tracesOf } from './suspects.js';

export async function testsJob(
  { command, options }: Request<TestsOptions>,
  resumed?: RunFolder,
): Promise<Job<Arrangement, Arrangement, TestsFound>> {
  const words = isShellLine(command) ? command[0]!.trim().split(/\s+/) : command;
  if (options.strategy) listStrategy(options.strategy);
  const chosen = chooseRunner(words, process.cwd());
  if (options.shuffle !== undefined && chosen.runner.orders === 'nothing')
    throw new UserError(
      `--shuffle does not work with ${chosen.runner.name}: it decides itself in which order files and tests run.`,
      'Remove --shuffle.',
    );
  const output =
    options.output === undefined
      ? undefined
      : outputFor({ ...options, asked: options.output, otherwise: options.output, kind: 'file', inputs: [], resumed });
  sweepAbandoned();
  return { name: 'tests', runName: 'tests', outputs: [output], open: context => open(chosen, output, context) };
}

async function open(
  chosen: Chosen,
  asked: Output | undefined,
  context: Context,
): Promise<Opened<Arrangement, Arrangement, TestsFound>> {
  const options = context.options as TestsOptions;
  const { folder, signal } = context;
  const home = process.cwd();
  const { files, linked } = surroundingsOf(home);
  const running = runOptions(context, options);
  const outputs = await learnOutputs(context, {
    command: [...chosen.called.program, ...chosen.called.args],
    given: [],
    mirrors: home,
    isInputless: true,
    artifact: { files: withModules(files, home) },
    isWhole: true,
    ...running,
  });
  const { suite, runs } = counted(openSuite({ chosen, home, files, ...running, ...outputs }));
  const output = asked?.path ?? join(folder.path, 'best/tests.json');
  let settled: Settled;
  const kept = (best: Arrangement) =>
    textFiles({ 'tests.json': `${JSON.stringify({ home, arrangement: best }, null, 2)}\n` });
  const reproduce = (best: Arrangement): string => {
    const { runner, called } = chosen;
    const own = runner.inOwnWords?.(called, best);
    if (own) return quoteAll(own);
    const env = Object.entries({ ...runner.env, CULPRIT_TESTS: output }).map(
      ([name, value]) => `${name}=${quote(value)}`,
    );
    return `${env.join(' ')} ${quoteAll(runner.argv(called, best))}`;
  };
  return {
    async firstRun() {
      settled = await settle(suite, chosen, context);
      noteSurroundings(context, files, linked);
      const { arrangement, state, target, message, timeout } = settled;
      const test: Test<Arrangement> = async (tested, stop) => {
        const verdictOn = (ran: SuiteRun) => judge(ran, tested, settled);
        const meaning = (ran: SuiteRun) => meaningOf(verdictOn(ran));
        return verdictOn(await suite.run({ arrangement: tested, timeout, signal: stop, meaning }));
      };
      const where = settled.seed > 0 ? `in order ${settled.seed}` : 'among all tests';
      return {
        original: arrangement,
        before: { deltas: testsOf(arrangement).length },
        countsDeltas: true,
        rule:
          state === 'failed'
            ? `fail = ${shownTest(target)} fails as it does ${where}, and not alone: ${firstLine(message)}`
            : `fail = ${shownTest(target)} passes as it does ${where}, and not alone`,
        signature: firstLine(message),
        command: quoteAll([...chosen.called.typed, ...chosen.called.args]),
        test,
        probe: {
          original: arrangement,
          identify,
          testedOf: best => best,
          suspect: settled.suspect === true,
          // A whole suite is slow: it is run again only on request, or if its first runs differ.
          seconds: Infinity,
        },
        kept,
      };
    },
    async *search({ test, settings, keep }) {
      const found = yield* searchTests(settled.begin, settled, test, {
        settings,
        keep,
        ...(chosen.runner.selectedBy ? { selectedBy: chosen.runner.selectedBy } : {}),
        orders: chosen.runner.orders === 'files and tests',
        ...(options.strategy === undefined ? {} : { strategy: options.strategy }),
      });
      return found.ended === 'done' ? { ...found, sentence: `Done. ${proofOf(found)}` } : found;
    },
    goBack: (end, best) => ({ ...end, best, after: { deltas: testsOf(best).length } }),
    keep(best) {
      folder.keepBest(kept(best));
      asked?.write(kept(best), folder);
    },
    page: best => ({
      title: `${shownTest(settled.target)}: which other tests matter`,
      reproduce: reproduce(best),
      output,
      table: tableOf(settled.arrangement, best),
    }),
    async present(found) {
      const { target, state, seed, timeout } = settled;
      const needs = needsOf(found.best, target);
      const traces = found.ended === 'done' ? await watch(suite, found.best, settled, { timeout, signal }) : [];
      const traced = found.ended === 'done' ? leavesOf(traces, needs, chosen.runner.compares) : '';
      const answer = [answerOf(settled, found), traced].filter(Boolean).join('\n');
      return {
        output,
        reproduce: reproduce(found.best),
        result: `${answer}\n`,
        fields: {
          answer,
          test: target,
          state,
          needs: needs.tests,
          loaded: needs.loaded,
          order: found.best,
          ...(found.mustFollow === undefined ? {} : { mustFollow: found.mustFollow }),
          ...(found.othersInOrder === undefined ? {} : { othersInOrder: found.othersInOrder }),
          ...(seed > 0 ? { seed } : {}),
          leaves: traces,
          runs: runs(),
        },
      };
    },
    close: () => suite.close(),
  };
}

/** What the tests of the result changed in the suite, else in a run of their own. State that can't be observed is not an error. */
async function watch(
  suite: Suite,
  arrangement: Arrangement,
  { target, changed }: Settled,
  limits: { readonly timeout: number; readonly signal: AbortSignal },
): Promise<readonly Trace[]> {
  const { tests } = needsOf(arrangement, target);
  if (tests.length === 0) return [];
  const seen = tracesOf(changed, tests, target);
  if (seen.length > 0) return seen;
  try {
    return tracesOf((await suite.run({ arrangement, watched: target, ...limits })).changed, tests, target);
  } catch {
    return [];
  }
}

function proofOf({ best, minimal }: TestsFound): string {
  const count = testsOf(best).length - 1;
  if (count === 0) return 'No other test is needed.';
  const few = count === 1 ? '1 other test is needed' : `${count} other tests are needed`;
  return `${few}, and none of them can be removed (1-minimal by ${minimal.join(', ')}).`;
}

/** Counts how often the runner is started. */
function counted(suite: Suite): { readonly suite: Suite; readonly runs: () => number } {
  let count = 0;
  const run: Suite['run'] = asked => {
    count++;
    return suite.run(asked);
  };
  return { suite: { ...suite, run }, runs: () => count };
}

function tableOf(whole: Arrangement, best: Arrangement) {
  const left = new Set(testsOf(best).map(shownTest));
  const tests = testsOf(whole);
  return {
    caption: 'Every test in the order in which it ran; those that matter are marked',
    columns: ['file', 'test'],
    rows: tests.map(({ file, name }) => [file, name]),
    remaining: tests.flatMap((test, i) => (left.has(shownTest(test)) ? [i] : [])),
  };
}

/** `culprit states`: which variables carry the failure, and the lines where one cause turns into another. */
import { basename } from 'node:path';
import { bytesOf } from '../../core/artifact.js';
import { UserError, type Verdict } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import { CommandOracle } from '../../oracle/command/command.js';
import { askedRule } from '../../oracle/command/rules.js';
import { sweepAbandoned } from '../../oracle/command/workspace.js';
import { debuggeeFor } from '../../oracle/states/debuggee.js';
import { watchWith } from '../../oracle/states/watch.js';
import { type Output, outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { identify } from '../../sources/files.js';
import { linksBeside } from '../../sources/input.js';
import { demandPass, expectedOf, firstRun, learnOutputs, runOptions } from '../first-run.js';
import { textFiles } from '../invocation.js';
import type { Context, Found, Job, Opened, Page, Request } from '../job.js';
import { matcherOf } from './glob.js';
import { passingNeighbour } from './neighbour.js';
import { openObserver } from './observer.js';
import { example, keepPair, type Pair, pairFor, type StatesOptions } from './pair.js';
import { type Chain, type ExplainedStates, explainStates, type Mixture, type Observer } from './search.js';
import { chainText, pageOf, rangeText, transitionText } from './show.js';

/** Options that make no sense here, and why. */
const refused = {
  strategy: 'it always searches with dd',
  hang: 'a run that does not end cannot be compared with one that does',
  differs: 'it compares the states of one program, not the outputs of two',
  repeat: 'it compares single runs, so the failure must show every time',
  flaky: 'it compares single runs, so the failure must show every time',
  confidence: 'it compares single runs, so the failure must show every time',
} as const;

/** Places that are inspected unless --places says otherwise. */
const usualPlaces = 13;
/** The failing input is run twice before anything else. */
const firstRuns = 2;

interface Caused extends Found<Chain> {
  readonly explained: ExplainedStates;
}

export async function statesJob(
  request: Request<StatesOptions>,
  resumed?: RunFolder,
): Promise<Job<Mixture, Chain, Caused>> {
  const pair = pairFor(request, resumed);
  for (const [name, why] of Object.entries(refused))
    if (pair.options[name as keyof typeof refused] !== undefined)
      throw new UserError(`states does not take --${name}: ${why}.`, `For example: ${example}`);
  askedRule(pair.options);
  const output = outputOf(request, resumed);
  sweepAbandoned();
  return {
    name: 'states',
    runName: `${basename(pair.given[0]!.name).replace(/\.[^.]*$/, '')}-states`,
    outputs: [output],
    open: context => open(pair, output, { ...context, options: pair.options }),
  };
}

/** Without --output, the chain is only in the run's folder. */
function outputOf({ inputs, options }: Request<StatesOptions>, resumed: RunFolder | undefined): Output | undefined {
  const { output: asked, force, run, passing, failing } = options;
  if (asked === undefined) return undefined;
  const read = [...inputs, passing, failing].filter(path => path !== undefined);
  return outputFor({ asked, otherwise: asked, kind: 'file', inputs: read, run, force, resumed });
}

async function open(pair: Pair, asked: Output | undefined, context: Context): Promise<Opened<Mixture, Chain, Caused>> {
  const { command, given, failing, options, cwd } = pair;
  const { folder } = context;
  if (!folder.resumed || !folder.keptOriginal()) keepPair(pair, folder);
  const running = { ...runOptions(context, options), cwd };
  const outputs = await learnOutputs(context, { command, given, artifact: failing, ...running });
  // As for reduce: programs find their packages from the folder of a test, too.
  const beside = new Map([...linksBeside([given[0]!.path], {}), ...(outputs.beside ?? [])]);
  const oracle = new CommandOracle({ command, given, original: failing, ...running, ...outputs, beside });
  const output = asked?.path ?? `${folder.path}/best/chain.txt`;
  let observer: Observer;
  let runs = firstRuns;
  const shown = (chain: Chain): Page => ({ title: titleOf(chain), output, ...pageOf(chain) });
  return {
    async firstRun() {
      const debuggee = debuggeeFor(oracle.argv, options.with);
      const unreduced = {
        artifact: failing,
        asked: askedRule(options),
        command,
        names: given.map(each => each.name),
        where: cwd,
        shown: oracle.shown(given[0]!.path),
        called: 'the failing input',
        lacks: ['--hang', '--differs', '--repeat'],
      };
      const first = await firstRun(oracle, unreduced, context);
      const uncounted = oracle.test(first.rule, first.timeout);
      const plain: typeof uncounted = (artifact, signal) => {
        runs++;
        return uncounted(artifact, signal);
      };
      const passing = pair.passing ?? (await passingNeighbour(failing, plain, context));
      observer = openObserver(context, {
        oracle,
        watchAt: epoch => watchWith(oracle, debuggee, epoch),
        first,
        pair: { passing, failing },
        demandPass: () => demandPass(passing, { test: plain, identify, refuse: notPassing }, context),
        watched: () => runs++,
      });
      await observer.look();
      return {
        ...expectedOf(first, command.join(' ')),
        original: { chain: [], transitions: [] },
        before: { bytes: bytesOf(failing), deltas: 0 },
        countsDeltas: true,
        test: observer.test,
      };
    },
    async *search({ test, settings, keep }) {
      const { steps, needs } = debuggeeFor(oracle.argv, options.with);
      const explained = yield* explainStates(
        { ...observer, test },
        { ...settings, isIn: matcherOf(options.in), steps, needs, places: options.places ?? usualPlaces, found: keep },
      );
      if (explained.hidden > 0) yield { type: 'noticed', what: 'note', text: hiddenText(explained.hidden) };
      runs += settings.counter!.counts.executed;
      const { ended, chain, transitions } = explained;
      const after = { bytes: bytesOf(failing), deltas: chain.length };
      return { ended, minimal: [], best: { chain, transitions }, after, sentence: sentenceOf(explained), explained };
    },
    keep(best) {
      const written = textFiles({ 'chain.txt': chainText(best) });
      folder.keepBest(written);
      asked?.write(written, folder);
    },
    page: shown,
    present({ best, explained: { common, examined, hidden } }) {
      const text = chainText(best);
      const [first] = best.transitions;
      if (text !== '') context.say(`\n${text}`);
      return {
        output,
        // --quiet prints one line: the most likely defect.
        ...(context.options.quiet && first ? { result: transitionText(first) } : {}),
        fields: { runs, places: { common, examined }, hidden, ...best },
      };
    },
    close: () => oracle.close(),
  };
}

const titleOf = ({ transitions: [first] }: Chain): string =>
  first ? `${rangeText(first)}: how the failure comes about` : 'How the failure comes about';

const hiddenText = (count: number): string =>
  `At one place, ${counted(count, 'difference')} could not be put into the passing run.`;

function sentenceOf({ ended, chain, transitions, common, examined }: ExplainedStates): string {
  const looked = `${examined} of ${common} common places examined`;
  if (ended !== 'done') return `Stopped early: ${looked}.`;
  if (chain.length === 0)
    return `Done, ${looked}. At none of them did a difference in memory turn the passing run into the failing one.`;
  return `Done: ${counted(chain.length, 'cause')} and ${counted(transitions.length, 'transition')}, ${looked}.`;
}

function notPassing({ outcome, reason }: Verdict): UserError {
  return new UserError(
    outcome === 'fail'
      ? 'Both inputs fail in the same way, so their runs do not differ in outcome.'
      : `The passing input does not pass: ${reason ?? outcome}.`,
    'Give an input on which the command succeeds with --passing.',
    1,
  );
}

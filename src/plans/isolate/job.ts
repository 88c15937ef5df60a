/** `culprit isolate`: the smallest difference between an input that passes and one that fails. */

import { basename, dirname, extname, join } from 'node:path';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import { type Test, UserError, type Verdict } from '../../core/index.js';
import { CommandOracle } from '../../oracle/command/command.js';
import { type AskedOptions, askedRule } from '../../oracle/command/rules.js';
import { sweepAbandoned } from '../../oracle/command/workspace.js';
import type { Output } from '../../run/output.js';
import { outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { closeArchives, openBoth } from '../../sources/archives/index.js';
import { type Given, identify } from '../../sources/files.js';
import { type Input, linksBeside } from '../../sources/input.js';
import { listStrategy, pairStrategy } from '../../strategies/registry.js';
import { mayOpen } from '../archives.js';
import { type AllOptions, checkAll } from '../causes/options.js';
import { type Divergence, divergencesOf, withDivergences } from '../divergences.js';
import { demandPass, expectedOf, firstLook, firstRun, learnOutputs, runOptions } from '../first-run.js';
import { demandStdin, noteLeftOut } from '../input.js';
import { textFiles } from '../invocation.js';
import type { AnyJob, Context, Found, JobOptions, Opened, Request } from '../job.js';
import { type FirstOfPair, openAllDifferences } from './causes.js';
import {
  amountOfDifference,
  answerOf,
  bothSides,
  comparedPair,
  describeDifference,
  differenceOf,
  readPair,
  sidesOf,
} from './pair.js';
import { isolate, smallest } from './search.js';
import type { Pair } from './texts.js';

export interface IsolateRequestOptions extends JobOptions, AskedOptions, AllOptions {
  readonly smallest?: boolean;
  readonly unpack?: boolean;
  readonly exclude?: readonly string[];
  readonly include?: readonly string[];
  readonly stdin?: boolean;
}

interface Narrowed extends Found<Pair> {
  readonly divergences: readonly Divergence[];
}

interface Prepared {
  readonly request: Request<IsolateRequestOptions>;
  readonly pair: Pair;
  readonly given: readonly Given[];
  readonly output: Output;
  readonly isKept: boolean;
  readonly linked: Input['linked'];
  readonly leftOut: readonly string[];
}

export async function isolateJob(request: Request<IsolateRequestOptions>, resumed?: RunFolder): Promise<AnyJob> {
  const { options } = request;
  const [passingPath = '', failingPath = ''] = request.inputs;
  askedRule(options);
  checkAll(options, { '--smallest': options.smallest });
  if (options.strategy) (options.all ? listStrategy : pairStrategy)(options.strategy);
  const kept = resumed?.keptOriginal();
  const { given, linked, leftOut, ...pair } = kept
    ? { ...sidesOf(kept, failingPath), linked: linksBeside([failingPath], options), leftOut: [] }
    : readPair(passingPath, failingPath, options);
  demandStdin(options, given);
  if (identify(pair.passing) === identify(pair.failing))
    throw new UserError(
      'Nothing to isolate: the two inputs are the same.',
      'Pass one on which the command succeeds and one on which it fails.',
      1,
    );
  const stem = basename(failingPath, extname(failingPath));
  const output = outputFor({
    asked: options.output,
    otherwise: join(dirname(failingPath), `${stem}.isolated`),
    kind: 'folder',
    inputs: [passingPath, failingPath],
    run: options.run,
    force: options.force,
    resumed,
    ignored: true,
  });
  sweepAbandoned();
  return {
    name: 'isolate',
    runName: stem,
    outputs: [output],
    open: context => open({ request, pair, given, output, isKept: kept !== undefined, linked, leftOut }, context),
  };
}

async function open(prepared: Prepared, context: Context) {
  const { request, pair, given } = prepared;
  const { command, options } = request;
  const failingPath = request.inputs[1]!;
  const { folder, signal } = context;
  if (!prepared.isKept) folder.keepOriginal(bothSides(pair));
  noteLeftOut(prepared.leftOut, context);
  const running = runOptions(context, options);
  const outputs = await learnOutputs(context, { command, given, artifact: pair.failing, ...running });
  const beside = new Map([...prepared.linked, ...(outputs.beside ?? [])]);
  const oracle = new CommandOracle({
    command,
    given,
    original: pair.failing,
    warm: true,
    ...running,
    ...outputs,
    beside,
  });
  let timeout = 0;
  const begin = async () => {
    const first = await firstRun(
      oracle,
      {
        artifact: pair.failing,
        asked: askedRule(options),
        command,
        names: given.map(each => each.name),
        where: process.cwd(),
        shown: oracle.shown(failingPath),
        called: 'the failing input',
      },
      context,
    );
    timeout = first.timeout;
    const test = oracle.test(first.rule, timeout);
    await demandPass(pair.passing, { test, identify, refuse: notPassing }, context);
    const called = { original: 'the failing input', empty: 'the passing input' };
    const compared = await chooseForm(pair, test);
    const look = { original: compared.failing, empty: compared.passing, called, ...firstLook(first, context) };
    const kept = (artifact: Artifact) => closeArchives(artifact);
    return { ...expectedOf(first, command.join(' ')), test, look, kept, pair: compared };
  };
  /** Archives as folders, if both sides have the same outcomes then. */
  const chooseForm = async (pair: Pair, test: Test<Artifact>): Promise<Pair> => {
    const [passing, failing] = (options.unpack !== false && openBoth(pair.passing, pair.failing)) || [];
    if (!passing || !failing) return pair;
    const isSame = async () => {
      const verdict = await test(passing, signal);
      if (verdict.outcome !== 'pass' || (await test(failing, signal)).outcome !== 'fail') return false;
      // A proof looks it up.
      folder.journal.record(identify(passing), verdict);
      return true;
    };
    return (await mayOpen(failing, isSame, context)) ? { passing, failing } : pair;
  };
  const common = {
    firstRun: begin,
    divergences: async (pair: Pair) => (pair.failing.archives ? [] : divergencesOf(pair, oracle, timeout, context)),
    shown: (path: string) => oracle.shown(path),
    close: () => oracle.close(),
  };
  return options.all
    ? openAllDifferences({ ...common, input: given[0]!.name, output: prepared.output }, context)
    : openNarrowing(prepared, common, context);
}

interface Common {
  /** Checks both inputs. */
  firstRun(): Promise<FirstOfPair>;
  /** Where the program takes another path on the failing input. */
  divergences(pair: Pair): Promise<readonly Divergence[]>;
  /** The command line on an input at this path. */
  shown(path: string): string;
  close(): Promise<void>;
}

/** Narrows the difference from both sides. */
function openNarrowing(prepared: Prepared, common: Common, { folder }: Context): Opened<Artifact, Pair, Narrowed> {
  const { request, given, output: place } = prepared;
  let { pair } = prepared;
  const { options } = request;
  const failingPath = request.inputs[1]!;
  const output = place.path;
  const at = (side: 'passing' | 'failing') => join(output, side, given[0]!.name);
  const page = (best: Pair) => ({
    title: `${basename(failingPath)}: what makes the difference`,
    reproduce: common.shown(at('failing')),
    output,
    ...answerOf(best, given[0]!.name),
    files: comparedPair(best),
  });
  return {
    async firstRun() {
      const { look, pair: compared, ...expected } = await common.firstRun();
      pair = compared;
      return {
        ...expected,
        probe: { ...look, identify, testedOf: best => best.failing },
        original: pair,
        before: { bytes: bytesOf(pair.failing), deltas: differenceOf(pair).length },
        countsDeltas: true,
      };
    },
    async *search({ test, settings, keep }) {
      const searching = { ...settings, identify, keep };
      const strategy = options.strategy ? { strategy: pairStrategy(options.strategy) } : {};
      const narrow = yield* isolate(pair, test, { ...searching, ...strategy });
      const isWanted = options.smallest && narrow.ended === 'done';
      const shared = isWanted ? yield* smallest(narrow, test, searching) : narrow;
      // Without what both shared, the difference is another one: it is narrowed and proven again.
      const isProven = isWanted && shared.ended === 'done' && shared.minimal.length > 0;
      const end = isProven ? yield* isolate(shared, test, { ...searching, ...strategy }) : shared;
      const best = { passing: end.passing, failing: end.failing };
      const after = { bytes: bytesOf(best.failing), deltas: differenceOf(best).length };
      const sentence = end.ended === 'done' ? { sentence: narrowed(best, end.minimal) } : {};
      const divergences = end.ended === 'done' ? await common.divergences(best) : [];
      const { ended, minimal, proofs } = end;
      return { ended, minimal, proofs, best, after, divergences, ...sentence };
    },
    keep: best => folder.keepBest(bothSides(best)),
    page,
    present({ best, divergences }) {
      const difference = differenceOf(best);
      const shown = textFiles({ 'difference.txt': difference.join('') });
      place.write({ files: new Map([...shown.files, ...bothSides(best).files]) }, folder);
      const fields = { passing: at('passing'), failing: at('failing'), difference };
      const reproduce = common.shown(at('failing'));
      const result = describeDifference(best).join('\n');
      const presentation = { output, reproduce, inWords: true, result, fields, page: page(best) };
      return withDivergences(presentation, divergences);
    },
    close: common.close,
  };
}

const narrowed = (best: Pair, minimal: readonly string[]): string =>
  `Done. The two inputs now differ in ${amountOfDifference(best)}, and no part of this difference can be removed (1-minimal by ${minimal.join(', ')}).`;

function notPassing({ outcome, reason }: Verdict): UserError {
  return new UserError(
    outcome === 'fail'
      ? 'Nothing to isolate: both inputs fail in the same way.'
      : `The passing input does not pass: ${reason ?? outcome}.`,
    'The command must succeed on the first input. To reduce the failing input, use `culprit reduce`.',
    1,
  );
}

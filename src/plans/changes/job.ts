/** `culprit changes`: which change between a version that works and one that does not is to blame. */

import { basename, dirname, join, resolve } from 'node:path';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import { cannotCombine } from '../../core/cannot-combine.js';
import { all, minus, UserError } from '../../core/index.js';
import { orStopped, stopped } from '../../core/pause.js';
import { CommandOracle } from '../../oracle/command/command.js';
import { type AskedOptions, askedRule } from '../../oracle/command/rules.js';
import { sweepAbandoned } from '../../oracle/command/workspace.js';
import { otherFailures } from '../../run/other-failures.js';
import type { Output } from '../../run/output.js';
import { outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { identify } from '../../sources/files.js';
import { type AllOptions, checkAll } from '../causes/options.js';
import { type Divergence, divergencesOf, withDivergences } from '../divergences.js';
import { expectedOf, firstLook, learnOutputs, runOptions } from '../first-run.js';
import type { AnyJob, Context, Found, JobOptions, Opened, Request } from '../job.js';
import { patchFrom } from './answer/culprits.js';
import { presentChanges, sizesOf, titleOf } from './answer/result.js';
import { openAllChanges } from './causes.js';
import { bothFail, checkNew, checkOld } from './ends.js';
import type { CoverageKind } from './executed.js';
import { demandHistory, demandSearchable } from './history.js';
import { packagesOf } from './installed.js';
import { demandSame, type Finest, identities, insideOf, openPair, type Pair, wordsFor } from './pair.js';
import { type PlainStrategy, plainStrategies } from './plain.js';
import { openPreventChanges } from './prevent.js';
import { hunksAtLeast, type Outcomes, type SearchedVersions, searchChanges, uncommittedIn } from './search.js';

export interface ChangesOptions extends JobOptions, AskedOptions, AllOptions {
  readonly coverage: CoverageKind;
  readonly granularity?: Finest;
  readonly build?: string;
  readonly prevent?: boolean;
  readonly into?: boolean;
}

interface Blame extends Found<Artifact> {
  readonly found: Outcomes;
  readonly divergences: readonly Divergence[];
}

interface Prepared {
  readonly request: Request<ChangesOptions>;
  readonly pair: Pair;
  readonly output: Output;
  readonly strategy?: PlainStrategy;
}

export async function changesJob(request: Request<ChangesOptions>, resumed?: RunFolder): Promise<AnyJob> {
  const { options } = request;
  askedRule(options);
  const strategy = strategyNamed(options.strategy);
  checkPrevent(options);
  checkAll(options, {
    '--prevent': options.prevent,
    '--strategy': options.strategy,
    [`--coverage ${options.coverage}`]: options.coverage !== 'auto',
    '--granularity commit': options.granularity === 'commit',
  });
  const pair = await openPair(request.inputs, cacheFolder());
  checkInto(options, pair);
  if (options.granularity === 'commit') demandHistory(pair);
  const output = outputOf(request, pair, resumed);
  sweepAbandoned();
  const prepared = { request, pair, output, ...(strategy ? { strategy } : {}) };
  return {
    name: 'changes',
    runName: basename(pair.titles[1].replace(/[/\\]+$/, '')) || 'changes',
    outputs: [output],
    open: context => open(prepared, context),
  };
}

async function open({ request, pair, output, strategy }: Prepared, context: Context) {
  const { options } = request;
  const { folder, see } = context;
  const { journal } = folder;
  demandSame(pair, journal.noted('versions'));
  if (journal.noted('versions') === undefined) journal.note('versions', identities(pair));
  const command = wordsFor(pair, request.command);
  const running = {
    command,
    given: [],
    ...runOptions(context, options),
    inside: insideOf(pair),
    ...(pair.git?.repository.folder ? { folder: pair.git.repository.folder } : {}),
    ...(options.build === undefined ? {} : { build: options.build }),
  };
  const outputs = await learnOutputs(context, { ...running, artifact: pair.new, isWhole: true });
  const packages = packagesOf(pair, options.build !== undefined, context);
  const oracle = new CommandOracle({
    ...running,
    ...outputs,
    beside: new Map([...packages, ...(outputs.beside ?? [])]),
    warm: true,
    bytes: bytesOf(pair.new) * (options.build === undefined ? 1 : 3),
  });
  // A plain algorithm and the search for all causes use hunks unless lines are requested.
  const finest = options.granularity ?? (strategy || options.all ? 'hunk' : 'line');
  const asPatch = (artifact: Artifact): Artifact => ({
    files: new Map([['changes.patch', { kind: 'file', bytes: patchFrom(pair, 'old', artifact) }]]),
  });
  if (options.prevent) {
    const preventing = {
      pair,
      oracle,
      command,
      finest: hunksAtLeast(options.granularity ?? 'hunk'),
      output,
      kept: asPatch,
    };
    return openPreventChanges(preventing, context);
  }
  let versions: SearchedVersions;
  /** Both versions, checked. */
  const begin = async () => {
    const trial = { oracle, command, asked: askedRule(options) };
    const first = await checkNew(pair, trial, context);
    const test = oracle.test(first.rule, first.timeout);
    // Leftovers of building the new version would make the old one fail, if the build does not notice every change.
    const tested = options.build === undefined ? test : fromScratch(first);
    const old = await checkOld(pair, trial, { test: tested, timeout: first.timeout }, context);
    if (old === 'fail') demandSearchable(pair, first.lines.join('\n'));
    const whole = await orStopped(pair.hierarchy(hunksAtLeast(finest), context.signal), context.signal);
    if (whole === stopped) throw context.signal.reason;
    versions = { pair, trial, first, old, whole };
    const called = { original: 'the new version', empty: 'the old version' };
    const ends = { original: pair.new, ...(old === 'pass' ? { empty: pair.old } : {}), called };
    const look = { ...ends, ...firstLook(first, context) };
    return { ...expectedOf(first, command.join(' ')), test, look, kept: asPatch };
  };
  const fromScratch = ({ rule, timeout } = versions.first) => oracle.test(rule, timeout, true);
  const close = () => oracle.close();
  if (options.all) {
    const firstRun = async () => {
      const expected = await begin();
      // The commit that broke it first is one cause; the others may have come before or after it.
      if (versions.old === 'fail') throw bothFail(pair);
      const circumstance = finest === 'line' ? versions.whole.list() : versions.whole.changes;
      const test = options.build === undefined ? expected.test : fromScratch();
      return { ...expected, test, circumstance, note: uncommittedIn(pair) };
    };
    return openAllChanges({ pair, output, firstRun, close }, context);
  }
  /** New compared with new without the culprits: what the culprits change in its behaviour. */
  const divergencesIn = async ({ ended, without, blamed: { level, back }, history }: Outcomes) => {
    if (ended !== 'done' || without !== 'pass' || options.coverage === 'none') return [];
    const passing = level.circumstance.build(minus(all(level.circumstance.count), back));
    const sides = passing && { passing, failing: history.pair.new, isProgram: true };
    return sides ? divergencesOf(sides, oracle, versions.first.timeout, context) : [];
  };
  let smallest = pair.new;
  const opened: Opened<Artifact, Artifact, Blame> = {
    async firstRun() {
      const { look, ...expected } = await begin();
      const scratch = options.build === undefined ? {} : { test: fromScratch() };
      const probe = { ...look, ...scratch, identify, testedOf: (best: Artifact) => best };
      return { ...expected, probe, original: pair.new, before: { deltas: versions.whole.changes.count } };
    },
    async *search({ test, steady, settings, flaky, keep }) {
      const wanted = {
        finest,
        coverage: options.coverage,
        ...(strategy ? { strategy } : {}),
        isBuilt: options.build !== undefined,
        ...(options.into ? { into: cacheFolder() } : {}),
        settings: { ...settings, identify, ...(flaky ? { flaky } : {}) },
        fromScratch: steady(otherFailures(fromScratch(), folder, see, asPatch), 'from scratch '),
        keep(artifact: Artifact) {
          smallest = artifact;
          keep(artifact);
        },
      };
      const found = yield* searchChanges(versions, test, wanted, context);
      return { ended: found.ended, ...sizesOf(found), best: smallest, found, divergences: await divergencesIn(found) };
    },
    /** The smallest failing set of changes so far, as a patch for old. */
    keep(best) {
      const bytes = patchFrom(pair, 'old', best);
      folder.keepBest({ files: new Map([['culprit.patch', { kind: 'file', bytes }]]) });
    },
    page: () => ({ title: titleOf(pair), output: output.path }),
    present: ({ found, divergences }) => withDivergences(presentChanges(found, output, folder), divergences),
    close,
  };
  return opened;
}

/** Where fetched packages are kept between runs. */
const cacheFolder = (): string => resolve('.culprit/packages');

function checkInto({ into, all, prevent, strategy }: ChangesOptions, { lockfiles }: Pair): void {
  if (!into) return;
  const clash = [all && '--all', prevent && '--prevent', strategy !== undefined && '--strategy'].find(Boolean);
  if (clash) throw cannotCombine('--into', clash, `Leave ${clash} out.`);
  if (!lockfiles)
    throw new UserError(
      '--into goes on inside a package that was upgraded, so it needs two lockfiles.',
      'Give two package-lock.json files, or leave --into out.',
    );
}

function checkPrevent({ prevent, strategy, granularity, coverage }: ChangesOptions): void {
  if (!prevent) return;
  const clash = [
    strategy !== undefined && '--strategy',
    granularity === 'commit' && '--granularity commit',
    coverage !== 'auto' && `--coverage ${coverage}`,
  ].find(Boolean);
  if (clash) throw cannotCombine('--prevent', clash, `Leave ${clash} out.`);
}

function strategyNamed(name: string | undefined): PlainStrategy | undefined {
  const known = plainStrategies.find(each => each === name);
  if (name === undefined || known) return known;
  throw new UserError(`There is no strategy called ${name}.`, `Choose one of: ${plainStrategies.join(', ')}.`);
}

/** Where the patches go: next to the version whose folder the user is in, if any. */
function outputOf({ inputs, options }: Request<ChangesOptions>, pair: Pair, resumed?: RunFolder): Output {
  const { places, lockfiles } = pair;
  const folders = lockfiles ? [] : places.filter(place => place !== undefined);
  const around = folders.map(place => resolve(place)).find(place => `${process.cwd()}/`.startsWith(`${place}/`));
  return outputFor({
    asked: options.output,
    otherwise: around === undefined ? 'culprit.changes' : join(dirname(around), 'culprit.changes'),
    kind: 'folder',
    inputs: lockfiles ? inputs : folders,
    run: options.run,
    force: options.force,
    resumed,
    ignored: true,
  });
}

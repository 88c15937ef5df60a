/** `culprit changes`: which change between a version that works and one that does not is to blame. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import { UserError } from '../../core/index.js';
import { CommandOracle } from '../../oracle/command/command.js';
import { type AskedOptions, askedRule } from '../../oracle/command/rules.js';
import { sweepAbandoned } from '../../oracle/command/workspace.js';
import { makeFolder, writable } from '../../run/atomic-write.js';
import { otherFailures } from '../../run/other-failures.js';
import type { RunFolder } from '../../run/run-folder.js';
import { identify } from '../../sources/files.js';
import { expectedOf, runningOf } from '../first-run.js';
import type { Context, Found, Job, JobOptions, Opened, Request } from '../job.js';
import { patchFrom } from './culprits.js';
import { checkNew, checkOld } from './ends.js';
import type { CoverageKind } from './executed.js';
import { demandHistory, demandSearchable } from './history.js';
import { demandSame, type Finest, identities, insideOf, openPair, type Pair, wordsFor } from './pair.js';
import { type PlainStrategy, plainStrategies } from './plain.js';
import { presentChanges, sizesOf, titleOf } from './result.js';
import { hunksAtLeast, type Outcomes, type SearchedVersions, searchChanges } from './search.js';

export interface ChangesOptions extends JobOptions, AskedOptions {
  readonly coverage: CoverageKind;
  readonly granularity?: Finest;
  readonly build?: string;
}

interface Blame extends Found<Artifact> {
  readonly found: Outcomes;
}

interface Prepared {
  readonly request: Request<ChangesOptions>;
  readonly pair: Pair;
  readonly output: string;
  readonly strategy?: PlainStrategy;
}

export async function changesJob(
  request: Request<ChangesOptions>,
  resumed?: RunFolder,
): Promise<Job<Artifact, Artifact, Blame>> {
  const { options } = request;
  askedRule(options);
  const strategy = strategyNamed(options.strategy);
  const pair = await openPair(request.inputs, resolve('.culprit/packages'));
  if (options.granularity === 'commit') demandHistory(pair);
  const output = outputFor(options.output, pair, resumed !== undefined);
  sweepAbandoned();
  const prepared = { request, pair, output, ...(strategy ? { strategy } : {}) };
  return {
    name: 'changes',
    runName: basename(pair.titles[1].replace(/[/\\]+$/, '')) || 'changes',
    open: context => open(prepared, context),
  };
}

async function open(
  { request, pair, output, strategy }: Prepared,
  context: Context,
): Promise<Opened<Artifact, Artifact, Blame>> {
  const { options } = request;
  const { folder, see } = context;
  const { journal } = folder;
  demandSame(pair, journal.noted('versions'));
  if (journal.noted('versions') === undefined) journal.note('versions', identities(pair));
  const command = wordsFor(pair, request.command);
  const oracle = new CommandOracle({
    command,
    given: [],
    ...runningOf(context, options),
    inside: insideOf(pair),
    bytes: bytesOf(pair.new) * (options.build === undefined ? 1 : 3),
    ...(options.build === undefined ? {} : { build: options.build }),
  });
  // A plain algorithm runs over hunks unless lines are asked for.
  const finest = options.granularity ?? (strategy ? 'hunk' : 'line');
  const asPatch = (artifact: Artifact): Artifact => ({
    files: new Map([['changes.patch', { kind: 'file', bytes: patchFrom(pair, 'old', artifact) }]]),
  });
  let versions: SearchedVersions;
  let smallest = pair.new;
  return {
    async firstRun() {
      const trial = { oracle, command, asked: askedRule(options) };
      const first = await checkNew(pair, trial, context);
      const test = oracle.test(first.rule, first.timeout, options.repeat);
      const old = await checkOld(pair, trial, test, first, context);
      if (old === 'fail') demandSearchable(pair);
      const whole = await pair.hierarchy(hunksAtLeast(finest));
      versions = { pair, trial, first, old, whole };
      return {
        ...expectedOf(first, command.join(' ')),
        original: pair.new,
        before: { deltas: whole.changes.count },
        test,
        kept: asPatch,
      };
    },
    async *search({ test, settings, keep }) {
      const { rule, timeout } = versions.first;
      const wanted = {
        finest,
        coverage: options.coverage,
        ...(strategy ? { strategy } : {}),
        isBuilt: options.build !== undefined,
        settings: { ...settings, identify },
        fromScratch: otherFailures(oracle.test(rule, timeout, options.repeat, true), folder, see, asPatch),
        keep(artifact: Artifact) {
          smallest = artifact;
          keep(artifact);
        },
      };
      const found = yield* searchChanges(versions, test, wanted, context);
      return { ended: found.ended, ...sizesOf(found), best: smallest, found };
    },
    /** The smallest failing set of changes so far, as a patch for old. */
    keep(best) {
      const bytes = patchFrom(pair, 'old', best);
      folder.keepBest({ files: new Map([['culprit.patch', { kind: 'file', bytes }]]) });
    },
    page: () => ({ title: titleOf(pair), output }),
    present: ({ found }) => presentChanges(found, output, folder),
    close: () => oracle.close(),
  };
}

function strategyNamed(name: string | undefined): PlainStrategy | undefined {
  const known = plainStrategies.find(each => each === name);
  if (name === undefined || known) return known;
  throw new UserError(`There is no strategy called ${name}.`, `Choose one of: ${plainStrategies.join(', ')}.`);
}

/** A folder for the patches: one that is not there yet, is empty, or holds the patches of an earlier run. */
function outputFor(asked: string | undefined, pair: Pair, isResumed: boolean): string {
  const path = resolve(asked ?? 'culprit.changes');
  for (const place of pair.places)
    if (place !== undefined && `${path}/`.startsWith(`${resolve(place)}/`) && asked !== undefined)
      throw new UserError(
        `--output ${asked} lies in ${place}, which is never written to.`,
        'Name a place outside of both versions.',
      );
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isDirectory())
    throw new UserError(
      `${path} is a file, and the result is a folder of patches.`,
      'Name another place with --output.',
    );
  const foreign = stats ? readdirSync(path).find(name => !/^(culprit(-\d+)?|revert)\.patch$/.test(name)) : undefined;
  if (foreign !== undefined && !isResumed)
    throw new UserError(
      `${path} is there already, and holds ${foreign}, which is no patch of culprit's.`,
      'Name another folder with --output.',
    );
  writable(path, () => {
    if (!existsSync(join(path, '..'))) makeFolder(join(path, '..'));
  });
  return path;
}

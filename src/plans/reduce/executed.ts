/** If the input is a program that is executed: one run with coverage shows which code of it did not run. */
import { alsoFiles, inFiles } from '../../circumstances/files.js';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import type { Circumstance } from '../../core/index.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import type { FirstRun } from '../../oracle/command/first-run.js';
import { mayBeExecuted, type Unexecuted, watchUnexecuted } from '../../oracle/coverage/index.js';
import { importOrder } from '../../reductions/text/imports.js';
import { languageOf } from '../../reductions/tree/index.js';
import type { Journal } from '../../run/journal.js';
import { identify } from '../../sources/files.js';
import type { Pass } from '../pass.js';
import { entriesIn, entryPasses, type LastRun, textsOf } from './entries.js';
import { allAtOnce, smallText } from './large-text.js';
import { emptiedMembers, unusedDeclarations } from './leftovers.js';
import { partsIn } from './parts.js';
import { guardAll } from './passes.js';
import { type RunWithValues, seenValuesPass } from './seen-values.js';
import type { ReduceOptions } from './text-passes.js';

/** What a run of an artifact did not execute. Nothing if the artifact is not what is executed. */
export type RunWithCoverage = (artifact: Artifact) => Promise<Unexecuted>;

/** How an artifact is run to see what it does. */
export interface WatchedRuns {
  readonly coverage: RunWithCoverage;
  readonly values?: RunWithValues;
}

/** The coverage as the journal has it: a replay must get the same, because the next questions depend on it. */
export const noteOfCoverage = (artifact: Artifact): string => `not executed in ${identify(artifact)}`;

interface Watched {
  readonly oracle: CommandOracle;
  readonly first: Pick<FirstRun, 'rule' | 'timeout'>;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/** Runs an artifact once with coverage; a resumed run reads it from the journal. */
export const runWithCoverage =
  ({ oracle, first: { rule, timeout }, journal, signal }: Watched): RunWithCoverage =>
  async artifact => {
    const name = noteOfCoverage(artifact);
    const known = journal.noted<Unexecuted>(name);
    if (known) return known;
    const { attempt, seen = {} } = await oracle.observe(artifact, timeout, signal, watchUnexecuted(artifact.files));
    signal.throwIfAborted();
    // If it fails in another way when it is watched, what it executed says nothing.
    const found = oracle.verdict(rule, attempt).outcome === 'fail' ? seen : {};
    journal.note(name, found);
    return found;
  };

/** A process that must be killed to end it reports nothing. */
export const canReport = ({ rule, signature }: Pick<FirstRun, 'rule' | 'signature'>): boolean =>
  rule.kind !== 'hang' && rule.kind !== 'signal' && rule.kind !== 'differs' && !/^SIG/.test(signature?.how ?? '');

/** The passes for an input that may be executed. They remember what they saw, so each search has its own. */
export async function passesForExecuted(
  passes: readonly Pass<Artifact>[],
  original: Artifact,
  options: ReduceOptions,
  { coverage, values }: WatchedRuns,
): Promise<readonly Pass<Artifact>[]> {
  let last: LastRun = { loaded: new Set(), entries: '' };
  const watched: RunWithCoverage = async artifact => {
    const idle = await coverage(artifact);
    const loaded = new Set(Object.keys(idle));
    last = { loaded, entries: textsOf(artifact, entriesIn(artifact, loaded)) };
    return idle;
  };
  const valued: RunWithValues | undefined =
    values &&
    (async (artifact, loaded) => {
      const seen = await values(artifact, loaded);
      if (Object.keys(seen).length > 0) last = { ...last, valued: identify(artifact) };
      return seen;
    });
  /** Whether the last run with coverage loaded the artifact as code. */
  const isExecuted = () => last.loaded.size > 0;
  const known = passes.map(
    (pass): Pass<Artifact> =>
      pass.isForReaders
        ? { ...pass, over: (artifact, rough, place) => (isExecuted() ? undefined : pass.over(artifact, rough, place)) }
        : pass,
  );
  const onlyExecuted = (pass: Pass<Artifact>): Pass<Artifact> => ({
    ...pass,
    over: artifact => (isExecuted() ? pass.over(artifact) : undefined),
  });
  const again = unexecutedAgain(watched, options, () => last);
  const own = [
    unexecutedPass(watched, options),
    onlyExecuted(emptiedMembers(options)),
    onlyExecuted(unusedDeclarations(options)),
    ...(valued ? [seenValuesPass(valued, options, () => last.loaded), again] : []),
  ];
  // They remove little by themselves, so they wait until the others find nothing more.
  const lastEarly = known.findLastIndex(({ early }) => early) + 1;
  const ofEntries = [...entryPasses(options, () => last), again];
  const [guarded, later] = [await guardAll(own, original, options), await guardAll(ofEntries, original, options)];
  const at = Math.max(
    0,
    known.findIndex(({ name }) => afterHalves.has(name)),
  );
  return [...known.slice(0, at), ...guarded, ...known.slice(at, lastEarly), ...later, ...known.slice(lastEarly)];
}

/** A tool that only reads its input often fails on half of it. For the others, a run with coverage is worth its time. */
const afterHalves = new Set(['halves, imports past them', 'slices one by one']);

/**
 * Code that did not run is not needed by what did: the bodies of functions that nothing called, branches that were not taken,
 * files that nothing loaded. All of it is left out in one question. Something may still name a function that is not called,
 * so without coverage each of them would have to wait for what names it. A run is made again when half of what it left is gone:
 * less is executed then.
 */
export function unexecutedPass(run: RunWithCoverage, options: ReduceOptions): Pass<Artifact> {
  /** An artifact of at most this size is run with coverage. */
  let most = Number.POSITIVE_INFINITY;
  const needsRun = (artifact: Artifact): boolean =>
    bytesOf(artifact) > smallText && bytesOf(artifact) <= most && [...artifact.files.keys()].some(mayBeExecuted);
  return {
    name: 'code that did not run',
    early: true,
    needsRun,
    async over(artifact) {
      if (!needsRun(artifact)) return undefined;
      const circumstance = await withoutIdle(artifact, await run(artifact), options);
      const least = circumstance?.build([]);
      most = least === undefined ? 0 : bytesOf(least) / 2;
      return circumstance;
    },
    strategy: () => allAtOnce,
  };
}

/** The same, as soon as what starts the program has changed, or what computed a value has lost its user. */
function unexecutedAgain(run: RunWithCoverage, options: ReduceOptions, last: () => LastRun): Pass<Artifact> {
  const needsRun = (artifact: Artifact): boolean => {
    const { loaded, entries, valued } = last();
    if (valued !== undefined && identify(artifact) !== valued) return true;
    const now = entriesIn(artifact, loaded);
    return now.length > 0 && textsOf(artifact, now) !== entries;
  };
  return {
    name: 'code that no longer runs',
    early: true,
    needsRun,
    over: async artifact => (needsRun(artifact) ? withoutIdle(artifact, await run(artifact), options) : undefined),
    strategy: () => allAtOnce,
  };
}

async function withoutIdle(
  artifact: Artifact,
  idle: Unexecuted,
  options: ReduceOptions,
): Promise<Circumstance<Artifact> | undefined> {
  const loaded = new Set(Object.keys(idle).map(path => languageOf(path)));
  const unloaded = importOrder(artifact).filter(
    path => mayBeExecuted(path) && !idle[path] && loaded.has(languageOf(path)),
  );
  const parts = await partsIn(
    artifact,
    path => idle[path] !== undefined,
    options,
    (structure, path) => structure.unexecuted(idle[path]!),
  );
  return parts.length + unloaded.length === 0
    ? undefined
    : alsoFiles(artifact, inFiles(artifact, 'code', parts), unloaded);
}

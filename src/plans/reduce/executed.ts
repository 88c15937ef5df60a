/** If the input is a program that is executed: one run with coverage shows which code of it did not run. */
import { type Artifact, bytesOf } from '../../core/artifact.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import type { FirstRun } from '../../oracle/command/first-run.js';
import {
  isCompiledSource,
  mayHoldCode,
  type Unexecuted,
  watchReached,
  watchUnexecuted,
  watchValues,
} from '../../oracle/coverage/index.js';
import { languageOf, type ValuesOf } from '../../reductions/tree/index.js';
import type { Journal } from '../../run/journal.js';
import { identify } from '../../sources/files.js';
import type { Pass } from '../pass.js';
import { isProbedScript, probed, startProbed } from './compiled.js';
import { directCalls, type RunWithCalls } from './direct-calls.js';
import { entriesIn, entryPasses, entryStatements, type LastRun, textsOf } from './entries.js';
import { entryValues } from './entry-values.js';
import { type RunWithCoverage, unexecutedAgain, unexecutedPass } from './idle-code.js';
import { keepEntry } from './keep-entry.js';
import { largestParts } from './largest-parts.js';
import {
  codeWithoutEffect,
  conditionsForNothing,
  emptiedMembers,
  itemsOfTables,
  unusedDeclarations,
} from './leftovers.js';
import { guardAll } from './passes.js';
import { printedPass, type RunWithOutput } from './printed.js';
import { isUncovered, type RunWithValues, seenValuesPass } from './seen-values.js';
import type { ReduceOptions } from './text-passes.js';

/** How an artifact is run to see what it does. */
export interface WatchedRuns {
  readonly coverage: RunWithCoverage;
  readonly values?: RunWithValues;
  readonly output?: RunWithOutput;
  readonly calls?: RunWithCalls;
}

/** The coverage as the journal has it: a replay must get the same, because the next questions depend on it. */
export const noteOfCoverage = (artifact: Artifact): string => `not executed in ${identify(artifact)}`;

interface Watched {
  readonly oracle: CommandOracle;
  readonly first: Pick<FirstRun, 'rule' | 'timeout' | 'signature'>;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/** Runs an artifact once with coverage; a resumed run reads it from the journal. */
export const runWithCoverage =
  ({ oracle, first: { rule, timeout, signature }, journal, signal }: Watched): RunWithCoverage =>
  async artifact => {
    const name = noteOfCoverage(artifact);
    const known = journal.noted<Unexecuted>(name);
    if (known) return known;
    const loaded = async (): Promise<Unexecuted> => {
      const { attempt, seen = {} } = await oracle.observe(artifact, timeout, signal, watchUnexecuted(artifact.files));
      // If it fails in another way when it is watched, what it executed says nothing.
      return oracle.verdict(rule, attempt).outcome === 'fail' ? seen : {};
    };
    /** An optimiser may do nothing wrong with a text that is watched, but what the program does is the same. */
    const compiled = async (): Promise<Unexecuted> => {
      const reachedIn = async (program: Artifact): Promise<ReadonlySet<number>> =>
        (await oracle.observe(program, timeout, signal, watchReached)).seen ?? new Set();
      if (bytesOf(artifact) > slowlyRead) {
        const start = await startProbed(artifact);
        if (!start || (await reachedIn(start)).size === 0) return {};
        signal.throwIfAborted();
      }
      const program = await probed(artifact);
      return program ? program.idle(await reachedIn(program.artifact)) : {};
    };
    const scripts = async (): Promise<Unexecuted> => {
      const program = await probed(artifact, isProbedScript);
      if (!program) return {};
      const watch = watchValues(program.artifact.files, process.env);
      const { seen } = await oracle.observe(program.artifact, timeout, signal, watch);
      return program.idle(new Set(seen?.keys() ?? []));
    };
    const has = (kind: (path: string) => boolean): boolean => [...artifact.files.keys()].some(kind);
    let found = has(mayHoldCode) && endsByItself({ rule, signature }) ? await loaded() : {};
    signal.throwIfAborted();
    if (Object.keys(found).length === 0 && has(isCompiledSource)) found = await compiled();
    signal.throwIfAborted();
    if (Object.keys(found).length === 0 && has(isProbedScript)) found = await scripts();
    signal.throwIfAborted();
    journal.note(name, found);
    return found;
  };

/** To read a larger program takes as long as a test. */
const slowlyRead = 100_000;

type Ending = Pick<FirstRun, 'rule' | 'signature'>;

/** A process that must be killed to end it reports nothing to its runtime. */
const endsByItself = ({ rule, signature }: Ending): boolean =>
  rule.kind !== 'hang' && rule.kind !== 'signal' && rule.kind !== 'differs' && !/^SIG/.test(signature?.how ?? '');

/** Whether a run of the input may show what it executes: even if it is killed, what it noted until then is there. */
export const canReport = (first: Ending, input: Artifact): boolean =>
  // Nobody has seen which file of an archive a runtime means.
  !input.archives &&
  (endsByItself(first) || [...input.files.keys()].some(path => isCompiledSource(path) || isUncovered(path)));

/** The passes for an input that may be executed. They remember what they saw, so each search has its own. */
export async function passesForExecuted(
  passes: readonly Pass<Artifact>[],
  original: Artifact,
  options: ReduceOptions,
  { coverage, values, output, calls }: WatchedRuns,
): Promise<readonly Pass<Artifact>[]> {
  let last: LastRun = { loaded: new Set(), entries: '', bytes: 0 };
  const watched: RunWithCoverage = async artifact => {
    const idle = await coverage(artifact);
    const loaded = new Set(Object.keys(idle));
    last = { loaded, entries: textsOf(artifact, entriesIn(artifact, loaded)), bytes: bytesOf(artifact) };
    return idle;
  };
  const valued: RunWithValues | undefined =
    values &&
    (async (artifact, loaded, reporters) => {
      const seen = await values(artifact, loaded, reporters);
      if (Object.keys(seen).length > 0) last = { ...last, valued: identify(artifact) };
      return seen;
    });
  /** Whether the last run with coverage loaded the artifact as code. */
  const isExecuted = () => last.loaded.size > 0;
  const known = passes.map(
    (pass): Pass<Artifact> =>
      pass.isForReaders
        ? { ...pass, over: (artifact, rough, place) => (isExecuted() ? undefined : pass.over(artifact, rough, place)) }
        : keepEntry(pass, isExecuted),
  );
  const onlyExecuted = (pass: Pass<Artifact>): Pass<Artifact> => ({
    ...pass,
    over: artifact => (isExecuted() ? pass.over(artifact) : undefined),
  });
  const again = unexecutedAgain(watched, options, () => last);
  const [names, unused] = (['names', 'any'] as const).map(kind => onlyExecuted(unusedDeclarations(options, kind)));
  const idle = onlyExecuted(codeWithoutEffect(options));
  // Most of a library of C++ is declared and never used: that takes many questions, and its end says what is used.
  const isCostly = [...original.files.keys()].some(path => languageOf(path)?.checksNames === true);
  const soon = isCostly ? [] : [names!];
  // A tool that only reads the files fails on half of them sooner.
  const needless = passes.filter(({ name }) => name === 'what no file needs').map(onlyExecuted);
  const seen = (...which: readonly ValuesOf[]): readonly Pass<Artifact>[] => {
    const ofRun = (each: ValuesOf) => seenValuesPass(valued!, options, () => last.loaded, each);
    return valued ? [...which.map(ofRun), again, ...needless, idle, ...soon] : [];
  };
  const ofValues = isCostly ? seen('pure expressions', 'others') : [...seen('pure expressions'), ...seen('others')];
  const largest = largestParts(options, () => last);
  const [unnamed, ...named] = emptiedMembers(options);
  const own = [
    unexecutedPass(watched, options),
    ...(output ? [printedPass(output, () => last.loaded)] : []),
    ...(calls ? [directCalls(calls, () => last.loaded), again] : []),
    onlyExecuted(unnamed!),
    ...soon,
    // What the program is started with decides how much of everything else is needed.
    ...(valued ? [entryValues(valued, options, () => last)] : []),
    entryStatements(options, () => last),
    again,
    largest,
    ...itemsOfTables(options).map(onlyExecuted),
    ...needless,
    ...soon,
    ...[...named, conditionsForNothing(options)].map(onlyExecuted),
    ...ofValues,
  ];
  // They remove little by themselves, so they wait until the others find nothing more. After each of them, less may run.
  const lastEarly = known.findLastIndex(({ early }) => early) + 1;
  const ofEntries = [
    ...entryPasses(options, () => last).flatMap(pass => [pass, again, largest]),
    ...[...needless, names!, unused!, ...ofValues].map(afterEarly),
  ];
  const [guarded, later] = [await guardAll(own, original, options), await guardAll(ofEntries, original, options)];
  const at = Math.max(
    0,
    known.findIndex(({ name }) => afterHalves.has(name)),
  );
  const first = known[at]?.leads ? guarded.map(pass => ({ ...pass, leads: true })) : guarded;
  return [...known.slice(0, at), ...first, ...known.slice(at, lastEarly), ...later, ...known.slice(lastEarly)];
}

/** When half of a small program is gone, more of its expressions have one value, and little is left that does not run. */
const afterEarly = ({ early: _, ...pass }: Pass<Artifact>): Pass<Artifact> => pass;

/** A tool that only reads its input often fails on half of it, or on what its end uses. For the others, a run with coverage is worth its time. */
const afterHalves = new Set([
  'halves, imports past them',
  'slices across files',
  'slices one by one',
  'parts of the end',
]);

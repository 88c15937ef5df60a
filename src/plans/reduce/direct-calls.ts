/** If the input is a program that is executed: starts it later, with calls that one run shows. */
import { type Artifact, bytesOf, type Entry } from '../../core/artifact.js';
import { decode, withText } from '../../core/decode.js';
import { type Circumstance, type Configuration, deltasOf, has } from '../../core/index.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import { watchCalls } from '../../oracle/coverage/index.js';
import { importsIn } from '../../reductions/text/imports.js';
import { languageOf, structureOf } from '../../reductions/tree/index.js';
import type { Journal } from '../../run/journal.js';
import { identify } from '../../sources/files.js';
import { exchange, sweep } from '../../strategies/index.js';
import { type Called, reportingCalls, type WrittenCall } from '../../syntax/calls.js';
import type { Pass } from '../pass.js';
import { briefPatience } from '../schedule.js';
import { entriesIn } from './entries.js';
import type { ListStrategy } from './large-text.js';

/** The calls in a run of an artifact, of functions in these files that other files can call. */
export type RunWithCalls = (artifact: Artifact, loaded: ReadonlySet<string>) => Promise<readonly WrittenCall[]>;

/** The calls as the journal has them: a replay must get the same, because the next questions depend on them. */
export const noteOfCalls = (artifact: Artifact): string => `calls in ${identify(artifact)}`;

interface Watched {
  readonly oracle: CommandOracle;
  readonly timeout: number;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/** Runs the program once with functions that report their arguments; a resumed run reads them from the journal. */
export const runWithCalls =
  ({ oracle, timeout, journal, signal }: Watched): RunWithCalls =>
  async (artifact, loaded) => {
    const name = noteOfCalls(artifact);
    const known = journal.noted<readonly WrittenCall[]>(name);
    if (known) return known;
    const { files, functions } = await reportingIn(artifact, loaded);
    let found: readonly WrittenCall[] = [];
    if (functions.length > 0) {
      const look = watchCalls(artifact.files, process.env);
      const { seen = [] } = await oracle.observe({ ...artifact, files }, timeout, signal, look);
      signal.throwIfAborted();
      found = seen.flatMap(([id, values]) => (functions[id] ? [{ ...functions[id], values }] : []));
    }
    journal.note(name, found);
    return found;
  };

async function reportingIn(artifact: Artifact, loaded: ReadonlySet<string>) {
  const functions: { readonly path: string; readonly name: string }[] = [];
  const files = new Map<string, Entry>(artifact.files);
  for (const [path, entry] of artifact.files) {
    const { calls } = languageOf(path) ?? {};
    if (entry.kind !== 'file' || !loaded.has(path) || calls === undefined) continue;
    const { text } = decode(entry.bytes);
    const { syntax } = await structureOf(path);
    const called: readonly Called[] = calls.calledIn(await syntax.tree(text));
    files.set(path, withText(entry, reportingCalls(text, called, functions.length)));
    for (const { name } of called) functions.push({ path, name });
  }
  return { files, functions };
}

/** Together they may be this long: the calls of a program that repeats itself say little. */
const longest = 150_000;

/**
 * What starts a program may need most of it to get to the call that fails. The functions of its files can be called directly, with what they were
 * given in a run: all of these calls take the place of what starts it, in one question, and then as few of them as are needed. Each prints what it
 * returns. `last`: the files that the last run with coverage loaded as code.
 */
export function directCalls(run: RunWithCalls, loaded: () => ReadonlySet<string>): Pass<Artifact> {
  let isAsked = false;
  const entryOf = (artifact: Artifact): string | undefined => {
    const entries = entriesIn(artifact, loaded()).filter(path => languageOf(path)?.calls !== undefined);
    return entries.length === 1 ? entries[0] : undefined;
  };
  const needsRun = (artifact: Artifact): boolean => !isAsked && entryOf(artifact) !== undefined;
  return {
    name: 'calls that start it later',
    early: true,
    isObserved: true,
    needsRun,
    async over(artifact) {
      if (!needsRun(artifact)) return undefined;
      isAsked = true;
      const entry = entryOf(artifact)!;
      const others = new Set([...loaded()].filter(path => path !== entry));
      const calls = fitting(await run(artifact, others));
      return calls.length === 0 ? undefined : startingLater(artifact, entry, calls.toReversed(), others);
    },
    strategy: () => later,
  };
}

const later = exchange(sweep({ prove: false, patience: briefPatience, halves: true })) as unknown as ListStrategy;

/** The shortest of them, in their order. */
function fitting(calls: readonly WrittenCall[]): readonly WrittenCall[] {
  let room = longest;
  const chosen = new Set(
    [...calls].sort((a, b) => a.values.length - b.values.length).filter(call => (room -= call.values.length) >= 0),
  );
  return calls.filter(call => chosen.has(call));
}

/**
 * The calls as deltas, and what starts the program now as the last one. The latest call comes first, because a search begins at the end: of two that
 * do, the one that is called by the other needs less.
 */
function startingLater(
  artifact: Artifact,
  path: string,
  calls: readonly WrittenCall[],
  loaded: ReadonlySet<string>,
): Circumstance<Artifact> | undefined {
  const entry = artifact.files.get(path);
  if (entry?.kind !== 'file') return undefined;
  const { text } = decode(entry.bytes);
  const imported = importsIn(artifact);
  const { program } = languageOf(path)!.calls!;
  const made = (configuration: Configuration): readonly WrittenCall[] =>
    [...deltasOf(configuration)].flatMap(delta => calls[delta] ?? []).toReversed();
  const behind = (paths: Iterable<string>): ReadonlySet<string> => {
    const found = new Set(paths);
    for (const each of found) for (const other of imported.get(each) ?? []) found.add(other);
    return found;
  };
  const started = behind([path, ...loaded]);
  /** Without the files that these calls do not load, as far as the texts show it. */
  const filesFor = (some: readonly WrittenCall[]): Map<string, Entry> => {
    const needed = behind(some.map(call => call.path));
    return new Map([...artifact.files].filter(([file]) => !started.has(file) || needed.has(file)));
  };
  const isStarted = (configuration: Configuration): boolean => has(configuration, calls.length);
  return {
    name: 'call',
    count: calls.length + 1,
    weights: [...calls.map(({ values }) => values.length), bytesOf(artifact)],
    build(configuration) {
      if (isStarted(configuration)) return artifact;
      const some = made(configuration);
      return { ...artifact, files: filesFor(some).set(path, withText(entry, program(some, { path, text }))) };
    },
    trace: configuration => (isStarted(configuration) ? new Map() : new Map([[path, 'unknown' as const]])),
    describe: delta => (delta === calls.length ? path : `${calls[delta]!.name}(${calls[delta]!.values})`),
  };
}

/** If the input is a program that is executed: one run shows which values its expressions have. */
import { inFiles } from '../../circumstances/files.js';
import { type Artifact, bytesOf, type Entry } from '../../core/artifact.js';
import { decode, withText } from '../../core/decode.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import { isPage, mayBeExecuted, watchValues } from '../../oracle/coverage/index.js';
import { languageOf, type SeenValue, structureOf, type ValuesOf } from '../../reductions/tree/index.js';
import type { Journal } from '../../run/journal.js';
import { identify } from '../../sources/files.js';
import { type Observation, observable, reporting } from '../../syntax/observed.js';
import type { Pass } from '../pass.js';
import { isHeader } from './compiled.js';
import { isInStart } from './entries.js';
import { allAtOnce, allOrStretches, roughText } from './large-text.js';
import { partsIn } from './parts.js';
import type { ReduceOptions } from './text-passes.js';

/** By path: the expressions that always had the same value. Plain data, for the journal. */
export type SeenValues = Readonly<Record<string, readonly SeenValue[]>>;

/** Which expressions of a file report. */
export type Reporters = 'all' | 'what starts it';

/** The values in a run of an artifact, of the files that it loads as code. */
export type RunWithValues = (
  artifact: Artifact,
  loaded: ReadonlySet<string>,
  reporters?: Reporters,
) => Promise<SeenValues>;

/** The values as the journal has them: a replay must get the same, because the next questions depend on them. */
export const noteOfValues = (artifact: Artifact, reporters: Reporters = 'all'): string =>
  reporters === 'all' ? `values in ${identify(artifact)}` : `values of ${reporters} in ${identify(artifact)}`;

interface Watched {
  readonly oracle: CommandOracle;
  readonly timeout: number;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/**
 * Runs the program once with expressions that report their values; a resumed run reads them from the journal. How that run ends
 * does not matter: the values are suggestions, and each of them is tested.
 */
export const runWithValues =
  ({ oracle, timeout, journal, signal }: Watched): RunWithValues =>
  async (artifact, loaded, reporters) => {
    const name = noteOfValues(artifact, reporters);
    const known = journal.noted<SeenValues>(name);
    if (known) return known;
    const { files, places } = await reportingIn(artifact, loaded, reporters);
    const found: Record<string, SeenValue[]> = {};
    if (places.length > 0) {
      const { seen } = await oracle.observe(
        { ...artifact, files },
        timeout,
        signal,
        watchValues(artifact.files, process.env),
      );
      signal.throwIfAborted();
      for (const [id, literal] of seen ?? []) {
        const place = places[id];
        if (place) (found[place.path] ??= []).push([place.start, place.end, literal]);
      }
    }
    journal.note(name, found);
    return found;
  };

interface Reporting {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** The program with expressions that report, and what each of their numbers means. */
async function reportingIn(artifact: Artifact, loaded: ReadonlySet<string>, reporters: Reporters = 'all') {
  const texts: { readonly path: string; readonly text: string; readonly observation?: Observation }[] = [];
  const places: Reporting[] = [];
  for (const [path, entry] of artifact.files) {
    if (entry.kind !== 'file' || !loaded.has(path)) continue;
    const { text } = decode(entry.bytes);
    const { syntax } = await structureOf(path);
    const { observation } = syntax.language;
    if (!mayReport(path)) continue;
    const tree = await syntax.tree(text);
    const isWanted = reporters === 'all' ? () => true : isInStart(path, text);
    const nodes = observable(tree).filter(node => isWanted({ start: tree.start[node]!, end: tree.end[node]! }));
    texts.push({
      path,
      text: reporting(tree, nodes, places.length),
      ...(observation ? { observation } : {}),
    });
    for (const node of nodes) places.push({ path, start: tree.start[node]!, end: tree.end[node]! });
  }
  const files = new Map<string, Entry>(artifact.files);
  const isAlone = files.size === 1;
  for (const { path, text, observation } of texts) {
    const isIncluded = isHeader(path) && !isAlone;
    const whole = isIncluded ? text : (observation?.withPrelude?.(text, places.length, isAlone) ?? text);
    const entry = files.get(path) as Extract<Entry, { readonly kind: 'file' }>;
    files.set(path, withText(entry, whole));
  }
  return { files, places };
}

/** In less than this, every expression is tried by itself soon: a run to see whether it is executed is not worth its time. */
export const smallestProgram = 300;
/** In a larger one, other passes remove more. */
const largeProgram = 100_000;
/** The same, if it is known to be executed. */
const smallest = 40;

/** Whether only a run with values shows that a file is executed: there is no coverage of its language. */
export const isUncovered = (path: string): boolean =>
  !mayBeExecuted(path) && languageOf(path)?.observation !== undefined;

/** Whether expressions of a file may report: it is in such a language, or it holds scripts. */
const mayReport = (path: string): boolean => languageOf(path)?.observation !== undefined || isPage(path);

const isPurityKnown = (path: string): boolean => languageOf(path)?.observation?.isPure !== undefined;

/**
 * Expressions become the values that they had: what computed them is not needed any more. It is asked again when half of the
 * program is gone. `loaded`: the files that the last run with coverage loaded as code.
 */
export function seenValuesPass(
  run: RunWithValues,
  options: ReduceOptions,
  loaded: () => ReadonlySet<string>,
  which: ValuesOf,
): Pass<Artifact> {
  let most = Number.POSITIVE_INFINITY;
  const reportersIn = (artifact: Artifact): ReadonlySet<string> => {
    // If it is known that an expression changes something, it is asked about only in a small program.
    const isOffered = (path: string): boolean =>
      which === 'others' ? !isPurityKnown(path) || bytesOf(artifact) <= roughText : isPurityKnown(path);
    const paths = [...artifact.files.keys()].filter(
      path => (loaded().has(path) || isUncovered(path)) && mayReport(path) && isOffered(path),
    );
    // A header is in the language of the sources that include it.
    const sources = paths.filter(path => !isHeader(path));
    const isOfSources = (path: string): boolean => sources.every(each => languageOf(each) === languageOf(path));
    return new Set([
      ...sources,
      ...(sources.length > 0 ? paths.filter(path => isHeader(path) && isOfSources(path)) : []),
    ]);
  };
  const needsRun = (artifact: Artifact): boolean =>
    bytesOf(artifact) > (loaded().size > 0 || Number.isFinite(most) ? smallest : smallestProgram) &&
    bytesOf(artifact) <= most &&
    reportersIn(artifact).size > 0;
  return {
    name: which === 'others' ? 'values of a run' : 'values of pure expressions',
    early: true,
    isObserved: true,
    needsRun,
    async over(artifact) {
      if (!needsRun(artifact)) return undefined;
      const values = await run(artifact, reportersIn(artifact));
      // If nothing reports, nothing of it is executed.
      most = Object.keys(values).length === 0 ? 0 : bytesOf(artifact) / 2;
      const parts = await partsIn(
        artifact,
        path => values[path] !== undefined,
        options,
        (structure, path) => structure.seenValues(values[path]!, which),
      );
      return parts.length === 0 ? undefined : inFiles(artifact, 'value', parts);
    },
    // A value that is wrong in a large program may make it run for ever, and what remains is worth little.
    strategy: (circumstance, thorough, price) =>
      (Number.isFinite(most) && most > largeProgram / 2 ? allOrStretches : allAtOnce)(circumstance, thorough, price),
  };
}

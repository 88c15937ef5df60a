/** If the input is a program that is executed: one run shows what it prints, which is the value of the whole program. */
import { type Artifact, bytesOf, type Entry } from '../../core/artifact.js';
import type { Circumstance, Configuration } from '../../core/index.js';
import { has } from '../../core/index.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import type { FirstRun } from '../../oracle/command/first-run.js';
import { type Printed, watchPrinted } from '../../oracle/coverage/index.js';
import { languageOf } from '../../reductions/tree/index.js';
import type { Journal } from '../../run/journal.js';
import { identify } from '../../sources/files.js';
import type { Pass } from '../pass.js';
import { bothAtOnce } from './large-text.js';
import { smallestProgram } from './seen-values.js';

/** What a run of an artifact prints; an empty object if nothing of it is what is started. */
export type RunWithOutput = (artifact: Artifact) => Promise<Partial<Printed>>;

/** The output as the journal has it: a replay must get the same, because the next question depends on it. */
export const noteOfOutput = (artifact: Artifact): string => `printed by ${identify(artifact)}`;

interface Watched {
  readonly oracle: CommandOracle;
  readonly first: Pick<FirstRun, 'rule' | 'timeout'>;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/** Runs the program once as it is, and keeps what it prints; a resumed run reads it from the journal. */
export const runWithOutput =
  ({ oracle, first: { rule, timeout }, journal, signal }: Watched): RunWithOutput =>
  async artifact => {
    const name = noteOfOutput(artifact);
    const known = journal.noted<Partial<Printed>>(name);
    if (known) return known;
    const look = watchPrinted(artifact.files, process.env);
    const isAsked = saysWhatCounts(rule);
    const { seen = {} } = isAsked ? await oracle.observe(artifact, timeout, signal, look) : {};
    signal.throwIfAborted();
    journal.note(name, seen);
    return seen;
  };

/** Only a script of the user says all that counts. Otherwise the failure is known by what is printed, and a program that prints it would not be one. */
const saysWhatCounts = ({ kind }: FirstRun['rule']): boolean => kind === 'interesting' || kind === 'bisect';

/**
 * A test that only looks at what a program prints accepts a program that only prints it. This is the outermost value of all, so it is asked first: if
 * it is refused, one or two questions are lost. `loaded`: the files that the last run with coverage loaded as code.
 */
export function printedPass(run: RunWithOutput, loaded: () => ReadonlySet<string>): Pass<Artifact> {
  let isAsked = false;
  const needsRun = (artifact: Artifact): boolean =>
    !isAsked &&
    bytesOf(artifact) > smallestProgram &&
    [...loaded()].some(path => languageOf(path)?.printing !== undefined);
  return {
    name: 'what it prints',
    early: true,
    isObserved: true,
    needsRun,
    async over(artifact) {
      if (!needsRun(artifact)) return undefined;
      isAsked = true;
      const { path, lines = [], ...end } = await run(artifact);
      const printing = path === undefined ? undefined : languageOf(path)?.printing;
      if (path === undefined || printing === undefined || (lines.length === 0 && end.thrown === undefined))
        return undefined;
      return asPrinting(artifact, path, printing({ lines, exit: 0, ...end }));
    },
    strategy: () => bothAtOnce,
  };
}

/** The other files, and the program itself, as two deltas; one if the program would not get smaller without the other. */
function asPrinting(artifact: Artifact, path: string, text: string): Circumstance<Artifact> | undefined {
  const entry = artifact.files.get(path);
  if (entry?.kind !== 'file' || 2 * text.length > bytesOf(artifact)) return undefined;
  const printing: Entry = { ...entry, bytes: Buffer.from(text) };
  const isAlone = artifact.files.size === 1 || text.length >= entry.bytes.length;
  const count = isAlone ? 1 : 2;
  const isPrinting = (configuration: Configuration): boolean => !has(configuration, count - 1);
  const filesOf = (configuration: Configuration): ReadonlyMap<string, Entry> => {
    const rest = has(configuration, 0) ? artifact.files : new Map([[path, entry]]);
    return isPrinting(configuration) ? new Map([...rest, [path, printing]]) : rest;
  };
  return {
    name: 'program',
    count,
    build: configuration => ({ ...artifact, files: new Map(filesOf(configuration)) }),
    trace: configuration => (isPrinting(configuration) ? new Map([[path, 'unknown' as const]]) : new Map()),
    describe: delta => (delta === count - 1 ? `${path} → what it prints` : 'the other files'),
  };
}

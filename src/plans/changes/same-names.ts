/** The old version with the local names and line breaks of the new one, so that a minified file differs only where it really does. */

import { isLongLine } from '../../circumstances/changes/columns.js';
import { linesOf } from '../../circumstances/changes/lines.js';
import type { Artifact, Entry } from '../../core/artifact.js';
import { hunksBetween } from '../../core/diff.js';
import type { Test } from '../../core/index.js';
import { type Memory, recallOrTest } from '../../engine/index.js';
import { identify } from '../../sources/files.js';
import { languageOf } from '../../syntax/languages/index.js';

/** A text that is longer than this takes too long to analyse. */
const largest = 1_000_000;

/** What the search begins with instead of the old version. */
export interface SameNames {
  readonly old: Artifact;
  /** The files in which names were replaced. */
  readonly paths: readonly string[];
  /** Another minifier, or one with other options, wrote the new version: it has other tokens in many places. */
  readonly isRewritten: boolean;
}

/** Two versions of one minifier seldom differ in more places than this once their names agree. */
const manyPlaces = 200;

/**
 * `paths`: the files that matter. Undefined if no name has to be replaced, or if old does not pass any more once they are: code can look at its own names.
 * A candidate is then made of this version and the new one, so no question is spent on names that a minifier chose anew.
 */
export async function withSameNames(
  { old, new: now }: { readonly old: Artifact; readonly new: Artifact },
  paths: readonly string[],
  test: Test<Artifact>,
  { memory, signal }: { readonly memory: Memory; readonly signal: AbortSignal },
): Promise<SameNames | undefined> {
  const renamed = await renamedIn(old, now, new Set(paths), signal);
  if (renamed.size === 0) return undefined;
  const aligned = {
    ...old,
    files: new Map([...old.files].map(([path, entry]) => [path, renamed.get(path)?.entry ?? entry])),
  };
  const { outcome } = await recallOrTest(memory, identify(aligned), () => test(aligned, signal));
  if (outcome !== 'pass') return undefined;
  const isRewritten = [...renamed.values()].some(each => each.isRewritten);
  return { old: aligned, paths: [...renamed.keys()], isRewritten };
}

/** How much of a text is in long lines. */
function densityOf(lines: readonly string[], isLong = isLongLine): number {
  const lengthOf = (some: readonly string[]) => some.reduce((sum, { length }) => sum + length, 0);
  return lengthOf(lines.filter(isLong)) / Math.max(1, lengthOf(lines));
}

/** A long line may be a table of texts or a pattern, which people write, too. */
const isLongCode = (line: string): boolean => isLongLine(line) && namesOf(line).join('').length > fewestInNames;

/** A line of code with more characters than this in its names is one that nobody has written. */
const fewestInNames = 100;

const literal =
  /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=[=(,:[!&|?{};]\s*)\/(?![*/])(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\//g;
const namesOf = (line: string): readonly string[] =>
  line.replace(literal, '').match(/(?<![\w$])[A-Za-z_$][\w$]*/g) ?? [];

const isDense = (text: string): boolean => densityOf(text.split('\n'), isLongCode) > 1 / 2;

/** A long pattern or two do not make a minified file: it has names that people chose. */
const leastMinified = 1 / 10;

/** How many stretches of tokens differ. */
function placesBetween(old: string, now: string): number {
  const tokensOf = (text: string) => text.match(/[\w$]+|[^\w$]/g) ?? [];
  return hunksBetween(tokensOf(old), tokensOf(now)).length;
}

interface Renamed extends AlignedText {
  readonly entry: Entry;
}

async function renamedIn(
  old: Artifact,
  now: Artifact,
  paths: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Renamed>> {
  const renamed = new Map<string, Renamed>();
  for (const path of paths) {
    signal.throwIfAborted();
    const entry = old.files.get(path);
    const other = now.files.get(path);
    if (entry?.kind !== 'file' || other?.kind !== 'file' || !isMinified(path, entry.bytes, other.bytes)) continue;
    const aligned = await alignedText(Buffer.from(entry.bytes), Buffer.from(other.bytes));
    const bytes = Buffer.from(aligned?.text ?? '');
    if (aligned && !bytes.equals(entry.bytes)) renamed.set(path, { entry: { ...entry, bytes }, ...aligned });
  }
  return renamed;
}

/** Whether both are scripts with long lines that differ. */
function isMinified(path: string, old: Uint8Array, now: Uint8Array): boolean {
  if (languageOf(path)?.compiler === undefined || Math.max(old.length, now.length) > largest) return false;
  const [before, after] = [linesOf(old), linesOf(now)];
  if (Math.min(densityOf(before), densityOf(after)) < leastMinified) return false;
  const known = new Set(before);
  return after.some(line => isLongLine(line) && !known.has(line));
}

/** What the old file is searched as. */
interface AlignedText {
  readonly text: string;
  readonly isRewritten: boolean;
}

async function alignedText(old: Buffer, now: Buffer): Promise<AlignedText | undefined> {
  const { localNamesReader } = await import('../../syntax/names/local-names.js');
  const { alignNames, alignNamesIn } = await import('../../syntax/versions/align-names.js');
  const { alignBreaks } = await import('../../syntax/versions/align-breaks.js');
  const { similarFunctions } = await import('../../syntax/versions/similar-functions.js');
  const read = await localNamesReader();
  const [before, after] = [old.toString(), now.toString()];
  // What is not UTF-8 would be damaged.
  if (!Buffer.from(before).equals(old) || !Buffer.from(after).equals(now)) return undefined;
  const names = [read(before), read(after)] as const;
  if (!names[0] || !names[1]) return undefined;
  const [from, to] = [
    { text: before, names: names[0] },
    { text: after, names: names[1] },
  ] as const;
  const text = alignBreaks(alignNames(from, to), after);
  const isRewritten = isDense(before) && isDense(after) && placesBetween(text, after) > manyPlaces;
  if (!isRewritten) return { text, isRewritten };
  const byFunctions = alignNamesIn(similarFunctions(from, to), from, to);
  return { text: alignBreaks(byFunctions, after), isRewritten };
}

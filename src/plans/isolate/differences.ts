/** In what a passing and a failing artifact differ, as deltas at each level. */
import { changesBetween } from '../../circumstances/changes/changes.js';
import { hasDeclarations } from '../../circumstances/changes/needs/languages.js';
import { dependenciesIn } from '../../circumstances/changes/needs/needs.js';
import { inFiles } from '../../circumstances/files.js';
import type { Artifact } from '../../core/artifact.js';
import {
  all,
  type Circumstance,
  type Configuration,
  deltasOf,
  empty,
  has,
  intersection,
  union,
} from '../../core/index.js';
import { bytesDiffering } from './bytes.js';
import { segmentsDiffering } from './segments.js';
import { type StatementsDiffering, statementsDiffering } from './statements.js';
import { bothText, type Cut, fileAt, inOrder, isData, type Pair, put, sameEntry, textsOf } from './texts.js';
import { linesDiffering, wordsDiffering } from './words.js';

export const levels = [
  'file',
  'member',
  'inner member',
  'hunk',
  'function',
  'statement',
  'byte',
  'line',
  'token',
  'character',
] as const;
type LevelName = (typeof levels)[number];

export async function differencesAt(
  level: LevelName,
  pair: Pair,
  signal?: AbortSignal,
): Promise<Circumstance<Artifact>> {
  switch (level) {
    case 'file':
      return byFile(pair.passing, pair.failing);
    case 'member':
      return bySegment(pair, false);
    case 'inner member':
      return bySegment(pair, true);
    case 'hunk':
      return byHunk(pair, signal);
    case 'function':
      return byFunction(pair, signal);
    case 'statement':
      return byStatement(pair, signal);
    case 'byte':
      return byByte(pair);
    default:
      return byText(pair, level, await readByStatement(pair, signal));
  }
}

/**
 * Everything in which two artifacts differ, as one list: files that only one of them has, or that are not text on one side,
 * as a whole; the others line by line. If a single line differs, token by token, and then character by character.
 */
export function differencesOf({ passing, failing }: Pair): Circumstance<Artifact> {
  const paths = [...new Set([...passing.files.keys(), ...failing.files.keys()])].sort();
  const whole = paths.filter(
    path => !bothText(passing, failing, path) && !sameEntry(passing.files.get(path), failing.files.get(path)),
  );
  const cut = (['line', 'token', 'character'] as const).find(
    level => byText({ passing, failing }, level).count + whole.length > 1,
  );
  const text = byText({ passing, failing }, cut ?? 'line');
  return {
    name: cut ?? 'line',
    count: text.count + whole.length,
    build(configuration) {
      const built = text.build(intersection(configuration, all(text.count)));
      if (!built) return undefined;
      const files = new Map(built.files);
      for (const [i, path] of whole.entries())
        if (!has(configuration, text.count + i)) put(files, path, passing.files.get(path));
      return { ...built, files: inOrder(files) };
    },
    describe: delta => (delta < text.count ? text.describe!(delta) : `${whole[delta - text.count]} as a whole`),
  };
}

/** Files that were added, removed or changed kind; and, if more than one file differs, each changed file as a whole. */
function byFile(passing: Artifact, failing: Artifact): Circumstance<Artifact> {
  const paths = [...new Set([...passing.files.keys(), ...failing.files.keys()])].sort();
  const differing = paths.filter(path => !sameEntry(passing.files.get(path), failing.files.get(path)));
  const whole = differing.length > 1 ? differing : differing.filter(path => !bothText(passing, failing, path));
  return {
    name: 'file',
    count: whole.length,
    build(configuration) {
      const files = new Map(failing.files);
      for (const [delta, path] of whole.entries())
        if (!has(configuration, delta)) put(files, path, passing.files.get(path));
      return { ...failing, files: inOrder(files) };
    },
    describe: delta => whole[delta]!,
  };
}

const differingTexts = (passing: Artifact, failing: Artifact): readonly string[] =>
  [...failing.files.keys()].filter(
    path => bothText(passing, failing, path) && !sameEntry(passing.files.get(path), failing.files.get(path)),
  );

/** Members of JSON, rows and cells of tables. `opens`: long members that only one side has are taken apart; nothing if there are none. */
function bySegment({ passing, failing }: Pair, opens: boolean): Circumstance<Artifact> {
  const parts = differingTexts(passing, failing).flatMap(path => {
    const { encoding, ...texts } = textsOf({ passing, failing }, path);
    const inner = segmentsDiffering(path, texts.passing, texts.failing, opens);
    const isKnown = opens && inner?.count === segmentsDiffering(path, texts.passing, texts.failing)?.count;
    return inner && !isKnown ? [{ path, encoding, inner }] : [];
  });
  return inFiles(failing, opens ? 'inner member' : 'member', parts);
}

/** A member or a row that only one side has says enough: half of it would say less. */
function isSettled(path: string, passing: string, failing: string): boolean {
  const inner = segmentsDiffering(path, passing, failing);
  return inner !== undefined && Array.from({ length: inner.count }, (_, i) => i).some(delta => !inner.isChange(delta));
}

/** Hunks of C and C++, each with what it does not compile without. */
async function byHunk({ passing, failing }: Pair, signal?: AbortSignal): Promise<Circumstance<Artifact>> {
  const changes = changesBetween(passing.files, failing.files);
  const isRead = changes.files.some(({ kind }, file) => kind === 'edited' && hasDeclarations(changes, file));
  if (!isRead) return { name: 'hunk', count: 0, build: () => failing };
  const { certain } = await dependenciesIn(changes, signal);
  return {
    ...changes,
    build(configuration) {
      const built = changes.build(certain.withNeeded(configuration));
      return built && { ...failing, files: built.files };
    },
  };
}

/** The files that a grammar can cut into statements, and how. */
async function statementsIn(pair: Pair, signal?: AbortSignal) {
  const { passing, failing } = pair;
  const found: { readonly path: string; readonly inner: StatementsDiffering }[] = [];
  for (const path of differingTexts(passing, failing)) {
    const { passing: a, failing: b } = textsOf(pair, path);
    if (isSettled(path, a, b)) continue;
    const inner = await statementsDiffering(path, fileAt(passing, path), fileAt(failing, path), signal);
    if (inner) found.push({ path, inner });
  }
  return found;
}

async function byStatement(pair: Pair, signal?: AbortSignal): Promise<Circumstance<Artifact>> {
  const parts = (await statementsIn(pair, signal)).map(({ path, inner }) => asText(pair, path, inner));
  return inFiles(pair.failing, 'statement', parts);
}

/**
 * Whole functions. Parts of two functions that were written anew do not fit together, and the failure may be that of a function without half of
 * its body: so it is found out first in which of them the difference is. Nothing if each statement is in another function, or all are in one.
 */
async function byFunction(pair: Pair, signal?: AbortSignal): Promise<Circumstance<Artifact>> {
  const parts = (await statementsIn(pair, signal)).flatMap(({ path, inner }) => {
    const { byFunction } = inner;
    if (byFunction.length < 2 || byFunction.length === inner.count) return [];
    const build = (some: Configuration) =>
      inner.build([...deltasOf(some)].map(i => byFunction[i]!).reduce(union, empty));
    const describe = (delta: number) => inner.describe!([...deltasOf(byFunction[delta]!)][0]!);
    return [asText(pair, path, { ...inner, name: 'function', count: byFunction.length, build, describe })];
  });
  return inFiles(pair.failing, 'function', parts);
}

function asText(pair: Pair, path: string, inner: Circumstance<Uint8Array>) {
  const { encoding } = textsOf(pair, path);
  const build = (configuration: Configuration) => {
    const bytes = inner.build(configuration);
    return bytes && Buffer.from(bytes).toString(encoding);
  };
  return { path, encoding, inner: { ...inner, build } };
}

function byByte(pair: Pair): Circumstance<Artifact> {
  const parts = differingTexts(pair.passing, pair.failing).flatMap(path => {
    const inner = bytesAt(pair, path);
    return inner ? [asText(pair, path, inner)] : [];
  });
  return inFiles(pair.failing, 'byte', parts);
}

/** Data that is cut into bytes and not into lines. */
function bytesAt({ passing, failing }: Pair, path: string): Circumstance<Uint8Array> | undefined {
  const [a, b] = [passing.files.get(path), failing.files.get(path)];
  return isData(a) && isData(b) ? bytesDiffering(a.bytes, b.bytes) : undefined;
}

/** A statement of more lines than this is cut on, line by line. */
const longestStatement = 20;

/** Files of which the statements say enough. */
async function readByStatement(pair: Pair, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const found = (await statementsIn(pair, signal)).filter(
    ({ inner }) => !inner.hasFormatting && inner.lines <= longestStatement,
  );
  return new Set(found.map(({ path }) => path));
}

/** `statements`: files of which only words are cut, because their statements have been searched. */
function byText(pair: Pair, level: Cut, statements: ReadonlySet<string> = new Set()): Circumstance<Artifact> {
  const parts = differingTexts(pair.passing, pair.failing)
    .filter(path => (level !== 'line' || !statements.has(path)) && !bytesAt(pair, path))
    .flatMap(path => {
      const { encoding, passing, failing } = textsOf(pair, path);
      if (isSettled(path, passing, failing)) return [];
      const lists =
        level === 'line'
          ? linesDiffering(passing, failing)
          : wordsDiffering(passing, failing, level, statements.has(path));
      const inner = { ...lists, build: (configuration: Configuration) => lists.build(configuration)!.join('') };
      return [{ path, encoding, inner }];
    });
  return inFiles(pair.failing, level, parts);
}

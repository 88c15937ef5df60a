/** What differs between two programs or pages, statement by statement: half a statement, or a header with nothing in it, explains nothing. */
import { type Changes, changesBetween } from '../../circumstances/changes/changes.js';
import { functionAround } from '../../circumstances/changes/functions.js';
import { linesOf } from '../../circumstances/changes/lines-of-hunks.js';
import { dependenciesIn } from '../../circumstances/changes/needs/needs.js';
import type { Entry } from '../../core/artifact.js';
import { type Circumstance, type Configuration, deltasOf, of } from '../../core/index.js';
import { addTo } from '../../core/lists.js';
import { languageOf } from '../../syntax/languages/index.js';
import { joinStatements } from '../statements.js';

type File = Extract<Entry, { kind: 'file' }>;

export interface StatementsDiffering extends Circumstance<Uint8Array> {
  /** How many lines its deltas add and remove. */
  readonly lines: number;
  /** The deltas of each function; those outside of functions by themselves. */
  readonly byFunction: readonly Configuration[];
  /** Whether lines that differ only in what means nothing are one of the deltas. */
  readonly hasFormatting: boolean;
}

/** Undefined if there is no grammar that could tell what a statement is. */
export async function statementsDiffering(
  path: string,
  passing: File,
  failing: File,
  signal?: AbortSignal,
): Promise<StatementsDiffering | undefined> {
  if (!languageOf(path)?.wasm) return undefined;
  const ends = [passing, failing].map(({ bytes }) => new Map<string, Entry>([[path, { kind: 'file', bytes }]]));
  const [old, now] = [ends[0]!, ends[1]!];
  const hunks = changesBetween(old, now);
  const lines = changesBetween(old, now, { granularity: 'line' });
  const inside = linesOf(hunks, lines);
  const byHunk = Array.from({ length: hunks.count }, (_, hunk) => [...deltasOf(inside(of([hunk])))]);
  const { changes, needs } = await joinStatements(lines, byHunk);
  const { certain } = await dependenciesIn(changes, signal, needs);
  return {
    name: 'statement',
    count: changes.count,
    build(configuration) {
      const entry = changes.build(certain.withNeeded(configuration))?.files.get(path);
      return entry?.kind === 'file' ? entry.bytes : undefined;
    },
    describe: delta => changes.describe(delta),
    lines: linesIn(changes),
    byFunction: functionsIn(changes),
    hasFormatting: changes.changes.some(({ kind }) => kind === 'formatting'),
  };
}

/** A function is known by its name on both sides, also if it was written anew. */
function functionsIn(changes: Changes): readonly Configuration[] {
  const found = new Map<string, number[]>();
  for (let delta = 0; delta < changes.count; delta++)
    addTo(found, functionAround(changes, delta) ?? ` outside: ${delta}`, delta);
  return [...found.values()].map(of);
}

const linesIn = ({ changes }: Changes): number =>
  changes.flatMap(({ parts }) => parts).reduce((sum, { oldCount, newCount }) => sum + oldCount + newCount, 0);

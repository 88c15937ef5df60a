/**
 * A second look at a large revert. In a rewritten file, old lines hardly ever fit between new ones, so the revert is most of the file. Old
 * functions often do fit: they are put in the place of the new ones, and what makes the difference is searched inside them.
 */
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { all, type Configuration, deltasOf, has, isEmpty, minus, of, type Test } from '../../core/index.js';
import { addTo } from '../../core/lists.js';
import type { Ended, Event } from '../../engine/index.js';
import type { Span } from '../../syntax/edit.js';
import { languageOf } from '../../syntax/languages/index.js';
import { oldFunctions } from '../../syntax/matched-functions.js';
import { hostTree, syntaxOf } from '../../syntax/syntax.js';
import { apply } from '../../syntax/text-cut.js';
import { askerFor, type BlameOptions, Stopped } from './asker.js';
import { type Blamed, blame, type Suspicion } from './blame.js';
import { patchFrom } from './culprits.js';
import type { Hierarchy } from './hierarchy.js';
import type { Level } from './levels.js';
import { type Finest, type Pair, pairOf } from './pair.js';

/** A revert of at most this many lines is small enough to read. */
const fewLines = 40;
/** A longer text takes too long to analyse. */
const largest = 1_000_000;
/** The search for functions may ask this many questions that bring nothing. */
const mostIdle = 24;
/** Of at most this many functions, each is tried by itself if they can't be narrowed down together. */
const mostSingles = 64;

/** What was searched and found between new with some old functions, and new. */
export interface FunctionRevert {
  readonly pair: Pair;
  readonly hierarchy: Hierarchy;
  readonly blamed: Blamed;
}

/** What was found so far, and how. */
export interface Answered {
  readonly pair: Pair;
  readonly hierarchy: Hierarchy;
  readonly blamed: Blamed;
  readonly suspicion: Suspicion;
}

/** One function of new, as old has it. */
interface OldFunction extends Span {
  readonly path: string;
  /** How likely it is to blame; 0 if the test does not run it. */
  readonly likely: number;
}

/** A smaller revert than the one that is known, if there is one; or why the search was stopped. */
export async function* revertFunctions(
  known: Answered,
  finest: Exclude<Finest, 'commit'>,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, FunctionRevert | Exclude<Ended, 'done'> | undefined> {
  const { pair, blamed } = known;
  const lines = linesOf(pair, blamed);
  if (lines <= fewLines) return undefined;
  const functions = await functionsIn(known);
  if (functions.length === 0) return undefined;
  yield {
    type: 'noticed',
    what: 'note',
    text: `The revert has ${lines} lines: ${functions.length === 1 ? 'the function' : `each of ${functions.length} functions`} in it is tried as old has it.`,
  };
  try {
    const level = levelOf(pair.new, functions);
    const back = yield* searchFunctions(level, functions, test, options);
    const old = isEmpty(back) ? undefined : level.circumstance.build(minus(all(functions.length), back));
    if (!old) return undefined;
    const inside = pairOf(old, pair.new, pair.titles, pair.places);
    const hierarchy = await inside.hierarchy(finest, options.signal);
    const found = yield* blame(hierarchy.levels, { suspects: all(hierarchy.changes.count) }, test, options);
    if (found.ended !== 'done') return found.ended;
    const isSmaller = linesOf(inside, found) < lines;
    return isSmaller ? { pair: inside, hierarchy, blamed: found } : undefined;
  } catch (error) {
    if (error instanceof Stopped && error.ended !== 'done') return error.ended;
    throw error;
  }
}

/** The fewest functions that make new pass if they are as in old; none if there are no such functions. */
async function* searchFunctions(
  level: Level,
  functions: readonly OldFunction[],
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Configuration> {
  const asker = askerFor({ level, lessons: { missing: new Set() } }, test, options, () => undefined);
  const { everything } = asker;
  const pass = 'functions to take back';
  const { passing } = yield* asker.down(everything, everything, at => functions[at]!.likely, mostIdle);
  if (!isEmpty(passing)) return yield* asker.back(minus(everything, passing), [], pass);
  if (functions.length > mostSingles) return [];
  const byLikelihood = [...functions.keys()].sort((a, b) => functions[b]!.likely - functions[a]!.likely || a - b);
  const singles = byLikelihood.map(at => of([at]));
  const outcomes = yield* asker.askUntilPass(
    pass,
    singles.map(single => minus(everything, single)),
  );
  return singles[outcomes.indexOf('pass')] ?? [];
}

function levelOf(now: Artifact, functions: readonly OldFunction[]): Level {
  const byFile = new Map<string, number[]>();
  for (const [at, { path }] of functions.entries()) addTo(byFile, path, at);
  return {
    name: 'function',
    circumstance: {
      name: 'function',
      count: functions.length,
      build(configuration) {
        const files = new Map(now.files);
        for (const [path, members] of byFile) {
          const spans = members.filter(at => !has(configuration, at)).map(at => functions[at]!);
          const entry = now.files.get(path);
          if (spans.length > 0 && entry?.kind === 'file')
            files.set(path, { ...entry, bytes: Buffer.from(apply(decode(entry.bytes).text, { spans })) });
        }
        return { ...now, files };
      },
    },
    groupings: [[...byFile.values()]],
    inside: same => same,
    changes: () => [],
  };
}

/** The functions of the reverted files that the test runs. */
async function functionsIn({ pair, hierarchy, blamed, suspicion }: Answered): Promise<readonly OldFunction[]> {
  const { changes } = hierarchy;
  if (!('files' in changes)) return [];
  const paths = new Map(
    blamed.level
      .changes(blamed.back)
      .flatMap(({ parts }) => parts)
      .flatMap(({ oldPath, newPath }) => (oldPath === undefined || newPath === undefined ? [] : [[newPath, oldPath]])),
  );
  const found: OldFunction[] = [];
  for (const [path, oldPath] of paths) {
    const spans = await spansIn(pair.old.files.get(oldPath!), pair.new.files.get(path!), path!);
    const text = spans.length > 0 ? textOf(pair.new.files.get(path!))! : '';
    const executed = [...deltasOf(suspicion.suspects)].flatMap(delta =>
      changes.changes[delta]!.parts.filter(part => part.newPath === path).map(part => ({ ...part, delta })),
    );
    for (const span of spans) {
      const [from, to] = [span.start, span.end].map(at => text.slice(0, at).split('\n').length - 1);
      const likely = executed
        .filter(({ newStart, newCount }) => newStart <= to! && newStart + newCount >= from!)
        .map(({ delta }) => suspicion.weights?.[delta] ?? 1);
      if (likely.length > 0) found.push({ ...span, path: path!, likely: Math.max(...likely) });
    }
  }
  return found;
}

async function spansIn(old: Entry | undefined, now: Entry | undefined, path: string): Promise<readonly Span[]> {
  const language = languageOf(path);
  const [before, after] = [textOf(old), textOf(now)];
  if (!language || language.markup || before === undefined || after === undefined) return [];
  const syntax = await syntaxOf(language);
  const [a, b] = [hostTree(before, syntax), hostTree(after, syntax)];
  return a && b ? oldFunctions(a, b) : [];
}

/** Undefined for what is too long, or would be damaged if it were written again. */
function textOf(entry: Entry | undefined): string | undefined {
  if (entry?.kind !== 'file' || entry.bytes.length > largest) return undefined;
  const { text } = decode(entry.bytes);
  return Buffer.from(text).equals(entry.bytes) ? text : undefined;
}

/** How many lines a revert removes and brings back. */
function linesOf(pair: Pair, { level: { circumstance }, back }: Blamed): number {
  const reverted = circumstance.build(minus(all(circumstance.count), back))!;
  const patch = Buffer.from(patchFrom(pair, 'new', reverted)).toString('latin1');
  return patch.split('\n').filter(line => /^[-+](?!-- |\+\+ )/.test(line)).length;
}

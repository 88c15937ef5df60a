/** Narrows the difference between a passing and a failing artifact from both sides, then what both share. */
import { changesBetween } from '../../circumstances/changes/changes.js';
import { hasDeclarations } from '../../circumstances/changes/declared-needs.js';
import { dependenciesIn } from '../../circumstances/changes/needs.js';
import { inFiles } from '../../circumstances/files.js';
import { replacing, shared } from '../../circumstances/sequence.js';
import { characters, lines, piecesOf, tokens } from '../../circumstances/text.js';
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import {
  all,
  type Circumstance,
  type Configuration,
  empty,
  has,
  intersection,
  type Strategy,
  type Test,
} from '../../core/index.js';
import { Counter, type Ended, type Event, type ExploreOptions, explore, pauseIfDue } from '../../engine/index.js';
import { dd, sweep } from '../../strategies/index.js';
import type { Confirming } from '../confirm.js';
import { parseGuard } from '../parse-guard.js';
import type { Proof } from '../proof.js';
import { confirmSides, identifyingBoth, proofsOfSides, type Sides, testingBoth } from '../sides.js';
import { limitReached, limitUnresolved } from './limit-unresolved.js';
import { segmentsDiffering, segmentsShared } from './segments.js';

export interface Pair {
  readonly passing: Artifact;
  readonly failing: Artifact;
}

export interface Isolated extends Pair {
  readonly ended: Ended;
  /** The levels at which the difference cannot be narrowed further. */
  readonly minimal: readonly string[];
  readonly proofs: readonly Proof<Artifact>[];
}

export interface IsolateOptions extends ExploreOptions<Artifact>, Confirming {
  readonly identify: (artifact: Artifact) => string;
  /** The algorithm that narrows; `dd` by default. */
  readonly strategy?: Strategy<unknown, unknown>;
  /** Called with each narrower pair. */
  readonly keep?: (pair: Pair) => void;
}

const cuts = { line: lines, token: tokens, character: characters } as const;
type Cut = keyof typeof cuts;

/**
 * Narrows the difference between two artifacts from both sides: whole files first, then lines, tokens and characters of
 * what still differs. Each level begins with the pair that the one before it left.
 */
export async function* isolate(
  pair: Pair,
  test: Test<Artifact>,
  options: IsolateOptions,
): AsyncGenerator<Event, Isolated> {
  let { passing, failing } = pair;
  const { strategy = dd(), keep } = options;
  const minimal: string[] = [];
  const proofs: Proof<Artifact>[] = [];
  const history: Pair[] = [pair];
  const fits = await guardOf(pair);
  for (const level of levels) {
    // Cutting a large text, and building its proof, take a while: a signal is heard in between.
    await pauseIfDue();
    if (options.signal?.aborted) return { passing, failing, ended: 'interrupted', minimal, proofs };
    const circumstance = guarded(differencesAt(level, { passing, failing }), fits);
    if (circumstance.count === 0) continue;
    yield {
      type: 'pass',
      pass: `${level}s that differ`,
      round: 1,
      deltas: circumstance.count,
      strategy: strategy.name,
    };
    let sides: Sides<Configuration> = { failing: all(circumstance.count), passing: empty };
    if (circumstance.count > 1) {
      const narrowed = (worst: Configuration, best: Configuration) => {
        const [bad, good] = [circumstance.build(worst), circumstance.build(best)];
        if (bad && good) keep?.({ passing: good, failing: bad });
      };
      const limited = limitUnresolved(strategy, mostUnresolved(circumstance.count));
      const end = yield* explore(limited, circumstance, test, { ...options, narrowed });
      passing = (end.passing && circumstance.build(end.passing)) ?? passing;
      failing = circumstance.build(end.best) ?? failing;
      if (end.ended !== 'done') return { passing, failing, ended: end.ended, minimal, proofs };
      sides = { failing: end.best, passing: end.passing ?? empty };
      if (end.result === limitReached) {
        yield { type: 'noticed', what: 'note', text: tooManyUnresolved(level) };
        history.push({ passing, failing });
        continue;
      }
    }
    minimal.push(level);
    await pauseIfDue();
    proofs.push(...proofsOfSides(circumstance, sides, options.identify, level));
    history.push({ passing, failing });
  }
  return yield* confirmed(history, { minimal, proofs }, test, options);
}

const levels = ['file', 'member', 'hunk', 'line', 'token', 'character'] as const;
type LevelName = (typeof levels)[number];

function differencesAt(level: LevelName, pair: Pair): Circumstance<Artifact> {
  switch (level) {
    case 'file':
      return byFile(pair.passing, pair.failing);
    case 'member':
      return bySegment(pair);
    case 'hunk':
      return byHunk(pair);
    default:
      return byText(pair.passing, pair.failing, level);
  }
}

/** With n differences that can hardly be separated, dd asks n² questions; from here on, the answer is as good as it gets. */
const mostUnresolved = (count: number): number => 4 * count + 64;

const tooManyUnresolved = (level: string): string =>
  `Too many tests by ${level} neither passed nor failed in the same way: the difference is not proven minimal by ${level}.`;

/** What people see should parse: half a JSON member or half a declaration explains nothing. */
const guardOf = ({ passing, failing }: Pair) =>
  parseGuard(
    [...failing.files.keys()]
      .filter(path => bothText(passing, failing, path))
      .map(path => ({ paths: [path], ends: [passing.files.get(path), failing.files.get(path)] as const })),
  );

type Fits = ((artifact: Artifact) => boolean) | undefined;

const guarded = (circumstance: Circumstance<Artifact>, fits: Fits): Circumstance<Artifact> =>
  fits === undefined
    ? circumstance
    : {
        ...circumstance,
        build(configuration) {
          const artifact = circumstance.build(configuration);
          return artifact && fits(artifact) ? artifact : undefined;
        },
      };

/** Tests the pair again. If one side does not hold, returns the newest older pair of which both sides hold. */
async function* confirmed(
  history: readonly Pair[],
  { minimal, proofs }: Pick<Isolated, 'minimal' | 'proofs'>,
  test: Test<Artifact>,
  options: IsolateOptions,
): AsyncGenerator<Event, Isolated> {
  const { counter = new Counter(), measure: _, ...rest } = options;
  const { ended, artifact, how } = yield* confirmSides(history, test, { ...rest, counter });
  return { ...artifact, ended, minimal: how === 'held' ? minimal : [], proofs };
}

/** Simplifies away what both share, keeping one passing and the other failing (PPR's commonality, after the difference). */
export async function* smallest(
  pair: Pair,
  test: Test<Artifact>,
  options: IsolateOptions,
): AsyncGenerator<Event, Isolated> {
  let current = pair;
  const both = testingBoth(test);
  const pairs = inPairs(options);
  const fits = await guardOf(pair);
  for (let changed = true; changed; ) {
    changed = false;
    for (const level of ['member', 'line', 'token', 'character'] as const)
      for (const path of sharedFiles(current)) {
        const shared = level === 'member' ? sharedSegments(current, path) : sharedText(current, path, level);
        if (!shared || shared.count === 0) continue;
        const circumstance = bothFit(shared, fits);
        yield { type: 'pass', pass: `${level}s in common`, round: 1, deltas: circumstance.count, strategy: 'sweep' };
        const end = yield* explore(sweep() as unknown as Strategy<unknown, Configuration>, circumstance, both, pairs);
        const next = circumstance.build(end.best);
        if (next && pairs.identify(next) !== pairs.identify(current)) {
          current = next;
          options.keep?.(next);
          changed = true;
        }
        if (end.ended !== 'done') return { ...current, ended: end.ended, minimal: [], proofs: [] };
      }
  }
  return yield* confirmed([pair, current], { minimal: ['line', 'token', 'character'], proofs: [] }, test, options);
}

function inPairs(options: IsolateOptions) {
  const { identify, measure, accepted: _, ...rest } = options;
  return {
    ...(rest as ExploreOptions<Pair>),
    identify: identifyingBoth(identify),
    ...(measure ? { measure: ({ passing, failing }: Pair) => measure(passing) + measure(failing) } : {}),
  };
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
    level => byText(passing, failing, level).count + whole.length > 1,
  );
  const text = byText(passing, failing, cut ?? 'line');
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

/** Members of JSON, rows and cells of tables. */
function bySegment({ passing, failing }: Pair): Circumstance<Artifact> {
  const parts = differingTexts(passing, failing).flatMap(path => {
    const [a, b] = [textOf(passing, path), textOf(failing, path)];
    const inner = segmentsDiffering(path, a.text, b.text);
    return inner ? [{ path, encoding: b.encoding, inner }] : [];
  });
  return inFiles(failing, 'member', parts);
}

/** A member or a row that only one side has says enough: half of it would say less. */
function isSettled(path: string, passing: string, failing: string): boolean {
  const inner = segmentsDiffering(path, passing, failing);
  return inner !== undefined && Array.from({ length: inner.count }, (_, i) => i).some(delta => !inner.isChange(delta));
}

/** Hunks of C and C++, each with what it does not compile without. */
function byHunk({ passing, failing }: Pair): Circumstance<Artifact> {
  const changes = changesBetween(passing.files, failing.files);
  const isRead = changes.files.some(({ kind }, file) => kind === 'edited' && hasDeclarations(changes, file));
  if (!isRead) return { name: 'hunk', count: 0, build: () => failing };
  const { certain } = dependenciesIn(changes);
  return {
    ...changes,
    build(configuration) {
      const built = changes.build(certain.withNeeded(configuration));
      return built && { ...failing, files: built.files };
    },
  };
}

function byText(passing: Artifact, failing: Artifact, level: Cut): Circumstance<Artifact> {
  const parts = differingTexts(passing, failing)
    .filter(path => !isSettled(path, textOf(passing, path).text, textOf(failing, path).text))
    .map(path => {
      const [a, b] = [textOf(passing, path), textOf(failing, path)];
      const lists = replacing(piecesOf(cuts[level], a.text), piecesOf(cuts[level], b.text), level);
      const inner = { ...lists, build: (configuration: Configuration) => lists.build(configuration)!.join('') };
      return { path, encoding: b.encoding, inner };
    });
  return inFiles(failing, level, parts);
}

function sharedText(pair: Pair, path: string, level: Cut): Circumstance<Pair> {
  const [a, b] = [textOf(pair.passing, path), textOf(pair.failing, path)];
  const inner = shared(piecesOf(cuts[level], a.text), piecesOf(cuts[level], b.text), level);
  return {
    name: level,
    count: inner.count,
    build(configuration) {
      const { passing, failing } = inner.build(configuration)!;
      return withTexts(pair, path, { passing: passing.join(''), failing: failing.join('') });
    },
  };
}

function sharedSegments(pair: Pair, path: string): Circumstance<Pair> | undefined {
  const inner = segmentsShared(path, textOf(pair.passing, path).text, textOf(pair.failing, path).text);
  return inner && { ...inner, build: configuration => withTexts(pair, path, inner.build(configuration)) };
}

function withTexts(pair: Pair, path: string, texts: { readonly passing: string; readonly failing: string }): Pair {
  const side = (name: 'passing' | 'failing'): Artifact => {
    const { encoding } = textOf(pair[name], path);
    const files = new Map(pair[name].files);
    files.set(path, { ...fileAt(pair[name], path), bytes: Buffer.from(texts[name], encoding) });
    return { ...pair[name], files };
  };
  return { passing: side('passing'), failing: side('failing') };
}

const bothFit = (circumstance: Circumstance<Pair>, fits: Fits): Circumstance<Pair> =>
  fits === undefined
    ? circumstance
    : {
        ...circumstance,
        build(configuration) {
          const pair = circumstance.build(configuration);
          return pair && fits(pair.passing) && fits(pair.failing) ? pair : undefined;
        },
      };

const sharedFiles = ({ passing, failing }: Pair) =>
  [...failing.files.keys()].filter(path => bothText(passing, failing, path));
const textOf = (artifact: Artifact, path: string) => decode(fileAt(artifact, path).bytes);
const fileAt = (artifact: Artifact, path: string) => artifact.files.get(path) as Extract<Entry, { kind: 'file' }>;
const bothText = (passing: Artifact, failing: Artifact, path: string) =>
  passing.files.get(path)?.kind === 'file' && failing.files.get(path)?.kind === 'file';

function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a?.kind === 'file' && b?.kind === 'file')
    return Buffer.from(a.bytes).equals(b.bytes) && !a.executable === !b.executable;
  if (a?.kind === 'link' && b?.kind === 'link') return a.target === b.target;
  return a?.kind === b?.kind;
}

function put(files: Map<string, Entry>, path: string, entry: Entry | undefined): void {
  if (entry) files.set(path, entry);
  else files.delete(path);
}

const inOrder = (files: Map<string, Entry>): ReadonlyMap<string, Entry> =>
  new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));

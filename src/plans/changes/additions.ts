/**
 * What new added, taken out of it again. If neither old lines nor old functions fit into a rewritten file, or if what broke is in a function that
 * only new has, no small part of old can be put back. Then a condition, a side of one, or a statement that new added may be what matters.
 */
import { type Changes, changesBetween } from '../../circumstances/changes/changes.js';
import { joinChanges } from '../../circumstances/changes/join.js';
import type { Artifact } from '../../core/artifact.js';
import { type Configuration, deltasOf, empty, has, isEmpty, minus, of, type Test } from '../../core/index.js';
import { indexLines } from '../../core/line-index.js';
import { addTo } from '../../core/lists.js';
import type { Ended, Event } from '../../engine/index.js';
import { type Addition, additionsIn } from '../../syntax/additions.js';
import { languageOf } from '../../syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../syntax/syntax.js';
import { withoutNewErrors } from '../../syntax/well-formed.js';
import type { Asker, BlameOptions } from './asker.js';
import { fewestReplacements } from './function-search.js';
import type { Hierarchy } from './hierarchy.js';
import { levelOf } from './levels.js';
import { levelOfReplacements, type Replacement, textOf } from './old-functions.js';
import { type Pair, pairOf } from './pair.js';
import { asChanges, type Judged } from './rewritten.js';

/** The likeliest ones are tried one by one, up to this many. */
const mostSingles = 48;
/** The search for several of them may ask this many questions that bring nothing. */
const mostIdle = 16;

/** If coverage does not tell them apart: a condition is to blame more often than a statement. */
const likelier: Readonly<Record<Addition['kind'], number>> = { condition: 1, operand: 0.6, statement: 0.4 };

/** For people. */
export const addedCode = (count: number): string =>
  `Conditions and statements that only new has are now taken out of it, one by one (${count}).`;

/** A range of lines of new, counted from 1. */
export type Lines = readonly [from: number, to: number];

/** Code that new added. */
interface Added extends Addition, Replacement {
  /** Its own lines. */
  readonly own: Lines;
  /** The lines that must run, so that it changes anything. */
  readonly lines: Lines;
}

/**
 * What new added to these files, the likeliest first, as far as the test runs it. `paths`: new path and old path. `likelihood`: what is known of lines
 * besides coverage; 0 if they do not matter.
 */
export async function additionsTo(
  pair: Pair,
  paths: ReadonlyMap<string, string | undefined>,
  { changes, judge }: Judged,
  likelihood: (path: string, lines: Lines) => number = () => 1,
): Promise<readonly Added[]> {
  const found: Omit<Added, 'likely'>[] = [];
  for (const [path, oldPath] of paths)
    for (const each of await additionsOf(pair, path, oldPath)) if (likelihood(path, each.own) > 0) found.push(each);
  if (found.length === 0) return [];
  const { suspects, weights } = await judge(asChanges(found, 'addition', changes));
  const ranked = [...deltasOf(suspects)].map(at => {
    const { path, own, newness, kind } = found[at]!;
    return { ...found[at]!, likely: (weights?.[at] ?? 1) * likelihood(path, own) + newness * likelier[kind] };
  });
  const likeliest = ranked.sort((a, b) => b.likely - a.likely).slice(0, 2 * mostSingles);
  const sound = new Set<Added>();
  for (const path of paths.keys())
    for (const each of await soundIn(
      pair,
      likeliest.filter(addition => addition.path === path),
    ))
      sound.add(each);
  return likeliest.filter(each => sound.has(each)).slice(0, mostSingles);
}

/** Those of one file. */
async function additionsOf(pair: Pair, path: string, oldPath: string | undefined) {
  const now = textOf(pair.new.files.get(path));
  const old = oldPath === undefined ? undefined : textOf(pair.old.files.get(oldPath));
  const language = languageOf(path);
  if (now === undefined || !language || language.markup || (old === undefined && oldPath !== undefined)) return [];
  const syntax = await syntaxOf(language);
  const tree = hostTree(now, syntax);
  if (!tree || !syntax.grammar) return [];
  const { lineAt } = indexLines(now);
  const linesOf = (start: number, end: number): Lines => [lineAt(start) + 1, lineAt(Math.max(start, end - 1)) + 1];
  const all = await additionsIn(old === undefined ? undefined : hostTree(old, syntax), tree);
  return all.map(each => ({ ...each, path, lines: linesOf(...each.gone), own: linesOf(each.start, each.end) }));
}

/** Those that leave their file without a new syntax error. */
async function soundIn(pair: Pair, additions: readonly Added[]): Promise<readonly Added[]> {
  const [first] = additions;
  const text = first && textOf(pair.new.files.get(first.path));
  const language = first && languageOf(first.path);
  const grammar = language && (await syntaxOf(language)).grammar;
  if (text === undefined || !grammar) return [];
  const edits = additions.map(addition => ({ addition, spans: [addition] }));
  const sound = new Set<unknown>(await withoutNewErrors(grammar, text, edits));
  return edits.filter(edit => sound.has(edit)).map(({ addition }) => addition);
}

/** New without the fewest additions with which it fails, and new: each addition is one change. */
export async function* withoutAdditions(
  { new: now, titles }: Pair,
  additions: readonly Added[],
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Pair | Exclude<Ended, 'done'> | undefined> {
  const level = levelOfReplacements(now, 'addition', additions);
  const found = yield* fewestReplacements(level, test, options, asker => fewestAdditions(asker, additions));
  if (typeof found !== 'object') return found;
  const { artifact, fewest } = found;
  const hierarchy = hierarchyOf(
    artifact,
    now,
    additions.filter((_, at) => has(fewest, at)),
  );
  return { ...pairOf(artifact, now, titles), hierarchy: async () => hierarchy };
}

/** A condition is taken out in two places: before and behind what stays. Its parts are not asked about, so that what is shown can be read. */
function hierarchyOf(before: Artifact, now: Artifact, additions: readonly Added[]): Hierarchy<Changes> {
  const hunks = changesBetween(before.files, now.files, { granularity: 'hunk' });
  const groups = new Map<number, number[]>();
  for (const [at, { parts }] of hunks.changes.entries()) {
    const [{ newPath, newStart, newCount } = { newPath: '', newStart: 0, newCount: 0 }] = parts;
    const from = additions.findIndex(
      ({ path, own: [first, last] }) => path === newPath && newStart < last && newStart + newCount >= first - 1,
    );
    addTo(groups, from < 0 ? -1 - at : from, at);
  }
  const changes = joinChanges(hunks, [...groups.values()]);
  const level = { ...levelOf(changes, 'addition', same => same), settles: () => undefined };
  return { changes, levels: [level], list: () => changes };
}

/** Each by itself; then those that do no harm together, for a failure that two of them cause. Empty if that is not enough. */
async function* fewestAdditions(asker: Asker, additions: readonly Added[]): AsyncGenerator<Event, Configuration> {
  const { everything } = asker;
  const pass = 'additions to take out';
  const each = [...additions.keys()];
  const outcomes = yield* asker.askUntilPass(
    pass,
    each.map(at => minus(everything, of([at]))),
  );
  if (outcomes.at(-1) === 'pass') return of([outcomes.length - 1]);
  const harmless = each.filter(at => outcomes[at] === 'fail');
  for (const some of withoutOverlaps(harmless, additions)) {
    const { passing } = yield* asker.down(everything, of(some), at => additions[at]!.likely, mostIdle);
    if (!isEmpty(passing)) return yield* asker.back(minus(everything, passing), empty, pass);
  }
  return empty;
}

/** A condition can become either side, but not both: the first of each place, then the second with what is elsewhere. */
function withoutOverlaps(these: readonly number[], additions: readonly Added[]): readonly (readonly number[])[] {
  const isApart = (at: number, others: readonly number[]) =>
    others.every(each => {
      const [a, b] = [additions[at]!, additions[each]!];
      return a.path !== b.path || a.end <= b.start || b.end <= a.start;
    });
  const taking = (order: readonly number[]) => {
    const taken: number[] = [];
    for (const at of order) if (isApart(at, taken)) taken.push(at);
    return taken;
  };
  const first = taking(these);
  const second = taking([...these.filter(at => !first.includes(at)), ...first]);
  return (first.length === these.length ? [first] : [first, second]).filter(some => some.length > 1);
}

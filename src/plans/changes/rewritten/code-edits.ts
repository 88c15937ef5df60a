/**
 * Edits of code that both versions explain: what new added is taken out of it, or what it lost is put back. One of them by itself is mostly enough to make
 * new pass; sometimes it takes a few together.
 */
import { type Changes, changesBetween } from '../../../circumstances/changes/changes.js';
import { joinChanges } from '../../../circumstances/changes/join.js';
import type { Artifact } from '../../../core/artifact.js';
import { hunksBetween } from '../../../core/diff.js';
import { has, type Test } from '../../../core/index.js';
import { indexLines } from '../../../core/line-index.js';
import { addAll, addTo } from '../../../core/lists.js';
import { type Ended, type Event, pauseIfDue } from '../../../engine/index.js';
import { languageOf } from '../../../syntax/languages/index.js';
import { syntaxOf } from '../../../syntax/syntax.js';
import { withoutNewErrorsNearby } from '../../../syntax/well-formed.js';
import type { BlameOptions } from '../levels/asker.js';
import type { Hierarchy } from '../levels/hierarchy.js';
import { levelOf } from '../levels/levels.js';
import { type Pair, pairOf } from '../pair.js';
import { fewestEdits } from './fewest-edits.js';
import { fewestReplacements, type LineInOld } from './function-search.js';
import { levelOfReplacements, linesIn as linesInOld, type Replacement, textOf } from './old-functions.js';
import type { LinesOfOld } from './rewritten.js';
import { sayingTheSame } from './same-words.js';

/** The likeliest ones are tried one by one, up to this many. */
export const mostSingles = 48;
/** A range of lines of new, counted from 1. */
export type Lines = readonly [from: number, to: number];

/** The lines of a range of a text. */
export function lineRanges(text: string): (start: number, end: number) => Lines {
  const { lineAt } = indexLines(text);
  return (start, end) => [lineAt(start) + 1, lineAt(Math.max(start, end - 1)) + 1];
}

/** Where an edit is. */
export interface Place {
  readonly path: string;
  /** Its own lines. If it only puts something in: the lines before and behind that. */
  readonly own: Lines;
  /** If it comes from old: where it is there. */
  readonly old?: LinesOfOld;
}

/** Which edits are wanted: by default as many as are tried one by one, wherever they are. */
export interface EditsWanted {
  /** What is known of a place besides coverage; 0 if it does not matter. */
  readonly likelihood?: (place: Place) => number;
  readonly most?: number;
}

/** An edit of one file of new. */
export interface CodeEdit extends Replacement, Place {
  /** It is tried by itself only: there are many of its kind, and some of them together are another program. */
  readonly isAlone?: boolean;
  /** It takes out nothing by itself, and brings back nothing of old: it comes after everything that does. */
  readonly isForced?: boolean;
}

/** How edits are called: in the singular, and what is done with them. */
export interface EditWords {
  readonly one: 'addition' | 'restoration' | 'edit';
  readonly pass: string;
  /** Only one of them by itself is asked for. */
  readonly isSingle?: boolean;
}

/** How much less likely one of many is that are of its kind. */
const ofMany = 0.5;

export const rankOf = ({ likely, isAlone }: CodeEdit): number => likely * (isAlone ? ofMany : 1);

/** How much less an edit says that only takes something out: what brings back something of old is how old was. */
export const saysOfOld = ({ old }: CodeEdit): number => (old ? 1 : 0.5);

/** An edit of more lines than this is less likely the more it has, and narrowed like other changes: what matters may be one line of it. */
const large = 12;

/** What describes a package changes with each release: versions, scripts, tools. Little of it is read when it runs. */
const describing = /(?:^|\/)package\.json$/;
const seldom = 0.1;

/** The lines that an edit takes out and puts in. */
function sizeOf(text: string, { start, end, text: put }: CodeEdit): number {
  const hunks = hunksBetween(text.slice(start, end).split('\n'), put.split('\n'));
  return hunks.reduce((sum, { oldCount, newCount }) => sum + oldCount + newCount, 0);
}

/** The likeliest of those that leave their file without a new syntax error, up to so many. */
export async function likeliest<Edit extends CodeEdit>(
  pair: Pair,
  edits: readonly Edit[],
  most: number,
): Promise<readonly Edit[]> {
  const texts = new Map(
    [...new Set(edits.map(({ path }) => path))].map(path => [path, textOf(pair.new.files.get(path))]),
  );
  const sized: Edit[] = [];
  for (const edit of edits) {
    await pauseIfDue();
    const size = sizeOf(texts.get(edit.path) ?? '', edit);
    const known = edit.likely * (describing.test(edit.path) ? seldom : 1);
    sized.push({ ...edit, likely: known * Math.min(1, large / Math.max(1, size)) });
  }
  const ranked = sized.sort(
    (a, b) => Number(a.isForced ?? false) - Number(b.isForced ?? false) || rankOf(b) - rankOf(a),
  );
  const sound: Edit[] = [];
  for (let from = 0; from < ranked.length && sound.length < most; from += mostSingles) {
    const some = ranked.slice(from, from + mostSingles);
    const good = new Set<CodeEdit>();
    for (const path of new Set(some.map(edit => edit.path)))
      for (const each of await soundIn(
        pair,
        some.filter(edit => edit.path === path),
      ))
        good.add(each);
    addAll(
      sound,
      some.filter(each => good.has(each)),
    );
  }
  return sound.slice(0, most);
}

/** Those of one file. */
async function soundIn(pair: Pair, edits: readonly CodeEdit[]): Promise<readonly CodeEdit[]> {
  const [first] = edits;
  const text = first && textOf(pair.new.files.get(first.path));
  const language = first && languageOf(first.path);
  const grammar = language && (await syntaxOf(language)).grammar;
  if (text === undefined || !grammar) return [];
  return withoutNewErrorsNearby(grammar, text, edits);
}

/** New with the fewest of these edits with which it passes, and new: each edit is one change. */
export async function* withFewestEdits(
  { old, new: now, titles }: Pair,
  { edits, words }: { readonly edits: readonly CodeEdit[]; readonly words: EditWords },
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, NewWithEdits | Exclude<Ended, 'done'> | undefined> {
  const level = levelOfReplacements(now, words.one, edits);
  const silent = passingAs(old, test);
  const alike = sayingTheSame(now, edits);
  const found = yield* fewestReplacements(level, silent, options, asker => fewestEdits(asker, { edits, alike }, words));
  if (typeof found !== 'object') return found;
  const { artifact, fewest } = found;
  const made = edits.filter((_, at) => has(fewest, at));
  const hierarchy = hierarchyOf(artifact, now, made, words.one);
  const between = pairOf(artifact, now, titles);
  const pair = linesIn(hierarchy) > large ? between : { ...between, hierarchy: async () => hierarchy };
  return { pair, lineInOld: linesInOld(made.flatMap(asInOld).sort((a, b) => a.start - b.start)) };
}

/**
 * What is in neither version may pass for the wrong reason: a condition is taken out, and the program prints its help and ends with 0 before the test has looked at
 * anything, or ends without a word before it says what passed. So new with an edit must print something if old does, and nothing if old passes without a word.
 */
export function passingAs(old: Artifact, test: Test<Artifact>): Test<Artifact> {
  let oldVerdict: ReturnType<Test<Artifact>> | undefined;
  return async (artifact, signal) => {
    const verdict = await test(artifact, signal);
    if (verdict.outcome !== 'pass') return verdict;
    const asked = (oldVerdict ??= test(old, signal));
    // A question that was withdrawn is no answer for the next one.
    asked.catch(() => void (oldVerdict = undefined));
    const { outcome, prints } = await asked;
    if (outcome !== 'pass' || prints === verdict.prints) return verdict;
    const reason = prints
      ? 'it passes, but prints nothing, and the old version prints something'
      : 'it passes, but prints something, which the old version does not';
    return { ...verdict, outcome: 'unresolved', reason };
  };
}

/** New as it passes with some edits, and new; and where the lines that it has from old are there. */
export interface NewWithEdits {
  readonly pair: Pair;
  readonly lineInOld: LineInOld;
}

/** Nothing if its lines are not those of one place in old: it comes with its declarations, say. */
function asInOld(edit: CodeEdit) {
  const before = /^[\s,]*/.exec(edit.text)![0].split('\n').length - 1;
  const lines = edit.text.trim().split('\n').length;
  if (!edit.old || lines !== edit.old.lines[1] - edit.old.lines[0] + 1) return [];
  const last = edit.start === edit.end ? edit.own[0] : edit.own[1];
  return [{ ...edit, lines: { new: [edit.own[0], last] as const, old: edit.old.lines[0] - before } }];
}

const linesIn = ({ changes: { changes } }: Hierarchy<Changes>): number =>
  changes.flatMap(({ parts }) => parts).reduce((sum, { oldCount, newCount }) => sum + oldCount + newCount, 0);

/** An edit may be in two places: before and behind what stays. Its parts are not asked about, so that what is shown can be read. */
function hierarchyOf(before: Artifact, now: Artifact, edits: readonly CodeEdit[], one: string): Hierarchy<Changes> {
  const hunks = changesBetween(before.files, now.files, { granularity: 'hunk' });
  const groups = new Map<number, number[]>();
  for (const [at, { parts }] of hunks.changes.entries()) {
    const [{ newPath, newStart, newCount } = { newPath: '', newStart: 0, newCount: 0 }] = parts;
    const from = edits.findIndex(
      ({ path, own: [first, last] }) => path === newPath && newStart < last && newStart + newCount >= first - 1,
    );
    addTo(groups, from < 0 ? -1 - at : from, at);
  }
  const changes = joinChanges(hunks, [...groups.values()]);
  const level = { ...levelOf(changes, one, same => same), settles: () => undefined };
  return { changes, levels: [level], list: () => changes };
}

/** Cuts a replaced line by its tokens: which columns differ, which of them only make sense together, and which are in the same bracket. */
import { type Hunk, hunksBetween } from '../../core/diff.js';
import { addTo } from '../../core/lists.js';
import type { Lines } from './lines.js';

/** From a column up to another one, counted from 0. */
export type Span = readonly [from: number, to: number];

/** These columns of the old line are replaced by those of the new one. */
export interface Columns {
  readonly old: Span;
  readonly new: Span;
}

export interface CutLine {
  /** In order, and never touching each other. */
  readonly edits: readonly Columns[];
  /** For each edit the first of those that are applied together: one closes what another one opens, or they rename what is in one statement. */
  readonly firstOf: readonly number[];
  /** For each edit, the statement that it is in, and the ones around that, from the outside in. */
  readonly paths: readonly (readonly string[])[];
}

/** Whether the sign in a column is a bracket, and not a part of a string or a pattern. */
export type IsBracket = (column: number) => boolean;

/** A line with more columns than this can't be read at a glance. */
const longest = 300;

export const isLongLine = (line: string): boolean => line.length > longest;

/** Whether one line replaces another one, and one of the two is long. */
export const isLongPair = (
  { oldStart, oldCount, newStart, newCount }: Hunk,
  { oldLines, newLines }: { readonly oldLines: Lines; readonly newLines: Lines },
): boolean => oldCount === 1 && newCount === 1 && (isLongLine(oldLines[oldStart]!) || isLongLine(newLines[newStart]!));

/** A line with some of the edits applied. */
export function mixLine(old: string, now: string, edits: readonly Columns[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of edits) {
    pieces.push(old.slice(at, edit.old[0]), now.slice(...edit.new));
    at = edit.old[1];
  }
  return [...pieces, old.slice(at)].join('');
}

const anywhere: IsBracket = () => true;

/** `isBracket`: as a grammar sees the two lines; without one, every bracket counts. */
export function cutLine(
  old: string,
  now: string,
  isBracket: { readonly old?: IsBracket | undefined; readonly new?: IsBracket | undefined } = {},
): CutLine {
  const before = sideOf(old, isBracket.old ?? anywhere);
  const after = sideOf(now, isBracket.new ?? anywhere);
  const hunks = joinOverSigns(hunksBetween(before.tokens, after.tokens), before.tokens);
  const edits = hunks.map(({ oldStart, oldCount, newStart, newCount }) => ({
    old: [before.columns[oldStart]!, before.columns[oldStart + oldCount]!] as const,
    new: [after.columns[newStart]!, after.columns[newStart + newCount]!] as const,
  }));
  const paths = pathsAt(
    after,
    hunks.map(({ newStart }) => newStart),
  );
  const { join, firstOf } = joining();
  joinByBrackets(hunks, before, after, join);
  const replaced = hunks.map(({ oldStart, oldCount, newStart, newCount }) => ({
    old: before.tokens.slice(oldStart, oldStart + oldCount),
    now: after.tokens.slice(newStart, newStart + newCount),
  }));
  joinRenames(replaced, paths, join);
  return { edits, firstOf: [...hunks.keys()].map(firstOf), paths };
}

type Join = (a: number, b: number) => void;

/** The tokens of an edit. */
interface Replaced {
  readonly old: readonly string[];
  readonly now: readonly string[];
}

/** Sets of numbers that are joined pair by pair; each is named by its smallest. */
function joining() {
  const smaller = new Map<number, number>();
  const firstOf = (node: number): number => {
    let found = node;
    while (smaller.has(found)) found = smaller.get(found)!;
    return found;
  };
  const join: Join = (a, b) => {
    const [x, y] = [firstOf(a), firstOf(b)];
    if (x !== y) smaller.set(Math.max(x, y), Math.min(x, y));
  };
  return { join, firstOf };
}

interface SideOfLine {
  readonly tokens: readonly string[];
  /** Where each token starts, and the end of the line. */
  readonly columns: readonly number[];
  /** The token that each bracket is closed or opened by, both ways. */
  readonly partner: ReadonlyMap<number, number>;
}

/** Words, blanks and single signs. Lines are bytes: those of one letter beyond ASCII are never separated. */
const token = /[\w$\x80-\xff]+|[ \t]+|[\s\S]/g;
const closes: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

function sideOf(line: string, isBracket: IsBracket): SideOfLine {
  const tokens = line.match(token) ?? [];
  const columns = [0];
  for (const each of tokens) columns.push(columns.at(-1)! + each.length);
  const partner = new Map<number, number>();
  const open: number[] = [];
  for (const [i, each] of tokens.entries()) {
    if (!'()[]{}'.includes(each) || !isBracket(columns[i]!)) continue;
    const opener = closes[each];
    if (opener === undefined) {
      open.push(i);
      continue;
    }
    const at = open.findLastIndex(other => tokens[other] === opener);
    if (at < 0) continue;
    partner.set(open[at]!, i).set(i, open[at]!);
    // What is still open inside was never closed.
    open.length = at;
  }
  return { tokens, columns, partner };
}

/** A sign that two expressions have in common by chance does not separate them: `a.b` replaced by `c.d` is one edit. */
function joinOverSigns(hunks: readonly Hunk[], old: readonly string[]): readonly Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const before = joined.at(-1);
    const gap = before && old.slice(before.oldStart + before.oldCount, hunk.oldStart).join('');
    if (!before || gap === undefined || /[\w$\x80-\xff()[\]{};,]/.test(gap)) joined.push(hunk);
    else
      joined[joined.length - 1] = {
        ...before,
        oldCount: hunk.oldStart + hunk.oldCount - before.oldStart,
        newCount: hunk.newStart + hunk.newCount - before.newStart,
      };
  }
  return joined;
}

/**
 * Edits whose brackets belong to each other. A bracket that both lines have may be closed by another one in each of them: then the edits that add
 * and remove those belong together too.
 */
function joinByBrackets(hunks: readonly Hunk[], old: SideOfLine, now: SideOfLine, join: Join): void {
  for (const [{ partner, tokens }, side] of [[old, 'old'] as const, [now, 'new'] as const]) {
    const nodeOf = nodesOf(hunks, side, tokens.length);
    for (const [a, b] of partner) join(nodeOf[a]!, nodeOf[b]!);
  }
}

/** A statement with more than this share of the edits is around most of the line: names in it have little to do with each other. */
const mostOfLine = 1 / 8;

/**
 * A minifier names variables anew as soon as one comes or goes. A name that is replaced by the same other one at several places of a statement was
 * renamed, and such names are exchanged for each other so often that all of them have to be renamed at once.
 */
function joinRenames(replaced: readonly Replaced[], paths: readonly (readonly string[])[], join: Join): void {
  const statements = new Map<string, { readonly edit: number; readonly renames: readonly string[] }[]>();
  for (const [edit, around] of statementsAround(paths).entries()) {
    const { old, now } = replaced[edit]!;
    const renames = renamesIn(old, now);
    if (renames) addTo(statements, around, { edit, renames });
  }
  for (const edits of statements.values()) {
    const counts = new Map<string, number>();
    for (const rename of edits.flatMap(({ renames }) => renames)) counts.set(rename, (counts.get(rename) ?? 0) + 1);
    const [first, ...others] = edits.filter(({ renames }) => renames.every(rename => counts.get(rename)! > 1));
    for (const { edit } of others) join(first!.edit, edit);
  }
}

/** For each edit the outermost statement around it that is not most of the line. */
function statementsAround(paths: readonly (readonly string[])[]): readonly string[] {
  const names = paths.map(path => path.map((_, depth) => path.slice(0, depth + 1).join('/')));
  const counts = new Map<string, number>();
  for (const name of names.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map(around => around.find(name => counts.get(name)! <= paths.length * mostOfLine) ?? around.at(-1)!);
}

/** The names that an edit replaces by others; undefined if it does anything else. */
function renamesIn(old: readonly string[], now: readonly string[]): readonly string[] | undefined {
  if (old.length !== now.length) return undefined;
  const pairs = old.flatMap((token, i) => (token === now[i] ? [] : [[token, now[i]!] as const]));
  return pairs.every(pair => pair.every(token => /^[A-Za-z_$]/.test(token)))
    ? pairs.map(pair => pair.join(' '))
    : undefined;
}

/** For each token of a side the number of its edit; what both sides have is numbered after the edits, alike on both. */
function nodesOf(hunks: readonly Hunk[], side: 'old' | 'new', count: number): Int32Array {
  const nodes = new Int32Array(count);
  let [at, shared] = [0, hunks.length];
  for (const [edit, hunk] of hunks.entries()) {
    const [start, length] = side === 'old' ? [hunk.oldStart, hunk.oldCount] : [hunk.newStart, hunk.newCount];
    while (at < start) nodes[at++] = shared++;
    nodes.fill(edit, at, at + length);
    at += length;
  }
  while (at < count) nodes[at++] = shared++;
  return nodes;
}

/** The statements around some tokens: a statement ends with `;`, `,` or a block. */
function pathsAt({ tokens, partner }: SideOfLine, starts: readonly number[]): readonly (readonly string[])[] {
  const paths: string[][] = [];
  const around: { readonly id: number; statement: number }[] = [{ id: -1, statement: 0 }];
  let next = 0;
  for (let i = 0; i <= tokens.length; i++) {
    for (; starts[next] === i; next++) paths.push(around.map(({ id, statement }) => `${id}.${statement}`));
    const other = partner.get(i);
    if (other !== undefined && other > i) around.push({ id: i, statement: 0 });
    else if (other !== undefined) {
      around.pop();
      if (tokens[i] === '}') around.at(-1)!.statement++;
    } else if (tokens[i] === ';' || tokens[i] === ',') around.at(-1)!.statement++;
  }
  return paths;
}

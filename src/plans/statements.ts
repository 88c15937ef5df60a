/**
 * Joins changed lines into statements, so that what is shown can be read: the lines of one statement are one change, a body is not applied
 * without its header, and a header not without anything in it.
 */
import type { Arrow } from '../circumstances/changes/arrows.js';
import type { Changes } from '../circumstances/changes/changes.js';
import { realHunks } from '../circumstances/changes/formatting.js';
import { inertLines } from '../circumstances/changes/inert.js';
import { joinChanges } from '../circumstances/changes/join.js';
import { linesOf } from '../circumstances/changes/lines.js';
import type { Side } from '../circumstances/changes/places.js';
import type { Artifact, Entry } from '../core/artifact.js';
import { decode } from '../core/decode.js';
import { type Configuration, has, minus, of, union } from '../core/index.js';
import { addAll, greatestOf, leastOf } from '../core/lists.js';
import { languageOf } from '../syntax/languages/index.js';
import { type Statements, statementsIn } from '../syntax/statements.js';
import { hostTree, syntaxOf, treeReader } from '../syntax/syntax.js';
import { emptyBlocksIn, leavesBlockEmpty } from './empty-blocks.js';

export interface ByStatement {
  readonly changes: Changes;
  /** The statements of each hunk. */
  readonly byHunk: readonly (readonly number[])[];
  /** What is not applied without what. */
  readonly needs: readonly Arrow[];
}

/** The lines of one file that a side of the changes has. */
interface SideOfFile {
  readonly statements: Statements;
  /** Those with others in them. */
  readonly around: ReadonlySet<number>;
  readonly inert: readonly boolean[];
}

type Sides = Readonly<Record<Side, SideOfFile | undefined>>;

/** A statement of one version, and the change that has its header and end, or all of it. */
interface Placed {
  readonly side: Side;
  readonly file: number;
  readonly statement: number;
  readonly change: number;
}

/** `byHunk`: the lines of each hunk. Only what is in the same hunk is joined, so hunks can still be applied or left out as a whole. */
export async function joinStatements(lines: Changes, byHunk: readonly (readonly number[])[]): Promise<ByStatement> {
  const sides = await sidesOf(lines, byHunk);
  const groups = byHunk.flatMap(hunk => joinedIn(lines, hunk, sides)).sort(([a], [b]) => a! - b!);
  const changes = joinChanges(lines, groups);
  const changeOf = new Map(groups.flatMap((group, i) => group.map(delta => [delta, i] as const)));
  const hunks = byHunk.map(hunk => [...new Set(hunk.map(delta => changeOf.get(delta)!))]);
  const needs: Arrow[] = [];
  const contents: (readonly [header: number, inside: readonly number[]])[] = [];
  for (const hunk of hunks) {
    if (hunk.length < 2) continue;
    const found = nested(changes, hunk, sides);
    addAll(needs, found.needs);
    addAll(contents, found.contents);
  }
  const isWhole = (configuration: Configuration): boolean =>
    needs.every(([from, to]) => !has(configuration, from) || has(configuration, to)) &&
    contents.every(([header, inside]) => !has(configuration, header) || inside.some(each => has(configuration, each)));
  const shells = shellsIn(changes, sides);
  const build: Changes['build'] = configuration => {
    const artifact = isWhole(configuration) ? changes.build(configuration) : undefined;
    return artifact && shells.has(artifact, () => byWholeHunks(configuration, hunks)) ? undefined : artifact;
  };
  return { changes: { ...changes, build }, byHunk: hunks, needs };
}

/** The same without the hunks of which only a part is applied, and with all of them. */
function byWholeHunks(configuration: Configuration, hunks: readonly (readonly number[])[]): readonly Configuration[] {
  const parts = of(hunks.filter(hunk => hunk.some(delta => has(configuration, delta))).flat());
  const missing = of(hunks.filter(hunk => !hunk.every(delta => has(configuration, delta))).flat());
  return [minus(configuration, missing), union(configuration, parts)];
}

/** Finds blocks that a candidate leaves empty, in the files that are split. What whole hunks leave empty is no reason to refuse it. */
function shellsIn(changes: Changes, sides: ReadonlyMap<number, Sides>) {
  const read = [...sides].flatMap(([file, { old, new: now }]) => {
    const { oldPath, newPath, oldLines, newLines } = changes.files[file]!;
    const paths = [...new Set([oldPath, newPath].filter(path => path !== undefined))];
    return old || now ? [{ paths, ends: [emptyBlocksIn(oldLines), emptyBlocksIn(newLines)] }] : [];
  });
  const linesIn = (artifact: Artifact | undefined, paths: readonly string[]): readonly string[] =>
    paths.flatMap(path => {
      const entry = artifact?.files.get(path);
      return entry?.kind === 'file' ? linesOf(entry.bytes) : [];
    });
  return {
    has: (candidate: Artifact, whole: () => readonly Configuration[]): boolean =>
      read.some(({ paths, ends }) => {
        const lines = linesIn(candidate, paths);
        if (!leavesBlockEmpty(lines, ends)) return false;
        const others = whole().map(each => emptyBlocksIn(linesIn(changes.build(each), paths)));
        return leavesBlockEmpty(lines, [...ends, ...others]);
      }),
  };
}

/** Both versions of the files that have changed lines in a hunk of several. */
async function sidesOf({ changes, files }: Changes, byHunk: readonly (readonly number[])[]) {
  const read = new Map<number, Sides>();
  const touched = byHunk.filter(hunk => hunk.length > 1).flatMap(([first]) => changes[first!]!.parts[0]?.file ?? []);
  for (const file of new Set(touched)) {
    const { oldPath, newPath, old, new: now, oldLines, newLines } = files[file]!;
    read.set(file, {
      old: oldPath === undefined ? undefined : await sideOf(oldPath, old, oldLines),
      new: newPath === undefined ? undefined : await sideOf(newPath, now, newLines),
    });
  }
  return read;
}

async function sideOf(path: string, entry: Entry | undefined, lines: readonly string[]) {
  const language = languageOf(path);
  if (!language || entry?.kind !== 'file') return undefined;
  const { text } = decode(entry.bytes);
  const syntax = await syntaxOf(language);
  // A script in a page has statements, too.
  const read = language.markup ? await treeReader(syntax, text) : (one: string) => hostTree(one, syntax);
  const tree = read(text);
  const statements = tree && statementsIn(tree);
  // Another encoding may have other lines.
  const isSame = statements && Math.abs(statements.ownerOf.length - lines.length) <= 1;
  if (!isSame) return undefined;
  const around = new Set(statements.statements.map(({ parent }) => parent));
  return { statements, around, inert: inertLines(path, lines) };
}

/** Which statement each changed line of a change belongs to; comments and blank lines belong to none. */
function* ownersIn({ changes }: Changes, delta: number, sides: ReadonlyMap<number, Sides>): Generator<Placed> {
  for (const { file, oldStart, oldCount, newStart, newCount } of changes[delta]!.parts)
    for (const side of ['old', 'new'] as const) {
      const [start, count] = side === 'old' ? [oldStart, oldCount] : [newStart, newCount];
      const read = sides.get(file)?.[side];
      if (!read) continue;
      for (let line = start; line < start + count; line++) {
        const statement = read.inert[line] ? -1 : (read.statements.ownerOf[line] ?? -1);
        if (statement >= 0) yield { side, file, statement, change: delta };
      }
    }
}

const keyOf = ({ side, file, statement }: Omit<Placed, 'change'>): string => `${side} ${file} ${statement}`;

/** Groups of the lines of a hunk that belong to the same statement, in either version. */
function joinedIn(lines: Changes, hunk: readonly number[], sides: ReadonlyMap<number, Sides>): number[][] {
  const groupOf = new Map(hunk.map(delta => [delta, [delta]]));
  const holder = new Map<string, number>();
  for (const delta of hunk)
    for (const owner of ownersIn(lines, delta, sides)) {
      const name = keyOf(counterpartOf(lines, owner, sides) ?? owner);
      const other = holder.get(name);
      if (other === undefined) holder.set(name, delta);
      else if (groupOf.get(other) !== groupOf.get(delta)) {
        const both = [...groupOf.get(other)!, ...groupOf.get(delta)!].sort((a, b) => a - b);
        for (const each of both) groupOf.set(each, both);
      }
    }
  return [...new Set(groupOf.values())];
}

/** The new statement that ends on the same unchanged line as an old one: the header of one replaces that of the other. */
function counterpartOf(
  { files }: Changes,
  { side, file, statement }: Placed,
  sides: ReadonlyMap<number, Sides>,
): Omit<Placed, 'change'> | undefined {
  const { old, new: now } = sides.get(file)!;
  if (side !== 'old' || !old || !now) return undefined;
  const { to } = old.statements.statements[statement]!;
  const before = realHunks(files[file]!).findLast(({ oldStart }) => oldStart <= to);
  if (before && to < before.oldStart + before.oldCount) return undefined;
  const end = before ? to - before.oldStart - before.oldCount + before.newStart + before.newCount : to;
  const other = now.statements.ownerOf[end] ?? -1;
  return other >= 0 && now.statements.statements[other]!.to === end
    ? { side: 'new', file, statement: other }
    : undefined;
}

/** What is inside of what in a hunk. A new header comes with something in it, and an old one goes with everything in it. */
function nested(joined: Changes, hunk: readonly number[], sides: ReadonlyMap<number, Sides>) {
  const placed = new Map<string, Placed>();
  for (const change of hunk)
    for (const owner of ownersIn(joined, change, sides)) if (!placed.has(keyOf(owner))) placed.set(keyOf(owner), owner);
  /** Whether a change has nothing on the other side that could be around something. */
  const isOnly = (change: number, side: Side): boolean =>
    ![...ownersIn(joined, change, sides)].some(
      other => other.side !== side && sides.get(other.file)![other.side]!.around.has(other.statement),
    );
  const needs: Arrow[] = [];
  const inside = new Map<Placed, Set<number>>();
  for (const each of placed.values()) {
    const header = headerOf(each, placed, sides);
    if (!header || header.change === each.change || !isOnly(header.change, each.side)) continue;
    if (each.side === 'old') needs.push([header.change, each.change]);
    else {
      needs.push([each.change, header.change]);
      inside.set(header, (inside.get(header) ?? new Set()).add(each.change));
    }
  }
  const contents = [...inside]
    .filter(([header]) => isWithin(joined, hunk, header, sides))
    .map(([header, changes]) => [header.change, [...changes]] as const);
  return { needs, contents };
}

/** The nearest statement around another one that a change of the hunk has. */
function headerOf(
  { side, file, statement }: Placed,
  placed: ReadonlyMap<string, Placed>,
  sides: ReadonlyMap<number, Sides>,
): Placed | undefined {
  const { statements } = sides.get(file)![side]!.statements;
  for (let around = statements[statement]!.parent; around >= 0; around = statements[around]!.parent) {
    const found = placed.get(keyOf({ side, file, statement: around }));
    if (found) return found;
  }
  return undefined;
}

/** Whether all lines of a new statement are from this hunk: then nothing else can be in it. */
function isWithin(
  { changes }: Changes,
  hunk: readonly number[],
  { file, statement }: Placed,
  sides: ReadonlyMap<number, Sides>,
): boolean {
  const { from, to } = sides.get(file)!.new!.statements.statements[statement]!;
  const parts = hunk.flatMap(change => changes[change]!.parts);
  const [start, end] = [
    leastOf(parts.map(({ newStart }) => newStart)),
    greatestOf(parts.map(({ newStart, newCount }) => newStart + newCount)),
  ];
  return start <= from && to < end;
}

/** Which changes can't be applied without which others, by the names that they define and use. */
import { type Configuration, deltasOf, has, of } from '../../../core/index.js';
import { addAll, addTo } from '../../../core/lists.js';
import { pauseIfDue } from '../../../core/pause.js';
import { type Arrow, tied } from '../arrows.js';
import { bracketPairs, neighbourPairs } from '../brackets.js';
import type { Changes } from '../changes.js';
import type { Lines } from '../lines.js';
import type { Complaints } from './complaints.js';
import { declaredNeeds } from './declared-needs.js';
import { tiedInFiles, tiedInFunctions } from './error-places.js';
import { importNeeds } from './import-needs.js';
import { hasDeclarations } from './languages.js';
import { allNames, type Names, namesIn } from './names.js';
import { aboutFile } from './recipes.js';

interface Closures {
  withNeeded(these: Configuration): Configuration;
  withNeeding(these: Configuration): Configuration;
}

/** One edge covers two cases: `a` needs `b` if `a` can't be applied unless `b` is. */
export interface Dependencies extends Closures {
  /** Without guesses: what a compiler checks, and what messages have shown. */
  readonly certain: Closures;
  /** The same with what error messages revealed; undefined if that is nothing new. `linesOf`: a file of the candidate that they are about. */
  learning(complaints: Complaints, linesOf?: (path: string) => Lines | undefined): Dependencies | undefined;
}

interface Sides {
  readonly file: number;
  readonly removed: Names;
  readonly added: Names;
}

/** A name that more changes than this use does not show what belongs together. */
const mostUses = 60;

/**
 * A name that old does not have at all is used only by new lines, and their changes need the change that defines it. The
 * reverse holds for a name that new no longer has: the change that removes its definition needs the changes that remove its
 * uses. `known`: what is certain already.
 */
export async function dependenciesIn(
  given: Changes,
  signal?: AbortSignal,
  known: readonly Arrow[] = [],
): Promise<Dependencies> {
  const changes = withoutFormatting(given);
  const sides: Sides[] = [];
  for (const { parts } of changes.changes) {
    await pauseIfDue(signal);
    const lines = (side: 'old' | 'new') =>
      parts.flatMap(part => {
        const { oldLines, newLines } = changes.files[part.file]!;
        return side === 'old'
          ? oldLines.slice(part.oldStart, part.oldStart + part.oldCount)
          : newLines.slice(part.newStart, part.newStart + part.newCount);
      });
    sides.push({ file: parts[0]?.file ?? -1, removed: namesIn(lines('old')), added: namesIn(lines('new')) });
  }
  const mentions = mentionsIn(sides);
  const kept = await namesKept(changes);
  const guessed: Arrow[] = [...neighbourPairs(changes)];
  for (const [side, other] of [
    ['added', kept.old],
    ['removed', kept.new],
  ] as const)
    for (const name of mentions[side].defined.keys()) {
      await pauseIfDue(signal);
      if (!other.has(name)) addAll(guessed, arrowsOf(mentions, name, side));
    }
  // Declarations say it better than a guess.
  const isDeclared = (delta: number) =>
    changes.changes[delta]!.parts.some(({ file }) => hasDeclarations(changes, file));
  const isGuess = ([from, to]: Arrow) => !isDeclared(from) || !isDeclared(to);
  const brackets = bracketPairs(changes);
  const arrows = {
    certain: [
      ...known,
      ...importNeeds(changes),
      ...(await declaredNeeds(changes, signal)),
      ...brackets.filter(arrow => !isGuess(arrow)),
    ],
    guessed: [...brackets, ...guessed].filter(isGuess),
  };
  return graphOf({ changes, mentions }, arrows);
}

/** Formatting touches every name of a file, and needs none of them. */
const withoutFormatting = (changes: Changes): Changes => ({
  ...changes,
  changes: changes.changes.map(change => (change.kind === 'formatting' ? { ...change, parts: [] } : change)),
});

/** What messages are compared with. */
interface Read {
  readonly changes: Changes;
  readonly mentions: Mentions;
}

interface Arrows {
  readonly certain: readonly Arrow[];
  readonly guessed: readonly Arrow[];
}

function graphOf(read: Read, { certain, guessed }: Arrows): Dependencies {
  const { count } = read.changes;
  const sure = closuresOf(count, certain);
  return {
    ...(guessed.length === 0 ? sure : closuresOf(count, [...certain, ...guessed])),
    certain: sure,
    learning(complaints, linesOf = () => undefined) {
      const known = new Set(certain.map(arrow => arrow.join()));
      const isFresh = (arrow: Arrow) => !known.has(arrow.join());
      // If the names show nothing new, the place of the error does: first the function there, then the file, or what is around it.
      const ways = [
        () => [...learned(read.mentions, complaints), ...complaints.absent.flatMap(name => tiedBy(read.changes, name))],
        () => tiedInFunctions(read.changes, complaints.places, linesOf),
        () => tiedInFiles(read.changes, complaints.places, linesOf),
      ];
      let fresh: readonly Arrow[] = [];
      for (const way of ways) if (fresh.length === 0) fresh = way().filter(isFresh);
      return fresh.length === 0 ? undefined : graphOf(read, { certain: [...certain, ...fresh], guessed });
    },
  };
}

/** A change that defines a missing name is needed by those that use it; what is defined twice, or called in two ways, belongs together. */
function learned(mentions: Mentions, { missing, conflicting }: Complaints): readonly Arrow[] {
  const needs = missing.flatMap(name => [...arrowsOf(mentions, name, 'added'), ...arrowsOf(mentions, name, 'removed')]);
  const ties = conflicting.flatMap(name => {
    const { added, removed } = mentions;
    const all = [added.defined, added.used, removed.defined, removed.used].flatMap(each => each.get(name) ?? []);
    const [first, ...others] = [...new Set(all)].sort((a, b) => a - b);
    return others.length >= mostUses ? [] : tied(first!, others);
  });
  return [...needs, ...ties];
}

/** What mentions a file that was not found. */
function tiedBy(changes: Changes, file: string): readonly Arrow[] {
  const [first, ...others] = aboutFile(changes, file);
  return first === undefined || others.length >= mostUses ? [] : tied(first, others);
}

function closuresOf(count: number, arrows: readonly Arrow[]): Closures {
  const needed: Set<number>[] = Array.from({ length: count }, () => new Set());
  const needing: Set<number>[] = Array.from({ length: count }, () => new Set());
  for (const [from, to] of arrows) {
    needed[from]!.add(to);
    needing[to]!.add(from);
  }
  return { withNeeded: these => reach(these, needed), withNeeding: these => reach(these, needing) };
}

function reach(from: Configuration, next: readonly ReadonlySet<number>[]): Configuration {
  const found: number[] = [...deltasOf(from)];
  const seen = new Set(found);
  for (let i = 0; i < found.length; i++)
    for (const other of next[found[i]!]!)
      if (!seen.has(other)) {
        seen.add(other);
        found.push(other);
      }
  return found.every(delta => has(from, delta)) ? from : of(found);
}

/** The changes that define or use a name, in order. */
interface Mentions {
  readonly added: Readonly<Record<keyof Names, ReadonlyMap<string, readonly number[]>>>;
  readonly removed: Mentions['added'];
  readonly fileOf: (delta: number) => number;
}

function mentionsIn(sides: readonly Sides[]): Mentions {
  const on = (side: 'added' | 'removed') => {
    const found = { defined: new Map<string, number[]>(), used: new Map<string, number[]>() };
    for (const [delta, { [side]: names }] of sides.entries())
      for (const role of ['defined', 'used'] as const) for (const name of names[role]) addTo(found[role], name, delta);
    return found;
  };
  return { added: on('added'), removed: on('removed'), fileOf: delta => sides[delta]!.file };
}

/** Which change needs which because of one name: the nearest definition, in the same file if it has one. */
function arrowsOf(mentions: Mentions, name: string, side: 'added' | 'removed'): readonly Arrow[] {
  const definers = mentions[side].defined.get(name) ?? [];
  const users = (mentions[side].used.get(name) ?? []).filter(user => !definers.includes(user));
  if (definers.length === 0 || users.length > mostUses) return [];
  return users.flatMap(user => {
    const near = definers.filter(definer => mentions.fileOf(definer) === mentions.fileOf(user));
    // The last one before the use: a name that many functions define is local to each.
    const nearest = near.filter(definer => definer < user).at(-1) ?? near[0];
    const chosen = nearest === undefined ? (definers.length === 1 ? definers : []) : [nearest];
    return chosen.map((definer): Arrow => (side === 'added' ? [user, definer] : [definer, user]));
  });
}

interface Kept {
  readonly old: Set<string>;
  readonly new: Set<string>;
}

/** The names that each version has in the changed files. */
async function namesKept({ files }: Changes): Promise<Kept> {
  const names: Kept = { old: new Set(), new: new Set() };
  for (const { oldLines, newLines } of files) {
    await pauseIfDue();
    for (const name of allNames(oldLines)) names.old.add(name);
    await pauseIfDue();
    for (const name of allNames(newLines)) names.new.add(name);
  }
  return names;
}

/** Which changes can't be applied without which others, by the names that they define and use. */
import { type Configuration, deltasOf, has, of } from '../../core/index.js';
import { bracketPairs, neighbourPairs } from './brackets.js';
import type { Changes } from './changes.js';
import type { Complaints } from './complaints.js';
import { declaredNeeds } from './declared-needs.js';
import { enclosing, functionAround } from './functions.js';
import { hasDeclarations } from './languages.js';
import type { Lines } from './lines.js';
import { allNames, type Names, namesIn } from './names.js';

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
export function dependenciesIn(changes: Changes, known: readonly Arrow[] = []): Dependencies {
  const sides = changes.changes.map(({ parts }): Sides => {
    const lines = (side: 'old' | 'new') =>
      parts.flatMap(part => {
        const { oldLines, newLines } = changes.files[part.file]!;
        return side === 'old'
          ? oldLines.slice(part.oldStart, part.oldStart + part.oldCount)
          : newLines.slice(part.newStart, part.newStart + part.newCount);
      });
    return { file: parts[0]?.file ?? -1, removed: namesIn(lines('old')), added: namesIn(lines('new')) };
  });
  const kept = namesKept(changes);
  const guessed: Arrow[] = [...neighbourPairs(changes)];
  for (const name of namesOf(sides, 'added')) if (!kept.old.has(name)) guessed.push(...arrowsOf(sides, name, 'added'));
  for (const name of namesOf(sides, 'removed'))
    if (!kept.new.has(name)) guessed.push(...arrowsOf(sides, name, 'removed'));
  // Declarations say it better than a guess.
  const isDeclared = (delta: number) =>
    changes.changes[delta]!.parts.some(({ file }) => hasDeclarations(changes, file));
  const isGuess = ([from, to]: Arrow) => !isDeclared(from) || !isDeclared(to);
  const brackets = bracketPairs(changes);
  const arrows = {
    certain: [...known, ...declaredNeeds(changes), ...brackets.filter(arrow => !isGuess(arrow))],
    guessed: [...brackets, ...guessed].filter(isGuess),
  };
  return graphOf({ changes, sides }, arrows);
}

/** What messages are compared with. */
interface Read {
  readonly changes: Changes;
  readonly sides: readonly Sides[];
}

/** The first can't be applied without the second. */
export type Arrow = readonly [from: number, to: number];

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
      const byName = learned(read.sides, complaints).filter(isFresh);
      // If the names show nothing new, the place of the error does.
      const fresh = byName.length > 0 ? byName : mixedIn(read.changes, complaints, linesOf).filter(isFresh);
      return fresh.length === 0 ? undefined : graphOf(read, { certain: [...certain, ...fresh], guessed });
    },
  };
}

/** A change that defines a missing name is needed by those that use it; what is defined twice, or called in two ways, belongs together. */
function learned(sides: readonly Sides[], { missing, conflicting }: Complaints): readonly Arrow[] {
  const needs = missing.flatMap(name => [...arrowsOf(sides, name, 'added'), ...arrowsOf(sides, name, 'removed')]);
  const ties = conflicting.flatMap(name => {
    const [first, ...others] = [...sides.keys()].filter(i =>
      [sides[i]!.added, sides[i]!.removed].some(({ defined, used }) => defined.has(name) || used.has(name)),
    );
    return others.length >= mostUses ? [] : tied(first!, others);
  });
  return [...needs, ...ties];
}

const tied = (first: number, others: readonly number[]): readonly Arrow[] =>
  others.flatMap((other): Arrow[] => [
    [first, other],
    [other, first],
  ]);

/** An error inside a function that no name explains: the function is a mix that does not compile, so its changes belong together. */
function mixedIn(
  changes: Changes,
  { places }: Complaints,
  linesOf: (path: string) => Lines | undefined,
): readonly Arrow[] {
  return places.flatMap(({ path, line, around }) => {
    const isHere = (other: string | undefined) => other === path || other?.endsWith(`/${path}`);
    const file = changes.files.findIndex(({ oldPath, newPath }) => isHere(newPath) || isHere(oldPath));
    const { oldPath = '', newPath = '' } = changes.files[file] ?? {};
    if (file < 0 || !hasDeclarations(changes, file)) return [];
    const lines = around === undefined ? (linesOf(newPath) ?? linesOf(oldPath)) : undefined;
    const name = around ?? (lines && enclosing(lines, line - 1)?.name);
    if (name === undefined) return [];
    const [first, ...others] = [...changes.changes.keys()].filter(
      delta =>
        changes.changes[delta]!.parts.some(part => part.file === file) && functionAround(changes, delta) === name,
    );
    return first === undefined ? [] : tied(first, others);
  });
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

/** Which change needs which because of one name: the nearest definition, in the same file if it has one. */
function arrowsOf(sides: readonly Sides[], name: string, side: 'added' | 'removed'): readonly Arrow[] {
  const definers = [...sides.keys()].filter(i => sides[i]![side].defined.has(name));
  const users = [...sides.keys()].filter(i => sides[i]![side].used.has(name) && !sides[i]![side].defined.has(name));
  if (definers.length === 0 || users.length > mostUses) return [];
  return users.flatMap(user => {
    const near = definers.filter(definer => sides[definer]!.file === sides[user]!.file);
    // The last one before the use: a name that many functions define is local to each.
    const nearest = near.filter(definer => definer < user).at(-1) ?? near[0];
    const chosen = nearest === undefined ? (definers.length === 1 ? definers : []) : [nearest];
    return chosen.map((definer): Arrow => (side === 'added' ? [user, definer] : [definer, user]));
  });
}

const namesOf = (sides: readonly Sides[], side: 'added' | 'removed'): ReadonlySet<string> =>
  new Set(sides.flatMap(each => [...each[side].defined]));

/** The names that each version has in the changed files. */
function namesKept({ files }: Changes): { readonly old: ReadonlySet<string>; readonly new: ReadonlySet<string> } {
  const names = { old: new Set<string>(), new: new Set<string>() };
  for (const { oldLines, newLines } of files) {
    for (const name of allNames(oldLines)) names.old.add(name);
    for (const name of allNames(newLines)) names.new.add(name);
  }
  return names;
}

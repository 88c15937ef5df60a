/**
 * Which changes of a C or C++ program can't be compiled or linked without which others. A compiler reads everything, also what never runs, so
 * here a candidate with a name that is declared nowhere, or in two ways, is certain to be unresolved.
 */
import { addTo } from '../../core/lists.js';
import type { Changes } from './changes.js';
import { type Declaration, declarationsIn, splitAtCommas, withoutComments } from './declarations.js';
import type { Lines } from './lines.js';
import { allNames } from './names.js';
import type { Arrow } from './needs.js';

type Side = 'old' | 'new';

const source = /\.(?:[chily]|cc|cpp|cxx|hh|hpp|hxx|inc)$/i;
const header = /\.(?:h|hh|hpp|hxx|inc)$/i;
const recipe = /(?:^|\/)(?:GNUm|[Mm])akefile(?:\.\w+)?$|\.mk$|CMakeLists\.txt$|meson\.build$/;
const generated =
  /\b(?:do not edit|@generated|generated (?:from|by|automatically)|bison parser|byacc|lex(?:ical)? scanner generated|original parser id)\b/i;

interface Placed extends Declaration {
  readonly file: number;
}

/** One name in both versions. */
interface Entity {
  readonly name: string;
  readonly old: Placed[];
  readonly new: Placed[];
}

/** Whether a file is in a language whose declarations are read. */
export const hasDeclarations = ({ files }: Changes, file: number): boolean =>
  source.test(files[file]!.newPath ?? files[file]!.oldPath ?? '');

export function declaredNeeds(changes: Changes): readonly Arrow[] {
  const { files } = changes;
  const sources = [...files.keys()].filter(file => hasDeclarations(changes, file));
  if (sources.length === 0) return [];
  const at = deltasByLine(changes);
  const arrows: Arrow[] = [];
  const tie = (deltas: Iterable<number>): void => {
    const [first, ...rest] = new Set(deltas);
    for (const other of rest) arrows.push([first!, other], [other, first!]);
  };
  const users = usersOf(changes, new Set(sources));
  const entities = new Map<string, Entity>();
  const included: number[] = [];
  for (const file of sources) {
    const { oldLines, newLines, oldPath, newPath } = files[file]!;
    if (isGenerated(newLines) || isGenerated(oldLines)) tie([...at.inFile(file)]);
    for (const side of ['old', 'new'] as const) {
      const declared = declarationsIn(side === 'old' ? oldLines : newLines);
      for (const each of declared) {
        if (each.kind === 'include') {
          if (header.test(newPath ?? oldPath!)) included.push(...at.between(file, side, each.from, each.to));
          continue;
        }
        const isLocal = each.isStatic && !header.test(newPath ?? oldPath!);
        const key = isLocal ? `${file} ${each.name}` : each.name;
        const known = entities.get(key) ?? { name: each.name, old: [], new: [] };
        known[side].push({ ...each, file });
        entities.set(key, known);
      }
    }
  }
  // Headers rely on the order in which they include each other.
  tie(included);
  const [oldNames, newNames] = [namesIn(files, sources, 'old'), namesIn(files, sources, 'new')];
  for (const entity of entities.values()) {
    const { name, old, new: now } = entity;
    const heads = (side: Side) => entity[side].map(each => at.between(each.file, side, each.from, each.headerTo));
    const [removed, added] = [new Set(heads('old').flat()), new Set(heads('new').flat())];
    const local = [...old, ...now].every(({ isStatic }) => isStatic) ? (old[0] ?? now[0])!.file : undefined;
    // Who declares it too needs no other declaration.
    const using = (side: Side) =>
      (users[side].get(name) ?? []).filter(
        delta => (local === undefined || at.isIn(delta, local)) && !(side === 'old' ? removed : added).has(delta),
      );
    if (old.length === 0 && !oldNames.has(name))
      for (const user of using('new')) for (const definer of added) arrows.push([user, definer]);
    else if (now.length === 0 && !newNames.has(name))
      for (const user of using('old')) for (const definer of removed) arrows.push([definer, user]);
    else if (old.length > 0 && now.length > 0) {
      // What was private to one file, and is in a header now, is new to all other files.
      const [before, after] = [ownersOf(old, files), ownersOf(now, files)];
      const outside = (side: Side, owners: ReadonlySet<number> | undefined) =>
        owners ? using(side).filter(delta => ![...owners].some(file => at.isIn(delta, file))) : [];
      if (!after) for (const user of outside('new', before)) for (const definer of added) arrows.push([user, definer]);
      if (!before)
        for (const user of outside('old', after)) for (const definer of removed) arrows.push([definer, user]);
      if (isCalled(old) && isCalled(now) && calls(old, 'shape') !== calls(now, 'shape'))
        tie([...removed, ...added, ...using('old'), ...using('new')]);
      else if (calls(old, 'exact') !== calls(now, 'exact') || isMoved(entity, heads)) tie([...removed, ...added]);
    }
  }
  for (const { old, new: now } of entities.values())
    for (const [side, placed, others] of [
      ['old', old, now],
      ['new', now, old],
    ] as const)
      for (const { kind, file, from, headerTo, to } of placed) {
        if (kind === 'member' || kind === 'macro') continue;
        const head = at.between(file, side, from, headerTo);
        const other = side === 'old' ? 'new' : 'old';
        const isEdited = others.some(
          each =>
            each.file === file && at.between(file, other, each.from, each.headerTo).some(delta => head.includes(delta)),
        );
        // It begins with a new line, so the other version has no such thing here: no part of it makes sense alone.
        if (head.length > 0 && !isEdited) tie(at.between(file, side, from, to));
        if (kind === 'function') arrows.push(...localNeeds(changes, at, { file, side, from, to }));
      }
  tieRecipes(changes, tie);
  return arrows;
}

type Places = ReturnType<typeof deltasByLine>;

/** Which changes touch which lines of which file. */
function deltasByLine({ changes }: Changes) {
  const byFile = new Map<number, { readonly delta: number; readonly old: Range; readonly new: Range }[]>();
  for (const [delta, { parts }] of changes.entries())
    for (const { file, oldStart, oldCount, newStart, newCount } of parts)
      addTo(byFile, file, { delta, old: [oldStart, oldStart + oldCount], new: [newStart, newStart + newCount] });
  const filesOf = changes.map(({ parts }) => new Set(parts.map(({ file }) => file)));
  return {
    inFile: (file: number): readonly number[] => (byFile.get(file) ?? []).map(({ delta }) => delta),
    isIn: (delta: number, file: number): boolean => filesOf[delta]!.has(file),
    between(file: number, side: Side, from: number, to: number): readonly number[] {
      const places = byFile.get(file) ?? [];
      const found: number[] = [];
      // Both ends of the places rise, so the first one that reaches `from` is found by halving.
      let [low, high] = [0, places.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (places[middle]![side][1] > from) high = middle;
        else low = middle + 1;
      }
      for (let i = low; i < places.length && places[i]![side][0] <= to; i++)
        if (places[i]![side][1] > from) found.push(places[i]!.delta);
      return found;
    },
  };
}

type Range = readonly [from: number, past: number];

const isGenerated = (lines: Lines): boolean => lines.slice(0, 12).some(line => generated.test(line));

/** The files that can see it; undefined if a header declares it. */
const ownersOf = (placed: readonly Placed[], files: Changes['files']): ReadonlySet<number> | undefined =>
  placed.some(({ file }) => header.test(files[file]!.newPath ?? files[file]!.oldPath!))
    ? undefined
    : new Set(placed.map(({ file }) => file));

const called = new Set(['function', 'prototype', 'macro']);

const isCalled = (placed: readonly Placed[]): boolean =>
  placed.some(({ kind, shape }) => called.has(kind) && shape !== '');

/** In how many ways it is called: two versions of a function with other parameters do not compile together. */
const calls = (placed: readonly Placed[], what: 'shape' | 'exact'): string =>
  [...new Set(placed.filter(({ kind }) => called.has(kind)).map(({ [what]: shape }) => shape))].sort().join('\n');

/** One change takes a definition away, and another one brings it back. A declaration may be there twice. */
function isMoved({ old, new: now }: Entity, heads: (side: Side) => readonly (readonly number[])[]): boolean {
  const defined = (placed: readonly Placed[], side: Side) =>
    heads(side).filter((_, i) => placed[i]!.kind !== 'prototype');
  const [from, to] = [defined(old, 'old').flat(), defined(now, 'new').flat()];
  return from.length > 0 && to.length > 0 && new Set([...from, ...to]).size > 1;
}

/** Which changes mention a name in code, on each side. */
function usersOf({ changes, files }: Changes, sources: ReadonlySet<number>) {
  const users = { old: new Map<string, number[]>(), new: new Map<string, number[]>() };
  for (const [delta, { parts }] of changes.entries())
    for (const { file, oldStart, oldCount, newStart, newCount } of parts) {
      if (!sources.has(file)) continue;
      const { oldLines, newLines } = files[file]!;
      const texts = {
        old: withoutComments(oldLines.slice(oldStart, oldStart + oldCount)),
        new: withoutComments(newLines.slice(newStart, newStart + newCount)),
      };
      for (const side of ['old', 'new'] as const)
        for (const name of new Set(allNames(texts[side]))) addTo(users[side], name, delta);
    }
  return users;
}

/** The names that a version declares or uses in lines that may not be read as a declaration. */
function namesIn(files: Changes['files'], sources: readonly number[], side: Side): ReadonlySet<string> {
  const names = new Set<string>();
  for (const file of sources) {
    const lines = side === 'old' ? files[file]!.oldLines : files[file]!.newLines;
    for (const name of allNames(withoutComments(lines))) names.add(name);
  }
  return names;
}

const localDeclaration =
  /^\s*(?:(?:const|static|register|volatile|struct|union|enum|unsigned|signed|long|short)\s+)*([A-Za-z_]\w*)[\s*]+([A-Za-z_].*);\s*$/;
const notAType = new Set('return goto else case typedef sizeof break continue do'.split(' '));

/** Names of variables that a line of a function declares. */
function localsIn(line: string): readonly string[] {
  const found = localDeclaration.exec(line);
  if (!found || notAType.has(found[1]!)) return [];
  return splitAtCommas(found[2]!).flatMap(each => /^[\s*]*([A-Za-z_]\w*)/.exec(each)?.[1] ?? []);
}

interface Body {
  readonly file: number;
  readonly side: Side;
  readonly from: number;
  readonly to: number;
}

/** A variable that only one version of a function declares: the changes that use it need the one that declares it. */
function localNeeds({ changes, files }: Changes, at: Places, { file, side, from, to }: Body): readonly Arrow[] {
  const deltas = at.between(file, side, from, to);
  if (deltas.length < 2) return [];
  const { oldLines, newLines } = files[file]!;
  const linesOn = (which: Side) =>
    deltas.map(delta =>
      withoutComments(
        changes[delta]!.parts.filter(part => part.file === file).flatMap(part =>
          which === 'old'
            ? oldLines.slice(part.oldStart, part.oldStart + part.oldCount)
            : newLines.slice(part.newStart, part.newStart + part.newCount),
        ),
      ),
    );
  const here = linesOn(side);
  const names = here.map(lines => new Set(allNames(lines)));
  const kept = new Set(linesOn(side === 'old' ? 'new' : 'old').flatMap(lines => lines.flatMap(localsIn)));
  const arrows: Arrow[] = [];
  for (const [i, definer] of deltas.entries())
    for (const name of here[i]!.flatMap(localsIn).filter(each => !kept.has(each)))
      for (const [j, user] of deltas.entries())
        if (i !== j && names[j]!.has(name)) arrows.push(side === 'new' ? [user, definer] : [definer, user]);
  return arrows;
}

/** A file that comes or goes, and what the makefile says about it. */
function tieRecipes({ changes, files }: Changes, tie: (deltas: Iterable<number>) => void): void {
  const recipes = [...changes.keys()].filter(delta =>
    changes[delta]!.parts.some(({ file }) => recipe.test(files[file]!.newPath ?? files[file]!.oldPath ?? '')),
  );
  for (const [delta, { kind, parts }] of changes.entries()) {
    if (kind !== 'add' && kind !== 'delete') continue;
    const path = parts[0]!.newPath ?? parts[0]!.oldPath!;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isObject = source.test(name) && !header.test(name);
    const stem = (isObject ? name.replace(/\w+$/, '') : name).replace(/\W/g, '\\$&');
    // A makefile may say `array.c`, `array.o` or `array$o`.
    const mentions = new RegExp(`\\b${isObject ? `${stem.slice(0, -2)}[.$]` : stem}`);
    const naming = recipes.filter(each =>
      changes[each]!.parts.some(({ file, oldStart, oldCount, newStart, newCount }) => {
        const { oldLines, newLines } = files[file]!;
        const lines = [
          ...oldLines.slice(oldStart, oldStart + oldCount),
          ...newLines.slice(newStart, newStart + newCount),
        ];
        return lines.some(line => mentions.test(line));
      }),
    );
    tie([delta, ...naming]);
  }
}

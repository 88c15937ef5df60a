/**
 * Which changes of a C or C++ program can't be compiled or linked without which others. A compiler reads everything, also what never runs, so
 * here a candidate with a name that is declared nowhere, or in two ways, is certain to be unresolved.
 */
import { addAll, addTo } from '../../../core/lists.js';
import { pauseIfDue } from '../../../core/pause.js';
import type { Arrow } from '../arrows.js';
import type { Changes } from '../changes.js';
import type { Lines } from '../lines.js';
import { deltasByLine, type Places, type Side } from '../places.js';
import { type Declaration, declarationsIn, withoutComments } from './declarations.js';
import { hasDeclarations, header } from './languages.js';
import { localNeeds } from './local-needs.js';
import { allNames } from './names.js';
import { tieRecipes } from './recipes.js';

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

export async function declaredNeeds(changes: Changes, signal?: AbortSignal): Promise<readonly Arrow[]> {
  const sources = [...changes.files.keys()].filter(file => hasDeclarations(changes, file));
  if (sources.length === 0) return [];
  const arrows: Arrow[] = [];
  const at = deltasByLine(changes);
  const tie = (deltas: Iterable<number>): void => {
    const [first, ...rest] = new Set(deltas);
    for (const other of rest) arrows.push([first!, other], [other, first!]);
  };
  for (const file of sources) {
    const { oldLines, newLines } = changes.files[file]!;
    const isTied = (isGenerated(newLines) || isGenerated(oldLines)) && !(await isSettings(newLines));
    if (isTied) tie(at.inFile(file));
  }
  const { entities, included } = await declaredIn(changes, sources, at);
  // Headers rely on the order in which they include each other, and so does the list of what one file includes.
  for (const together of included) tie(together);
  const program: Program = {
    files: changes.files,
    at,
    ...(await usersOf(changes, new Set(sources))),
    names: { old: await namesIn(changes.files, sources, 'old'), new: await namesIn(changes.files, sources, 'new') },
  };
  for (const entity of entities) {
    await pauseIfDue(signal);
    tieDeclarations(entity, program, { arrows, tie });
    for (const side of ['old', 'new'] as const)
      for (const body of bodiesOf(entity, side)) {
        if (isOnlyHere(body, entity, at)) tie(at.between(body.file, side, body.from, body.to));
        if (body.kind === 'function') addAll(arrows, localNeeds(changes, at, { ...body, side }));
      }
  }
  tieRecipes(changes, tie);
  return arrows;
}

/** What the needs of one name are read from. */
interface Program {
  readonly files: Changes['files'];
  readonly at: Places;
  /** Which changes mention a name, on each side. */
  readonly users: Readonly<Record<Side, ReadonlyMap<string, readonly number[]>>>;
  /** Which changes of headers test whether a macro is defined. */
  readonly testers: Program['users'];
  /** The same for all files, on both sides. */
  readonly conditions: ReadonlyMap<string, readonly number[]>;
  /** All names of each version. */
  readonly names: Readonly<Record<Side, ReadonlySet<string>>>;
}

interface Needs {
  readonly arrows: Arrow[];
  /** These can only be applied together. */
  tie(deltas: Iterable<number>): void;
}

/** What both versions declare, by name; and the changes of includes: of all headers, and of each other file. */
async function declaredIn({ files }: Changes, sources: readonly number[], at: Places) {
  const entities = new Map<string, Entity>();
  const inHeaders: number[] = [];
  const included: (readonly number[])[] = [inHeaders];
  for (const file of sources) {
    const { oldLines, newLines, oldPath, newPath } = files[file]!;
    const isHeader = header.test(newPath ?? oldPath!);
    const inFile: number[] = [];
    for (const side of ['old', 'new'] as const)
      for (const each of await declarationsIn(side === 'old' ? oldLines : newLines)) {
        if (each.kind === 'include') {
          addAll(inFile, at.between(file, side, each.from, each.to));
          continue;
        }
        const key = each.isStatic && !isHeader ? `${file} ${each.name}` : each.name;
        const known = entities.get(key) ?? { name: each.name, old: [], new: [] };
        known[side].push({ ...each, file });
        entities.set(key, known);
      }
    if (isHeader) addAll(inHeaders, inFile);
    else included.push(inFile);
  }
  return { entities: [...entities.values()], included };
}

/** The declarations of one name, and the changes that use it. */
function tieDeclarations(entity: Entity, program: Program, { arrows, tie }: Needs): void {
  const { files, at, users, testers, names } = program;
  const { name, old, new: now } = entity;
  const heads = (side: Side) => entity[side].map(each => at.between(each.file, side, each.from, each.headerTo));
  const [removed, added] = [new Set(heads('old').flat()), new Set(heads('new').flat())];
  const local = [...old, ...now].every(({ isStatic }) => isStatic) ? (old[0] ?? now[0])!.file : undefined;
  // What a source file defines and a header tests decides what the header declares.
  const isSwitch = (side: Side) => entity[side].length > 0 && ownersOf(entity[side], files) !== undefined;
  // Who declares it too needs no other declaration.
  const using = (side: Side) =>
    [...(users[side].get(name) ?? []), ...(isSwitch(side) ? (testers[side].get(name) ?? []) : [])].filter(
      delta => (local === undefined || at.isIn(delta, local)) && !(side === 'old' ? removed : added).has(delta),
    );
  const needAdded = (deltas: readonly number[]) => {
    for (const user of deltas) for (const definer of added) arrows.push([user, definer]);
  };
  const neededByRemoved = (deltas: readonly number[]) => {
    for (const user of deltas) for (const definer of removed) arrows.push([definer, user]);
  };
  if (old.length === 0 && !names.old.has(name)) needAdded(using('new'));
  else if (now.length === 0 && !names.new.has(name)) neededByRemoved(using('old'));
  else if (old.length > 0 && now.length > 0) {
    // What was private to one file, and is in a header now, is new to all other files.
    const [before, after] = [ownersOf(old, files), ownersOf(now, files)];
    const outside = (side: Side, owners: ReadonlySet<number> | undefined) =>
      owners ? using(side).filter(delta => ![...owners].some(file => at.isIn(delta, file))) : [];
    if (!after) needAdded(outside('new', before));
    if (!before) neededByRemoved(outside('old', after));
    if (isCalled(old) && isCalled(now) && calls(old, 'shape') !== calls(now, 'shape'))
      tie([...removed, ...added, ...using('old'), ...using('new')]);
    else if (calls(old, 'exact') !== calls(now, 'exact') || isMoved(entity, heads)) tie([...removed, ...added]);
    // A condition that was changed together with the macro that it compares: often what does not fit is an error.
    const conditions = now.some(({ kind }) => kind === 'macro') ? (program.conditions.get(name) ?? []) : [];
    if (conditions.length > 0 && added.size > 0) tie([...removed, ...added, ...conditions]);
  }
}

type Body = Placed & { readonly side: Side };

const bodiesOf = (entity: Entity, side: Side): readonly Body[] =>
  entity[side].filter(({ kind }) => kind !== 'member' && kind !== 'macro').map(each => ({ ...each, side }));

/** It begins with a new line, so the other version has no such thing here: no part of it makes sense alone. */
function isOnlyHere({ file, side, from, headerTo }: Body, entity: Entity, at: Places): boolean {
  const head = at.between(file, side, from, headerTo);
  const other = side === 'old' ? 'new' : 'old';
  const isEdited = entity[other].some(
    each => each.file === file && at.between(file, other, each.from, each.headerTo).some(delta => head.includes(delta)),
  );
  return head.length > 0 && !isEdited;
}

const isGenerated = (lines: Lines): boolean => lines.slice(0, 12).some(line => generated.test(line));

/** What `configure` writes: each line is a setting of its own. */
const isSettings = async (lines: Lines): Promise<boolean> =>
  (await declarationsIn(lines)).every(({ kind }) => kind === 'macro');

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

/** `#ifdef X` compiles without X, so it does not need its definition. */
const conditional = /^\s*#\s*(?:el)?if/;

/** Which changes mention a name in code, on each side. */
async function usersOf({ changes, files }: Changes, sources: ReadonlySet<number>) {
  const users = { old: new Map<string, number[]>(), new: new Map<string, number[]>() };
  const testers = { old: new Map<string, number[]>(), new: new Map<string, number[]>() };
  const conditions = new Map<string, number[]>();
  for (const [delta, { parts }] of changes.entries())
    for (const { file, oldStart, oldCount, newStart, newCount } of parts) {
      if (!sources.has(file)) continue;
      await pauseIfDue();
      const { oldLines, newLines, oldPath, newPath } = files[file]!;
      const isHeader = header.test(newPath ?? oldPath!);
      const texts = {
        old: withoutComments(oldLines.slice(oldStart, oldStart + oldCount)),
        new: withoutComments(newLines.slice(newStart, newStart + newCount)),
      };
      for (const side of ['old', 'new'] as const) {
        const isRead = (line: string) => !conditional.test(line);
        for (const name of new Set(allNames(texts[side].filter(isRead)))) addTo(users[side], name, delta);
        const tests = texts[side].filter(line => !isRead(line));
        for (const name of new Set(allNames(tests))) {
          addTo(conditions, name, delta);
          if (isHeader) addTo(testers[side], name, delta);
        }
      }
    }
  return { users, testers, conditions };
}

/** The names that a version declares or uses in lines that may not be read as a declaration. */
async function namesIn(files: Changes['files'], sources: readonly number[], side: Side): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const file of sources) {
    await pauseIfDue();
    const lines = side === 'old' ? files[file]!.oldLines : files[file]!.newLines;
    for (const name of allNames(withoutComments(lines))) names.add(name);
  }
  return names;
}

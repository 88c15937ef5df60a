/** Turns the found changes into culprits with file, lines and patches. */
import type { Change, Changes } from '../../../circumstances/changes/changes.js';
import type { FileChange } from '../../../circumstances/changes/diff.js';
import { enclosing } from '../../../circumstances/changes/functions.js';
import { contains } from '../../../circumstances/changes/lines-of-hunks.js';
import type { Part } from '../../../circumstances/changes/parts.js';
import { patchBetween } from '../../../circumstances/changes/patch.js';
import type { Side } from '../../../circumstances/changes/places.js';
import type { Artifact } from '../../../core/artifact.js';
import { all, type Configuration, empty, minus, size } from '../../../core/index.js';
import { addTo, greatestOf, leastOf } from '../../../core/lists.js';
import { onceFor } from '../../../core/once-for.js';
import type { TreeItem } from '../../../report/page/data.js';
import { codeOf, excerptOf, type Tokens, tokensOf } from '../../excerpt.js';
import type { Blamed } from '../levels/blame.js';
import type { Hierarchy } from '../levels/hierarchy.js';
import type { Pair } from '../pair.js';
import { inUserStyle } from './lockfiles.js';

/** One place that is to blame. */
export interface Culprit {
  /** Changes of one cause only fail together; each cause is enough by itself. From 1. */
  readonly cause: number;
  /** `needed`: it does no harm, but the rest of the cause can't be built or run without it. */
  readonly role: 'cause' | 'needed';
  readonly file: string;
  /** The function that it is in, if it is in one. */
  readonly function?: string;
  /** From and to, counted from 1; nothing if no line of that version is affected. */
  readonly lines: { readonly old?: readonly [number, number]; readonly new?: readonly [number, number] };
  /** Of a long line, only these are to blame. */
  readonly tokens?: readonly Tokens[];
  /** In words: `lib/x.js -96,1 +109,4`. */
  readonly change: string;
  /** The lines themselves, with `-` and `+`. */
  readonly code: string;
  /** The same with a line of context before and after. */
  readonly excerpt: string;
  /** What the cause changes in this file: applies to old. Empty if it is long and another culprit in the same file has it. */
  readonly patch: string;
}

/** One place of the smallest revert: its code is shown as the change has it, old lines with `-` and new ones with `+`. */
export type Reverted = Omit<Culprit, 'cause' | 'role' | 'patch'>;

export interface Patches {
  /** One for each cause: applied to old, it makes it fail. */
  readonly causes: readonly Uint8Array[];
  /** Applied to new, it makes it pass. */
  readonly revert: Uint8Array;
}

const written = new WeakMap<Blamed, Patches>();

/** Sizes, patches on disk and the page all ask for them, and the diff of a large tree takes a while: they are made once. */
export const patchesOf = (pair: Pair, blamed: Blamed): Patches =>
  onceFor(written, blamed, () => makePatches(pair, blamed));

function makePatches(pair: Pair, blamed: Blamed): Patches {
  const { causes, level, failing } = blamed;
  const { circumstance } = level;
  const sets = causes.length > 0 ? causes.map(({ changes }) => changes) : [failing];
  const built = (configuration: Configuration): Artifact => circumstance.build(configuration)!;
  return {
    causes: sets.map(set => patchFrom(pair, 'old', built(set))),
    revert: revertPatch(pair, blamed),
  };
}

/** Applied to new, it makes it pass. */
export function revertPatch(pair: Pair, { level: { circumstance }, back }: Pick<Blamed, 'level' | 'back'>): Uint8Array {
  return patchFrom(pair, 'new', circumstance.build(minus(all(circumstance.count), back))!);
}

/** The patch that makes this artifact out of one of the versions. */
export function patchFrom({ lockfiles, ...pair }: Pair, side: 'old' | 'new', to: Artifact): Uint8Array {
  const from = pair[side];
  if (!lockfiles) return patchBetween(from.files, to.files);
  const text = lockfiles[side === 'old' ? 0 : 1];
  return patchBetween(inUserStyle(from, text, true).files, inUserStyle(to, text, false).files);
}

/** The smallest revert, place by place: everything that must be reverted in new so that it passes. */
export function revertOf(hierarchy: Hierarchy, { back, level }: Pick<Blamed, 'back' | 'level'>): readonly Reverted[] {
  return gathered(hierarchy, level.changes(back)).map(({ change, parts }) => placeIn(hierarchy, change, parts, 'new'));
}

/** Where one of the changes is. */
export const placeOfDelta = (hierarchy: Hierarchy, delta: number): Reverted | undefined => {
  const { changes } = hierarchy;
  if (!('files' in changes)) return undefined;
  const change = changes.changes[delta]!;
  return placeIn(hierarchy, change, change.parts, 'new');
};

/** A cause with more changes than this is listed without what came along with the suspects. */
const mostListed = 200;

/** A longer patch is given once for each file: hundreds of culprits in a rewritten file would make a result that can't be written. */
const longPatch = 10_000;

const listed = new WeakMap<Blamed, readonly Culprit[]>();

/** In order of suspicion: cause by cause, and within a cause, what the search found first. */
export const culpritsOf = (hierarchy: Hierarchy, blamed: Blamed, patches: Patches): readonly Culprit[] =>
  onceFor(listed, blamed, () => listCulprits(hierarchy, blamed, patches));

function listCulprits(hierarchy: Hierarchy, { causes, level }: Blamed, patches: Patches): readonly Culprit[] {
  return causes.flatMap(({ changes, suspects, needed = empty }, i) => {
    const harmless = new Set(level.changes(needed).flatMap(({ parts }) => parts));
    const sections = sectionsOf(patches.causes[i]!);
    const shown = new Set<string>();
    const patchOf = (path: string): string => {
      const section = sections.get(path) ?? '';
      if (section.length > longPatch && shown.has(path)) return '';
      shown.add(path);
      return section;
    };
    const first = level.changes(suspects);
    // Most of the new version: to list it would say nothing.
    const others = size(changes) > mostListed ? [] : level.changes(minus(changes, suspects));
    return gathered(hierarchy, [...first, ...others]).map(({ change, parts }) => {
      const isNeeded = parts.length > 0 && parts.every(part => harmless.has(part));
      return {
        cause: i + 1,
        role: isNeeded ? ('needed' as const) : ('cause' as const),
        ...placeIn(hierarchy, change, parts, 'old'),
        patch: patchOf(pathOf(change)),
      };
    });
  });
}

/** `side`: the version that the change is applied to, or reverted in. */
function placeIn({ changes }: Hierarchy, change: Change, parts: readonly Part[], side: Side): Reverted {
  const around = 'files' in changes ? functionOf(changes.files, parts[0]) : undefined;
  const tokens = 'files' in changes ? tokensOf(changes.files, parts) : [];
  return {
    file: pathOf(change),
    ...(around === undefined ? {} : { function: around }),
    lines: linesOf(parts),
    ...(tokens.length > 0 ? { tokens } : {}),
    change: change.label,
    code: 'files' in changes ? codeOf(changes.files, parts) : '',
    excerpt: 'files' in changes ? excerptOf(changes.files, parts, side) : '',
  };
}

function functionOf(files: readonly FileChange[], part: Part | undefined): string | undefined {
  // A long line often has many functions.
  if (part === undefined || part.columns || (part.kind !== 'hunk' && part.kind !== 'line')) return undefined;
  const { oldLines, newLines } = files[part.file]!;
  return part.newCount > 0 ? enclosing(newLines, part.newStart)?.name : enclosing(oldLines, part.oldStart)?.name;
}

interface Gathered {
  /** As the hierarchy has it. */
  readonly change: Change;
  /** Those parts of it that are to blame. */
  readonly parts: readonly Part[];
}

/** Lines are shown with the hunk that they are from. */
function gathered({ changes }: Hierarchy, blamed: readonly Change[]): readonly Gathered[] {
  if (!('files' in changes)) return blamed.map(change => ({ change, parts: change.parts }));
  const found = new Map<number, { change: Change; parts: Part[] }>();
  for (const part of blamed.flatMap(({ parts }) => parts)) {
    const at = changes.changes.findIndex(({ parts }) => parts.some(outer => contains(outer, part)));
    const known = found.get(at) ?? { change: changes.changes[at]!, parts: [] };
    known.parts.push(part);
    found.set(at, known);
  }
  return [...found.values()].map(({ change, parts }) => ({ change, parts: inOrder(parts) }));
}

const inOrder = (parts: readonly Part[]): readonly Part[] =>
  [...parts].sort(
    (a, b) => a.file - b.file || a.oldStart - b.oldStart || a.newStart - b.newStart || columnOf(a) - columnOf(b),
  );

const columnOf = ({ columns }: Part): number => columns?.new[0] ?? 0;

const pathOf = ({ parts: [part] }: Change): string => part?.newPath ?? part?.oldPath ?? 'package-lock.json';

function linesOf(parts: readonly Part[]): Culprit['lines'] {
  const span = (from: (part: Part) => number, count: (part: Part) => number) => {
    const some = parts.filter(part => count(part) > 0);
    if (some.length === 0) return undefined;
    return [leastOf(some.map(from)) + 1, greatestOf(some.map(part => from(part) + count(part)))] as const;
  };
  const old = span(
    part => part.oldStart,
    part => part.oldCount,
  );
  const now = span(
    part => part.newStart,
    part => part.newCount,
  );
  return { ...(old ? { old } : {}), ...(now ? { new: now } : {}) };
}

/** A patch by the files that it changes. */
function sectionsOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  const text = Buffer.from(bytes).toString('utf8');
  const sections = text.split(/^(?=diff --git )/m).filter(section => section !== '');
  return new Map(sections.map(section => [/^diff --git .* "?b\/(.*?)"?$/m.exec(section)?.[1] ?? '', section]));
}

/** How many hunks of a page are shown with their code; the culprits always are. */
const mostCode = 400;

/** All changes as a tree of files: set aside, innocent, culprit. */
export function treeOfChanges(
  hierarchy: Hierarchy,
  blamed: Blamed,
  isSuspect: (delta: number) => boolean,
  reasonOf: (delta: number) => string,
): readonly TreeItem[] {
  const { changes } = hierarchy;
  const guilty = culpable(hierarchy, blamed);
  const statusOf = (delta: number): TreeItem['status'] =>
    guilty.has(delta) ? 'culprit' : isSuspect(delta) ? 'innocent' : 'set aside';
  const item = (delta: number): TreeItem => {
    const label = changes.describe(delta);
    const shown = guilty.has(delta) || delta < mostCode;
    const code = 'files' in changes && shown ? codeOf(changes.files, changes.changes[delta]!.parts, 60) : '';
    return { label, status: statusOf(delta), detail: reasonOf(delta), ...(code === '' ? {} : { code }) };
  };
  if (!('files' in changes)) return Array.from({ length: changes.count }, (_, delta) => item(delta));
  const byFile = new Map<string, number[]>();
  for (const [delta, change] of (changes as Changes).changes.entries()) {
    const path = pathOf(change);
    addTo(byFile, path, delta);
  }
  return [...byFile].map(([path, deltas]) => {
    const statuses = deltas.map(statusOf);
    const status = statuses.includes('culprit') ? 'culprit' : statuses.includes('innocent') ? 'innocent' : 'set aside';
    if (deltas.length === 1) return { ...item(deltas[0]!), label: changes.describe(deltas[0]!) };
    return { label: path, status, detail: `${deltas.length} changes`, children: deltas.map(item) };
  });
}

function culpable({ changes }: Hierarchy, { causes, level }: Blamed): ReadonlySet<number> {
  const guilty = new Set<number>();
  for (const { changes: set } of causes)
    for (const change of level.changes(set))
      for (const [delta, label] of labelled(changes))
        if (change.parts.length === 0 ? label === change.label : isIn(changes, delta, change)) guilty.add(delta);
  return guilty;
}

const labelled = (changes: Hierarchy['changes']): readonly (readonly [number, string])[] =>
  Array.from({ length: changes.count }, (_, delta) => [delta, changes.describe(delta)] as const);

const isIn = (changes: Hierarchy['changes'], delta: number, { parts }: Change): boolean =>
  'files' in changes && changes.changes[delta]!.parts.some(outer => parts.some(part => contains(outer, part)));

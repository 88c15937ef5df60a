/** Changes between two versions as deltas: a version with some of them applied. */
import type { Artifact, Entry } from '../../core/artifact.js';
import type { Hunk } from '../../core/diff.js';
import { type Circumstance, type Configuration, deltasOf } from '../../core/index.js';
import type { Snapshot } from '../../sources/versions/snapshot.js';
import { applying } from './apply.js';
import type { Columns } from './columns.js';
import { diffSnapshots, type FileChange } from './diff.js';
import { describePart, type Granularity, type Part, partsOf } from './parts.js';

/** One delta between two versions: parts that are applied or left out together. */
export interface Change {
  /** `formatting`: everything in a file that differs only in what means nothing in its language. */
  readonly kind: Part['kind'] | 'formatting' | 'file' | 'package' | 'commit';
  /** In words: `lib/x.js -96,1 +109,4`. */
  readonly label: string;
  readonly parts: readonly Part[];
}

export interface Changes extends Circumstance<Artifact> {
  readonly changes: readonly Change[];
  /** The changed files that the parts refer to by number. */
  readonly files: readonly FileChange[];
  readonly old: Snapshot;
  readonly new: Snapshot;
  readonly parents: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  describe(delta: number): string;
}

export interface ChangesOptions {
  readonly granularity?: Granularity;
  /** For granularity `line`: which hunks are split into lines (default: all); the others stay as they are by hunk. */
  readonly isSplit?: (file: number, hunk: Hunk) => boolean;
  /** For granularity `line`: which columns of a replaced line are deltas of their own (default: none). */
  readonly columnsOf?: (file: number, line: Hunk) => readonly Columns[] | undefined;
  /** The commit that introduced a part, for granularity `commit`; parts without one are separate. */
  readonly commitOf?: (part: Part) => string | undefined;
}

/**
 * What changed between two versions. With no delta applied it is old, with all of them it is new. Any subset of hunks
 * applies; a line of an added file needs the file, and is infeasible without it.
 */
export function changesBetween(old: Snapshot, now: Snapshot, options: ChangesOptions = {}): Changes {
  const granularity = options.granularity ?? 'hunk';
  const files = diffSnapshots(old, now);
  const { isSplit = () => true, columnsOf } = options;
  const partsByFile = files.map((change, file) =>
    partsOf(
      change,
      file,
      hunk => granularity === 'line' && isSplit(file, hunk),
      line => columnsOf?.(file, line),
    ),
  );
  const changes = grouped({ old, now, files, partsByFile }, granularity, options);
  return {
    name: granularity,
    count: changes.length,
    changes,
    files,
    old,
    new: now,
    weights: changes.map(change => weightOf(change, files)),
    parents: parentsOf(changes),
    describe: delta => changes[delta]?.label ?? `change ${delta}`,
    build: building(old, files, partsByFile, changes),
  };
}

/** The innermost package folder that contains a path under `node_modules`. */
const packageFolder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** Two versions and the parts of their difference, file by file. */
interface Compared {
  readonly old: Snapshot;
  readonly now: Snapshot;
  readonly files: readonly FileChange[];
  readonly partsByFile: readonly (readonly Part[])[];
}

/**
 * Which parts form one delta. Packages under `node_modules` are upgraded as a whole, unless all lines are requested. The formatting of a
 * file is one delta, after all others of the file.
 */
function grouped(
  { old, now, files, partsByFile }: Compared,
  granularity: Granularity,
  { commitOf, isSplit = () => true }: ChangesOptions,
): readonly Change[] {
  const groups = new Map<string, { kind: Change['kind']; label: string; parts: Part[] }>();
  for (const [file, parts] of partsByFile.entries())
    for (const [i, part] of formattingLast(parts)) {
      const path = (part.newPath ?? part.oldPath)!;
      const folder = granularity === 'line' && isSplit(file, part) ? undefined : packageFolder.exec(path)?.[0];
      const commit = granularity === 'commit' ? commitOf?.(part) : undefined;
      const group =
        commit !== undefined
          ? { id: `commit ${commit}`, kind: 'commit' as const, label: commit }
          : folder !== undefined
            ? { id: `package ${folder}`, kind: 'package' as const, label: packageLabel(folder, old, now) }
            : granularity === 'file' || granularity === 'commit'
              ? {
                  id: `file ${file}`,
                  kind: parts.length === 1 ? part.kind : ('file' as const),
                  label: fileLabel(files[file]!),
                }
              : part.isFormatting
                ? { id: `formatting ${file}`, kind: 'formatting' as const, label: formattingLabel(parts) }
                : { id: `part ${file} ${i}`, kind: part.kind, label: describePart(part) };
      const known = groups.get(group.id);
      if (known) known.parts.push(part);
      else groups.set(group.id, { kind: group.kind, label: group.label, parts: [part] });
    }
  return [...groups.values()];
}

const formattingLast = (parts: readonly Part[]): readonly (readonly [number, Part])[] => {
  const numbered = [...parts.entries()];
  return [...numbered.filter(([, part]) => !part.isFormatting), ...numbered.filter(([, part]) => part.isFormatting)];
};

function formattingLabel(parts: readonly Part[]): string {
  const runs = parts.filter(({ isFormatting }) => isFormatting);
  const count = runs.reduce((sum, { newCount }) => sum + newCount, 0);
  return runs.length === 1 ? describePart(runs[0]!) : `${runs[0]!.newPath} formatting of ${count} lines`;
}

/** `node_modules/x 1.0.0 → 1.1.0` */
function packageLabel(folder: string, old: Snapshot, now: Snapshot): string {
  const versionIn = (files: Snapshot): string => {
    const manifest = files.get(`${folder}/package.json`);
    const text = manifest?.kind === 'file' ? Buffer.from(manifest.bytes).toString() : '';
    return /"version"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? 'none';
  };
  return `${folder} ${versionIn(old)} → ${versionIn(now)}`;
}

const fileLabel = ({ kind, oldPath, newPath }: FileChange): string =>
  kind === 'renamed' ? `${oldPath} renamed to ${newPath}` : `${newPath ?? oldPath} ${kind}`;

function weightOf(change: Change, files: readonly FileChange[]): number {
  let bytes = 0;
  for (const part of change.parts) {
    const { oldLines, newLines } = files[part.file]!;
    if (part.columns) {
      const { old, new: now } = part.columns;
      bytes += old[1] - old[0] + now[1] - now[0];
      continue;
    }
    for (let i = 0; i < part.oldCount; i++) bytes += oldLines[part.oldStart + i]!.length;
    for (let i = 0; i < part.newCount; i++) bytes += newLines[part.newStart + i]!.length;
  }
  return Math.max(1, bytes);
}

/** A line of an added file needs the file; nothing else needs another change to be applied. */
function parentsOf(changes: readonly Change[]): Int32Array {
  const adds = new Map<number, number>();
  for (const [delta, { kind, parts }] of changes.entries()) if (kind === 'add') adds.set(parts[0]!.file, delta);
  return Int32Array.from(changes, ({ kind, parts }) => (kind === 'line' ? (adds.get(parts[0]!.file) ?? -1) : -1));
}

function building(
  old: Snapshot,
  files: readonly FileChange[],
  partsByFile: readonly (readonly Part[])[],
  changes: readonly Change[],
): (configuration: Configuration) => Artifact | undefined {
  const apply = files.map((change, file) => applying(change, partsByFile[file]!));
  const placeOf = new Map<Part, number>();
  for (const parts of partsByFile) for (const [place, part] of parts.entries()) placeOf.set(part, place);
  const places = changes.map(({ parts }) => parts.map(part => [part.file, placeOf.get(part)!] as const));
  const untouched = new Map(old);
  for (const { oldPath } of files) if (oldPath !== undefined) untouched.delete(oldPath);
  const slots = slotsOf(untouched, files);
  const clashes = clashesOf(untouched, files);
  return configuration => {
    const chosen: number[][] = files.map(() => []);
    for (const delta of deltasOf(configuration)) for (const [file, place] of places[delta]!) chosen[file]!.push(place);
    const touched = new Map<string, Entry>();
    for (const [file, list] of chosen.entries()) {
      const applied = apply[file]!(ranges(list));
      if (applied === 'infeasible') return undefined;
      if (applied !== 'absent') touched.set(applied.path, applied.entry);
    }
    if (
      clashes.some(([path, below]) => touched.has(path) && touched.get(path)!.kind !== 'folder' && touched.has(below))
    )
      return undefined;
    const entries = new Map<string, Entry>();
    for (const [path, entry] of slots) {
      const there = entry ?? touched.get(path);
      if (there) entries.set(path, there);
    }
    return { files: entries };
  };
}

/** Every path that may exist, in order, with its entry if no change touches it. */
function slotsOf(untouched: Snapshot, files: readonly FileChange[]): readonly (readonly [string, Entry | undefined])[] {
  const slots = new Map<string, Entry | undefined>(untouched);
  for (const { oldPath, newPath } of files)
    for (const path of [oldPath, newPath]) if (path !== undefined) slots.set(path, undefined);
  return [...slots].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Pairs of paths that can't both exist, because the first is a file in one version and a folder in the other. */
function clashesOf(untouched: Snapshot, files: readonly FileChange[]): readonly (readonly [string, string])[] {
  const touched = new Set(
    files.flatMap(({ oldPath, newPath }) => [oldPath, newPath]).filter(path => path !== undefined),
  );
  const clashes: [string, string][] = [];
  for (const path of touched)
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (touched.has(folder) && !untouched.has(folder)) clashes.push([folder, path]);
    }
  return clashes;
}

function ranges(places: readonly number[]): Configuration {
  const sorted = isSorted(places) ? places : [...places].sort((a, b) => a - b);
  const result: number[] = [];
  for (const place of sorted)
    if (result.at(-1) === place) result[result.length - 1] = place + 1;
    else result.push(place, place + 1);
  return result;
}

const isSorted = (places: readonly number[]): boolean => places.every((place, i) => i === 0 || places[i - 1]! < place);

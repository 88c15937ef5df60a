/** Compares two versions, and describes how each file changed. */
import type { Entry } from '../../core/artifact.js';
import { type Hunk, hunksBetween } from '../../core/diff.js';
import { addTo } from '../../core/lists.js';
import { onceFor } from '../../core/once-for.js';
import { type Snapshot, sameBytes, sameEntry } from '../../sources/versions/snapshot.js';
import { isBinary, type Lines, linesOf, similarity } from './lines.js';

/** What happened to one file. `edited` has hunks, or another mode, or both; `replaced` has no hunks: binary files, links. */
export interface FileChange {
  readonly kind: 'added' | 'deleted' | 'renamed' | 'edited' | 'replaced';
  readonly oldPath?: string;
  readonly newPath?: string;
  readonly old?: Entry;
  readonly new?: Entry;
  /** The executable bit differs. */
  readonly mode: boolean;
  readonly hunks: readonly Hunk[];
  readonly oldLines: Lines;
  readonly newLines: Lines;
}

/** Beyond this many pairs, only exact renames are looked for, as git does. */
const mostPairs = 250_000;

const compared = new WeakMap<Snapshot, WeakMap<Snapshot, readonly FileChange[]>>();

/**
 * What differs between two folders, in the order of paths (a renamed file is at its old one). Two folders are compared once: hunks, lines and
 * patches all begin with the same list.
 */
export function diffSnapshots(before: Snapshot, after: Snapshot): readonly FileChange[] {
  const withThis = onceFor(compared, before, () => new WeakMap());
  return onceFor(withThis, after, () => compare(before, after));
}

function compare(before: Snapshot, after: Snapshot): readonly FileChange[] {
  const changes: FileChange[] = [];
  const deleted = new Map<string, Entry>();
  const added = new Map<string, Entry>();
  for (const [path, old] of before) {
    const now = after.get(path);
    if (!now) deleted.set(path, old);
    else if (!sameEntry(old, now)) changes.push(changed(path, path, old, now));
  }
  for (const [path, now] of after) if (!before.has(path)) added.set(path, now);
  for (const [oldPath, newPath] of renames(deleted, added)) {
    changes.push(changed(oldPath, newPath, deleted.get(oldPath)!, added.get(newPath)!));
    deleted.delete(oldPath);
    added.delete(newPath);
  }
  for (const [oldPath, old] of deleted)
    changes.push({ ...nothing, kind: 'deleted', oldPath, old, oldLines: textOf(old) ?? [] });
  for (const [newPath, now] of added)
    changes.push({ ...nothing, kind: 'added', newPath, new: now, newLines: textOf(now) ?? [] });
  const pathOf = (change: FileChange): string => change.oldPath ?? change.newPath ?? '';
  return changes.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : pathOf(a) > pathOf(b) ? 1 : 0));
}

const nothing = { mode: false, hunks: [], oldLines: [], newLines: [] } as const;

function changed(oldPath: string, newPath: string, old: Entry, now: Entry): FileChange {
  const paths = { oldPath, newPath, old, new: now };
  const moved = oldPath !== newPath;
  const oldLines = textOf(old);
  const newLines = textOf(now);
  if (old.kind !== 'file' || now.kind !== 'file' || !oldLines || !newLines)
    return { ...nothing, ...paths, kind: moved ? 'renamed' : 'replaced' };
  const mode = (old.executable ?? false) !== (now.executable ?? false);
  const hunks = sameBytes(old, now) ? [] : hunksBetween(oldLines, newLines);
  return { ...paths, kind: moved ? 'renamed' : 'edited', mode, hunks, oldLines, newLines };
}

const textOf = (entry: Entry): Lines | undefined =>
  entry.kind === 'file' && !isBinary(entry.bytes) ? linesOf(entry.bytes) : undefined;

/** Pairs of a deleted and an added path that hold the same file: the same bytes first, then half of the lines or more. */
function renames(deleted: ReadonlyMap<string, Entry>, added: ReadonlyMap<string, Entry>): Map<string, string> {
  const found = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (oldPath: string, newPath: string): void => {
    found.set(oldPath, newPath);
    taken.add(newPath);
  };
  const byBytes = new Map<string, string[]>();
  for (const [path, entry] of added) {
    if (entry.kind === 'file' && entry.bytes.length > 0) {
      const key = Buffer.from(entry.bytes).toString('latin1');
      addTo(byBytes, key, path);
    }
  }
  for (const [path, entry] of deleted) {
    if (entry.kind !== 'file' || entry.bytes.length === 0) continue;
    const alike = byBytes.get(Buffer.from(entry.bytes).toString('latin1'))?.filter(other => !taken.has(other)) ?? [];
    const best = alike.find(other => nameOf(other) === nameOf(path)) ?? alike[0];
    if (best !== undefined) pair(path, best);
  }
  const left = texts([...deleted].filter(([path]) => !found.has(path)));
  const right = texts([...added].filter(([path]) => !taken.has(path)));
  if (left.length * right.length > mostPairs) return found;
  const scored = left.flatMap(([oldPath, oldLines]) =>
    right.map(([newPath, newLines]) => ({ oldPath, newPath, score: similarity(oldLines, newLines) })),
  );
  const sameName = (at: { oldPath: string; newPath: string }): number =>
    nameOf(at.oldPath) === nameOf(at.newPath) ? 1 : 0;
  for (const at of scored
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || sameName(b) - sameName(a)))
    if (!found.has(at.oldPath) && !taken.has(at.newPath)) pair(at.oldPath, at.newPath);
  return found;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const texts = (entries: readonly (readonly [string, Entry])[]): readonly (readonly [string, Lines])[] =>
  entries.flatMap(([path, entry]) => {
    const lines = textOf(entry);
    return lines && lines.length > 0 ? [[path, lines] as const] : [];
  });

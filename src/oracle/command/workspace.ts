/** Private folders for tests, each with the artifact under test. */
import { lstatSync, mkdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Artifact, Entry } from '../../core/artifact.js';
import { UserError } from '../../core/user-error.js';
import { itemsIn, onDisk } from '../../sources/file-names.js';
import { sameEntry } from '../../sources/versions/snapshot.js';
import { scratchParent, uniqueName } from '../process/scratch.js';
import { remove, unlock } from '../remove.js';
import { isDescription, isSource, mayBeOverlooked } from './build-inputs.js';
import { productsIn } from './products.js';
import {
  type Folder,
  isThere,
  isUntouched,
  justNow,
  placeOf,
  timeFor,
  touchAll,
  waitFor,
  write,
} from './workspace-files.js';

export { sweepAbandoned } from '../process/scratch.js';

/** A private folder per slot, in memory if possible, that always holds the last artifact put there. */
export interface Workspaces {
  /** The folder that contains all workspaces. */
  readonly root: string;
  /** The folder that holds the artifact: the command's working directory. */
  path(slot: number): string;
  /** An empty folder next to it, for the command's TMPDIR. */
  tmp(slot: number): string;
  /** Makes the folder hold the artifact. Only what differs from the last one is written. */
  put(slot: number, artifact: Artifact): void;
  /** Undoes what a test did there: removes what it made, restores what it changed or deleted. */
  tidy(slot: number): void;
  /** Notes what a build has made: with `keeps`, that stays until the folder is cleared. */
  built(slot: number): void;
  /** Removes everything that is not the artifact, including what was built. */
  clear(slot: number): void;
  close(): void;
}

export interface WorkspacesOptions {
  /** What is built in a workspace stays there from test to test. */
  readonly keeps?: boolean;
  /** How many bytes a workspace will hold, if that may be too much for memory. */
  readonly bytes?: number;
}

export function openWorkspaces(slots: number, { keeps = false, bytes = 0 }: WorkspacesOptions = {}): Workspaces {
  const root = join(scratchParent(slots * bytes), uniqueName());
  const folders: Folder[] = [];
  writing(root, () => {
    mkdirSync(root, { mode: 0o700 });
    for (let slot = 0; slot < slots; slot++) {
      // Short, and of the same length for every slot: a tool may have a limit on paths.
      const own = join(root, slot.toString(36).padStart(2, '0'));
      const [work, tmp] = [join(own, 'w'), join(own, 't')];
      mkdirSync(work, { recursive: true });
      mkdirSync(tmp);
      const products = keeps ? { products: productsIn(work) } : {};
      folders.push({
        work,
        tmp,
        inode: lstatSync(work).ino,
        files: new Map(),
        written: new Map(),
        put: 0,
        ...products,
      });
    }
  });
  const of = (slot: number): Folder => {
    const folder = folders[slot];
    if (folder === undefined) throw new RangeError(`There is no slot ${slot}: there are ${slots}.`);
    return folder;
  };
  return {
    root,
    path: slot => of(slot).work,
    tmp: slot => of(slot).tmp,
    put: (slot, artifact) => writing(root, () => put(of(slot), artifact.files)),
    tidy: slot => writing(root, () => tidy(of(slot))),
    built: slot => writing(root, () => of(slot).products?.note()),
    clear: slot => writing(root, () => tidy(of(slot), false)),
    close: () => remove(root),
  };
}

function put(folder: Folder, after: ReadonlyMap<string, Entry>): void {
  folder.put = Date.now();
  const before = folder.files;
  if (before === after) return;
  const gone: string[] = [];
  for (const [path, entry] of before) if (after.get(path)?.kind !== entry.kind) gone.push(path);
  // In ascending order a folder comes before what is in it; backwards, after.
  for (const path of gone.reverse()) takeAway(folder, path, before.get(path)!, after);
  // All at the same time, so that none of them looks as if it had to be made again from another one.
  const at = timeFor(folder);
  const changed: string[] = [];
  for (const [path, entry] of after) {
    const old = before.get(path);
    if (old !== undefined && sameEntry(old, entry)) continue;
    write(folder, path, entry, at);
    changed.push(path);
  }
  folder.files = after;
  if (!folder.products) return;
  const touched = before.size === 0 ? [] : [...gone, ...changed];
  // `ar` adds to an archive and takes nothing out of it.
  if (touched.some(path => isDescription(path) || (isSource(path) && !(before.has(path) && after.has(path)))))
    folder.products.dropArchives(path => after.has(path));
  if (touched.some(path => mayBeOverlooked(path, after))) touchAll(folder);
  else if (changed.length > 0) waitFor(at);
}

function takeAway(folder: Folder, path: string, entry: Entry, after: ReadonlyMap<string, Entry>): void {
  folder.written.delete(path);
  const full = placeOf(folder, path);
  if (entry.kind === 'folder') removeEmpty(full);
  else unlinkSync(full);
  folder.products?.dropMadeFrom(path, other => after.has(other));
  // A folder that exists only for its contents is removed with the last of them.
  for (let up = dirname(path); up !== '.' && after.get(up)?.kind !== 'folder'; up = dirname(up))
    if (!removeEmpty(placeOf(folder, up))) break;
}

function removeEmpty(path: string | Buffer): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function tidy(folder: Folder, keeps = true): void {
  empty(folder.tmp);
  const stats = lstatSync(folder.work, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory() || stats.ino !== folder.inode) {
    rebuild(folder);
    return;
  }
  unlock(folder.work, stats.mode);
  if (keeps && folder.products) {
    folder.products.sweep(path => folder.files.has(path));
    const at = justNow();
    for (const [path, entry] of folder.files) if (!isThere(folder, path, entry)) write(folder, path, entry, at);
    return;
  }
  const implied = new Set<string>();
  for (const path of folder.files.keys())
    for (let up = dirname(path); up !== '.' && !implied.has(up); up = dirname(up)) implied.add(up);
  const met = new Set<string>();
  visit(folder, '', implied, met);
  for (const [path, entry] of folder.files) if (!met.has(path)) write(folder, path, entry);
  // What is built next finds no product, so nothing tells it which of the files is older.
  if (folder.products) touchAll(folder);
}

/** Removes what does not belong, and notes in `met` which entries are still as they were written. */
function visit(folder: Folder, under: string, implied: ReadonlySet<string>, met: Set<string>): void {
  for (const item of itemsIn(join(folder.work, under))) {
    const path = under + item.name;
    const entry = folder.files.get(path);
    if (item.isDirectory() && (entry?.kind === 'folder' || implied.has(path))) {
      if (entry) met.add(path);
      const full = placeOf(folder, path);
      unlock(full, lstatSync(full).mode);
      visit(folder, `${path}/`, implied, met);
    } else if (entry !== undefined && isUntouched(folder, path, entry)) met.add(path);
    else remove(placeOf(folder, path));
  }
}

function rebuild(folder: Folder): void {
  remove(folder.work);
  mkdirSync(folder.work, { recursive: true });
  folder.inode = lstatSync(folder.work).ino;
  folder.written.clear();
  const at = timeFor(folder);
  for (const [path, entry] of folder.files) write(folder, path, entry, at);
}

function empty(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    unlock(path, stats.mode);
    for (const { name } of itemsIn(path)) remove(onDisk(join(path, name)));
  } else {
    remove(path);
    mkdirSync(path, { recursive: true });
  }
}

function writing<T>(root: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw new UserError(
      `There is no room left in ${dirname(root)}, where the workspaces are.`,
      'Free some, set TMPDIR to a folder with room, or use fewer --jobs.',
      1,
    );
  }
}

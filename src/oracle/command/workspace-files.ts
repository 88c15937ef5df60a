/** The files of a workspace: how they are written, and whether a test has touched them. */
import { lstatSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Entry } from '../../core/artifact.js';
import { onDisk, targetOf } from '../../sources/file-names.js';
import { remove } from '../remove.js';
import type { Products } from './products.js';

/**
 * Every file gets this time. A test that writes to a file changes it, even in the same tick of the clock; and what a command
 * sees does not depend on when, or in which slot, it runs.
 */
const time = 1_000_000_000;

export interface Folder {
  readonly work: string;
  readonly tmp: string;
  inode: number;
  files: ReadonlyMap<string, Entry>;
  /** The files as they were written: a replaced file has another inode. */
  readonly written: Map<
    string,
    { readonly ino: number; readonly mode: number; readonly mtimeMs: number; readonly ctimeMs: number }
  >;
  /** When the last artifact was put there: a test has run since. */
  put: number;
  /** What was built there, if it is kept. */
  readonly products?: Products;
}

const modeOf = (entry: Entry & { kind: 'file' }): number => (entry.executable ? 0o755 : 0o644);

/** A file is created again, never written through: a test may have replaced it by a link to something of the user's. */
export function write(folder: Folder, path: string, entry: Entry, at = timeFor(folder)): void {
  const full = placeOf(folder, path);
  if (path.includes('/')) mkdirSync(placeOf(folder, dirname(path)), { recursive: true });
  if (entry.kind === 'folder') {
    mkdirSync(full, { recursive: true });
    return;
  }
  remove(full);
  if (entry.kind === 'link') symlinkSync(onDisk(entry.target), full);
  else {
    writeFileSync(full, entry.bytes, { flag: 'wx', mode: modeOf(entry) });
    utimesSync(full, at, at);
    const { ino, mode, mtimeMs, ctimeMs } = lstatSync(full);
    folder.written.set(path, { ino, mode, mtimeMs, ctimeMs });
  }
}

export function touchAll(folder: Folder): void {
  const at = justNow();
  for (const [path, written] of folder.written) {
    const full = placeOf(folder, path);
    utimesSync(full, at, at);
    const { mtimeMs, ctimeMs } = lstatSync(full);
    folder.written.set(path, { ...written, mtimeMs, ctimeMs });
  }
  waitFor(at);
}

/** Milliseconds, a little more than the clock with which the kernel stamps files is late. */
const lateness = 5;

/** A build compares times: a source that is written must be newer than what was made from it before, even in the same tick. */
export const justNow = (): number => (Date.now() + lateness) / 1000;

/** When a file that is written now was changed, as far as a command sees. */
export const timeFor = (folder: Folder): number => (folder.products ? justNow() : time);

/** And what is made from it now must not be older than the source: a few milliseconds before each build. */
export function waitFor(seconds: number): void {
  const left = seconds * 1000 + lateness - Date.now();
  if (left > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left);
}

export function isThere(folder: Folder, path: string, entry: Entry): boolean {
  const stats = lstatSync(placeOf(folder, path), { throwIfNoEntry: false });
  if (stats === undefined) return false;
  return entry.kind === 'folder' ? stats.isDirectory() : isUntouched(folder, path, entry);
}

export function isUntouched(folder: Folder, path: string, entry: Entry): boolean {
  const full = placeOf(folder, path);
  const stats = lstatSync(full);
  if (entry.kind === 'link') return stats.isSymbolicLink() && targetOf(join(folder.work, path)) === entry.target;
  const written = folder.written.get(path);
  return (
    entry.kind === 'file' &&
    stats.size === entry.bytes.length &&
    stats.mtimeMs === written?.mtimeMs &&
    stats.ctimeMs === written.ctimeMs &&
    stats.ino === written.ino &&
    stats.mode === written.mode &&
    (!mayHideAChange(folder, written.ctimeMs, stats.size) || hasBytes(full, entry.bytes))
  );
}

/** Files that are compared byte by byte after every test; with more of them, that would cost more than the test. */
const few = 64;
const small = 256 * 1024;
/** Milliseconds in which two changes may get the same time: the kernel's clock ticks every 4 to 10. */
const tick = 20;

/**
 * A program can restore a file's time, but not the time of its last change (ctime). That proves nothing if the file was
 * written so shortly before the test that both may be in one tick. And writing through a memory map changes no time at all on
 * tmpfs, so small inputs are always compared.
 */
const mayHideAChange = (folder: Folder, ctimeMs: number, size: number): boolean =>
  ctimeMs > folder.put - tick || (size <= small && folder.written.size <= few);

function hasBytes(path: string | Buffer, bytes: Uint8Array): boolean {
  try {
    return Buffer.compare(readFileSync(path), bytes) === 0;
  } catch {
    return false;
  }
}

export const placeOf = (folder: Folder, path: string): string | Buffer => onDisk(join(folder.work, path));

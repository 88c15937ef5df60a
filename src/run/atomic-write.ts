/** Writes files and folders completely or not at all. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Entry } from '../core/artifact.js';
import { UserError } from '../core/index.js';
import { onDisk } from '../sources/file-names.js';
import { temporaryName } from './made.js';

/** Runs a function that writes, and turns its error into a sentence. */
export function writable<T>(
  path: string,
  write: () => T,
  otherwise = 'Choose another path with --run or --output.',
): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
    throw new UserError(
      `${resolve(path)} can't be written: ${message}.`,
      isFull ? 'Free some disk space. The results so far are kept.' : otherwise,
      isFull ? 1 : 2,
    );
  }
}

/**
 * mkdir -p. Node's own never ends if nothing can be created, for example under /proc. Returns the folders that did not
 * exist before, the outermost first.
 */
export function makeFolder(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
  const above = dirname(path);
  const made = above === path ? [] : makeFolder(above);
  try {
    mkdirSync(path);
    return [...made, path];
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
    return made;
  }
}

/** The first line marks a folder that culprit made, the second keeps it out of git. */
export const mark = '# Made by culprit. What it needs no longer can be deleted.\n*\n';

/** Marks a folder, unless it already has a file of that name. A process that is killed here leaves no mark that is cut short. */
export function markFolder(folder: string): void {
  const path = join(folder, '.gitignore');
  if (existsSync(path)) return;
  try {
    writeFile(path, mark, { exclusive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

export interface Writing {
  readonly executable?: boolean;
  /** Readable by its owner only. */
  readonly secret?: boolean;
  /** The folder for the temporary file; next to the file if that is on another disk. */
  readonly via?: string;
  /** The path must not exist yet. */
  readonly exclusive?: boolean;
  /** Synced to disk before it gets its name. */
  readonly sync?: boolean;
}

/** Complete or not there at all: written under another name, then renamed. */
export function writeFile(path: string, content: string | Uint8Array, how: Writing = {}): void {
  const write = (folder: string) => {
    const aside = join(folder, temporaryName());
    try {
      const mode = how.secret ? 0o600 : how.executable ? 0o755 : 0o644;
      const file = openSync(aside, 'wx', mode);
      try {
        writeFileSync(file, content);
        if (how.sync) fsyncSync(file);
      } finally {
        closeSync(file);
      }
      if (how.exclusive) placeNew(aside, path);
      else renameSync(aside, path);
    } catch (error) {
      rmSync(aside, { force: true });
      throw error;
    }
  };
  beside(path, how.via, write);
  if (how.sync) syncFolder(dirname(path));
}

/** A link is created only if the name is free; renaming would replace what another process put there a moment ago. */
function placeNew(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch (error) {
    if (!noLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    closeSync(openSync(path, 'wx'));
    renameSync(aside, path);
    return;
  }
  rmSync(aside, { force: true });
}

const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** Uses this folder for the temporary file, or the path's own folder if the two are on different disks. */
export function beside(path: string, via: string | undefined, write: (folder: string) => void): void {
  try {
    write(via ?? dirname(path));
  } catch (error) {
    if (via === undefined || (error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    write(dirname(path));
  }
}

/** Fills a new folder. */
export function writeFresh(path: string, files: ReadonlyMap<string, Entry>, sync = false): void {
  mkdirSync(path);
  const folders = new Set([path]);
  for (const [name, entry] of files) {
    const target = onDisk(join(path, name));
    const folder = join(path, entry.kind === 'folder' ? name : dirname(name));
    mkdirSync(onDisk(folder), { recursive: true });
    folders.add(folder);
    if (entry.kind === 'file')
      writeFileSync(target, entry.bytes, { mode: entry.executable ? 0o755 : 0o644, flag: 'wx', flush: sync });
    else if (entry.kind === 'link') symlinkSync(onDisk(entry.target), target);
  }
  if (sync) for (const folder of folders) syncFolder(folder);
}

/** A name is on disk once its folder is synced. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(onDisk(path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {
    // Not every system can open or sync a folder; the file itself was synced.
  }
}

/** Syncs everything in a folder, and its name. */
export function syncAll(path: string): void {
  syncFolder(dirname(path));
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    if (entry.isFile() || entry.isDirectory()) syncFolder(join(entry.parentPath, entry.name));
  syncFolder(path);
}

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Artifact, Entry } from '../core/artifact.js';
import { UserError } from '../core/index.js';

/** Runs what writes, and says in a sentence what stood in its way. */
export function writable<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
    throw new UserError(
      `${resolve(path)} can't be written: ${message}.`,
      isFull ? 'Make room there. What was found so far is kept.' : 'Name another place with --run or --output.',
      isFull ? 1 : 2,
    );
  }
}

/** mkdir -p, which Node's own can't do where nothing can be made: it tries for ever below /proc. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path);
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Complete or not there at all: written `by` another name (on the same disk where it can be), then put in place. */
export function writeFile(
  path: string,
  content: string | Uint8Array,
  { executable = false, by = `${path}.tmp` }: { readonly executable?: boolean; readonly by?: string } = {},
): void {
  const write = (aside: string) => {
    try {
      writeFileSync(aside, content, { mode: executable ? 0o755 : 0o644 });
      renameSync(aside, path);
    } catch (error) {
      rmSync(aside, { force: true });
      throw error;
    }
  };
  try {
    write(by);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    write(`${path}.tmp`);
  }
}

/**
 * Makes a folder hold an artifact, complete at every moment. Where one file differs, it is put in place of the old one;
 * else the folder is written beside and renamed. Between its two renames a killed process leaves it as `<path>.old`.
 */
export function writeFolder(path: string, artifact: Artifact): void {
  const [only] = artifact.files;
  if (artifact.files.size === 1 && only?.[1].kind === 'file' && !artifact.args && holdsOnly(path, only[0])) {
    writeFile(join(path, only[0]), only[1].bytes, { executable: only[1].executable === true, by: `${path}.new` });
    return;
  }
  const fresh = `${path}.new`;
  rmSync(fresh, { recursive: true, force: true });
  try {
    mkdirSync(fresh, { recursive: true });
    for (const [name, entry] of artifact.files) writeEntry(join(fresh, name), entry);
    if (artifact.args) writeFileSync(join(fresh, 'arguments.json'), `${JSON.stringify(artifact.args)}\n`);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
  const old = `${path}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(path)) renameSync(path, old);
  renameSync(fresh, path);
  rmSync(old, { recursive: true, force: true });
}

function writeEntry(target: string, entry: Entry): void {
  mkdirSync(entry.kind === 'folder' ? target : dirname(target), { recursive: true });
  if (entry.kind === 'file') writeFileSync(target, entry.bytes, { mode: entry.executable ? 0o755 : 0o644 });
  else if (entry.kind === 'link') symlinkSync(entry.target, target);
}

/** Whether a folder holds a file of this name, in no folder of its own, and nothing else. */
function holdsOnly(folder: string, name: string): boolean {
  if (name.includes('/') || !lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  const names = readdirSync(folder);
  return names.length === 1 && names[0] === name && lstatSync(join(folder, name)).isFile();
}

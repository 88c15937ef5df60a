/** Reads the files and folders that a user names, and identifies artifacts by their content. */
import { hash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Artifact, Entry } from '../core/artifact.js';
import { UserError } from '../core/index.js';
import { addAll } from '../core/lists.js';
import { namesIn, onDisk, targetOf } from './file-names.js';

/** What was given on the command line: where it came from, and its name in the workspace. */
export interface Given {
  readonly path: string;
  readonly name: string;
  readonly folder: boolean;
}

/** Whether something in a folder, by its full path, is read. */
export type IsChosen = (path: string, isFolder: boolean) => boolean;

/** Reads files and folders as they are: links stay links, and unreadable files are reported. */
export function readArtifact(
  paths: readonly string[],
  chosenIn: (root: string, name: string) => IsChosen = () => () => true,
): { readonly artifact: Artifact; readonly given: readonly Given[] } {
  const files = new Map<string, Entry>();
  const given: Given[] = [];
  for (const path of paths) {
    const name = basename(resolve(path));
    if (given.some(each => each.name === name))
      throw new UserError(`Two of the inputs are called ${name}.`, 'Give the folder that holds both of them instead.');
    // A link given by name means what it points to; a link inside a folder is ordinary data.
    const stats = explained(path, () => statSync(path));
    if (!stats.isFile() && !stats.isDirectory())
      throw new UserError(`${path} is neither a file nor a folder.`, 'Write its output to a file first.');
    const real = explained(path, () => realpathSync(path));
    given.push({ path, name, folder: stats.isDirectory() });
    readInto(files, real, name, chosenIn(real, name));
  }
  return { artifact: { files: sorted(files) }, given };
}

function readInto(files: Map<string, Entry>, path: string, name: string, isChosen: IsChosen): void {
  const stats = explained(path, () => lstatSync(onDisk(path)));
  if (stats.isSymbolicLink()) {
    files.set(name, { kind: 'link', target: targetOf(path) });
  } else if (stats.isDirectory()) {
    const names = [...explained(path, () => namesIn(path))].sort();
    if (names.length === 0) files.set(name, { kind: 'folder' });
    for (const each of names) {
      const full = join(path, each);
      if (each === '.culprit' || each === '.git' || !isChosen(full, isDirectory(full))) continue;
      readInto(files, full, `${name}/${each}`, isChosen);
    }
  } else if (stats.isFile()) {
    demandSize(path, stats.size);
    const bytes = explained(path, () => readFileSync(onDisk(path)));
    files.set(name, { kind: 'file', bytes, ...((stats.mode & 0o111) !== 0 ? { executable: true } : {}) });
  }
}

/** The largest number of bytes that fits into one string: V8's limit. */
const largest = 512 * 1024 * 1024 - 64;

export function demandSize(name: string, size: number): void {
  if (size > largest)
    throw new UserError(
      `${name} has ${size} bytes; at most ${largest} are supported.`,
      'Make it smaller first, with a tool for its format or with split(1): half of it may fail too.',
    );
}

const isDirectory = (path: string): boolean =>
  lstatSync(onDisk(path), { throwIfNoEntry: false })?.isDirectory() === true;

/** What Node makes of each byte of an argument that is not valid UTF-8. */
const notUtf8 = '\uFFFD';

/** Runs a function that reads what the user named, and turns its error into a sentence. */
export function explained<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new UserError(
        `There is no file or folder ${path}.`,
        path.includes(notUtf8)
          ? 'Its name is not valid UTF-8, and Node cannot pass on such a name. Rename it, or give the folder that contains it.'
          : 'Check the path; it is read from the folder you are in.',
      );
    if (code === 'EACCES')
      throw new UserError(
        `${path} can't be read: permission denied.`,
        'Check its permissions (ls -l), or run as its owner.',
      );
    throw new UserError(`${path} can't be read: ${(error as Error).message}.`, 'Check the path.');
  }
}

const sorted = (files: Map<string, Entry>): ReadonlyMap<string, Entry> =>
  new Map([...files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));

const digests = new WeakMap<Entry, string>();

/** What identifies an artifact: its content. Entries that many artifacts share are hashed once. */
export const identify = (artifact: Artifact): string => identity(artifact, digestOf);

/** Its identity if whitespace is ignored. It never leaves the process. */
export const identifyIgnoringWhitespace = (artifact: Artifact): string => identity(artifact, gistOfEntry);

function identity(artifact: Artifact, of: (entry: Entry) => string): string {
  const parts: string[] = [];
  for (const [path, entry] of artifact.files) parts.push(path, of(entry));
  if (artifact.args) addAll(parts, ['args', ...artifact.args]);
  if (artifact.env) for (const name of Object.keys(artifact.env).sort()) parts.push(`${name}=${artifact.env[name]}`);
  return digest(parts.join('\0'));
}

const identities = new WeakMap<Entry, string>();

function gistOfEntry(entry: Entry): string {
  let identity = identities.get(entry);
  if (identity === undefined)
    identities.set(entry, (identity = entry.kind === 'file' ? digest(withoutBlanks(entry.bytes)) : digestOf(entry)));
  return identity;
}

const withoutBlanks = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[ \t\r\n]+/g, '');

function digestOf(entry: Entry): string {
  const known = digests.get(entry);
  if (known) return known;
  const fresh =
    entry.kind === 'file'
      ? digest(entry.bytes) + (entry.executable ? 'x' : '')
      : entry.kind === 'link'
        ? `-> ${entry.target}`
        : '/';
  digests.set(entry, fresh);
  return fresh;
}

const digest = (data: string | Uint8Array): string =>
  hash('sha256', typeof data === 'string' ? onDisk(data) : data, 'base64url').slice(0, 24);

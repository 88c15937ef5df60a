import { hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Circumstance, type Configuration, has, UserError } from '../core/index.js';
import type { Text } from '../syntax/decode.js';
import type { Artifact, Entry } from './artifact.js';

export { decode, type Text } from '../syntax/decode.js';

/** What was given on the command line: where it came from, and under which name it lies in the workspace. */
export interface Given {
  readonly path: string;
  readonly name: string;
  readonly folder: boolean;
}

/** Reads files and folders as they are: links stay links, and what can't be read is said. */
export function readArtifact(paths: readonly string[]): {
  readonly artifact: Artifact;
  readonly given: readonly Given[];
} {
  const files = new Map<string, Entry>();
  const given: Given[] = [];
  for (const path of paths) {
    const name = basename(resolve(path));
    if (given.some(each => each.name === name))
      throw new UserError(`Two of the inputs are called ${name}.`, 'Give the folder that holds both of them instead.');
    // A link given by name means what it points to; a link inside a folder is data like any other.
    const real = explained(path, () => realpathSync(path));
    const stats = explained(path, () => lstatSync(real));
    if (!stats.isFile() && !stats.isDirectory())
      throw new UserError(`${path} is neither a file nor a folder.`, 'Write what comes out of it to a file first.');
    given.push({ path, name, folder: stats.isDirectory() });
    readInto(files, real, name);
  }
  return { artifact: { files: sorted(files) }, given };
}

function readInto(files: Map<string, Entry>, path: string, name: string): void {
  const stats = explained(path, () => lstatSync(path));
  if (stats.isSymbolicLink()) {
    files.set(name, { kind: 'link', target: readlinkSync(path) });
  } else if (stats.isDirectory()) {
    const names = explained(path, () => readdirSync(path)).sort();
    if (names.length === 0) files.set(name, { kind: 'folder' });
    for (const each of names)
      if (each !== '.culprit' && each !== '.git') readInto(files, join(path, each), `${name}/${each}`);
  } else if (stats.isFile()) {
    if (stats.size > largest)
      throw new UserError(
        `${path} has ${stats.size} bytes, and a file may have ${largest}.`,
        'Cut it first with the tool that it is for, or with split(1): half of it may fail too.',
      );
    const bytes = explained(path, () => readFileSync(path));
    files.set(name, { kind: 'file', bytes, ...((stats.mode & 0o111) !== 0 ? { executable: true } : {}) });
  }
}

/** What fits into one string, as bytes: V8's limit. */
const largest = 512 * 1024 * 1024 - 64;

function explained<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new UserError(
        `There is no file or folder ${path}.`,
        'Check the path; it is read from the folder you are in.',
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

/** What an artifact is known by: its content. Entries that many artifacts share are hashed once. */
export const identify = (artifact: Artifact): string => identity(artifact, digestOf);

/** What it is known by where blank space means nothing. It never leaves the process. */
export const gistOf = (artifact: Artifact): string => identity(artifact, gistOfEntry);

function identity(artifact: Artifact, of: (entry: Entry) => string): string {
  const parts: string[] = [];
  for (const [path, entry] of artifact.files) parts.push(path, of(entry));
  if (artifact.args) parts.push('args', ...artifact.args);
  if (artifact.env) for (const name of Object.keys(artifact.env).sort()) parts.push(`${name}=${artifact.env[name]}`);
  return digest(parts.join('\0'));
}

const gists = new WeakMap<Entry, string>();

function gistOfEntry(entry: Entry): string {
  let gist = gists.get(entry);
  if (gist === undefined)
    gists.set(entry, (gist = entry.kind === 'file' ? digest(withoutBlanks(entry.bytes)) : digestOf(entry)));
  return gist;
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

const digest = (data: string | Uint8Array): string => hash('sha256', data, 'base64url').slice(0, 24);

/** Whole files, links and empty folders, as deltas; with `also`, what goes together with a file. */
export function wholeFiles(
  artifact: Artifact,
  paths: readonly string[],
  also?: (files: Map<string, Entry>, path: string) => void,
): Circumstance<Artifact> {
  return {
    name: 'file',
    count: paths.length,
    weights: paths.map(path => {
      const entry = artifact.files.get(path);
      return entry?.kind === 'file' ? entry.bytes.length + 1 : 1;
    }),
    build(configuration: Configuration) {
      const files = new Map(artifact.files);
      for (const [delta, path] of paths.entries()) {
        if (has(configuration, delta)) continue;
        files.delete(path);
        also?.(files, path);
      }
      return { ...artifact, files };
    },
    describe: delta => paths[delta]!,
  };
}

/** One file's text and a circumstance over it. */
export interface FilePart {
  readonly path: string;
  readonly encoding: Text['encoding'];
  readonly inner: Circumstance<string>;
}

/** Circumstances over the texts of files as one over the artifact: the deltas of the first file come first. */
export function inFiles(artifact: Artifact, name: string, parts: readonly FilePart[]): Circumstance<Artifact> {
  const starts: number[] = [];
  let count = 0;
  for (const { inner } of parts) {
    starts.push(count);
    count += inner.count;
  }
  const partOf = (delta: number) => starts.findLastIndex(start => start <= delta);
  const weights = parts.map(({ inner }) => inner.weights);
  const isWeighed = weights.every(each => each !== undefined);
  return {
    name,
    count,
    ...(isWeighed ? { weights: weights.length === 1 ? weights[0]! : weights.flatMap(each => Array.from(each!)) } : {}),
    build(configuration) {
      const files = new Map(artifact.files);
      for (const [i, { path, encoding, inner }] of parts.entries()) {
        const own = parts.length === 1 ? configuration : window(configuration, starts[i]!, inner.count);
        // A file none of whose deltas is left out stays the entry that it was: it is neither built nor hashed again.
        if (own.length === 2 && own[0] === 0 && own[1] === inner.count) continue;
        const text = inner.build(own);
        if (text === undefined) return undefined;
        const entry = artifact.files.get(path);
        const executable = entry?.kind === 'file' && entry.executable ? { executable: true } : {};
        files.set(path, { kind: 'file', bytes: Buffer.from(text, encoding), ...executable });
      }
      return { ...artifact, files };
    },
    describe(delta) {
      const i = partOf(delta);
      const words = parts[i]!.inner.describe?.(delta - starts[i]!) ?? `${name} ${delta}`;
      return parts.length === 1 ? words : `${parts[i]!.path}: ${words}`;
    },
  };
}

/** A circumstance over one file's text as a circumstance over the artifact. */
export const inFile = (
  artifact: Artifact,
  path: string,
  encoding: Text['encoding'],
  inner: Circumstance<string>,
): Circumstance<Artifact> => inFiles(artifact, inner.name, [{ path, encoding, inner }]);

/** The part of a configuration between `from` and `from + count`, counted from 0. */
export function window(configuration: Configuration, from: number, count: number): Configuration {
  const ranges: number[] = [];
  for (let i = 0; i < configuration.length; i += 2) {
    const low = Math.max(configuration[i]!, from) - from;
    const high = Math.min(configuration[i + 1]!, from + count) - from;
    if (low < high) ranges.push(low, high);
  }
  return ranges;
}

/** Finds out which words of a command name a file that the command writes. It runs in a copy of the user's folder. */
import { lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Artifact, Entry } from '../../core/artifact.js';
import type { Given } from '../../sources/files.js';
import { surroundingsOf } from '../../sources/surroundings.js';
import { CommandOracle } from './command.js';
import type { OracleOptions } from './options.js';
import { mayBeWritten, pathIn } from './resolve-words.js';

/** What the names of outputs depend on. */
export interface Writing
  extends Pick<
    OracleOptions,
    'command' | 'differs' | 'stdin' | 'memory' | 'sandbox' | 'inside' | 'mirrors' | 'isInputless' | 'folder' | 'build'
  > {
  readonly given: readonly Given[];
  readonly artifact: Artifact;
  /** The artifact is a whole folder: it does not need a copy of the user's around it. */
  readonly isWhole?: boolean;
  readonly cwd: string;
  /** Seconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/**
 * The words that the command writes to. It is run once on the input in a copy of the user's folder, so that a script finds
 * the files beside it. A file with a new time or a new identity was written, whatever it contains.
 */
export async function findOutputs(writing: Writing): Promise<readonly string[]> {
  const { command, given, artifact, isWhole, cwd, timeout, signal, ...running } = writing;
  const words = mayBeWritten(command, given, cwd, running);
  if (words.length === 0) return [];
  const files = new Map(isWhole ? [] : surroundingsOf(cwd).files);
  const typed = new Map(words.map((word, i) => [word, placeOf(pathIn(word).path, i, cwd)]));
  const places = new Map([...typed].map(([word, place]) => [word, join(running.folder ?? '', place)]));
  // What is elsewhere, or was too large to be copied with the folder, is copied separately.
  for (const [word, place] of places)
    if (!isCopied(files, place) && !isCopied(artifact.files, place)) {
      for (const path of files.keys()) if (place.startsWith(`${path}/`)) files.delete(path);
      const bytes = contentOf(resolve(cwd, pathIn(word).path));
      if (bytes) files.set(place, { kind: 'file', bytes });
      else if (place.includes('/')) files.set(dirname(place), { kind: 'folder' });
    }
  const mirror = { ...artifact, files: inOrder([...files, ...artifact.files]) };
  const outputs = new Map([...typed].map(([word, place]) => [word, pathIn(word).option + place]));
  const oracle = new CommandOracle({ command, given, ...running, jobs: 1, cwd, outputs });
  try {
    const before = new Map<string, string>();
    const { seen } = await oracle.observe(mirror, timeout, signal, {
      placed: root => {
        for (const [word, place] of places) before.set(word, stampOf(root, place));
      },
      built: () => ({}),
      ran: root => words.filter(word => stampOf(root, places.get(word)!) !== before.get(word)),
    });
    return seen ?? [];
  } finally {
    await oracle.close();
  }
}

/** The name that an output gets in the workspaces, and the user's file as it is, because the command may read it first. */
export function outputsIn(words: readonly string[], writing: Pick<Writing, 'given' | 'artifact' | 'folder' | 'cwd'>) {
  const { given, artifact, folder = '', cwd } = writing;
  const outputs = new Map<string, string>();
  const beside = new Map<string, Entry>();
  const taken = new Set(given.map(each => each.name));
  const isTaken = (name: string) => taken.has(name) || artifact.files.has(join(folder, name));
  for (const word of words) {
    const { option, path } = pathIn(word);
    let name = basename(path);
    while (isTaken(name)) name = `_${name}`;
    taken.add(name);
    outputs.set(word, option + name);
    const bytes = contentOf(resolve(cwd, path));
    if (bytes) beside.set(join(folder, name), { kind: 'file', bytes });
  }
  return { outputs, beside };
}

/** Nothing if there is no such file: the command creates it. */
function contentOf(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function placeOf(typed: string, i: number, cwd: string): string {
  const path = relative(cwd, resolve(cwd, typed));
  return path.startsWith('..') ? `culprit-outputs/${i}/${basename(typed)}` : path;
}

const isCopied = (files: ReadonlyMap<string, Entry>, place: string): boolean => files.get(place)?.kind === 'file';

function stampOf(root: string, place: string): string {
  const stats = lstatSync(resolve(root, place), { throwIfNoEntry: false });
  return stats === undefined ? 'gone' : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}

const inOrder = (files: Iterable<readonly [string, Entry]>): ReadonlyMap<string, Entry> =>
  new Map([...new Map(files)].sort(([a], [b]) => (a < b ? -1 : 1)));

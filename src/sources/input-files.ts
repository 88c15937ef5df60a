/** Lists the files of folders as separate inputs, each identified by its content, and reads one again when it is needed. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Artifact } from '../core/artifact.js';
import { explained, identify } from './files.js';

export interface InputFile {
  readonly path: string;
  /** Its name in a workspace: inputs with the same extension share a name, so that equal contents are one artifact. */
  readonly name: string;
  readonly identity: string;
  readonly bytes: number;
}

export interface InputFiles {
  readonly files: readonly InputFile[];
  /** Files that can't be read, links to folders, and the README that AFL leaves next to its crashes. */
  readonly skipped: readonly string[];
}

/** Every file in these folders and all below them, in ascending order. */
export function listInputFiles(paths: readonly string[]): InputFiles {
  const files: InputFile[] = [];
  const skipped: string[] = [];
  const visit = (path: string, isLink = false): void => {
    const stats = unlessUnreadable(() => statSync(path));
    const entries =
      stats?.isDirectory() && !isLink ? unlessUnreadable(() => readdirSync(path, { withFileTypes: true })) : undefined;
    if (entries) {
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)))
        if (!entry.name.startsWith('.')) visit(join(path, entry.name), entry.isSymbolicLink());
      return;
    }
    const input = stats?.isFile() ? unlessUnreadable(() => readInput(path)) : undefined;
    if (input) files.push(input);
    else skipped.push(path);
  };
  for (const path of new Set(paths)) {
    explained(path, () => (statSync(path).isDirectory() ? readdirSync(path) : undefined));
    visit(path);
  }
  return { files, skipped };
}

/** The file as an artifact, if it is still what it was when it was listed. */
export function readAgain({ path, name, identity }: InputFile): Artifact | undefined {
  const artifact = unlessUnreadable(() => artifactOf(name, readFileSync(path)));
  return artifact && identify(artifact) === identity ? artifact : undefined;
}

function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

export const artifactOf = (name: string, bytes: Uint8Array): Artifact => ({
  files: new Map([[name, { kind: 'file', bytes }]]),
});

function readInput(path: string): InputFile | undefined {
  const name = `input${extensionOf(path)}`;
  const bytes = readFileSync(path);
  if (basename(path) === 'README.txt' && bytes.includes(fuzzerNote)) return undefined;
  return { path, name, identity: identify(artifactOf(name, bytes)), bytes: bytes.length };
}

/** The file that AFL leaves next to its crashes, which is not a crash. */
const fuzzerNote = 'Command line used to find this crash';

/** An extension indicates the language. The part after the last dot of a fuzzer's file name is often not an extension. */
const extensionOf = (path: string): string => (/^\.[A-Za-z][\w+-]{0,9}$/.test(extname(path)) ? extname(path) : '');

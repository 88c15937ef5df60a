/** The files of a passing and a failing artifact, read as text. */

import { characters, lines, tokens } from '../../circumstances/text.js';
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';

export interface Pair {
  readonly passing: Artifact;
  readonly failing: Artifact;
}

export const cuts = { line: lines, token: tokens, character: characters } as const;
export type Cut = keyof typeof cuts;

export const textOf = (artifact: Artifact, path: string) => decode(fileAt(artifact, path).bytes);
export const fileAt = (artifact: Artifact, path: string) =>
  artifact.files.get(path) as Extract<Entry, { kind: 'file' }>;
export const bothText = (passing: Artifact, failing: Artifact, path: string) =>
  passing.files.get(path)?.kind === 'file' && failing.files.get(path)?.kind === 'file';

export function sameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  if (a?.kind === 'file' && b?.kind === 'file')
    return Buffer.from(a.bytes).equals(b.bytes) && !a.executable === !b.executable;
  if (a?.kind === 'link' && b?.kind === 'link') return a.target === b.target;
  return a?.kind === b?.kind;
}

export function put(files: Map<string, Entry>, path: string, entry: Entry | undefined): void {
  if (entry) files.set(path, entry);
  else files.delete(path);
}

export const inOrder = (files: Map<string, Entry>): ReadonlyMap<string, Entry> =>
  new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));

/** The files of a passing and a failing artifact, read as text. */

import { characters, lines, tokens } from '../../circumstances/text.js';
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode, isBinary } from '../../core/decode.js';

export interface Pair {
  readonly passing: Artifact;
  readonly failing: Artifact;
}

export const cuts = { line: lines, token: tokens, character: characters } as const;
export type Cut = keyof typeof cuts;

/** Both versions of a file, read in the same way: a text that mixes them is written in one encoding, and must lose no byte of either. */
export function textsOf({ passing, failing }: Pair, path: string) {
  const [a, b] = [fileAt(passing, path).bytes, fileAt(failing, path).bytes];
  const [old, now] = [decode(a), decode(b)];
  if (old.encoding === now.encoding) return { encoding: now.encoding, passing: old.text, failing: now.text };
  const byByte = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
  return { encoding: 'latin1' as const, passing: byByte(a), failing: byByte(b) };
}
/** A file whose lines mean nothing. */
export const isData = (entry: Entry | undefined): entry is Extract<Entry, { kind: 'file' }> =>
  entry?.kind === 'file' && isBinary(entry.bytes);

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

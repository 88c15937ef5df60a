/** A pass over one text, in several files together. */
import type { FilePart } from '../../circumstances/files.js';
import { type Artifact, bytesOf, type Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { pauseIfDue } from '../../engine/index.js';
import { editing } from '../../reductions/edits.js';
import { importOrder } from '../../reductions/text/imports.js';
import { type Structure, structureOf, type TextPass } from '../../reductions/tree/index.js';
import { type ReduceOptions, structureOptions } from './text-passes.js';

/**
 * The size of everything, for a pass over one text of it. The text counts in characters, as its own length does: one that is alone must be known as such, whatever
 * letters it has.
 */
export const sizeAround = (bytes: number, entry: Extract<Entry, { readonly kind: 'file' }>, text: string): number =>
  bytes - entry.bytes.length + text.length;

/** What a pass offers in each of some files. */
export async function partsIn(
  artifact: Artifact,
  isWanted: (path: string) => boolean,
  options: ReduceOptions,
  passOf: (structure: Structure, path: string) => TextPass,
): Promise<readonly FilePart[]> {
  const parts: FilePart[] = [];
  const bytes = bytesOf(artifact);
  for (const path of importOrder(artifact)) {
    const entry = artifact.files.get(path);
    if (entry?.kind !== 'file' || !isWanted(path)) continue;
    const { text, encoding } = decode(entry.bytes);
    const structure = await structureOf(path, structureOptions(options));
    if (structure.syntax.grammar === undefined) continue;
    const pass = passOf(structure, path);
    const edits = await pass.edits(text, sizeAround(bytes, entry, text));
    await pauseIfDue();
    if (edits.length > 0) parts.push({ path, encoding, inner: editing(pass.name, text, edits) });
  }
  return parts;
}

/** What triage knows: each file with its failure, each variant with its minimal form, and the groups that follow from them. */
import type { Outcome } from '../../core/index.js';
import type { InputFile } from '../../sources/input-files.js';

/** A file, and what its run showed. */
export interface TestedFile extends InputFile {
  readonly outcome: Outcome;
  /** The failure, with its stack; see `signatureOf`. */
  readonly signature?: string;
  /** The failure in words. */
  readonly text?: string;
  /** Why it neither passes nor fails. */
  readonly reason?: string;
  readonly seconds?: number;
}

/** The minimal form of one variant. */
export interface Reduction {
  readonly signature: string;
  /** The file that it comes from. */
  readonly from: string;
  readonly name: string;
  readonly form: Uint8Array;
  /** What was proven; empty if the search was stopped. */
  readonly minimal: readonly string[];
  readonly isDone: boolean;
  /** What the form becomes if its stack may change and its key may not. */
  readonly loose?: { readonly signature: string; readonly form: Uint8Array };
  /** Forms of other files of the variant, if they were also reduced, to a different text. */
  readonly others?: readonly OtherForm[];
}

export interface OtherForm {
  readonly from: string;
  readonly form: Uint8Array;
}

export interface Triage {
  readonly files: readonly TestedFile[];
  readonly reductions: ReadonlyMap<string, Reduction>;
  /** Paths of files that contain the minimal form of their variant verbatim. */
  readonly containing: ReadonlySet<string>;
}

/** Files that fail with one key on one stack, or on stacks that turned out to be the same. */
export interface Variant {
  readonly signatures: readonly string[];
  readonly files: readonly TestedFile[];
  readonly text: string;
  /** The smallest form of its signatures. */
  readonly reduction?: Reduction;
}

/** Files that fail with one key. */
export interface Group {
  readonly key: string;
  readonly count: number;
  readonly variants: readonly Variant[];
}

/** One line for the key, one for the stack: neither contains line ends. */
export const signatureOf = (key: string, stack: readonly string[]): string => `${key}\n${stack.join(' ← ')}`;
export const keyOf = (signature: string): string => signature.slice(0, signature.lastIndexOf('\n'));
export const stackOf = (signature: string): string => signature.slice(signature.lastIndexOf('\n') + 1);

/** The files that fail, by signature; those with the most files first. */
export function filesBySignature(files: readonly TestedFile[]): ReadonlyMap<string, readonly TestedFile[]> {
  const found = new Map<string, TestedFile[]>();
  for (const file of files) {
    if (file.outcome !== 'fail' || file.signature === undefined) continue;
    const same = found.get(file.signature);
    if (same) same.push(file);
    else found.set(file.signature, [file]);
  }
  return new Map([...found].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1)));
}

/** The smallest file is the cheapest to reduce. */
export const smallest = (files: readonly TestedFile[]): TestedFile =>
  files.reduce((best, file) =>
    file.bytes < best.bytes || (file.bytes === best.bytes && file.identity < best.identity) ? file : best,
  );

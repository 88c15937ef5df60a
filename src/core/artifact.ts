/** What a command is tested on: files, and its arguments and environment if they vary. */

/** One entry of a folder under test. Symlinks, empty folders and executable bits are data like any other. */
export type Entry =
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly executable?: boolean }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'folder' };

/** A file that holds files, as a folder: a zip (also as a document or a package), a tar, what was compressed by gzip, or the objects of a PDF. */
export interface Archive {
  readonly format: 'zip' | 'tar' | 'gzip' | 'pdf';
  /** What the format says of each member besides its name and content, in the order of the file. */
  readonly heads: ReadonlyMap<string, Uint8Array>;
  readonly executable?: boolean;
}

/** What a command is tested on. Anything that is undefined is as it is for the user. */
export interface Artifact {
  /** Paths relative to the workspace, with `/`; in ascending order. */
  readonly files: ReadonlyMap<string, Entry>;
  /** The folders among them that are one file for the command, by path. */
  readonly archives?: ReadonlyMap<string, Archive>;
  /** The command's arguments, if they vary. */
  readonly args?: readonly string[];
  /** The whole environment, if it varies. */
  readonly env?: Readonly<Record<string, string>>;
}

export const bytesOf = (artifact: Artifact): number => {
  let total = 0;
  for (const entry of artifact.files.values()) total += entry.kind === 'file' ? entry.bytes.length : 0;
  return total;
};

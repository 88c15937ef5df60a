/** The interface of everything that may differ. */
import type { Configuration } from './configuration.js';
import type { FileTraces, Trace } from './trace.js';

/**
 * What may differ: a family of deltas over a base, and how to build an artifact from the deltas that are applied.
 * All deltas applied is the artifact that fails. What the absence of a delta means is up to the circumstance:
 * deleted, replaced by something smaller, hoisted, or deleted together with every use of it.
 */
export interface Circumstance<Artifact> {
  /** A word for one delta, in the singular: `line`, `token`, `option`, `action`. */
  readonly name: string;
  /** How many deltas there are; they are numbered from 0. */
  readonly count: number;
  /** The artifact of a configuration, or `undefined` if it can't be built: unresolved, and no test is run. */
  build(configuration: Configuration): Artifact | undefined;
  /** What each delta weighs (bytes, say), if they differ. */
  readonly weights?: ArrayLike<number>;
  /** For deltas that form a tree: each delta's parent, −1 for a root. A parent has a smaller number than its children. */
  readonly parents?: ArrayLike<number>;
  /** A delta in words, for people. */
  describe?(delta: number): string;
  /** Where the parts of an artifact come from: what `build` kept of the base, and what it put in. */
  trace?(configuration: Configuration): TraceOf<Artifact>;
  /** For deltas that edit texts: what each of them does if it is left out. */
  readonly edited?: Edited;
  /** What a delta is about, the same in a later artifact as long as another question about it would be the same again. */
  identify?(delta: number): string;
}

/** Texts, and what each delta changes in them. */
export interface Edited {
  /** By file; a text without a file has the name ''. */
  readonly texts: ReadonlyMap<string, string>;
  changes(delta: number): readonly Change[];
}

/** Replaces a part of a text. */
export interface Change {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** For a text, its fragments; for files, those of each file that changed; nothing else is traced. */
export type TraceOf<Artifact> = Artifact extends string
  ? Trace
  : Artifact extends { readonly files: unknown }
    ? FileTraces
    : never;

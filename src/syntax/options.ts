/** What a user can set about the structure of a file. */

export interface StructureOptions {
  /** A language by name; without it, the file's name decides. */
  readonly language?: string;
  /** A user's own grammar, a `.wasm` file. */
  readonly grammar?: string;
  /** `syntactic`: no coupled edits. `semantic`: no edit leaves a dangling reference. Without it: both kinds, unfiltered. */
  readonly level?: 'syntactic' | 'semantic';
  /** What must stay. */
  readonly keep?: RegExp;
  /** Names may change; default yes. */
  readonly rename?: boolean;
}

/** What a user may ask for about the structure of a file. */

export interface StructureOptions {
  /** A language by name, else by the file's name. */
  readonly language?: string;
  /** A user's own grammar, a `.wasm` file. */
  readonly grammar?: string;
  /** `syntactic`: no coupled edits. `semantic`: no edit leaves a dangling reference. Else both sorts, unfiltered. */
  readonly level?: 'syntactic' | 'semantic';
  /** What must stay. */
  readonly keep?: RegExp;
  /** Names may change; default yes. */
  readonly rename?: boolean;
}

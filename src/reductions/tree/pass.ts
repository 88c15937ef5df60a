/** What a pass over one text is. */
import type { Edit } from '../../syntax/edit.js';

/** A way to look for reductions of a text. The edits of one list share one base: they can be made together. */
export interface TextPass {
  /** A word for one of its edits, in the singular: `node`, `hoist`, `declaration with uses`. */
  readonly name: string;
  /**
   * In an order in which neighbours are likely to succeed together; what should be tried first comes last. `whole` is the size
   * of all files together, if there are more.
   */
  edits(text: string, whole?: number): Promise<readonly Edit[]> | readonly Edit[];
}

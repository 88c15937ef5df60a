/** A part of old that goes into a part of new that still has what is around it, or what is in it. */
import type { FlatTree } from '../flat-tree.js';
import type { Range } from './put-back.js';

export interface LostPart {
  /** The part in old. */
  readonly from: Range;
  readonly node: number;
  /** What becomes `text` in new. */
  readonly start: number;
  readonly end: number;
  /** With the names of new. */
  readonly text: string;
}

export interface Versions {
  readonly old: FlatTree;
  readonly now: FlatTree;
  /** A part of old under the names of new. */
  write(from: Range, node: number): string;
}

/** What a family of programs reports about its own failure: the types that all families share. */
import type { Output } from './output.js';

/** One function on the stack of the program that failed. */
export interface Frame {
  readonly name: string;
  /** Where it is defined, if known: frames in the input itself do not count. */
  readonly file?: string;
  /** Where that file makes the call: `/home/me/check.js:7:5`. */
  readonly site?: string;
}

/** What a family of programs says about its own failure, as it was printed. */
export interface Found {
  readonly kind: string;
  /** The error's own line. Numbers and quoted pieces of the input in it do not count. */
  readonly line: string;
  /** A place in the program's own source: `class2.c:148 merge_chain`. Its numbers count, unless the place is in the input. */
  readonly place?: string;
  /** More words that count as they are: the class of an outer exception, the pass of a compiler. */
  readonly also?: readonly string[];
  /** The program's frames, innermost first, without the machinery that reports failures. */
  readonly frames: readonly Frame[];
  /** Places of all calls on the stack, innermost first, even those in unnamed functions: `/home/me/check.js:7:5`. */
  readonly sites?: readonly string[];
  /** How many meaningful frames count. 0 for endless recursion, because its innermost frames are random. */
  readonly depth: number;
  /** For people, if the line and the frames would not read well. */
  readonly words?: string;
}

/** The line of a program that only says that it crashed. */
export const crash = 'crash';

/** One family of programs: reads its report from an output, if there is one. */
export type Family = (output: Output) => Found | undefined;

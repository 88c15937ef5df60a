/** Functions of a file that other files can call, and a program that calls them again with what they were given. */
import type { FlatTree } from './flat-tree.js';

/** A function that reports with what it is called. */
export interface Called {
  /** How others reach it: a name that the file exports; empty if it is the whole export. */
  readonly name: string;
  /** The text in which it reports under this number: what is put where. */
  report(id: number): readonly { readonly at: number; readonly text: string }[];
}

/** A call that can be written down: the arguments as literals, with commas. */
export interface WrittenCall {
  readonly path: string;
  readonly name: string;
  readonly values: string;
}

/** How a language writes down its calls. */
export interface CallWriting {
  calledIn(tree: FlatTree): readonly Called[];
  /** The start of a program that makes these calls one after the other, and prints what they return. `entry`: its own path, and the text that it replaces. */
  program(calls: readonly WrittenCall[], entry: { readonly path: string; readonly text: string }): string;
}

/** The text in which these functions report, the first one under the number `from`. */
export function reportingCalls(text: string, functions: readonly Called[], from: number): string {
  const added = functions
    .flatMap((each, i) => each.report(from + i))
    .map((one, i) => ({ ...one, i }))
    .sort((a, b) => a.at - b.at || a.i - b.i);
  const pieces: string[] = [];
  let position = 0;
  for (const { at, text: piece } of added) {
    pieces.push(text.slice(position, at), piece);
    position = at;
  }
  return pieces.join('') + text.slice(position);
}

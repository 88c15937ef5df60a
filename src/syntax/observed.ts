/** Expressions that can report their values in a run, and the text in which they do. */
import { type FlatTree, grammarAt, isNamed, textOf } from './flat-tree.js';

/** How the values of a language's expressions are observed. */
export interface Observation {
  /** Whether the value of a node may pass through a function call, and nothing else changes. */
  canReport(tree: FlatTree, node: number): boolean;
  /** Whether to evaluate a node changes nothing, as far as the text shows it. Without this, nothing is known. */
  isPure?(tree: FlatTree, node: number): boolean;
  /** What is written before and after an expression, so that it reports its value under a number. `plain`: its text. */
  around(id: number, plain: string): readonly [before: string, after: string];
  /** The text with the functions that are called, for so many numbers in all files together, if no runtime has them. */
  withPrelude?(text: string, count: number, isAlone: boolean): string;
}

/** The expressions that can report, each before those inside it. */
export function observable(tree: FlatTree): readonly number[] {
  const found: number[] = [];
  for (let node = 1; node < tree.count; node++)
    if (isNamed(tree, node) && grammarAt(tree, node).language.observation?.canReport(tree, node)) found.push(node);
  return found;
}

/** The text in which these expressions report, the first one under the number `from`. */
export function reporting(tree: FlatTree, nodes: readonly number[], from: number): string {
  const pieces: string[] = [];
  const open: { readonly end: number; readonly after: string }[] = [];
  let position = 0;
  const copyTo = (end: number): void => {
    pieces.push(tree.text.slice(position, end));
    position = end;
  };
  const closeUntil = (start: number): void => {
    for (let last = open.at(-1); last !== undefined && last.end <= start; last = open.at(-1)) {
      copyTo(last.end);
      pieces.push(last.after);
      open.pop();
    }
  };
  for (const [i, node] of nodes.entries()) {
    closeUntil(tree.start[node]!);
    copyTo(tree.start[node]!);
    const [before, after] = grammarAt(tree, node).language.observation!.around(from + i, textOf(tree, node));
    pieces.push(before);
    open.push({ end: tree.end[node]!, after });
  }
  closeUntil(tree.text.length);
  copyTo(tree.text.length);
  return pieces.join('');
}

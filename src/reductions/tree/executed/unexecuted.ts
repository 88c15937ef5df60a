/** Removes the code that a run of the text did not execute. */
import type { Edit, Span } from '../../../syntax/edit.js';
import {
  childAt,
  type FlatTree,
  grammarAt,
  is,
  isLeaf,
  isNamed,
  kindOf,
  partsOf,
  textOf,
} from '../../../syntax/flat-tree.js';
import { isFunction } from '../../../syntax/functions.js';
import { type Removal, removals } from '../../../syntax/removals.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { put } from '../../../syntax/text-cut.js';
import { emptied, returning, valueless } from '../bodies.js';
import { removal } from '../delete.js';
import type { TextPass } from '../pass.js';

/** What did not run: start, end, start, end … in the text. */
export interface IdleCode {
  readonly ranges: readonly number[];
  /** Only lines are known, so only whole blocks count. */
  readonly isByLine?: boolean;
}

/**
 * The outermost nodes that did not run. A function is made although it is not called, and something may name it: its body is
 * emptied. Of what is not even reached, such as one side of a branch, everything goes.
 */
export function unexecuted(syntax: Syntax, { ranges, isByLine = false }: IdleCode): TextPass {
  return {
    name: 'code that did not run',
    async edits(text) {
      const tree = await syntax.tree(text);
      const isIdle = within(ranges);
      const known = isByLine ? noRemovals : new Map(removals(tree).map(one => [one.node, one]));
      const last = lastReturns(tree);
      const staysFor = (node: number): boolean =>
        !isFunction(tree, node) && last.subarray(node, tree.past[node]!).includes(1);
      const edits: Edit[] = [];
      for (let node = 1; node < tree.count; ) {
        // Of a part that stays, the word `else` is no part of its own.
        const isGone = isNamed(tree, node) && isIdle(tree.start[node]!, tree.end[node]!) && !staysFor(node);
        const edit = isGone ? editAt(tree, node, known) : undefined;
        if (edit) edits.push(edit);
        node = edit ? tree.past[node]! : node + 1;
      }
      return edits;
    },
  };
}

const noRemovals: ReadonlyMap<number, Removal> = new Map();

function editAt(tree: FlatTree, node: number, known: ReadonlyMap<number, Removal>): Edit | undefined {
  const isMade = isFunction(tree, node);
  const one = !isMade && isWhole(tree, node) ? known.get(node) : undefined;
  if (one) return removal(tree, one);
  const body = isMade ? childAt(tree, node, 'body')! : node;
  const span = (isMade && valueless(tree, body)) || emptiedAt(tree, node, body, isMade);
  return span && { spans: [span], label: `empty ${kindOf(tree, body)}` };
}

const emptiedAt = (tree: FlatTree, node: number, body: number, isMade: boolean): Span | undefined =>
  isMade || is(tree, body, 'body') ? (returning(tree, node) ?? emptied(tree, body)) : held(tree, node);

/**
 * The last `return` of each function, in a language whose compiler insists on one: without it, the function may seem to end without a value,
 * although it always leaves before that. With it stay the variables that it names: one that is missing would spoil the whole question.
 */
function lastReturns(tree: FlatTree): Uint8Array {
  const last = new Uint8Array(tree.count + 1);
  let names: ReadonlySet<string> = new Set();
  let from = 0;
  /** Whether it declares something for the whole block that the `return` is in. */
  const isSeen = (node: number): boolean =>
    is(tree, node, 'introducing') &&
    is(tree, tree.parent[node]!, 'statementList') &&
    tree.past[tree.parent[node]!]! > from;
  for (let node = tree.count - 1, start = tree.count; node > 0; node--) {
    if (grammarAt(tree, node).language.insistsOnReturn !== true) continue;
    const isInside = node >= start;
    const isLast = !isInside && is(tree, node, 'return') && partsOf(tree, node).length > 0;
    if (isLast) {
      // Whatever is before it in the same function is not the last one.
      for (start = node; start > 0 && !isFunction(tree, start); ) start = tree.parent[start]!;
      [names, from] = [new Set(), node];
    }
    const own = isLast || (isInside && isSeen(node)) ? namesIn(tree, node) : [];
    if (!isLast && !own.some(name => names.has(name))) continue;
    last[node] = 1;
    names = new Set([...names, ...own]);
  }
  return last;
}

/** The names in it, except those of types. */
function namesIn(tree: FlatTree, node: number): readonly string[] {
  const found: string[] = [];
  for (let leaf = node; leaf < tree.past[node]!; leaf++)
    if (isLeaf(tree, leaf) && is(tree, leaf, 'identifier') && !is(tree, leaf, 'typeName'))
      found.push(textOf(tree, leaf));
  return found;
}

/** The only statement of an `if` or a loop. */
function held(tree: FlatTree, node: number): Span | undefined {
  const { emptyStatement } = grammarAt(tree, node).language;
  const isOnly = is(tree, node, 'statement') && is(tree, tree.parent[node]!, 'holdsStatement');
  if (emptyStatement === undefined || !isOnly) return undefined;
  return put(tree.text, tree.start[node]!, tree.end[node]!, emptyStatement);
}

/**
 * Whether it is a statement, an `else` or a `case`. Without other parts, what is left may be an error that a parse table does
 * not show (the only `catch` of a `try`, the only statement of an `if`), and one error spoils the whole question.
 */
const isWhole = (tree: FlatTree, node: number): boolean =>
  is(tree, tree.parent[node]!, 'statementList') ||
  is(tree, node, 'elseBranch') ||
  (is(tree, node, 'statementList') && !is(tree, node, 'body'));

/** Whether a part of the text is in one of the ranges, which are sorted. */
function within(ranges: readonly number[]): (start: number, end: number) => boolean {
  return (start, end) => {
    let [low, high] = [0, ranges.length / 2];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[2 * middle + 1]! <= start) low = middle + 1;
      else high = middle;
    }
    return low < ranges.length / 2 && ranges[2 * low]! <= start && end <= ranges[2 * low + 1]!;
  };
}

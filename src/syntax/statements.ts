/** Which lines of a text form a statement or a member that can be left out as a whole, and how these are nested. */
import { indexLines } from '../core/line-index.js';
import { broken, childAt, type FlatTree, grammarAt, is, isNamed } from './flat-tree.js';

/** Something on lines of its own. Lines are counted from 0. */
export interface Statement {
  readonly from: number;
  readonly to: number;
  /** The innermost one around it; −1 at the top. */
  readonly parent: number;
}

export interface Statements {
  readonly statements: readonly Statement[];
  /** The innermost statement that each line belongs to: of a block, its header and its end. −1: none. */
  readonly ownerOf: Int32Array;
}

/** What may follow the last sign of a statement on its line. */
const afterEnd = /^[ \t\r]*[,;]?[ \t\r]*(?:\/\/.*|#.*|\/\*.*\*\/[ \t\r]*)?$/;

export function statementsIn(tree: FlatTree): Statements {
  const { text } = tree;
  const { starts, lineAt } = indexLines(text);
  const lineEnd = (line: number): number => (line + 1 < starts.length ? starts[line + 1]! - 1 : text.length);
  const statements: Statement[] = [];
  const ownerOf = new Int32Array(starts.length).fill(-1);
  /** The statements around the node that is visited, and where the tree leaves them. */
  const open: { readonly index: number; readonly past: number }[] = [];
  for (let node = 1; node < tree.count; node++) {
    while (open.length > 0 && node >= open.at(-1)!.past) open.pop();
    if (!isSeparable(tree, node)) continue;
    // Conditions of the preprocessor end after the line break.
    const past = tree.start[node]! + text.slice(tree.start[node], tree.end[node]).trimEnd().length;
    const [from, last] = [lineAt(tree.start[node]!), lineAt(Math.max(tree.start[node]!, past - 1))];
    const before = text.slice(starts[from], tree.start[node]).trim();
    // `} else {` up to the line before its last brace, which then ends what comes before it.
    const isArm = before === '}' && last > from && text.slice(starts[last], lineEnd(last)).trim() === '}';
    const to = isArm ? last - 1 : last;
    const isFirst = before === '' || (before === ',' && isItem(tree, node));
    const isAligned = isArm || (isFirst && afterEnd.test(text.slice(past, lineEnd(to))));
    const around = open.at(-1);
    const parent = around?.index ?? -1;
    // Text without parts, such as the data at the end of a program: any of its lines can be left out.
    const isText = tree.past[node] === node + 1 && last > from;
    const isSame = parent >= 0 && statements[parent]!.from === from && statements[parent]!.to === to;
    if (!isAligned || isSame || isText) continue;
    statements.push({ from, to, parent });
    open.push({ index: statements.length - 1, past: tree.past[node]! });
    ownerOf.fill(statements.length - 1, from, to + 1);
  }
  return { statements, ownerOf };
}

const isSeparable = (tree: FlatTree, node: number): boolean =>
  isNamed(tree, node) &&
  (tree.flags[node]! & broken) === 0 &&
  (is(tree, node, 'separable') ||
    isElement(tree, node) ||
    isDeclarator(tree, node) ||
    isInList(tree, tree.parent[node]!));

/** Something between commas, which may also be at the beginning of its line. */
const isItem = (tree: FlatTree, node: number): boolean =>
  isDeclarator(tree, node) || is(tree, tree.parent[node]!, 'collection');

/** One of the variables of `var a = 1, b = 2`. */
const isDeclarator = (tree: FlatTree, node: number): boolean =>
  is(tree, tree.parent[node]!, 'declared') && childAt(tree, node, 'value') !== undefined;

/** An element of a page: JSX is an expression, which can't be left out everywhere. */
const isElement = (tree: FlatTree, node: number): boolean =>
  is(tree, node, 'element') && grammarAt(tree, node).language.markup === true;

/** The statements of a block, and the items of a list: any of them can be left out. */
const isInList = (tree: FlatTree, parent: number): boolean =>
  is(tree, parent, 'statementList') || is(tree, parent, 'body') || is(tree, parent, 'collection');

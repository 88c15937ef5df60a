/** The texts and numbers of a text, and what each of them is for: the value of a variable or a member, or what one is compared with. */
import { childAt, childrenOf, type FlatTree, fieldOf, is, isComment, isLeaf, isNamed, textOf } from '../flat-tree.js';
import { logicalOperatorOf } from './additions.js';

/** A text or a number. */
export interface Literal {
  readonly node: number;
  /** What is between the quotes of a text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly kind: 'text' | 'number' | 'constant';
}

/** A longer text is for people. */
const longest = 300;

/** Those inside a node. An empty file has nothing inside. */
export function literalsIn(tree: FlatTree, outer: number): readonly Literal[] {
  const found: Literal[] = [];
  const add = (node: number, kind: Literal['kind'], start: number, end: number) => {
    if (end - start <= longest) found.push({ node, start, end, text: tree.text.slice(start, end), kind });
  };
  for (let node = outer + 1; node < tree.past[outer]!; node++) {
    if (isComment(tree, node)) continue;
    if (is(tree, node, 'textLiteral')) {
      if (is(tree, tree.parent[node]!, 'textLiteral')) continue;
      for (const [start, end] of contentOf(tree, node)) add(node, 'text', start, end);
    } else if (isLeaf(tree, node)) {
      if (is(tree, node, 'numberLiteral')) add(node, 'number', tree.start[node]!, tree.end[node]!);
      else if (constant.test(textOf(tree, node))) add(node, 'constant', tree.start[node]!, tree.end[node]!);
    }
  }
  return found;
}

const constant = /^(?:true|false|null|undefined|None|True|False|nil|NULL)$/;

/** What is put into a text is code. */
const isCode = (tree: FlatTree, node: number): boolean =>
  isNamed(tree, node) && !isLeaf(tree, node) && !is(tree, node, 'textLiteral');

/** What is between the quotes, or between what is put into it. */
function contentOf(tree: FlatTree, node: number): readonly (readonly [number, number])[] {
  const pattern = childAt(tree, node, 'pattern');
  if (pattern !== undefined) return [[tree.start[pattern]!, tree.end[pattern]!]];
  const children = childrenOf(tree, node);
  const [first, last] = [children[0], children.at(-1)];
  // The grammar does not look into it.
  if (first === undefined || last === undefined || first === last) return [[tree.start[node]!, tree.end[node]!]];
  const pieces: (readonly [number, number])[] = [];
  let start = tree.end[first]!;
  for (const child of children.slice(1, -1).filter(each => isCode(tree, each))) {
    if (start < tree.start[child]!) pieces.push([start, tree.start[child]!]);
    start = tree.end[child]!;
  }
  return start < tree.start[last]! || pieces.length === 0 ? [...pieces, [start, tree.start[last]!]] : pieces;
}

/** What a literal is for: `= a` is the value of `a`, by default or always, and `== a` is what `a` is compared with. Undefined if nothing says so. */
export function purposeOf(tree: FlatTree, literal: number): string | undefined {
  let node = literal;
  for (let up = tree.parent[node]!; up > 0; node = up, up = tree.parent[up]!) {
    const given = givenIn(tree, up, node);
    if (given !== undefined) return `= ${given}`;
    const compared = comparedIn(tree, up, node);
    if (compared !== undefined) return `== ${compared}`;
    // `a = b || 'c'`, and `a = b ? b : 'c'`.
    const isSide = fieldOf(tree, node) === 'right' && logicalOperatorOf(tree, up) !== undefined;
    const isBranch = ['alternative', 'consequence'].includes(fieldOf(tree, node)) && !is(tree, up, 'statement');
    if (!isSide && !isBranch && !is(tree, up, 'parenthesized')) return undefined;
  }
  return undefined;
}

/** Fields of a name, and of the value that goes with it. */
export const naming = [
  ['key', 'value'],
  ['name', 'value'],
  ['property', 'value'],
  ['declarator', 'value'],
  ['left', 'right'],
] as const;

/** The variable or member that a node is the value of. */
function givenIn(tree: FlatTree, parent: number, node: number): string | undefined {
  const operator = childAt(tree, parent, 'operator');
  if (operator !== undefined && textOf(tree, operator) !== '=') return undefined;
  for (const [nameField, valueField] of naming) {
    const name = fieldOf(tree, node) === valueField ? childAt(tree, parent, nameField) : undefined;
    if (name !== undefined) return lastWord(textOf(tree, name));
  }
  return undefined;
}

/** What is on the other side of `==`. */
function comparedIn(tree: FlatTree, parent: number, node: number): string | undefined {
  const operator = childAt(tree, parent, 'operator');
  if (operator === undefined || !comparing.test(textOf(tree, operator))) return undefined;
  const other = childAt(tree, parent, fieldOf(tree, node) === 'left' ? 'right' : 'left');
  return other === undefined ? undefined : lastWord(textOf(tree, other));
}

const comparing = /^(?:[=!]==?|[<>]=?)$/;

/** `self.mode` and `mode` are about the same. */
const lastWord = (name: string): string | undefined => /([\p{L}_$][\p{L}\p{N}_$]*)['"\])]*$/u.exec(name)?.[1];

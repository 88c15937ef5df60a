/** Statements as expressions, and neighbouring declarations as one, in languages of the C family. */
import type { Span } from '../edit.js';
import { childAt, childrenOf, type FlatTree, fieldOf, kindOf, partsOf, textOf } from '../flat-tree.js';
import { put } from '../text-cut.js';

/** The first of these forms that the node has. */
export const shorterStatement = (tree: FlatTree, node: number): Span | undefined =>
  ternary(tree, node) ?? sequence(tree, node) ?? joinedDeclarations(tree, node);

/** What binds less tightly than `?:`, or not as tightly in every language. */
const loose = /^(assignment|augmented_assignment|ternary|conditional|sequence|comma|arrow|yield)/;
const inBrackets = (tree: FlatTree, node: number): string =>
  loose.test(kindOf(tree, node)) ? `(${textOf(tree, node)})` : textOf(tree, node);

/** The statement itself, or the only one in its braces. */
function onlyStatement(tree: FlatTree, body: number | undefined): number | undefined {
  if (body === undefined) return undefined;
  if (!/^(statement_block|compound_statement|else_clause)$/.test(kindOf(tree, body))) return body;
  const [first, ...more] = partsOf(tree, body);
  return more.length > 0 ? undefined : onlyStatement(tree, first);
}

/** `if (x) y; else z;` as `x?y:z;`, and `if (x) return y; else return z;` as `return x?y:z;`. */
function ternary(tree: FlatTree, node: number): Span | undefined {
  if (kindOf(tree, node) !== 'if_statement') return undefined;
  const condition = childAt(tree, node, 'condition');
  const [asked, ...others] = condition === undefined ? [] : partsOf(tree, condition);
  const branches = ['consequence', 'alternative'].map(field => onlyStatement(tree, childAt(tree, node, field)));
  const [yes, no] = branches;
  if (asked === undefined || others.length > 0 || yes === undefined || no === undefined) return undefined;
  const kind = kindOf(tree, yes);
  if (kind !== kindOf(tree, no) || !/^(expression_statement|return_statement)$/.test(kind)) return undefined;
  const [[done], [otherwise]] = [partsOf(tree, yes), partsOf(tree, no)];
  if (done === undefined || otherwise === undefined) return undefined;
  const word = kind === 'return_statement' ? 'return ' : '';
  const text = `${word}${inBrackets(tree, asked)}?${inBrackets(tree, done)}:${inBrackets(tree, otherwise)};`;
  return shorter(tree, node, text);
}

/** `{ a; b; }` as `a,b;`, as the body of another statement. */
function sequence(tree: FlatTree, node: number): Span | undefined {
  if (!/^(statement_block|compound_statement)$/.test(kindOf(tree, node))) return undefined;
  if (!/^(if|for|for_in|while|do)_statement$|^else_clause$/.test(kindOf(tree, tree.parent[node]!))) return undefined;
  const parts = partsOf(tree, node);
  if (parts.length < 2 || parts.some(part => kindOf(tree, part) !== 'expression_statement')) return undefined;
  const values = parts.map(part => partsOf(tree, part)[0]);
  if (values.some(value => value === undefined)) return undefined;
  return shorter(tree, node, `${values.map(value => textOf(tree, value!)).join()};`);
}

const declaration = /^(lexical_declaration|variable_declaration|declaration|field_declaration)$/;

/** `int a; int b;` as `int a,b;`. */
function joinedDeclarations(tree: FlatTree, node: number): Span | undefined {
  if (!declaration.test(kindOf(tree, node))) return undefined;
  const siblings = partsOf(tree, tree.parent[node]!);
  const before = siblings[siblings.indexOf(node) - 1];
  if (before === undefined || tree.kind[before] !== tree.kind[node]) return undefined;
  const [ours, theirs] = [declaratorsOf(tree, node), declaratorsOf(tree, before)];
  if (ours.length === 0 || theirs.length === 0) return undefined;
  const specifier = (one: number, first: number) => tree.text.slice(tree.start[one], tree.start[first]).trim();
  if (specifier(node, ours[0]!) !== specifier(before, theirs[0]!)) return undefined;
  return put(tree.text, tree.end[theirs.at(-1)!]!, tree.start[ours[0]!]!, ',');
}

const declaratorsOf = (tree: FlatTree, node: number): readonly number[] =>
  childrenOf(tree, node).filter(
    child => fieldOf(tree, child) === 'declarator' || kindOf(tree, child) === 'variable_declarator',
  );

function shorter(tree: FlatTree, node: number, text: string): Span | undefined {
  const [from, to] = [tree.start[node]!, tree.end[node]!];
  return text.length < to - from ? put(tree.text, from, to, text) : undefined;
}

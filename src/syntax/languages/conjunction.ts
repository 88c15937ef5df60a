/** A conditional statement as an expression: `if (x) y` as `x && y`, in languages of the C family. */
import type { Span } from '../edit.js';
import { childAt, childrenOf, type FlatTree, kindOf, partsOf, textOf } from '../flat-tree.js';
import { put } from '../text-cut.js';

/** What binds less tightly than `&&`. */
const loose = /^(assignment|augmented_assignment|ternary|conditional|sequence|comma|arrow|yield)/;
const looseSigns = new Set(['||', '??']);

/** Nothing if there is an alternative, if the body is more than one expression, or if it would not be shorter. */
export function conjunction(tree: FlatTree, node: number): Span | undefined {
  if (kindOf(tree, node) !== 'if_statement' || childAt(tree, node, 'alternative') !== undefined) return undefined;
  const condition = childAt(tree, node, 'condition');
  const body = childAt(tree, node, 'consequence') ?? childAt(tree, node, 'body');
  const [asked, ...more] = condition === undefined ? [] : partsOf(tree, condition);
  const statement = body === undefined ? undefined : onlyStatement(tree, body);
  if (asked === undefined || more.length > 0 || statement === undefined) return undefined;
  const [done] = partsOf(tree, statement);
  if (done === undefined) return undefined;
  const end = kindOf(tree, body!) === 'expression_statement' && !textOf(tree, statement).endsWith(';') ? '' : ';';
  const text = `${bound(tree, asked)}&&${bound(tree, done)}${end}`;
  const { start, end: ends } = tree;
  return text.length < ends[node]! - start[node]! ? put(tree.text, start[node]!, ends[node]!, text) : undefined;
}

/** The statement itself, or the only one in its braces. */
function onlyStatement(tree: FlatTree, body: number): number | undefined {
  if (kindOf(tree, body) === 'expression_statement') return body;
  const inside = partsOf(tree, body);
  const [first] = inside;
  return inside.length === 1 && kindOf(tree, first!) === 'expression_statement' ? first : undefined;
}

function bound(tree: FlatTree, node: number): string {
  const isLoose =
    loose.test(kindOf(tree, node)) || childrenOf(tree, node).some(one => looseSigns.has(textOf(tree, one)));
  return isLoose ? `(${textOf(tree, node)})` : textOf(tree, node);
}

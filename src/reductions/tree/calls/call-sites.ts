/** Where a call is, relative to the statement around it. */
import { type FlatTree, fieldOf, grammarAt, is, partsOf } from '../../../syntax/flat-tree.js';
import { isFunction, returnAt } from '../../../syntax/functions.js';

export interface Site {
  readonly statement: number;
  /** `whole`: the statement is nothing else; `tail`: it returns it. */
  readonly role: 'whole' | 'tail' | 'part';
  /** Only one statement is allowed there: `if (a) b()`. */
  readonly isSingle: boolean;
}

/** The statement around an expression, within its function. */
export function siteOf(tree: FlatTree, expression: number): Site | undefined {
  for (let node = expression; node > 0; node = tree.parent[node]!) {
    const above = tree.parent[node]!;
    const isSingle =
      is(tree, above, 'holdsStatement') &&
      is(tree, node, 'statement') &&
      (/^(consequence|body|alternative)$/.test(fieldOf(tree, node)) || is(tree, above, 'elseBranch'));
    const isListed = is(tree, above, 'statementList');
    if (isListed || isSingle) return { statement: node, role: roleOf(tree, node, expression), isSingle: !isListed };
    if (isFunction(tree, node)) return undefined;
  }
  return undefined;
}

function roleOf(tree: FlatTree, statement: number, expression: number): Site['role'] {
  const alone = (from: number, to: number): boolean => {
    let node = from;
    for (; node > to && is(tree, tree.parent[node]!, 'transparent'); node = tree.parent[node]!)
      if (partsOf(tree, tree.parent[node]!).length > 1) return false;
    return node === to;
  };
  if (alone(expression, statement)) return 'whole';
  const value = returnAt(tree, statement)?.value;
  return value !== undefined && alone(expression, value) ? 'tail' : 'part';
}

/** Statements as the language writes them before another one; `undefined` if it can't. */
export function before(tree: FlatTree, statements: string, last: string | undefined, site: Site): string | undefined {
  if (statements === '') return '';
  return grammarAt(tree, site.statement).language.before(statements, last, indentOf(tree, site.statement));
}

/** The whitespace before the first token of a line; `undefined` if something else comes before it. */
export function indentOf(tree: FlatTree, node: number): string | undefined {
  const start = tree.start[node]!;
  const line = tree.text.lastIndexOf('\n', start - 1) + 1;
  const before = tree.text.slice(line, start);
  return /^\s*$/.test(before) ? before : undefined;
}

import { type FlatTree, fieldOf, grammarAt, kindOf, partsOf } from '../../syntax/flat-tree.js';
import { isFunction, returnAt } from '../../syntax/functions.js';
import { isScript } from '../../syntax/languages/index.js';

/** Where an expression stands, as seen from the statement around it. */
export interface Site {
  readonly statement: number;
  /** `whole`: the statement is nothing else; `tail`: it returns it. */
  readonly role: 'whole' | 'tail' | 'part';
  /** The statement is the only one that may stand there: `if (a) b()`. */
  readonly isSingle: boolean;
}

const lists =
  /^(program|module|source_file|chunk|statement_block|compound_statement|block|body_statement|statements|switch_case|switch_default|case_statement|then|else|do)$/;
const wrappers =
  /^(parenthesized_expression|unary_expression|expression_statement|non_null_expression|await_expression)$/;

/** The statement around an expression, within the function that it stands in. */
export function siteOf(tree: FlatTree, expression: number): Site | undefined {
  for (let node = expression; node > 0; node = tree.parent[node]!) {
    const above = tree.parent[node]!;
    const isSingle =
      /statement|clause/.test(kindOf(tree, above)) &&
      /statement$/.test(kindOf(tree, node)) &&
      (/^(consequence|body|alternative)$/.test(fieldOf(tree, node)) || /else/.test(kindOf(tree, above)));
    const isListed = lists.test(kindOf(tree, above));
    if (isListed || isSingle) return { statement: node, role: roleOf(tree, node, expression), isSingle: !isListed };
    if (isFunction(tree, node)) return undefined;
  }
  return undefined;
}

function roleOf(tree: FlatTree, statement: number, expression: number): Site['role'] {
  const alone = (from: number, to: number): boolean => {
    let node = from;
    for (; node > to && wrappers.test(kindOf(tree, tree.parent[node]!)); node = tree.parent[node]!)
      if (partsOf(tree, tree.parent[node]!).length > 1) return false;
    return node === to;
  };
  if (alone(expression, statement)) return 'whole';
  const value = returnAt(tree, statement)?.value;
  return value !== undefined && alone(expression, value) ? 'tail' : 'part';
}

const closed = /[;{}]\s*$/;

/** Statements one after the other, in the layout of the language; `undefined` where a line break is needed and none can be. */
export function before(tree: FlatTree, statements: string, last: string, site: Site): string | undefined {
  if (statements === '') return '';
  const { language: tongue } = grammarAt(tree, site.statement);
  const language = tongue.name;
  if (isScript(tongue))
    return /;\s*$/.test(statements) || (closed.test(statements) && !open.test(last)) ? statements : `${statements};`;
  if (closed.test(statements) && !/^(python|ruby|lua|go|kotlin|swift|bash)$/.test(language)) return statements;
  if (language !== 'python') return `${statements}\n`;
  const indent = indentOf(tree, site.statement);
  if (indent !== undefined) return `${statements}\n${indent}`;
  return /\n/.test(statements) || /^(if|for|while|try|with|function|class|match|decorated)_/.test(last)
    ? undefined
    : `${statements};`;
}

/** Kinds that end with a bracket now and then, and are not at their end by that. */
const open = /^(expression_statement|variable_declaration|lexical_declaration|return_statement)$/;

/** The blank space before the first token of a line; `undefined` if something else stands before it. */
export function indentOf(tree: FlatTree, node: number): string | undefined {
  const start = tree.start[node]!;
  const line = tree.text.lastIndexOf('\n', start - 1) + 1;
  const before = tree.text.slice(line, start);
  return /^\s*$/.test(before) ? before : undefined;
}

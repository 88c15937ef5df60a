import { fieldOf, kindOf, type Outline, partsOf, tongueOf } from '../../syntax/flat-tree.js';
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
export function siteOf(outline: Outline, expression: number): Site | undefined {
  for (let node = expression; node > 0; node = outline.parent[node]!) {
    const above = outline.parent[node]!;
    const isSingle =
      /statement|clause/.test(kindOf(outline, above)) &&
      /statement$/.test(kindOf(outline, node)) &&
      (/^(consequence|body|alternative)$/.test(fieldOf(outline, node)) || /else/.test(kindOf(outline, above)));
    const isListed = lists.test(kindOf(outline, above));
    if (isListed || isSingle) return { statement: node, role: roleOf(outline, node, expression), isSingle: !isListed };
    if (isFunction(outline, node)) return undefined;
  }
  return undefined;
}

function roleOf(outline: Outline, statement: number, expression: number): Site['role'] {
  const alone = (from: number, to: number): boolean => {
    let node = from;
    for (; node > to && wrappers.test(kindOf(outline, outline.parent[node]!)); node = outline.parent[node]!)
      if (partsOf(outline, outline.parent[node]!).length > 1) return false;
    return node === to;
  };
  if (alone(expression, statement)) return 'whole';
  const value = returnAt(outline, statement)?.value;
  return value !== undefined && alone(expression, value) ? 'tail' : 'part';
}

const closed = /[;{}]\s*$/;

/** Statements one after the other, in the layout of the language; `undefined` where a line break is needed and none can be. */
export function before(outline: Outline, statements: string, last: string, site: Site): string | undefined {
  if (statements === '') return '';
  const { language: tongue } = tongueOf(outline, site.statement);
  const language = tongue.name;
  if (isScript(tongue))
    return /;\s*$/.test(statements) || (closed.test(statements) && !open.test(last)) ? statements : `${statements};`;
  if (closed.test(statements) && !/^(python|ruby|lua|go|kotlin|swift|bash)$/.test(language)) return statements;
  if (language !== 'python') return `${statements}\n`;
  const indent = indentOf(outline, site.statement);
  if (indent !== undefined) return `${statements}\n${indent}`;
  return /\n/.test(statements) || /^(if|for|while|try|with|function|class|match|decorated)_/.test(last)
    ? undefined
    : `${statements};`;
}

/** Kinds that end with a bracket now and then, and are not at their end by that. */
const open = /^(expression_statement|variable_declaration|lexical_declaration|return_statement)$/;

/** The blank space before the first token of a line; `undefined` if something else stands before it. */
export function indentOf(outline: Outline, node: number): string | undefined {
  const start = outline.start[node]!;
  const line = outline.text.lastIndexOf('\n', start - 1) + 1;
  const before = outline.text.slice(line, start);
  return /^\s*$/.test(before) ? before : undefined;
}

/** Calls of exported functions of JavaScript. */
import { dirname, relative } from 'node:path/posix';
import type { Called, CallWriting, WrittenCall } from '../../calls.js';
import { childAt, type FlatTree, kindOf, partsOf, textOf } from '../../flat-tree.js';
import { javascriptModules } from './modules.js';

/** An expression or a declaration that is a function, and what it is called in its file. */
interface Named {
  readonly local: string;
  readonly node: number;
}

const functions = /^(function_declaration|function_expression|function|arrow_function)$/;

/** Functions at the top of a file, and those that are assigned to its exports. */
function namedIn(tree: FlatTree): readonly Named[] {
  const found: Named[] = [];
  const add = (local: string, node: number | undefined): void => {
    if (node !== undefined && functions.test(kindOf(tree, node))) found.push({ local, node });
  };
  const nameOf = (node: number): string => {
    const name = childAt(tree, node, 'name');
    return name === undefined ? '' : textOf(tree, name);
  };
  const visit = (statement: number): void => {
    const kind = kindOf(tree, statement);
    if (kind === 'export_statement') for (const part of partsOf(tree, statement)) visit(part);
    else if (functions.test(kind)) add(nameOf(statement), statement);
    else if (kind === 'lexical_declaration' || kind === 'variable_declaration')
      for (const each of partsOf(tree, statement)) add(nameOf(each), childAt(tree, each, 'value'));
    else if (kind === 'expression_statement')
      for (const each of partsOf(tree, statement)) {
        const [left, right] = [childAt(tree, each, 'left'), childAt(tree, each, 'right')];
        const own = left === undefined ? null : /^(?:module\.)?exports(?:\.([\w$]+))?$/.exec(textOf(tree, left));
        if (own !== null) add(own[1] ?? wholeExport, right);
      }
  };
  for (const statement of partsOf(tree, 0)) visit(statement);
  return found;
}

const wholeExport = 'module.exports';

function calledIn(tree: FlatTree): readonly Called[] {
  const { exports } = javascriptModules.read(tree);
  const value = javascriptModules.exports?.wholeValue(tree);
  const whole = value === undefined ? undefined : textOf(tree, value);
  return namedIn(tree).flatMap(({ local, node }): Called[] => {
    const isWhole = local === wholeExport || (whole !== undefined && local === whole);
    const isDefault = new RegExp(
      `^export\\s+default\\s+(?:function\\s+)?${local.replaceAll('$', String.raw`\$`)}(?![\\w$])`,
      'm',
    ).test(tree.text);
    const name = isWhole ? '' : isDefault && local !== '' ? 'default' : exports.has(local) ? local : undefined;
    const report = name === undefined ? undefined : reportOf(tree, node);
    return report === undefined ? [] : [{ name: name!, report }];
  });
}

/** `'use strict'` means nothing after another statement. */
const directives = /^(?:\s*(?:'use [^'\n]*'|"use [^"\n]*");?)*/;

/** A call at the beginning of its body; nothing if it is a generator or asynchronous, or if its parameters take something apart. */
function reportOf(tree: FlatTree, node: number): Called['report'] | undefined {
  const body = childAt(tree, node, 'body');
  const head = body === undefined ? '' : tree.text.slice(tree.start[node]!, tree.start[body]!);
  if (body === undefined || /^(?:async\b|function\s*\*)/.test(head)) return undefined;
  const list = childAt(tree, node, 'parameters') ?? childAt(tree, node, 'parameter');
  const params = list === undefined ? [] : kindOf(tree, list) === 'identifier' ? [list] : partsOf(tree, list);
  const isArrow = kindOf(tree, node) === 'arrow_function';
  if (isArrow && params.some(each => kindOf(tree, each) !== 'identifier')) return undefined;
  const given = isArrow ? `[${params.map(each => textOf(tree, each)).join()}]` : 'arguments';
  const call = (id: number): string => `__culprit_call(${id},${given})`;
  const [start, end] = [tree.start[body]!, tree.end[body]!];
  if (kindOf(tree, body) === 'statement_block') {
    const at = start + 1 + directives.exec(tree.text.slice(start + 1, end))![0].length;
    return id => [{ at, text: `;${call(id)};` }];
  }
  return id => [
    { at: start, text: `(${call(id)},` },
    { at: end, text: ')' },
  ];
}

/** What a call returns is printed in both forms that programs print values in. What it throws is printed, and the next call is made. */
const show =
  'const show = call => { try { const value = call(); console.log(value); console.log(JSON.stringify(value)); } catch (error) { console.error(error); } };';

function program(
  calls: readonly WrittenCall[],
  { path, text }: { readonly path: string; readonly text: string },
): string {
  const isModule = /^\s*(?:import|export)\b(?!\s*\()/m.test(text);
  const files = [...new Set(calls.map(call => call.path))];
  const named = (file: string): string => {
    const way = relative(dirname(path), file);
    return JSON.stringify(way.startsWith('.') ? way : `./${way}`);
  };
  const imports = files.map((file, i) =>
    isModule ? `import * as m${i} from ${named(file)};` : `const m${i} = require(${named(file)});`,
  );
  const made = calls.map(call => {
    const whole = isModule ? '.default' : '';
    const member = call.name === '' ? whole : `.${call.name}`;
    return `show(() => m${files.indexOf(call.path)}${member}(${call.values}));`;
  });
  return [...imports, show, ...made, ''].join('\n');
}

export const javascriptCalls: CallWriting = { calledIn, program };

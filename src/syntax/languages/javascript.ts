/** JavaScript and TypeScript, with and without JSX. */
import type { Span } from '../edit.js';
import { childAt, type FlatTree, isNamed, kindOf, textOf } from '../flat-tree.js';
import { callAt, isFunction } from '../functions.js';
import { put } from '../text-cut.js';
import { conjunction } from './conjunction.js';
import { code, profile, withConstants } from './generic.js';
import { arrow } from './javascript/arrows.js';
import { javascriptCalls } from './javascript/calls.js';
import { javascriptModules } from './javascript/modules.js';
import { javascriptValues } from './javascript/values.js';
import { printingJavascript } from './printing.js';
import type { LanguageFacts, Writing } from './profile.js';
import { shorterStatement } from './shorter-statements.js';

/** Kinds that may end with a bracket without ending a statement. */
const open = /^(expression_statement|variable_declaration|lexical_declaration|return_statement)$/;

const family = {
  ...code,
  modules: javascriptModules,
  observation: javascriptValues,
  calls: javascriptCalls,
  printing: printingJavascript,
  shorterForm: (tree, node) =>
    withoutCall(tree, node) ??
    dotted(tree, node) ??
    conjunction(tree, node) ??
    shorterStatement(tree, node) ??
    arrow(tree, node),
  assignInPlace: (name, value) => `${name}=${value}`,
  synonyms: [
    ['const', 'let'],
    ['undefined', '[][0]'],
    ['Infinity', '1/0'],
    ['true', '1'],
  ],
  receiverIn: (tree, method) => (kindOf(tree, method) === 'arrow_function' ? [] : thisIn(tree, method)),
  declare: (_, name, value) => `var ${name}=${value};`,
  before: (statements, last) =>
    /;\s*$/.test(statements) || (/[;{}]\s*$/.test(statements) && last !== undefined && !open.test(last))
      ? statements
      : `${statements};`,
} satisfies Partial<LanguageFacts & Writing>;

/** What both languages with types add. */
const typed = { ...family, constants: withConstants([[/^predefined_type$/, 'any']]), idleBody: throwing };

export const javascript = profile({
  name: 'javascript',
  wasm: 'javascript',
  extensions: ['js', 'mjs', 'cjs', 'jsx', 'es6'],
  aliases: ['js', 'jsx', 'node'],
  compiler: 'input.jsx',
  ...family,
});

export const typescript = profile({
  name: 'typescript',
  wasm: 'typescript',
  extensions: ['ts', 'mts', 'cts'],
  aliases: ['ts'],
  compiler: 'input.ts',
  ...typed,
});

export const tsx = profile({
  name: 'tsx',
  wasm: 'tsx',
  extensions: ['tsx'],
  compiler: 'input.tsx',
  ...typed,
});

/** A body without a `return` is an error if the type of the function names a value. */
function throwing(tree: FlatTree, node: number): string | undefined {
  const type = childAt(tree, node, 'return_type');
  const body = childAt(tree, node, 'body');
  if (type === undefined || body === undefined || kindOf(tree, body) !== 'statement_block') return undefined;
  if (
    /^:?\s*(?:Promise<\s*)?(?:void|any|undefined|(?:Async)?(?:Iterable)?(?:Iterator|Generator)\b.*|asserts\b.*)\s*>?$/s.test(
      textOf(tree, type),
    )
  )
    return undefined;
  const least = '{throw 0}';
  return textOf(tree, body).length <= least.length ? undefined : least;
}

/** `f.call(o, a)` and `f.apply(o, [a])`. */
function withoutCall(tree: FlatTree, node: number): Span | undefined {
  const call = callAt(tree, node);
  if (call?.receiver === undefined || call.args.length === 0) return undefined;
  const how = textOf(tree, call.callee);
  if (how !== 'call' && how !== 'apply') return undefined;
  const rest = call.args.slice(1).map(arg => textOf(tree, arg));
  const list = how === 'call' ? rest.join() : (/^\[(.*)\]$/s.exec(rest[0] ?? '[]')?.[1] ?? `...${rest[0]}`);
  const { start, end } = tree;
  return put(tree.text, start[node]!, end[node]!, `${textOf(tree, call.receiver)}(${list})`);
}

/** `o["p"]`. */
function dotted(tree: FlatTree, node: number): Span | undefined {
  if (kindOf(tree, node) !== 'subscript_expression') return undefined;
  const index = childAt(tree, node, 'index');
  const object = childAt(tree, node, 'object');
  const name = index === undefined ? undefined : /^(["'])([A-Za-z_$][\w$]*)\1$/.exec(textOf(tree, index))?.[2];
  if (name === undefined || object === undefined) return undefined;
  return put(tree.text, tree.end[object]!, tree.end[node]!, `.${name}`);
}

/** `this`, if it means the receiver of this function and not of one inside it. */
function thisIn(tree: FlatTree, node: number): number[] {
  const found: number[] = [];
  for (let one = node + 1; one < tree.past[node]!; one++) {
    const kind = kindOf(tree, one);
    if (kind === 'class_body' || (isFunction(tree, one) && kind !== 'arrow_function')) one = tree.past[one]! - 1;
    else if (kind === 'this' && isNamed(tree, one)) found.push(one);
  }
  return found;
}

/** The profile of Python. */
import type { Span } from '../edit.js';
import { childAt, type FlatTree, kindOf, partsOf, textOf } from '../flat-tree.js';
import { put } from '../text-cut.js';
import { hash, profile, withConstants, withoutBrackets } from './generic.js';
import { printingPython } from './printing.js';
import { pythonCalls } from './python/calls.js';
import { pythonModules } from './python/modules.js';
import { pythonValues } from './python/values.js';

/** Statements that can't share a line with another one. */
const compound = /^(if|for|while|try|with|function|class|match|decorated)_/;

export const python = profile({
  name: 'python',
  wasm: 'python',
  extensions: ['py', 'pyi', 'pyw'],
  aliases: ['py', 'python3'],
  layout: true,
  ...hash,
  modules: pythonModules,
  observation: pythonValues,
  calls: pythonCalls,
  printing: printingPython,
  constants: withConstants([[/^(block|pass_statement)$/, 'pass']], withoutBrackets),
  mayBeEmpty: false,
  synonyms: [['True', '1']],
  shorterForm: lambda,
  assignInPlace: (name, value) => `${name}:=${value}`,
  declare: (_, name, value) => `${name}=${value};`,
  before(statements, last, indent) {
    if (indent !== undefined) return `${statements}\n${indent}`;
    return /\n/.test(statements) || (last !== undefined && compound.test(last)) ? undefined : `${statements};`;
  },
});

/** `def f(x): return y` as `f=lambda x:y`. */
function lambda(tree: FlatTree, node: number): Span | undefined {
  if (kindOf(tree, node) !== 'function_definition') return undefined;
  const [name, parameters, body] = ['name', 'parameters', 'body'].map(field => childAt(tree, node, field));
  if (name === undefined || parameters === undefined || body === undefined) return undefined;
  const [only, ...more] = partsOf(tree, body);
  if (only === undefined || more.length > 0 || kindOf(tree, only) !== 'return_statement') return undefined;
  const [value] = partsOf(tree, only);
  if (value === undefined) return undefined;
  const names = textOf(tree, parameters).slice(1, -1);
  const text = `${textOf(tree, name)}=lambda${names === '' ? '' : ` ${names}`}:${textOf(tree, value)}`;
  return put(tree.text, tree.start[node]!, tree.end[node]!, text);
}

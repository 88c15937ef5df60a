/** The profile of Python. */
import { hash, profile, withConstants, withoutBrackets } from './generic.js';
import { pythonModules } from './python-modules.js';

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
  constants: withConstants([[/^(block|pass_statement)$/, 'pass']], withoutBrackets),
  mayBeEmpty: false,
  declare: (_, name, value) => `${name}=${value};`,
  before(statements, last, indent) {
    if (indent !== undefined) return `${statements}\n${indent}`;
    return /\n/.test(statements) || (last !== undefined && compound.test(last)) ? undefined : `${statements};`;
  },
});

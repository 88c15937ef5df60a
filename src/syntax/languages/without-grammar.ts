/** Notations without a grammar: the bracket tree is used for them. */
import { profile } from './generic.js';

export const sql = profile({
  name: 'sql',
  extensions: ['sql', 'ddl'],
  comments: ['--', '/*'],
  constraint: /^(constraint|primary|unique|foreign|check|exclude|key|index)\b/i,
});
export const graphql = profile({ name: 'graphql', extensions: ['graphql', 'gql'], comments: ['#'] });
export const protobuf = profile({ name: 'protobuf', extensions: ['proto'], comments: ['//', '/*'] });
export const ini = profile({
  name: 'ini',
  extensions: ['ini', 'cfg', 'conf', 'editorconfig'],
  layout: true,
  comments: ['#', ';'],
});
export const make = profile({
  name: 'make',
  extensions: ['mk', 'mak'],
  files: ['Makefile', 'GNUmakefile'],
  layout: true,
  comments: ['#'],
});
export const glsl = profile({
  name: 'glsl',
  extensions: ['glsl', 'vert', 'frag', 'wgsl', 'hlsl'],
  comments: ['//', '/*'],
});
export const lisp = profile({
  name: 'lisp',
  extensions: ['lisp', 'el', 'rkt', 'ss', 'smt2'],
  aliases: ['scheme', 'smtlib'],
  comments: [';'],
});
export const llvm = profile({ name: 'llvm', extensions: ['ll', 'mir'], layout: true, comments: [';'] });
export const text = profile({ name: 'text', extensions: ['txt', 'log', 'csv', 'tsv'], layout: true });

/** A text in an unknown notation: lines and brackets. */
export const unknown = profile({ name: 'text', extensions: [], layout: true });

/** Settings, tables and graphs. */
import { code, hash, profile, withoutBrackets } from './generic.js';

export const hcl = profile({
  name: 'hcl',
  wasm: 'hcl',
  extensions: ['hcl', 'tf', 'tfvars'],
  aliases: ['terraform'],
  layout: true,
  ...hash,
});
export const yaml = profile({
  name: 'yaml',
  wasm: 'yaml',
  extensions: ['yaml', 'yml'],
  aliases: ['yml'],
  layout: true,
  comments: ['#'],
  constants: withoutBrackets,
});
export const properties = profile({
  name: 'properties',
  wasm: 'properties',
  extensions: ['properties'],
  layout: true,
});
export const dtd = profile({ name: 'dtd', wasm: 'dtd', extensions: ['dtd'] });
export const toml = profile({
  name: 'toml',
  wasm: 'toml',
  from: '@tree-sitter-grammars/tree-sitter-toml',
  extensions: ['toml'],
  files: ['Cargo.lock', 'poetry.lock', 'uv.lock'],
  layout: true,
  comments: ['#'],
});
export const dot = profile({
  name: 'dot',
  wasm: 'dot',
  from: '@lumis-sh/wasm-dot',
  extensions: ['gv', 'dot'],
  aliases: ['graphviz', 'gv'],
  ...code,
});

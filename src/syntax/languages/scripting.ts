/** Scripting languages and others with names, of which only the grammar is known. */
import { code, hash, profile } from './generic.js';

export const dart = profile({ name: 'dart', wasm: 'dart', extensions: ['dart'], ...code });
export const gdscript = profile({ name: 'gdscript', wasm: 'gdscript', extensions: ['gd'], layout: true, ...hash });
export const perl = profile({ name: 'perl', wasm: 'perl', extensions: ['pl', 'pm', 't'], ...hash });
export const r = profile({ name: 'r', wasm: 'r', extensions: ['r', 'R'], layout: true, ...hash });
export const zig = profile({ name: 'zig', wasm: 'zig', extensions: ['zig'], ...code });
export const sparql = profile({ name: 'sparql', wasm: 'sparql', extensions: ['rq', 'sparql'], ...hash });
export const query = profile({ name: 'query', wasm: 'query', extensions: ['scm'] });

/** The profiles of functional languages. */
import { code, hash, profile, withoutBrackets } from './generic.js';

const dashes = { names: true, comments: ['--'] } as const;

export const scala = profile({ name: 'scala', wasm: 'scala', extensions: ['scala', 'sc'], layout: true, ...code });
export const elixir = profile({ name: 'elixir', wasm: 'elixir', extensions: ['ex', 'exs'], layout: true, ...hash });
export const elm = profile({
  name: 'elm',
  wasm: 'elm',
  extensions: ['elm'],
  layout: true,
  ...dashes,
  constants: withoutBrackets,
});
export const haskell = profile({
  name: 'haskell',
  wasm: 'haskell',
  extensions: ['hs'],
  layout: true,
  ...dashes,
  constants: withoutBrackets,
});
export const agda = profile({ name: 'agda', wasm: 'agda', extensions: ['agda'], layout: true, ...dashes });
export const clojure = profile({
  name: 'clojure',
  wasm: 'clojure',
  extensions: ['clj', 'cljs', 'cljc', 'edn'],
  names: true,
  comments: [';'],
});
export const gleam = profile({ name: 'gleam', wasm: 'gleam', extensions: ['gleam'], ...code });
export const nix = profile({ name: 'nix', wasm: 'nix', extensions: ['nix'], ...hash });

/** All families, in the order in which they are tried. */
import type { Family } from '../found.js';
import { abort } from './abort.js';
import { beam } from './beam.js';
import { dotnet } from './dotnet.js';
import { gcc } from './gcc.js';
import { glibc } from './glibc.js';
import { go } from './go.js';
import { guile } from './guile.js';
import { haskell } from './haskell.js';
import { java } from './java.js';
import { llvm } from './llvm.js';
import { lua } from './lua.js';
import { node } from './node.js';
import { ocaml } from './ocaml.js';
import { perl } from './perl.js';
import { php } from './php.js';
import { python } from './python.js';
import { ruby } from './ruby.js';
import { rust } from './rust.js';
import { sanitizer } from './sanitizer.js';
import { swift } from './swift.js';
import { tcl } from './tcl.js';

/**
 * The most specific report of a native crash comes first; an assertion comes before the stack of a program that only passed
 * it on (emscripten in Node); looser patterns come last.
 */
export const families: readonly Family[] = [
  sanitizer,
  gcc,
  llvm,
  rust,
  go,
  abort,
  java,
  python,
  node,
  dotnet,
  ruby,
  php,
  swift,
  ocaml,
  haskell,
  beam,
  lua,
  tcl,
  guile,
  perl,
  glibc,
];

/** All families, in the order in which they are tried. */
import type { Family } from '../found.js';
import { abort } from './abort.js';
import { ada } from './ada.js';
import { beam } from './beam.js';
import { dotnet } from './dotnet.js';
import { gcc } from './gcc.js';
import { glibc } from './glibc.js';
import { go } from './go.js';
import { goTest } from './go-test.js';
import { guile } from './guile.js';
import { haskell } from './haskell.js';
import { java } from './java.js';
import { jest } from './jest.js';
import { llvm } from './llvm.js';
import { lua } from './lua.js';
import { node } from './node.js';
import { ocaml } from './ocaml.js';
import { perl } from './perl.js';
import { php } from './php.js';
import { pytest } from './pytest.js';
import { python } from './python.js';
import { ruby } from './ruby.js';
import { rubyTests } from './ruby-tests.js';
import { rust } from './rust.js';
import { sanitizer } from './sanitizer.js';
import { swift } from './swift.js';
import { tap } from './tap.js';
import { tcl } from './tcl.js';
import { vitest } from './vitest.js';

/**
 * The most specific report of a native crash comes first; an assertion comes before the stack of a program that only passed
 * it on (emscripten in Node); a test runner's report before a stack in it; looser patterns come last.
 */
export const families: readonly Family[] = [
  sanitizer,
  ada,
  gcc,
  llvm,
  rust,
  go,
  abort,
  jest,
  vitest,
  pytest,
  goTest,
  rubyTests,
  java,
  python,
  node,
  tap,
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

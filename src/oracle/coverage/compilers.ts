/** Compilers that add coverage to what they compile, for a program whose own build does not. */
import { realpathSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { quote } from '../../core/shell.js';
import { countsIn } from './gcov-reports.js';
import { type Environment, isProgram, pathOf, placeWrapper, programsOn } from './programs.js';

/**
 * How exact the lines are. gcc counts after it has inlined and simplified, so lines that ran may have no counts. `exact`: without
 * optimisation. Some programs cannot be built so (`inline` without `static`), or fail only if they are optimised: then `optimised`
 * keeps the program's own flags, and only turns off what gcc inlines before it counts.
 */
export type Exactness = 'exact' | 'optimised';

/** `cc`, `gcc-12`, `x86_64-linux-gnu-g++`, `clang++-16`; not `gcc-ar`, `clang-format` or `cpp`. */
const compiler = /^(?:[\w.]+-)*(?:cc|gcc|g\+\+|c\+\+|c89|c99|clang|clang\+\+)(?:-\d+(?:\.\d+)*)?$/;

/** Calls the next compiler of the same name on PATH, and would find the wrapper. */
const caches = /^(?:ccache|sccache|distcc|icecc)$/;

/**
 * Puts a wrapper of every compiler on PATH into a folder of ours, and returns the variables with which a build or a test uses them.
 * `CC` and `CXX` are followed if they name a compiler by its path. A compiler that a makefile names by its path is not found.
 */
export function wrapCompilers(
  folder: string,
  around: Environment,
  exactness: Exactness,
): Readonly<Record<string, string>> {
  const bin = join(folder, 'compilers');
  const wrap = (real: string, at: string): string => placeWrapper(real, at, wrapper(real, folder, exactness));
  for (const real of compilersOn(around)) wrap(real, bin);
  const named: Record<string, string> = {};
  for (const name of ['CC', 'CXX']) {
    const [real = '', ...rest] = around[name]?.split(' ') ?? [];
    if (isAbsolute(real) && compiler.test(basename(real)) && isProgram(real) && isCompiler(real))
      named[name] = [wrap(real, join(bin, name)), ...rest].join(' ');
  }
  return { ...named, PATH: [bin, pathOf(around)].join(delimiter), GCOV_PREFIX: countsIn(folder), CCACHE_DISABLE: '1' };
}

const isCompiler = (path: string): boolean => !caches.test(basename(realpathSync(path)));
const compilersOn = (around: Environment): readonly string[] => programsOn(pathOf(around), compiler, isCompiler);

/**
 * The notes of an object are next to it or in the current folder, under a name that depends on the compiler. They are moved to
 * where the counts will be: the test may delete its objects, and must not find files that it does not expect. The same object may
 * be compiled again after it has run: then what is known of it is kept under another name. What cannot be compiled with coverage
 * is compiled as the program wants it.
 */
const wrapper = (real: string, folder: string, exactness: Exactness): string => `#!/bin/sh
# Calls a compiler, and adds coverage to what it compiles and links.
real=${quote(real)} counts=${quote(countsIn(folder))} said=${quote(join(folder, 'said'))}.$$
plain() { exec "$real" "$@"; }
input= output= skip=
for word do
  case $skip in
    output) output=$word skip= ;;
    ?*) skip= ;;
    *) case $word in
      -o) skip=output ;;
      -o?*) output=\${word#-o} ;;
      -x|-I|-D|-U|-L|-l|-T|-u|-z|-MF|-MT|-MQ|-include|-imacros|-isystem|-iquote|-idirafter|-Xlinker|-Xassembler|-Xpreprocessor|--param|-target) skip=other ;;
      -|-E|-M|-MM|-S|-r|-fsyntax-only|-nostdlib|-nodefaultlibs|-ffreestanding|-emit-llvm|-'###') plain "$@" ;;
      *.h|*.hh|*.hpp) plain "$@" ;;
      -*) ;;
      *) input=yes ;;
    esac ;;
  esac
done
[ "$input" ] || plain "$@"
"$real" "$@" --coverage ${flagsOf(real, exactness)} 2> "$said" || { rm -f "$said"; plain "$@"; }
cat "$said" >&2
rm -f "$said"
keep() {
  [ -f "$1.gcno" ] || return
  case $1 in /*) to=$counts$1 ;; *) to=$counts$PWD/$1 ;; esac
  mkdir -p "\${to%/*}"
  if [ -f "$to.gcda" ]; then
    mv "$to.gcda" "$to@$$.gcda"
    for old in gcno from; do mv "$to.$old" "$to@$$.$old"; done
  fi
  mv -f "$1.gcno" "$to.gcno"
  echo "$PWD" > "$to.from"
}
case $output in */*) beside=\${output%/*}/ ;; *) beside= ;; esac
file=\${output##*/} stem=$file
case $stem in ?*.*) stem=\${stem%.*} ;; esac
[ "$stem" ] && keep "$beside$stem"
for word do
  case $word in
    -*) ;;
    *.*) name=\${word##*/} name=\${name%.*}
      keep "$name"
      for each in "$beside$file" "$beside$stem" a; do keep "$each-$name"; done ;;
  esac
done
exit 0
`;

/** `-D_FORTIFY_SOURCE` warns if nothing is optimised. clang counts before it optimises. */
function flagsOf(real: string, exactness: Exactness): string {
  if (exactness === 'exact') return '-O0 -U_FORTIFY_SOURCE';
  const isClang = /clang/.test(`${basename(real)} ${basename(realpathSync(real))}`);
  return isClang ? '' : '-fno-early-inlining';
}

/** Files that a C or C++ compiler, or what generates code for it, reads. */
export const isCompiled = (path: string): boolean =>
  /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tpp|def|y|yy|l|ll|re|rl)$/i.test(path);

/** Whether there is something to wrap, and a program that reads the counts. */
export const hasCompiler = (around: Environment): boolean =>
  compilersOn(around).length > 0 && programsOn(pathOf(around), /^(?:gcov|llvm-cov)$/).length > 0;

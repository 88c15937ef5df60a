/** C and C++. */
import type { Span } from '../edit.js';
import { childAt, type FlatTree, kindOf, textOf } from '../flat-tree.js';
import { cppValues } from './c/cpp-values.js';
import { declarationsIn } from './c/declarations.js';
import { withoutEffect } from './c/effects.js';
import { endlessUnlessVoid, idleBody } from './c/idle-body.js';
import { cProbing } from './c/probes.js';
import { typesInUse } from './c/types.js';
import { cValues } from './c/values.js';
import { conjunction } from './conjunction.js';
import { code, profile } from './generic.js';
import type { Include } from './profile.js';
import { shorterStatement } from './shorter-statements.js';

/** What the brackets of an attribute may contain. */
const within = String.raw`(?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)){0,2000}`;
/**
 * What compilers add to the language, as in every system header: the grammar reads `namespace std __attribute__((…)) {` as
 * one large error, and `[[nodiscard]]` before `friend` as the end of the class. After the preprocessor, lines such as `# 12 "a.h" 3` may be in the middle of a declaration.
 */
const dialect = new RegExp(
  String.raw`\b(?:__attribute__|__attribute|__declspec|__asm__|__asm)\s*\(${within}\)|\b(?:__extension__|__restrict__|__restrict|__inline__|__inline|__cdecl|__stdcall|__signed__|__volatile__)\b|\[\[[\w:,\s]*(?:\([^()\n]*\))?\s*\]\]|^#[ \t]*\d+ "[^\n]*$`,
  'gm',
);

/** The grammar knows explicit instantiations, but not `extern` before them: it would read on to the next brace. */
const respell = (text: string): string =>
  text.replace(/\bextern\s+template\b/g, found => 'template'.padEnd(found.length));

/** `#include "…"`; a name in angle brackets is not a file of the folder. */
function includes(tree: FlatTree): readonly Include[] {
  const found: Include[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (kindOf(tree, node) !== 'preproc_include') continue;
    const path = childAt(tree, node, 'path');
    if (path !== undefined && textOf(tree, path).startsWith('"'))
      found.push({ node, name: textOf(tree, path).slice(1, -1) });
  }
  return found;
}

/** Compilers know these words with and without the underscores at their ends. */
const synonyms = [
  ['__attribute__', '__attribute'],
  ['__restrict__', '__restrict'],
  ['__alignof__', '__alignof'],
  ['__(asm|const|inline|signed|typeof|volatile)__', '__$1'],
  ['__(asm|const|inline|signed|typeof|volatile)(?:__)?', '$1'],
  ['(signed|unsigned|short|long) int', '$1'],
  ['_Bool', 'int'],
  ['typename', 'class'],
  ['(?:u?int(?:8|16|32|64|ptr)|s?size|ptrdiff)_t', 'int'],
  ['true', '1'],
] as const;

const shorterForm = (tree: FlatTree, node: number): Span | undefined =>
  conjunction(tree, node) ?? shorterStatement(tree, node);

const family = {
  ...code,
  isJoined: true,
  dialect,
  respell,
  includes,
  synonyms,
  shorterForm,
  typesInUse,
  declarations: declarationsIn,
  probing: cProbing,
  entry: 'main',
  idleBody: endlessUnlessVoid,
  insistsOnReturn: true,
  emptyStatement: ';',
};

export const c = profile({
  name: 'c',
  wasm: 'c',
  extensions: ['c', 'h', 'i'],
  ...family,
  observation: cValues,
  idleBody,
  withoutEffect,
});

export const cpp = profile({
  name: 'cpp',
  wasm: 'cpp',
  extensions: ['cpp', 'cc', 'cxx', 'c++', 'hpp', 'hh', 'hxx', 'ii', 'ipp', 'tpp', 'cu'],
  aliases: ['c++'],
  ...family,
  observation: cppValues,
  checksNames: true,
});

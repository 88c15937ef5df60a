/** What the messages of compilers, linkers and interpreters say about names. */

export interface Complaints {
  /** Names without a definition: "'X' undeclared", "X is not defined", "undefined reference to `X'", "Cannot find name 'X'". */
  readonly missing: readonly string[];
  /** Names with two definitions that disagree, or that are called as another version of them wants it. */
  readonly conflicting: readonly string[];
  /** Files that a compiler or make did not find, without their folders: "makebits.h: No such file or directory". */
  readonly absent: readonly string[];
  /** Where a compiler found an error: "da.c:286:5: error: duplicate case value". Lines are counted from 1. */
  readonly places: readonly Place[];
}

export interface Place {
  readonly path: string;
  readonly line: number;
  /** The function there, if that is known. */
  readonly around?: string;
}

const name = String.raw`['‘\`"]?(?:struct |union |enum )?([A-Za-z_$][\w$]*)`;

/** A name is looked for from its first character only: interpreters print whole lines of minified code, with names and data of any length. */
const missing = [
  /(?<![\w$])([A-Za-z_$][\w$]*)['’"]? (?:was not declared|undeclared|is not defined|is not declared|has not been declared)/g,
  new RegExp(`undefined (?:reference to|symbol:?|variable|name) ${name}`, 'g'),
  new RegExp(
    `(?:[Cc]annot find|unknown type|use of undeclared|implicit declaration of) (?:name|symbol|value|function|identifier|type)? ?${name}`,
    'g',
  ),
  new RegExp(`unknown type name ${name}`, 'g'),
  new RegExp(`has no member(?: named)? ${name}`, 'g'),
  /(?:\b|\.)([A-Za-z_$][\w$]*) is not a (?:function|constructor)/g,
  /name '([A-Za-z_]\w*)' is not defined/g,
  /(?:has no attribute|cannot import name|unexpected keyword argument) '([A-Za-z_]\w*)'/g,
  /No module named '(?:[\w.]+\.)?([A-Za-z_]\w*)'/g,
];

const conflicting = [
  new RegExp(
    `(?:conflicting types for|redefinition of|redeclaration of|redeclared|multiple definition of) ${name}`,
    'g',
  ),
  new RegExp(`(?:static|non-static) declaration of ${name}`, 'g'),
  new RegExp(`too (?:few|many) arguments to (?:function|macro)? ?${name}`, 'g'),
  new RegExp(`incompatible (?:type for )?argument \\d+ (?:of|in call to) ${name}`, 'g'),
  new RegExp(`macro ${name}['’"]? (?:requires|passed)`, 'g'),
  new RegExp(`incomplete (?:element )?type ${name}`, 'g'),
];

const absent = [
  /(?<![\w.+-])([\w.+-]+\.\w+): No such file or directory/g,
  /No rule to make target ['‘`"](?:[^'’"]*\/)?([\w.+-]+)['’"]/g,
];

const found = (patterns: readonly RegExp[], message: string): readonly string[] => [
  ...new Set(patterns.flatMap(pattern => [...message.matchAll(pattern)].map(([, each]) => each!))),
];

/** `./a.c:12:5: error:` of a compiler, `a.y:12.5-9: error:` of bison. */
const placed = /(?<![^\s:;])(?:\.\/)?([^\s:;]+\.\w+):(\d+)(?:[:.][\d.-]+)?: (?:fatal )?error: /g;

const placesIn = (message: string): readonly Place[] =>
  [...message.matchAll(placed)].map(([, path, line]) => ({ path: path!, line: Number(line) }));

export const complaintsIn = (message: string): Complaints => ({
  missing: found(missing, message),
  conflicting: found(conflicting, message),
  absent: found(absent, message),
  places: placesIn(message),
});

/** The function that a line is in, read from the indentation as `diff -p` does: this needs no grammar. */
import type { Changes } from './changes.js';
import type { Lines } from './lines.js';

export interface Enclosing {
  readonly name: string;
  /** The line with the name, counted from 0. */
  readonly line: number;
}

const control =
  /^\s*(?:\}\s*)?(?:if|else|for|while|switch|catch|do|try|return|with|case|elif|except|finally|throw|new|await|#)\b/;
const named = [
  /\b(?:function\*?|class|def|fn|func|interface|struct|impl|trait|module|namespace)\s+([\w$.:]+)/,
  /([\w$.]+)\s*[:=]\s*(?:async\s+)?(?:function\b|\([^()]*\)\s*=>|[\w$]+\s*=>)/,
  /([\w$~:]+)\s*\([^;]*$/,
];

/** The outermost function or class around a line, except one that spans the whole file. */
export function enclosing(lines: Lines, at: number): Enclosing | undefined {
  let indent = indentOf(lines[at]) ?? Number.POSITIVE_INFINITY;
  let found: Enclosing | undefined;
  for (let line = Math.min(at, lines.length - 1); line >= 0 && indent > 0; line--) {
    const here = indentOf(lines[line]);
    if (here === undefined || here >= indent) continue;
    const text = lines[line]!;
    // A brace alone on its line belongs to the header above it.
    const isBrace = /^\s*\{\s*$/.test(text);
    const header = isBrace ? headerAbove(lines, line, here) : line;
    const name = header === undefined ? undefined : nameIn(lines[header]!);
    if (name !== undefined && header !== undefined && spans(lines, header, at)) found = { name, line: header };
    indent = here;
  }
  return found;
}

/** The name of the function that a changed hunk or line is in. */
export function functionAround({ changes, files }: Changes, delta: number): string | undefined {
  const { kind, parts } = changes[delta]!;
  const [part] = parts;
  if (part === undefined || (kind !== 'hunk' && kind !== 'line')) return undefined;
  const { oldLines, newLines } = files[part.file]!;
  const [lines, first, count] =
    part.newCount > 0 ? [newLines, part.newStart, part.newCount] : [oldLines, part.oldStart, part.oldCount];
  return functionAt(lines, first, count);
}

/** The same for some lines. A hunk that starts before a function and ends with its header belongs to it. */
export const functionAt = (lines: Lines, first: number, count: number): string | undefined =>
  (enclosing(lines, first) ?? enclosing(lines, first + count))?.name;

/** For each line, the names of the functions and classes around it, the innermost last; its own if it is a header. */
export function namesAround(lines: Lines): readonly (readonly string[])[] {
  const open: { readonly indent: number; readonly names: readonly string[] }[] = [];
  return lines.map(line => {
    const indent = indentOf(line);
    // A brace alone on its line belongs to the header above it.
    if (indent !== undefined && !/^\s*\{\s*$/.test(line)) {
      while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
      const [outer, own] = [open.at(-1)?.names ?? [], nameIn(line)];
      open.push({ indent, names: own === undefined ? outer : [...outer, own] });
    }
    return open.at(-1)?.names ?? [];
  });
}

/** Wrappers around a whole file do not count. */
const spans = (lines: Lines, header: number, at: number): boolean => at - header < Math.max(400, lines.length / 2);

function headerAbove(lines: Lines, brace: number, indent: number): number | undefined {
  for (let line = brace - 1; line >= Math.max(0, brace - 12); line--) {
    const here = indentOf(lines[line]);
    if (here === undefined) return undefined;
    if (here <= indent && /\w\s*\(/.test(lines[line]!)) return line;
  }
  return undefined;
}

/** A longer line is minified code, not the header of a function; the patterns would take minutes on it. */
const longestHeader = 1000;

function nameIn(text: string): string | undefined {
  if (text.length > longestHeader || control.test(text)) return undefined;
  for (const pattern of named) {
    const name = pattern.exec(text)?.[1];
    // `(function (module) {` around a module of a bundle has no name: the functions in it do.
    if (name !== undefined && name !== 'function') return name;
  }
  return undefined;
}

/** The width of the whitespace before a line's first character; undefined for an empty line. */
function indentOf(line: string | undefined): number | undefined {
  if (line === undefined) return undefined;
  const width = line.replaceAll('\t', '        ').search(/\S/);
  return width < 0 ? undefined : width;
}

/** Patterns in the syntax of .gitignore: which files of a folder are not part of an input. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One line of a .gitignore file. The last pattern that matches decides. */
export interface Pattern {
  /** The folder that the pattern is relative to. */
  readonly base: string;
  readonly regex: RegExp;
  /** `!keep.log`: includes again what an earlier pattern excluded. */
  readonly isNegated: boolean;
  /** `build/`: matches only folders. */
  readonly onlyFolders: boolean;
}

/** Reads one line; `undefined` for blank lines and comments. */
export function patternOf(line: string, base: string): Pattern | undefined {
  let glob = line.replace(/\r$/, '').replace(/(?<!\\)\s+$/, '');
  if (glob === '' || glob.startsWith('#')) return undefined;
  const isNegated = glob.startsWith('!');
  if (isNegated) glob = glob.slice(1);
  const onlyFolders = glob.endsWith('/');
  if (onlyFolders) glob = glob.replace(/\/+$/, '');
  // A pattern with a slash before its end is relative to its folder; any other matches at every depth.
  const isAnchored = glob.includes('/');
  const once = glob.replace(/(?<=^|\/)(?:\*\*\/)+/g, '**/').replace(/(?:\/\*\*)+$/, '/**');
  const text = regexText(once.replace(/^\//, ''));
  if (text === '') return undefined;
  return { base, regex: new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${text}$`, 's'), isNegated, onlyFolders };
}

const pieces = /\/\*\*\/|^\*\*\/|\/\*\*$|^\*\*$|\*+|\?|\[!?\]?[^\]/]*\]|\\.|./gs;

const regexText = (glob: string): string =>
  (glob.match(pieces) ?? [])
    .map(piece => {
      if (piece === '/**/') return '/(?:.*/)?';
      if (piece === '**/') return '(?:.*/)?';
      if (piece === '/**') return '/.*';
      if (piece === '**') return '.*';
      if (piece.startsWith('*')) return '[^/]*';
      if (piece === '?') return '[^/]';
      if (piece.length > 2 && piece.startsWith('[')) return classText(piece);
      return escaped(piece.length === 2 ? piece[1]! : piece);
    })
    .join('');

/** `[a-z]` and `[!a-z]`. A range that runs backwards matches nothing, as in git. */
function classText(piece: string): string {
  const inner = piece.slice(1, -1);
  const isNegated = inner.startsWith('!') || inner.startsWith('^');
  const text = `[${isNegated ? '^/' : ''}${(isNegated ? inner.slice(1) : inner).replace(/[\\\]^[]/g, '\\$&')}]`;
  try {
    new RegExp(text);
    return text;
  } catch {
    return '(?!)';
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** The patterns of the ignore file in a folder, if there is one. */
export function patternsIn(folder: string, name = '.gitignore'): readonly Pattern[] {
  try {
    return readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .flatMap(line => patternOf(line, folder) ?? []);
  } catch {
    return [];
  }
}

/** What the last matching pattern says about a full path; undefined if none matches. */
export function decide(patterns: readonly Pattern[], path: string, isFolder: boolean): 'out' | 'in' | undefined {
  for (let i = patterns.length - 1; i >= 0; i--) {
    const { base, regex, isNegated, onlyFolders } = patterns[i]!;
    if ((onlyFolders && !isFolder) || !path.startsWith(`${base}/`)) continue;
    if (regex.test(path.slice(base.length + 1))) return isNegated ? 'in' : 'out';
  }
  return undefined;
}

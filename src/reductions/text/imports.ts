/** Which files import which, read from the text alone. */
import { dirname, join, normalize } from 'node:path/posix';
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode, isBinary, withText } from '../../core/decode.js';
import { add, type FileTraces, type Fragment, type Trace, textOf } from '../../core/trace.js';

/** Ways in which files name each other, in most languages: the group that is there is the name. */
const mentions = new RegExp(
  [
    // `@use "a"`, `require_once __DIR__ . '/a.php'`, `source("a.R")`
    /\b(?:from|import|require|export|use|forward|require_relative|(?:require|include)(?:_once)?|load|source)\s*\(?\s*(?:__DIR__\s*\.\s*)?['"]([^'"\n]+)['"]/,
    /#\s*include\s*["<]([^">\n]+)[">]/,
    /^[^\S\n]*(?:from|import)\s+([\w.]+)/,
    /\b(?:use|mod)\s+(?:crate::)?(\w+(?:::\w+)*)/,
    /(?:src|href)=["']([^"'\n]+)["']/,
    /^[^\S\n]*(?:source|\.)\s+([\w./-]+)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);

interface Mention {
  readonly name: string;
  readonly line: number;
}

function mentionsIn(text: string): readonly Mention[] {
  return [...text.matchAll(mentions)].map(match => ({
    name: match.slice(1).find(name => name !== undefined)!,
    line: text.lastIndexOf('\n', match.index + match[0].search(/\S/)) + 1,
  }));
}

/** In Sass, `_a.scss` is imported as `a`. */
const withoutUnderscore = (path: string): string => path.replace(/(^|\/)_(?=[^/]*$)/, '$1');
const withoutExtension = (path: string): string => path.replace(/\.[^./]*$/, '');

/** What a name in the file at `from` can mean. */
function meaningsOf(name: string, from: string): readonly string[] {
  const beside = normalize(join(dirname(from), name));
  const plain = name.startsWith('.') ? beside : name.replace(/::|\./g, '/').replace(/\/h$/, '.h');
  return [...new Set([plain, beside, withoutUnderscore(beside), `${plain}/index`, `${plain}/__init__`])];
}

/** A file, by what it can be called. */
function calledIn(path: string): (meanings: readonly string[]) => boolean {
  const names = [...new Set([path, withoutUnderscore(path)].flatMap(each => [each, withoutExtension(each)]))];
  return meanings =>
    meanings.some(each =>
      names.some(name => name === each || name.endsWith(`/${each}`) || name === withoutExtension(each)),
    );
}

/** A place in a file that names others. */
export interface ImportPlace {
  /** Where its line begins. */
  readonly line: number;
  readonly paths: readonly string[];
}

/** By path: where it imports other files. */
export function importPlacesIn({ files }: Artifact): ReadonlyMap<string, readonly ImportPlace[]> {
  const called = [...files.keys()].map(path => [path, calledIn(path)] as const);
  return new Map(
    [...files.keys()].map(path => {
      const places = mentionsIn(textAt(files, path) ?? '').map(({ name, line }) => {
        const meanings = meaningsOf(name, path);
        return { line, paths: called.flatMap(([other, is]) => (other !== path && is(meanings) ? [other] : [])) };
      });
      return [path, places.filter(({ paths }) => paths.length > 0)];
    }),
  );
}

/** By path: the other files that it imports. */
export const importsIn = (artifact: Artifact): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...importPlacesIn(artifact)].map(([path, places]) => {
      const named = new Set(places.flatMap(({ paths }) => paths));
      return [path, [...artifact.files.keys()].filter(other => named.has(other))];
    }),
  );

/**
 * The files in an order that puts each import before its importer, so that a sweep from the end drops unneeded files first.
 * Files that import each other keep the order of their names.
 */
export function importOrder(artifact: Artifact): readonly string[] {
  const imports = importsIn(artifact);
  const paths = [...imports.keys()];
  const order: string[] = [];
  const met = new Set<string>();
  const visit = (start: string) => {
    const open: { path: string; next: number }[] = [{ path: start, next: 0 }];
    met.add(start);
    for (let top = open.at(-1); top; top = open.at(-1)) {
      const other = imports.get(top.path)![top.next++];
      if (other === undefined) order.push(open.pop()!.path);
      else if (!met.has(other)) {
        met.add(other);
        open.push({ path: other, next: 0 });
      }
    }
  };
  for (const path of paths) if (!met.has(path)) visit(path);
  return order;
}

/** Removes the lines with which other files import a removed file. */
export function dropImportsOf(files: Map<string, Entry>, gone: string): FileTraces {
  const traces = new Map<string, Trace>();
  const isGone = calledIn(gone);
  for (const [path, entry] of files) {
    const text = textAt(files, path);
    if (text === undefined || entry.kind !== 'file') continue;
    const lines = new Set(
      mentionsIn(text)
        .filter(({ name }) => isGone(meaningsOf(name, path)))
        .map(({ line }) => line),
    );
    if (lines.size === 0) continue;
    const kept: Fragment[] = [];
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at) + 1;
      if (!lines.has(at)) add(kept, { start: at, end });
      at = end;
    }
    traces.set(path, kept);
    files.set(path, withText(entry, textOf(kept, text)));
  }
  return traces;
}

function textAt(files: ReadonlyMap<string, Entry>, path: string): string | undefined {
  const entry = files.get(path);
  if (entry?.kind !== 'file' || entry.bytes.length > 1_000_000) return undefined;
  return isBinary(entry.bytes) ? undefined : decode(entry.bytes).text;
}

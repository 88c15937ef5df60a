/** Which files import which, read from the text alone. */
import { dirname, join, normalize } from 'node:path/posix';
import type { Artifact, Entry } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { add, type FileTraces, type Fragment, type Trace, textOf } from '../../core/trace.js';

/** Ways in which files name each other, in most languages: the first group is the name. */
const mentions =
  /\b(?:from|import|require|export)\s*\(?\s*['"]([^'"\n]+)['"]|#\s*include\s*["<]([^">\n]+)[">]|^[^\S\n]*(?:from|import)\s+([\w.]+)|\b(?:use|mod)\s+(?:crate::)?(\w+)|(?:src|href)=["']([^"'\n]+)["']/gm;

interface Mention {
  readonly name: string;
  readonly line: number;
}

function mentionsIn(text: string): readonly Mention[] {
  return [...text.matchAll(mentions)].map(match => ({
    name: (match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5])!,
    line: text.lastIndexOf('\n', match.index + match[0].search(/\S/)) + 1,
  }));
}

/** Whether a name in the file at `from` can mean the file at `path`. */
function means(name: string, from: string, path: string): boolean {
  const stem = path.replace(/\.[^./]*$/, '');
  const plain = name.startsWith('.')
    ? normalize(join(dirname(from), name))
    : name.replaceAll('.', '/').replace(/\/h$/, '.h');
  const candidates = [plain, normalize(join(dirname(from), name)), `${plain}/index`, `${plain}/__init__`];
  return candidates.some(
    each =>
      each === path ||
      each === stem ||
      path.endsWith(`/${each}`) ||
      stem.endsWith(`/${each}`) ||
      each.replace(/\.[^./]*$/, '') === stem,
  );
}

/** By path: the other files that it imports. */
export function importsIn({ files }: Artifact): ReadonlyMap<string, readonly string[]> {
  const paths = [...files.keys()];
  return new Map(
    paths.map(path => {
      const text = textAt(files, path);
      const names = text === undefined ? [] : mentionsIn(text);
      return [path, paths.filter(other => other !== path && names.some(({ name }) => means(name, path, other)))];
    }),
  );
}

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
  for (const [path, entry] of files) {
    const text = textAt(files, path);
    if (text === undefined || entry.kind !== 'file') continue;
    const lines = new Set(
      mentionsIn(text)
        .filter(({ name }) => means(name, path, gone))
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
    files.set(path, { ...entry, bytes: Buffer.from(textOf(kept, text)) });
  }
  return traces;
}

function textAt(files: ReadonlyMap<string, Entry>, path: string): string | undefined {
  const entry = files.get(path);
  if (entry?.kind !== 'file' || entry.bytes.length > 1_000_000) return undefined;
  const { text, encoding } = decode(entry.bytes);
  return encoding === 'utf8' ? text : undefined;
}

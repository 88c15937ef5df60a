import { dirname, join, normalize, relative } from 'node:path/posix';
import type { Span } from '../edits.js';
import { scopeOf } from '../tree/bindings.js';
import { apply, disjoint } from '../tree/extents.js';
import { childAt, childrenOf, kindOf, type Outline, textOf } from '../tree/outline.js';
import type { FolderEdit } from './edits.js';
import { graphOf, type Importer, importersOf, type Node } from './graph.js';
import { unquoted } from './modules.js';
import { isBeside } from './resolve.js';
import type { Source } from './sources.js';

/**
 * A file that one statement imports takes the place of that statement. Its exports become plain declarations, what it imports
 * itself is named from its new place. Only where that is plain: by name, without other names, and where no name at the top
 * of the one file means something in the other.
 */
export function foldsInto(sources: readonly Source[]): readonly FolderEdit[] {
  const nodes = graphOf(sources);
  const importers = importersOf(nodes);
  const edits: FolderEdit[] = [];
  for (const [path, node] of nodes) {
    const [importer, ...others] = importers.get(path) ?? [];
    if (importer === undefined || others.length > 0 || importer.node === node) continue;
    const text = moved(node, importer);
    if (text === undefined) continue;
    const { source } = importer.node;
    const start = source.outline.start[importer.statement]!;
    const end = source.outline.end[importer.statement]!;
    edits.push({
      spans: new Map([[source.path, [{ start, end, text }]]]),
      gone: [path],
      label: `fold ${path} into ${source.path}`,
    });
  }
  return edits;
}

/** The text of a file as it may stand in the place of the statement that imports it. */
function moved(node: Node, importer: Importer): string | undefined {
  const { source, module } = node;
  const into = importer.node.source;
  const isPython = source.syntax.language.name === 'python';
  const isTop = into.outline.parent[importer.statement] === 0;
  if (!isTop || module.open || node.imports.some(({ target, again }) => target === into.path || (again && !isPython)))
    return undefined;
  const isPlain = importer.edges.every(
    ({ name, local, again }) =>
      (name === local || name === 'default' || (name === '*' && isPython)) && (again === undefined || isPython),
  );
  const declares = /^(import|import_from)_statement$/.test(kindOf(into.outline, importer.statement));
  if (!isPlain || (!declares && !isOnlyRequire(into, importer.statement))) return undefined;
  const stripped = isPython ? [] : exportSpans(node, importer);
  const renamed = pathSpans(node, dirname(into.path));
  const again = repeatedImports(node, importer.node);
  if (stripped === undefined || renamed === undefined || collide(node, importer, again)) return undefined;
  const spans = disjoint([...again.spans, ...stripped, ...renamed]);
  const text = apply(source.text, { spans }).trim();
  return /^\n/.test(into.text.slice(into.outline.end[importer.statement]!)) ? text : `${text}\n`;
}

/** `const { a, b } = require('./x')` and nothing more. */
function isOnlyRequire({ outline }: Source, statement: number): boolean {
  return /^\w+\s*\{[^}]*\}\s*=\s*require\s*\([^)]*\)\s*;?$/.test(textOf(outline, statement));
}

function exportSpans({ source: { outline }, module }: Node, { edges }: Importer): Span[] | undefined {
  const spans: Span[] = [];
  const left = new Set(module.exports);
  const local = edges.find(({ name }) => name === 'default')?.local;
  for (const statement of childrenOf(outline, 0)) {
    const start = outline.start[statement]!;
    const end = outline.end[statement]!;
    const [, handed, value] =
      /^(?:module\.)?exports\.([\w$]+)\s*=\s*([\w$]+);?$/.exec(textOf(outline, statement)) ?? [];
    if (handed !== undefined) {
      if (handed !== value) return undefined;
      spans.push({ start, end, text: '' });
      left.delete(handed);
      left.delete('default');
    }
    if (kindOf(outline, statement) !== 'export_statement') continue;
    const declaration = childAt(outline, statement, 'declaration');
    const expression = childAt(outline, statement, 'value');
    const isDefault = childrenOf(outline, statement).some(child => textOf(outline, child) === 'default');
    if (isDefault) {
      const name = declaration === undefined ? undefined : childAt(outline, declaration, 'name');
      if (expression !== undefined && local !== undefined)
        spans.push({ start, end: outline.start[expression]!, text: `const ${local} = ` });
      else if (declaration !== undefined && name !== undefined && textOf(outline, name) === local)
        spans.push({ start, end: outline.start[declaration]!, text: '' });
      else return undefined;
    } else if (declaration !== undefined) spans.push({ start, end: outline.start[declaration]!, text: '' });
    else if (/\bas\b|\bfrom\b|=/.test(textOf(outline, statement))) return undefined;
    else spans.push({ start, end, text: '' });
  }
  // An object of exports, or one that is put together elsewhere, is not taken apart.
  const isSplit =
    [...left].some(name => name !== 'default') &&
    !childrenOf(outline, 0).some(one => kindOf(outline, one) === 'export_statement');
  return isSplit ? undefined : spans;
}

/** Names of files beside it, seen from another folder. */
function pathSpans({ source, imports }: Node, folder: string): Span[] | undefined {
  const own = dirname(source.path);
  if (own === folder || !imports.some(({ from }) => isBeside(from))) return [];
  if (source.syntax.language.name === 'python') return undefined;
  const { outline } = source;
  const named = new Set(imports.map(({ from }) => from).filter(isBeside));
  const spans: Span[] = [];
  for (let node = 1; node < outline.count; node++) {
    if (kindOf(outline, node) !== 'string' || !named.has(unquoted(outline, node))) continue;
    const path = seenFrom(folder, normalize(join(own, unquoted(outline, node))));
    spans.push({ start: outline.start[node]! + 1, end: outline.end[node]! - 1, text: path });
  }
  return spans;
}

/** A path as a script in this folder names it. */
export function seenFrom(folder: string, path: string): string {
  const plain = relative(folder, path);
  return plain.startsWith('.') ? plain : `./${plain}`;
}

interface Repeated {
  readonly spans: readonly Span[];
  readonly names: ReadonlySet<string>;
}

/** Statements that bring in only what the other file has brought in itself. */
function repeatedImports(node: Node, into: Node): Repeated {
  const keyOf = ({ target, from, name, local }: Node['imports'][number]): string =>
    [target ?? from, name, local].join('\0');
  const there = new Set(into.imports.filter(({ local }) => local !== undefined).map(keyOf));
  const statements = new Map<number, Node['imports'][number][]>();
  for (const edge of node.imports)
    if (edge.local !== undefined) statements.set(edge.statement, [...(statements.get(edge.statement) ?? []), edge]);
  const repeated = [...statements].filter(([, edges]) => edges.every(edge => there.has(keyOf(edge))));
  const { outline } = node.source;
  return {
    spans: repeated.map(([statement]) => ({
      start: outline.start[statement]!,
      end: outline.end[statement]!,
      text: '',
    })),
    names: new Set(repeated.flatMap(([, edges]) => edges.map(({ local }) => local!))),
  };
}

/** Whether a name at the top of one file is a name of the other too. */
function collide(node: Node, { node: into, edges }: Importer, { names }: Repeated): boolean {
  const shared = new Set([...names, ...edges.map(({ local }) => local)]);
  const meets = (tops: Source, other: Source): boolean =>
    topNames(tops).some(name => other.leaves.has(name) && !shared.has(name));
  return meets(node.source, into.source) || meets(into.source, node.source);
}

const topNames = ({ outline, bindings }: Source): readonly string[] =>
  bindings
    .filter(({ definitions }) => definitions.some(leaf => scopeOf(outline, leaf) === 0 && isFree(outline, leaf)))
    .map(({ name }) => name);

/** Not a member of a class or an object: those are no names of their own. */
const isFree = (outline: Outline, leaf: number): boolean => !/property_identifier$/.test(kindOf(outline, leaf));

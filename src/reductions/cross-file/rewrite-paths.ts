/** Adjusts paths and names of a file that moves into another one. */
import { dirname, join, normalize, relative } from 'node:path/posix';
import { addTo } from '../../core/lists.js';
import { type FlatTree, is } from '../../syntax/flat-tree.js';
import { isBeside, unquoted } from '../../syntax/languages/modules.js';
import { scopeOf } from '../../syntax/names/bindings.js';
import type { Span } from '../edits.js';
import type { Importer, Node } from './graph.js';
import type { Source } from './sources.js';

/** Names of neighbouring files, seen from another folder. */
export function pathSpans({ source, system, imports }: Node, folder: string): Span[] | undefined {
  const own = dirname(source.path);
  if (own === folder || !imports.some(({ from }) => isBeside(from))) return [];
  if (system.paths === undefined) return undefined;
  const { tree } = source;
  const named = new Set(imports.map(({ from }) => from).filter(isBeside));
  const spans: Span[] = [];
  for (const node of system.paths.nodesIn(tree)) {
    if (!named.has(unquoted(tree, node))) continue;
    const path = seenFrom(folder, normalize(join(own, unquoted(tree, node))));
    spans.push({ start: tree.start[node]! + 1, end: tree.end[node]! - 1, text: path });
  }
  return spans;
}

/** A path as a script in this folder names it. */
export function seenFrom(folder: string, path: string): string {
  const plain = relative(folder, path);
  return plain.startsWith('.') ? plain : `./${plain}`;
}

export interface Repeated {
  readonly spans: readonly Span[];
  readonly names: ReadonlySet<string>;
}

/** Statements that import only what the other file already imports itself. */
export function repeatedImports(node: Node, into: Node): Repeated {
  const keyOf = ({ target, from, name, local }: Node['imports'][number]): string =>
    [target ?? from, name, local].join('\0');
  const there = new Set(into.imports.filter(({ local }) => local !== undefined).map(keyOf));
  const statements = new Map<number, Node['imports'][number][]>();
  for (const edge of node.imports) if (edge.local !== undefined) addTo(statements, edge.statement, edge);
  const repeated = [...statements].filter(([, edges]) => edges.every(edge => there.has(keyOf(edge))));
  const { tree } = node.source;
  return {
    spans: repeated.map(([statement]) => ({
      start: tree.start[statement]!,
      end: tree.end[statement]!,
      text: '',
    })),
    names: new Set(repeated.flatMap(([, edges]) => edges.map(({ local }) => local!))),
  };
}

/** Whether a top-level name of one file is also a name of the other. */
export function collide(node: Node, { node: into, edges }: Importer, { names }: Repeated): boolean {
  const shared = new Set([...names, ...edges.map(({ local }) => local)]);
  const meets = (tops: Source, other: Source): boolean =>
    topNames(tops).some(
      name => !shared.has(name) && other.leaves.get(name)?.some(leaf => isFree(other.tree, leaf)) === true,
    );
  return meets(node.source, into.source) || meets(into.source, node.source);
}

const topNames = ({ tree, bindings }: Source): readonly string[] =>
  bindings
    .filter(({ definitions }) => definitions.some(leaf => scopeOf(tree, leaf) === 0 && isFree(tree, leaf)))
    .map(({ name }) => name);

/** Not a member of a class or an object: those are not independent names. */
const isFree = (tree: FlatTree, leaf: number): boolean => !is(tree, leaf, 'member');

import { dirname, join, normalize, relative } from 'node:path/posix';
import { scopeOf } from '../../syntax/bindings.js';
import { type FlatTree, kindOf } from '../../syntax/flat-tree.js';
import type { Span } from '../edits.js';
import type { Importer, Node } from './graph.js';
import { unquoted } from './modules.js';
import { isBeside } from './resolve.js';
import type { Source } from './sources.js';

/** Names of files beside it, seen from another folder. */
export function pathSpans({ source, imports }: Node, folder: string): Span[] | undefined {
  const own = dirname(source.path);
  if (own === folder || !imports.some(({ from }) => isBeside(from))) return [];
  if (source.syntax.language.name === 'python') return undefined;
  const { tree } = source;
  const named = new Set(imports.map(({ from }) => from).filter(isBeside));
  const spans: Span[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (kindOf(tree, node) !== 'string' || !named.has(unquoted(tree, node))) continue;
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

/** With the ending that the other name had: none, or that of what a compiler makes of the file. */
export function spelledLike(named: string, path: string): string {
  const ending = /\.[cm]?[jt]sx?$/.exec(named)?.[0];
  return ending === undefined
    ? path.replace(/(\/index)?(\.d)?\.[cm]?[jt]sx?$/, '')
    : /ts/.test(ending)
      ? path
      : path.replace(/\.([cm]?)tsx?$/, '.$1js');
}

export interface Repeated {
  readonly spans: readonly Span[];
  readonly names: ReadonlySet<string>;
}

/** Statements that bring in only what the other file has brought in itself. */
export function repeatedImports(node: Node, into: Node): Repeated {
  const keyOf = ({ target, from, name, local }: Node['imports'][number]): string =>
    [target ?? from, name, local].join('\0');
  const there = new Set(into.imports.filter(({ local }) => local !== undefined).map(keyOf));
  const statements = new Map<number, Node['imports'][number][]>();
  for (const edge of node.imports)
    if (edge.local !== undefined) statements.set(edge.statement, [...(statements.get(edge.statement) ?? []), edge]);
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

/** Whether a name at the top of one file is a name of the other too. */
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

/** Not a member of a class or an object: those are no names of their own. */
const isFree = (tree: FlatTree, leaf: number): boolean => !/^(private_)?property_identifier$/.test(kindOf(tree, leaf));

/** Which file of a folder imports what from which. */
import type { FlatTree } from '../../syntax/flat-tree.js';
import { isFunction } from '../../syntax/functions.js';
import type { Import, Module, ModuleSystem } from '../../syntax/languages/modules.js';
import type { Source } from './sources.js';

/** A file that is a module. */
export interface Node {
  readonly source: Source;
  readonly module: Module;
  readonly system: ModuleSystem;
  readonly imports: readonly Edge[];
}

/** The modules of a folder by their paths. */
export type Nodes = ReadonlyMap<string, Node>;

/** An import, and the file of the folder that it leads to. */
export interface Edge extends Import {
  readonly target: string | undefined;
}

const known = new WeakMap<FlatTree, Module>();

/** The modules of a folder by their paths, and what they import from each other. */
export function graphOf(sources: readonly Source[]): Nodes {
  const paths = new Set(sources.map(({ path }) => path));
  const nodes = new Map<string, Node>();
  for (const source of sources) {
    const { modules: system } = source.syntax.language;
    if (system === undefined) continue;
    let module = known.get(source.tree);
    if (module === undefined) known.set(source.tree, (module = system.read(source.tree)));
    const imports = module.imports.map(one => ({
      ...one,
      target: system.resolve(source.path, one.from, path => paths.has(path)),
      isLate: one.isLate === true || isInFunction(source.tree, one.statement),
    }));
    nodes.set(source.path, { source, module, system, imports });
  }
  return nodes;
}

function isInFunction(tree: FlatTree, statement: number): boolean {
  for (let node = tree.parent[statement]!; node > 0; node = tree.parent[node]!) if (isFunction(tree, node)) return true;
  return false;
}

/** By path: the statements of other files that import from it. */
export function importersOf(nodes: Nodes): ReadonlyMap<string, readonly Importer[]> {
  const found = new Map<string, Map<string, Importer>>();
  for (const node of nodes.values())
    for (const edge of node.imports) {
      if (edge.target === undefined) continue;
      const own = found.get(edge.target) ?? new Map<string, Importer>();
      found.set(edge.target, own);
      const key = `${node.source.path}\0${edge.statement}`;
      const importer = own.get(key) ?? { node, statement: edge.statement, edges: [], ...callOf(edge) };
      own.set(key, importer);
      if (edge.name !== '') importer.edges.push(edge);
    }
  return new Map([...found].map(([path, own]) => [path, [...own.values()]]));
}

const callOf = ({ call }: Edge): { readonly call?: number } => (call === undefined ? {} : { call });

/** A statement that imports from a file, with the names that it takes. */
export interface Importer {
  readonly node: Node;
  readonly statement: number;
  /** The call of `require`. */
  readonly call?: number;
  readonly edges: Edge[];
}

/** Files that another file imports. */
export function importedIn(nodes: Nodes): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [path, { imports }] of nodes)
    for (const { target } of imports)
      if (target !== undefined && target !== path && nodes.has(target)) found.add(target);
  return found;
}

/** Each file after the files that it imports. */
export function importedFirst(nodes: Nodes): readonly string[] {
  const order: string[] = [];
  const met = new Set<string>();
  for (const start of nodes.keys()) {
    const open = [{ path: start, next: 0 }];
    for (let top = open.at(-1); top; top = open.at(-1)) {
      if (top.next === 0 && met.has(top.path) && open.pop()) continue;
      met.add(top.path);
      const target = nodes.get(top.path)!.imports[top.next++]?.target;
      if (top.next > nodes.get(top.path)!.imports.length) order.push(open.pop()!.path);
      else if (target !== undefined && nodes.has(target) && !met.has(target)) open.push({ path: target, next: 0 });
    }
  }
  return order;
}

/** The files that are left behind a file that is gone. */
export function nearestKept(nodes: Nodes, start: string, gone: ReadonlySet<string>): readonly string[] {
  const found: string[] = [];
  const met = new Set([start]);
  for (const path of met)
    for (const { target } of nodes.get(path)?.imports ?? []) {
      if (target === undefined || met.has(target)) continue;
      if (gone.has(target)) met.add(target);
      else if (!found.includes(target)) found.push(target);
    }
  return found;
}

/** Which file of a folder imports what from which. */
import type { FlatTree } from '../../syntax/flat-tree.js';
import type { Import, Module, ModuleSystem } from '../../syntax/languages/modules.js';
import type { Source } from './sources.js';

/** A file that is a module. */
export interface Node {
  readonly source: Source;
  readonly module: Module;
  readonly system: ModuleSystem;
  readonly imports: readonly Edge[];
}

/** An import, and the file of the folder that it leads to. */
export interface Edge extends Import {
  readonly target: string | undefined;
}

const known = new WeakMap<FlatTree, Module>();

/** The modules of a folder by their paths, and what they import from each other. */
export function graphOf(sources: readonly Source[]): ReadonlyMap<string, Node> {
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
    }));
    nodes.set(source.path, { source, module, system, imports });
  }
  return nodes;
}

/** By path: the statements of other files that import from it. */
export function importersOf(nodes: ReadonlyMap<string, Node>): ReadonlyMap<string, readonly Importer[]> {
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

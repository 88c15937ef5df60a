/** Replaces the only statement that imports a file by the contents of the file. */
import { dirname } from 'node:path/posix';
import { is } from '../../syntax/flat-tree.js';
import { apply, disjoint } from '../../syntax/text-cut.js';
import type { Span } from '../edits.js';
import type { FolderEdit } from './edits.js';
import { graphOf, type Importer, importersOf, type Node } from './graph.js';
import { collide, pathSpans, repeatedImports } from './rewrite-paths.js';
import type { Source } from './sources.js';

/**
 * Replaces the only statement that imports a file by the contents of the file. Its exports become plain declarations, and
 * the paths of its own imports are adjusted. Only in simple cases: imports by name, without renaming, and if no top-level
 * name of either file means something in the other.
 */
export function foldIntoImporters(sources: readonly Source[]): readonly FolderEdit[] {
  const nodes = graphOf(sources);
  const importers = importersOf(nodes);
  const edits: FolderEdit[] = [];
  for (const [path, node] of nodes) {
    const [importer, ...others] = importers.get(path) ?? [];
    if (importer === undefined || others.length > 0 || importer.node === node) continue;
    const spans = importer.call === undefined ? moved(node, importer) : requiredOnce(node, importer, importer.call);
    if (spans === undefined) continue;
    const into = importer.node.source.path;
    edits.push({ spans: new Map([[into, spans]]), gone: [path], label: `fold ${path} into ${into}` });
  }
  return edits;
}

/** The text of a file in the place of the statement that imports it. */
function moved(node: Node, importer: Importer): readonly Span[] | undefined {
  const { source, module, system } = node;
  const into = importer.node.source;
  const isTop = into.tree.parent[importer.statement] === 0;
  if (
    !isTop ||
    module.open ||
    node.imports.some(({ target, again }) => target === into.path || (again && !system.exportsImports))
  )
    return undefined;
  const all = system.exports === undefined ? undefined : importer.edges.find(({ name }) => name === '*')?.local;
  // Python's `import a`: `a.b` would mean nothing after it.
  const isAll = (name: string, local?: string) => name === '*' && (system.exports !== undefined || local === undefined);
  const isPlain = importer.edges.every(
    ({ name, local, again }) =>
      (name === local || name === 'default' || isAll(name, local) || (all !== undefined && local === undefined)) &&
      (again === undefined || system.exportsImports),
  );
  if (!isPlain || !is(into.tree, importer.statement, 'importStatement')) return undefined;
  const byDefault = importer.edges.find(({ name }) => name === 'default')?.local;
  const stripped = system.exports === undefined ? [] : system.exports.strip(source.tree, module, byDefault);
  const renamed = pathSpans(node, dirname(into.path));
  const again = repeatedImports(node, importer.node);
  if (stripped === undefined || renamed === undefined || collide(node, importer, again)) return undefined;
  const spans = disjoint([...again.spans, ...stripped, ...renamed]);
  const own = apply(source.text, { spans }).trim();
  const names = [...module.exports].filter(name => name !== 'default');
  const text = all === undefined ? own : `${own}\n${system.exports!.asObject(all, names)}`;
  const start = into.tree.start[importer.statement]!;
  const end = into.tree.end[importer.statement]!;
  return [{ start, end, text: into.text[end] === '\n' ? text : `${text}\n` }];
}

/**
 * A file that is required once is replaced by its contents. Only if no top-level name of either file means something in the
 * other.
 */
function requiredOnce(node: Node, importer: Importer, call: number): readonly Span[] | undefined {
  const into = importer.node.source;
  const renamed = pathSpans(node, dirname(into.path));
  const again = repeatedImports(node, importer.node);
  const isCircle = node.imports.some(({ target }) => target === into.path);
  if (renamed === undefined || isCircle || collide(node, importer, again)) return undefined;
  const moved = [...again.spans, ...renamed];
  return node.system.exports?.replaceRequire({ tree: node.source.tree, into: into.tree, call, moved });
}

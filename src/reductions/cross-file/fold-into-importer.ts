import { dirname } from 'node:path/posix';
import { childAt, childrenOf, kindOf, textOf } from '../../syntax/flat-tree.js';
import { apply, disjoint } from '../../syntax/text-cut.js';
import type { Span } from '../edits.js';
import type { FolderEdit } from './edits.js';
import { graphOf, type Importer, importersOf, type Node } from './graph.js';
import { requiredOnce } from './required.js';
import { collide, pathSpans, repeatedImports } from './rewrite-paths.js';
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
    const spans = importer.call === undefined ? moved(node, importer) : requiredOnce(node, importer, importer.call);
    if (spans === undefined) continue;
    const into = importer.node.source.path;
    edits.push({ spans: new Map([[into, spans]]), gone: [path], label: `fold ${path} into ${into}` });
  }
  return edits;
}

/** The text of a file in the place of the statement that imports it. */
function moved(node: Node, importer: Importer): readonly Span[] | undefined {
  const { source, module } = node;
  const into = importer.node.source;
  const isPython = source.syntax.language.name === 'python';
  const isTop = into.tree.parent[importer.statement] === 0;
  if (!isTop || module.open || node.imports.some(({ target, again }) => target === into.path || (again && !isPython)))
    return undefined;
  const all = isPython ? undefined : importer.edges.find(({ name }) => name === '*')?.local;
  const isPlain = importer.edges.every(
    ({ name, local, again }) =>
      (name === local || name === 'default' || name === '*' || (all !== undefined && local === undefined)) &&
      (again === undefined || isPython),
  );
  if (!isPlain || !/^(import|import_from)_statement$/.test(kindOf(into.tree, importer.statement))) return undefined;
  const stripped = isPython ? [] : exportSpans(node, importer);
  const renamed = pathSpans(node, dirname(into.path));
  const again = repeatedImports(node, importer.node);
  if (stripped === undefined || renamed === undefined || collide(node, importer, again)) return undefined;
  const spans = disjoint([...again.spans, ...stripped, ...renamed]);
  const own = apply(source.text, { spans }).trim();
  const names = [...module.exports].filter(name => name !== 'default');
  const text = all === undefined ? own : `${own}\nconst ${all} = { ${names.join(', ')} };`;
  const start = into.tree.start[importer.statement]!;
  const end = into.tree.end[importer.statement]!;
  return [{ start, end, text: into.text[end] === '\n' ? text : `${text}\n` }];
}

function exportSpans({ source: { tree }, module }: Node, { edges }: Importer): Span[] | undefined {
  const spans: Span[] = [];
  const local = edges.find(({ name }) => name === 'default')?.local;
  for (const statement of childrenOf(tree, 0)) {
    const start = tree.start[statement]!;
    const end = tree.end[statement]!;
    if (kindOf(tree, statement) !== 'export_statement') continue;
    const declaration = childAt(tree, statement, 'declaration');
    const expression = childAt(tree, statement, 'value');
    const isDefault = childrenOf(tree, statement).some(child => textOf(tree, child) === 'default');
    if (isDefault) {
      const value = declaration ?? expression;
      const named = declaration === undefined ? undefined : childAt(tree, declaration, 'name');
      if (value === undefined) return undefined;
      const name = named === undefined ? undefined : textOf(tree, named);
      if (local === undefined && name === undefined) spans.push({ start, end, text: '' });
      else spans.push({ start, end: tree.start[value]!, text: name === undefined ? `const ${local} = ` : '' });
      if (local !== undefined && name !== undefined && name !== local)
        spans.push({ start: end, end, text: `\nconst ${local} = ${name};` });
    } else if (declaration !== undefined) spans.push({ start, end: tree.start[declaration]!, text: '' });
    else if (/\bas\b|\bfrom\b|=/.test(textOf(tree, statement))) return undefined;
    else spans.push({ start, end, text: '' });
  }
  // What is put together by assignments is not taken apart here.
  const isAssigned = spans.length === 0 && [...module.exports].some(name => name !== 'default');
  return isAssigned ? undefined : spans;
}

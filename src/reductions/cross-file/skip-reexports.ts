/** Removes a file that only re-exports. */
import { dirname } from 'node:path/posix';
import { addTo } from '../../core/lists.js';
import { childAt, childrenOf, isComment, partsOf, textOf } from '../../syntax/flat-tree.js';
import { unquoted } from '../../syntax/languages/modules.js';
import type { Span } from '../edits.js';
import type { FolderEdit } from './edits.js';
import { type Edge, graphOf, type Importer, importersOf, type Node, type Nodes } from './graph.js';
import { seenFrom } from './rewrite-paths.js';
import type { Source } from './sources.js';

/** Removes a file that only re-exports, and imports from the file with the declaration instead. */
export function skipReexports(sources: readonly Source[]): readonly FolderEdit[] {
  const nodes = graphOf(sources);
  const importers = importersOf(nodes);
  const edits: FolderEdit[] = [];
  for (const [path, node] of nodes) {
    const own = importers.get(path) ?? [];
    const behind = requiredBy(node);
    if (own.length === 0 || (behind === undefined && !onlyHandsOn(node))) continue;
    const spans = new Map<string, Span[]>();
    for (const importer of own) {
      const span = behind === undefined ? redirected(nodes, path, importer) : requiring(behind, importer);
      if (span === undefined) break;
      const from = importer.node.source.path;
      addTo(spans, from, span);
    }
    const rewritten = [...spans.values()].reduce((sum, list) => sum + list.length, 0);
    if (rewritten === own.length) edits.push({ spans, gone: [path], label: `import past ${path}` });
  }
  return edits;
}

const onlyHandsOn = ({ source: { tree }, system: { exports } }: Node): boolean =>
  exports !== undefined &&
  childrenOf(tree, 0).every(statement => isComment(tree, statement) || exports.isHandedOn(tree, statement));

/** The file behind `module.exports = require('./other')`, if that is all there is. */
function requiredBy({ source: { tree }, system, imports }: Node): string | undefined {
  const [only, ...others] = imports;
  if (only?.call === undefined || others.length > 0 || partsOf(tree, 0).length !== 1) return undefined;
  return system.exports?.wholeValue(tree) === only.call ? only.target : undefined;
}

/** The call of `require` with the name of another file. */
function requiring(path: string, { node, call }: Importer): Span | undefined {
  const { tree, path: from } = node.source;
  const list = call === undefined ? undefined : childAt(tree, call, 'arguments');
  const [named] = list === undefined ? [] : partsOf(tree, list);
  const { paths } = node.system;
  if (named === undefined || paths === undefined || path === from) return undefined;
  const spelled = paths.spellLike(unquoted(tree, named), seenFrom(dirname(from), path));
  return { start: tree.start[named]! + 1, end: tree.end[named]! - 1, text: spelled };
}

/** The statement, importing every name from the file that declares it. */
function redirected(nodes: Nodes, path: string, { node, statement, edges }: Importer): Span | undefined {
  const { tree, path: from } = node.source;
  const text = textOf(tree, statement);
  const source = childAt(tree, statement, 'source');
  const brace = text.indexOf('{');
  const isPlain = brace >= 0 && /^(import|export)(\s+type)?\s*$/.test(text.slice(0, brace));
  const { paths } = node.system;
  if (source === undefined || paths === undefined || !isPlain || edges.length === 0) return undefined;
  const byTarget = new Map<string, string[]>();
  for (const edge of edges) {
    const origin = originOf(nodes, path, edge.name, [path]);
    if (origin === undefined || origin.path === from) return undefined;
    const here = edge.local ?? edge.again!;
    const specifier = origin.name === here ? here : `${origin.name} as ${here}`;
    addTo(byTarget, origin.path, specifier);
  }
  const quote = textOf(tree, source)[0]!;
  const named = textOf(tree, source).slice(1, -1);
  const head = text.slice(0, brace).trimEnd();
  const lines = [...byTarget].map(([target, specifiers]) => {
    const spelled = paths.spellLike(named, seenFrom(dirname(from), target));
    return `${head} { ${specifiers.join(', ')} } from ${quote}${spelled}${quote}${text.endsWith(';') ? ';' : ''}`;
  });
  return { start: tree.start[statement]!, end: tree.end[statement]!, text: lines.join('\n') };
}

interface Origin {
  readonly path: string;
  readonly name: string;
}

/** Where a name that a file exports is declared, through the files that re-export it. */
function originOf(nodes: Nodes, path: string, name: string, seen: readonly string[]): Origin | undefined {
  const node = nodes.get(path);
  if (node === undefined) return undefined;
  const next = (edge: Edge, wanted: string): Origin | undefined =>
    edge.target === undefined || seen.includes(edge.target)
      ? undefined
      : originOf(nodes, edge.target, wanted, [...seen, edge.target]);
  const handed = node.imports.find(edge => edge.again === name);
  if (handed !== undefined) return next(handed, handed.name);
  if (node.module.exports.has(name)) return { path, name };
  for (const edge of node.imports) {
    const found = edge.again === '*' && name !== 'default' ? next(edge, name) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

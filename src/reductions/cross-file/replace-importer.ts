/** Replaces a file by one that it imports. */
import { dirname, join, normalize } from 'node:path/posix';
import { type Paths, unquoted } from '../../syntax/languages/modules.js';
import { apply } from '../../syntax/text-cut.js';
import type { Span } from '../edits.js';
import type { FolderEdit } from './edits.js';
import { graphOf, type Node } from './graph.js';
import { seenFrom } from './rewrite-paths.js';
import type { Source } from './sources.js';

/** A file with more imports than this does something itself: deleting its imports shows which of them matters. */
const fewImports = 4;

/**
 * Replaces a file by one that it imports. If the failure is in the imported file, the importer is not needed, but the
 * command only knows the importer's name. Files that imported either of them are adjusted.
 */
export function replaceImporters(sources: readonly Source[]): readonly FolderEdit[] {
  const nodes = graphOf(sources);
  const edits: FolderEdit[] = [];
  for (const [path, importer] of nodes) {
    const targets = new Set(importer.imports.map(({ target }) => target).filter(target => target !== path));
    if (targets.size > fewImports) continue;
    for (const target of targets) {
      const node = target === undefined ? undefined : nodes.get(target);
      const { language } = importer.source.syntax;
      const { paths } = importer.system;
      if (node === undefined || paths === undefined || node.source.syntax.language !== language) continue;
      const moved = apply(node.source.text, { spans: respelled(node, paths, path, node.source.path) });
      const spans = new Map<string, Span[]>([[path, [{ start: 0, end: importer.source.text.length, text: moved }]]]);
      for (const other of nodes.values()) {
        const isAffected = other !== node && other !== importer && other.imports.some(edge => edge.target === target);
        if (isAffected) spans.set(other.source.path, respelled(other, paths, path, node.source.path));
      }
      edits.push({ spans, gone: [node.source.path], label: `${node.source.path} in place of ${path}` });
    }
  }
  return edits;
}

/**
 * The paths by which a module imports other files, after `gone` moved to `place`. `gone` itself then sees all others from
 * there.
 */
function respelled({ source, imports }: Node, paths: Paths, place: string, gone: string): Span[] {
  const { tree, path } = source;
  const folder = dirname(path === gone ? place : path);
  const targets = new Map(imports.flatMap(({ from, target }) => (target === undefined ? [] : [[from, target]])));
  const spans: Span[] = [];
  for (const node of paths.nodesIn(tree)) {
    const from = unquoted(tree, node);
    const target = targets.get(from);
    if (target === undefined || (path !== gone && target !== gone)) continue;
    const to = target === gone || target === place ? place : undefined;
    const text =
      to === undefined
        ? seenFrom(folder, normalize(join(dirname(path), from)))
        : paths.spellLike(from, seenFrom(folder, to));
    if (text !== from) spans.push({ start: tree.start[node]! + 1, end: tree.end[node]! - 1, text });
  }
  return spans;
}

/** Removes files of a folder without losing the way to the files behind them. */

import { inTwoSteps } from '../../circumstances/in-two-steps.js';
import { type Artifact, bytesOf, type Entry } from '../../core/artifact.js';
import { withText } from '../../core/decode.js';
import { type Circumstance, type Configuration, empty, has, of } from '../../core/index.js';
import { addTo } from '../../core/lists.js';
import { type Trace, textOf } from '../../core/trace.js';
import { editing, type Span } from '../edits.js';
import { graphOf, importedFirst, importedIn, type Node, type Nodes, nearestKept } from './graph.js';
import type { Source } from './sources.js';

/**
 * Files that others import, as deltas. If a file is left out, whatever imported it imports the files behind it instead: the
 * graph of imports is contracted, so that a cause deep in the graph can still be reached from the file that the command names.
 * If the imports stayed, they would find nothing; if they were removed, so would be everything behind them. A cause in
 * one file of hundreds is then found by halving. Names from a file that is gone are not defined any more, so this is for
 * tools that read the files, and for code that the failure does not execute.
 */
export function contractFiles(artifact: Artifact, sources: readonly Source[]): Circumstance<Artifact> | undefined {
  const nodes = new Map([...graphOf(sources)].filter(([, { system }]) => system.loading !== undefined));
  const imported = importedIn(nodes);
  const paths = importedFirst(nodes).filter(path => imported.has(path));
  if (paths.length < 2) return undefined;
  const contract = (configuration: Configuration): ReadonlyMap<string, Trace | undefined> => {
    const gone = new Set(paths.filter((_, delta) => !has(configuration, delta)));
    const changed = new Map<string, Trace | undefined>([...gone].map(path => [path, undefined]));
    for (const node of nodes.values()) {
      if (gone.has(node.source.path)) continue;
      const spans = bypass(nodes, node, gone);
      if (spans.length > 0)
        changed.set(node.source.path, editing('import', node.source.text, [{ spans }]).trace!(empty));
    }
    return changed;
  };
  return {
    name: 'file',
    count: paths.length,
    weights: paths.map(path => bytesOf({ files: new Map([[path, artifact.files.get(path)!]]) }) + 1),
    build(configuration) {
      const files = new Map<string, Entry>(artifact.files);
      for (const [path, trace] of contract(configuration)) {
        const entry = files.get(path);
        if (trace === undefined || entry?.kind !== 'file') files.delete(path);
        else files.set(path, withText(entry, textOf(trace, nodes.get(path)!.source.text)));
      }
      return { ...artifact, files };
    },
    trace: configuration =>
      new Map([...contract(configuration)].flatMap(([path, trace]) => (trace === undefined ? [] : [[path, trace]]))),
    describe: delta => paths[delta]!,
  };
}

/**
 * The files that a failure names, behind the files that nothing imports: one of these is what the command names. Without the
 * files between them, the named ones are imported directly. What the named files import is the first delta, and all others are the second.
 */
export function contractToNamed(
  artifact: Artifact,
  sources: readonly Source[],
  isNamed: (path: string) => boolean,
): Circumstance<Artifact> | undefined {
  const contracted = contractFiles(artifact, sources);
  if (!contracted) return undefined;
  const nodes = graphOf(sources);
  const paths = Array.from({ length: contracted.count }, (_, delta) => contracted.describe!(delta));
  const named = new Set(paths.filter(isNamed));
  if (named.size === 0 || named.size === paths.length) return undefined;
  const complete = new Set(named);
  for (const path of complete)
    for (const { target } of nodes.get(path)?.imports ?? []) if (target !== undefined) complete.add(target);
  const indices = (kept: ReadonlySet<string>): Configuration =>
    of([...paths.keys()].filter(delta => kept.has(paths[delta]!)));
  return inTwoSteps(contracted, {
    alone: indices(named),
    complete: indices(complete),
    described: ['what the named files import', 'all other files'],
  });
}

/** Files that no other file imports: the ones that a command names, and leftovers. */
export function unimportedFiles(sources: readonly Source[]): readonly string[] {
  const nodes = graphOf(sources);
  const imported = importedIn(nodes);
  return imported.size === 0 ? [] : [...nodes.keys()].filter(path => !imported.has(path));
}

/** The statements of a file that import a file that is gone, each replaced by imports of what is behind it. */
function bypass(nodes: Nodes, { source, system, imports }: Node, gone: ReadonlySet<string>): readonly Span[] {
  const { tree, path } = source;
  const known = new Set([path, ...imports.flatMap(({ target }) => (target === undefined ? [] : [target]))]);
  const byStatement = new Map<number, Node['imports'][number][]>();
  for (const edge of imports)
    if (edge.target !== undefined && gone.has(edge.target)) addTo(byStatement, edge.statement, edge);
  return [...byStatement].map(([statement, [edge]]) => {
    const target = edge!.target!;
    const behind = nearestKept(nodes, target, gone).filter(file => !known.has(file));
    for (const file of behind) known.add(file);
    const text = system.loading!(tree, { statement, from: edge!.from, path, target }, behind);
    return { start: tree.start[statement]!, end: tree.end[statement]!, text };
  });
}

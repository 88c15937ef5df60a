/** Replaces files of a folder that is executed by files that do nothing, and have the names that others import. */
import type { Artifact, Entry } from '../../core/artifact.js';
import { withText } from '../../core/decode.js';
import { type Circumstance, type Configuration, has } from '../../core/index.js';
import type { Trace } from '../../core/trace.js';
import { graphOf, importedFirst, importedIn, importersOf, type Node, type Nodes, nearestKept } from './graph.js';
import type { Source } from './sources.js';

/** In a smaller folder, other passes need fewer questions, and leave nothing behind that has to be removed again. */
const leastGain = 50_000;

/**
 * Files that others import, as deltas. If a file is left out, it is replaced by a stub: every name that the remaining files
 * import from it is a value that can be called, extended and read. Code that is executed when it is loaded often only passes
 * such values on, so each file can be replaced whatever the others use of it, and a cause in a few files of hundreds is found
 * by halving. A stub loads the remaining files behind it. A file from which no remaining file imports is removed.
 */
export function stubFiles(
  artifact: Artifact,
  sources: readonly Source[],
  least = leastGain,
): Circumstance<Artifact> | undefined {
  const nodes = new Map([...graphOf(sources)].filter(([, { system }]) => system.stub && system.loading));
  const imported = importedIn(nodes);
  const importers = importersOf(nodes);
  const onLoad = new Map(
    [...nodes].map(([path, node]) => [path, { ...node, imports: node.imports.filter(({ isLate }) => !isLate) }]),
  );
  const gainOf = (path: string): number => {
    const { source, system } = nodes.get(path)!;
    return source.text.length - system.stub!(source.tree, ['a'], []).length;
  };
  const paths = importedFirst(nodes).filter(path => imported.has(path) && gainOf(path) > 0);
  const gain = paths.reduce((sum, path) => sum + gainOf(path), 0);
  if (paths.length < 2 || gain < least) return undefined;
  const replace = (configuration: Configuration): ReadonlyMap<string, string | undefined> => {
    const gone = new Set(paths.filter((_, delta) => !has(configuration, delta)));
    return new Map(
      [...gone].map(path => {
        const left = (importers.get(path) ?? []).filter(({ node }) => !gone.has(node.source.path));
        const node = nodes.get(path)!;
        if (left.length === 0) return [path, undefined];
        const names = new Set(
          left.flatMap(({ node: user, edges }) => edges.flatMap(edge => wanted(node, user, edge.name))),
        );
        return [path, node.system.stub!(node.source.tree, [...names], loadsOf(onLoad, onLoad.get(path)!, gone))];
      }),
    );
  };
  return {
    name: 'file',
    count: paths.length,
    weights: paths.map(gainOf),
    build(configuration) {
      const files = new Map<string, Entry>(artifact.files);
      for (const [path, text] of replace(configuration)) {
        const entry = files.get(path);
        if (text === undefined || entry?.kind !== 'file') files.delete(path);
        else files.set(path, withText(entry, text));
      }
      return { ...artifact, files };
    },
    trace: configuration =>
      new Map(
        [...replace(configuration)].flatMap(([path, text]): [string, Trace][] =>
          text === undefined ? [] : [[path, [{ text }]]],
        ),
      ),
    describe: delta => paths[delta]!,
  };
}

/** The names that a file takes from another one by this import. */
function wanted({ module }: Node, user: Node, name: string): readonly string[] {
  if (name === '*') return [...module.exports].filter(each => user.source.leaves.has(each));
  // Otherwise it is a file of the package.
  return module.open || module.exports.has(name) ? [name] : [];
}

/** The statements of a stub: for each import, one that loads the remaining files that it led to. */
function loadsOf(nodes: Nodes, { source, system, imports }: Node, gone: ReadonlySet<string>): readonly string[] {
  const known = new Set([source.path]);
  return imports.flatMap(({ target, statement, from }) => {
    if (target === undefined) return [];
    const behind = (gone.has(target) ? nearestKept(nodes, target, gone) : [target]).filter(file => !known.has(file));
    for (const file of behind) known.add(file);
    return behind.length === 0
      ? []
      : [system.loading!(source.tree, { statement, from, path: source.path, target }, behind)];
  });
}

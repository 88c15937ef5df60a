/** Removes what nothing of a folder needs: declarations, imports of them, and files. */
import { joined } from '../../core/groups.js';
import { addTo, leastOf } from '../../core/lists.js';
import { emptiedStatements } from '../../syntax/names/emptied-statements.js';
import { cut, disjoint } from '../../syntax/text-cut.js';
import type { Span } from '../edits.js';
import type { FolderEdit } from './edits.js';
import { graphOf, importedFirst, type Nodes } from './graph.js';
import { type Item, reachedIn } from './reached-names.js';
import type { Source } from './sources.js';

/**
 * After the code that did not run is gone, a folder is full of names that are only imported and exported, and of files that are only loaded.
 * In one file, each of them seems needed: another file names it. So what is needed is followed through all files, and the rest goes in one
 * question. A declaration goes with its imports and exports, and a file with the statements that load it.
 * Files that import others come last: uses go before what they use.
 */
export function removeUnused(sources: readonly Source[]): readonly FolderEdit[] {
  const nodes = new Map([...graphOf(sources)].filter(([, { system }]) => system.loading !== undefined));
  if (nodes.size < 2) return [];
  const reached = reachedIn(nodes);
  const order = new Map(importedFirst(nodes).map((path, i) => [path, i]));
  const groups = new Map<string, Item[]>();
  const shared = new Set(reached.items.flatMap(({ exported }) => exported));
  for (const item of reached.items) {
    const { path, binding, exported, isImport } = item;
    const isShared = exported.length > 0 || (isImport && shared.has(binding.name));
    addTo(groups, isShared ? binding.name : `${path} ${binding.name} ${binding.definitions}`, item);
  }
  const emptied = [...nodes].flatMap(([path, { source }]) => {
    const own = reached.items.filter(item => item.path === path);
    return emptiedStatements(source.tree, source.table, own).map(statement => ({ path, ...statement }));
  });
  const together = [...groups.values(), ...emptied.map(({ by }) => by)];
  const edits: (FolderEdit & { readonly at: number })[] = joined(reached.items, together).map(items => ({
    spans: spansOf([
      ...items.map(({ path, spans }) => [path, spans] as const),
      ...emptied.filter(({ by }) => items.includes(by[0]!)).map(({ path, span }) => [path, [span]] as const),
    ]),
    label: `unused ${items[0]!.binding.name}`,
    at: leastOf(items.map(({ path }) => order.get(path)!)),
  }));
  for (const [path, { gone, statements }] of loadsIn(nodes, reached)) {
    const spans = spansOf(statements);
    edits.push({ spans, ...(gone ? { gone: [path] } : {}), label: `unused ${path}`, at: order.get(path)! });
  }
  return edits.sort((a, b) => a.at - b.at);
}

interface Loads {
  readonly gone: boolean;
  readonly statements: [path: string, spans: readonly Span[]][];
}

/** By file: the statements that load it for nothing. If all of them do, the file is gone. */
function loadsIn(nodes: Nodes, reached: ReturnType<typeof reachedIn>): ReadonlyMap<string, Loads> {
  const found = new Map<string, Loads>([...reached.files].map(path => [path, { gone: true, statements: [] }]));
  for (const [path, { source, imports }] of nodes) {
    if (reached.files.has(path)) continue;
    const { tree, table } = source;
    for (const statement of new Set(imports.map(each => each.statement))) {
      const own = imports.filter(each => each.statement === statement);
      const removal = table.get(statement);
      const { target } = own[0]!;
      if (target === undefined || removal === undefined || reached.needs(path, statement)) continue;
      const loads = found.get(target) ?? { gone: false, statements: [] };
      loads.statements.push([path, [cut(tree.text, removal.start, removal.end)]]);
      found.set(target, loads);
    }
  }
  return found;
}

/** In one file, the edits of several items are one after the other. */
function spansOf(
  parts: readonly (readonly [path: string, spans: readonly Span[]])[],
): ReadonlyMap<string, readonly Span[]> {
  const found = new Map<string, Span[]>();
  for (const [path, spans] of parts) for (const span of spans) addTo(found, path, span);
  return new Map([...found].map(([path, spans]) => [path, disjoint(spans)]));
}

/** Names that one file declares and others mention. */
import { addTo } from '../../core/lists.js';
import { type FlatTree, is } from '../../syntax/flat-tree.js';
import { isIntroduced } from '../../syntax/introduced.js';
import { scopeOf } from '../../syntax/names/bindings.js';
import type { Source } from './sources.js';

/** How a name is used in one file: where the file or a class declares or imports it, and where it is referred to. */
export interface Mentions {
  readonly source: Source;
  readonly declared: readonly number[];
  readonly imported: readonly number[];
  readonly uses: readonly number[];
}

/** A name that one file declares and others mention. */
export interface Shared {
  readonly name: string;
  readonly mentions: readonly Mentions[];
}

/**
 * Names that cross files, by their spelling: exports and imports, headers and definitions, packages and macros look different
 * in every language, but all use the same name at both ends. A local variable of a function is a different thing of that
 * name, and is left alone. Two unrelated things of the same name are treated as one; the test decides.
 */
export function sharedNames(sources: readonly Source[]): readonly Shared[] {
  const places = new Map<string, Source[]>();
  for (const source of sources) for (const name of source.leaves.keys()) addTo(places, name, source);
  const found: Shared[] = [];
  for (const [name, where] of places) {
    if (where.length < 2) continue;
    const mentions = where.map(source => mentionsIn(source, name)).filter(isMentioned);
    if (mentions.length > 1 && mentions.some(({ declared }) => declared.length > 0)) found.push({ name, mentions });
  }
  return found;
}

const isMentioned = ({ declared, imported, uses }: Mentions): boolean =>
  declared.length + imported.length + uses.length > 0;

function mentionsIn(source: Source, name: string): Mentions {
  const { tree, syntax } = source;
  const own = source.bindings.filter(binding => binding.name === name);
  const local = new Set<number>();
  const definitions = new Set<number>();
  for (const binding of own) {
    // If names are read from the tree, a name that nothing introduces is defined by its first leaf.
    const real = binding.definitions.filter(leaf => syntax.language.compiler !== undefined || isIntroduced(tree, leaf));
    if (real.length === 0) continue;
    if (real.every(leaf => scopeOf(tree, leaf) > 0))
      for (const leaf of [...binding.definitions, ...binding.uses]) local.add(leaf);
    else for (const leaf of real) definitions.add(leaf);
  }
  const leaves = source.leaves.get(name)!.filter(leaf => !local.has(leaf));
  return {
    source,
    declared: leaves.filter(leaf => definitions.has(leaf) && !isImported(tree, leaf)),
    imported: leaves.filter(leaf => isImported(tree, leaf)),
    uses: leaves.filter(leaf => !definitions.has(leaf) && !isImported(tree, leaf)),
  };
}

/** Whether the leaf is in an import or export statement that refers to another file. */
export function isImported(tree: FlatTree, leaf: number): boolean {
  for (let node = tree.parent[leaf]!, up = 0; node > 0 && up < 6; node = tree.parent[node]!, up++) {
    if (is(tree, node, 'imported')) return true;
    // `const { a } = require('./a')`
    if (is(tree, node, 'requiredNames'))
      return /\brequire\s*\(/.test(tree.text.slice(tree.end[node], tree.end[node]! + 20));
    if (is(tree, node, 'notImported')) return false;
  }
  return false;
}

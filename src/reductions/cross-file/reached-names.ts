/** Which names, imports and files of a folder of modules the files that nothing imports still need. */
import { addTo } from '../../core/lists.js';
import type { Span } from '../../syntax/edit.js';
import { textOf } from '../../syntax/flat-tree.js';
import type { Binding } from '../../syntax/names/bindings.js';
import { declarationSpans } from '../../syntax/names/repair.js';
import { cut, disjoint } from '../../syntax/text-cut.js';
import { isDeclaredAlone } from '../tree/executed/unused.js';
import { type Edge, importedIn, type Node, type Nodes } from './graph.js';
import { isImported } from './shared.js';

/** A declaration or an import that can be removed, as far as the tree shows. */
export interface Item {
  readonly path: string;
  readonly binding: Binding;
  readonly spans: readonly Span[];
  readonly isImport: boolean;
  /** The names under which others may import it. */
  readonly exported: readonly string[];
}

export interface Reached {
  /** What nothing needs. */
  readonly items: readonly Item[];
  /** Files that nothing needs. */
  readonly files: ReadonlySet<string>;
  /** Whether a file needs something from another one, or loads it for what it does. */
  needs(path: string, statement: number): boolean;
}

/**
 * Starts from the files that nothing imports, and follows what their code mentions. Names that cross files are matched by their spelling,
 * so a member or a local variable of the same name counts as a use, too. Imports and exports are no uses: a name that is only imported and exported again is needed by nobody.
 */
export function reachedIn(nodes: Nodes): Reached {
  const imported = importedIn(nodes);
  const files = new Map([...nodes].map(([path, node]) => [path, new File(path, node, !imported.has(path))]));
  const mentioned = new Map<string, Set<string>>();
  const isMentionedOutside = (name: string, path: string): boolean => {
    const where = mentioned.get(name);
    return where !== undefined && (where.size > 1 || !where.has(path));
  };
  const namesOf = (path: string, met = new Set<string>()): readonly string[] => {
    const file = files.get(path);
    if (file === undefined || met.has(path)) return [];
    met.add(path);
    const behind = file.node.imports.flatMap(({ again, target }) =>
      again === '*' && target ? namesOf(target, met) : [],
    );
    return [...file.node.module.exports, ...behind];
  };
  const mention = (name: string, path: string): boolean => {
    const where = mentioned.get(name) ?? new Set();
    if (where.has(path)) return false;
    mentioned.set(name, where.add(path));
    return true;
  };
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const file of files.values()) {
      if (!file.isReached) continue;
      const { path } = file;
      for (const name of file.newMentions()) if (mention(name, path)) isNew = true;
      for (const item of file.items) {
        if (!file.isGone(item)) continue;
        if (!file.isUsed(item) && !item.exported.some(name => isMentionedOutside(name, path))) continue;
        file.reach(item);
        isNew = true;
      }
      for (const { target, name, local, again, statement } of file.edges) {
        const isAll = again === '*';
        const isTaken =
          again !== undefined
            ? (isAll && target ? namesOf(target) : [again]).some(each => isMentionedOutside(each, path))
            : local !== undefined
              ? file.binds(local)
              : file.loads(statement);
        if (!isTaken) continue;
        file.needed.add(statement);
        // Under another name, it is the same thing.
        if (name !== '' && name !== '*' && name !== (local ?? again) && mention(name, path)) isNew = true;
        const other = target === undefined ? undefined : files.get(target);
        if (other === undefined || other.isReached) continue;
        other.isReached = true;
        isNew = true;
      }
    }
  }
  return {
    items: [...files.values()].flatMap(file => (file.isReached ? file.items.filter(item => file.isGone(item)) : [])),
    files: new Set([...files.values()].filter(({ isReached }) => !isReached).map(({ path }) => path)),
    needs: (path, statement) => files.get(path)?.needed.has(statement) === true,
  };
}

interface Mention {
  readonly name: string;
  readonly leaf: number;
}

/** What is known of a file so far. */
class File {
  readonly items: readonly Item[];
  /** Its imports, without those that only say again what a statement takes. */
  readonly edges: readonly Edge[];
  readonly needed = new Set<number>();
  /** How many items that nothing needs contain a character. */
  #covered: Uint16Array;
  #gone: Set<Item>;
  #pending: readonly Mention[];
  #names: ReadonlyMap<string, readonly Item[]>;

  constructor(
    readonly path: string,
    readonly node: Node,
    public isReached: boolean,
  ) {
    const { source, system, imports } = node;
    const isNamed = ({ local, again }: Edge): boolean => local !== undefined || again !== undefined;
    const naming = new Set(imports.filter(isNamed).map(({ statement }) => statement));
    this.edges = imports.filter(edge => isNamed(edge) || !naming.has(edge.statement));
    const { tree, table } = source;
    const isStart = isReached;
    const defined = new Set<number>();
    this.items = source.bindings.flatMap((binding): Item[] => {
      const { definitions } = binding;
      if (definitions.length === 0 || !definitions.every(leaf => isDeclaredAlone(tree, leaf))) return [];
      const spans = declarationSpans(tree, table, binding);
      if (spans === undefined) return [];
      const isImport = isImported(tree, definitions[0]!);
      const handedOn = exportsOf(node, binding);
      const exported = exportedAs(node, binding, spans, handedOn);
      // What starts the program may be loaded by something outside the folder.
      if (exported.length > 0 && isStart && !system.exportsImports) return [];
      for (const leaf of definitions) defined.add(leaf);
      const also = handedOn.flatMap(leaf => declarationSpans(tree, table, { ...binding, definitions: [leaf] }) ?? []);
      return [{ path, binding, spans: disjoint([...spans, ...also]), isImport, exported }];
    });
    if (!isStart) this.items = [...this.items, ...reexportsOf(path, node), ...membersOf(path, node)];
    this.#gone = new Set(this.items);
    this.#covered = new Uint16Array(tree.text.length);
    for (const { spans } of this.items) this.#cover(spans, 1);
    this.#pending = [...source.leaves].flatMap(([name, leaves]) =>
      leaves.filter(leaf => !isImported(tree, leaf) && !defined.has(leaf)).map(leaf => ({ name, leaf })),
    );
    const names = new Map<string, Item[]>();
    for (const item of this.items) addTo(names, item.binding.name, item);
    this.#names = names;
  }

  isGone(item: Item): boolean {
    return this.#gone.has(item);
  }

  reach(item: Item): void {
    this.#gone.delete(item);
    this.#cover(item.spans, -1);
  }

  isUsed({ binding }: Item): boolean {
    const { tree } = this.node.source;
    return binding.uses.some(leaf => !isImported(tree, leaf) && this.#isLive(leaf));
  }

  /** Whether something of this name is here that is needed, or that cannot be removed. */
  binds(local: string): boolean {
    const items = this.#names.get(local);
    return items === undefined || items.some(item => !this.#gone.has(item));
  }

  /** A statement that takes no name loads a file for what it does, unless something took its names away. */
  loads(statement: number): boolean {
    const { tree } = this.node.source;
    return this.#isLive(statement) && !takesNothing(tree.text.slice(tree.start[statement], tree.end[statement]));
  }

  /** The names in what is needed, each once. */
  *newMentions(): Generator<string> {
    const rest: Mention[] = [];
    for (const one of this.#pending) {
      if (this.#isLive(one.leaf)) yield one.name;
      else rest.push(one);
    }
    this.#pending = rest;
  }

  #isLive(node: number): boolean {
    return this.#covered[this.node.source.tree.start[node]!] === 0;
  }

  #cover(spans: readonly Span[], by: 1 | -1): void {
    const covered = this.#covered;
    for (const { start, end } of spans) for (let i = start; i < end; i++) covered[i] = covered[i]! + by;
  }
}

/** Where `export { a }` and `export { a as b }` name it. */
function exportsOf({ source: { tree, leaves }, imports }: Node, { name, definitions }: Binding): readonly number[] {
  const isOfAnother = (leaf: number): boolean =>
    imports.some(({ statement }) => statement <= leaf && leaf < tree.past[statement]!);
  return (leaves.get(name) ?? []).filter(
    leaf => !definitions.includes(leaf) && isImported(tree, leaf) && !isOfAnother(leaf),
  );
}

/** The names that a file takes from others and only exports again. */
function reexportsOf(path: string, { source: { tree, table, leaves }, imports }: Node): readonly Item[] {
  return imports.flatMap(({ name, again, statement }): Item[] => {
    if (again === undefined || again === '*') return [];
    const leaf = [...(leaves.get(name) ?? []), ...(leaves.get(again) ?? [])].find(
      one => statement <= one && one < tree.past[statement]!,
    );
    const binding = { name, definitions: leaf === undefined ? [] : [leaf], uses: [] };
    const spans = leaf === undefined ? undefined : declarationSpans(tree, table, binding);
    return spans === undefined ? [] : [{ path, binding, spans, isImport: true, exported: [again] }];
  });
}

/** What a file exports one by one without declaring it. */
const membersOf = (path: string, { source: { tree, table }, system }: Node): readonly Item[] =>
  (system.exports?.members(tree) ?? []).flatMap(({ name, node }): Item[] => {
    const removal = table.get(node);
    const binding = { name, definitions: [], uses: [] };
    if (removal === undefined) return [];
    return [{ path, binding, spans: [cut(tree.text, removal.start, removal.end)], isImport: false, exported: [name] }];
  });

/** Under which names: also by `export default class a {}`. */
function exportedAs(
  { source: { tree }, module }: Node,
  { name }: Binding,
  spans: readonly Span[],
  handedOn: readonly number[],
): readonly string[] {
  const words = handedOn.flatMap(leaf => textOf(tree, tree.parent[leaf]!).match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  const isDefault = spans.some(({ start, end }) => /^\s*export\s+default\b/.test(tree.text.slice(start, end)));
  const found = new Set([name, ...words, ...(isDefault ? ['default'] : [])]);
  return [...found].filter(each => module.exports.has(each));
}

/** `import {} from './a'` */
const takesNothing = (statement: string): boolean => /^\w+\s*\{\s*\}/.test(statement);

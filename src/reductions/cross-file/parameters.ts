/** Removes a parameter together with its arguments in all files. */
import { greatestOf } from '../../core/lists.js';
import { type FlatTree, is, partsOf, textOf } from '../../syntax/flat-tree.js';
import { ownName } from '../../syntax/names/bindings.js';
import { toDefaultValue } from '../../syntax/names/repair.js';
import { disjoint } from '../../syntax/text-cut.js';
import type { Span } from '../edits.js';
import { element, type Listed, lists, usesOf } from '../tree/calls/arguments.js';
import type { FolderEdit } from './edits.js';
import type { Source } from './sources.js';

interface Place extends Listed {
  readonly source: Source;
}

interface Callable {
  readonly signatures: Place[];
  readonly calls: Place[];
}

/** Removes a parameter from every declaration and definition, and the argument from every call, in all files. */
export function removeParameters(sources: readonly Source[]): readonly FolderEdit[] {
  const edits: FolderEdit[] = [];
  for (const [key, { signatures, calls }] of callables(sources)) {
    const paths = new Set([...signatures, ...calls].map(({ source }) => source.path));
    if (signatures.length === 0 || paths.size < 2) continue;
    const most = greatestOf(signatures.map(({ source, list }) => partsOf(source.tree, list).length));
    for (let position = 0; position < most; position++) {
      const spans = new Map<string, Span[]>();
      const uses = new Map<string, Span[]>();
      let isWhole = true;
      for (const { source, list, owner } of [...signatures, ...calls]) {
        const node = partsOf(source.tree, list)[position];
        if (node === undefined) continue;
        const span = element(source.tree, source.table, node);
        if (span === undefined) isWhole = false;
        else note(spans, source.path, [span]);
        if (!signatures.some(one => one.source === source && one.list === list)) continue;
        const defaults = usesOf(source.tree, owner, node).map(use => toDefaultValue(source.tree, source.table, use));
        note(
          uses,
          source.path,
          defaults.filter(one => one !== undefined),
        );
      }
      if (!isWhole || spans.size < 2) continue;
      const label = `delete parameter ${position + 1} of ${key.slice(1)} in ${spans.size} files`;
      edits.push({ spans: each(spans), label });
      if ([...uses.values()].some(list => list.length > 0)) {
        for (const [path, more] of spans) note(uses, path, more);
        edits.push({ spans: each(uses), label: `${label} and its uses` });
      }
    }
  }
  return edits;
}

const note = (spans: Map<string, Span[]>, path: string, more: readonly Span[]): void =>
  void spans.set(path, [...(spans.get(path) ?? []), ...more]);

const each = (spans: ReadonlyMap<string, readonly Span[]>): ReadonlyMap<string, readonly Span[]> =>
  new Map([...spans].map(([path, list]) => [path, disjoint(list)]));

function callables(sources: readonly Source[]): ReadonlyMap<string, Callable> {
  const found = new Map<string, Callable>();
  for (const source of sources) {
    const { calls, signatures } = lists(source.tree);
    const add = (one: Listed, name: string, what: keyof Callable): void => {
      const key = `${one.angled ? '<' : '('}${name}`;
      const known = found.get(key) ?? { signatures: [], calls: [] };
      found.set(key, known);
      known[what].push({ ...one, source });
    };
    for (const one of signatures) add(one, constructed(source.tree, one), 'signatures');
    for (const one of calls) add(one, one.name, 'calls');
  }
  return found;
}

/** A constructor is called by the name of its class. */
function constructed(tree: FlatTree, { list, name }: Listed): string {
  if (name !== 'constructor') return name;
  for (let node = tree.parent[list]!; node > 0; node = tree.parent[node]!)
    if (is(tree, node, 'class') && ownName(tree, node) >= 0) return textOf(tree, ownName(tree, node));
  return name;
}

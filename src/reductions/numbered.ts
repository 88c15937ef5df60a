/** Removes items that others name by their number, such as the corners of a mesh: the numbers of the items after it are one less. */
import { all, type Circumstance, type Configuration, deltasOf, minus } from '../core/index.js';
import { type Fragment, textOf } from '../core/trace.js';
import type { Span } from '../syntax/edit.js';
import { holesOf, type ItemList, lowered, type Part } from './cut-items.js';
import { edited, outermost } from './spans.js';

/** An item of a list. */
export interface Item {
  readonly list: ItemList;
  readonly item: number;
}

export interface Reference {
  /** The number, as it is written. */
  readonly part: Part;
  /** The item that it names, counted from 0. */
  readonly target: number;
  /** What makes no sense without that item: nothing if it is not in a list. */
  readonly holder?: Item | undefined;
}

export interface NumberedItems {
  readonly count: number;
  /** The items, or nothing if only their number is written, as that of the vertices of a graph. */
  readonly items: readonly Item[];
  /** The number of the first item. */
  readonly first: number;
  readonly references: readonly Reference[];
  /** A number that says how many there are, if there are no items. */
  readonly counter?: Part;
}

/** What is known about the lists. */
export interface Lists {
  /** A number that says how many items a list has. */
  readonly counterOf?: ReadonlyMap<ItemList, Part>;
  /** What goes if nothing is left of a list. */
  readonly ownerOf?: ReadonlyMap<ItemList, Item>;
}

/** A delta is an item with everything that names it, and with what names that. */
export function numberedItems(
  text: string,
  named: readonly NumberedItems[],
  { counterOf = new Map(), ownerOf = new Map() }: Lists = {},
): Circumstance<string> {
  const deltas = named.flatMap((_, which) =>
    Array.from({ length: named[which]!.count }, (__, number) => ({ which, number })),
  );
  const referencesTo = named.map(({ count, references }) => byTarget(count, references));
  const numberOf = new Map<ItemList, Map<number, { which: number; number: number }>>();
  for (const [which, { items }] of named.entries())
    for (const [number, { list, item }] of items.entries()) {
      const known = numberOf.get(list);
      if (known) known.set(item, { which, number });
      else numberOf.set(list, new Map([[item, { which, number }]]));
    }

  const spansWithout = (configuration: Configuration): readonly Span[] => {
    const goneItems = new Map<ItemList, Set<number>>();
    const goneNumbers = named.map(() => new Set<number>());
    const left = [...deltasOf(minus(all(deltas.length), configuration))].map(delta => deltas[delta]!);
    const remove = (first: Item): void => {
      let next: Item | undefined = first;
      while (next) {
        const { list, item }: Item = next;
        const gone: Set<number> = goneItems.get(list) ?? new Set();
        if (gone.has(item)) return;
        goneItems.set(list, gone.add(item));
        const own = numberOf.get(list)?.get(item);
        if (own) left.push(own);
        next = gone.size === list.length ? ownerOf.get(list) : undefined;
      }
    };
    for (let next = left.pop(); next; next = left.pop()) {
      const { which, number } = next;
      if (goneNumbers[which]!.has(number)) continue;
      goneNumbers[which]!.add(number);
      const item = named[which]!.items[number];
      if (item) remove(item);
      for (const { holder } of referencesTo[which]![number]!) if (holder) remove(holder);
    }
    const lost: Span[] = [];
    for (const [list, gone] of goneItems) addLess(lost, text, counterOf.get(list), gone.size);
    for (const [which, { counter }] of named.entries()) addLess(lost, text, counter, goneNumbers[which]!.size);
    const holes = holesOf(new Map([...goneItems].map(([list, gone]) => [list, [...gone]])));
    return outermost([...holes, ...lost, ...named.flatMap((each, which) => renumbered(each, goneNumbers[which]!))]);
  };
  const trace = (configuration: Configuration): readonly Fragment[] => edited(text.length, spansWithout(configuration));
  return {
    name: 'numbered item',
    count: deltas.length,
    weights: deltas.map(({ which, number }) => {
      const { items } = named[which]!;
      const parts = [items[number], ...referencesTo[which]![number]!.map(({ holder }) => holder)];
      return parts.reduce((sum, part) => sum + (part ? sizeOf(part) : 0), 1);
    }),
    build: configuration => textOf(trace(configuration), text),
    trace,
    describe: delta =>
      `item ${deltas[delta]!.number + named[deltas[delta]!.which]!.first} of ${named[deltas[delta]!.which]!.count}`,
    edited: {
      texts: new Map([['', text]]),
      changes: delta =>
        spansWithout(minus(all(deltas.length), [delta, delta + 1])).map(span => ({ file: '', ...span })),
    },
  };
}

const sizeOf = ({ list, item }: Item): number => list[item]!.end - list[item]!.start;

function byTarget(count: number, references: readonly Reference[]): readonly (readonly Reference[])[] {
  const found: Reference[][] = Array.from({ length: count }, () => []);
  for (const reference of references) found[reference.target]!.push(reference);
  return found;
}

function addLess(found: Span[], text: string, counter: Part | undefined, less: number): void {
  if (counter !== undefined && less > 0) found.push(lowered(text, counter, less));
}

/** What names an item after one that is gone. */
function renumbered({ count, first, references }: NumberedItems, gone: ReadonlySet<number>): readonly Span[] {
  if (gone.size === 0) return [];
  const now = new Uint32Array(count);
  for (let number = 0, left = first; number < count; number++) now[number] = gone.has(number) ? left : left++;
  return references
    .filter(({ target }) => now[target] !== target + first)
    .map(({ part, target }) => ({ start: part.start, end: part.end, text: `${now[target]}` }));
}

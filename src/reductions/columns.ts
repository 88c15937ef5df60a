/** Removes the same item from several lists at once: a column of a table. */
import { all, type Circumstance, type Configuration, deltasOf, minus } from '../core/index.js';
import { add, type Fragment, textOf } from '../core/trace.js';

/** A part of a text: text[start, end). */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** The items of a list, in their order. What is between two of them separates them. */
export type ItemList = readonly Part[];

/** What goes together: one item of each of these lists, or none if this list has no such item. */
export interface Column {
  readonly lists: readonly ItemList[];
  itemOf(list: ItemList): number | undefined;
  readonly label: string;
}

/** The items with this number. */
export const columnAt = (lists: readonly ItemList[], item: number): Column => ({
  lists,
  itemOf: list => (item < list.length ? item : undefined),
  label: `column ${item + 1} of ${lists.length} rows`,
});

/**
 * Columns as deltas. A list without some of its items has one separator fewer for each of them, whichever they are and also if
 * they are empty.
 *
 * @example
 * ```ts
 * const rows = [[{ start: 0, end: 1 }, { start: 2, end: 3 }], [{ start: 4, end: 5 }, { start: 6, end: 7 }]];
 * const columns = [columnAt(rows, 0), columnAt(rows, 1)];
 * columnsOf('a,b\nc,d', columns).build(of([1])); // → 'b\nd'
 * ```
 */
export function columnsOf(text: string, columns: readonly Column[]): Circumstance<string> {
  const trace = (configuration: Configuration): readonly Fragment[] =>
    kept(text.length, holes(columns, deltasOf(minus(all(columns.length), configuration))));
  return {
    name: 'column',
    count: columns.length,
    weights: columns.map(weightOf),
    build: configuration => textOf(trace(configuration), text),
    trace,
    describe: delta => columns[delta]!.label,
    edited: {
      texts: new Map([['', text]]),
      changes: delta => holes(columns, [delta]).map(hole => ({ file: '', ...hole, text: '' })),
    },
  };
}

/** With a separator for each item. */
function weightOf({ lists, itemOf }: Column): number {
  let sum = 0;
  for (const list of lists) {
    const item = itemOf(list);
    if (item !== undefined) sum += list[item]!.end - list[item]!.start + 1;
  }
  return sum;
}

/** What is cut out of the text, in order and without overlaps. */
function holes(columns: readonly Column[], gone: Iterable<number>): readonly Part[] {
  const goneOf = new Map<ItemList, Set<number>>();
  for (const delta of gone) {
    const { lists, itemOf } = columns[delta]!;
    for (const list of lists) {
      const item = itemOf(list);
      if (item === undefined) continue;
      const known = goneOf.get(list);
      if (known) known.add(item);
      else goneOf.set(list, new Set([item]));
    }
  }
  const found = [...goneOf].flatMap(([list, items]) => holesIn(list, items)).sort((a, b) => a.start - b.start);
  const joined: Part[] = [];
  for (const hole of found) {
    const last = joined.at(-1);
    if (last === undefined || hole.start > last.end) joined.push(hole);
    else if (hole.end > last.end) joined[joined.length - 1] = { start: last.start, end: hole.end };
  }
  return joined;
}

/** An item goes with the separator before it; the items before the first one that stays, with the separators after them. */
function holesIn(list: ItemList, gone: ReadonlySet<number>): readonly Part[] {
  const first = list.findIndex((_, i) => !gone.has(i));
  if (first < 0) return [{ start: list[0]!.start, end: list.at(-1)!.end }];
  const found: Part[] = first > 0 ? [{ start: list[0]!.start, end: list[first]!.start }] : [];
  for (const item of gone) if (item > first) found.push({ start: list[item - 1]!.end, end: list[item]!.end });
  return found;
}

function kept(length: number, cut: readonly Part[]): readonly Fragment[] {
  const found: Fragment[] = [];
  let from = 0;
  for (const { start, end } of cut) {
    add(found, { start: from, end: start });
    from = end;
  }
  add(found, { start: from, end: length });
  return found;
}

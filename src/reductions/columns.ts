/** Removes the same item from several lists at once, such as a column of a table, and counts those that are left. */
import { all, type Circumstance, type Configuration, deltasOf, minus } from '../core/index.js';
import { addTo } from '../core/lists.js';
import { type Fragment, textOf } from '../core/trace.js';
import type { Span } from '../syntax/edit.js';
import { holesOf, type ItemList, lowered, type Part } from './cut-items.js';
import { edited, outermost } from './spans.js';

export type { ItemList, Part } from './cut-items.js';

/** What goes together: one item of each of these lists, or none if this list has no such item. */
export interface Column {
  readonly lists: readonly ItemList[];
  itemOf(list: ItemList): number | undefined;
  readonly label: string;
  /** A number that says how many there are: one less for each that is gone. */
  readonly counter?: Part;
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
  const spansWithout = (gone: readonly number[]): readonly Span[] =>
    outermost([...holes(columns, gone), ...counters(text, columns, gone)]);
  const trace = (configuration: Configuration): readonly Fragment[] =>
    edited(text.length, spansWithout([...deltasOf(minus(all(columns.length), configuration))]));
  return {
    name: 'column',
    count: columns.length,
    weights: columns.map(weightOf),
    build: configuration => textOf(trace(configuration), text),
    trace,
    describe: delta => columns[delta]!.label,
    edited: {
      texts: new Map([['', text]]),
      changes: delta => spansWithout([delta]).map(span => ({ file: '', ...span })),
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

function holes(columns: readonly Column[], gone: readonly number[]): readonly Span[] {
  const goneOf = new Map<ItemList, number[]>();
  for (const delta of gone) {
    const { lists, itemOf } = columns[delta]!;
    for (const list of lists) {
      const item = itemOf(list);
      if (item !== undefined) addTo(goneOf, list, item);
    }
  }
  return holesOf(goneOf);
}

/** The numbers that say how many there are. */
function counters(text: string, columns: readonly Column[], gone: readonly number[]): readonly Span[] {
  const lost = new Map<Part, number>();
  for (const delta of gone) {
    const { counter } = columns[delta]!;
    if (counter) lost.set(counter, (lost.get(counter) ?? 0) + 1);
  }
  return [...lost].map(([counter, less]) => lowered(text, counter, less));
}

/** Cuts items out of lists, each with a separator. */
import type { Span } from '../syntax/edit.js';

/** A part of a text: text[start, end). */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** The items of a list, in their order. What is between two of them separates them. */
export type ItemList = readonly Part[];

/** What is cut out of the text: by list, the numbers of the items that are gone, in any order. */
export function holesOf(goneOf: ReadonlyMap<ItemList, number[]>): readonly Span[] {
  const found: Span[] = [];
  for (const [list, items] of goneOf) addHoles(found, list, items);
  return found;
}

/** An item goes with the separator before it; the items before the first one that stays, with the separators after them. */
function addHoles(found: Span[], list: ItemList, gone: number[]): void {
  if (gone.length > 1) gone.sort((a, b) => a - b);
  // The same item may belong to several columns.
  let first = 0;
  for (const item of gone) if (item === first) first++;
  if (first === list.length) {
    found.push({ start: list[0]!.start, end: list.at(-1)!.end, text: '' });
    return;
  }
  if (first > 0) found.push({ start: list[0]!.start, end: list[first]!.start, text: '' });
  for (const item of gone) if (item > first) found.push({ start: list[item - 1]!.end, end: list[item]!.end, text: '' });
}

/** A number that counts, without those that are gone. */
export const lowered = (text: string, { start, end }: Part, less: number): Span => ({
  start,
  end,
  text: `${Number(text.slice(start, end)) - less}`,
});

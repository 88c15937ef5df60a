/** The columns of lists that have as many items as others, and of objects that have the same keys. */
import type { Circumstance } from '../../../core/index.js';
import { addTo } from '../../../core/lists.js';
import { pauseIfDue } from '../../../core/pause.js';
import { childAt, childrenOf, type FlatTree, is, textOf } from '../../../syntax/flat-tree.js';
import { keptRanges, type Range } from '../../../syntax/keep.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { type Column, columnAt, columnsOf, type ItemList, type Part } from '../../columns.js';
import { type List, listAt, nodesAtOnce, placesIn } from './item-lists.js';

/** A list of more items than this is no row. */
const widest = 256;

/**
 * The names of columns and the values of each row; in SQL, the columns of a table and the values that are inserted: none of them
 * can lose an item alone. So three kinds of items go at once: members with one key from all objects in one place (`user.name` of
 * all elements of a list), items with one number from all lists in one place, and from all lists with as many items anywhere.
 * A row of a page or of XML is a list of elements.
 */
export async function parallelColumns(
  syntax: Syntax,
  text: string,
  { keep, leastItems = 1 }: { readonly keep?: RegExp | undefined; readonly leastItems?: number | undefined } = {},
): Promise<Circumstance<string> | undefined> {
  const tree = await syntax.tree(text);
  const kept = keptRanges(tree, keep);
  const isFree = ({ lists, itemOf }: Column): boolean =>
    !lists.some(list => touchesAny(list[itemOf(list) ?? -1], kept));
  const columns = (await columnsIn(tree, leastItems)).filter(isFree);
  return columns.length === 0 ? undefined : columnsOf(text, columns);
}

const touchesAny = (item: Part | undefined, ranges: readonly Range[]): boolean =>
  item !== undefined && ranges.some(({ start, end }) => item.start < end && start < item.end);

async function columnsIn(tree: FlatTree, leastItems: number): Promise<readonly Column[]> {
  const places = await placesIn(tree);
  const counted: Column[] = [];
  const objects = new Map<number, List[]>();
  const inPlace = new Map<string, List[]>();
  const anywhere = new Map<string, List[]>();
  for (let node = 0; node < tree.count; node++) {
    const list = listAt(tree, node);
    if (node % nodesAtOnce === 0) await pauseIfDue();
    if (!list || list.items.length < leastItems) continue;
    const { items, keys } = list;
    // One by one: too many are no arguments of one call.
    if (!keys) for (const item of countedItems(tree, list)) counted.push(item);
    if (keys) addTo(objects, places[node]!, list);
    else if (items.length >= 2 && items.length <= widest) {
      addTo(inPlace, `${places[node]} ${items.length}`, list);
      addTo(anywhere, `${list.isMarkup} ${items.length}`, list);
    }
  }
  const wide = [...anywhere.values()].map(lists => innermost(tree, lists));
  const known = new Set(wide.map(membersOf));
  const narrow = [...inPlace.values()].filter(lists => !known.has(membersOf(lists)));
  return [...counted, ...[...objects.values()].flatMap(columnsByKey), ...[...narrow, ...wide].flatMap(columnsByNumber)];
}

const membersOf = (lists: readonly List[]): string => lists.map(({ node }) => node).join(' ');

function columnsByNumber(lists: readonly List[]): readonly Column[] {
  if (lists.length < 2) return [];
  const all = lists.map(({ items }) => items);
  return all[0]!.map((_, item) => columnAt(all, item));
}

/** `"count": 3` beside a list of three: an item goes with one from the number. */
function countedItems(tree: FlatTree, { node, items }: List): readonly Column[] {
  let member = tree.parent[node]!;
  while (member > 0 && tree.start[member] === tree.start[node] && tree.end[member] === tree.end[node])
    member = tree.parent[member]!;
  if (!is(tree, member, 'pair')) return [];
  const beside = childrenOf(tree, tree.parent[member]!).filter(each => each !== member && is(tree, each, 'pair'));
  const values = beside.map(each => childAt(tree, each, 'value'));
  const counter = values.find(value => value !== undefined && textOf(tree, value) === `${items.length}`);
  if (counter === undefined) return [];
  const number = { start: tree.start[counter]!, end: tree.end[counter]! };
  return items.map((_, item) => ({ ...columnAt([items], item), counter: number }));
}

function columnsByKey(objects: readonly List[]): readonly Column[] {
  const itemsOf = new Map<string, Map<ItemList, number>>();
  for (const { items, keys } of objects)
    for (const [i, key] of keys!.entries()) {
      const found = itemsOf.get(key);
      if (found) found.set(items, i);
      else itemsOf.set(key, new Map([[items, i]]));
    }
  return [...itemsOf]
    .filter(([, found]) => found.size >= 2)
    .map(([key, found]) => ({
      lists: [...found.keys()],
      itemOf: list => found.get(list),
      label: `${key} of ${found.size} objects`,
    }));
}

/** A list of rows may have as many rows as each of them has items: it is no row itself. */
const innermost = (tree: FlatTree, lists: readonly List[]): readonly List[] =>
  lists.filter(({ node }, i) => !(lists[i + 1] && lists[i + 1]!.node < tree.past[node]!));

/** Items of data that other items name by their number: `"source": 3` for the fourth of `nodes`, as in graphs and scenes. */
import type { Circumstance } from '../../../core/index.js';
import { addTo } from '../../../core/lists.js';
import { pauseIfDue } from '../../../core/pause.js';
import { childAt, type FlatTree, grammarAt, is, textOf } from '../../../syntax/flat-tree.js';
import type { Syntax } from '../../../syntax/syntax.js';
import type { ItemList, Part } from '../../cut-items.js';
import { type Item, type NumberedItems, numberedItems, type Reference } from '../../numbered.js';
import { listAt, nameOf, nodesAtOnce, placesIn } from './item-lists.js';

/** Fewer items are removed soon without this. */
const fewest = 4;

/** Data with more lists that may be named uses something else than numbers. The longest ones are looked at. */
const mostTargets = 64;

/** A list in a place where there is no other one. */
interface Target {
  readonly node: number;
  readonly key: string;
  /** The key as the name of one item. */
  readonly one: string;
  readonly items: ItemList;
}

/** The numbers in one place, such as `source` of all elements of `links`. */
interface Place {
  readonly key: string;
  readonly nodes: number[];
  readonly numbers: Reference[];
  largest: number;
  /** Whether there is something else than a number that may count items. */
  isOther: boolean;
  /** How long its lists are, if it is one of numbers. */
  readonly lengths: Set<number>;
}

/** Nothing shows what a number names, so it is guessed from the keys and from how large the numbers of one place are. */
export async function itemsByNumber(syntax: Syntax, text: string): Promise<Circumstance<string> | undefined> {
  const tree = await syntax.tree(text);
  const { names, markup } = grammarAt(tree, 0).language;
  if (names || markup) return undefined;
  const { places, targets, ownerOf } = await dataIn(tree);
  const references = new Map<Target, Reference[]>();
  const named = new Set([...places].map(place => targets.find(target => isNamedAfter(place, target))));
  for (const place of places) {
    await pauseIfDue();
    const target = targetOf(tree, place, targets, named);
    if (!target) continue;
    const isWhole = isOfPairs(place);
    for (const number of place.numbers) addTo(references, target, isWhole ? inWhole(number, ownerOf) : number);
  }
  if (references.size === 0) return undefined;
  const found = [...references].map(
    ([{ items }, numbers]): NumberedItems => ({
      count: items.length,
      items: items.map((_, item) => ({ list: items, item })),
      first: 0,
      references: numbers,
    }),
  );
  return numberedItems(text, found, { ownerOf });
}

/** A list with a name like that of the place; or the shortest one that has so many items and nothing named after it; or the one around the place. */
function targetOf(
  tree: FlatTree,
  place: Place,
  targets: readonly Target[],
  named: ReadonlySet<Target | undefined>,
): Target | undefined {
  const byName = targets.filter(target => isNamedAfter(place, target)).sort((a, b) => b.key.length - a.key.length)[0];
  if (byName) return byName;
  const fitting = targets.filter(({ items }) => items.length > place.largest);
  // If the items are named at all, one in the second half probably is.
  const likely = fitting.filter(({ items }) => items.length < 2 * (place.largest + 1));
  const isAround = ({ node }: Target): boolean => place.nodes.every(each => each > node && each < tree.past[node]!);
  const shortest = likely
    .filter(target => !named.has(target) && !isAround(target))
    .sort((a, b) => a.items.length - b.items.length)[0];
  return shortest ?? likely.find(isAround) ?? (fitting.length === 1 && targets.length === 1 ? fitting[0] : undefined);
}

/** `mesh` and `meshes`, `sourceNode` and `nodes`. */
function isNamedAfter({ key, largest }: Place, target: Target): boolean {
  return target.one.length > 2 && largest < target.items.length && key.toLowerCase().includes(target.one);
}

/** Lists of one length are no lists of any numbers: `[0, 2]` is an edge, which needs both. */
const isOfPairs = ({ lengths, nodes }: Place): boolean =>
  lengths.size === 1 && !lengths.has(1) && new Set(nodes).size > 1;

const inWhole = (number: Reference, ownerOf: ReadonlyMap<ItemList, Item>): Reference => ({
  ...number,
  holder: ownerOf.get(number.holder!.list) ?? number.holder,
});

interface Data {
  readonly places: readonly Place[];
  readonly targets: readonly Target[];
  readonly ownerOf: ReadonlyMap<ItemList, Item>;
}

async function dataIn(tree: FlatTree): Promise<Data> {
  const pathOf = await placesIn(tree);
  const places = new Map<number, Place>();
  const targets = new Map<number, Target[]>();
  const ownerOf = new Map<ItemList, Item>();
  /** By where it begins. */
  const itemAt = new Map<number, Item>();
  /** By node: the innermost item that it is in, or is. */
  const holders: (Item | undefined)[] = [];
  const addValue = (node: number, key: string, part: Part, holder: Item | undefined): void => {
    let place = places.get(pathOf[node]!);
    if (!place)
      places.set(
        pathOf[node]!,
        (place = { key, nodes: [], numbers: [], largest: 0, isOther: false, lengths: new Set() }),
      );
    const value = tree.text.slice(part.start, part.end);
    if (!/^(0|[1-9]\d{0,6})$/.test(value)) place.isOther = true;
    else place.largest = Math.max(place.largest, Number(value));
    if (place.isOther) return;
    place.nodes.push(node);
    place.numbers.push({ part, target: Number(value), holder });
  };
  for (let node = 0; node < tree.count; node++) {
    if (node % nodesAtOnce === 0) await pauseIfDue();
    const own = itemAt.get(tree.start[node]!);
    const isItem = own !== undefined && own.list[own.item]!.end === tree.end[node];
    const holder = isItem ? own : holders[tree.parent[node]!];
    holders.push(holder);
    const value = is(tree, node, 'pair') ? childAt(tree, node, 'value') : undefined;
    if (value !== undefined)
      addValue(node, keyOf(tree, node), { start: tree.start[value]!, end: tree.end[value]! }, holder);
    const list = value === undefined ? listAt(tree, node) : undefined;
    if (!list || list.keys) continue;
    const { items } = list;
    if (holder) ownerOf.set(items, holder);
    const key = keyAbove(tree, node);
    for (const [item, part] of items.entries()) {
      itemAt.set(part.start, { list: items, item });
      addValue(node, key, part, { list: items, item });
    }
    places.get(pathOf[node]!)!.lengths.add(items.length);
    addTo(targets, pathOf[node]!, { node, key, one: singularOf(key), items });
  }
  return {
    places: [...places.values()].filter(({ isOther, numbers }) => !isOther && numbers.length > 1),
    targets: [...targets]
      .filter(([place, lists]) => lists.length === 1 && lists[0]!.items.length >= fewest && places.get(place)!.isOther)
      .map(([, [target]]) => target!)
      .sort((a, b) => b.items.length - a.items.length)
      .slice(0, mostTargets),
    ownerOf,
  };
}

const singularOf = (key: string): string => key.toLowerCase().replace(/(?<=s|x|z|ch|sh)es$|s$/, '');

/** The key of what a list is the value of. */
function keyAbove(tree: FlatTree, node: number): string {
  for (let above = tree.parent[node]!; above >= 0; above = tree.parent[above]!) {
    if (is(tree, above, 'pair')) return keyOf(tree, above);
    if (textOf(tree, above).length > textOf(tree, node).length) return '';
  }
  return '';
}

const keyOf = (tree: FlatTree, pair: number): string => (nameOf(tree, pair) ?? '').replace(/^["']|["']$/g, '');

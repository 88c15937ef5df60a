/**
 * Old values in the place of new ones: of members, variables, constants and macros that both texts have. A text that was rewritten differs in
 * almost every line, but a table, a pattern or a number in it is still found by its name.
 */
import { addTo } from '../../core/lists.js';
import { childAt, type FlatTree, isNamed, partsOf, sizeOf, textOf } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import { naming } from './literals.js';
import { leavesOf, named } from './matched-functions.js';
import type { OldText } from './old-functions.js';

/** Something that has a name and a value. */
interface NamedValue {
  readonly value: number;
  /** Its own name after the names around it: `inline.em`. */
  readonly path: string;
  /** Its own name, and that of what is directly around it. */
  readonly name: string;
}

/** What replaces each value of the new text that differs, to make it the old one. In the order of the new text. */
export function oldValues(old: FlatTree, now: FlatTree): readonly OldText[] {
  const [before, after] = [valuesIn(old), valuesIn(now)];
  const pairs: (readonly [number, number])[] = [];
  const matched = new Set<number>();
  for (const by of ['path', 'name'] as const) {
    const [olds, news] = [groupBy(before, by), groupBy(after, by)];
    for (const [key, these] of news) {
      const left = these.filter(({ value }) => !matched.has(value));
      const those = olds.get(key) ?? [];
      // As many as before: they are the same ones, in order.
      if (left.length !== these.length || those.length !== these.length) continue;
      for (const [i, { value }] of these.entries()) {
        matched.add(value);
        pairs.push([those[i]!.value, value]);
      }
    }
  }
  const differing = pairs.filter(([a, b]) => leavesOf(old, a).join(' ') !== leavesOf(now, b).join(' '));
  const isAround = (outer: number) => differing.some(([, b]) => b > outer && b < now.past[outer]!);
  return differing
    .filter(([a, b]) => !isAround(b) && Math.max(sizeOf(old, a), sizeOf(now, b)) <= longest)
    .map(([a, b]) => ({ start: now.start[b]!, end: now.end[b]!, text: textOf(old, a), from: old.start[a]! }))
    .sort((a, b) => a.start - b.start);
}

/** A longer value is a program of its own. */
const longest = 20_000;

const groupBy = (values: readonly NamedValue[], by: 'path' | 'name'): Map<string, NamedValue[]> => {
  const groups = new Map<string, NamedValue[]>();
  for (const each of values) addTo(groups, each[by], each);
  return groups;
};

/** Functions are replaced by themselves. */
function valuesIn(tree: FlatTree): readonly NamedValue[] {
  const found: NamedValue[] = [];
  /** The names around a node, and where the tree leaves them. */
  const around: { readonly name: string; readonly past: number }[] = [];
  for (let node = 1; node < tree.count; node++) {
    while (around.length > 0 && node >= around.at(-1)!.past) around.pop();
    if (!isNamed(tree, node)) continue;
    const own = isFunction(tree, node) ? named(tree, node, ['name', 'declarator']) : undefined;
    if (own !== undefined) around.push({ name: own, past: tree.past[node]! });
    const each = namedAt(tree, node);
    if (!each) continue;
    const names = [...around.map(({ name }) => name), each.name];
    if (!hasFunction(tree, each.value))
      found.push({ value: each.value, path: names.join('.'), name: names.slice(-2).join('.') });
    around.push({ name: each.name, past: tree.past[node]! });
  }
  return found;
}

function hasFunction(tree: FlatTree, value: number): boolean {
  for (let node = value; node < tree.past[value]!; node++) if (isFunction(tree, node)) return true;
  return false;
}

function namedAt(tree: FlatTree, node: number): { readonly name: string; readonly value: number } | undefined {
  if (isFunction(tree, node) || partsOf(tree, node).length < 2) return undefined;
  for (const [nameField, valueField] of naming) {
    const [name, value] = [childAt(tree, node, nameField), childAt(tree, node, valueField)];
    if (name === undefined || value === undefined) continue;
    const operator = childAt(tree, node, 'operator');
    // `a + b` has two sides too, and `a += b` needs what was there before.
    if (nameField === 'left' && operator !== undefined && textOf(tree, operator) !== '=') return undefined;
    const words = textOf(tree, name).match(/[\w$]+/g) ?? [];
    return words.length === 0 || words.length > mostWords ? undefined : { name: words.join('.'), value };
  }
  return undefined;
}

/** `inline._scheme` is a name; the declarator of a function is more than that. */
const mostWords = 3;

/**
 * Names that a compiler numbered: in `let name` of several blocks, which are one scope in older JavaScript, each becomes another variable (`name_1`, `name_2`). Which
 * of them a part of old means depends on the place that it goes to.
 */
import { type FlatTree, isComment, isLeaf, textOf } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import { words } from './new-names.js';

const numbered = /^(.*[^\d_$])[_$]\d+$/;

/** A text with the names that are closest to a place of the new one. */
export function nearestNames(now: FlatTree, variables: ReadonlySet<string>): (text: string, near: number) => string {
  const variants = new Map<string, Set<string>>();
  for (const each of variables) {
    const name = numbered.exec(each)?.[1];
    if (name !== undefined) variants.set(name, (variants.get(name) ?? new Set([name])).add(each));
  }
  const nameAt = (name: string, near: number) => {
    const wanted = variants.get(name);
    // From the inside out: the part itself, the block that it is in, and so on.
    for (let around = wanted ? near : 0; around > 0; around = now.parent[around]!) {
      const found = nearestIn(now, around, near, wanted!);
      if (found !== undefined || isFunction(now, around)) return found;
    }
    return undefined;
  };
  return (text, near) => (variants.size === 0 ? text : text.replace(notKeys, name => nameAt(name, near) ?? name));
}

/** Names of variables: not of members, and not of keys. */
const notKeys = new RegExp(`${words.source}(?![\\p{L}\\p{N}_$])(?!\\s*:)`, words.flags);

/** One of these names in a node: the last one before the place, or the first one behind it. */
function nearestIn(tree: FlatTree, node: number, near: number, wanted: ReadonlySet<string>): string | undefined {
  let [before, found] = ['', undefined as string | undefined];
  for (let leaf = node; leaf < tree.past[node]!; leaf++) {
    if (!isLeaf(tree, leaf) || isComment(tree, leaf)) continue;
    const text = textOf(tree, leaf);
    const isMember = before === '.' || before === '?.';
    before = text;
    const isKey = tree.text[tree.end[leaf]!] === ':';
    if (!isMember && !isKey && wanted.has(text)) {
      if (leaf >= near && found !== undefined) return found;
      found = text;
    }
  }
  return found;
}

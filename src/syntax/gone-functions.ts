/**
 * Functions that only the old version of a text has. An old function that is put into the new text may call them: then each is called by the name that it
 * has in new, or comes along.
 */
import { type FlatTree, grammarAt, textOf } from './flat-tree.js';
import { isFunction } from './functions.js';
import { leavesOf, named as nameIn, shapeOf } from './matched-functions.js';
import { underNewNames, words } from './new-names.js';
import { lineIndent } from './put-back.js';

/** More functions than this are a part of the old version, and not of one function. */
const mostGone = 8;

/** An old function as it is put into new. */
export interface Written {
  readonly text: string;
  /** Where other parts of old begin in it, and where each is there. */
  readonly parts: readonly { readonly at: number; readonly from: number }[];
}

/**
 * Writes an old function under new names, with the functions that it calls and that new does not have at all. `end`: where it ends in old.
 */
export function withGone(
  old: FlatTree,
  now: FlatTree,
): (text: string, newName: (name: string) => string | undefined, end: number) => Written {
  if (grammarAt(old, 0).language.compiler === undefined)
    return (text, newName) => ({ text: underNewNames(text, newName), parts: [] });
  const known = new Set(leavesOf(now, 0));
  const gone = declared(old, name => !known.has(name));
  const others = declared(now, () => true);
  return (text, newName, end) => {
    // What has the same arguments in another order is another function, however often it is called in the same places.
    const rename = (name: string) => {
      const to = newName(name);
      const [from, into] = [gone.get(name), to === undefined ? undefined : others.get(to)];
      return from && into && isReordered(from.params, into.params) ? undefined : to;
    };
    const own = underNewNames(text, rename);
    const added = new Map<string, string>();
    for (const pending = [own]; pending.length > 0 && text.endsWith('}'); )
      for (const each of pending.pop()!.match(words) ?? [])
        if (gone.has(each) && !added.has(each)) {
          added.set(each, underNewNames(gone.get(each)!.text, rename));
          pending.push(added.get(each)!);
        }
    if (added.size === 0 || added.size > mostGone) return { text: own, parts: [] };
    let written = own.slice(0, -1).trimEnd();
    const parts: Written['parts'][number][] = [];
    const add = (part: string, from: number) => {
      written += `\n${lineIndent(old.text, from)}`;
      parts.push({ at: written.length, from });
      written += part;
    };
    for (const [name, each] of added) add(each, gone.get(name)!.start);
    add('}', end - 1);
    return { text: written, parts };
  };
}

interface Declared {
  readonly start: number;
  readonly text: string;
  readonly params: readonly string[];
}

/** Functions that a text declares, by their names. */
function declared(tree: FlatTree, isWanted: (name: string) => boolean): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  for (let node = 1; node < tree.count; node++) {
    const name = isFunction(tree, node) ? nameIn(tree, node, ['name']) : undefined;
    if (name === undefined || !isWanted(name)) continue;
    const text = textOf(tree, node);
    if (/^(?:async\s+)?function\b/.test(text))
      found.set(name, { start: tree.start[node]!, text, params: shapeOf(tree, node)?.params.match(words) ?? [] });
  }
  return found;
}

/** Whether a parameter that both have is at another place. */
const isReordered = (olds: readonly string[], news: readonly string[]): boolean =>
  olds.some((name, at) => news.includes(name) && news[at] !== name);

/** Shortens a word at all its places. */
import { addTo } from '../../core/lists.js';
import type { Edit } from '../../syntax/edit.js';
import { type FlatTree, isLeaf, isNamed, textOf } from '../../syntax/flat-tree.js';
import { freshNames, names } from '../../syntax/names/names.js';
import type { Syntax } from '../../syntax/syntax.js';
import { put } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/** Words of more letters than this are prose, not names. */
const longest = 80;
const word = /[\p{L}_$][\p{L}\p{N}_$-]*/gu;

/**
 * Shortens a word that occurs several times, in strings, values or plain text, everywhere at once: a JSON key and the path to
 * it, an id and `url(#id)`, a property and its name in quotes. No grammar knows that they belong together, and changing one
 * letter of one occurrence would break the match.
 */
export function sharedWords(syntax: Syntax): TextPass {
  return {
    name: 'shared word',
    async edits(text) {
      const tree = await syntax.tree(text);
      const fresh = freshNames(tree);
      const gain = ([own, places]: readonly [string, readonly number[]]): number => own.length * places.length;
      const edits: Edit[] = [];
      for (const [own, places] of [...shared(tree)].sort((a, b) => gain(b) - gain(a))) {
        const target = fresh.next().value;
        if (target.length >= own.length) continue;
        edits.push({
          spans: places.map(start => put(text, start, start + own.length, target)),
          label: `${own} → ${target}, everywhere`,
        });
      }
      return edits.reverse();
    },
  };
}

/** Words with all their positions, if there are more of them than identifiers of that spelling: those have their own pass. */
function shared(tree: FlatTree): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  const keywords = new Set<string>();
  for (let node = 0; node < tree.count; node++) {
    if (!isLeaf(tree, node)) continue;
    const leaf = textOf(tree, node);
    for (const { 0: own, index } of leaf.matchAll(word))
      if (!isNamed(tree, node)) keywords.add(own);
      else if (own.length > 1 && own.length <= longest) addTo(places, own, tree.start[node]! + index);
  }
  for (const name of names(tree))
    if ((places.get(name.text)?.length ?? 0) <= name.leaves.length) places.delete(name.text);
  for (const [own, starts] of places) if (starts.length < 2 || keywords.has(own)) places.delete(own);
  return places;
}

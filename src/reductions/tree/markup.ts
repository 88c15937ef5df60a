/** Changes both tags of an element together. */
import { bracketed, isTagPart } from '../../syntax/delimiters.js';
import type { Edit } from '../../syntax/edit.js';
import { type FlatTree, isNamed, kindOf, sizeOf } from '../../syntax/flat-tree.js';
import type { Syntax } from '../../syntax/syntax.js';
import type { TextPass } from './pass.js';

/** Shortens the name in both tags of an element, or makes the element an empty tag. */
export function elements(syntax: Syntax): TextPass {
  return {
    name: 'element',
    async edits(text) {
      const tree = await syntax.tree(text);
      const shortest = shortestTag(tree);
      const edits: Edit[] = [];
      for (let node = tree.count - 1; node >= 0; node--) {
        if (!isNamed(tree, node) || tree.past[node] === node + 1 || !isTagPart(tree, node + 1)) continue;
        const room = bracketed(tree, node);
        if (room === undefined || !isTagPart(tree, room.last)) continue;
        const opening = tagName(tree, room.first);
        const closing = tagName(tree, room.last);
        for (const name of new Set([shortest, 'a']))
          if (opening !== undefined && closing !== undefined && sizeOf(tree, opening) > name.length) {
            const spans = [opening, closing].map(leaf => ({
              start: tree.start[leaf]!,
              end: tree.end[leaf]!,
              text: name,
            }));
            edits.push({ spans, label: `${kindOf(tree, node)} → ${name}` });
          }
        if (text[room.start - 1] === '>')
          edits.push({
            spans: [{ start: room.start - 1, end: tree.end[node]!, text: '/>' }],
            label: `close ${kindOf(tree, node)} at once`,
          });
      }
      return edits;
    },
  };
}

function tagName(tree: FlatTree, tag: number): number | undefined {
  for (let leaf = tag + 1; leaf < tree.past[tag]!; leaf++) if (isNamed(tree, leaf)) return leaf;
  return undefined;
}

function shortestTag(tree: FlatTree): string {
  let shortest = 'a';
  let size = Number.POSITIVE_INFINITY;
  for (let node = 1; node < tree.count; node++) {
    const name = isTagPart(tree, node) ? tagName(tree, node) : undefined;
    if (name === undefined || sizeOf(tree, name) >= size) continue;
    size = sizeOf(tree, name);
    shortest = tree.text.slice(tree.start[name], tree.end[name]);
  }
  return shortest;
}

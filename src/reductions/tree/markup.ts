import { bracketed, isTagPart } from '../../syntax/delimiters.js';
import type { Edit } from '../../syntax/edit.js';
import { isNamed, kindOf, type Outline, sizeOf } from '../../syntax/flat-tree.js';
import type { Syntax } from '../../syntax/syntax.js';
import type { TextPass } from './pass.js';

/** Elements whole: both tags get a shorter name, or the element becomes an empty tag. */
export function elements(syntax: Syntax): TextPass {
  return {
    name: 'element',
    async edits(text) {
      const outline = await syntax.outline(text);
      const shortest = shortestTag(outline);
      const edits: Edit[] = [];
      for (let node = outline.count - 1; node >= 0; node--) {
        if (!isNamed(outline, node) || outline.past[node] === node + 1 || !isTagPart(outline, node + 1)) continue;
        const room = bracketed(outline, node);
        if (room === undefined || !isTagPart(outline, room.last)) continue;
        const opening = tagName(outline, room.first);
        const closing = tagName(outline, room.last);
        for (const name of new Set([shortest, 'a']))
          if (opening !== undefined && closing !== undefined && sizeOf(outline, opening) > name.length) {
            const spans = [opening, closing].map(leaf => ({
              start: outline.start[leaf]!,
              end: outline.end[leaf]!,
              text: name,
            }));
            edits.push({ spans, label: `${kindOf(outline, node)} → ${name}` });
          }
        if (text[room.start - 1] === '>')
          edits.push({
            spans: [{ start: room.start - 1, end: outline.end[node]!, text: '/>' }],
            label: `close ${kindOf(outline, node)} at once`,
          });
      }
      return edits;
    },
  };
}

function tagName(outline: Outline, tag: number): number | undefined {
  for (let leaf = tag + 1; leaf < outline.past[tag]!; leaf++) if (isNamed(outline, leaf)) return leaf;
  return undefined;
}

function shortestTag(outline: Outline): string {
  let shortest = 'a';
  let size = Number.POSITIVE_INFINITY;
  for (let node = 1; node < outline.count; node++) {
    const name = isTagPart(outline, node) ? tagName(outline, node) : undefined;
    if (name === undefined || sizeOf(outline, name) >= size) continue;
    size = sizeOf(outline, name);
    shortest = outline.text.slice(outline.start[name], outline.end[name]);
  }
  return shortest;
}

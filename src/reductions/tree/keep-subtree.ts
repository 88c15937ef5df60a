/** Replaces the whole file by one large part of it. */
import { bracketed } from '../../syntax/delimiters.js';
import type { Edit } from '../../syntax/edit.js';
import { type FlatTree, grammarAt, is, isComment, isNamed, kindOf, sizeOf } from '../../syntax/flat-tree.js';
import type { Syntax } from '../../syntax/syntax.js';
import { keepOnly } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/**
 * Replaces the whole file by one large part of it that may be a file by itself. Only parts of at least an eighth of the text
 * are offered: eight questions at most per depth, and a chain of nested parts is walked in growing strides, because edits
 * that keep an inner and an outer part together keep the inner one.
 */
export function keepSubtree(syntax: Syntax, share = 8): TextPass {
  return {
    name: 'keep one subtree',
    async edits(text) {
      const tree = await syntax.tree(text);
      const least = Math.max(2, text.length / share);
      const parts: { readonly start: number; readonly end: number; readonly label: string }[] = [];
      for (let node = 1; node < tree.count; ) {
        if (sizeOf(tree, node) < least) {
          node = tree.past[node]!;
          continue;
        }
        if (isNamed(tree, node) && !isComment(tree, node)) {
          const label = `only ${kindOf(tree, node)}`;
          if (startsFile(tree, node)) parts.push({ start: tree.start[node]!, end: tree.end[node]!, label });
          const inside = bracketed(tree, node)?.inside ?? [];
          if (inside.length > 1 && startsFile(tree, inside[0]!))
            parts.push({
              start: tree.start[inside[0]!]!,
              end: tree.end[inside[inside.length - 1]!]!,
              label: `${label}'s inside`,
            });
        }
        node++;
      }
      const size = (part: { start: number; end: number }): number => part.end - part.start;
      const whole = text.length > largeText ? text.length / 2 : text.trim().length;
      return parts
        .filter(part => size(part) < whole)
        .sort((a, b) => size(a) - size(b))
        .map((part): Edit => ({ spans: keepOnly(text, { start: 0, end: text.length }, part), label: part.label }));
    },
  };
}

const largeText = 4_000;

/** Whether the node may be the first thing in a file of its language. */
function startsFile(tree: FlatTree, node: number): boolean {
  const { after } = grammarAt(tree, node);
  if (tree.grammar[node] !== tree.grammar[0]) return false;
  if (after === undefined) return is(tree, node, 'bracketPart');
  return after(1, tree.symbol[node]!) !== 0;
}

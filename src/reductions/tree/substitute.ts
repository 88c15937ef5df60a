/** Replaces a node by the smallest thing that is allowed there. */
import { isTagPart } from '../../syntax/delimiters.js';
import type { Edit } from '../../syntax/edit.js';
import { type FlatTree, grammarAt, isComment, isNamed, kindOf, kindsOf, sizeOf } from '../../syntax/flat-tree.js';
import { smallestOf } from '../../syntax/languages/profile.js';
import { canReplace } from '../../syntax/parse-table.js';
import type { Syntax } from '../../syntax/syntax.js';
import { put } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/**
 * Replaces a node by the smallest thing that is allowed there: the smallest node of a kind that fits found elsewhere in
 * the file, or a constant that nearly all languages share (Vulcan's subtree replacement, treereduce's constants).
 */
export function substitute(syntax: Syntax, most = 2): TextPass {
  return {
    name: 'substitute',
    async edits(text) {
      const tree = await syntax.tree(text);
      const pools = tree.grammars.map((_, index) => smallest(tree, index));
      const edits: Edit[] = [];
      for (let node = tree.count - 1; node > 0; node--) {
        if (!isNamed(tree, node) || isComment(tree, node) || grammarAt(tree, node).after === undefined) continue;
        const above = tree.parent[node]!;
        // Half an element, or the name in one of its tags, must not change alone; see markup.ts.
        if (isTagPart(tree, node) || isTagPart(tree, above)) continue;
        if (above > 0 && sizeOf(tree, above) === sizeOf(tree, node)) continue;
        const size = sizeOf(tree, node);
        const found: string[] = [];
        const tags = kindsOf(grammarAt(tree, node), 'tag');
        for (const { symbol, kind, texts } of pools[tree.grammar[node]!]!) {
          if (tags[kind] === 1) continue;
          if (found.length >= most || texts[0]!.length >= size) break;
          if (kind !== tree.kind[node] && !canReplace(tree, node, symbol)) continue;
          for (const one of texts)
            if (one.length < size && found.length < most && !found.includes(one)) found.push(one);
        }
        const from = tree.start[node]!;
        for (const one of found.reverse())
          edits.push({ spans: [put(text, from, tree.end[node]!, one)], label: `${kindOf(tree, node)} → ${one}` });
      }
      return edits;
    },
  };
}

interface Pool {
  readonly symbol: number;
  readonly kind: number;
  readonly texts: readonly string[];
}

/** The smallest texts per symbol, the shortest first. */
function smallest(tree: FlatTree, index: number): readonly Pool[] {
  const grammar = tree.grammars[index]!;
  const best = new Map<number, { kind: number; text: string; seen: boolean }>();
  const offer = (symbol: number, kind: number, text: string): void => {
    const old = best.get(symbol);
    if (old === undefined || text.length < old.text.length) best.set(symbol, { kind, text, seen: true });
  };
  grammar.kinds.forEach((kind, symbol) => {
    const text = smallestOf(grammar.language, kind);
    if (text !== undefined) offer(symbol, symbol, text);
  });
  for (let node = 1; node < tree.count; node++) {
    if (tree.grammar[node] !== index || !isNamed(tree, node) || tree.flags[node]! > 1) continue;
    const size = sizeOf(tree, node);
    const old = best.get(tree.symbol[node]!);
    if (size > 0 && size <= 40 && (old === undefined || size < old.text.length))
      offer(tree.symbol[node]!, tree.kind[node]!, tree.text.slice(tree.start[node], tree.end[node]));
  }
  return [...best]
    .map(([symbol, { kind, text }]) => ({ symbol, kind, texts: [text] }))
    .sort((a, b) => a.texts[0]!.length - b.texts[0]!.length || a.symbol - b.symbol);
}

/** Removes comments, words of a dialect, and whitespace. */
import type { Edit } from '../../syntax/edit.js';
import { type FlatTree, is, isComment, isLeaf, partsOf } from '../../syntax/flat-tree.js';
import type { Syntax } from '../../syntax/syntax.js';
import { cut, glue, put } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/** Comments, and texts that are a statement by themselves: in Python these are the documentation. */
export function comments(syntax: Syntax): TextPass {
  return {
    name: 'comment',
    async edits(text) {
      const tree = await syntax.bareTree(text);
      const edits: Edit[] = [];
      for (let node = 1; node < tree.count; node++) {
        const start = tree.start[node]!;
        const end = tree.end[node]!;
        if (isComment(tree, node) && !isComment(tree, tree.parent[node]!))
          edits.push({ spans: [cut(text, start, end)], label: 'delete comment' });
        else if (isTextAlone(tree, node) && end - start > shortText) {
          const isLast = partsOf(tree, tree.parent[node]!).length === 1;
          const span = isLast ? put(text, start, end, '0') : cut(text, start, end);
          edits.push({ spans: [span], label: 'delete text without effect' });
        }
      }
      return edits;
    },
  };
}

/** A shorter text is not worth a place among the comments: other passes remove it too. */
const shortText = 8;

function isTextAlone(tree: FlatTree, node: number): boolean {
  if (!is(tree, node, 'expressionStatement')) return false;
  const [only, more] = partsOf(tree, node);
  return only !== undefined && more === undefined && is(tree, only, 'textLiteral');
}

/** Words of a dialect that no node represents: `__attribute__((…))`. */
export function dialect({ language }: Syntax): TextPass {
  return {
    name: 'dialect',
    async edits(text) {
      if (language.dialect === undefined) return [];
      return [...text.matchAll(language.dialect)].map(
        ({ 0: word, index }): Edit => ({ spans: [cut(text, index, index + word.length)], label: 'delete extension' }),
      );
    },
  };
}

/** Whitespace between tokens: none if they stay separate without it, else one space or line end. */
export function spaces(syntax: Syntax): TextPass {
  return {
    name: 'space',
    async edits(text) {
      const tree = await syntax.tree(text);
      const layout = syntax.language.layout === true;
      const edits: Edit[] = [];
      for (const { start, end } of gaps(tree)) {
        const gap = text.slice(start, end);
        const inner = start > 0 && end < text.length;
        const least = !inner || !glue(text[start - 1], text[end]) ? '' : gap.includes('\n') && layout ? '\n' : ' ';
        for (const shorter of new Set([...(layout ? laidOut(gap) : [gap.includes('\n') ? '\n' : ' ']), least]))
          if (shorter.length < gap.length) edits.push({ spans: [{ start, end, text: shorter }], label: 'space' });
      }
      // All radical edits together, after all gentle ones.
      const radical = (edit: Edit): number => (edit.spans[0]!.text.length === 0 ? 1 : 0);
      return edits.sort((a, b) => radical(a) - radical(b) || a.spans[0]!.start - b.spans[0]!.start);
    },
  };
}

/** Gentler forms of a gap, for languages in which lines and indentation mean something. */
function laidOut(gap: string): string[] {
  const line = gap.lastIndexOf('\n');
  if (line < 0) return [' '];
  const indent = gap.slice(line + 1);
  return [`\n${indent}`, `\n\n${indent}`, `\n${indent.slice(0, 1)}`, '\n'].filter(one => one.length < gap.length);
}

function gaps(tree: FlatTree): { readonly start: number; readonly end: number }[] {
  const found: { start: number; end: number }[] = [];
  let from = 0;
  const look = (to: number): void => {
    for (const match of tree.text.slice(from, to).matchAll(/\s+/g))
      found.push({ start: from + match.index, end: from + match.index + match[0].length });
  };
  for (let node = 0; node < tree.count; node++) {
    if (!isLeaf(tree, node) || tree.end[node] === tree.start[node]) continue;
    if (tree.start[node]! > from) look(tree.start[node]!);
    // Line ends are separate tokens in some grammars; they still count as whitespace.
    if (tree.text.slice(tree.start[node], Math.min(tree.end[node]!, tree.start[node]! + 8)).trim() !== '')
      from = Math.max(from, tree.end[node]!);
  }
  look(tree.text.length);
  return found;
}

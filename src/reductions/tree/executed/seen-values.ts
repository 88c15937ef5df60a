/** Replaces an expression by the value that it had in a run. */
import type { Edit } from '../../../syntax/edit.js';
import { type FlatTree, fieldOf, grammarAt, is, kindOf } from '../../../syntax/flat-tree.js';
import { observable } from '../../../syntax/observed.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { put } from '../../../syntax/text-cut.js';
import type { TextPass } from '../pass.js';

/** Start, end, and the literal that may replace this part of the text. */
export type SeenValue = readonly [start: number, end: number, literal: string];

/**
 * An expression that changes nothing is nothing but its value, so nearly all of these are replaced in one question, whatever the size of the
 * program is. The others may be needed for what they change.
 */
export type ValuesOf = 'pure expressions' | 'others';

/** In a larger program, only calls are worth a question, because what they call can then go, and what is at the end, because it uses the rest. */
const large = 100_000;
const endLength = 2_000;

/**
 * Whatever computed a value is not needed to have it. The outer expressions are tried first: if the whole of one must stay,
 * its parts may have values of their own.
 */
export function seenValues(syntax: Syntax, values: readonly SeenValue[], which: ValuesOf): TextPass {
  const literals = new Map(values.map(([start, end, literal]) => [`${start} ${end}`, literal]));
  return {
    name: 'value of a run',
    async edits(text, whole = text.length) {
      const tree = await syntax.tree(text);
      const edits: Edit[] = [];
      for (const node of observable(tree)) {
        // If nothing is known, a call may be pure. If it is not, it is there for what it changes.
        const isPure = grammarAt(tree, node).language.observation?.isPure?.(tree, node);
        if ((isPure === true) !== (which === 'pure expressions')) continue;
        const [start, end] = [tree.start[node]!, tree.end[node]!];
        const isAtEnd = whole === text.length && start > whole - endLength;
        const isWorthIt = isPure ?? (isAtEnd || holdsCall(tree, node));
        if (whole > large && !isWorthIt) continue;
        const literal = literals.get(`${start} ${end}`);
        if (literal === undefined) continue;
        const span = put(text, start, end, bracketed(tree, node, literal));
        edits.push({ spans: [span], label: `${kindOf(tree, node)} → ${literal}` });
      }
      // Preorder, so what contains others comes after them once it is reversed.
      return edits.reverse();
    },
  };
}

/** `-1` and `0[0]` may bind differently in an expression, `1.x` is no member of 1, and in Lua no literal has members. */
const bracketed = (tree: FlatTree, node: number, literal: string): string => {
  const field = fieldOf(tree, node);
  const isOne = /^(\w+|["'].*["'])$/.test(literal) && field !== 'table' && !(field === 'object' && /^\d/.test(literal));
  return isOne ? literal : `(${literal})`;
};

function holdsCall(tree: FlatTree, node: number): boolean {
  for (let inside = node; inside < tree.past[node]!; inside++) if (is(tree, inside, 'call')) return true;
  return false;
}

/** Removes members that are functions with an empty body. */
import { bracketed } from '../../syntax/delimiters.js';
import type { Edit } from '../../syntax/edit.js';
import { childAt, type FlatTree, grammarAt, is, isLeaf, kindOf, partsOf, textOf } from '../../syntax/flat-tree.js';
import { isFunction } from '../../syntax/functions.js';
import { smallestOf } from '../../syntax/languages/profile.js';
import { isIdentifier } from '../../syntax/names.js';
import { removals } from '../../syntax/removals.js';
import type { Syntax } from '../../syntax/syntax.js';
import { removal } from './delete.js';
import type { TextPass } from './pass.js';

/**
 * Methods, and functions that are assigned to a property. After everything that did not run is emptied, these are the
 * functions that nothing called. A missing member is noticed only by who uses it, so nearly all of them go together; a missing
 * variable would be noticed by whatever mentions it.
 */
export function emptyMembers(syntax: Syntax): TextPass {
  return {
    name: 'empty member',
    async edits(text) {
      const tree = await syntax.tree(text);
      const known = new Map(removals(tree).map(one => [one.node, one]));
      const edits: Edit[] = [];
      const left = new Map<number, number>();
      for (let node = 1; node < tree.count; node++) {
        if (!isFunction(tree, node) || !isEmptied(tree, childAt(tree, node, 'body')!)) continue;
        const member = memberAt(tree, node);
        const one = member === undefined ? undefined : known.get(member);
        if (!one || isMentioned(tree, node)) continue;
        // A block that may not be empty keeps its first statement.
        const block = tree.parent[member!]!;
        const rest = (left.get(block) ?? partsOf(tree, block).length) - 1;
        if (rest === 0 && !grammarAt(tree, block).language.mayBeEmpty) continue;
        left.set(block, rest);
        edits.push(removal(tree, one));
      }
      return edits;
    },
  };
}

function isEmptied(tree: FlatTree, body: number): boolean {
  const room = bracketed(tree, body);
  if (room) return room.inside.length === 0;
  return textOf(tree, body) === smallestOf(grammarAt(tree, body).language, kindOf(tree, body));
}

/** In some languages, the rest of a class sees its members as variables: `copy` in `__copy__ = copy`, or in a decorator. */
function isMentioned(tree: FlatTree, node: number): boolean {
  const name = childAt(tree, node, 'name');
  let owner = tree.parent[node]!;
  while (owner > 0 && !is(tree, owner, 'class')) owner = tree.parent[owner]!;
  if (name === undefined || owner <= 0) return false;
  const text = textOf(tree, name);
  for (let one = owner + 1; one < tree.past[owner]!; one++) {
    if (isFunction(tree, one)) one = tree.past[one]! - 1;
    else if (isLeaf(tree, one) && isIdentifier(tree, one) && textOf(tree, one) === text) return true;
  }
  return false;
}

/** What the function is a member by: itself, a pair of an object, or a statement that assigns it to a property. */
function memberAt(tree: FlatTree, node: number): number | undefined {
  let member = node;
  const above = () => tree.parent[member]!;
  if (is(tree, above(), 'declarationWrapper')) member = above();
  if (is(tree, above(), 'pair')) return above();
  if (is(tree, above(), 'assignment')) {
    const target = childAt(tree, above(), 'left');
    const statement = tree.parent[above()]!;
    return target !== undefined && is(tree, target, 'place') && is(tree, statement, 'expressionStatement')
      ? statement
      : undefined;
  }
  const owner = tree.parent[above()]!;
  return owner >= 0 && is(tree, owner, 'class') ? member : undefined;
}

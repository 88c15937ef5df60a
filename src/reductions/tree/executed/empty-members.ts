/** Removes members that are functions with an empty body. */
import { bracketed } from '../../../syntax/delimiters.js';
import { childAt, type FlatTree, grammarAt, is, isLeaf, kindOf, partsOf, textOf } from '../../../syntax/flat-tree.js';
import { isFunction } from '../../../syntax/functions.js';
import { smallestOf } from '../../../syntax/languages/profile.js';
import { isIdentifier } from '../../../syntax/names/names.js';
import { type Removal, removals } from '../../../syntax/removals.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { removal } from '../delete.js';
import type { TextPass } from '../pass.js';

/**
 * Methods, and functions that are assigned to a property. After everything that did not run is emptied, these are the
 * functions that nothing called. A missing member is noticed only by who uses it, so nearly all of them go together; a missing
 * variable would be noticed by whatever mentions it.
 */
export function emptyMembers(syntax: Syntax, isWanted: (name: string) => boolean = () => true): TextPass {
  return {
    name: 'empty member',
    async edits(text) {
      const tree = await syntax.tree(text);
      return membersIn(tree)
        .filter(({ name }) => isWanted(name))
        .map(({ one }) => removal(tree, one));
    },
  };
}

/** The names of these members in a text, each as often as it is declared. */
export const emptyMemberNames = async (syntax: Syntax, text: string): Promise<readonly string[]> =>
  membersIn(await syntax.tree(text)).map(({ name }) => name);

function membersIn(tree: FlatTree): readonly { readonly name: string; readonly one: Removal }[] {
  const known = new Map(removals(tree).map(one => [one.node, one]));
  const found: { readonly name: string; readonly one: Removal }[] = [];
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
    found.push({ name: nameOf(tree, node), one });
  }
  return found;
}

/** Of a function that is assigned to a property: the name of the property. */
function nameOf(tree: FlatTree, node: number): string {
  const above = tree.parent[node]!;
  const named = childAt(tree, node, 'name') ?? childAt(tree, above, 'key') ?? childAt(tree, above, 'left');
  return named === undefined ? '' : (/[\p{L}\p{N}_$]+(?=\W*$)/u.exec(textOf(tree, named))?.[0] ?? '');
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

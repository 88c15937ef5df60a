/** Removes a parameter together with its arguments. */

import { bracketed } from '../../../syntax/delimiters.js';
import type { Edit, Span } from '../../../syntax/edit.js';
import { shrinks, toReplacement } from '../../../syntax/expressions.js';
import { type FlatTree, is, isNamed, partsOf, textOf } from '../../../syntax/flat-tree.js';
import { ownName } from '../../../syntax/names/bindings.js';
import { isIdentifier } from '../../../syntax/names/names.js';
import { type RemovalTable, removalTable, toDefaultValue } from '../../../syntax/names/repair.js';
import { isWritten } from '../../../syntax/names/usage.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { cut, disjoint, put } from '../../../syntax/text-cut.js';
import type { TextPass } from '../pass.js';

/**
 * Removes a parameter together with the argument at every call; the same for type and template parameters. Calls are found
 * by the name before their arguments: an overload or a method of the same name loses an argument too, and the test decides.
 */
export function parameters(syntax: Syntax): TextPass {
  return {
    name: 'parameter with arguments',
    async edits(text) {
      const tree = await syntax.tree(text);
      const table = removalTable(tree);
      const { calls, signatures } = lists(tree);
      const edits: Edit[] = [];
      for (const { list, name, owner } of signatures) {
        const others = calls.filter(call => call.name === name && call.angled === isAngled(tree, list));
        const params = partsOf(tree, list);
        params.forEach((param, position) => {
          const own = element(tree, table, param);
          if (own === undefined) return;
          const along = others.flatMap(call => {
            const argument = partsOf(tree, call.list)[position];
            const span = argument === undefined ? undefined : element(tree, table, argument);
            return span === undefined ? [] : [span];
          });
          const leaves = usesOf(tree, owner, param);
          const uses = leaves.map(use => toDefaultValue(tree, table, use));
          const given = others.map(call => partsOf(tree, call.list)[position]);
          const settled = settle(tree, leaves, given);
          if (settled !== undefined) {
            const edit = { spans: disjoint([own, ...along, ...settled]), label: `argument for parameter of ${name}` };
            if (shrinks(text, edit)) edits.push(edit);
          }
          const label = `delete parameter ${position + 1} of ${name}`;
          if (uses.length > 0 && uses.every(span => span !== undefined))
            edits.push({ spans: disjoint([own, ...along, ...(uses as Span[])]), label: `${label} and its uses` });
          if (along.length > 0) edits.push({ spans: disjoint([own, ...along]), label });
        });
      }
      return edits;
    },
  };
}

/** The argument replaces the parameter, if every call passes the same one and nothing else is assigned to it. */
function settle(tree: FlatTree, uses: readonly number[], given: readonly (number | undefined)[]): Span[] | undefined {
  const [first] = given;
  if (first === undefined || uses.length === 0 || uses.some(use => isWritten(tree, use))) return undefined;
  const text = textOf(tree, first);
  if (given.some(one => one === undefined || textOf(tree, one) !== text)) return undefined;
  return uses.map(use => put(tree.text, tree.start[use]!, tree.end[use]!, toReplacement(tree, first, text, use)));
}

export interface Listed {
  readonly list: number;
  readonly name: string;
  readonly owner: number;
  readonly angled: boolean;
}

export function lists(tree: FlatTree): { readonly calls: readonly Listed[]; readonly signatures: readonly Listed[] } {
  const calls: Listed[] = [];
  const signatures: Listed[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (!isNamed(tree, node)) continue;
    const isCall = is(tree, node, 'arguments');
    if ((!isCall && !is(tree, node, 'parameters')) || bracketed(tree, node) === undefined) continue;
    const name = isCall ? nameBefore(tree, node) : declaredName(tree, node);
    if (name === undefined) continue;
    const entry = { list: node, name, owner: tree.parent[node]!, angled: isAngled(tree, node) };
    (isCall ? calls : signatures).push(entry);
  }
  return { calls, signatures };
}

const isAngled = (tree: FlatTree, list: number): boolean => tree.text[tree.start[list]!] === '<';

export function element(tree: FlatTree, table: RemovalTable, node: number): Span | undefined {
  const removal = table.get(node);
  return removal === undefined ? undefined : cut(tree.text, removal.start, removal.end);
}

/** The last identifier before the list, in the node that the list belongs to: `f` in `a.f(x)`. */
function nameBefore(tree: FlatTree, list: number): string | undefined {
  for (let leaf = list - 1; leaf > tree.parent[list]!; leaf--) if (isIdentifier(tree, leaf)) return textOf(tree, leaf);
  return undefined;
}

/** Whose parameters these are: the name before them, or of the declaration around or behind them. */
function declaredName(tree: FlatTree, list: number): string | undefined {
  const before = nameBefore(tree, list);
  if (before !== undefined) return before;
  for (let node = tree.parent[list]!, up = 0; node > 0 && up < 3; node = tree.parent[node]!, up++) {
    const leaf = ownName(tree, node);
    if (leaf >= 0) return textOf(tree, leaf);
    for (let child = tree.past[list]!; child < tree.past[node]!; child = tree.past[child]!) {
      const inner = ownName(tree, child);
      if (inner >= 0) return textOf(tree, inner);
    }
  }
  return undefined;
}

export function usesOf(tree: FlatTree, owner: number, param: number): number[] {
  const found: number[] = [];
  let name: string | undefined;
  for (let leaf = param; leaf < tree.past[param]!; leaf++) if (isIdentifier(tree, leaf)) name = textOf(tree, leaf);
  // The body may be a sibling of the declarator that holds the parameters: look one node further out.
  const around = Math.max(0, tree.parent[owner]! > 0 && is(tree, owner, 'declarator') ? tree.parent[owner]! : owner);
  for (let leaf = tree.past[param]!; leaf < tree.past[around]!; leaf++)
    if (isIdentifier(tree, leaf) && textOf(tree, leaf) === name) found.push(leaf);
  return found;
}

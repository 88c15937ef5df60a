import { ownName } from '../../syntax/bindings.js';
import { bracketed } from '../../syntax/delimiters.js';
import type { Edit, Span } from '../../syntax/edit.js';
import { placed, shrinks } from '../../syntax/expressions.js';
import { isNamed, kindOf, type Outline, partsOf, textOf } from '../../syntax/flat-tree.js';
import { isIdentifier } from '../../syntax/names.js';
import { byDefault, type RemovalTable, removalTable } from '../../syntax/repair.js';
import type { Syntax } from '../../syntax/syntax.js';
import { cut, disjoint, put } from '../../syntax/text-cut.js';
import { isWritten } from '../../syntax/usage.js';
import type { TextPass } from './pass.js';

/**
 * A parameter goes together with the argument at every call; the same for type and template parameters. Calls are found
 * by the name before their arguments: an overload or a method of the same name loses an argument too, and the test tells.
 */
export function parameters(syntax: Syntax): TextPass {
  return {
    name: 'parameter with arguments',
    async edits(text) {
      const outline = await syntax.outline(text);
      const table = removalTable(outline);
      const { calls, signatures } = lists(outline);
      const edits: Edit[] = [];
      for (const { list, name, owner } of signatures) {
        const others = calls.filter(call => call.name === name && call.angled === isAngled(outline, list));
        const params = partsOf(outline, list);
        params.forEach((param, position) => {
          const own = element(outline, table, param);
          if (own === undefined) return;
          const along = others.flatMap(call => {
            const argument = partsOf(outline, call.list)[position];
            const span = argument === undefined ? undefined : element(outline, table, argument);
            return span === undefined ? [] : [span];
          });
          const leaves = usesOf(outline, owner, param);
          const uses = leaves.map(use => byDefault(outline, table, use));
          const given = others.map(call => partsOf(outline, call.list)[position]);
          const settled = settle(outline, leaves, given);
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

/** The argument in the place of the parameter, where every call passes the same and nothing else is put there. */
function settle(outline: Outline, uses: readonly number[], given: readonly (number | undefined)[]): Span[] | undefined {
  const [first] = given;
  if (first === undefined || uses.length === 0 || uses.some(use => isWritten(outline, use))) return undefined;
  const text = textOf(outline, first);
  if (given.some(one => one === undefined || textOf(outline, one) !== text)) return undefined;
  return uses.map(use => put(outline.text, outline.start[use]!, outline.end[use]!, placed(outline, first, text, use)));
}

export interface Listed {
  readonly list: number;
  readonly name: string;
  readonly owner: number;
  readonly angled: boolean;
}

export function lists(outline: Outline): { readonly calls: readonly Listed[]; readonly signatures: readonly Listed[] } {
  const calls: Listed[] = [];
  const signatures: Listed[] = [];
  for (let node = 1; node < outline.count; node++) {
    if (!isNamed(outline, node)) continue;
    const kind = kindOf(outline, node);
    const isCall = /argument/.test(kind);
    if ((!isCall && !/param/.test(kind)) || bracketed(outline, node) === undefined) continue;
    const name = isCall ? nameBefore(outline, node) : declaredName(outline, node);
    if (name === undefined) continue;
    const entry = { list: node, name, owner: outline.parent[node]!, angled: isAngled(outline, node) };
    (isCall ? calls : signatures).push(entry);
  }
  return { calls, signatures };
}

const isAngled = (outline: Outline, list: number): boolean => outline.text[outline.start[list]!] === '<';

export function element(outline: Outline, table: RemovalTable, node: number): Span | undefined {
  const removal = table.get(node);
  return removal === undefined ? undefined : cut(outline.text, removal.start, removal.end);
}

/** The last identifier before the list, in the node that the list belongs to: `f` in `a.f(x)`. */
function nameBefore(outline: Outline, list: number): string | undefined {
  for (let leaf = list - 1; leaf > outline.parent[list]!; leaf--)
    if (isIdentifier(outline, leaf)) return textOf(outline, leaf);
  return undefined;
}

/** Whose parameters these are: the name before them, or of the declaration around or behind them. */
function declaredName(outline: Outline, list: number): string | undefined {
  const before = nameBefore(outline, list);
  if (before !== undefined) return before;
  for (let node = outline.parent[list]!, up = 0; node > 0 && up < 3; node = outline.parent[node]!, up++) {
    const leaf = ownName(outline, node);
    if (leaf >= 0) return textOf(outline, leaf);
    for (let child = outline.past[list]!; child < outline.past[node]!; child = outline.past[child]!) {
      const inner = ownName(outline, child);
      if (inner >= 0) return textOf(outline, inner);
    }
  }
  return undefined;
}

export function usesOf(outline: Outline, owner: number, param: number): number[] {
  const found: number[] = [];
  let name: string | undefined;
  for (let leaf = param; leaf < outline.past[param]!; leaf++)
    if (isIdentifier(outline, leaf)) name = textOf(outline, leaf);
  // The body may be a sibling of the declarator that holds the parameters: look one node further out.
  const around = Math.max(
    0,
    outline.parent[owner]! > 0 && kindOf(outline, owner).includes('declarator') ? outline.parent[owner]! : owner,
  );
  for (let leaf = outline.past[param]!; leaf < outline.past[around]!; leaf++)
    if (isIdentifier(outline, leaf) && textOf(outline, leaf) === name) found.push(leaf);
  return found;
}

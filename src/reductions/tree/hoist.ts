/** Replaces a node by one of its parts, or empties its brackets. */
import { bracketed, descendantsWithin, type ReplacementRules, replacementRules } from '../../syntax/delimiters.js';
import type { Edit, Span } from '../../syntax/edit.js';
import {
  childrenOf,
  type FlatTree,
  grammarAt,
  is,
  isComment,
  isNamed,
  kindOf,
  sizeOf,
} from '../../syntax/flat-tree.js';
import type { Range } from '../../syntax/keep.js';
import { canRemove } from '../../syntax/parse-table.js';
import type { Syntax } from '../../syntax/syntax.js';
import { keepOnly } from '../../syntax/text-cut.js';
import { dedent } from './dedent.js';
import type { TextPass } from './pass.js';

/**
 * Hoisting (Vince, Hodován and Kiss 2021; Perses' "compatible descendant"): a node is replaced by one of its descendants that
 * may be in its place, or by everything between its brackets or tags. An edit removes what surrounds the survivor and
 * never touches the survivor itself, so that edits inside it can be made at the same time. Only if blocks are indented, its lines move to the left.
 */
export function hoist(syntax: Syntax, most = 4, depth = 4): TextPass {
  return {
    name: 'hoist',
    edits: async text => hoists(await syntax.tree(text), { most, depth, least: Math.max(2, smallestNode(text)) }),
  };
}

interface HoistLimits extends Limits {
  /** The smallest node that is replaced. */
  readonly least: number;
}

function hoists(tree: FlatTree, { least, ...limits }: HoistLimits): readonly Edit[] {
  const seen = replacementRules(tree);
  const edits: Edit[] = [];
  // Backwards through preorder: inner nodes first, the outermost last.
  for (let node = tree.count - 1; node > 0; node--) {
    if (sizeOf(tree, node) < least) continue;
    if (!isNamed(tree, node) || isComment(tree, node)) continue;
    const found = survivors(tree, seen, node, limits);
    const whole = { start: tree.start[node]!, end: tree.end[node]! };
    for (const survivor of found.reverse())
      edits.push({ spans: moved(tree, node, whole, survivor), label: survivor.label });
  }
  return edits;
}

/** The survivor in the place of the node. */
const moved = (tree: FlatTree, node: number, whole: Range, survivor: Survivor): readonly Span[] =>
  [...keepOnly(tree.text, whole, survivor), ...dedent(tree, node, survivor)].sort((a, b) => a.start - b.start);

/** In a large text only large nodes are worth a separate test; below 20,000 characters every node is. */
const smallestNode = (text: string): number => (text.length > 20_000 ? text.length / 500 : 0);

interface Survivor {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

interface Limits {
  /** How many survivors are tried for one node. */
  readonly most: number;
  /** Levels below it. */
  readonly depth: number;
}

function survivors(tree: FlatTree, seen: ReplacementRules, node: number, { most, depth }: Limits): Survivor[] {
  const { start, end } = tree;
  const found: Survivor[] = [];
  const label = `hoist in ${kindOf(tree, node)}`;
  const size = sizeOf(tree, node);
  const add = (from: number, to: number): void => {
    if (to - from >= size || to <= from || found.some(one => one.start === from && one.end === to)) return;
    found.push({ start: from, end: to, label });
  };
  for (const one of [node, ...descendantsWithin(tree, node, depth - 1, 24)]) {
    if (found.length >= most) break;
    if (one !== node && seen.fits(node, one)) add(start[one]!, end[one]!);
    const all = insideOf(tree, one);
    const inside = all.filter(child => isNamed(tree, child) && !isComment(tree, child));
    if (inside.length > 0 && seen.fits(node, inside[0]!)) add(start[all[0]!]!, end[all.at(-1)!]!);
  }
  return found;
}

/** What is between brackets, or indented as a block. */
function insideOf(tree: FlatTree, node: number): readonly number[] {
  const room = bracketed(tree, node);
  if (room !== undefined) return room.inside;
  const isIndented = grammarAt(tree, node).language.layout === true && is(tree, node, 'body');
  return isIndented ? childrenOf(tree, node) : [];
}

/** Empties brackets, blocks, lists, strings and elements. The outermost come last. */
export function hollow(syntax: Syntax): TextPass {
  return {
    name: 'hollow',
    async edits(text) {
      const tree = await syntax.tree(text);
      const edits: Edit[] = [];
      const least = smallestNode(text);
      for (let node = tree.count - 1; node >= 0; node--) {
        if (sizeOf(tree, node) < least) continue;
        const room = bracketed(tree, node);
        if (room === undefined || room.start === room.end) continue;
        const { inside } = room;
        if (inside.length === 0 && text.slice(room.start, room.end).trim() === '') continue;
        if (inside.length > 0 && !canRemove(tree, inside[0]!, inside[inside.length - 1]!)) continue;
        edits.push({
          spans: [{ start: room.start, end: room.end, text: '' }],
          label: `empty ${kindOf(tree, node)}`,
        });
      }
      return edits;
    },
  };
}

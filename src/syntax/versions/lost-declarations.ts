/** Variables that only an old text declares, and which of their declarations a part of it needs. */

import { childAt, type FlatTree, fieldOf, is, isLeaf, textOf } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import { isIdentifier } from '../names/names.js';
import { type AlignedParts, insideOf, type Part } from './aligned-parts.js';

/** The variables of a function: where each is first given a value, or declared. */
export interface Declared {
  /** The statements that new has lost, by the name of the variable. */
  readonly lost: ReadonlyMap<string, number>;
  /** What the others are called in new. */
  readonly renamed: ReadonlyMap<string, string>;
}

export function declaredIn(old: FlatTree, now: FlatTree, { olds, news, newOf }: AlignedParts): Declared {
  const partAt = new Map(news.map(part => [part.node, part]));
  const seen = new Set<string>();
  const lost = new Map<string, number>();
  const renamed = new Map<string, string>();
  for (const part of olds) {
    const names = namesDeclared(old, part);
    const same = partAt.get(newOf.get(part.node) ?? -1);
    const [to, ...others] = same ? namesDeclared(now, same) : [];
    for (const name of names.filter(each => !seen.has(each))) {
      seen.add(name);
      if (!same && isStatement(old, part.node) && insideOf(old, part.node) === undefined) lost.set(name, part.node);
      if (to !== undefined && others.length === 0 && names.length === 1) renamed.set(name, to);
    }
  }
  return { lost, renamed };
}

const word = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Those that are given a value; otherwise those of a declaration without one. */
function namesDeclared(tree: FlatTree, { node, own }: Part): readonly string[] {
  const given = own.filter((token, i) => word.test(token) && (own[i + 1] === '=' || own[i + 1] === ':='));
  return given.length > 0 || !is(tree, node, 'declared') ? given : own.slice(1).filter(token => word.test(token));
}

/** Whether a statement does nothing but declare or import what is not used. */
export function isIdle(old: FlatTree, part: number, isKnown: (name: string) => boolean): boolean {
  if (!isStatement(old, part)) return false;
  // What it imports is there under another name, or nothing can use it. If it imports no name, the module does something.
  if (is(old, part, 'importing')) return leavesIn(old, part).some(leaf => isIdentifier(old, leaf));
  const own = isFunction(old, part) ? childAt(old, part, 'name') : undefined;
  if (own !== undefined) return !isKnown(textOf(old, own));
  if (!is(old, part, 'declared')) return false;
  // A call may do something, and a function may be called by its place.
  for (let node = part; node < old.past[part]!; node++)
    if (isFunction(old, node) || is(old, node, 'call')) return false;
  const tokens = leavesIn(old, part).map(leaf => textOf(old, leaf));
  const names = namesDeclared(old, { node: part, own: tokens });
  return names.length > 0 && !names.some(isKnown);
}

function leavesIn(tree: FlatTree, node: number): readonly number[] {
  const found: number[] = [];
  for (let leaf = node; leaf < tree.past[node]!; leaf++) if (isLeaf(tree, leaf)) found.push(leaf);
  return found;
}

/** Whether the function around a node has a name, or the file if there is none. `variables`: those of the file. */
export function usageAround(tree: FlatTree, variables: ReadonlySet<string>): (node: number, name: string) => boolean {
  const known = new Map<number, ReadonlySet<string>>();
  return (node, name) => {
    let around = tree.parent[node]!;
    while (around > 0 && !isFunction(tree, around)) around = tree.parent[around]!;
    if (around <= 0) return variables.has(name);
    let words = known.get(around);
    if (!words) known.set(around, (words = new Set(leavesIn(tree, around).map(leaf => textOf(tree, leaf)))));
    return words.has(name);
  };
}

/** Whether a part is in a list of statements, and no member of a class or an object. */
export const isStatement = (tree: FlatTree, part: number): boolean => {
  const parent = tree.parent[part]!;
  return is(tree, parent, 'statementList') || is(tree, parent, 'body');
};

/** What a part of old needs of what new has lost too. */
export interface Needs {
  readonly declarations: readonly number[];
  /** It also uses names that new has nowhere. */
  readonly isForeign: boolean;
}

/** A part that needs more than this is not small any more. */
const mostNeeded = 3;

/** `from` and `to`: as much of the parts as is put back. */
export const needsOf =
  (old: FlatTree, lost: ReadonlyMap<string, number>, isKnown: (name: string) => boolean) =>
  ([from, to]: readonly [number, number], nodes: readonly number[]): Needs => {
    const declarations = new Set<number>();
    const pending = [...nodes];
    const own = new Set<string>();
    let isForeign = false;
    const isInside = (leaf: number) => old.start[leaf]! >= from && old.start[leaf]! < to;
    for (const part of pending)
      for (let leaf = part; leaf < old.past[part]!; leaf++) {
        if ((nodes.includes(part) && !isInside(leaf)) || !isIdentifier(old, leaf) || isMember(old, leaf)) continue;
        const name = textOf(old, leaf);
        if (isIntroduced(old, leaf)) own.add(name);
        if (isKnown(name) || own.has(name)) continue;
        const declaration = lost.get(name);
        if (declaration !== undefined && (pending.includes(declaration) || isInside(declaration))) continue;
        // A statement can be put before a statement of the same block, or of a block inside it.
        const isVisible =
          declaration !== undefined &&
          isStatement(old, nodes[0]!) &&
          isWithin(old, nodes[0]!, old.parent[declaration]!);
        if (declaration === undefined || !isVisible || declarations.size === mostNeeded) isForeign = true;
        else {
          declarations.add(declaration);
          pending.push(declaration);
        }
      }
    return { declarations: [...declarations].sort((a, b) => a - b), isForeign };
  };

const isWithin = (tree: FlatTree, node: number, outer: number): boolean => node >= outer && node < tree.past[outer]!;

const isMember = ({ text, start }: FlatTree, leaf: number): boolean =>
  /(?:\.|->|::)\s*$/.test(text.slice(Math.max(0, start[leaf]! - 8), start[leaf]));

const isIntroduced = (tree: FlatTree, leaf: number): boolean =>
  ['left', 'name', 'parameter', 'pattern', 'declarator', 'alias'].includes(fieldOf(tree, leaf)) ||
  is(tree, tree.parent[leaf]!, 'parameters');

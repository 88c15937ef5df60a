/**
 * Calls that new put around something that old has too: `x.trim()` in the place of `x`, or `encode(x)`. The statement was changed, and not added, so neither can
 * it go, nor need all of its old form fit.
 */

import type { Span } from '../edit.js';
import { childAt, type FlatTree, is, isComment, isLeaf, isNamed, partsOf, textOf } from '../flat-tree.js';
import { callAt } from '../functions.js';
import { put } from '../text-cut.js';
import { type AlignedParts, isPart } from './aligned-parts.js';
import { isStatement } from './lost-declarations.js';
import { words } from './new-names.js';

export interface AddedCall extends Span {
  /** What must run. */
  readonly gone: readonly [start: number, end: number];
  /** The part that it is in was added too. */
  readonly isInAdded: boolean;
  /** Old has another call around the same: without any, new is neither. */
  readonly isInstead: boolean;
}

/** Each call that a part of new has and the same part of old has not, without which what it is about stays. */
export function* addedCalls(
  old: FlatTree | undefined,
  now: FlatTree,
  { olds: parts, news, newOf }: AlignedParts,
): Generator<AddedCall> {
  const partAt = new Map(parts.map(part => [newOf.get(part.node) ?? -1, part]));
  const everything = countingRuns(parts.flatMap(({ own }) => own));
  for (const after of news) {
    const before = partAt.get(after.node);
    const [was, is] = [before ? countingRuns(before.own) : everything, countingRuns(after.own)];
    if (was.all === is.all) continue;
    const olds = old && before ? [...callsIn(old, before.node)].map(call => textOf(old, call.stays)) : [];
    const calls = [...callsIn(now, after.node)];
    for (const { node, stays, added } of calls) {
      if (was.count(added) >= is.count(added) || isWholeStatement(now, node)) continue;
      const gone = [now.start[node]!, now.end[node]!] as const;
      const about = textOf(now, stays);
      const isInstead = olds.length >= calls.length && olds.includes(about);
      yield { gone, isInAdded: before === undefined, isInstead, ...put(now.text, ...gone, about) };
    }
  }
}

/** Then it is taken out as a statement. */
function isWholeStatement(tree: FlatTree, call: number): boolean {
  const around = tree.parent[call]!;
  return tree.start[around] === tree.start[call] && isStatement(tree, around);
}

/** How often a few tokens follow each other in a part. */
export function countingRuns(own: readonly string[]) {
  const all = ` ${own.join(' ')} `;
  return { all, count: (tokens: readonly string[]) => all.split(` ${tokens.join(' ')} `).length - 1 };
}

interface Wrapping {
  readonly node: number;
  /** What the call is about. */
  readonly stays: number;
  /** The tokens of the call without that, or before it. */
  readonly added: readonly string[];
}

/** The calls of a part, without those of the parts inside it. */
export function* callsIn(tree: FlatTree, part: number): Generator<Wrapping> {
  for (let node = part + 1; node < tree.past[part]!; node++) {
    if (isPart(tree, node)) {
      node = tree.past[node]! - 1;
      continue;
    }
    const [on, args] = calledAt(tree, node);
    const [first, ...others] = args;
    // What is called on something, as `x.trim()`; or with one thing, as `encode(x)` and `JSON.stringify(x)`.
    const receiver = on !== undefined && !isModule(tree, on) ? on : undefined;
    if (receiver !== undefined)
      yield { node, stays: receiver, added: tokensIn(tree, tree.past[receiver]!, tree.past[node]!) };
    else if (first !== undefined && others.length === 0)
      yield { node, stays: first, added: tokensIn(tree, node, first) };
  }
}

/** What is before the name of what is called, and the arguments; of what is no plain call, such as `(0, a.b)(x)`, only these. */
function calledAt(tree: FlatTree, node: number): readonly [on: number | undefined, args: readonly number[]] {
  const call = callAt(tree, node);
  if (call) return [call.receiver !== undefined && call.receiver < call.callee ? call.receiver : undefined, call.args];
  const list = isNamed(tree, node) && is(tree, node, 'call') ? childAt(tree, node, 'arguments') : undefined;
  return [undefined, list === undefined ? [] : partsOf(tree, list)];
}

/** `JSON`, or what another file is called here: without its functions, it is no value. */
const isModule = (tree: FlatTree, node: number): boolean =>
  /^\p{Lu}\w*$/u.test(textOf(tree, node)) || (isLeaf(tree, node) && fileNamesIn(tree).has(textOf(tree, node)));

const fileNames = new WeakMap<FlatTree, ReadonlySet<string>>();

/** What the statements of the file itself declare or import. */
function fileNamesIn(tree: FlatTree): ReadonlySet<string> {
  const known = fileNames.get(tree);
  if (known) return known;
  const heads = partsOf(tree, 0)
    .filter(part => is(tree, part, 'declared') || is(tree, part, 'importing'))
    .map(part => textOf(tree, part).split('=', 1)[0]!)
    // A function is no module, and neither is what is in it.
    .filter(head => !head.includes('('));
  const names = new Set(heads.flatMap(head => head.match(words) ?? []));
  fileNames.set(tree, names);
  return names;
}

function tokensIn(tree: FlatTree, from: number, past: number): readonly string[] {
  const tokens: string[] = [];
  for (let leaf = from; leaf < past; leaf++)
    if (isLeaf(tree, leaf) && !isComment(tree, leaf)) tokens.push(textOf(tree, leaf));
  return tokens;
}

/**
 * Calls that new put around something that old has too: `x.trim()` in the place of `x`, or `encode(x)`. The statement was changed, and not added, so neither can
 * it go, nor need all of its old form fit.
 */
import { type AlignedParts, isPart } from './aligned-parts.js';
import type { Span } from './edit.js';
import { type FlatTree, isComment, isLeaf, textOf } from './flat-tree.js';
import { callAt } from './functions.js';
import { isStatement } from './lost-declarations.js';
import { put } from './text-cut.js';

export interface AddedCall extends Span {
  /** What must run. */
  readonly gone: readonly [start: number, end: number];
  /** The part that it is in was added too. */
  readonly isInAdded: boolean;
}

/** Each call that a part of new has and the same part of old has not, without which what it is about stays. */
export function* addedCalls(now: FlatTree, { olds, news, newOf }: AlignedParts): Generator<AddedCall> {
  const partAt = new Map(olds.map(part => [newOf.get(part.node) ?? -1, part]));
  const everything = countingRuns(olds.flatMap(({ own }) => own));
  for (const after of news) {
    const before = partAt.get(after.node);
    const [was, is] = [before ? countingRuns(before.own) : everything, countingRuns(after.own)];
    if (was.all === is.all) continue;
    for (const { node, stays, added } of callsIn(now, after.node)) {
      if (was.count(added) >= is.count(added) || isWholeStatement(now, node)) continue;
      const gone = [now.start[node]!, now.end[node]!] as const;
      yield { gone, isInAdded: before === undefined, ...put(now.text, ...gone, textOf(now, stays)) };
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
    const call = callAt(tree, node);
    if (!call) continue;
    const { receiver, args, callee } = call;
    const [first, ...others] = args;
    // What is called on something, as `x.trim()`; or with one thing, as `encode(x)` and `JSON.stringify(x)`.
    const isOn = receiver !== undefined && receiver < callee && !/^\p{Lu}\w*$/u.test(textOf(tree, receiver));
    if (isOn) yield { node, stays: receiver, added: tokensIn(tree, tree.past[receiver]!, tree.past[node]!) };
    else if (first !== undefined && others.length === 0)
      yield { node, stays: first, added: tokensIn(tree, node, first) };
  }
}

function tokensIn(tree: FlatTree, from: number, past: number): readonly string[] {
  const tokens: string[] = [];
  for (let leaf = from; leaf < past; leaf++)
    if (isLeaf(tree, leaf) && !isComment(tree, leaf)) tokens.push(textOf(tree, leaf));
  return tokens;
}

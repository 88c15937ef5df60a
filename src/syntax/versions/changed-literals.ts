/**
 * Texts and numbers that a function has in another form than before: another word in a text, another number. Code is often written anew around them, so that
 * no statement of old fits, while the word itself could still be the old one.
 */
import { type Hunk, hunksBetween } from '../../core/diff.js';
import type { Span } from '../edit.js';
import { type FlatTree, is, isComment, isLeaf, textOf } from '../flat-tree.js';
import type { FunctionPair } from './matched-functions.js';

/** A text or a number of new as old has it. */
export interface ChangedLiteral extends Span {
  /** The old one, in the old text. */
  readonly node: number;
}

/** In a function with more of them on either side, too much could have become too much else. */
const mostLiterals = 40;
/** Two texts are versions of one if they share this much of their words and signs. */
const alike = 0.4;
/** A text that differs in more places was written anew. */
const mostPlaces = 3;
/** A longer text is for people. */
const longest = 300;
/** As many words and signs may stand in the place of as many others. */
const mostTokens = 3;

/** In the order of the new text, for each function that both have. */
export function changedLiterals(
  old: FlatTree,
  now: FlatTree,
  pairs: readonly FunctionPair[],
): readonly ChangedLiteral[] {
  const found = new Map<string, ChangedLiteral>();
  for (const [a, b] of pairs) {
    const [before, after] = [literalsIn(old, a), literalsIn(now, b)];
    const [olds, news] = [without(before, after), without(after, before)];
    if (olds.length > mostLiterals || news.length > mostLiterals) continue;
    for (const { node, text, isNumber } of news)
      for (const other of likest(text, isNumber, olds)) {
        const changed = isNumber ? other.text : formOf(other.text, text);
        if (changed === undefined) continue;
        const span = { start: now.start[node]!, end: now.end[node]!, text: changed, node: other.node };
        found.set(`${span.start} ${changed}`, span);
      }
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

interface Literal {
  readonly node: number;
  readonly text: string;
  readonly isNumber: boolean;
}

/** The numbers inside a node, and what is between the quotes of its texts. An empty file has nothing inside. */
function literalsIn(tree: FlatTree, outer: number): readonly Literal[] {
  const found: Literal[] = [];
  for (let node = outer + 1; node < tree.past[outer]!; node++) {
    if (!isLeaf(tree, node) || isComment(tree, node) || isQuote(tree, node)) continue;
    const isNumber = is(tree, node, 'numberLiteral');
    const isText = is(tree, node, 'textLiteral') || is(tree, tree.parent[node]!, 'textLiteral');
    const text = textOf(tree, node);
    const isShort = text.length <= longest;
    if ((isNumber || isText) && isShort && /[\p{L}\p{N}]/u.test(text)) found.push({ node, text, isNumber });
  }
  return found;
}

/** The first or last part of a text. */
function isQuote(tree: FlatTree, node: number): boolean {
  const parent = tree.parent[node]!;
  if (parent < 0 || !is(tree, parent, 'textLiteral')) return false;
  return tree.start[node] === tree.start[parent] || tree.end[node] === tree.end[parent];
}

const without = (these: readonly Literal[], others: readonly Literal[]): readonly Literal[] => {
  const known = new Set(others.map(({ text }) => text));
  return these.filter(({ text }) => !known.has(text));
};

/** What a literal may have been: the text that it has most in common with, or one of a few numbers. */
function likest(text: string, isNumber: boolean, olds: readonly Literal[]): readonly Literal[] {
  const same = olds.filter(each => each.isNumber === isNumber);
  if (isNumber) return same.length <= mostPlaces ? same : [];
  const words = new Set(tokensIn(text));
  const [best] = same
    .map(each => ({ each, score: likeness(words, new Set(tokensIn(each.text))) }))
    .filter(({ score }) => score >= alike)
    .sort((a, b) => b.score - a.score);
  return best ? [best.each] : [];
}

const tokensIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** How much of the shorter one is in the other one: a text that is put together has other parts in new. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter(token => b.has(token)).length;
  return common / Math.max(1, Math.min(a.size, b.size));
}

/** The text with its old words in the place of others; if none is in the place of another one, the old text. */
function formOf(old: string, now: string): string | undefined {
  const [before, after] = [tokensIn(old), tokensIn(now)];
  const hunks = hunksBetween(before, after);
  const replaced = hunks.filter(({ oldCount, newCount }) => oldCount > 0 && newCount > 0);
  if (replaced.length === 0) return hunks.length <= mostPlaces && lengthOf(hunks) <= mostTokens ? old : undefined;
  if (replaced.length > mostPlaces || replaced.some(hunk => lengthOf([hunk]) > mostTokens)) return undefined;
  const tokens = [...after];
  for (const { oldStart, oldCount, newStart, newCount } of replaced.toReversed())
    tokens.splice(newStart, newCount, ...before.slice(oldStart, oldStart + oldCount));
  return tokens.join('');
}

const lengthOf = (hunks: readonly Hunk[]): number =>
  hunks.reduce((sum, { oldCount, newCount }) => sum + Math.max(oldCount, newCount), 0);

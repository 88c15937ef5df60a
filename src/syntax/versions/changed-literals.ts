/**
 * Texts and numbers that a function has in another form than before: another word in a text, another number. Code is often written anew around them, so that
 * no statement of old fits, while the word itself could still be the old one.
 */
import { type Hunk, hunksBetween } from '../../core/diff.js';
import { addTo } from '../../core/lists.js';
import type { Span } from '../edit.js';
import type { FlatTree } from '../flat-tree.js';
import { type Literal, literalsIn, purposeOf } from './literals.js';
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
/** As many words and signs may stand in the place of as many others. */
const mostTokens = 3;

/** In the order of the new text, for each function that both have. */
export function changedLiterals(
  old: FlatTree,
  now: FlatTree,
  pairs: readonly FunctionPair[],
): readonly ChangedLiteral[] {
  const found = new Map<string, ChangedLiteral>();
  const add = ({ start, end }: Literal, text: string, node: number) =>
    found.set(`${start} ${text}`, { start, end, text, node });
  const paired = [new Set(pairs.map(([a]) => a)), new Set(pairs.map(([, b]) => b))] as const;
  for (const [a, b] of pairs) {
    const [before, after] = [literalsIn(old, a), literalsIn(now, b)];
    const [olds, news] = [without(before, after), without(after, before)].map(each => each.filter(isLong));
    if (olds!.length <= mostLiterals && news!.length <= mostLiterals)
      for (const each of news!)
        for (const other of likest(each, olds!)) {
          const changed = each.kind === 'text' ? formOf(other.text, each.text) : other.text;
          if (changed !== undefined) add(each, changed, other.node);
        }
    const own = [isOwn(old, a, paired[0]), isOwn(now, b, paired[1])] as const;
    for (const [each, other] of a === 0 ? [] : ofOnePurpose([old, before.filter(own[0])], [now, after.filter(own[1])]))
      add(each, other.text, other.node);
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

/** One sign is like any other, and a path of a module is of no other one. */
const isLong = ({ text, kind }: Literal): boolean =>
  kind === 'number' ||
  (kind === 'text' && !/^\.{1,2}\//.test(text) && (/[\p{L}\p{N}]/u.test(text) || tokensIn(text).length > 1));

/** Whether a literal is in a function, and not in another one inside of it. */
const isOwn =
  (tree: FlatTree, outer: number, functions: ReadonlySet<number>) =>
  ({ node }: Literal): boolean => {
    let at = tree.parent[node]!;
    while (at > outer && !functions.has(at)) at = tree.parent[at]!;
    return at === outer;
  };

/** Literals of new, each with an old one that is for the same, however different they are: another default, or another value of an option. */
function* ofOnePurpose(
  [old, before]: readonly [FlatTree, readonly Literal[]],
  [now, after]: readonly [FlatTree, readonly Literal[]],
): Generator<readonly [now: Literal, old: Literal]> {
  const byPurpose = (tree: FlatTree, literals: readonly Literal[]) => {
    const groups = new Map<string, Literal[]>();
    for (const each of literals) {
      const purpose = purposeOf(tree, each.node);
      if (purpose !== undefined) addTo(groups, purpose, each);
    }
    return groups;
  };
  const [olds, news] = [byPurpose(old, before), byPurpose(now, after)];
  for (const [purpose, those] of news) {
    const [lost, added] = [without(olds.get(purpose) ?? [], those), without(those, olds.get(purpose) ?? [])];
    if (lost.length > mostPlaces || added.length > mostPlaces) continue;
    for (const each of added) for (const other of lost) if (other.kind === each.kind) yield [each, other];
  }
}

const without = (these: readonly Literal[], others: readonly Literal[]): readonly Literal[] => {
  const known = new Set(others.map(({ text }) => text));
  return these.filter(({ text }) => !known.has(text));
};

/** What a literal may have been: the text that it has most in common with, or one of a few numbers. */
function likest({ text, kind }: Literal, olds: readonly Literal[]): readonly Literal[] {
  const same = olds.filter(each => each.kind === kind);
  if (kind === 'number') return same.length <= mostPlaces ? same : [];
  const words = new Set(tokensIn(text));
  const [best] = same
    .map(each => ({ each, others: new Set(tokensIn(each.text)) }))
    .filter(({ others }) => likeness(words, others) >= alike)
    // A short text is in many others.
    .map(({ each, others }) => ({ each, common: (2 * commonIn(words, others)) / (words.size + others.size) }))
    .sort((a, b) => b.common - a.common);
  return best ? [best.each] : [];
}

const tokensIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** How much of the shorter one is in the other one: a text that is put together has other parts in new. */
const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  commonIn(a, b) / Math.max(1, Math.min(a.size, b.size));

const commonIn = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  [...a].filter(token => b.has(token)).length;

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

/**
 * Replacements that belong together because they say the same: an item that went from one list to another, a variable and what reads it, a call that was
 * added in two places. Each of them by itself changes nothing.
 */
import type { Artifact } from '../../../core/artifact.js';
import { hunksBetween } from '../../../core/diff.js';
import { addTo, leastOf } from '../../../core/lists.js';
import { type Replacement, textOf, wordsIn } from './old-functions.js';

/** So many groups are tried. */
const mostGroups = 8;
/** A word that more of them have says nothing about which of them belong together. */
const mostAlike = 3;
/** A longer replacement has words for everything. */
const mostWords = 400;

/** The likeliest groups of replacements that share a word in what they change, which no others have. */
export function sayingTheSame(now: Artifact, all: readonly Replacement[]): readonly (readonly number[])[] {
  const texts = new Map(
    [...new Set(all.map(({ path }) => path))].map(path => [path, textOf(now.files.get(path)) ?? '']),
  );
  const byWord = new Map<string, number[]>();
  for (const [at, each] of all.entries())
    for (const word of wordsChanged(texts.get(each.path)!.slice(each.start, each.end), each.text))
      addTo(byWord, word, at);
  const groups = new Map<string, { readonly members: readonly number[]; words: number }>();
  for (const these of byWord.values()) {
    const members = apart(these, all);
    if (members.length < 2 || members.length > mostAlike || these.length > 2 * mostAlike) continue;
    const key = members.join(' ');
    const known = groups.get(key);
    if (known) known.words++;
    else groups.set(key, { members, words: 1 });
  }
  const likely = ({ members, words }: { readonly members: readonly number[]; readonly words: number }) =>
    leastOf(members.map(at => all[at]!.likely)) * Math.sqrt(words);
  return [...groups.values()]
    .sort((a, b) => likely(b) - likely(a))
    .slice(0, mostGroups)
    .map(({ members }) => members);
}

/** The words that are only on one side. */
function wordsChanged(before: string, after: string): ReadonlySet<string> {
  const [left, right] = [wordsIn(before), wordsIn(after)];
  if (left.length + right.length > mostWords) return new Set();
  return new Set(
    hunksBetween(left, right).flatMap(({ oldStart, oldCount, newStart, newCount }) => [
      ...left.slice(oldStart, oldStart + oldCount),
      ...right.slice(newStart, newStart + newCount),
    ]),
  );
}

/** Of those in the same place, the likeliest one. */
function apart(these: readonly number[], all: readonly Replacement[]): readonly number[] {
  const taken: number[] = [];
  for (const at of these.toSorted((a, b) => all[b]!.likely - all[a]!.likely || a - b))
    if (taken.every(other => isApart(all[at]!, all[other]!))) taken.push(at);
  return taken.sort((a, b) => a - b);
}

export const isApart = (a: Replacement, b: Replacement): boolean =>
  a.path !== b.path || a.end <= b.start || b.end <= a.start;

/** What the user marked to keep, as ranges of the text. */
import { type FlatTree, isComment, isNamed, textOf } from './flat-tree.js';

/** base[start, end) must stay as it is. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * What the user marked: every match of a regular expression; the region that contains a comment with `culprit-keep` (the node
 * after it, if the comment is at the top of a file); and everything between `culprit-keep-begin` and `-end`.
 */
export function keptRanges(tree: FlatTree, regex?: RegExp): Range[] {
  const { text } = tree;
  const ranges: Range[] = [];
  if (regex !== undefined) {
    const every = new RegExp(regex.source, regex.flags.includes('g') ? regex.flags : `${regex.flags}g`);
    for (const match of text.matchAll(every))
      if (match[0].length > 0) ranges.push({ start: match.index, end: match.index + match[0].length });
  }
  if (!text.includes('culprit-keep')) return ranges;
  for (const match of text.matchAll(/culprit-keep-begin[\s\S]*?(?:culprit-keep-end|$)/g))
    ranges.push({ start: match.index, end: match.index + match[0].length });
  for (let node = 1; node < tree.count; node++)
    if (isComment(tree, node) && /culprit-keep(?!-begin|-end)/.test(textOf(tree, node)))
      ranges.push(regionOf(tree, node));
  return ranges;
}

function regionOf(tree: FlatTree, mark: number): Range {
  const above = tree.parent[mark]!;
  if (above > 0) return { start: tree.start[above]!, end: tree.end[above]! };
  let next = tree.past[mark]!;
  while (next < tree.count && (isComment(tree, next) || !isNamed(tree, next))) next = tree.past[next]!;
  return { start: tree.start[mark]!, end: next < tree.count ? tree.end[next]! : tree.end[mark]! };
}

/** What the user marked to keep, as ranges of the text. */
import { isComment, isNamed, type Outline, textOf } from './flat-tree.js';

/** base[start, end) must stay as it is. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * What the user marked: every match of a regular expression; the region that a comment with `culprit-keep` stands in (the
 * node after it, where the comment stands at the top of a file); and all between `culprit-keep-begin` and `-end`.
 */
export function keptRanges(outline: Outline, regex?: RegExp): Range[] {
  const { text } = outline;
  const ranges: Range[] = [];
  if (regex !== undefined) {
    const every = new RegExp(regex.source, regex.flags.includes('g') ? regex.flags : `${regex.flags}g`);
    for (const match of text.matchAll(every))
      if (match[0].length > 0) ranges.push({ start: match.index, end: match.index + match[0].length });
  }
  if (!text.includes('culprit-keep')) return ranges;
  for (const match of text.matchAll(/culprit-keep-begin[\s\S]*?(?:culprit-keep-end|$)/g))
    ranges.push({ start: match.index, end: match.index + match[0].length });
  for (let node = 1; node < outline.count; node++)
    if (isComment(outline, node) && /culprit-keep(?!-begin|-end)/.test(textOf(outline, node)))
      ranges.push(regionOf(outline, node));
  return ranges;
}

function regionOf(outline: Outline, mark: number): Range {
  const above = outline.parent[mark]!;
  if (above > 0) return { start: outline.start[above]!, end: outline.end[above]! };
  let next = outline.past[mark]!;
  while (next < outline.count && (isComment(outline, next) || !isNamed(outline, next))) next = outline.past[next]!;
  return { start: outline.start[mark]!, end: next < outline.count ? outline.end[next]! : outline.end[mark]! };
}

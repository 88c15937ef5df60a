/** Removes stretches of characters or runs of tokens. */
import { piecesOf, tokens } from '../../circumstances/text.js';
import type { Circumstance } from '../../core/index.js';
import { type Edit, editing } from '../edits.js';

/** The most characters that are removed at once. More together are rarely removable if no one of them is. */
const mostAtOnce = 3;

/**
 * For a text of a few characters: removes every two or three neighbours, or as many from both ends, the largest cut first. Pieces
 * that cannot be removed one at a time may still surround what matters: `.{-:,}` fails because of its `-:,`, and shows it only
 * after three cuts at once. Vulcan (Xu et al. 2023) tries local patterns of deletions for the same reason. The number of edits
 * grows with the length, and not with its square: they almost never find anything.
 */
export function stretches(text: string): Circumstance<string> {
  const n = text.length;
  const edits: Edit[] = [];
  for (let gain = Math.min(mostAtOnce, n - 1); gain >= 2; gain--) {
    for (let from = 0; from + gain <= n; from++) edits.push({ spans: [{ start: from, end: from + gain, text: '' }] });
    for (let front = 1; front < gain; front++)
      edits.push({
        spans: [
          { start: 0, end: front, text: '' },
          { start: n - (gain - front), end: n, text: '' },
        ],
      });
  }
  return editing('stretch', text, edits);
}

/** The longest run of words and signs that is tried, and the largest number of them that a text may have. */
const longestRun = 8;
const fewTokens = 160;
const fewLetters = 8_000;

/**
 * For a text without a known grammar: removes runs of words and signs, the longest first, if every bracket in them is also
 * closed in them. A clause (`WHEN new.a > 0`) is neither a bracket nor a line, and none of its words can be removed alone.
 */
export function runs(text: string): Circumstance<string> | undefined {
  const words = text.length > fewLetters ? [] : wordsOf(text);
  if (words.length < 2 || words.length > fewTokens) return undefined;
  const edits: Edit[] = [];
  for (let length = Math.min(longestRun, words.length - 1); length >= 2; length--)
    for (let from = 0; from + length <= words.length; from++) {
      const { start } = words[from]!;
      const { end } = words[from + length - 1]!;
      if (isClosed(text.slice(start, end))) edits.push({ spans: [{ start, end, text: '' }] });
    }
  return editing('run', text, edits);
}

/** A quoted text with fewer words has no list in it. */
const fewestQuoted = 5;
const longestQuotedRun = 4;

/**
 * Removes two to four neighbours inside a long quoted text: no grammar reads the list there, whose entries are several words
 * each, like the coordinates of an SVG path.
 */
export function quotedRuns(text: string): Circumstance<string> | undefined {
  if (text.length > fewLetters) return undefined;
  const edits: Edit[] = [];
  for (const { 0: quoted, index } of text.matchAll(/(["'`])(?:(?!\1)[^\\]|\\.)*\1/gs)) {
    const inside = quoted.slice(1, -1);
    const words = wordsOf(inside);
    if (words.length < fewestQuoted || words.length > fewTokens) continue;
    for (let length = longestQuotedRun; length >= 2; length--)
      for (let from = 0; from + length <= words.length; from++) {
        const isLast = from + length === words.length;
        // At the end, the blanks before it go with it.
        const start = isLast ? inside.slice(0, words[from]!.start).trimEnd().length : words[from]!.start;
        const { end } = words[from + length - 1]!;
        edits.push({ spans: [{ start: index + 1 + start, end: index + 1 + end, text: '' }] });
      }
  }
  return edits.length === 0 ? undefined : editing('run', text, edits);
}

/** Words and signs, each with the blanks after it. */
function wordsOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  const words: { start: number; end: number }[] = [];
  let end = 0;
  for (const piece of piecesOf(tokens, text)) {
    const start = end;
    end += piece.length;
    const last = words.at(-1);
    if (last !== undefined && piece.trim() === '') last.end = end;
    else words.push({ start, end });
  }
  return words;
}

function isClosed(run: string): boolean {
  const open: string[] = [];
  for (const sign of run) {
    const at = '([{'.indexOf(sign);
    if (at >= 0) open.push(')]}'[at]!);
    else if (')]}'.includes(sign) && open.pop() !== sign) return false;
  }
  return open.length === 0;
}

import type { Circumstance } from '../core/index.js';
import { type Edit, editing } from './edits.js';

/**
 * For a text of a few characters: every stretch of two or more of them goes, or all but one stretch goes, the largest cut
 * first. What no single piece can leave may still be a shell around what matters: `.{-:,}` fails for its `-:,`, and
 * takes three cuts at once to show it. Vulcan (Xu et al. 2023) tries local patterns of deletions for the same reason.
 */
export function stretches(text: string): Circumstance<string> {
  const n = text.length;
  const edits: { readonly edit: Edit; readonly gain: number }[] = [];
  for (let from = 0; from < n; from++)
    for (let to = from + 1; to <= n; to++) {
      const length = to - from;
      if (length >= 2 && length < n)
        edits.push({ edit: { spans: [{ start: from, end: to, text: '' }] }, gain: length });
      if (from > 0 && to < n)
        edits.push({
          edit: {
            spans: [
              { start: 0, end: from, text: '' },
              { start: to, end: n, text: '' },
            ],
          },
          gain: n - length,
        });
    }
  edits.sort((a, b) => b.gain - a.gain);
  return editing(
    'stretch',
    text,
    edits.map(each => each.edit),
  );
}

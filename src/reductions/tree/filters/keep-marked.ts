/** A filter for passes: no edit touches what the user marked to keep. */
import type { Edit } from '../../../syntax/edit.js';
import { keptRanges, type Range } from '../../../syntax/keep.js';
import type { Syntax } from '../../../syntax/syntax.js';
import type { TextPass } from '../pass.js';

export const touches = (edit: Edit, ranges: readonly Range[]): boolean =>
  edit.spans.some(span =>
    ranges.some(range => span.start < range.end && range.start < Math.max(span.end, span.start + 1)),
  );

/** The pass without the edits that touch what is marked. */
export function keepMarked(syntax: Syntax, pass: TextPass, regex?: RegExp): TextPass {
  return {
    name: pass.name,
    async edits(text, whole) {
      const edits = await pass.edits(text, whole);
      if (regex === undefined && !text.includes('culprit-keep')) return edits;
      const ranges = keptRanges(await syntax.tree(text), regex);
      return edits.filter(edit => !touches(edit, ranges));
    },
  };
}

/**
 * Old functions in the place of new ones. A rewritten text differs in almost every line, and an old line rarely fits between new ones; but an old
 * function often fits in the place of the new one, wherever that is and however its text is wrapped.
 */
import { pauseIfDue } from '../../core/pause.js';
import type { Span } from '../edit.js';
import type { FlatTree } from '../flat-tree.js';
import { type Written, withGone } from './gone-functions.js';
import { type FunctionPair, matchedFunctions, shapeOf } from './matched-functions.js';
import { newNamesIn } from './new-names.js';
import type { SimilarFunctions } from './similar-functions.js';

/** What replaces a function of the new text. */
export interface OldText extends Span {
  /** Where it begins in the old text. */
  readonly from: number;
  /** Where parts of it that are from elsewhere in the old text begin, and where each is there. */
  readonly parts?: Written['parts'];
}

/**
 * The functions of the new text that differ, and what replaces each to make it the old one: parameters and body. In the order of the new text.
 * `similar`: functions that are the same one, whatever their names are.
 */
export async function oldFunctions(
  old: FlatTree,
  now: FlatTree,
  similar: readonly SimilarFunctions[] = [],
): Promise<readonly OldText[]> {
  const matched = await matchedFunctions(old, now, similar);
  const newName = await newNamesIn(old, now, matched);
  const write = withGone(old, now);
  const found: OldText[] = [];
  for (const pair of matched.differing) {
    await pauseIfDue();
    const span = replacement(old, now, pair);
    if (span) found.push({ ...span, ...write(span.text, newName(pair), pair[0]) });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Undefined if an old function would mean something else in the new form. */
function replacement(old: FlatTree, now: FlatTree, [a, b]: FunctionPair): OldText | undefined {
  const [from, to] = [shapeOf(old, a), shapeOf(now, b)];
  if (!from || !to) return undefined;
  const { start, end } = to;
  if (from.isArrow === to.isArrow) return { from: from.start, start, end, text: old.text.slice(from.start, from.end) };
  // An arrow has the receiver and the arguments of what is around it.
  if (/\b(?:this|arguments|super)\b/.test(old.text.slice(from.start, from.end))) return undefined;
  const params = from.params.startsWith('(') ? from.params : `(${from.params})`;
  return {
    from: from.start,
    start,
    end,
    text: `${params}${to.between}${from.isBlock ? from.body : `{ return ${from.body}; }`}`,
  };
}

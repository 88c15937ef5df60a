/** Cuts and replacements that leave a text tidy. */
import { type Edit, isDeletion, type Span } from './edit.js';

const blank = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\r';
const wordy = /[\p{L}\p{N}_$@#\\]/u;

/** Two characters that would become one token, or start a comment, if they met. */
export function glue(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined || left === '' || right === '') return false;
  if (wordy.test(left) && wordy.test(right)) return true;
  return (left === right && '+-&|<>=:.'.includes(left)) || (left === '/' && (right === '/' || right === '*'));
}

/** Removes base[start, end), and the whitespace that only it needed: whole lines if it fills them. */
export function cut(text: string, start: number, end: number): Span {
  let from = start;
  while (from > 0 && blank(text[from - 1])) from--;
  let to = end;
  while (to < text.length && blank(text[to])) to++;
  const opensLine = from === 0 || text[from - 1] === '\n';
  const closesLine = to >= text.length || text[to] === '\n';
  if (opensLine && closesLine) return { start: from, end: Math.min(text.length, to + 1), text: '' };
  if (opensLine) return { start, end: to, text: '' };
  if (from === start && to > end && !closesLine)
    return { start, end: glue(text[start - 1], text[to]) ? end : to, text: '' };
  return { start: from, end, text: glue(text[from - 1], text[end]) ? ' ' : '' };
}

/**
 * Replaces base[start, end), with a space if the replacement would merge with its neighbours. If the old text touched them
 * without merging, as `b` in `a\b` or `x` in `@x`, so may its replacement.
 */
export function put(text: string, start: number, end: number, replacement: string): Span {
  if (replacement === '') return cut(text, start, end);
  const sticks = (met: boolean, meets: boolean): string => (meets && !met ? ' ' : '');
  const left = sticks(glue(text[start - 1], text[start]), glue(text[start - 1], replacement[0]));
  const right = sticks(glue(text[end - 1], text[end]), glue(replacement.at(-1), text[end]));
  return { start, end, text: left + replacement + right };
}

type Place = Pick<Span, 'start' | 'end'>;

/** Keep only `kept` of `whole`: two cuts that leave whatever happens inside to other edits. */
export function keepOnly(text: string, whole: Place, kept: Place): Span[] {
  const { start, end } = whole;
  const { start: from, end: to } = kept;
  const spans: Span[] = [];
  if (from > start) spans.push({ start, end: from, text: glue(text[start - 1], text[from]) ? ' ' : '' });
  if (end > to) spans.push({ start: to, end, text: glue(text[to - 1], text[end]) ? ' ' : '' });
  return spans;
}

/** Sorted, without overlaps, as an edit needs them. A span inside another one is dropped; overlapping deletions become one. */
export function disjoint(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Span[] = [];
  for (const span of sorted) {
    const last = kept[kept.length - 1];
    if (last === undefined || span.start >= last.end) kept.push(span);
    else if (span.end > last.end && isDeletion(span))
      kept[kept.length - 1] = { ...last, end: span.end, text: last.text || span.text };
  }
  return kept;
}

/** The text after one edit. */
export function apply(text: string, edit: Edit): string {
  const pieces: string[] = [];
  let position = 0;
  for (const span of [...edit.spans].sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(position, span.start), span.text);
    position = span.end;
  }
  pieces.push(text.slice(position));
  return pieces.join('');
}

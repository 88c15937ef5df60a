/** Replacements of parts of a text, made together. */
import { add, type Fragment } from '../core/trace.js';
import type { Span } from '../syntax/edit.js';

/** In their order and without overlaps: what overlaps is cut out together, and a number in it as well. */
export function outermost(spans: readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = found.at(-1);
    if (last === undefined || span.start >= last.end) found.push(span);
    else if (span.end > last.end) found[found.length - 1] = { ...last, end: span.end };
  }
  return found;
}

/** What becomes of a text of this length; the replacements are in their order and do not overlap. */
export function edited(length: number, spans: readonly Span[]): readonly Fragment[] {
  const found: Fragment[] = [];
  let from = 0;
  for (const { start, end, text } of spans) {
    add(found, { start: from, end: start });
    add(found, { text });
    from = end;
  }
  add(found, { start: from, end: length });
  return found;
}

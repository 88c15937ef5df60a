/** Where each part of a text comes from: what an edit kept of the text before it, and what it put in. */

/** A range of the older text, or text that was put in. Offsets are in UTF-16 units. */
export type Fragment = { readonly start: number; readonly end: number } | { readonly text: string };

/** A text as fragments of an older one, in order. */
export type Trace = readonly Fragment[];

/** Where a text comes from: it is the older text itself, it was traced, or its origin is unknown. */
export type Origin = Trace | 'same' | 'unknown';

/** What an edit did to each file that it changed; a file that is missing here was not changed. */
export type FileTraces = ReadonlyMap<string, Trace | 'unknown'>;

export const lengthOf = (fragment: Fragment): number =>
  'text' in fragment ? fragment.text.length : fragment.end - fragment.start;

/** The text itself. */
export const textOf = (trace: Trace, older: string): string =>
  trace.map(part => ('text' in part ? part.text : older.slice(part.start, part.end))).join('');

/**
 * Two edits as one: `older` leads from the first text to the second, `newer` from the second to the third.
 *
 * @example
 * ```ts
 * compose([{ start: 4, end: 8 }], [{ start: 0, end: 1 }, { text: 'x' }, { start: 2, end: 4 }]);
 * // → [{ start: 4, end: 5 }, { text: 'x' }, { start: 6, end: 8 }]
 * ```
 */
export function compose(older: Origin, newer: Origin): Origin {
  if (older === 'unknown' || newer === 'unknown') return 'unknown';
  if (older === 'same') return newer;
  if (newer === 'same') return older;
  const found: Fragment[] = [];
  let at = 0;
  let offset = 0;
  for (const part of newer) {
    if ('text' in part) {
      add(found, part);
      continue;
    }
    if (part.start < offset) [at, offset] = [0, 0];
    for (; at < older.length; offset += lengthOf(older[at++]!)) {
      const source = older[at]!;
      const from = Math.max(part.start - offset, 0);
      const to = Math.min(part.end - offset, lengthOf(source));
      if (from < to)
        add(
          found,
          'text' in source
            ? { text: source.text.slice(from, to) }
            : { start: source.start + from, end: source.start + to },
        );
      if (offset + lengthOf(source) >= part.end) break;
    }
  }
  return found;
}

/** Adds a fragment, as one with the last if it continues it. */
export function add(trace: Fragment[], part: Fragment): void {
  if (lengthOf(part) === 0) return;
  const last = trace.at(-1);
  if (last !== undefined && 'text' in part && 'text' in last) trace[trace.length - 1] = { text: last.text + part.text };
  else if (last !== undefined && !('text' in part) && !('text' in last) && last.end === part.start)
    trace[trace.length - 1] = { start: last.start, end: part.end };
  else trace.push(part);
}

/** What remains of a text without everything that a pattern matches. */
export function without(text: string, pattern: RegExp): Trace {
  const kept: Fragment[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    add(kept, { start: from, end: match.index });
    from = match.index + match[0].length;
  }
  add(kept, { start: from, end: text.length });
  return kept;
}

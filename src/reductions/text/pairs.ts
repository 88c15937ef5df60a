/** Removes a bracket or a quote together with its partner. */
import type { Circumstance } from '../../core/index.js';
import { glue, keepOnly } from '../../syntax/text-cut.js';
import { type Edit, editing, type Span } from '../edits.js';

/** A longer text has something larger to remove than two characters. */
const fewLetters = 8_000;
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Removes a bracket together with the one that closes it, and keeps what is between them. Neither can be removed alone, and
 * without a grammar no other pass removes both. `empty`: only brackets with nothing between them. Quotes are removed as well: a
 * blank may do for them.
 */
export function pairs(text: string, empty: boolean): Circumstance<string> | undefined {
  if (text.length > fewLetters) return undefined;
  const edits: Edit[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at]! in closing) open.push(at);
    else if (open.length > 0 && closing[text[open.at(-1)!]!] === text[at]) {
      const start = open.pop()!;
      if (!empty || at === start + 1)
        edits.push({ spans: without(text, start, at), label: `without ${text[start]}${text[at]}` });
    }
  }
  for (const match of text.matchAll(quoted)) {
    const end = match.index + match[0].length - 1;
    edits.push({ spans: without(text, match.index, end), label: `without ${match[1]}${match[1]}` });
  }
  return edits.length === 0 ? undefined : editing('pair', text, edits);
}

/** What a quote begins and the next one like it ends, with something between them. */
const quoted = /(["'`])(?:(?!\1)[^\n\\])+\1/g;

/** Without the two brackets; with a blank if their neighbours would otherwise merge. */
function without(text: string, start: number, end: number): readonly Span[] {
  if (end > start + 1) return keepOnly(text, { start, end: end + 1 }, { start: start + 1, end });
  return [{ start, end: end + 1, text: glue(text[start - 1], text[end + 1]) ? ' ' : '' }];
}

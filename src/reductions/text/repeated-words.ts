/** Shortens a repeated word everywhere. */
import type { Circumstance } from '../../core/index.js';
import { addTo } from '../../core/lists.js';
import { type Edit, editing, gainOf } from '../edits.js';

/** A text of more words or letters than this is too large for renaming: there is still something to remove. */
const fewWords = 400;
const fewLetters = 8_000;
const most = 100;

/**
 * For a text without a grammar, and for what a grammar treats as one name (`xsl:template`): a word that occurs several times
 * is shortened everywhere at once. Removing letters can't do that: after a change in one place, a jump no longer matches its
 * label. Words, quoted texts, and words that signs hold together (`a.b`, `lib/a`) count; a word before or after a colon may
 * also be removed, with the colon.
 */
export function repeatedWords(text: string): Circumstance<string> | undefined {
  if (text.length > fewLetters) return undefined;
  const words = text.match(word) ?? [];
  if (words.length > fewWords) return undefined;
  const used = new Set(words);
  const fresh = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter(letter => !used.has(letter));
  const edits: Edit[] = [];
  for (const [spelling, places] of repeated(text)) {
    const quote = /^["'`]/.test(spelling) ? spelling[0]! : '';
    const letter = fresh[edits.length % fresh.length];
    if (letter !== undefined) edits.push(respelled(spelling, places, quote + letter + quote));
    const prefixed = places.map(start => withColon(text, start, start + spelling.length));
    if (prefixed.every(span => span !== undefined))
      edits.push({ spans: prefixed.map(span => ({ ...span, text: '' })), label: `delete ${spelling}:` });
  }
  const worth = edits.filter(edit => gainOf(edit) > 0).sort((a, b) => gainOf(b) - gainOf(a));
  // The last one is tried first: it removes most.
  return worth.length === 0 ? undefined : editing('word', text, worth.slice(0, most).reverse());
}

/** Whether a word occurs more than once: languages have such words, random letters do not. */
export const hasRepeatedWords = (text: string): boolean => {
  const words = text.match(spellings[0]!) ?? [];
  return new Set(words).size < words.length;
};

const word = /[\p{L}\p{N}_$]+/gu;
const spellings = [
  /[\p{L}_$][\p{L}\p{N}_$]+/gu,
  /[\p{L}_$][\p{L}\p{N}_$]*(?:[.:/-]+[\p{L}\p{N}_$]+)+/gu,
  /"[^"\n]{2,}"|'[^'\n]{2,}'|`[^`\n]{2,}`/g,
];

/** What occurs in the text more than once, and where. */
function repeated(text: string): readonly (readonly [string, readonly number[]])[] {
  const found = new Map<string, number[]>();
  for (const pattern of spellings) for (const match of text.matchAll(pattern)) addTo(found, match[0], match.index);
  return [...found].filter(([, places]) => places.length > 1);
}

const respelled = (spelling: string, places: readonly number[], target: string): Edit => ({
  spans: places.map(start => ({ start, end: start + spelling.length, text: target })),
  label: `${spelling} → ${target}`,
});

function withColon(text: string, start: number, end: number): { start: number; end: number } | undefined {
  if (text[end] === ':') return { start, end: end + 1 };
  return text[start - 1] === ':' ? { start: start - 1, end } : undefined;
}

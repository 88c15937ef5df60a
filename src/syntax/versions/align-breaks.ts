/**
 * Breaks the lines of a minified text where another version of it does. Some minifiers break a line as soon as it is long enough, so one more
 * letter moves all breaks after it, and no line is the same.
 */
import { hunksBetween, runsBetween } from '../../core/diff.js';

const token = /[\w$\u0080-\uffff]+|[ \t]+|\r?\n|[\s\S]/g;
const isBreak = (text: string): boolean => text.endsWith('\n');

/** After these a line can always be broken, and before or after these a break says nothing. */
const breakable = /^[,;{]$/;
const openEnd = /[,;{([=:?&|+*<>!~^%-]$/;
const openStart = /^[,;)}\]=:?&|<>*%^.]/;

/** The old text with the line breaks of the new one; what is the same in both is broken at the same places. */
export function alignBreaks(old: string, now: string): string {
  // In a template a line break is part of the text.
  if (old.includes('`') || now.includes('`')) return old;
  const [before, after] = [partsOf(old), partsOf(now)];
  const broken = new Set<number>();
  for (const { start, end, shift } of runsBetween(hunksBetween(before.words, after.words), before.words.length))
    for (let at = start; at < end; at++)
      if (after.breaks.has(at + shift) && breakable.test(before.words[at]!)) broken.add(at);
  return before.words.map((word, i) => word + (broken.has(i) ? '\n' : keptBreak(before, i))).join('');
}

interface Parts {
  readonly words: readonly string[];
  /** The breaks, by the word before them. */
  readonly breaks: ReadonlyMap<number, string>;
}

function partsOf(text: string): Parts {
  const words: string[] = [];
  const breaks = new Map<number, string>();
  for (const each of text.match(token) ?? [])
    if (isBreak(each) && words.length > 0) breaks.set(words.length - 1, (breaks.get(words.length - 1) ?? '') + each);
    else words.push(each);
  return { words, breaks };
}

/** A break stays if it may separate two statements, or two words. */
function keptBreak({ words, breaks }: Parts, at: number): string {
  const there = breaks.get(at) ?? '';
  return openEnd.test(words[at]!) || openStart.test(words[at + 1] ?? '') ? '' : there;
}

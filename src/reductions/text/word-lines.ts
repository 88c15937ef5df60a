/** The lines of a text that are not blank, and their words. A large text has few lines whose words matter, so only these are kept. */
import { onceForLast } from '../../core/once-for.js';
import { pauseIfDue } from '../../core/pause.js';
import type { Part } from '../columns.js';

export interface Line extends Part {
  /** How many words it has. */
  readonly width: number;
}

export interface Lines {
  readonly text: string;
  readonly all: readonly Line[];
  /** By line: the next one with another number of words. */
  readonly pastAlike: Uint32Array;
}

/** A text of more lines is treated as if it had none. */
const mostLines = 1_000_000;

export const linesOf = onceForLast(readLines);

async function readLines(text: string): Promise<Lines> {
  const all: Line[] = [];
  for (let from = 0; from < text.length && all.length <= mostLines; ) {
    const newline = text.indexOf('\n', from);
    const end = newline < 0 ? text.length : newline;
    const line = lineIn(text, from, end);
    if (line) all.push(line);
    from = end + 1;
    await pauseIfDue();
  }
  if (all.length > mostLines) all.length = 0;
  const pastAlike = new Uint32Array(all.length);
  for (let at = all.length - 1; at >= 0; at--)
    pastAlike[at] = all[at]!.width === all[at + 1]?.width ? pastAlike[at + 1]! : at + 1;
  return { text, all, pastAlike };
}

/** Nothing if it is blank. */
function lineIn(text: string, from: number, to: number): Line | undefined {
  let [start, end, width] = [-1, -1, 0];
  for (let at = from; at < to; at++) {
    if (isBlank(text.charCodeAt(at))) continue;
    if (start < 0) start = at;
    if (at !== end) width++;
    end = at + 1;
  }
  return width === 0 ? undefined : { start, end, width };
}

/** `most`: only so many, from the first. */
export function wordsOf(text: string, line: Part, most = Number.POSITIVE_INFINITY): readonly Part[] {
  const words: Part[] = [];
  for (let at = line.start; at < line.end && words.length < most; at++) {
    const start = at;
    while (at < line.end && !isBlank(text.charCodeAt(at))) at++;
    if (at > start) words.push({ start, end: at });
  }
  return words;
}

const isBlank = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** −1 if a word is no number, or one that is too large to count anything. */
export const numberIn = (text: string, { start, end }: Part): number =>
  end - start <= 7 && /^[1-9]\d*$/.test(text.slice(start, end)) ? Number(text.slice(start, end)) : -1;

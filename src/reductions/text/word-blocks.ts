/** Blocks that words begin and end, in a notation without a grammar: `IF … ENDIF`, `module … endmodule`, `do … done`. */
import type { Circumstance } from '../../core/index.js';
import { disjoint } from '../../syntax/text-cut.js';
import { type Edit, editing, type Span } from '../edits.js';

/** A longer text has something larger to remove than two lines. */
const fewLetters = 8_000;

/** What a bare `end` may end. */
const openers = new Set(
  (
    'begin do then case class module def function procedure subroutine sub struct sig object record if for while loop ' +
    'repeat select switch try proc program package interface type task method property foreach unless macro'
  ).split(' '),
);
/** The words that end a block without an `end` in them, by what they end. */
const closers: Readonly<Record<string, string>> = { fi: 'if', esac: 'case', od: 'do', done: 'do', wend: 'while' };
const words = /[\p{L}_][\p{L}\p{N}_]*/gu;

interface Word {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The line that begins a block makes no sense without the one that ends it, so no pass over lines or tokens removes either. This removes
 * both lines, or both words, and keeps what is between; or the whole block.
 */
export function wordBlocks(text: string): Circumstance<string> | undefined {
  if (text.length > fewLetters) return undefined;
  const edits = blocksIn(text).flatMap(([open, close]) => {
    const [first, last] = [lineOf(text, open), lineOf(text, close)];
    const label = `${text.slice(open.start, open.end)} … ${text.slice(close.start, close.end)}`;
    const within: Edit[] = [{ spans: [gone(open), gone(close)], label: `words ${label}` }];
    if (first.end <= last.start) within.push({ spans: [gone(first), gone(last)], label: `lines ${label}` });
    return [...within, { spans: disjoint([gone({ start: first.start, end: last.end })]), label }];
  });
  return edits.length === 0 ? undefined : editing('word block', text, edits);
}

/** Each block by the words around it, inner ones first. */
function blocksIn(text: string): readonly (readonly [Word, Word])[] {
  const found: (readonly [Word, Word])[] = [];
  const open: Word[] = [];
  const all = [...text.matchAll(words)].map(({ 0: word, index }) => ({
    name: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
  for (let i = 0; i < all.length; i++) {
    const word = all[i]!;
    const close = closingAt(text, word, all[i + 1]);
    if (!close) {
      open.push(word);
      continue;
    }
    if (close.end > word.end) i++;
    const at = open.findLastIndex(({ name }) => (close.name === '' ? openers.has(name) : name === close.name));
    if (at >= 0) found.push([open[at]!, close]);
    if (at >= 0) open.length = at;
  }
  return found;
}

/** What ends a block, with the name of what it ends; an empty one if that is not said. */
function closingAt(text: string, word: Word, next: Word | undefined): Word | undefined {
  const { name, start, end } = word;
  const other = closers[name];
  if (other !== undefined) return { ...word, name: other };
  if (name === 'end') {
    // `end if`, on one line.
    const isNamed = next !== undefined && openers.has(next.name) && /^[ \t]+$/.test(text.slice(end, next.start));
    return isNamed ? { name: next.name, start, end: next.end } : { ...word, name: '' };
  }
  return name.startsWith('end') && name.length > 4 ? { ...word, name: name.slice(3).replace(/^_/, '') } : undefined;
}

const gone = ({ start, end }: Pick<Span, 'start' | 'end'>): Span => ({ start, end, text: '' });

/** The whole line that a word is in. */
function lineOf(text: string, { start, end }: Word): Pick<Span, 'start' | 'end'> {
  const next = text.indexOf('\n', end);
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: next < 0 ? text.length : next + 1 };
}

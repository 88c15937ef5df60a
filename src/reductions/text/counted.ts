/** Lists whose length is written in front of them: `3`, then three lines, or three words. */
import type { Circumstance } from '../../core/index.js';
import { type Column, columnAt, columnsOf, type ItemList, type Part } from '../columns.js';

/** A line of more words than this is no header. */
const mostHeaders = 6;
/** More of them would take longer to read than to search line by line. */
const mostItems = 200_000;

/** In a log, a number counts something by chance here and there. A format that counts is made of it: at least one part in this many. */
const leastShare = 2;

interface Line extends Part {
  readonly words: readonly Part[];
  /** By word: the number that it is; −1 if it is none, or too large to count anything here. */
  readonly numbers: readonly number[];
}

/**
 * Many formats say how many items follow: the input of a program that reads `n` and then `n` numbers, a graph with its vertices and
 * edges, a mesh, a matrix, a formula in DIMACS. A line that is missing is an error there. So an item goes together with one from the
 * number. What a number counts is seen from the text: the words after it, the words of the next line, the next lines if they are
 * alike, the columns of the next lines, or blocks that begin with such numbers.
 */
export function countedItems(text: string): Circumstance<string> | undefined {
  const lines = linesOf(text);
  const columns: Column[] = [];
  let covered = 0;
  for (let at = 0; at < lines.length && columns.length <= mostItems; ) {
    const { items, past } = countedAfter(lines, at);
    columns.push(...items);
    if (items.length > 0) covered += lines[past - 1]!.end - lines[at]!.start;
    at = past;
  }
  return columns.length > mostItems || covered * leastShare < text.length ? undefined : columnsOf(text, columns);
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    const words = [...line.matchAll(/\S+/g)].map(word => ({
      start: index + word.index,
      end: index + word.index + word[0].length,
    }));
    if (words.length === 0) continue;
    const numbers = words.map(({ start, end }) => numberOf(text.slice(start, end)));
    lines.push({ start: words[0]!.start, end: words.at(-1)!.end, words, numbers });
  }
  return lines;
}

const numberOf = (word: string): number => (/^[1-9]\d{0,6}$/.test(word) ? Number(word) : -1);

interface Counted {
  readonly items: readonly Column[];
  /** The first line after them. A number in them counts something only by chance. */
  readonly past: number;
}

/** What the numbers of a line count. */
function countedAfter(lines: readonly Line[], at: number): Counted {
  const { words, numbers } = lines[at]!;
  const all = words.length > mostHeaders ? [ownWords(lines, at)] : numbers.map((_, word) => countedBy(lines, at, word));
  const found = all.filter(each => each !== undefined);
  return { items: found.flatMap(({ items }) => items), past: Math.max(at + 1, ...found.map(({ past }) => past)) };
}

/** What one of them counts: the first way to read it that fits. */
function countedBy(lines: readonly Line[], at: number, word: number): Counted | undefined {
  const { words, numbers } = lines[at]!;
  const count = numbers[word]!;
  if (count < 1) return undefined;
  const counter = words[word]!;
  const own = word === 0 ? ownWords(lines, at) : undefined;
  if (own) return own;
  // `3 4`, then three lines of four words.
  const rows = lines.slice(at + 1, at + 1 + Math.max(0, numbers[word - 1] ?? 0));
  const cells = cellsOf(rows, count);
  if (cells) return { items: columnsIn(cells, counter), past: at + 1 + rows.length };
  const square = lines.slice(at + 1, at + 1 + count);
  const entries = square.length === count ? cellsOf(square, count) : undefined;
  if (entries) return { items: crossesIn(square, entries, counter), past: at + 1 + count };
  const next = lines[at + 1];
  if (next?.words.length === count && count > 1) return { items: itemsOf(next.words, counter), past: at + 2 };
  const isExact = at + 1 + count === lines.length;
  const blocks = words.length === 1 && count > 1 && !isExact ? blocksAfter(lines, at, count) : [];
  if (blocks.length > 0) return { items: blocks, past: lines.length };
  const after = lines.slice(at + 1, at + 1 + count);
  return areAlike(lines, at + 1, count) ? { items: itemsOf(after, counter), past: at + 1 + after.length } : undefined;
}

/** `3 a b c` */
function ownWords(lines: readonly Line[], at: number): Counted | undefined {
  const { words, numbers } = lines[at]!;
  const [counter, ...rest] = words;
  return rest.length > 0 && rest.length === numbers[0] ? { items: itemsOf(rest, counter!), past: at + 1 } : undefined;
}

const itemsOf = (items: readonly Part[], counter: Part): readonly Column[] =>
  items.map((_, item) => ({ ...columnAt([items], item), counter, label: `item ${item + 1} of ${items.length}` }));

const columnsIn = (rows: readonly ItemList[], counter: Part): readonly Column[] =>
  rows[0]!.map((_, item) => ({ ...columnAt(rows, item), counter }));

/** The third row and the third column of a square: what a graph says of one vertex. */
const crossesIn = (lines: readonly Part[], rows: readonly ItemList[], counter: Part): readonly Column[] =>
  lines.map((_, item) => ({ ...columnAt([lines, ...rows], item), counter, label: `row and column ${item + 1}` }));

/** The words of each row, or its letters if it is one word (a map of `#` and `.`); undefined if they are not as many. */
function cellsOf(rows: readonly Line[], count: number): readonly ItemList[] | undefined {
  if (rows.length < 2 || count < 2) return undefined;
  if (rows.every(({ words }) => words.length === count)) return rows.map(({ words }) => words);
  if (!rows.every(({ words, start, end }) => words.length === 1 && end - start === count)) return undefined;
  return rows.map(({ start }) => Array.from({ length: count }, (_, i) => ({ start: start + i, end: start + i + 1 })));
}

/**
 * Whether these lines are all that follow, or as alike as the line after them is not. Too few lines are left if a program fails
 * before it reads the others: then they must be alike, and not like the line with the number.
 */
function areAlike(lines: readonly Line[], from: number, count: number): boolean {
  if (from + count === lines.length) return true;
  const after = lines.slice(from, from + count);
  const width = after[0]?.words.length;
  const next = after.length === count ? lines[from + count] : lines[from - 1];
  return after.length > 1 && after.every(({ words }) => words.length === width) && next!.words.length !== width;
}

/**
 * Test cases: each is a line with numbers, and the line or the lines that one of these counts. Together they are the rest of the text, but for
 * the last one, which may be incomplete.
 */
function blocksAfter(lines: readonly Line[], at: number, count: number): readonly Column[] {
  const counter = lines[at]!.words[0]!;
  for (const kind of ['words', 'lines'] as const)
    for (let word = 0; word < 2; word++) {
      const blocks: Part[] = [];
      const inside: Column[] = [];
      let from = at + 1;
      while (from < lines.length && blocks.length <= count) {
        const head = lines[from]!;
        const size = head.numbers[word] ?? -1;
        const length = kind === 'words' ? 2 : 1 + size;
        const rest = lines.slice(from + 1, from + length);
        if (size < 1 || (kind === 'words' && rest.length > 0 && rest[0]!.words.length !== size)) break;
        from += length;
        if (rest.length < length - 1) break;
        blocks.push({ start: head.start, end: rest.at(-1)!.end });
        inside.push(...itemsOf(kind === 'lines' ? rest : rest[0]!.words, head.words[word]!));
      }
      if (from >= lines.length && blocks.length > 1 && blocks.length <= count)
        return [...inside, ...itemsOf(blocks, counter)];
    }
  return [];
}

/** Lists whose length is written in front of them: `3`, then three lines, or three words. */
import type { Circumstance } from '../../core/index.js';
import { onceForLast } from '../../core/once-for.js';
import { pauseIfDue } from '../../core/pause.js';
import { type Column, columnAt, columnsOf, type ItemList, type Part } from '../columns.js';
import { type Lines, linesOf, numberIn, wordsOf } from './word-lines.js';

/** A line of more words than this is no header. */
const mostHeaders = 6;
/** More of them would take longer to read than to search line by line. */
const mostItems = 200_000;
const mostCells = 1_000_000;
/** In a log, a number counts something by chance here and there. A format that counts is made of it: at least one part in this many. */
const leastShare = 2;
/** At each line with one number, test cases may begin. In all, no more lines are read for them than this many times all lines. */
const readings = 8;

/**
 * Many formats say how many items follow: the input of a program that reads `n` and then `n` numbers, a graph with its vertices and
 * edges, a mesh, a matrix, a formula in DIMACS. A line that is missing is an error there. So an item goes together with one from the
 * number. What a number counts is seen from the text: the words after it, the words of the next line, the next lines if they are
 * alike, the columns of the next lines, or blocks that begin with such numbers. Of two numbers, the second may count what comes after the first
 * list.
 */
export async function countedItems(text: string): Promise<Circumstance<string> | undefined> {
  const columns = await countedColumns(text);
  return columns.length === 0 ? undefined : columnsOf(text, columns);
}

/** None if the text only has such numbers here and there. */
export const countedColumns = onceForLast(readColumns);

async function readColumns(text: string): Promise<readonly Column[]> {
  const lines = await linesOf(text);
  const budget = { left: lines.all.length * readings };
  const columns: Column[] = [];
  let covered = 0;
  for (let at = 0; at < lines.all.length && columns.length <= mostItems; ) {
    const { items, past } = countedAfter(lines, at, budget);
    if (items.length > 0) covered += lines.all[past - 1]!.end - lines.all[at]!.start;
    // One by one: too many are no arguments of one call.
    for (const item of items) columns.push(item);
    at = past;
    await pauseIfDue();
  }
  const isFormat = columns.length > 0 && covered * leastShare >= text.length;
  return isFormat && columns.length <= mostItems ? columns : [];
}

interface Counted {
  readonly items: readonly Column[];
  /** The first line after them. A number in them counts something only by chance. */
  readonly past: number;
}

/** How many more lines may be read to find test cases. */
interface Budget {
  left: number;
}

/** A number that may count something. */
interface Counter {
  /** Its line, and which word of it. */
  readonly at: number;
  readonly word: number;
  readonly part: Part;
  readonly count: number;
  /** The numbers beside it: one of them may be that of rows if this is that of columns. */
  readonly beside: readonly number[];
}

/** What the numbers of a line count: each of them in the lines after what the one before it counts, or in the same. */
function countedAfter(lines: Lines, at: number, budget: Budget): Counted {
  const head = lines.all[at]!;
  const isShort = head.width <= mostHeaders;
  const words = wordsOf(lines.text, head, isShort ? mostHeaders : 1);
  const numbers = words.map(word => numberIn(lines.text, word));
  // A number in the middle of a sentence counts nothing in other lines.
  const isHeader = isShort && (numbers.at(-1)! >= 0 || numbers.filter(number => number >= 0).length * 2 >= head.width);
  const items: Column[] = [];
  let past = at + 1;
  for (const [word, part] of words.entries()) {
    const count = numbers[word]!;
    if (count < 1) continue;
    const beside = [numbers[word - 1], numbers[word + 1]].filter(number => number !== undefined && number > 0);
    const counter = { at, word, part, count, beside: beside as readonly number[] };
    const own = isHeader || word === 0 ? ownWords(lines, counter) : undefined;
    // A 1 before the last word may count that, or a line: `4 1 0` of a mesh with one face.
    const isSure = own && (word === 0 || count > 1);
    const found = isSure ? own : ((isHeader ? countedBy(lines, counter, past, budget) : undefined) ?? own);
    if (!found) continue;
    for (const item of found.items) items.push(item);
    past = Math.max(past, found.past);
  }
  return { items, past };
}

/** `3 a b c` */
function ownWords({ text, all }: Lines, { at, word, part, count }: Counter): Counted | undefined {
  const line = all[at]!;
  if (line.width - word - 1 !== count || count > mostItems) return undefined;
  return { items: itemsOf(wordsOf(text, line).slice(word + 1), part), past: at + 1 };
}

/** What it counts in the lines after it: the first way to read it that fits. `past`: the line after what the number before it counts. */
function countedBy(lines: Lines, counter: Counter, past: number, budget: Budget): Counted | undefined {
  const { at, part, count } = counter;
  const { all } = lines;
  const columns =
    columnsOfRows(lines, counter, at + 1) ?? columnsOfRows(lines, counter, at + 2) ?? square(lines, counter);
  if (columns) return columns;
  for (const from of new Set([past, at + 1])) {
    const found = listFrom(lines, counter, from, budget);
    if (found) return found;
  }
  // With a line of its own between them, such as the largest value of an image.
  return count > 1 && at + 2 + count === all.length && count <= mostItems
    ? { items: itemsOf(all.slice(at + 2), part), past: all.length }
    : undefined;
}

/** `3 4`, then three lines of four words, or of one word with four letters. If another line is between them, the rows are the rest. */
function columnsOfRows(lines: Lines, { at, part, count, beside }: Counter, from: number): Counted | undefined {
  const { text, all, pastAlike } = lines;
  const first = all[from];
  if (first === undefined || count < 2) return undefined;
  for (const rows of beside) {
    const past = Math.min(from + rows, all.length);
    const isWhole = from === at + 1 || (past === all.length && past - from === rows);
    if (!isWhole || pastAlike[from]! < past || (past - from) * count > mostCells) continue;
    const some = all.slice(from, past);
    if (first.width === count && some.length > 1)
      return {
        items: columnsIn(
          some.map(row => wordsOf(text, row)),
          part,
        ),
        past,
      };
    if (first.width === 1 && some.every(row => row.end - row.start === count))
      return { items: columnsIn(some.map(lettersOf), part), past };
  }
  return undefined;
}

/** `3`, then three lines of three words: a row goes with its column, as what a graph says of one vertex. */
function square({ text, all, pastAlike }: Lines, { at, part, count }: Counter): Counted | undefined {
  const [from, past] = [at + 1, at + 1 + count];
  const isSquare = count > 1 && all[from]?.width === count && past <= all.length && pastAlike[from]! >= past;
  if (!isSquare || count * count > mostCells) return undefined;
  const rows = all.slice(from, past);
  const lists = [rows, ...rows.map(row => wordsOf(text, row))];
  const items = rows.map((_, item) => ({
    ...columnAt(lists, item),
    counter: part,
    label: `row and column ${item + 1}`,
  }));
  return { items, past };
}

function listFrom(lines: Lines, { at, part, count }: Counter, from: number, budget: Budget): Counted | undefined {
  const { text, all } = lines;
  const next = all[from];
  if (next === undefined) return undefined;
  const isExact = from + count === all.length;
  // After another list, as many lines of as many words are lines: pairs that say what to do with that list.
  const isRest = isExact && from > at + 1;
  if (next.width === count && count > 1 && count <= mostItems && !isRest)
    return { items: itemsOf(wordsOf(text, next), part), past: from + 1 };
  const mayBeCases = from === at + 1 && all[at]!.width === 1 && count > 1 && !isExact;
  const blocks = mayBeCases ? blocksAfter(lines, at, count, budget) : [];
  if (blocks.length > 0) return { items: blocks, past: all.length };
  const end = Math.min(from + count, all.length);
  return areAlike(lines, from, count) && end - from <= mostItems
    ? { items: itemsOf(all.slice(from, end), part), past: end }
    : undefined;
}

const lettersOf = ({ start, end }: Part): readonly Part[] =>
  Array.from({ length: end - start }, (_, i) => ({ start: start + i, end: start + i + 1 }));

function itemsOf(items: readonly Part[], counter: Part): readonly Column[] {
  const lists = [items];
  return items.map((_, item) => ({ ...columnAt(lists, item), counter, label: `item ${item + 1} of ${items.length}` }));
}

const columnsIn = (rows: readonly ItemList[], counter: Part): readonly Column[] =>
  rows[0]!.map((_, item) => ({ ...columnAt(rows, item), counter }));

/**
 * Whether these lines are all that follow, or as alike as the line after them is not. Too few lines are left if a program fails
 * before it reads the others: then they must be alike, and not like the line with the number.
 */
function areAlike({ all, pastAlike }: Lines, from: number, count: number): boolean {
  const past = from + count;
  if (past === all.length) return true;
  if (past < all.length) return count > 1 && pastAlike[from] === past;
  return all.length - from > 1 && pastAlike[from] === all.length && all[from - 1]!.width !== all[from]!.width;
}

/**
 * Test cases: each is a line with numbers, and the line or the lines that one of these counts. Together they are the rest of the text, but for
 * the last one, which may be incomplete.
 */
function blocksAfter({ text, all }: Lines, at: number, count: number, budget: Budget): readonly Column[] {
  const counter = wordsOf(text, all[at]!, 1)[0]!;
  for (const kind of ['words', 'lines'] as const)
    for (let word = 0; word < 2; word++) {
      const blocks: Part[] = [];
      const inside: (readonly Column[])[] = [];
      let from = at + 1;
      while (from < all.length && blocks.length <= count) {
        if (budget.left-- <= 0) return [];
        const head = all[from]!;
        const numbered = wordsOf(text, head, word + 1)[word];
        const size = numbered === undefined ? -1 : numberIn(text, numbered);
        const next = all[from + 1];
        if (size < 1 || (kind === 'words' && next !== undefined && next.width !== size)) break;
        const past = from + (kind === 'words' ? 2 : 1 + size);
        const rest = past > all.length ? undefined : all.slice(from + 1, past);
        from = past;
        if (!rest) break;
        blocks.push({ start: head.start, end: rest.at(-1)!.end });
        budget.left -= rest.length;
        inside.push(itemsOf(kind === 'lines' ? rest : wordsOf(text, rest[0]!), numbered!));
      }
      if (from >= all.length && blocks.length > 1 && blocks.length <= count)
        return [...inside.flat(), ...itemsOf(blocks, counter)];
    }
  return [];
}

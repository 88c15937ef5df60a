/** Lines that other lines name by their number: the vertices of a mesh or a graph, the variables of a formula. */
import type { Circumstance } from '../../core/index.js';
import { addTo } from '../../core/lists.js';
import { pauseIfDue } from '../../core/pause.js';
import type { ItemList, Part } from '../cut-items.js';
import { type Item, type NumberedItems, numberedItems, type Reference } from '../numbered.js';
import { countedColumns } from './counted.js';
import { type Line, type Lines, linesOf, numberIn, wordsOf } from './word-lines.js';

/** Fewer items are removed soon without this. */
const fewest = 4;
/** More of them would take longer to number than to search line by line. */
const mostNumbers = 1_000_000;

/**
 * The lists are those whose length is written, or lines that begin with the same word. `first`: the number of the first item; a text may
 * fit both.
 *
 * @example
 * ```ts
 * (await numberedLines('2 1\na\nb\n1 1\n', 0))?.build(of([1])); // → '1 1\nb\n1 0\n'
 * ```
 */
export async function numberedLines(text: string, first: 0 | 1): Promise<Circumstance<string> | undefined> {
  const lines = await linesOf(text);
  const counterOf = await countedLists(text);
  const counted = await countedTargets(lines, counterOf, first);
  const named = counted.length > 0 ? counted : byFirstWord(lines, first);
  const isLarge = named.some(({ references }) => references.length > mostNumbers);
  return named.length === 0 || isLarge ? undefined : numberedItems(text, named, { counterOf });
}

async function countedLists(text: string): Promise<ReadonlyMap<ItemList, Part>> {
  const found = new Map<ItemList, Part>();
  for (const { lists, counter } of await countedColumns(text))
    if (lists.length === 1 && counter && isLine(text, lists[0]![0]!)) found.set(lists[0]!, counter);
  return found;
}

const isLine = (text: string, { start, end }: Part): boolean =>
  /(^|\n)[^\S\n]*$/.test(text.slice(Math.max(0, start - 80), start)) &&
  /^[^\S\n]*(\n|$)/.test(text.slice(end, end + 80));

/** A list names items of one that is not far away: there may be thousands of test cases, each with lists of its own. */
const nearLists = 8;

/** A number in a line. */
interface FoundNumber {
  readonly part: Part;
  readonly value: number;
  readonly holder: Item;
}

async function countedTargets(
  lines: Lines,
  counterOf: ReadonlyMap<ItemList, Part>,
  first: 0 | 1,
): Promise<readonly NumberedItems[]> {
  const found = new Map<Part, NumberedItems>();
  const lists = [...counterOf];
  for (const [at, [holders]] of lists.entries()) {
    const numbers = await numbersIn(lines.text, holders);
    const around = lists.slice(Math.max(0, at - nearLists), at + nearLists + 1);
    for (const [target, counter] of around) {
      if (target === holders || target.length < fewest || found.has(counter)) continue;
      const items = target.map((_, item) => ({ list: target, item }));
      const named = namedBy(numbers, { count: target.length, items, first });
      if (named) found.set(counter, named);
    }
    if (around.some(([, counter]) => found.get(counter)?.references[0]?.holder?.list === holders)) continue;
    for (const counter of numbersBeside(lines, counterOf.get(holders)!)) {
      const count = numberIn(lines.text, counter);
      const named = count < fewest ? undefined : namedBy(numbers, { count, items: [], first, counter });
      if (named) found.set(counter, named);
    }
  }
  return [...found.values()];
}

/** Those of these columns of numbers of which each may be the number of an item. */
function namedBy(
  columns: readonly (readonly FoundNumber[])[],
  named: Omit<NumberedItems, 'references'>,
): NumberedItems | undefined {
  const { count, first } = named;
  const fitting = columns.filter(
    numbers => numbers.length > 0 && numbers.every(({ value }) => value >= first && value < count + first),
  );
  const references = fitting
    .flat()
    .map(({ part, value, holder }): Reference => ({ part, target: value - first, holder }));
  return references.length === 0 ? undefined : { ...named, references };
}

/** By their place in the line. A line may begin with the number of its words, and each may end with 0. */
async function numbersIn(text: string, list: ItemList): Promise<readonly (readonly FoundNumber[])[]> {
  const rows: (readonly Part[])[] = [];
  for (const line of list) {
    rows.push(wordsOf(text, line));
    await pauseIfDue();
  }
  const isCounted = rows.every(words => words.length > 1 && numberIn(text, words[0]!) === words.length - 1);
  const isEnded = rows.every(words => words.length > 1 && text.slice(words.at(-1)!.start, words.at(-1)!.end) === '0');
  const columns = new Map<number, FoundNumber[]>();
  const broken = new Set<number>();
  for (const [item, words] of rows.entries()) {
    await pauseIfDue();
    for (const [at, word] of (isEnded ? words.slice(0, -1) : words).entries()) {
      const start = isEnded && text[word.start] === '-' ? word.start + 1 : word.start;
      const part = { start, end: word.end };
      const value = text.slice(start, word.end) === '0' ? 0 : numberIn(text, part);
      const place = isCounted ? Math.min(at, 1) : isEnded ? 0 : at;
      if (value < 0) broken.add(place);
      else if (!isCounted || at > 0) addTo(columns, place, { part, value, holder: { list, item } });
    }
  }
  return [...columns].filter(([place]) => !broken.has(place)).map(([, numbers]) => numbers);
}

/** The numbers in the line of a counter. */
function numbersBeside({ text, all }: Lines, counter: Part): readonly Part[] {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle]!.end < counter.end) low = middle + 1;
    else high = middle;
  }
  const line = all[low];
  return line ? wordsOf(text, line).filter(word => word.start !== counter.start) : [];
}

/** `v 0.1 0.2 0.3` and `f 1/1 2/1 3/4`: the first of the numbers between slashes names a line of the first word with values, and so on. */
function byFirstWord({ text, all }: Lines, first: 0 | 1): readonly NumberedItems[] {
  const linesOfWord = new Map<string, Line[]>();
  for (const line of all) {
    const [word, value] = wordsOf(text, line, 2);
    if (value) addTo(linesOfWord, text.slice(word!.start, word!.end), line);
  }
  const groups = [...linesOfWord].filter(([word, lines]) => hasNumbers(text, word, lines)).map(([, lines]) => lines);
  // Values may be whole numbers, too, but what names them comes last, or has slashes.
  const isHolder = (lines: readonly Line[]): boolean =>
    lines === groups.at(-1) || lines.every(({ start, end }) => text.slice(start, end).includes('/'));
  const targets = groups.filter(lines => !isHolder(lines));
  const columns: FoundNumber[][] = [];
  for (const line of groups.filter(isHolder).flat()) {
    const holder = { list: [line], item: 0 };
    for (const word of wordsOf(text, line).slice(1))
      for (const [at, digits] of [...text.slice(word.start, word.end).matchAll(/\d+/g)].entries()) {
        const start = word.start + digits.index;
        columns[at] ??= [];
        columns[at].push({ part: { start, end: start + digits[0].length }, value: Number(digits[0]), holder });
      }
  }
  return columns.flatMap((found, at) => {
    const lines = targets[at];
    const items = lines && lines.length >= fewest ? lines.map(line => ({ list: [line], item: 0 })) : undefined;
    return (items && namedBy([found], { count: items.length, items, first })) ?? [];
  });
}

const hasNumbers = (text: string, word: string, lines: readonly Line[]): boolean =>
  /^[a-z]+$/i.test(word) && lines.every(({ start, end }) => numbers.test(text.slice(start + word.length, end)));
const numbers = /^(\s+(\d+(\/\d*)+|[-+]?\d*\.?\d+(e[-+]?\d+)?))+$/i;

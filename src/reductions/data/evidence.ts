/** How likely it is that records are there, and not by chance. In bits: with each bit, chance is half as likely. */
import { greatestOf, leastOf } from '../../core/lists.js';
import { counterOf, type Layout, type Records, type Region } from './layouts.js';
import { numberForms } from './numbers.js';

/** How sure it is, in bits, that the records are there: what would hardly happen by chance. */
export function evidenceFor(data: Uint8Array, records: Records, rarity: Rarity): number {
  const { layout, start, end, starts } = records;
  if (records.isOpen) return evidenceOfLengths(data, records) + rarity.ofMarks(records) - openCost;
  // To end where the region ends is one case in as many as an average record has bytes.
  const landing = Math.log2((end - start) / starts.length);
  return (
    landing + evidenceOfLengths(data, records) + (areAllAlike(records) ? 0 : evidenceOfHeads(data, layout, starts))
  );
}

/** A list that ends anywhere is more often there by chance. */
const openCost = 12;

/** Data that repeats itself looks like records. */
const areAllAlike = ({ starts, ends }: Records): boolean =>
  starts.every((start, i) => ends[i]! - start === ends[0]! - starts[0]!);

/** What it takes to say which of all layouts it is, in bits. */
export function costOf(data: Uint8Array, records: Records, region: Region): number {
  const { before, form, more, step, counts } = records.layout;
  const skipped = records.start - region.start;
  const unusual = numberForms.indexOf(form) / 2 + (more === 0 ? 0 : 2) + step / 2 + (counts === 'rest' ? 0 : 1);
  const cost = unusual + 2 * emptyIn(records);
  // Of a single record, the length may as well be in front of it or in it.
  if (records.starts.length === 1) return cost + 1.5 * Math.log2(skipped + before + 1);
  const counter = counterOf(data, region.start, records);
  return counter?.start === region.start
    ? cost - Math.log2(records.starts.length)
    : cost + 1.5 * Math.log2(skipped + 1) + Math.log2(before + 1);
}

/** Any number is not too large for the rest of the data only by chance, the more so the more bytes it may take. */
function evidenceOfLengths(data: Uint8Array, records: Records): number {
  const { start, end, starts, layout } = records;
  const sizes = new Set<number>();
  const bits = Math.log2(end - start + 1);
  let evidence = 0;
  for (const [i, from] of starts.entries()) {
    const { width } = layout.form.read(data, from + layout.before)!;
    const size = restOf(records, i);
    // Data is full of zeros, and of numbers that are everywhere the same.
    if (size > Math.max(1, width) && sizes.size < mostSizes && !sizes.has(size))
      evidence += Math.max(0, 8 * width - bits) * certainty;
    sizes.add(size);
  }
  return Math.min(mostOfLengths, evidence);
}

/** What a record has from its length on. */
const restOf = ({ starts, ends, layout: { before, more } }: Records, i: number): number =>
  ends[i]! - starts[i]! - before - more;

/** A row of zeros looks like empty records. */
const emptyIn = (records: Records): number =>
  records.starts.filter((_, i) => restOf(records, i) <= Math.max(1, records.layout.form.width)).length;

const mostSizes = 16;
const certainty = 0.3;
const mostOfLengths = 24;

/** What is in front of the lengths is mostly one of a few numbers, or a name of four letters. */
function evidenceOfHeads(data: Uint8Array, { before }: Layout, starts: readonly number[]): number {
  let evidence = 0;
  for (let i = 0; i < Math.min(before, 4); i++) {
    const seen = new Set<number>();
    for (const start of starts) seen.add(data[start + i]!);
    const range = greatestOf(seen) - leastOf(seen) + 1;
    evidence += Math.min(8, Math.log2(starts.length / seen.size));
    if (seen.size > 2) evidence += Math.min(8, Math.log2(256 / range) * 0.3 * seen.size);
  }
  const names = before < 4 ? 0 : starts.filter(start => isNameAt(data, start)).length;
  return evidence + (names === starts.length ? Math.min(24, 8 + names * 2) : 0);
}

function isNameAt(data: Uint8Array, at: number): boolean {
  for (let i = at; i < at + 4; i++) if (!isLetter(data[i]!)) return false;
  return true;
}

/** Or a digit, or a blank. */
function isLetter(byte: number): boolean {
  const small = byte | 0x20;
  return byte === 0x20 || (byte >= 0x30 && byte <= 0x39) || (small >= 0x61 && small <= 0x7a);
}

/** What all records of a list have in the same place: the same byte, or four letters. */
export interface Rarity {
  /** How many records, from the first on, have the mark of the first ones. */
  marked(records: Records): number;
  /** What the marks are worth. */
  ofMarks(records: Records): number;
}

/** A mark is worth more the rarer it is in the data. */
export function rarityIn(data: Uint8Array, region: Region): Rarity {
  let known: ByteCounts | undefined;
  const bitsOf = (count: number) => Math.log2((region.end - region.start + 1) / (count + 1));
  const best = ({ layout, starts }: Records) => {
    // Most lists reach the end, and need no marks.
    const { counts, letters } = (known ??= countBytes(data, region));
    let found = { count: 0, bits: 0 };
    for (const [at, isName] of marksOf(layout)) {
      const byte = data[starts[0]! + at]!;
      const isAlike = (start: number) => (isName ? isNameAt(data, start + at) : data[start + at] === byte);
      const stop = starts.findIndex(start => !isAlike(start));
      const count = stop < 0 ? starts.length : stop;
      const bits = (count - 1) * (isName ? 4 * bitsOf(letters) : bitsOf(counts[byte]!));
      if (bits > found.bits) found = { count, bits };
    }
    return found;
  };
  return {
    marked: records => best(records).count,
    ofMarks: records => Math.min(mostOfMarks, best(records).bits),
  };
}

/** How often each byte is in a part of data, and how many of them are letters. */
interface ByteCounts {
  readonly counts: Uint32Array;
  readonly letters: number;
}

function countBytes(data: Uint8Array, { start, end }: Region): ByteCounts {
  const counts = new Uint32Array(256);
  for (let at = start; at < end; at++) counts[data[at]!]!++;
  return { counts, letters: counts.reduce((sum, count, byte) => sum + (isLetter(byte) ? count : 0), 0) };
}

const mostOfMarks = 40;

/** Where a mark may be, and whether it is a name. */
function marksOf({ before, form }: Layout): readonly (readonly [at: number, isName: boolean])[] {
  const bytes = Array.from({ length: Math.min(before, 4) }, (_, at) => [at, false] as const);
  const names = [...(before >= 4 ? [0] : []), ...(form.width > 0 ? [before + form.width] : [])];
  return [...bytes, ...names.map(at => [at, true] as const)];
}

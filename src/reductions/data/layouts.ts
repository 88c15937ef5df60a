/** How records follow each other in data: where each of them says how long it is. */
import { pauseIfDue } from '../../core/pause.js';
import { type NumberForm, numberForms } from './numbers.js';

/** What all records of a list have in common. */
export interface Layout {
  /** How many bytes of a record are in front of its length. */
  readonly before: number;
  readonly form: NumberForm;
  /** What the length counts: what comes after it, or also itself, or the whole record. */
  readonly counts: 'rest' | 'itself' | 'record';
  /** So many bytes more belong to the record, such as a checksum. */
  readonly more: number;
  /** The next one begins at a multiple of this, from where the list begins. */
  readonly step: number;
}

/** data[start, end) */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** A number in data. */
export interface Field extends Region {
  readonly form: NumberForm;
  readonly value: number;
}

/** One after the other, from `start`. `ends`: where each of them ends, without what fills up the step. */
export interface Records extends Region {
  readonly layout: Layout;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** In front of the first record there are at most so many bytes. */
const longestHeader = 64;
const longestBefore = 12;
const extras = [0, 4, 8, 1, 2, 12];
const steps = [2, 4];
/** More records are not read to find out which of all layouts fits a region: data that repeats itself fits many. */
const readings = 2_000_000;
/** With less evidence, the records are as likely as not to be there by chance. */
const enough = 5;
const sure = 20;
/** The same kind of list was found elsewhere. */
const someEvidence = 2;
/** Among the first records, so many may be empty: zeros look like a row of empty records. */
const mostEmpty = 4;

/** The list of records that a region consists of, from somewhere near its start to its end. */
export async function recordsIn(data: Uint8Array, region: Region): Promise<Records | undefined> {
  let best: Records | undefined;
  let around: Records | undefined;
  const most = [enough, enough];
  const budget = { left: readings };
  const latest = Math.min(region.start + longestHeader, region.end - 2);
  for (let start = region.start; start <= latest && budget.left > 0; start++) {
    for (const { before, form, layouts } of families) {
      const first = form.read(data, start + before);
      // Zeros in front of a list look like an empty record.
      if (!first || first.value === 0 || first.value > region.end - start) continue;
      for (const layout of layouts) {
        const records = follow(data, layout, { start, end: region.end }, budget);
        if (!records) continue;
        budget.left -= 4 * records.starts.length;
        const evidence = evidenceFor(data, records) - costOf(data, records, region);
        const isOne = records.starts.length === 1;
        // In a list that is there for sure, a later record is no beginning of another one.
        const isInside = most[0]! >= sure && start >= best!.ends[0]!;
        if (evidence > most[0]! && !isInside) [best, most[0]] = [records, evidence];
        if (isOne && evidence > most[1]!) [around, most[1]] = [records, evidence];
      }
    }
    await pauseIfDue();
  }
  // A record around all of the others is as much a record as they are; they are found in it later.
  return around && best && around.start < best.start ? around : best;
}

/** A kind of list that was found before: its layout, and what is in front of its first record. */
export interface Known {
  readonly layout: Layout;
  readonly skipped: number;
}

/** The list of records that a region consists of, if it is one of these kinds. */
export function recordsLike(data: Uint8Array, kinds: readonly Known[], region: Region): Records | undefined {
  let best: Records | undefined;
  let most = someEvidence;
  for (const { layout, skipped } of kinds) {
    const records = follow(data, layout, { start: region.start + skipped, end: region.end }, { left: readings });
    const evidence = records ? evidenceFor(data, records) : 0;
    if (evidence > most) [best, most] = [records, evidence];
  }
  return best;
}

/** All layouts with a length of one form in one place: what is read there tells whether any of them is possible. */
interface Family {
  readonly before: number;
  readonly form: NumberForm;
  readonly layouts: readonly Layout[];
}

const families: readonly Family[] = numberForms.flatMap(form =>
  Array.from({ length: longestBefore + 1 }, (_, before) => ({ before, form, layouts: layoutsWith(before, form) })),
);

function layoutsWith(before: number, form: NumberForm): readonly Layout[] {
  const rest = { before, form, counts: 'rest' as const };
  const whole = (['itself', 'record'] as const)
    .filter(counts => form.width > 1 && (counts === 'record' || before > 0))
    .map(counts => ({ before, form, counts }));
  return [
    ...extras.map(more => ({ ...rest, more, step: 1 })),
    ...[rest, ...whole].flatMap(layout => steps.map(step => ({ ...layout, more: 0, step }))),
    ...whole.map(layout => ({ ...layout, more: 0, step: 1 })),
  ];
}

/** How many more records may be read. */
interface Budget {
  left: number;
}

/** Undefined if they do not end where the region ends. */
function follow(data: Uint8Array, layout: Layout, { start, end }: Region, budget: Budget): Records | undefined {
  const starts: number[] = [];
  const ends: number[] = [];
  let empty = 0;
  let filled = layout.step === 1;
  for (let at = start; at < end; ) {
    const past = endOf(data, layout, at);
    if (past === undefined || past > end || budget.left-- <= 0) return undefined;
    if (past - at <= layout.before + layout.form.width + layout.more + 1) empty++;
    if (empty > mostEmpty && 2 * empty > starts.length) return undefined;
    starts.push(at);
    ends.push(past);
    for (at = past; at < end && (at - start) % layout.step !== 0; at++) {
      if (data[at] !== 0) return undefined;
      filled = true;
    }
  }
  return starts.length > 0 && filled ? { layout, start, end, starts, ends } : undefined;
}

/** Where the record ends that begins here. */
function endOf(data: Uint8Array, { before, form, counts, more }: Layout, at: number): number | undefined {
  const read = form.read(data, at + before);
  if (!read) return undefined;
  const head = before + read.width;
  switch (counts) {
    case 'rest':
      return at + head + read.value + more;
    case 'itself':
      return read.value < read.width ? undefined : at + before + read.value;
    case 'record':
      return read.value < head ? undefined : at + read.value;
  }
}

export const fillAfter = (size: number, step: number): number => (step - (size % step)) % step;

/** How sure it is, in bits, that the records are there: what would hardly happen by chance. */
function evidenceFor(data: Uint8Array, records: Records): number {
  const { layout, start, end, starts } = records;
  // To end where the region ends is one case in as many as an average record has bytes.
  const landing = Math.log2((end - start) / starts.length);
  return (
    landing + evidenceOfLengths(data, records) + (areAllAlike(records) ? 0 : evidenceOfHeads(data, layout, starts))
  );
}

/** Data that repeats itself looks like records. */
const areAllAlike = ({ starts, ends }: Records): boolean =>
  starts.every((start, i) => ends[i]! - start === ends[0]! - starts[0]!);

/** What it takes to say which of all layouts it is, in bits. */
function costOf(data: Uint8Array, records: Records, region: Region): number {
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
    const range = Math.max(...seen) - Math.min(...seen) + 1;
    evidence += Math.min(8, Math.log2(starts.length / seen.size));
    if (seen.size > 2) evidence += Math.min(8, Math.log2(256 / range) * 0.3 * seen.size);
  }
  const names = before < 4 ? 0 : starts.filter(start => isName(data, start)).length;
  return evidence + (names === starts.length ? Math.min(24, 8 + names * 2) : 0);
}

function isName(data: Uint8Array, at: number): boolean {
  for (let i = at; i < at + 4; i++) {
    const byte = data[i]!;
    const letter = byte | 0x20;
    if (byte !== 0x20 && !(byte >= 0x30 && byte <= 0x39) && !(letter >= 0x61 && letter <= 0x7a)) return false;
  }
  return true;
}

/** A number right before the first record that says how many there are. */
export function counterOf(data: Uint8Array, from: number, { start, starts }: Records): Field | undefined {
  for (const form of numberForms)
    for (let width = 4; width >= 1; width--) {
      const at = start - width;
      const read = at >= from ? form.read(data, at) : undefined;
      if (read?.width === width && read.value === starts.length)
        return { start: at, end: start, form, value: read.value };
    }
  return undefined;
}

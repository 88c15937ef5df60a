/** How records follow each other in data: where each of them says how long it is. */
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
  /** Something else follows. */
  readonly isOpen: boolean;
  readonly layout: Layout;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const longestBefore = 12;
const extras = [0, 4, 8, 1, 2, 12];
const steps = [2, 4];
/** Among the first records, so many may be empty: zeros look like a row of empty records. */
const mostEmpty = 4;

/** All layouts with a length of one form in one place: what is read there tells whether any of them is possible. */
interface Family {
  readonly before: number;
  readonly form: NumberForm;
  readonly layouts: readonly Layout[];
}

export const families: readonly Family[] = numberForms.flatMap(form =>
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
export interface Budget {
  left: number;
}

/** The records from the start of a region on, as far as they go. */
export function follow(data: Uint8Array, layout: Layout, { start, end }: Region, budget: Budget): Records | undefined {
  const starts: number[] = [];
  const ends: number[] = [];
  let empty = 0;
  let filled = layout.step === 1;
  let at = start;
  while (at < end) {
    const past = endOf(data, layout, at);
    if (past === undefined || past > end || budget.left-- <= 0) break;
    if (past - at <= layout.before + layout.form.width + layout.more + 1) empty++;
    if (empty > mostEmpty && 2 * empty > starts.length) return undefined;
    const next = Math.min(end, past + fillAfter(past - start, layout.step));
    if (next > past) {
      if (data.subarray(past, next).some(byte => byte !== 0)) break;
      filled = true;
    }
    starts.push(at);
    ends.push(past);
    at = next;
  }
  return starts.length > 0 && filled ? { layout, start, end: at, starts, ends, isOpen: at < end } : undefined;
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

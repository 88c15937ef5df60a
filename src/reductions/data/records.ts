/** The records of data, and what is in them: read once, as a tree. */
import { crc32 } from 'node:zlib';
import { leastOf } from '../../core/lists.js';
import { pauseIfDue } from '../../core/pause.js';
import { counterOf, type Field, type Records, type Region } from './layouts.js';
import { type NumberForm, numberForms } from './numbers.js';
import { type Known, recordsIn, recordsLike } from './search.js';

/** A part of data with its length. */
export interface DataRecord extends Region {
  /** All numbers that are its length. */
  readonly lengths: readonly Field[];
  /** What its length counts. */
  readonly body: Region;
  /** The last bytes are the checksum of what is before them, from here. */
  readonly checkedFrom?: number;
  readonly inner?: RecordList;
}

/** What follows each other in a part of data, mostly up to its end. */
export interface RecordList extends Region {
  readonly records: readonly DataRecord[];
  /** So many bytes are added to the end of a record that its size is a multiple of this. */
  readonly step: number;
  /** How many there are. */
  readonly counter?: Field;
}

/** Smaller parts are searched as they are. */
const leastRegion = 3;
/** In so many parts of data, records of any kind are looked for; in the others, those that were found before. */
const mostSearched = 12;
const mostBytes = 4_000_000;
/** What is deeper is found when the outer ones are gone. */
const deepest = 100;

/**
 * Reads the records of data. The kinds that the original consists of are found once: in what is left of it later, there is
 * too little to tell them from chance.
 */
export function recordReader(original: Uint8Array): (data: Uint8Array) => Promise<RecordList | undefined> {
  let kinds: Promise<readonly Known[]> | undefined;
  return async data => {
    kinds ??= kindsIn(original);
    return recordListIn(data, [...(await kinds)]);
  };
}

async function kindsIn(data: Uint8Array): Promise<readonly Known[]> {
  const kinds: Known[] = [];
  await recordListIn(data, kinds);
  return kinds;
}

/** The records of data, if it consists of records. `kinds`: those that are known; those that are found are added. */
async function recordListIn(data: Uint8Array, kinds: Known[]): Promise<RecordList | undefined> {
  if (data.length > mostBytes) return undefined;
  let searched = 0;

  async function listIn(region: Region, depth: number): Promise<RecordList | undefined> {
    if (region.end - region.start < leastRegion || depth > deepest) return undefined;
    const records =
      recordsLike(data, kinds, region) ?? (searched++ < mostSearched ? await recordsIn(data, region) : undefined);
    if (!records) return undefined;
    const { layout, start } = records;
    const skipped = start - region.start;
    if (!kinds.some(each => each.layout === layout && each.skipped === skipped)) kinds.push({ layout, skipped });
    const twins = twinsOf(data, records);
    const checked = checkedIn(data, records);
    const read: DataRecord[] = [];
    // The largest first: what is in it says how the others are made.
    const inner = new Map<number, RecordList | undefined>();
    for (const i of records.starts.map((_, i) => i).sort((a, b) => sizeOf(records, b) - sizeOf(records, a))) {
      inner.set(i, await listIn(bodyOf(data, records, i, checked), depth + 1));
      await pauseIfDue();
    }
    for (const [i, from] of records.starts.entries()) {
      const list = inner.get(i);
      read.push({
        start: from,
        end: records.ends[i]!,
        lengths: [{ at: layout.before, form: layout.form }, ...twins].map(({ at, form }) =>
          fieldAt(data, form, from + at),
        ),
        body: bodyOf(data, records, i, checked),
        ...(checked ? { checkedFrom: from + checked.skipped } : {}),
        ...(list ? { inner: list } : {}),
      });
    }
    const counter = counterOf(data, region.start, records);
    return { start, end: records.end, records: read, step: layout.step, ...(counter ? { counter } : {}) };
  }

  return listIn({ start: 0, end: data.length }, 0);
}

const sizeOf = ({ starts, ends }: Records, i: number): number => ends[i]! - starts[i]!;

function fieldAt(data: Uint8Array, form: NumberForm, start: number): Field {
  const { value, width } = form.read(data, start)!;
  return { start, end: start + width, form, value };
}

/** What the length does not count is in front of the data, as the name of the record is, but for the checksum. */
function bodyOf(data: Uint8Array, { layout, starts, ends }: Records, i: number, checked: Checked | undefined): Region {
  const length = fieldAt(data, layout.form, starts[i]! + layout.before);
  const after = checked ? checksumWidth : 0;
  return { start: length.end + layout.more - after, end: ends[i]! - after };
}

/** In so many bytes, other lengths are looked for: those of a packet are in the headers of all its protocols. */
const longestHeads = 64;
/** With fewer different lengths, numbers are alike by chance. */
const fewestLengths = 3;

/** Another length in the same records. */
interface Twin {
  readonly at: number;
  readonly form: NumberForm;
}

/** Numbers that always are as much larger or smaller than the length: they count the same data, from another place. */
function twinsOf(data: Uint8Array, { layout, starts, ends }: Records): readonly Twin[] {
  const { before } = layout;
  const values = starts.map(start => fieldAt(data, layout.form, start + before));
  if (new Set(values.map(({ value }) => value)).size < fewestLengths) return [];
  const last = Math.min(longestHeads, leastOf(starts.map((start, i) => ends[i]! - start)));
  const found: Twin[] = [];
  const taken = new Uint8Array(longestHeads + 8).fill(1, before, before + values[0]!.end - values[0]!.start);
  for (const form of numberForms.filter(({ width }) => width > 1))
    for (let at = 0; at + form.width <= last; at++) {
      if (taken.subarray(at, at + form.width).includes(1)) continue;
      const more = differenceAt(starts[0]!, 0);
      if (
        more === undefined ||
        Math.abs(more) > longestHeads ||
        !starts.every((start, i) => differenceAt(start, i) === more)
      )
        continue;
      found.push({ at, form });
      taken.fill(1, at, at + form.width);

      function differenceAt(start: number, i: number): number | undefined {
        const read = form.read(data, start + at);
        return read && read.value - values[i]!.value;
      }
    }
  return found;
}

/** The last bytes of each record are the checksum of its others, but for these in front. */
interface Checked {
  readonly skipped: number;
}
export const checksumWidth = 4;

/** CRC-32, as in PNG. */
function checkedIn(data: Uint8Array, { layout, starts, ends }: Records): Checked | undefined {
  if (layout.more < checksumWidth) return undefined;
  for (const skipped of new Set([0, layout.before, layout.before + layout.form.width])) {
    const fits = starts.every((start, i) => {
      const end = ends[i]! - checksumWidth;
      return end > start + skipped && checksumOf(data.subarray(start + skipped, end)) === wordAt(data, end);
    });
    if (fits) return { skipped };
  }
  return undefined;
}

const wordAt = (data: Uint8Array, at: number): string => String.fromCharCode(...data.subarray(at, at + checksumWidth));

/** As it is written. */
export const checksumOf = (data: Uint8Array): string =>
  String.fromCharCode(...[24, 16, 8, 0].map(shift => (crc32(data) >>> shift) & 0xff));

/** Changes parts of data, and also what data says about their size. */
import { textOf } from '../../core/trace.js';
import type { Span } from '../../syntax/edit.js';
import { edited, outermost } from '../spans.js';
import { type Field, fillAfter, type Region } from './layouts.js';
import { checksumOf, checksumWidth, type DataRecord, type RecordList } from './records.js';

/**
 * These changes (in their order, and not overlapping) and those that follow from them: lengths, numbers of records, checksums,
 * and what fills up the end of a record. Undefined if a number would not fit.
 */
export function fitted(text: string, list: RecordList, changes: readonly Span[]): readonly Span[] | undefined {
  const found: Span[] = [...changes];
  /** The bytes that a part loses; undefined if a number does not fit. */
  const inRegion = (region: Region, inner: RecordList | undefined): number | undefined => {
    if (!isTouched(region)) return 0;
    if (!inner) return lostIn(region);
    let lost = lostIn({ start: region.start, end: inner.start });
    let gone = 0;
    for (const [i, record] of inner.records.entries()) {
      const past = inner.records[i + 1]?.start ?? inner.end;
      const fill = { start: record.end, end: past };
      if (isGone(record)) {
        gone++;
        lost += past - record.start;
        if (past > record.end) found.push({ ...fill, text: '' });
        continue;
      }
      const less = inRecord(record);
      if (less === undefined) return undefined;
      lost += less + refill(fill, record.end - record.start, less, inner.step);
    }
    const more = inner.counter && gone > 0 ? written(inner.counter, inner.counter.value - gone) : 0;
    return more === undefined ? undefined : lost - more + lostIn({ start: inner.end, end: region.end });
  };

  const inRecord = ({ start, end, body, lengths, inner, checkedFrom }: DataRecord): number | undefined => {
    if (!isTouched({ start, end })) return 0;
    const first = found.length;
    const less = inRegion(body, inner);
    if (less === undefined) return undefined;
    let lost = less;
    for (const length of less === 0 ? [] : lengths) {
      const more = written(length, length.value - less);
      if (more === undefined) return undefined;
      lost -= more;
    }
    if (checkedFrom !== undefined) {
      const checksum = end - checksumWidth;
      const own = [...changes.slice(firstTouching(start), firstTouching(checksum)), ...found.slice(first)];
      const now = partOf(text, outermost(own), { start: checkedFrom, end: checksum });
      found.push({ start: checksum, end, text: checksumOf(Buffer.from(now, 'latin1')) });
    }
    return lost;
  };

  /** By how much the data becomes longer. */
  function written({ start, end, form }: Field, value: number): number | undefined {
    const text = form.write(value);
    if (text === undefined) return undefined;
    found.push({ start, end, text });
    return text.length - (end - start);
  }

  /** The bytes that are lost because a record of another size needs fewer to fill it up. */
  function refill(fill: Region, size: number, less: number, step: number): number {
    const before = fill.end - fill.start;
    // At the end of data, some formats do not fill up the last one.
    const now = (size + before) % step === 0 ? fillAfter(size - less, step) : before;
    if (now !== before) found.push({ ...fill, text: '\0'.repeat(now) });
    return before - now;
  }

  /** The number of the first change that does not end before this place. */
  function firstTouching(at: number): number {
    let [low, high] = [0, changes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (changes[middle]!.end > at) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  function isTouched({ start, end }: Region): boolean {
    const change = changes[firstTouching(start)];
    return change !== undefined && change.start < end;
  }

  function isGone({ start, end }: Region): boolean {
    const change = changes[firstTouching(start)];
    return change !== undefined && change.text === '' && change.start <= start && change.end >= end;
  }

  function lostIn({ start, end }: Region): number {
    let lost = 0;
    for (let i = firstTouching(start); i < changes.length && changes[i]!.start < end; i++) {
      const change = changes[i]!;
      lost += Math.min(end, change.end) - Math.max(start, change.start) - change.text.length;
    }
    return lost;
  }

  return inRegion({ start: 0, end: text.length }, list) === undefined ? undefined : outermost(found);
}

/** A part of a text as it is after these changes. */
function partOf(text: string, changes: readonly Span[], { start, end }: Region): string {
  const inside = changes
    .filter(change => change.start >= start && change.end <= end)
    .map(change => ({ ...change, start: change.start - start, end: change.end - start }));
  const part = text.slice(start, end);
  return textOf(edited(part.length, inside), part);
}

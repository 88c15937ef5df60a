/** Data in a form that a person can read: its bytes in rows, without those that are all zeros. */
import { grouped } from '../core/phrases.js';

const inRow = 16;
/** More rows are nothing to read. */
const mostRows = 60;

/**
 * Undefined if there are more rows than `most`.
 *
 * @example
 * ```ts
 * hexDump(Uint8Array.of(0x7f, 0x45)); // → '00000000  7f 45                                            |.E|'
 * ```
 */
export function hexDump(bytes: Uint8Array, most = mostRows): string | undefined {
  const rows: string[] = [];
  let skipped = false;
  for (let at = 0; at < bytes.length; at += inRow) {
    const row = bytes.subarray(at, at + inRow);
    const isZero = row.every(byte => byte === 0);
    if (rows.length > most) return undefined;
    if (!isZero) rows.push(rowOf(at, row));
    else if (!skipped) rows.push('*');
    skipped = isZero;
  }
  const used = bytes.reduce((sum, byte) => sum + Number(byte !== 0), 0);
  if (bytes.length - used >= inRow) rows.unshift(`${grouped(used)} of ${grouped(bytes.length)} bytes are not zero:`);
  return rows.join('\n');
}

/**
 * How two versions of data differ, as rows with `-` and `+`: those at the same place if both are as long, and otherwise what is
 * between what they begin and end with alike.
 */
export function hexDifference(old: Uint8Array, now: Uint8Array): readonly string[] {
  const rows: string[] = [];
  if (old.length === now.length) {
    for (let at = 0; at < now.length; at += inRow) {
      const [before, after] = [old, now].map(bytes => bytes.subarray(at, at + inRow));
      if (before!.some((byte, i) => byte !== after![i])) rows.push(`-${rowOf(at, before!)}`, `+${rowOf(at, after!)}`);
    }
    return rows;
  }
  const start = alikeFor(i => old[i] === now[i], Math.min(old.length, now.length));
  const rest = Math.min(old.length, now.length) - start;
  const end = alikeFor(i => old[old.length - 1 - i] === now[now.length - 1 - i], rest);
  for (const [sign, bytes] of [
    ['-', old],
    ['+', now],
  ] as const)
    for (let at = start; at < bytes.length - end; at += inRow)
      rows.push(`${sign}${rowOf(at, bytes.subarray(at, Math.min(at + inRow, bytes.length - end)))}`);
  return rows;
}

/** How many bytes are not the same, of two versions that are equally long; undefined for others. */
export const countDiffering = (old: Uint8Array, now: Uint8Array): number | undefined =>
  old.length === now.length ? now.reduce((sum, byte, i) => sum + Number(byte !== old[i]), 0) : undefined;

function alikeFor(isAlike: (i: number) => boolean, most: number): number {
  let count = 0;
  while (count < most && isAlike(count)) count++;
  return count;
}

function rowOf(at: number, row: Uint8Array): string {
  const codes = [...row].map(byte => byte.toString(16).padStart(2, '0'));
  const halves = [codes.slice(0, inRow / 2), codes.slice(inRow / 2)].map(half => half.join(' '));
  const letters = [...row].map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
  return `${at.toString(16).padStart(8, '0')}  ${halves.join('  ').trimEnd().padEnd(48)}  |${letters}|`;
}

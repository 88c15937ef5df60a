/** Data in a form that a person can read: its bytes in rows, without those that are all zeros. */
const inRow = 16;

/**
 * @example
 * ```ts
 * hexDump(Uint8Array.of(0x7f, 0x45)); // → '00000000  7f 45                                            |.E|'
 * ```
 */
export function hexDump(bytes: Uint8Array): string {
  const rows: string[] = [];
  let skipped = false;
  for (let at = 0; at < bytes.length; at += inRow) {
    const row = bytes.subarray(at, at + inRow);
    const isZero = row.every(byte => byte === 0);
    if (!isZero) rows.push(rowOf(at, row));
    else if (!skipped) rows.push('*');
    skipped = isZero;
  }
  const used = bytes.reduce((sum, byte) => sum + Number(byte !== 0), 0);
  if (bytes.length - used >= inRow)
    rows.unshift(`${used.toLocaleString('en')} of ${bytes.length.toLocaleString('en')} bytes are not zero:`);
  return rows.join('\n');
}

function rowOf(at: number, row: Uint8Array): string {
  const codes = [...row].map(byte => byte.toString(16).padStart(2, '0'));
  const halves = [codes.slice(0, inRow / 2), codes.slice(inRow / 2)].map(half => half.join(' '));
  const letters = [...row].map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
  return `${at.toString(16).padStart(8, '0')}  ${halves.join('  ').trimEnd().padEnd(48)}  |${letters}|`;
}

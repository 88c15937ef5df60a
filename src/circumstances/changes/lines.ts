/**
 * Text as lines. Bytes are read as Latin-1, one character for each byte, so that any encoding, valid or not, survives byte
 * for byte. A line keeps its end (`
 * `, `\r
 * `); only the last one may have none.
 */
export type Lines = readonly string[];

export function linesOf(bytes: Uint8Array): Lines {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start) + 1 || text.length;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
}

/** A line that is no longer the last one gets the line end that it lacked. */
export function bytesOfLines(lines: Lines): Uint8Array {
  const last = lines.length - 1;
  const text = lines.map((line, i) => (i < last && !line.endsWith('\n') ? `${line}\n` : line)).join('');
  return Buffer.from(text, 'latin1');
}

/** git's own rule: a NUL among the first 8000 bytes. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8000).includes(0);

/** How similar two texts are, from 0 to 1: the share of the longer one's lines that the other has too, in any order. */
export function similarity(a: Lines, b: Lines): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  if (Math.min(a.length, b.length) * 2 < longer) return 0;
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of b) {
    const left = counts.get(line) ?? 0;
    if (left > 0) {
      common++;
      counts.set(line, left - 1);
    }
  }
  return common / longer;
}

/** Bytes as text, without losing any of them. */

/**
 * A file's text and how it was written. Invalid UTF-8 is read byte by byte, so that nothing is lost; data with zeros in it as well, because
 * what is found by its position is found by bytes.
 */
export interface Text {
  readonly text: string;
  readonly encoding: 'utf8' | 'latin1';
}

export const decode = (bytes: Uint8Array): Text =>
  utf8Of(bytes) ?? {
    text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'),
    encoding: 'latin1',
  };

function utf8Of(bytes: Uint8Array): Text | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding: 'utf8' };
  } catch {
    return undefined;
  }
}

/** The file with another text, written as before. */
export const withText = <Written extends { readonly bytes: Uint8Array }>(file: Written, text: string): Written => ({
  ...file,
  bytes: Buffer.from(text, decode(file.bytes).encoding),
});

/** What no text has in an encoding that keeps ASCII as it is. A file that an editor of DOS wrote ends with 0x1a. */
const controls = /[\0-\x08\x0e-\x19\x1c-\x1f\x7f]/;

/**
 * Whether a file is data and not text. Sources older than UTF-8 have names and comments in Latin-1, Shift JIS or another
 * encoding; they are texts all the same, and their structure is in ASCII.
 */
export function isBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true;
  const { text, encoding } = decode(bytes);
  return encoding === 'latin1' && controls.test(text);
}

/** Bytes as text, without losing any of them. */

/** A file's text and how it was written. Invalid UTF-8 is read byte by byte, so that nothing is lost. */
export interface Text {
  readonly text: string;
  readonly encoding: 'utf8' | 'latin1';
}

export function decode(bytes: Uint8Array): Text {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding: 'utf8' };
  } catch {
    return { text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), encoding: 'latin1' };
  }
}

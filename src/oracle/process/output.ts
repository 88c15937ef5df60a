/** Captures what a test prints, up to a limit. */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { scratchParent, uniqueName } from './scratch.js';

export interface Captured {
  readonly bytes: Uint8Array;
  readonly truncated: boolean;
}

/** Where one stream of a slot's commands goes. */
export interface Capture {
  readonly fd: number;
  /** Whether this is the file behind a descriptor of a process. */
  is(file: { readonly dev: number; readonly ino: number }): boolean;
  /** Returns what was written since the last call, without its last `dropped` bytes, and empties the file. */
  take(keep: number, dropped?: number): Captured;
  size(): number;
  close(): void;
}

const block = 64 * 1024;
const nothing = new Uint8Array(0);

/**
 * A nameless file in memory, opened once in append mode. Every process that inherits it writes at its end, even after it
 * was emptied. So no command needs a redirection, RLIMIT_FSIZE limits it, and there is nothing to delete. A pipe would wake
 * Node for every write, and could fill up.
 */
export function openCapture(): Capture {
  const path = join(scratchParent(), uniqueName());
  const fd = openSync(path, 'a+', 0o600);
  unlinkSync(path);
  const { dev, ino } = fstatSync(fd);
  const buffer = new Uint8Array(block);
  const read = (from: number, length: number): Uint8Array => {
    const bytes = new Uint8Array(length);
    let got = 0;
    for (let n = -1; got < length && n !== 0; got += n) n = readSync(fd, bytes, got, length - got, from + got);
    return bytes.subarray(0, got);
  };
  return {
    fd,
    is: file => file.ino === ino && file.dev === dev,
    size: () => fstatSync(fd).size,
    take(keep, dropped = 0) {
      const first = readSync(fd, buffer, 0, block, 0);
      if (first === 0) return { bytes: nothing, truncated: false };
      const size = Math.max(0, (first < block ? first : fstatSync(fd).size) - dropped);
      const bytes = size <= keep ? (first < block ? buffer.slice(0, size) : read(0, size)) : ends(read, size, keep);
      ftruncateSync(fd, 0);
      return { bytes, truncated: size > keep };
    },
    close: () => closeSync(fd),
  };
}

/** Keeps the first half and the last half: messages are rarely in the middle. */
function ends(read: (from: number, length: number) => Uint8Array, size: number, keep: number): Uint8Array {
  const head = Math.ceil(keep / 2);
  const tail = keep - head;
  return Buffer.concat([read(0, head), gap(size - keep), read(size - tail, tail)]);
}

export const gap = (bytes: number): Uint8Array => Buffer.from(`\n[${bytes} bytes left out]\n`);

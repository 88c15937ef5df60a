/** Tar files in the formats of POSIX and GNU: each member keeps its header, and only what the header says of the content changes. */
import type { Entry } from '../../core/artifact.js';
import { areApart, type Member, type Members, pathOf } from './members.js';

const block = 512;
const nameAt = 0;
const modeAt = 100;
const sizeAt = 124;
const sumAt = 148;
const typeAt = 156;
const linkAt = 157;
const magicAt = 257;
const prefixAt = 345;

/** One member, whatever it is. */
export interface TarMember {
  readonly name: Uint8Array;
  readonly type: string;
  /** Its own header. */
  readonly header: Uint8Array;
  /** Its own header, and those before it that give it a long name. */
  readonly head: Uint8Array;
  readonly content: Uint8Array;
}

/** Reads members up to the first block that is none. Returns whether there is nothing behind it. */
export function* membersOfTar(bytes: Uint8Array): Generator<TarMember, boolean> {
  /** Where the headers of the next member begin, and the name that they give it. */
  let from = 0;
  let longName: Uint8Array | undefined;
  let at = 0;
  while (at + block <= bytes.length && bytes[at] !== 0) {
    const header = bytes.subarray(at, at + block);
    const size = octalAt(header, sizeAt, 12);
    if (size === undefined || octalAt(header, sumAt, 8) !== sumOf(header)) return false;
    const own = at + block;
    const content = bytes.subarray(own, own + size);
    if (content.length !== size) return false;
    const type = String.fromCharCode(header[typeAt]! || 0x30);
    at = own + Math.ceil(size / block) * block;
    if (type === 'L' || type === 'x') {
      const said = type === 'L' ? { name: upToZero(content) } : readRecords(content);
      if (said === undefined) return false;
      longName = said.name ?? longName;
      continue;
    }
    yield { name: longName ?? nameIn(header), type, header, head: bytes.subarray(from, own), content };
    [from, longName] = [at, undefined];
  }
  return from === at && bytes.subarray(at).every(byte => byte === 0);
}

/** Nothing if it is not a tar file, or if it holds what is neither a file nor a folder nor a symbolic link. */
export function readTar(bytes: Uint8Array): Members | undefined {
  if (bytes.length % block !== 0 || textAt(bytes, magicAt, 5) !== 'ustar') return undefined;
  const members = new Map<string, Member>();
  const found = membersOfTar(bytes);
  for (;;) {
    const step = found.next();
    if (step.done) return step.value && areApart(members) ? members : undefined;
    const { name, type, header, head, content } = step.value;
    const path = pathOf(name);
    // The folder that was packed itself: `./`.
    if (path === undefined && type === '5') continue;
    const entry = entryOf(type, header, content);
    if (path === undefined || entry === undefined || members.has(path)) return undefined;
    members.set(path, { entry, head: head.slice() });
  }
}

function entryOf(type: string, header: Uint8Array, content: Uint8Array): Entry | undefined {
  const isEmpty = content.length === 0;
  if (type === '0' || type === '7') return { kind: 'file', bytes: content.slice() };
  if (type === '5' && isEmpty) return { kind: 'folder' };
  if (type === '2' && isEmpty) return { kind: 'link', target: textAt(header, linkAt, 100) };
  return undefined;
}

export function writeTar(members: Members): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const { entry, head } of members.values()) {
    const content = entry.kind === 'file' ? entry.bytes : new Uint8Array();
    parts.push(withSize(head, content.length), content, new Uint8Array(-content.length & (block - 1)));
  }
  return new Uint8Array(Buffer.concat([...parts, new Uint8Array(2 * block)]));
}

/** The last block of a head is the member's own header; what is in front of it holds a long name. */
function withSize(head: Uint8Array, size: number): Uint8Array {
  const headers = head.slice();
  const own = headers.subarray(headers.length - block);
  own.set(Buffer.from(`${size.toString(8).padStart(11, '0')} `), sizeAt);
  own.set(Buffer.from(`${sumOf(own).toString(8).padStart(6, '0')}\0 `), sumAt);
  return headers;
}

/** Whether its owner may execute it. */
export const isExecutable = (header: Uint8Array): boolean => ((octalAt(header, modeAt, 8) ?? 0) & 0o100) !== 0;

/** Of all bytes, with blanks in place of the sum itself. */
function sumOf(header: Uint8Array): number {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= sumAt && at < sumAt + 8 ? 0x20 : byte;
  return sum;
}

function octalAt(header: Uint8Array, at: number, length: number): number | undefined {
  const digits = textAt(header, at, length).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

function nameIn(header: Uint8Array): Uint8Array {
  const name = upToZero(header.subarray(nameAt, nameAt + 100));
  const prefix = textAt(header, magicAt, 6) === 'ustar' ? upToZero(header.subarray(prefixAt, prefixAt + 155)) : [];
  return prefix.length > 0 ? Buffer.concat([prefix as Uint8Array, Buffer.from('/'), name]) : name;
}

/** A pax header, of which only the name matters. With a size in it, it would contradict the one that is written. */
function readRecords(records: Uint8Array): { readonly name?: Uint8Array } | undefined {
  const text = Buffer.from(records).toString('latin1');
  let name: Uint8Array | undefined;
  for (let at = 0; at < text.length; ) {
    const [start, length, key] = /^(\d+) ([^=]+)=/.exec(text.slice(at)) ?? [];
    if (start === undefined || key === 'size' || Number(length) < start.length) return undefined;
    if (key === 'path') name = records.subarray(at + start.length, at + Number(length) - 1);
    at += Number(length);
  }
  return name ? { name } : {};
}

const upToZero = (bytes: Uint8Array): Uint8Array => {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
};
const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  Buffer.from(upToZero(bytes.subarray(at, at + length))).toString('latin1');

/** Zip files: reads them, and writes them in their plainest form. The names of their parts are those of PKWARE's APPNOTE. */
import { crc32, inflateRawSync } from 'node:zlib';
import type { Entry } from '../../core/artifact.js';
import { areApart, type Member, type Members, mostUnpacked, pathOf } from './members.js';

const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const endOfDirectory = 0x06054b50;
const localSize = 30;
const centralSize = 46;
const endSize = 22;
const stored = 0;
const deflated = 8;
const encrypted = 1;
const isUtf8 = 0x0800;
/** The first day that a zip can name: when a member was changed is nobody's question. */
const firstDay = 0x0021;
const version = 20;

/** Nothing if it is not a zip file that can be written anew: encrypted, in parts, with other data around it, or damaged. */
export function readZip(bytes: Uint8Array): Members | undefined {
  const view = viewOf(bytes);
  const end = findEnd(view);
  if (end === undefined) return undefined;
  const count = view.getUint16(end + 10, true);
  const size = view.getUint32(end + 12, true);
  const isOneFile = view.getUint32(end + 4, true) === 0 && view.getUint16(end + 8, true) === count;
  let at = view.getUint32(end + 16, true);
  if (!isOneFile || at + size !== end) return undefined;
  const members = new Map<string, Member>();
  let left = mostUnpacked;
  for (let i = 0; i < count; i++) {
    if (at + centralSize > end || view.getUint32(at, true) !== centralHeader) return undefined;
    const next =
      at + centralSize + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const name = bytes.subarray(at + centralSize, at + centralSize + view.getUint16(at + 28, true));
    const path = pathOf(name);
    const content = contentOf(bytes, view, at, left);
    if (path === undefined || content === undefined || members.has(path)) return undefined;
    left -= content.length;
    const isFolder = name.at(-1) === 0x2f;
    if (isFolder && content.length > 0) return undefined;
    const entry: Entry = isFolder ? { kind: 'folder' } : { kind: 'file', bytes: content };
    members.set(path, { entry, head: bytes.slice(at, at + centralSize) });
    at = next;
  }
  return at === end && areApart(members) ? members : undefined;
}

/** It ends with a comment of any length, but there is nothing behind that. */
function findEnd(view: DataView): number | undefined {
  const least = Math.max(0, view.byteLength - endSize - 0xffff);
  for (let at = view.byteLength - endSize; at >= least; at--)
    if (view.getUint32(at, true) === endOfDirectory && at + endSize + view.getUint16(at + 20, true) === view.byteLength)
      return at;
  return undefined;
}

function contentOf(bytes: Uint8Array, view: DataView, central: number, most: number): Uint8Array | undefined {
  const flags = view.getUint16(central + 8, true);
  const method = view.getUint16(central + 10, true);
  const packed = view.getUint32(central + 20, true);
  const size = view.getUint32(central + 24, true);
  const local = view.getUint32(central + 42, true);
  if (flags & encrypted || size > most || local + localSize > central) return undefined;
  if (view.getUint32(local, true) !== localHeader) return undefined;
  const start = local + localSize + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (start + packed > bytes.length) return undefined;
  const data = bytes.subarray(start, start + packed);
  if (method !== stored && method !== deflated) return undefined;
  const content =
    method === stored ? data.slice() : new Uint8Array(inflateRawSync(data, { maxOutputLength: size + 1 }));
  return content.length === size ? content : undefined;
}

/** Members as they are, without compression, times, comments or extra fields: what a person can read with any tool. */
export function writeZip(members: Members): Uint8Array {
  const locals: Uint8Array[] = [];
  const centrals: Uint8Array[] = [];
  let offset = 0;
  for (const [path, { entry, head }] of members) {
    const content = entry.kind === 'file' ? entry.bytes : new Uint8Array();
    const name = Buffer.from(entry.kind === 'folder' ? `${path}/` : path);
    const central = Buffer.alloc(centralSize);
    const its = viewOf(head);
    central.writeUInt32LE(centralHeader, 0);
    central.writeUInt16LE(its.getUint16(4, true), 4);
    central.writeUInt16LE(version, 6);
    central.writeUInt16LE(its.getUint16(8, true) & isUtf8, 8);
    central.writeUInt16LE(firstDay, 14);
    central.writeUInt32LE(checksumOf(content), 16);
    central.writeUInt32LE(content.length, 20);
    central.writeUInt32LE(content.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(its.getUint32(38, true), 38);
    central.writeUInt32LE(offset, 42);
    const local = Buffer.alloc(localSize);
    local.writeUInt32LE(localHeader, 0);
    // From the needed version to the length of the name, both headers say the same.
    central.copy(local, 4, 6, 30);
    locals.push(local, name, content);
    centrals.push(central, name);
    offset += local.length + name.length + content.length;
  }
  const end = Buffer.alloc(endSize);
  end.writeUInt32LE(endOfDirectory, 0);
  end.writeUInt16LE(members.size, 8);
  end.writeUInt16LE(members.size, 10);
  end.writeUInt32LE(lengthOf(centrals), 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, ...centrals, end]));
}

/** Most members are the same in the next candidate. */
const checksums = new WeakMap<Uint8Array, number>();

function checksumOf(content: Uint8Array): number {
  let sum = checksums.get(content);
  if (sum === undefined) checksums.set(content, (sum = crc32(content)));
  return sum;
}

const lengthOf = (parts: readonly Uint8Array[]): number => parts.reduce((sum, part) => sum + part.length, 0);
const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

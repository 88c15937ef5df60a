/** What gzip compressed, as an archive with one member (RFC 1952). */
import { basename } from 'node:path';
import { crc32, gunzipSync } from 'node:zlib';
import { type Members, mostUnpacked } from './members.js';

/** Deflate's blocks without compression have a length of 16 bits (RFC 1951). */
const largestBlock = 0xffff;

export function readGzip(bytes: Uint8Array, path: string): Members | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return undefined;
  const content = new Uint8Array(gunzipSync(bytes, { maxOutputLength: mostUnpacked }));
  return new Map([[memberOf(path), { entry: { kind: 'file', bytes: content }, head: new Uint8Array() }]]);
}

/** As gunzip names what it unpacks: the name tells the language. */
function memberOf(path: string): string {
  const name = basename(path);
  const inner = name
    .replace(/\.(?:gz|z)$/i, '')
    .replace(/\.tgz$/i, '.tar')
    .replace(/\.svgz$/i, '.svg');
  return inner === '' ? name : inner;
}

/** Without compression, name and time: the same bytes from every version of zlib. */
export function writeGzip(members: Members): Uint8Array {
  const [member] = members.values();
  const content = member?.entry.kind === 'file' ? member.entry.bytes : new Uint8Array();
  const unknownSystem = 255;
  const parts: Uint8Array[] = [Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, unknownSystem)];
  for (let at = 0; at === 0 || at < content.length; at += largestBlock) {
    const block = content.subarray(at, at + largestBlock);
    const head = Buffer.alloc(5);
    head.writeUInt8(at + largestBlock >= content.length ? 1 : 0, 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ 0xffff, 3);
    parts.push(head, block);
  }
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(content), 0);
  end.writeUInt32LE(content.length >>> 0, 4);
  return new Uint8Array(Buffer.concat([...parts, end]));
}

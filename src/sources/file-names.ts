/** Names of files as text that loses nothing: a name is bytes, and not all of them are UTF-8. */
import { type Dirent, readdirSync, readlinkSync } from 'node:fs';

/**
 * A byte that is not UTF-8 becomes a lone surrogate (U+DC80 to U+DCFF), as in Python. No valid text contains one, so nothing
 * is mixed up; and it is compared, sorted and kept in JSON like any other character.
 */
export function nameOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes(replacement)) return text;
  return bytes.toString('latin1').replace(/[\x80-\xff]+/g, run => decoded(Buffer.from(run, 'latin1')));
}

function decoded(bytes: Buffer): string {
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const end = at + lengthFrom(bytes[at]!);
    const character = bytes.toString('utf8', at, end);
    const isText = Buffer.from(character).equals(bytes.subarray(at, end));
    name += isText ? character : String.fromCharCode(escaped + bytes[at]!);
    at = isText ? end : at + 1;
  }
  return name;
}

/** The path that the file system has for such a name. */
export const onDisk = (path: string): string | Buffer => (hasEscape.test(path) ? bytesOf(path) : path);

/** The bytes of such a name, or of a text that contains it. */
export const bytesOf = (name: string): Buffer =>
  Buffer.concat(
    [...name].map(character =>
      hasEscape.test(character) ? Buffer.of(character.charCodeAt(0) - escaped) : Buffer.from(character),
    ),
  );

export type Item = Pick<Dirent<string>, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** What is in a folder. */
export function itemsIn(folder: string): readonly Item[] {
  const path = onDisk(folder);
  const items = readdirSync(path, { withFileTypes: true });
  if (!items.some(({ name }) => name.includes(replacement))) return items;
  return readdirSync(path, { withFileTypes: true, encoding: 'buffer' }).map(item => ({
    name: nameOf(item.name),
    isFile: () => item.isFile(),
    isDirectory: () => item.isDirectory(),
    isSymbolicLink: () => item.isSymbolicLink(),
  }));
}

export const namesIn = (folder: string): readonly string[] => itemsIn(folder).map(({ name }) => name);

/** What a link points to. */
export const targetOf = (link: string): string => nameOf(readlinkSync(onDisk(link), { encoding: 'buffer' }));

/** Node reads a byte that is not UTF-8 as this character. */
const replacement = '\ufffd';
const escaped = 0xdc00;
const hasEscape = /[\udc80-\udcff]/u;

/** The length that the first byte of a character announces. */
const lengthFrom = (first: number): number => (first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4);

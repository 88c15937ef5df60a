/**
 * PDF files as folders of their objects: streams are not compressed, and lengths and offsets are written anew. The names of their parts are
 * those of ISO 32000.
 */
import { inflateSync } from 'node:zlib';
import type { Entry } from '../../core/artifact.js';
import { addAll } from '../../core/lists.js';
import { type Member, type Members, mostUnpacked } from './members.js';

const trailer = 'trailer';

/** Nothing if it is no PDF file whose objects are known: encrypted, or without a root. */
export function readPdf(bytes: Uint8Array): Members | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const [version] = /^%PDF-\d\.\d/.exec(file) ?? [];
  if (version === undefined) return undefined;
  const objects = new Map<string, string>();
  let found = '';
  for (const { name, text } of partsIn(file))
    if (name === trailer) found = text + found;
    else if (/\/Type\s*\/XRef\b/.test(text)) found = headOf(text) + found;
    else if (/\/Type\s*\/ObjStm\b/.test(text))
      for (const [inner, object] of objectsIn(text)) objects.set(inner, object);
    else objects.set(name, text);
  const root = /\/Root\s+\d+\s+\d+\s+R/.exec(found)?.[0];
  if (root === undefined || /\/Encrypt\b/.test(found)) return undefined;
  const info = /\/Info\s+\d+\s+\d+\s+R/.exec(found)?.[0] ?? '';
  const members = new Map<string, Member>();
  const add = (name: string, text: string) =>
    members.set(name, { entry: { kind: 'file', bytes: Buffer.from(text, 'latin1') }, head: Buffer.from(version) });
  for (const [name, text] of objects) add(name, text);
  add(trailer, `<<${root}${info}>>`);
  return members;
}

interface Part {
  /** `12 0 obj`. */
  readonly name: string;
  readonly text: string;
}

/** The objects and trailers in the order of the file: of two with one name, the last one counts. */
function* partsIn(file: string): Generator<Part> {
  const begin = /(?<![\w.])(?:(\d+)[ \r\n\t]+(\d+)[ \r\n\t]+obj\b|trailer\b)/g;
  let left = mostUnpacked;
  for (let match = begin.exec(file); match; match = begin.exec(file)) {
    const { end, text } = textFrom(file, begin.lastIndex);
    left -= text.length;
    if (left < 0) throw new RangeError('It is too large.');
    yield { name: match[1] === undefined ? trailer : `${match[1]} ${match[2]} obj`, text };
    begin.lastIndex = end;
  }
}

const endOfObject = /^(?:endobj|obj|startxref|xref|trailer)$/;

/** What comes up to the end of the object. A word in a string or a comment is no keyword. */
function textFrom(file: string, from: number): { readonly end: number; readonly text: string } {
  const token = /%[^\r\n]*|<<|>>|<[^<>]*>|[()[\]{}]|\/?[^\s()<>[\]{}/%]+/g;
  token.lastIndex = from;
  for (let match = token.exec(file); match; match = token.exec(file)) {
    const [word] = match;
    if (word === '(') token.lastIndex = endOfString(file, match.index);
    else if (word === 'stream') return withStream(file, from, match.index);
    else if (endOfObject.test(word)) return { end: match.index, text: file.slice(from, match.index).trim() };
  }
  return { end: file.length, text: file.slice(from).trim() };
}

function endOfString(file: string, from: number): number {
  let depth = 0;
  for (let at = from; at < file.length; at++) {
    if (file[at] === '\\') at++;
    else if (file[at] === '(') depth++;
    else if (file[at] === ')' && --depth === 0) return at + 1;
  }
  return file.length;
}

/** The length in the file is not always right, and may be an object of its own: what counts is where the stream ends. */
function withStream(file: string, from: number, keyword: number): { readonly end: number; readonly text: string } {
  const start = keyword + 'stream'.length + (/^\r?\n/.exec(file.slice(keyword + 6, keyword + 8))?.[0].length ?? 0);
  const head = file.slice(from, keyword).trim();
  const said = Number(/\/Length\s+(\d+)(?!\s+\d+\s+R)/.exec(head)?.[1] ?? Number.NaN);
  const isRight = /^\s*endstream/.test(file.slice(start + said, start + said + 20));
  const next = file.indexOf('endstream', start);
  const past = isRight ? file.indexOf('endstream', start + said) : next < 0 ? file.length : next;
  const raw = isRight ? file.slice(start, start + said) : file.slice(start, past).replace(/\r?\n$/, '');
  const plain = plainOf(head.replace(/\/Length\s+\d+(?:\s+\d+\s+R)?/, ''), raw);
  return { end: past + 'endstream'.length, text: `${plain.head}${between}${plain.content}${behind}` };
}

const between = '\nstream\n';
const behind = '\nendstream';

/** Without compression, if that is all that was done to it. */
function plainOf(head: string, raw: string): { readonly head: string; readonly content: string } {
  const filter = /\/Filter\s*(?:\/FlateDecode\b|\[\s*\/FlateDecode\s*\])/.exec(head)?.[0];
  if (filter === undefined || /\/DecodeParms\b/.test(head)) return { head, content: raw };
  try {
    const content = inflateSync(Buffer.from(raw, 'latin1'), { maxOutputLength: mostUnpacked }).toString('latin1');
    return { head: head.replace(filter, ''), content };
  } catch {
    return { head, content: raw };
  }
}

const headOf = (text: string): string => text.split(between, 1)[0]!;

/** What an object stream holds: their numbers and places come first. */
function objectsIn(text: string): readonly (readonly [string, string])[] {
  const head = headOf(text);
  const content = text.slice(head.length + between.length, -behind.length);
  const first = Number(/\/First\s+(\d+)/.exec(head)?.[1]);
  const numbers = content.slice(0, first).trim().split(/\s+/).map(Number);
  const starts = numbers.filter((_, i) => i % 2 === 1).map(start => first + start);
  if (![first, ...numbers].every(Number.isInteger)) throw new RangeError('It is damaged.');
  return starts.map((start, i) => [`${numbers[2 * i]} 0 obj`, content.slice(start, starts[i + 1]).trim()]);
}

export function writePdf(members: Members): Uint8Array {
  const [{ head: version } = { head: Buffer.from('%PDF-1.7') }] = members.values();
  const parts = [Buffer.from(version).toString('latin1'), '\n'];
  let offset = parts[0]!.length + 1;
  const places: { readonly number: number; readonly generation: number; readonly offset: number }[] = [];
  for (const [name, { entry }] of members) {
    const [number, generation] = name.split(' ').map(Number);
    if (name === trailer || number === undefined || generation === undefined) continue;
    places.push({ number, generation, offset });
    const object = `${name}\n${withLength(textOf(entry))}\nendobj\n`;
    parts.push(object);
    offset += object.length;
  }
  addAll(parts, tableOf(places));
  const size = places.reduce((most, { number }) => Math.max(most, number), 0) + 1;
  const end = members.get(trailer);
  const last = end ? textOf(end.entry).replace(/>>$/, `/Size ${size}>>`) : '';
  parts.push(`trailer\n${last}\nstartxref\n${offset}\n%%EOF\n`);
  return Buffer.from(parts.join(''), 'latin1');
}

/** Each object has its own section, because any number may be missing. */
const tableOf = (
  places: readonly { readonly number: number; readonly generation: number; readonly offset: number }[],
) => [
  'xref\n0 1\n0000000000 65535 f \n',
  ...places.map(
    ({ number, generation, offset }) =>
      `${number} 1\n${`${offset}`.padStart(10, '0')} ${`${generation}`.padStart(5, '0')} n \n`,
  ),
];

function withLength(text: string): string {
  const head = headOf(text);
  if (head.length === text.length || !text.endsWith(behind)) return text;
  const length = text.length - head.length - between.length - behind.length;
  return `${head.replace(/>>\s*$/, `/Length ${Math.max(0, length)}>>`)}${text.slice(head.length)}`;
}

const textOf = (entry: Entry): string => (entry.kind === 'file' ? Buffer.from(entry.bytes).toString('latin1') : '');

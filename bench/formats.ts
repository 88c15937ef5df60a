/**
 * npm run bench -- formats <folder>
 * Writes inputs of which no part can be removed alone: tables, rows with the names of their columns, lists with their length in front
 * of them, data whose parts are found by their position or say how long they are, what is compressed. Each is a case for `npm run bench -- corpus <folder>`, which runs culprit
 * and its peers on it, and for `npm run bench -- passes <folder>`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crc32, deflateSync, gzipSync } from 'node:zlib';

interface Case {
  readonly file: string;
  readonly content: string | Uint8Array;
  /** A program that reads `text` or `bytes`, and fails as the input does if it calls `bad()`. */
  readonly check: string;
  /** The bytes of the smallest text that fails, as far as anybody knows. */
  readonly known: number;
}

/** The same numbers in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

const list = <T>(length: number, item: (i: number) => T): T[] => Array.from({ length }, (_, i) => item(i));
const some = numbers(7);
const names = 'id date customer country currency amount net gross discount status channel note'.split(' ');

const table = [names, ...list(2_000, i => names.map((_, at) => (at === 8 && i === 1_234 ? '5 %' : `${some(900)}`)))];
const rows = list(300, () => list(24, () => some(100) as number | null));
rows[211]![13] = null;
const columnar = { columns: list(24, i => `c${i}`), types: list(24, i => (i === 13 ? 'date' : 'int')), rows };
const clauses = list(900, () => `${list(3, () => (some(2) ? 1 : -1) * (1 + some(200))).join(' ')} 0`);
clauses.splice(444, 0, '17 -23 0');
clauses.splice(777, 0, '-17 0');
const tests = list(40, i => list(2 + some(50), () => 1 + some(i === 29 ? 9 : 1_000_000)));
const image = Uint8Array.from({ length: 20_000 }, () => 1 + some(255));
image.set([0x34, 0x12], 16);
image[0x1234] = 0xee;

const noise = (length: number) => Buffer.from(list(length, () => some(256)));
const uint32 = (value: number) => Buffer.from([24, 16, 8, 0].map(shift => (value >>> shift) & 255));
function chunk(name: string, data: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from(name), data]);
  return Buffer.concat([uint32(data.length), checked, uint32(crc32(checked))]);
}
const chunks = [
  chunk('IHDR', noise(13)),
  ...list(30, () => chunk('IDAT', noise(500 + some(3000)))),
  chunk('IEND', noise(0)),
];
chunks.splice(20, 0, chunk('gAMA', noise(5)));

function element(tag: number, data: Buffer): Buffer {
  const [high, low] = [data.length >> 8, data.length & 255];
  const length = data.length < 128 ? [low] : data.length < 256 ? [0x81, low] : [0x82, high, low];
  return Buffer.concat([Buffer.from([tag, ...length]), data]);
}
const nested = (deep: number): Buffer =>
  deep === 0
    ? element(some(2) ? 4 : 23, noise(13))
    : element(48, Buffer.concat(list(2 + some(3), () => nested(deep - 1))));
const time = element(23, noise(12));
const tree = element(
  48,
  Buffer.concat([nested(5), element(48, Buffer.concat([nested(3), time, nested(2)])), nested(4)]),
);

const orders = list(2_000, i => ({ id: some(900), name: `n${some(90)}`, price: i === 1_234 ? null : some(900) }));

/** Pages with compressed content, and a table with the place of each object. */
function pagesOf(contents: readonly string[]): Buffer {
  const kids = contents.map((_, i) => `${3 + 2 * i} 0 R`).join(' ');
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Count ${contents.length} /Kids [${kids}] >>`),
    ...contents.flatMap((content, i) => {
      const packed = deflateSync(content);
      const head = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`;
      return [
        Buffer.from(`<< /Type /Page /Parent 2 0 R /Contents ${4 + 2 * i} 0 R >>`),
        Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')]),
      ];
    }),
  ];
  const parts = [Buffer.from('%PDF-1.4\n')];
  const places: number[] = [];
  let at = parts[0]!.length;
  for (const [i, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    places.push(at);
    parts.push(part);
    at += part.length;
  }
  const rows = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}
const lines = list(20, page =>
  list(
    60,
    i => `BT 72 ${720 - 10 * i} Td (${page === 13 && i === 40 ? 'KABOOM' : `${some(90_000)} ${some(90_000)}`}) Tj ET`,
  ),
);

const cases: Readonly<Record<string, Case>> = {
  'csv-columns': {
    file: 'input.csv',
    known: 11,
    content: table.map(row => `${row.join(',')}\n`).join(''),
    check: `const [head, ...rows] = text.trim().split('\\n').map(line => line.split(','));
if (rows.every(row => row.length === head.length) && rows.some(row => / %$/.test(row[head.indexOf('discount')] ?? ''))) bad();`,
  },
  'json-columns': {
    file: 'input.json',
    known: 48,
    content: JSON.stringify(columnar),
    check: `const { columns, types, rows } = JSON.parse(text);
if (columns.length === types.length && rows.every(row => row.length === types.length))
  if (rows.some(row => row.some((cell, i) => types[i] === 'date' && cell === null))) bad();`,
  },
  dimacs: {
    file: 'input.cnf',
    known: 24,
    content: `c made\np cnf 200 ${clauses.length}\n${clauses.join('\n')}\n`,
    check: `const lines = text.trim().split('\\n').filter(line => line[0] !== 'c').map(line => line.trim());
const clauses = lines.slice(1);
if (/^p cnf \\d+ \\d+$/.test(lines[0]) && clauses.length === Number(lines[0].split(' ')[3]))
  if (clauses.includes('17 -23 0') && clauses.includes('-17 0')) bad();`,
  },
  'test-cases': {
    file: 'input.txt',
    known: 9,
    content: `${tests.length}\n${tests.map(each => `${each.length}\n${each.join(' ')}\n`).join('')}`,
    check: `const words = text.trim().split(/\\s+/).map(Number);
let at = 0, found = false;
for (let t = words[at++]; t > 0; t--) {
  const items = words.slice(at + 1, at + 1 + words[at]);
  if (items.length !== words[at] || items.some(item => !(item > 0))) process.exit(1);
  at += 1 + items.length;
  found ||= items.some((item, i) => i > 1 && item + items[i - 1] + items[i - 2] === 9);
}
if (found && at === words.length) bad();`,
  },
  position: {
    file: 'input.bin',
    known: 20_000,
    content: image,
    check: `if (bytes.length === 20000 && bytes[bytes.readUInt16LE(16)] === 0xee) bad();`,
  },
  chunks: {
    file: 'input.png',
    known: 57,
    content: Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]),
    check: `const { crc32 } = require('zlib');
const found = [];
let at = 8;
for (; at + 12 <= bytes.length; at += 12 + found.at(-1).size) {
  const size = bytes.readUInt32BE(at), end = at + 8 + size;
  if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) process.exit(1);
  found.push({ size, name: bytes.toString('latin1', at + 4, at + 8) });
}
if (at === bytes.length && bytes.toString('latin1', 1, 4) === 'PNG' && found[0].name === 'IHDR' && found[0].size === 13)
  if (found.at(-1).name === 'IEND' && found.some(({ name, size }) => name === 'gAMA' && size !== 4)) bad();`,
  },
  gzip: {
    file: 'input.json.gz',
    known: 50,
    content: gzipSync(JSON.stringify({ orders })),
    check: `const { orders } = JSON.parse(require('zlib').gunzipSync(bytes));
if (Array.isArray(orders) && orders.some(({ price }) => price === null)) bad();`,
  },
  pdf: {
    file: 'input.pdf',
    known: 313,
    content: pagesOf(lines.map(page => page.join('\n'))),
    check: `const file = bytes.toString('latin1');
const places = new Map();
let at = Number(/startxref\\s+(\\d+)\\s+%%EOF\\s*$/.exec(file)[1]);
if (!file.startsWith('xref', at)) process.exit(1);
const section = /\\s*(\\d+) (\\d+)\\s*\\n/y;
for (section.lastIndex = at + 4; ; ) {
  const head = section.exec(file);
  if (!head) break;
  for (let i = 0; i < Number(head[2]); i++, section.lastIndex += 20)
    places.set(Number(head[1]) + i, Number(file.slice(section.lastIndex, section.lastIndex + 10)));
  at = section.lastIndex;
}
const object = reference => {
  const number = Number(/^(\\d+) 0 R$/.exec(reference)[1]), place = places.get(number);
  const head = number + ' 0 obj\\n';
  if (!file.startsWith(head, place)) process.exit(1);
  return file.slice(place + head.length);
};
const value = (text, key) => new RegExp('/' + key + '\\\\s*(\\\\[[^\\\\]]*\\\\]|\\\\d+ 0 R|\\\\d+)').exec(text.split('endobj')[0])[1];
const root = object(value(file.slice(file.indexOf('trailer', at)), 'Root'));
const kids = value(object(value(root, 'Pages')), 'Kids').match(/\\d+ 0 R/g);
for (const kid of kids) {
  const content = object(value(object(kid), 'Contents'));
  const start = content.indexOf('stream\\n') + 7, length = Number(value(content, 'Length'));
  if (!content.startsWith('\\nendstream', start + length)) process.exit(1);
  const data = Buffer.from(content.slice(start, start + length), 'latin1');
  const isPacked = content.slice(0, start).includes('FlateDecode');
  if ((isPacked ? require('zlib').inflateSync(data) : data).includes('KABOOM')) bad();
}`,
  },
  nested: {
    file: 'input.der',
    known: 10,
    content: tree,
    check: `let found = false;
function read(at, end, deep) {
  let count = 0;
  for (; at < end; count++) {
    const tag = bytes[at];
    let size = bytes[at + 1];
    at += 2;
    if (size >= 128) {
      const width = size - 128;
      if (width > 2 || at + width > end) process.exit(1);
      size = bytes.readUIntBE(at, width);
      at += width;
    }
    if (!(at + size <= end)) process.exit(1);
    if (tag === 48) read(at, at + size, deep + 1);
    else if (tag === 23 && size !== 13 && deep === 2) found = true;
    at += size;
  }
  if (deep === 0 ? count !== 1 : deep === 1 && count !== 3) process.exit(1);
}
read(0, bytes.length, 0);
if (found && bytes[0] === 48) bad();`,
  },
};

const folder = process.argv[2];
if (!folder) {
  console.error('Where to? npm run bench -- formats <folder>');
  process.exit(2);
}
for (const [name, { file, content, check, known }] of Object.entries(cases)) {
  const place = resolve(folder, name);
  mkdirSync(place, { recursive: true });
  const program = `const bytes = require('fs').readFileSync('${file}'), text = String(bytes);
const bad = () => process.exit(0);
${check}
process.exit(1);
`;
  writeFileSync(join(place, file), content);
  writeFileSync(join(place, 'test.sh'), `#!/bin/sh\nnode -e '${program.replaceAll("'", `'\\''`)}' 2>/dev/null\n`, {
    mode: 0o755,
  });
  writeFileSync(join(place, 'meta.json'), `${JSON.stringify({ known_min_bytes: known })}\n`);
  console.log(`${join(folder, name)}: ${content.length.toLocaleString('en')} bytes`);
}

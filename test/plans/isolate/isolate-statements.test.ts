import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { Counter } from '../../../src/engine/index.js';
import { differenceOf } from '../../../src/plans/isolate/pair.js';
import { isolate } from '../../../src/plans/isolate/search.js';
import { identify } from '../../../src/sources/files.js';

const fileOf = (path: string, bytes: Uint8Array): Artifact => ({ files: new Map([[path, { kind: 'file', bytes }]]) });

const bytesIn = ({ files }: Artifact): Buffer => {
  const [entry] = files.values();
  return Buffer.from(entry?.kind === 'file' ? entry.bytes : []);
};

/** What is left, and the texts that were asked about. */
async function narrow(
  path: string,
  ends: readonly [Buffer, Buffer],
  isFailing: (text: string) => boolean | 'unresolved',
) {
  const asked: string[] = [];
  const search = isolate(
    { passing: fileOf(path, ends[0]), failing: fileOf(path, ends[1]) },
    async artifact => {
      const text = bytesIn(artifact).toString('latin1');
      asked.push(text);
      const found = isFailing(text);
      return { outcome: found === 'unresolved' ? found : found ? 'fail' : 'pass' };
    },
    { identify, counter: new Counter() },
  );
  let step = await search.next();
  while (!step.done) step = await search.next();
  const { passing, failing, minimal } = step.value;
  return { difference: differenceOf({ passing, failing }), passing, failing, minimal, asked };
}

const text = (...lines: readonly string[]): Buffer => Buffer.from(`${lines.join('\n')}\n`);

test('of a C function that only one side has, the body is not shown without its header, nor half of a declaration', async () => {
  const added = ['extern char *copy (char *to,', '    const char *from)', '{', '  return check (to, from);', '}'];
  const ends = [text('int a;', 'int b;'), text('int a;', ...added, 'int b;')] as const;
  const { difference, minimal } = await narrow('x.i', ends, all => all.includes('return check'));
  expect(difference).toEqual(added.map(line => `+${line}\n`));
  expect(minimal).toContain('statement');
  expect(minimal).not.toContain('line');
});

test('of a page, an element comes with both of its tags', async () => {
  const banner = ['<section class="new">', '<h2>Sale</h2>', '<p>Only today</p>', '</section>'];
  const page = (...lines: readonly string[]) => text('<html><body>', ...lines, '<p>x</p>', '</body></html>');
  const { difference } = await narrow('x.html', [page(), page(...banner)], all => all.includes('Only today'));
  expect(difference).toEqual(['+<section class="new">\n', '+<p>Only today</p>\n', '+</section>\n']);
});

test('of a YAML list that only one side has, items that do not matter go', async () => {
  const added = ['  metrics:', '    ports:', '      - "9090:9090"', '      - "3000:3001"'];
  const file = (...lines: readonly string[]) => text('services:', '  api:', '    image: app', ...lines, 'volumes: {}');
  const { difference } = await narrow('x.yml', [file(), file(...added)], all => all.includes('3000'));
  expect(difference).toEqual(['+  metrics:\n', '+    ports:\n', '+      - "3000:3001"\n']);
});

test('of a list in a program that only one side has, items that do not matter go', async () => {
  const items = ['  plugins: [', "    'first',", "    'second',", "    third('x'),", '  ],'];
  const file = (...lines: readonly string[]) => text('export default {', '  entry: "a",', ...lines, '};');
  const { difference } = await narrow('x.js', [file(), file(...items)], all => all.includes('third'));
  expect(difference).toEqual(['+  plugins: [\n', "+    third('x'),\n", '+  ],\n']);
});

test('lines of data at the end of a program are differences of their own', async () => {
  const file = (...lines: readonly string[]) => text('puts DATA.read', '__END__', 'first : 1', ...lines);
  const { difference } = await narrow('x.rb', [file(), file('second : 2', 'third : 3', 'fourth : 4')], all =>
    all.includes('third'),
  );
  expect(difference).toEqual(['+third : 3\n']);
});

test('words inside a line of a page are not cut in the middle of an element', async () => {
  const ends = [text('<ul><li>18</li></ul>'), text('<ul class="a"><li><del>18</del> 17</li></ul>')] as const;
  const { difference, asked } = await narrow('x.html', ends, all => all.includes('del>'));
  expect(difference).toEqual(['-<ul><li>18</li></ul>\n', '+<ul><li><del>18</del> 17</li></ul>\n']);
  for (const each of asked) expect(each.includes('<del>')).toBe(each.includes('</del>'));
});

test('a Latin-1 text and a UTF-8 text are mixed byte by byte', async () => {
  const lines = ['café', 'one', 'naïve', 'two'];
  const ends = [Buffer.from(`${lines.join('\n')}\n`, 'latin1'), text(...lines)] as const;
  // What UTF-8 makes of `ï`, read byte by byte.
  const { passing, failing } = await narrow('x.txt', ends, all => all.includes('Ã¯'));
  const [a, b] = [bytesIn(passing), bytesIn(failing)];
  const isFrom = (line: Buffer, i: number) =>
    ends.some(end => end.toString('latin1').split('\n')[i] === line.toString('latin1'));
  for (const side of [a, b])
    for (const [i, line] of side.toString('latin1').split('\n').entries())
      expect(isFrom(Buffer.from(line, 'latin1'), i)).toBe(true);
  expect(a.equals(b)).toBe(false);
});

test('a function that was written anew is not defined twice', async () => {
  const old = ['def total(items):', '    s = 0', '    for i in items:', '        s += i', '    return s'];
  const now = [
    'def total(items, less=0):',
    '    result = 0',
    '    for item in items:',
    '        result += item - less',
    '    return result',
  ];
  const file = (...lines: readonly string[]) =>
    text('import sys', ...lines, 'def main():', '    print(total([1, 2]))', 'main()');
  const { asked, difference } = await narrow('x.py', [file(...old), file(...now)], all => all.includes('less=0'));
  expect(asked.filter(each => each.split('def total').length > 2)).toEqual([]);
  expect(difference).toContain('+def total(items, less=0):\n');
});

test('of programs that were written anew, the function is found first', async () => {
  const old = ['function read() {', '  return [2, 4];', '}', 'function total(items) {', '  var s = 0;'];
  const now = ['const read = () => {', '  const list = [];', '  list.push(2, 4);', '  return list;', '};'];
  const oldTotal = ['  for (var i = 0; i < items.length; i++) {', '    s += items[i];', '  }', '  return s;', '}'];
  const nowTotal = ['function total(all, less = 0) {', '  let result = 0;', '  for (const one of all) {'];
  const rest = ['    result += one - less;', '    less += 1;', '  }', '  return result;', '}'];
  const check = 'if (total(read()) !== 6) throw new Error("wrong total");';
  const isWrong = (program: string): boolean | 'unresolved' => {
    try {
      runInNewContext(program);
      return false;
    } catch (error) {
      return (error as Error).message === 'wrong total' || 'unresolved';
    }
  };
  const ends = [text(...old, ...oldTotal, check), text(...now, ...nowTotal, ...rest, check)] as const;
  const { passing, failing, minimal } = await narrow('x.js', ends, isWrong);
  expect(minimal).toContain('function');
  const reading = ({ files }: Artifact) => bytesIn({ files }).toString().split('function total')[0];
  expect(reading(passing)).toBe(reading(failing));
});

test('data of the same size is narrowed by byte, and the rows that differ are shown', async () => {
  const passing = Buffer.alloc(64);
  const failing = Buffer.from(passing.map((_, i) => (i % 5 === 1 ? 0xfe : 0)));
  const { difference, minimal } = await narrow('x.bin', [passing, failing], all => all.charCodeAt(36) === 0xfe);
  expect(minimal).toEqual(['byte']);
  expect(difference.map(row => row.slice(0, 9))).toEqual(['-00000020', '+00000020']);
  const changed = [...difference[1]!].filter((letter, i) => i > 0 && letter !== difference[0]![i]).join('');
  expect(changed.startsWith('fe')).toBe(true);
});

test('data of another size is narrowed by line', async () => {
  const [passing, failing] = [Buffer.from('\0a\n\0b\n\0c\n'), Buffer.from('\0a\n\0x\n\0y\n\0c\n')];
  const { minimal } = await narrow('x.bin', [passing, failing], all => all.includes('y'));
  expect(minimal).toContain('line');
});

import { expect, test } from 'vitest';
import { all, empty } from '../../../src/core/index.js';
import { sliceOf } from '../../../src/reductions/sliced.js';
import { outlineOf } from '../../../src/reductions/text/outline.js';
import { outlineEdits } from '../../../src/reductions/text/outline-edits.js';
import { outlineUnits } from '../../../src/reductions/text/outline-units.js';

const partsOf = async (text: string) =>
  (await outlineOf(text)).map(({ start, end, within }) => [
    text
      .slice(start, end)
      .trim()
      .split(/\s*\n\s*/)
      .join(' / '),
    within,
  ]);

test('a line has what is further to the right, and the line that ends it', async () => {
  expect(
    await partsOf(
      'package P is\n   procedure A is\n      X : T;\n   begin\n      null;\n   end A;\n\n   Y : T;\nend P;\n',
    ),
  ).toEqual([
    ['package P is / procedure A is / X : T; / begin / null; / end A; / Y : T; / end P;', -1],
    ['procedure A is / X : T; / begin / null; / end A;', 0],
    ['X : T;', 1],
    ['null;', 1],
    ['Y : T;', 0],
  ]);
});

test('what is in the brackets of a line belongs to it, wherever it begins', async () => {
  expect(await partsOf('define void @f() {\n  br label %a\na:\n  ret void\n}\ndeclare void @g()\n')).toEqual([
    ['define void @f() { / br label %a / a: / ret void / }', -1],
    ['br label %a', 0],
    ['a: / ret void', 0],
    ['ret void', 2],
    ['declare void @g()', -1],
  ]);
});

test('a body after closed parameters belongs to them', async () => {
  const module = 'module m(\n  input a\n);\n  assign b = a;\nendmodule\nmodule n;\nendmodule\n';
  expect((await partsOf(module)).filter(([, within]) => within === -1)).toEqual([
    ['module m( / input a / ); / assign b = a; / endmodule', -1],
    ['module n;', -1],
    ['endmodule', -1],
  ]);
});

test('unmatched brackets and a text without an end do not matter', async () => {
  for (const text of ['', '\n\n', ')\n  (\n]\n', '{\n{\n{', '\t\tx\n y\nend'])
    for (const { from, start, end, head, within } of await outlineOf(text)) {
      expect(from <= start && start < head && head <= end).toBe(true);
      expect(within).toBeGreaterThanOrEqual(-1);
    }
});

test('inner parts are removed before the ones that contain them', async () => {
  const text = 'a\n  b\n    c\nd\n  e\n';
  const edits = await outlineEdits(text, 2);
  expect(edits.map(({ spans: [span] }) => text.slice(span!.start, span!.end))).toEqual([
    '  b\n    c\n',
    'a\n  b\n    c\n',
    'd\n  e\n',
  ]);
  expect(await outlineEdits('a\nb\nc\n', 1)).toEqual([]);
});

/** What is left of a text if only the line with this is kept, with what it uses. */
async function around(text: string, word: string): Promise<string | undefined> {
  const slice = sliceOf({ text, units: await outlineUnits(text), fixed: [0] }, [text.indexOf(word)]);
  expect(slice?.build(all(2))).toBe(text);
  return slice?.build([0, 1]);
}

const many = (line: (i: number) => string): string => Array.from({ length: 40 }, (_, i) => line(i)).join('');

test('a slice has the tables that a query mentions', async () => {
  const text = `${many(i => `CREATE TABLE t${i} (\n  id INT\n);\nINSERT INTO t${i} VALUES (1);\n`)}SELECT * FROM t7 JOIN t9;\n`;
  expect(await around(text, 'SELECT')).toBe(
    'CREATE TABLE t7 (\n  id INT\n);\nINSERT INTO t7 VALUES (1);\nCREATE TABLE t9 (\n  id INT\n);\nINSERT INTO t9 VALUES (1);\nSELECT * FROM t7 JOIN t9;\n',
  );
});

test('a slice of a module has its first and last line, and of a name in two functions the one that is meant', async () => {
  const body = (i: number) => `  (func $f${i} (type $t)\n    local.get $p\n    call $g${i % 2}\n    drop)\n`;
  const text = `(module\n  (type $t (func))\n  (import "a" "b" (func $g0))\n  (import "a" "c" (func $g1))\n${many(body)}  (memory 1))\n`;
  expect(await around(text, 'func $f8 ')).toBe(
    `(module\n  (type $t (func))\n  (import "a" "b" (func $g0))\n${body(8)}`,
  );
});

test('words of the notation and of comments are no names', async () => {
  const text = `${many(i => `procedure P${i} is\n   X : T; -- P1, P2 and P3\nbegin\n   P${(i * 7) % 40};\n   return;\nend P${i};\n`)}`;
  expect((await around(text, 'procedure P0 '))!.match(/procedure \w+/g)).toEqual(['procedure P0']);
  expect((await around(text, 'procedure P1 '))!.match(/procedure \w+/g)).toContain('procedure P7');
  expect((await around(text, 'procedure P1 '))!.match(/procedure \w+/g)).not.toContain('procedure P2');
});

test('the empty slice is what is fixed', async () => {
  const text = many(i => `let f${i} x =\n  f${Math.max(0, i - 1)} x\n`);
  const slice = sliceOf({ text, units: await outlineUnits(text), fixed: [0] }, [text.indexOf('f3 x =')]);
  expect(slice?.build(empty)).toBe('let f3 x =\n  f2 x\n');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { structureOf } from '../../../src/reductions/tree/index.js';
import { apply } from '../../../src/syntax/text-cut.js';

const sub = (name: string, head: string) => `sub ${name}${head} {\n  return ${name}1(2);\n}\n`;
const pod = Array.from({ length: 20 }, (_, i) => `=item option${i}\n\nWhat it is for.\n`).join('\n');

test('lines behind a head that the grammar of Perl does not know can be removed one by one', async () => {
  const text = `${sub('a', '')}${sub('b', ' ($)')}__END__\n${pod}`;
  const { unreadableLines } = await structureOf('a.pl');
  const edits = await unreadableLines.edits(text);
  expect(edits.length).toBeGreaterThan(60);
  const last = edits.at(-1)!;
  expect(apply(text, last)).toBe(text.slice(0, text.lastIndexOf('What')));
});

test('a text that the grammar can read has no such lines, and neither has one without a grammar', async () => {
  const read = `${sub('a', '')}${sub('b', '')}__END__\n${pod}`;
  expect(await (await structureOf('a.pl')).unreadableLines.edits(read)).toEqual([]);
  expect(await (await structureOf('a.unknown')).unreadableLines.edits(`${read}(((`)).toEqual([]);
});

test('whatever the ends of lines are, each line goes with its own, and none goes twice', async () => {
  const { unreadableLines } = await structureOf('a.pl');
  const line = fc.constantFrom('sub b ($) {', '}', '', ' x', ')', '{ (');
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lines, async parts => {
      const text = parts.flat().join('');
      let end = 0;
      for (const { spans } of await unreadableLines.edits(text)) {
        expect(spans).toHaveLength(1);
        expect(spans[0]!.start).toBeGreaterThanOrEqual(end);
        end = spans[0]!.end;
        expect(text.slice(spans[0]!.start, end)).toMatch(/^[^\r\n]*(?:\r\n|\n|\r)?$/);
      }
    }),
    { numRuns: 60 },
  );
});

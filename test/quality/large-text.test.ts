/** Large texts without a grammar. */
import { expect, test } from 'vitest';
import { reach } from './reach.js';

test('what is before a cause at the end of a large text goes first, by halves', async () => {
  const needed = ['north', 'east', 'south', 'west'];
  const filler = Array.from({ length: 3_000 }, (_, i) => `line ${i} of nothing\n`);
  const end = needed.flatMap((word, i) => [...filler.slice(0, 6 + i), `${word}\n`]).join('');
  const text = filler.join('') + end;
  const { accepted, bytes } = await reach('input.bin', text, one => needed.every(word => one.includes(word)));
  const halvings = accepted.findIndex(one => one.length < 2 * end.length);
  expect(halvings).toBeLessThanOrEqual(6);
  expect(bytes).toBe(needed.join('').length);
});

test('blank lines of a large text go together, before lines are tried', async () => {
  const needed = ['north', 'east', 'south', 'west'];
  const part = `${'nothing\n'.repeat(300)}${'\n'.repeat(3_000)}`;
  const text = needed.map(word => `${part}${word}\n`).join('') + part;
  const { accepted, bytes } = await reach('input.log', text, one => needed.every(word => one.includes(word)));
  const at = accepted.findIndex(one => !one.includes('\n\n'));
  expect(accepted[at]!.split('nothing').length).toBe((accepted[at - 1] ?? text).split('nothing').length);
  expect(bytes).toBe(needed.join('').length);
});

test('entries of several words leave a quoted list together', async () => {
  const isPath = (one: string) => /^<path d="M4 6t9 1(?: \d \d)*"\/>$/.test(one);
  const { text } = await reach('input.svg', '<path d="M4 6t9 1 9 3 8 5 0 5 3 3"/>', isPath);
  expect(text).toBe('<path d="M4 6t9 1"/>');
});

test.each([
  ['a bare end', (i: number, body: string) => `      SUB S${i}\n${body}      END IF\n      END\n`],
  ['a named end', (i: number, body: string) => `procedure S${i} is\n${body}   end if;\nend S${i};\n`],
  ['a blank line', (i: number, body: string) => `S${i}:\n${body}\n`],
])('blocks of a large text that end with %s go as a whole', async (_, block) => {
  const body = (i: number) => (i === 377 ? '   CRASH\n' : '   IF X THEN\n   CALL SOMETHING\n'.repeat(1 + (i % 5)));
  const all = Array.from({ length: 400 }, (__, i) => block(i, body(i)));
  const isWhole = (one: string) =>
    all.reduce((rest, each) => (rest.startsWith(each) ? rest.slice(each.length) : rest), one) === '';
  const { text } = await reach('input.zzz', all.join(''), one => one.includes('CRASH') && isWhole(one));
  expect(text).toBe(all[377]);
});

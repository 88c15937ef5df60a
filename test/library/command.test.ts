/** A command as a test, and texts reduced by their syntax, for people who import culprit. */
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { commandTest, simplify, UserError } from '../../src/index.js';

const script = (line: string) => ['sh', '-c', line, 'sh', '{}'];

const leftBehind = () =>
  [...new Set(['/dev/shm', tmpdir()])]
    .filter(existsSync)
    .flatMap(folder => readdirSync(folder))
    .filter(name => name.startsWith(`culprit-${process.pid}-`));

test('a command is the test: the failure of the first run counts, and no other', async () => {
  const text = 'a = 1;\nb = 2;\nBUG;\nc = 3;\nOTHER;\n';
  const line = 'grep -q BUG "$1" && { echo "Error: one" >&2; exit 3; }; grep -q OTHER "$1" && exit 4; exit 0';
  const run = await commandTest(text, script(line), { file: 'bug.js', workers: 2 });
  expect(run.rule).toContain('Error: one');
  const { value, minimal } = await simplify(text, run, { language: 'javascript', workers: 2 });
  await run.close();
  expect(value).toBe('BUG');
  expect(minimal).toContain('node');
  expect(leftBehind()).toEqual([]);
});

test('a command may read its standard input', async () => {
  const run = await commandTest('x\nBUG\n', ['grep', '-q', 'BUG'], { stdin: true, interesting: true });
  const { value } = await simplify('x\nBUG\n', run);
  await run.close();
  expect(value).toBe('BUG');
});

test('a command that does not fail is refused with a sentence, and leaves nothing behind', async () => {
  await expect(commandTest('x\n', ['true'])).rejects.toThrow(UserError);
  await expect(commandTest('x\n', ['true'])).rejects.toThrow(/the command succeeds/);
  expect(leftBehind()).toEqual([]);
});

test.each([
  ['python', 'def f(a):\n    return a\n\nprint(f(1))\nboom()\n', 'boom()'],
  ['json', '{"a": [1, 2, {"b": "boom()"}], "c": null}', 'boom()'],
  ['c', 'int f(int a) { return a; }\nint main() { f(1); boom(); }\n', 'boom()'],
  ['py', 'if x:\n    y = [boom() for a in b]\n', 'boom()'],
])('a text in %s is reduced by its tree', async (language, text, expected) => {
  const { value } = await simplify(text, each => each.includes('boom()'), { language, level: 'semantic' });
  expect(value.trim().replace(/;$/, '')).toContain(expected);
  expect(value.length).toBeLessThan(text.length / 2);
});

test('a language that nobody knows is named, with those that are known', async () => {
  const search = simplify('x', () => true, { language: 'klingon' });
  await expect(Promise.resolve(search)).rejects.toThrow(/no language called "klingon"/);
  await expect(
    Promise.resolve(simplify('ab', each => each.includes('a'), { language: 'c', by: 'line' })),
  ).rejects.toThrow(/cannot be combined/);
});

/** What a program prints in a run, and a program that only prints it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchPrinted } from '../../../src/oracle/coverage/index.js';
import { languageOf } from '../../../src/reductions/tree/index.js';
import { folder, inScratch } from '../../circumstances/changes/folders.js';

/** What is seen of a run, and what the program and the one that only prints write. */
const printed = (
  name: string,
  text: string,
  program: string,
  env: Readonly<Record<string, string>> = {},
  others: Readonly<Record<string, string>> = {},
) =>
  inScratch(async root => {
    const [tree, tmp] = [join(root, 'tree'), join(root, 'tmp')];
    mkdirSync(tree);
    mkdirSync(tmp);
    const around = { ...process.env, ...env };
    const look = watchPrinted(folder({ [name]: text, ...others }), around);
    const run = (code: string, more: Readonly<Record<string, string>>) => {
      for (const [path, content] of Object.entries({ ...others, [name]: code }))
        writeFileSync(join(tree, path), content);
      const { stdout, stderr, status } = spawnSync(program, [name], {
        cwd: tree,
        env: { ...around, ...more },
        encoding: 'utf8',
      });
      return { stdout, stderr, status };
    };
    const plain = run(text, {});
    const watched = run(text, look.built(tree, tmp));
    const seen = look.ran(tree, tmp)!;
    return { plain, watched, seen, again: run(languageOf(name)!.printing!(seen), {}) };
  });

test('a Node program that is watched does the same, and so does one that only prints what it printed', async () => {
  const text = `console.log('100%s "quoted" \\\\ é', 2);
console.error('two\\nlines');
process.stdout.write('open end');
process.exitCode = 3;
`;
  const { plain, watched, seen, again } = await printed('a.js', text, process.execPath);
  expect(plain.status).toBe(3);
  expect(watched).toEqual(plain);
  expect(again).toEqual(plain);
  expect(seen).toMatchObject({ path: 'a.js', exit: 3, isOpen: true });
  expect(seen.lines.map(([stream]) => stream)).toEqual([1, 2, 2, 1]);
});

test('a Python program too', async () => {
  const text = `import sys
print('100%s "quoted"', '\\\\', 'é')
print('two\\nlines', file=sys.stderr)
print('open end', end='')
sys.exit(3)
`;
  const { plain, watched, seen, again } = await printed('a.py', text, 'python3');
  expect(plain.status).toBe(3);
  expect(watched).toEqual(plain);
  expect(again).toEqual(plain);
  expect(seen.path).toBe('a.py');
});

test('an error of the language that ends a program is thrown again, and one of another class is only an end', async () => {
  const javascript = "console.log(1);\nlet a;\nfunction f() { throw new TypeError('bad \\'a\\''); }\nf();\n";
  const { seen, again } = await printed('a.js', javascript, process.execPath);
  expect(seen).toMatchObject({ exit: 1, thrown: ['TypeError', "bad 'a'"] });
  expect(again).toMatchObject({ status: 1, stdout: '1\n' });
  expect(again.stderr).toContain("TypeError: bad 'a'\n");
  const own = "class Own extends Error {}\nconsole.log(1);\nthrow new Own('bad');\n";
  const other = await printed('a.js', own, process.execPath);
  expect(other.seen.thrown).toBeUndefined();
  expect(other.again).toMatchObject({ status: 1, stderr: '' });
  const python = 'def f(key):\n    return {}[key]\nf("bad \\"key\\"")\n';
  const found = await printed('a.py', python, 'python3');
  expect(found.seen).toMatchObject({ exit: 1, lines: [], thrown: ['KeyError', 'bad "key"'] });
  expect(found.again.stderr.split('\n').at(-2)).toBe(found.plain.stderr.split('\n').at(-2));
});

test('the program that is started counts, and not one that it starts', async () => {
  const text =
    "const { spawnSync } = require('node:child_process');\nspawnSync(process.execPath, ['b.js'], { stdio: 'inherit' });\nconsole.log('text');\n";
  const { seen } = await printed('a.js', text, process.execPath, {}, { 'b.js': "console.log('other text');\n" });
  expect(seen.lines).toEqual([[1, 'text']]);
});

test('a line that may be a secret is left out', async () => {
  const text = `const { HOST_OF_MINE, PASS_OF_MINE } = process.env;
console.log('known words of the input: HOST, input');
console.log('on', HOST_OF_MINE);
console.log('a part of it:', PASS_OF_MINE.slice(0, 6));
console.log('key', Buffer.from('0123456789abcdef').toString('hex'));
console.log(__dirname);
console.log('fresh ' + (20 + 3));
`;
  const env = { HOST_OF_MINE: 'gully', PASS_OF_MINE: 'orange-42-kettle' };
  const { plain, seen } = await printed('a.js', text, process.execPath, env);
  expect(plain.stdout).toContain('gully');
  expect(seen.lines.map(([, line]) => line)).toEqual(['known words of the input: HOST, input', 'fresh 23']);
});

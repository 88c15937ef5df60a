/** What a failure names is asked for first: by itself, then with what it uses. */
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';

const functions = Array.from(
  { length: 600 },
  (_, i) => `function f${i}(value) {\n  return value + ${i} * value;\n}\n`,
).join('');
const program = `${functions}function helper() { return undefined; }\n${functions.replaceAll('function f', 'function g')}helper().length;\nf1(2);\n`;

/** The passes that reduced the input, in order, with the size after each. */
const stepsIn = (stdout: string): readonly [string, number][] => {
  let pass = '';
  const steps: [string, number][] = [];
  for (const line of stdout.split('\n').filter(Boolean)) {
    const event = JSON.parse(line);
    if (event.type === 'pass') pass = event.pass;
    if (event.type === 'reduced') steps.push([pass, event.size.bytes]);
  }
  return steps;
};

/** Says which line is wrong, but only in a file of its own. */
const quietly = `#!/bin/sh
sed -n '/helper().length/=' in.js | sed 's/.*/in.js:&:1: Error: no length/' >log.txt
grep -q 'function helper' in.js && grep -q 'no length' log.txt
`;

test('a place that is named in the output: one question leaves it and what it uses', async () => {
  const cwd = folderWith({ 'in.js': program });
  const run = async (jobs: string) =>
    culprit(['reduce', 'in.js', '-j', jobs, '--max-tests', '12', '--run', jobs, '--events', '--', 'node', '{}'], {
      cwd,
    });
  const one = stepsIn((await run('1')).stdout);
  expect(one[0]![0]).toBe('named places');
  expect(one[0]![1]).toBeLessThan(200);
  const two = stepsIn((await run('2')).stdout);
  expect(two.slice(0, one.length)).toEqual(one.slice(0, two.length));
});

test('a place that is named in a file that the script writes; the run can be verified', async () => {
  const cwd = folderWith({ 'in.js': program, 't.sh': quietly });
  const args = ['reduce', 'in.js', '--interesting', '-j', '1', '--run', 'r', '--events', '--', './t.sh'];
  const { code, stdout } = await culprit(args, { cwd });
  expect(code).toBe(0);
  const [first] = stepsIn(stdout);
  expect(first![0]).toBe('named places');
  expect(first![1]).toBeLessThan(200);
  expect(await culprit(['verify', 'r'], { cwd })).toMatchObject({ code: 0 });
});

test('a place that has nothing to do with it costs two questions', async () => {
  const misleading = `#!/bin/sh
grep -q 'f7(value)' in.js && { echo 'in.js:900:1: Error: something else' >&2; exit 3; }
exit 0
`;
  const cwd = folderWith({ 'in.js': program, 't.sh': misleading });
  const { code, stdout } = await culprit(['reduce', 'in.js', '-j', '1', '--events', '--', './t.sh'], { cwd });
  expect(code).toBe(0);
  const events = stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
  const from = events.findIndex(({ type, pass }) => type === 'pass' && pass === 'named places');
  const to = events.findIndex(({ type }, i) => i > from && type === 'pass');
  expect(from).toBeGreaterThanOrEqual(0);
  expect(events.slice(from, to).filter(({ type }) => type === 'answered')).toHaveLength(2);
});

test('a file that is named among many: one question leaves it', async () => {
  const modules = Array.from({ length: 40 }, (_, i) => [
    `app/src/m${i}.js`,
    `import { a } from './m${(i + 1) % 40}.js';\n${functions.slice(0, 800)}${i === 31 ? 'BOOM();\n' : ''}`,
  ]);
  const cwd = folderWith({ ...Object.fromEntries(modules), 'app/package.json': '{}' });
  const args = [
    'reduce',
    'app',
    '-j',
    '1',
    '--max-tests',
    '8',
    '--events',
    '--match',
    'BOOM',
    '--',
    'grep',
    '-rn',
    'BOOM',
    '{}',
  ];
  const [first] = stepsIn((await culprit(args, { cwd })).stdout);
  expect(first![0]).toBe('named files');
  expect(first![1]).toBeLessThan(1_000);
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith, lines } from './culprit.js';

/** One small real reduction by a rule: what is left of the file. */
async function leftBy(options: readonly string[], input: string, ...command: readonly string[]) {
  const cwd = folderWith({ 'in.txt': input });
  const args = ['reduce', 'in.txt', '--json', '--timeout', '60', ...options, '--', ...command];
  const { code, stdout, stderr } = await culprit(args, { cwd });
  expect(stderr).not.toMatch(/bug (of|in) culprit/);
  expect(code, stderr).toBe(0);
  return { left: readFileSync(join(cwd, 'in.reduced.txt'), 'utf8'), json: JSON.parse(stdout), stderr, cwd };
}

test('--interesting: exit 0 is the failure', async () => {
  const { left, stderr } = await leftBy(['--interesting'], 'a\nneedle\nb\n', 'grep', '-q', 'needle', '{}');
  expect(left).toBe('needle');
  expect(stderr).toContain('fail = exit 0 (--interesting)');
});

test('--bisect: 1 to 124 fail, 125 cannot tell, 128 and above neither', async () => {
  const line = 'grep -q skip {} || exit 125; grep -q crash {} || exit 130; grep -q bad {} && exit 7; exit 0';
  const { left, json } = await leftBy(['--bisect', '--by', 'line'], 'a\nskip\nb\ncrash\nbad\nc\n', line);
  expect(left).toBe('skip\ncrash\nbad\n');
  expect(json.unresolved).toBeGreaterThan(0);
});

test('--match: what is printed is the failure, however the command ends', async () => {
  const { left } = await leftBy(['--match', 'total: [0-9]+$'], 'x\ntotal: 42\ny\n', 'cat', '{}');
  expect(left).toMatch(/^total: [0-9]$/);
});

test('--exit: one exit code is the failure, and another is not', async () => {
  const line = 'grep -q four {} && exit 4; grep -q five {} && exit 5; exit 0';
  expect((await leftBy(['--exit', '5'], 'six\nfive\n', line)).left).toBe('five');
});

test('--signal: one signal is the failure', async () => {
  const line = 'grep -q dies {} && kill -ABRT $$; grep -q other {} && kill -SEGV $$; exit 0';
  expect((await leftBy(['--signal', 'abrt'], 'x\nit dies\ny\n', line)).left).toBe('dies');
});

test('--hang: not to end within the time is the failure', async () => {
  const line = 'grep -q loop {} && sleep 60; exit 0';
  const { left } = await leftBy(['--hang', '--timeout', '2', '--by', 'line', '-j', '1'], 'x\nloop\n', line);
  expect(left).toBe('loop\n');
});

test('--differs: two commands that print something else are the failure', async () => {
  const { left } = await leftBy(['--differs', 'sort {}', '--by', 'line'], 'b\nc\na\nd\n', 'cat', '{}');
  expect(left).toMatch(/^(b|c)\na\n$/);
});

test('--differs: a script of the other command is found where the user is, and how it ended is shown', async () => {
  const files = { 'in.txt': 'a\nb\nc\n', 'upper.sh': "tr 'b' 'B' <$1\n" };
  const args = (other: string) => ['reduce', 'in.txt', '--differs', other, '--by', 'line', '--', 'cat', '{}'];
  const cwd = folderWith(files);
  const { code, stderr } = await culprit(args('sh upper.sh {}'), { cwd });
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('b\n');
  expect(stderr).toContain('$ sh upper.sh {}  (compared with)');
  const same = await culprit(args('cat {}'), { cwd: folderWith(files) });
  expect(same.code).toBe(1);
  expect(same.stderr).toContain('the two commands print the same');
  const missing = await culprit(args('no-such-program {}'), { cwd: folderWith(files) });
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain('The command of --differs, no-such-program {}, ended with exit 127');
});

test('--timeout: what takes longer is unresolved, and not blamed', async () => {
  const line = 'grep -q slow {} || sleep 60; grep -q bad {} && { echo "Error: bad" >&2; exit 1; }; exit 0';
  const { left, json } = await leftBy(['--timeout', '2', '--by', 'line', '-j', '1'], 'x\nslow\nbad\n', line);
  expect(left).toBe('slow\nbad\n');
  expect(json.unresolved).toBeGreaterThan(0);
});

test('--memory: a test that wants more than it may have fails in another way', async () => {
  const script = `const text = require('fs').readFileSync(process.argv[2], 'utf8');
if (!text.includes('lean')) Buffer.alloc(4e9, 1);
if (text.includes('bad')) throw new TypeError('bad input');`;
  const cwd = folderWith({ 'in.txt': 'x\nlean\nbad\n', 'tool.cjs': script });
  const args = [
    'reduce',
    'in.txt',
    '--memory',
    '1500',
    '--by',
    'line',
    '--json',
    '--',
    process.execPath,
    'tool.cjs',
    '{}',
  ];
  const { code, stderr } = await culprit(args, { cwd });
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('lean\nbad\n');
});

test('--processes: a test that starts more than it may is unresolved, and an original that does is refused', async () => {
  const line =
    'grep -q calm {} || { for i in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; wait; }; grep -q bad {} && exit 3; exit 0';
  const { left, json } = await leftBy(['--processes', '6', '--by', 'line', '-j', '1'], 'x\ncalm\nbad\n', line);
  expect(left).toBe('calm\nbad\n');
  expect(json.unresolved).toBeGreaterThan(0);
  const cwd = folderWith({ 'in.txt': 'bad\n' });
  const { code, stderr } = await culprit(['reduce', 'in.txt', '--processes', '6', '--', line], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('exceeds the limit on processes (--processes)');
});

test('--repeat: a failure that shows only at every third look is found', async () => {
  const script = `#!/bin/sh
n=$(cat "$COUNT" 2>/dev/null || echo 0); echo $((n + 1)) > "$COUNT"
if grep -q bad "$1" && [ $((n % 3)) = 0 ]; then echo "Error: bad" >&2; exit 1; fi
`;
  const cwd = folderWith({ 'in.txt': 'a\nb\nbad\nc\n', 't.sh': script });
  const how = { cwd, env: { COUNT: join(cwd, 'count') } };
  const args = ['reduce', 'in.txt', '-j', '1', '--repeat', '3', '--by', 'line', '--', './t.sh', '{}'];
  const { code, stderr } = await culprit(args, how);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('unstable');
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('bad\n');
});

test('by default another failure is unresolved, and kept once with the input that shows it', async () => {
  const line = `grep -q first {} || { echo "Error: no first" >&2; exit 1; }; grep -q bad {} && { echo "Error: bad" >&2; exit 1; }; exit 0`;
  const { left, cwd, json } = await leftBy(['--by', 'line'], 'x\nfirst\ny\nbad\n', line);
  expect(left).toBe('first\nbad\n');
  expect(json.signature).toContain('Error: bad');
  const others = join(cwd, '.culprit/in-1/other-failures');
  const names = readdirSync(others);
  expect(names).toHaveLength(2);
  expect(readFileSync(join(others, names.find(name => name.endsWith('.txt'))!), 'utf8')).toContain('Error: no first');
  const folder = names.find(name => !name.endsWith('.txt'))!;
  expect(readFileSync(join(others, folder, 'in.txt'), 'utf8')).not.toContain('first');
});

test('the path of the original in the command stands for the candidate', async () => {
  const cwd = folderWith({ 'src/in.txt': 'a\nBOOM\nb\n' });
  const args = ['reduce', 'src/in.txt', '--interesting', '--', 'grep', '-q', 'BOOM'];
  expect((await culprit([...args, 'src/in.txt'], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, 'src/in.reduced.txt'), 'utf8')).toBe('BOOM');
  expect((await culprit([...args, join(cwd, 'src/in.txt')], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, 'src/in.reduced.txt'), 'utf8')).toBe('BOOM');
});

test('a command without {} finds the input under its own name in the folder it starts in', async () => {
  const cwd = folderWith({ 'in.txt': 'a\nBOOM\nb\n', 'test.sh': '#!/bin/sh\ngrep -q BOOM in.txt\n' });
  expect((await culprit(['reduce', 'in.txt', '--interesting', '--', './test.sh'], { cwd })).code).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('BOOM');
});

test('a folder is reduced to the files that matter, and each of them to what matters', async () => {
  const cwd = folderWith({ 'src/a.txt': 'one\nBOOM\n', 'src/b/c.txt': 'two\n', 'src/b/d.txt': 'three\nBANG\n' });
  const line = 'grep -rq BOOM {} && grep -rq BANG {}';
  expect((await culprit(['reduce', 'src', '--interesting', '-o', 'out', '--', line], { cwd })).code).toBe(0);
  expect(readdirSync(join(cwd, 'out'), { recursive: true }).sort()).toEqual(['a.txt', 'b', 'b/d.txt']);
  expect(readFileSync(join(cwd, 'out/a.txt'), 'utf8')).toBe('BOOM');
  expect(readFileSync(join(cwd, 'src/a.txt'), 'utf8')).toBe('one\nBOOM\n');
});

test('--verbose prints every test, --quiet the result only', async () => {
  const cwd = folderWith({ 'in.txt': 'a\nBOOM\nb\n' });
  const args = ['--interesting', '--json', '--', 'grep', '-q', 'BOOM', '{}'];
  const verbose = await culprit(['reduce', 'in.txt', '--verbose', ...args], { cwd });
  const { tests } = JSON.parse(verbose.stdout);
  expect(verbose.stderr.split('\n').filter(line => /^ +\d+ {2}[✓✗?] /.test(line))).toHaveLength(tests);
  const quiet = await culprit(['reduce', 'in.txt', '--quiet', ...args], { cwd });
  expect(quiet.stderr.trim().split('\n')).toEqual([`9 → 4 bytes: ${join(cwd, 'in.reduced.txt')}`]);
});

test('--json is one line with the fields that are promised, and the same is in summary.json', async () => {
  const { json, cwd } = await leftBy([], 'a\nBOOM\n', 'grep -q BOOM {} && { echo "Error: boom" >&2; exit 3; }; exit 0');
  expect(Object.keys(json)).toEqual(
    'job ended minimal tests executed cached unresolved speculative seconds before after output run signature'.split(
      ' ',
    ),
  );
  expect(json).toMatchObject({
    job: 'reduce',
    ended: 'done',
    minimal: expect.arrayContaining(['line', 'token', 'character']),
    before: { bytes: 7, deltas: 1 },
    after: { bytes: 4, deltas: 1 },
    output: join(cwd, 'in.reduced.txt'),
    run: '.culprit/in-1',
    signature: 'exit 3: Error: boom',
  });
  expect(lines(join(cwd, json.run, 'summary.json'))).toEqual([JSON.stringify(json)]);
  for (const name of ['journal.jsonl', 'best/in.txt', 'report.html'])
    expect(existsSync(join(cwd, json.run, name))).toBe(true);
});

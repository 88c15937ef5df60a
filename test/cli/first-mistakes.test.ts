/** What a new user types wrong on the first day, and what culprit answers. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { boom, culprit, type Ended, folderWith, leftBehindBy, start, until } from './culprit.js';

const jsonOf = ({ stdout }: Ended) => JSON.parse(stdout) as Record<string, unknown>;

test('a failure that the empty input shows too stops after the first run, with likely causes', async () => {
  const cwd = folderWith({ 'a.txt': 'a\nb\nc\n' });
  const ended = await culprit(['reduce', 'a.txt', '--', 'sh', '-c', 'exit 3'], { cwd });
  expect(ended.stderr).toMatch(/fails in the same way on an empty input/);
  expect(ended.stderr).toMatch(/\{\} is missing.*does not read the file.*fails on any input.*--force/s);
  expect(ended.code).toBe(1);
  expect(readdirSync(cwd)).toEqual(['a.txt']);
});

test('if {} is there, it is not named as a likely cause', async () => {
  const cwd = folderWith({ 'a.txt': 'a\nb\nc\n' });
  const ended = await culprit(['reduce', 'a.txt', '--', 'sh', '-c', 'exit 3', '{}'], { cwd });
  expect(ended.stderr).not.toMatch(/is missing/);
  expect(ended.code).toBe(1);
});

test('with --force such a search ends, with an empty result', async () => {
  const cwd = folderWith({ 'a.txt': 'a\nb\nc\n' });
  const ended = await culprit(['reduce', 'a.txt', '--force', '--json', '--', 'sh', '-c', 'exit 3'], { cwd });
  expect(ended.code).toBe(0);
  expect(jsonOf(ended)).toMatchObject({ ended: 'done', after: { bytes: 0 } });
  expect(readFileSync(join(cwd, 'a.reduced.txt'), 'utf8')).toBe('');
});

test('an empty folder of files ends, too', async () => {
  const cwd = folderWith({ 'in/a.txt': 'a\n', 'in/b.js': 'let b;\n' });
  const ended = await culprit(['reduce', 'in', '--force', '--json', '--', 'sh', '-c', 'exit 3'], { cwd });
  expect(ended.code).toBe(0);
  expect(jsonOf(ended)).toMatchObject({ ended: 'done', after: { bytes: 0 } });
});

test.each([
  ['.', (): string => '.'],
  ['./', (): string => './'],
  ['../<folder>', (cwd: string): string => `../${basename(cwd)}`],
  ['the full path', (cwd: string): string => cwd],
])('`reduce %s` leaves the words of the command as they are', async (_, spelled) => {
  const cwd = folderWith({ 'a.txt': 'x\nBUG\ny\n', 'b.txt': 'z\n' });
  const out = join(folderWith(), 'out');
  const args = ['reduce', spelled(cwd), '-o', out, '--interesting', '--run', join(folderWith(), 'run')];
  const ended = await culprit([...args, '--json', '--', 'grep', '-c', 'BUG', '{}/a.txt'], { cwd });
  expect(ended.stderr).toContain('grep -c BUG');
  expect(ended.code).toBe(0);
  expect(readFileSync(join(out, 'a.txt'), 'utf8').trim()).toBe('BUG');
  expect(existsSync(join(out, 'b.txt'))).toBe(false);
});

test('`reduce .` still finds files and scripts of the folder in the command', async () => {
  const cwd = folderWith({ 'a.txt': 'x\nBOOM\n', 't.sh': boom });
  const out = join(folderWith(), 'out');
  const args = ['reduce', '.', '-o', out, '--run', join(folderWith(), 'run'), '--max-tests', '1'];
  const ended = await culprit([...args, '--', './t.sh', 'a.txt'], { cwd });
  expect(ended.stderr).toContain('Error: boom found');
  expect(ended.code).toBe(3);
});

/** A script that counts its runs, and fails in every third only. */
const sometimes = `#!/bin/sh
echo run >> "$COUNT"
n=$(wc -l < "$COUNT")
if grep -q BOOM "$1" && [ $((n % 3)) = 0 ]; then echo "Error: boom found" >&2; exit 3; fi
`;

test('--repeat covers the first run: a failure that does not show at once is looked for', async () => {
  const cwd = folderWith({ 'in.txt': 'a\nBOOM\nb\n', 't.sh': sometimes });
  const env = { COUNT: join(folderWith(), 'count') };
  const once = await culprit(['reduce', 'in.txt', '-j', '1', '--', './t.sh', '{}'], { cwd, env });
  expect(once.code).toBe(1);
  const args = ['reduce', 'in.txt', '-j', '1', '--repeat', '3', '--', './t.sh', '{}'];
  const ended = await culprit(args, { cwd, env: { COUNT: join(folderWith(), 'count') } });
  expect(ended.code).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8').trim()).toBe('BOOM');
});

/** Loaded into culprit's own process: a bug that shows once the search has begun. */
const planted = (how: string) => `
import { existsSync } from 'node:fs';
if (process.argv[1]?.endsWith('main.js')) {
  const timer = setInterval(() => {
    if (!existsSync(process.env.BEGUN)) return;
    clearInterval(timer);
    ${how}
  }, 20);
  timer.unref();
}
`;

test.each([
  ['an exception that nobody catches', 'throw new Error("planted\\nsecond line");'],
  ['a rejection that nobody handles', 'void Promise.reject(new Error("planted"));'],
])('%s gives exit 70 and a sentence, and the run can be resumed', async (_, how) => {
  const cwd = folderWith({ 'in.txt': 'a\nb\nBOOM\nc\n', 't.sh': boom.replace('if', 'touch "$BEGUN"; sleep 0.1; if') });
  const bug = join(folderWith({ 'bug.mjs': planted(how) }), 'bug.mjs');
  const env = { BEGUN: join(folderWith(), 'begun') };
  const args = ['reduce', 'in.txt', '--json', '--', './t.sh', '{}'];
  const run = start(args, { cwd, env: { ...env, NODE_OPTIONS: `--import ${bug}` } });
  const ended = await run.ended;
  expect(ended.code).toBe(70);
  expect(ended.stderr).toMatch(/culprit: internal error: this is a bug in culprit \(planted\)\./);
  expect(ended.stderr).toMatch(/culprit resume \.culprit\/in-1/);
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
  expect(jsonOf(ended)).toMatchObject({ job: 'reduce', ended: 'error' });
  expect(readFileSync(join(cwd, '.culprit/in-1/crash.txt'), 'utf8')).toMatch(/planted/);
  expect(await until(() => leftBehindBy(run.pid!).length === 0)).toBe(true);
  expect((await culprit(['resume'], { cwd, env })).code).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8').trim()).toBe('BOOM');
});

test('--json prints one line for exits 1 and 2, too', async () => {
  const cwd = folderWith({ 'in.txt': 'a\n', 't.sh': boom });
  const nothing = await culprit(['reduce', 'in.txt', '--json', '--', './t.sh', '{}'], { cwd });
  expect(nothing.code).toBe(1);
  expect(jsonOf(nothing)).toEqual({
    job: 'reduce',
    ended: 'error',
    message: expect.stringMatching(/the command succeeds/),
    advice: expect.stringMatching(/--interesting/),
  });
  for (const wrong of [
    ['--jobs', '0'],
    ['--jobz', '1'],
    ['--strategy', 'magic'],
  ]) {
    const ended = await culprit(['reduce', 'in.txt', '--json', ...wrong, '--', './t.sh', '{}'], { cwd });
    expect(ended.code).toBe(2);
    expect(jsonOf(ended)).toMatchObject({
      job: 'reduce',
      ended: 'error',
      message: expect.stringContaining(wrong[1] === '1' ? '--jobz' : wrong[1]!),
    });
    expect(ended.stdout.trim().split('\n')).toHaveLength(1);
  }
  const without = await culprit(['reduce', 'in.txt', '--', './t.sh', '{}', '--json'], { cwd });
  expect(without.stdout).toBe('');
});

test('a resumed run that cannot continue also answers in JSON', async () => {
  const cwd = folderWith({ 'in.txt': 'a\nBOOM\n', 't.sh': boom, 'results/note.txt': '' });
  const args = ['reduce', 'in.txt', '--json', '--max-tests', '1', '-o', 'results/out.txt', '--', './t.sh', '{}'];
  expect((await culprit(args, { cwd })).code).toBe(3);
  rmSync(join(cwd, 'results'), { recursive: true });
  const ended = await culprit(['resume'], { cwd });
  expect(ended.code).toBe(2);
  expect(jsonOf(ended)).toMatchObject({ job: 'reduce', ended: 'error', message: expect.stringContaining('no folder') });
});

test.each(['1', '3'])('the counts add up with -j %s, and only speculative runs depend on it', async jobs => {
  const cwd = folderWith({ 'in.txt': `${'line\n'.repeat(20)}BOOM\n`, 't.sh': boom });
  const count = join(folderWith(), 'count');
  const script = '#!/bin/sh\necho run >> "$COUNT"\nif grep -q BOOM "$1"; then echo "Error: boom" >&2; exit 3; fi\n';
  writeFileSync(join(cwd, 't.sh'), script);
  const args = ['reduce', 'in.txt', '--json', '-j', jobs, '--', './t.sh', '{}'];
  const ended = await culprit(args, { cwd, env: { COUNT: count } });
  const { tests, executed, cached, speculative } = jsonOf(ended) as Record<string, number>;
  expect(tests).toBe(executed! + cached!);
  expect(ended.stderr).toMatch(new RegExp(`${tests} tests in .*: ${executed} run \\+ ${cached} cached`));
  if (jobs === '1') expect(speculative).toBe(0);
  if (speculative! > 0) expect(ended.stderr).toContain(`${speculative} speculative run`);
});

test('with --no-cache every test is run, and the counts say so', async () => {
  const cwd = folderWith({ 'in.txt': 'a\nb\nc\nBOOM\nd\n', 't.sh': boom });
  const args = ['reduce', 'in.txt', '--json', '--no-cache', '-j', '1', '--by', 'line', '--', './t.sh', '{}'];
  const { tests, executed, cached } = jsonOf(await culprit(args, { cwd })) as Record<string, number>;
  expect(tests).toBe(executed! + cached!);
  expect(cached).toBe(0);
});

test.each([['-o'], ['--output'], ['--match'], ['--keep'], ['--run']])('%s right before -- is refused', async option => {
  const cwd = folderWith({ 'in.txt': 'a\nBOOM\n', 't.sh': boom });
  const ended = await culprit(['reduce', 'in.txt', option, '--', './t.sh', '{}'], { cwd });
  expect(ended.stderr).toMatch(/has no value: `--` comes right after it/);
  expect(ended.code).toBe(2);
  expect(readdirSync(cwd).sort()).toEqual(['in.txt', 't.sh']);
});

test('isolate ends with the difference it found, not with "nothing could be removed"', async () => {
  const cwd = folderWith({ 'good.txt': 'a\nfine x y\nc\n', 'bad.txt': 'a\nBOOM x z\nc\n', 't.sh': boom });
  const ended = await culprit(['isolate', 'good.txt', 'bad.txt', '--', './t.sh', '{}'], { cwd });
  expect(ended.code).toBe(0);
  expect(ended.stderr).not.toMatch(/nothing could be removed/);
  expect(ended.stderr).toMatch(/The two inputs now differ in 1 line, and no part of this difference can be removed/);
});

test('a script that is not there is said to be missing, not to be relative', async () => {
  const cwd = folderWith({ 'in.txt': 'a\n' });
  const ended = await culprit(['reduce', 'in.txt', '--', './nope.sh', '{}'], { cwd });
  expect(ended.stderr).toContain(`There is no ./nope.sh in ${cwd}`);
  expect(ended.stderr).not.toMatch(/is relative|private folder/);
  expect(ended.code).toBe(2);
});

test('two versions that both fail leave nothing to resume', async () => {
  const cwd = folderWith({ 'old/in.txt': 'BOOM\n', 'new/in.txt': 'BOOM\nx\n', 't.sh': boom });
  const ended = await culprit(['changes', 'old', 'new', '--', join(cwd, 't.sh'), 'in.txt'], { cwd });
  expect(ended.stderr).toMatch(/both versions fail in the same way/);
  expect(ended.stderr).not.toMatch(/resume/);
  expect(ended.code).toBe(1);
  expect(existsSync(join(cwd, '.culprit'))).toBe(false);
});

test('the private folder of a test is no part of the failure, whichever slot it ran in', async () => {
  const script = '#!/bin/sh\nif grep -q BOOM "$1"; then echo "Error: $PWD/sub/style.css is bad" >&2; exit 3; fi\n';
  const cwd = folderWith({ 'in.txt': 'a\nb\nBOOM\nc\n', 't.sh': script });
  const ended = await culprit(['reduce', 'in.txt', '--json', '-j', '2', '--', './t.sh', '{}'], { cwd });
  expect(ended.code).toBe(0);
  expect(jsonOf(ended).signature).toMatch(/Error: sub\/style\.css is bad/);
});

test('candidates that do not compile are not kept as other failures, and others are', async () => {
  const script = `#!/bin/sh
if grep -q BOOM "$1"; then echo "Error: boom" >&2; exit 3; fi
if grep -q other "$1"; then echo "Error: something else" >&2; exit 4; fi
echo "SyntaxError: Unexpected end of input" >&2; exit 5
`;
  const cwd = folderWith({ 'in.txt': 'a\nother\nBOOM\nc\n', 't.sh': script });
  const ended = await culprit(['reduce', 'in.txt', '--by', 'line', '--', './t.sh', '{}'], { cwd });
  expect(ended.code).toBe(0);
  const kept = readdirSync(join(cwd, '.culprit/in-1/other-failures'));
  expect(kept.length).toBeGreaterThan(0);
  expect(kept.filter(name => !name.includes('something-else'))).toEqual([]);
});

test('inputs of other failures take a few megabytes at most, however many there are', async () => {
  const script = `#!/bin/sh
if [ $(grep -c BOOM "$1") = 8 ]; then echo "Error: boom" >&2; exit 3; fi
echo "Error: kind $(cksum < "$1" | tr 0-9 a-j | cut -c1-9)" >&2; exit 4
`;
  const lines = Array.from({ length: 64 }, (_, i) => `${i % 8 === 0 ? 'BOOM' : i} ${'x'.repeat(40_000)}\n`);
  const cwd = folderWith({ 'in.txt': lines.join(''), 't.sh': script });
  const args = ['reduce', 'in.txt', '--by', 'line', '--max-tests', '40', '--', './t.sh', '{}'];
  expect([0, 3]).toContain((await culprit(args, { cwd })).code);
  const others = join(cwd, '.culprit/in-1/other-failures');
  const kept = readdirSync(others).filter(name => !name.endsWith('.txt'));
  const bytes = kept.map(name => readFileSync(join(others, name, 'in.txt')).length).reduce((a, b) => a + b, 0);
  expect(kept.length).toBeGreaterThan(2);
  expect(bytes).toBeLessThanOrEqual(8 * 1024 * 1024);
});

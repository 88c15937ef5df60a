import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { culprit, folderWith, leftBehindBy, lines, processesWith, start, until } from './culprit.js';

const noClang = !existsSync('/usr/bin/clang-16') && !process.env.CI;
const example = fileURLToPath(new URL('../../examples/compiler-options/', import.meta.url));

/** Fails with -a and -b 2 on a file that says so; refuses options that it does not know. */
const tool = `#!/bin/sh
all="$*"
for word; do case $word in -[abcv]|--level=*|2|*.txt|--help-me|--nothing) ;; *) echo "tool: bad word $word" >&2; exit 9 ;; esac; done
echo noise > left-here.txt
case " $all " in *" --help-me "*) exit 0 ;; esac
case " $all " in *" -a "*"-b 2 "*) grep -q BOOM in.txt && { echo "Error: boom" >&2; exit 3; } ;; esac
exit 0
`;
const files = { 'tool.sh': tool, 'in.txt': 'BOOM\n', 'more.rsp': '-c @inner.rsp', 'inner.rsp': '--level=3 -b 2' };
const command = ['--', './tool.sh', '-v', '-a', '@more.rsp', 'in.txt'];
const story = (run: string) => lines(join(run, 'journal.jsonl')).filter(line => line.includes('"type":"answered"'));
const transcript = (run: string) => story(run).map(line => JSON.parse(line).event);

test('the arguments that matter are left, response files opened, the same on 1 and 4 workers', async () => {
  const cwd = folderWith(files);
  for (const jobs of ['1', '4']) {
    const { code, stdout, stderr } = await culprit(['options', '--json', '-j', jobs, '--run', `r${jobs}`, ...command], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stderr).toContain('fail = the same failure as on the original: exit 3: Error: boom');
    expect(stderr).toContain('./tool.sh -a -b 2');
    expect(JSON.parse(stdout)).toMatchObject({
      job: 'options',
      ended: 'done',
      command: ['./tool.sh', '-a', '-b', '2'],
      output: `r${jobs}/best/command.txt`,
      run: `r${jobs}`,
    });
    expect(JSON.parse(stdout).minimal).toContain('option');
    expect(readFileSync(join(cwd, `r${jobs}/best/command.txt`), 'utf8')).toBe('./tool.sh -a -b 2\n');
  }
  expect(transcript(join(cwd, 'r1'))).toEqual(transcript(join(cwd, 'r4')));
  expect(readdirSync(cwd).sort()).toEqual([...Object.keys(files), 'r1', 'r4'].sort());
});

test('a word that may be a value is taken apart from its option in a second look', async () => {
  const cwd = folderWith({
    'tool.sh': '#!/bin/sh\nfor word; do [ "$word" = in.txt ] && { echo "Error: boom" >&2; exit 3; }; done; exit 0\n',
    'in.txt': '',
  });
  const { stdout } = await culprit(['options', '--json', '--', './tool.sh', '-v', 'in.txt', '-x'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ minimal: ['option', 'argument'], command: ['./tool.sh', 'in.txt'] });
});

test('a run that was stopped goes on to the same transcript, without the response files that it began with', async () => {
  const cwd = folderWith(files);
  await culprit(['options', '--run', 'whole', ...command], { cwd });
  const first = await culprit(['options', '--run', 'run', '--max-tests', '3', ...command], { cwd });
  expect(first.code).toBe(3);
  expect(first.stderr).toContain('culprit resume run');
  rmSync(join(cwd, 'more.rsp'));
  const resumed = await culprit(['resume', 'run'], { cwd });
  expect(resumed.stderr).toContain('have changed since the run began');
  expect(resumed.code).toBe(0);
  expect(transcript(join(cwd, 'run'))).toEqual(transcript(join(cwd, 'whole')));
});

test('a run and a result that culprit itself puts into the folder are not called a change', async () => {
  const cwd = folderWith(files);
  const first = await culprit(['options', '--run', 'run', '-o', 'short.txt', '--max-tests', '3', ...command], { cwd });
  expect([first.code, existsSync(join(cwd, 'short.txt'))]).toEqual([3, true]);
  const resumed = await culprit(['resume', 'run'], { cwd });
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).not.toContain('have changed since the run began');
});

test('Ctrl-C keeps the best so far and leaves nothing running', async () => {
  const cwd = folderWith({ 'slow.sh': '#!/bin/sh\nsleep 0.3\necho "Error: always" >&2\nexit 1\n' });
  const words = Array.from({ length: 40 }, (_, i) => `-w${i}`);
  const run = start(['options', '--run', 'run', '--', './slow.sh', ...words], { cwd });
  expect(await until(() => existsSync(join(cwd, 'run/best/command.txt')))).toBe(true);
  run.kill('SIGINT');
  const { code, stderr } = await run.ended;
  expect(code).toBe(3);
  expect(stderr).toContain('Interrupted');
  expect(leftBehindBy(run.pid!)).toEqual([]);
  expect(processesWith(`culprit-${run.pid}-`)).toEqual([]);
});

test('the options that prevent a failure are explained in words', async () => {
  const cwd = folderWith({ ...files, 'try.txt': '# help\n--help-me\n--nothing\n' });
  const asked = ['options', '--prevent', '--json', '--run', 'run', '--try', '--nothing', '-c', '--try-file', 'try.txt'];
  const { code, stdout, stderr } = await culprit([...asked, '--', './tool.sh', '-a', '-b', '2'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain('--help-me prevents it.');
  expect(JSON.parse(stdout)).toMatchObject({
    preventions: [['--help-me']],
    minimal: ['option'],
    before: { deltas: 4 },
  });
  expect(readFileSync(join(cwd, 'run/best/preventions.txt'), 'utf8')).toBe('./tool.sh -a -b 2 --help-me\n');
  expect(readFileSync(join(cwd, 'run/report.html'), 'utf8')).toContain('prevents it');
});

test('an option to try that culprit has too is written with an equals sign', async () => {
  const cwd = folderWith({
    'tool.sh': '#!/bin/sh\ncase " $* " in *" --quiet "*) exit 0 ;; esac\necho "Error: boom" >&2; exit 3\n',
  });
  const asked = ['options', '--prevent', '--json', '--run', 'run', '--try', '-a', '--try=--quiet', '-b', '-j', '2'];
  const { stdout, stderr } = await culprit([...asked, '--', './tool.sh', 'x'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ before: { deltas: 3 }, preventions: [['--quiet']] });
  expect(readFileSync(join(cwd, 'run/report.html'), 'utf8')).toContain('"hasSentence":true');
  expect(stderr).toContain('Of 3 options, 1 prevents the failure. No other set was found.');
});

test('where no option helps, that is said', async () => {
  const cwd = folderWith(files);
  const { code, stderr } = await culprit(
    ['options', '--prevent', '--try', '-c', '--nothing', '--', './tool.sh', '-a', '-b', '2'],
    { cwd },
  );
  expect(stderr).toContain('None of the 2 options prevents it');
  expect(code).toBe(0);
});

test.each([
  [['--prevent', ...command], 2, '--prevent needs options to try'],
  [['--try', '-x', ...command], 2, 'Add --prevent'],
  [['--prevent', '--try-file', 'empty.txt', ...command], 2, 'names no option'],
  [['--prevent', '--try-file', 'none.txt', ...command], 2, "none.txt can't be read"],
  [['--prevent', '--try-help', 'no-such-tool --help', ...command], 2, 'not found'],
  [['--', './tool.sh'], 2, 'no arguments'],
  [['--', './tool.sh -a -b 2'], 2, 'not as one shell string'],
  [['in.txt', ...command], 2, 'takes no input'],
  [['--keep', '(', ...command], 2, '--keep is not a regular expression'],
  [['--', './tool.sh', '-a'], 1, 'No failure found'],
  [['--', './tool.sh', '@loop.rsp'], 2, 'opens itself'],
  [['-o', '.', ...command], 2, 'is a folder'],
] as const)('options %j is refused with exit %i: %s', async (args, code, words) => {
  const cwd = folderWith({ ...files, 'empty.txt': '# nothing\n', 'loop.rsp': '@loop.rsp' });
  const ended = await culprit(['options', ...args], { cwd });
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
  expect(ended.code).toBe(code);
  expect(existsSync(join(cwd, '.culprit'))).toBe(false);
});

test.skipIf(noClang)('four words of a real build crash clang 16 (needs clang-16)', async () => {
  const cwd = folderWith();
  cpSync(example, cwd, { recursive: true });
  const line =
    '-Og -g @build.rsp -I include -MD -MF filter.d -MT filter.o -fno-crash-diagnostics -c filter.c -o filter.o';
  const { stdout, stderr } = await culprit(
    ['options', '--json', '--match', 'X86 Domain Reassignment', '--', 'clang-16', ...line.split(' ')],
    { cwd },
  );
  const { before, after, tests, seconds, command: left } = JSON.parse(stdout);
  console.info(`options: ${before.deltas} → ${after.deltas}, ${tests} tests, ${seconds} s`);
  expect(left).toEqual(['clang-16', '-Og', '-march=skylake-avx512', '-fexperimental-isel', 'filter.c']);
  expect(stderr).toContain('clang-16 -Og -march=skylake-avx512 -fexperimental-isel filter.c');
  expect(existsSync(join(cwd, 'filter.o'))).toBe(false);
});

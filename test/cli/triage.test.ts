import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { crashes, defects } from '../../bench/triage/generate.js';
import { scoreOf } from '../../bench/triage/score.js';
import { culprit, folderWith, leftBehindBy, lines, processesWith, start, until } from './culprit.js';

const hasGcc = spawnSync('gcc', ['--version']).status === 0;
const target = fileURLToPath(new URL('../../bench/triage/target.c', import.meta.url));

/** Fails in two ways, hangs, and prints a stack of which the caller depends on the input. */
const tool = `#!/bin/sh
frame() { echo "./tool($1+0x1f)[0x55de87fb3e74]" >&2; }
grep -q HANG "$1" && sleep 60
grep -q AAA "$1" && { echo "Error: no such thing" >&2; exit 3; }
grep -q BBB "$1" && { echo "Error: too many things" >&2; exit 4; }
if grep -q X "$1"; then
  frame take_item; frame walk_list
  if grep -q Y "$1"; then frame by_name; else frame by_number; fi
  frame main
  exit 134
fi
exit 0
`;
const files = {
  'tool.sh': tool,
  'crashes/1': 'one AAA two\n',
  'crashes/2': 'AAA\nthree\n',
  'crashes/3.txt': 'four BBB five\n',
  'crashes/deep/4': 'six AAA seven eight\n',
  'crashes/fine': 'nothing\n',
};
const command = ['--', './tool.sh', '{}'];
const result = (cwd: string, out = 'triage') => JSON.parse(readFileSync(join(cwd, out, 'triage.json'), 'utf8'));
const transcript = (run: string) =>
  lines(join(run, 'journal.jsonl'))
    .map(line => JSON.parse(line).event)
    .filter(event => ['began', 'pass', 'answered', 'reduced'].includes(event?.type));

test('files with one signature are a group with one minimal form, on 1 and 4 workers alike', async () => {
  const cwd = folderWith(files);
  for (const jobs of ['1', '4']) {
    const args = ['triage', 'crashes', '--json', '--out', `t${jobs}`, '--run', `r${jobs}`, '-j', jobs, ...command];
    const { code, stdout, stderr } = await culprit(args, { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('Done. 4 files of 5 fail, in 2 groups; 1 passes.');
    expect(JSON.parse(stdout)).toMatchObject({ job: 'triage', ended: 'done', failing: 4, passing: ['crashes/fine'] });
  }
  const { groups } = result(cwd, 't1');
  expect(groups).toMatchObject([
    { number: 1, files: 3, failure: 'exit 3: Error: no such thing', variants: [{ bytes: 3, form: 't1/forms/01' }] },
    { number: 2, files: 1, failure: 'exit 4: Error: too many things', variants: [{ form: 't1/forms/02.txt' }] },
  ]);
  expect(groups[0].variants[0].files).toEqual(
    ['1', '2', 'deep/4'].map(name => ({ path: `crashes/${name}`, containsForm: true })),
  );
  expect(groups[0].variants[0].reproduce).toMatch(/tool\.sh t1\/forms\/01$/);
  expect(readFileSync(join(cwd, 't1/forms/01'), 'utf8')).toBe('AAA');
  expect(transcript(join(cwd, 'r1'))).toEqual(transcript(join(cwd, 'r4')));
  expect(JSON.stringify(result(cwd, 't4')).replaceAll('t4/', 't1/')).toBe(JSON.stringify(result(cwd, 't1')));
  expect(readFileSync(join(cwd, 'r1/report.html'), 'utf8')).toContain('"groups":[');
});

test('a second run with the same --out tests only the new files, and one with a new program tests all', async () => {
  const cwd = folderWith(files);
  const again = async () => JSON.parse((await culprit(['triage', 'crashes', '--json', ...command], { cwd })).stdout);
  const first = await again();
  writeFileSync(join(cwd, 'crashes/5'), 'nine AAA\n');
  const second = await again();
  expect(second).toMatchObject({ executed: 1, files: 6, failing: 5 });
  expect(second.groups[0].variants[0]).toMatchObject({ count: 4, bytes: 3 });
  expect(await again()).toMatchObject({ executed: 0, failing: 5 });
  writeFileSync(join(cwd, 'tool.sh'), tool.replace('AAA', 'CCC'));
  const fixed = await again();
  expect(fixed).toMatchObject({ failing: 1, files: 6 });
  expect(fixed.executed).toBeGreaterThan(5);
  expect(first.groups).toHaveLength(2);
});

test('a variant that becomes the form of another one is joined with it', async () => {
  const cwd = folderWith({ 'tool.sh': tool, 'crashes/1': 'a X b\n', 'crashes/2': 'c Y d X e\n', 'crashes/3': 'Y X\n' });
  await culprit(['triage', 'crashes', ...command], { cwd });
  const { groups } = result(cwd);
  expect(groups).toHaveLength(1);
  expect(groups[0].variants).toHaveLength(1);
  expect(groups[0].variants[0].stacks).toEqual([
    'take_item ← walk_list ← by_name',
    'take_item ← walk_list ← by_number',
  ]);
  expect(readFileSync(join(cwd, groups[0].variants[0].form), 'utf8')).toBe('X');
});

test('--all reduces every file in which the form does not occur, and keeps what became another text', async () => {
  const either = '#!/bin/sh\ngrep -q "AAA\\|CCC" "$1" && { echo "Error: boom" >&2; exit 3; }\nexit 0\n';
  const cwd = folderWith({ 'tool.sh': either, 'c/1': 'AAA\n', 'c/2': 'x AAA y\n', 'c/3': 'some CCC here\n' });
  const { stdout } = await culprit(['triage', 'c', '--all', '--json', ...command], { cwd });
  expect(JSON.parse(stdout).groups[0].variants[0].otherForms).toEqual([{ from: 'c/3', form: 'CCC' }]);
});

test('bug reports that contain a minimal form are named', async () => {
  const long = tool.replace('AAA', "'let it be'");
  const cwd = folderWith({
    'tool.sh': long,
    'crashes/1': 'x let it be y\n',
    'bugs/10.md': '# Crash\n\n```\nfoo(let\n  it be);\n```\n',
    'bugs/11.md': '# Other\n\nlet it be, but not in code\n',
  });
  const { stdout, stderr } = await culprit(['triage', 'crashes', '--reports', 'bugs', '--json', ...command], { cwd });
  expect(JSON.parse(stdout).reports).toEqual([
    { path: 'bugs/10.md', title: 'Crash', groups: [1] },
    { path: 'bugs/11.md', title: 'Other', groups: [] },
  ]);
  expect(stderr).toContain('1 of 2 reports contain a minimal form');
});

test('a budget per group leaves what is not proven, and the next run continues from there', async () => {
  const cwd = folderWith(files);
  const short = await culprit(['triage', 'crashes', '--json', '--max-tests-per-group', '3', ...command], { cwd });
  expect(short.code).toBe(3);
  expect(short.stderr).toContain('2 groups not reduced to the end');
  expect(JSON.parse(short.stdout).executed).toBe(5 + 2 * 3);
  const rest = await culprit(['triage', 'crashes', '--json', ...command], { cwd });
  expect(rest.code).toBe(0);
  expect(JSON.parse(rest.stdout).groups[0].variants[0]).toMatchObject({
    bytes: 3,
    minimal: expect.arrayContaining(['line']),
  });
});

test.each([2, 12])('a run that was stopped after %i tests resumes to the same transcript and result', async tests => {
  const cwd = folderWith(files);
  await culprit(['triage', 'crashes', '--run', 'whole', '--out', 'a', ...command], { cwd });
  const args = ['triage', 'crashes', '--run', 'run', '--out', 'b', '--max-tests', String(tests), ...command];
  expect((await culprit(args, { cwd })).code).toBe(3);
  // What was tested is not needed any more.
  rmSync(join(cwd, 'crashes/1'));
  expect((await culprit(['resume', 'run'], { cwd })).code).toBe(0);
  expect(transcript(join(cwd, 'run'))).toEqual(transcript(join(cwd, 'whole')));
  expect(readFileSync(join(cwd, 'b/forms/01'), 'utf8')).toBe(readFileSync(join(cwd, 'a/forms/01'), 'utf8'));
});

test('Ctrl-C keeps what is known, and leaves nothing running', async () => {
  const slow = tool.replace('#!/bin/sh', '#!/bin/sh\nsleep 0.2');
  const cwd = folderWith({ ...files, 'tool.sh': slow });
  const run = start(['triage', 'crashes', '--run', 'run', '-j', '1', ...command], { cwd });
  expect(await until(() => existsSync(join(cwd, 'triage')) && result(cwd).failing === 4)).toBe(true);
  run.kill('SIGINT');
  const { code, stderr } = await run.ended;
  expect(code).toBe(3);
  expect(stderr).toContain('culprit resume run');
  expect(result(cwd).groups).toHaveLength(2);
  expect(leftBehindBy(run.pid!)).toEqual([]);
  expect(processesWith(`culprit-${run.pid}-`)).toEqual([]);
});

test('files that hang are unresolved, and files that pass are listed', async () => {
  const cwd = folderWith({ 'tool.sh': tool, 'c/1': 'AAA', 'c/2': 'HANG', 'c/3': 'fine' });
  const { code, stdout, stderr } = await culprit(['triage', 'c', '--timeout', '1', '--json', ...command], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain('1 file of 3 fails, in 1 group; 1 passes, 1 timed out.');
  expect(JSON.parse(stdout)).toMatchObject({
    passing: ['c/3'],
    unresolved: 1,
    unresolvedFiles: [{ path: 'c/2', reason: 'timeout' }],
    groups: [{ files: 1 }],
  });
});

test.each([
  [['empty', ...command], 1, 'There is no file in empty'],
  [['fine', ...command], 1, 'The only file passes.\n'],
  [['none', ...command], 2, 'There is no file or folder none'],
  [['crashes', '--out', 'mine', ...command], 2, 'culprit did not write it: it holds letter.txt'],
  [['crashes', '--out', 'crashes/out', ...command], 2, '--out'],
  [['crashes', '--out', 'tool.sh', ...command], 2, 'is a file'],
  [['crashes', '-o', 'x', ...command], 2, 'Name the folder with --out'],
  [['crashes', '--no-cache', ...command], 2, '--no-cache does not apply'],
  [['crashes', '--flaky', '0.5', ...command], 2, '--flaky does not apply'],
  [['crashes', '--reports', 'none', ...command], 2, 'There is no folder none'],
  [['crashes', '--reports', 'crashes', ...command], 2, 'There is no Markdown file'],
  [['crashes', '--strategy', 'nonsense', ...command], 2, 'nonsense'],
  [['crashes', '--', './tool.sh'], 2, 'does not say where the file goes'],
  [['crashes', '--', './nothing.sh', '{}'], 2, 'Command not found'],
  [['crashes'], 2, 'No command to run'],
  [[...command], 2, 'No inputs'],
] as const)('triage %j is refused with exit %i: %s', async (args, code, words) => {
  const cwd = folderWith({ ...files, 'empty/.keep': '', 'fine/1': 'x', 'mine/letter.txt': 'dear' });
  const ended = await culprit(['triage', ...args], { cwd });
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
  expect(ended.code).toBe(code);
  expect(readdirSync(join(cwd, 'mine'))).toEqual(['letter.txt']);
  expect(readFileSync(join(cwd, 'crashes/1'), 'utf8')).toBe(files['crashes/1']);
});

test('the folder of another command is refused, and --force starts over', async () => {
  const cwd = folderWith(files);
  await culprit(['triage', 'crashes', ...command], { cwd });
  const other = ['--', './tool.sh', '{}', '-v'];
  expect(await culprit(['triage', 'crashes', ...other], { cwd })).toMatchObject({ code: 2 });
  expect(await culprit(['triage', 'crashes', '--force', ...other], { cwd })).toMatchObject({ code: 0 });
});

test.skipIf(!hasGcc && !process.env.CI)(
  '50 crashes of a program with 20 planted defects: no two in one variant, and few groups and tests (gcc)',
  async () => {
    const all = crashes(50);
    const cwd = folderWith(Object.fromEntries(all.map(({ name, text }) => [`crashes/${name}`, text])));
    execFileSync('gcc', ['-O0', '-g', '-rdynamic', '-o', join(cwd, 'target'), target]);
    const { code, stdout } = await culprit(['triage', 'crashes', '--json', '--', './target', '{}'], { cwd });
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    const { groups, mixed, missing, found: apart } = scoreOf(found, all);
    expect({ mixed, missing, apart }).toEqual({ mixed: 0, missing: 0, apart: defects });
    expect(groups).toBeLessThanOrEqual(1.3 * defects);
    const one = JSON.parse(
      (await culprit(['reduce', `crashes/${all[0]!.name}`, '--json', '--', './target', '{}'], { cwd })).stdout,
    );
    console.info(`triage: ${groups} groups, ${found.executed} tests; one file alone takes ${one.executed}`);
  },
);

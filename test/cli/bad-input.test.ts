import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boom, culprit, type Ended, folderWith, type How } from './culprit.js';
import { stableWithout } from './stable.js';

const input = 'a\nb\nc BOOM d\ne\n';
const files = { 'in.txt': input, 't.sh': boom };
const command = ['--', './t.sh', '{}'];

/** One sentence or two that say what and what to do; no stack; nothing on stdout. */
function expectRefusal(ended: Ended, code: 1 | 2, ...words: readonly (string | RegExp)[]): void {
  for (const word of words) expect(ended.stderr).toMatch(word);
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
  expect(ended.stderr).not.toMatch(/bug (of|in) culprit/);
  expect(ended.stdout).toBe('');
  expect(ended.code).toBe(code);
}

async function refused(args: readonly string[], code: 1 | 2, words: readonly (string | RegExp)[], how?: How) {
  const cwd = how?.cwd ?? folderWith(files);
  const before = readdirSync(cwd).sort();
  expectRefusal(await culprit(args, { ...how, cwd }), code, ...words);
  expect(readdirSync(cwd).sort()).toEqual(before);
  return cwd;
}

test('a file that is not there is named', async () => {
  await refused(['reduce', 'none.txt', ...command], 2, ['no file or folder none.txt', 'Check the path']);
});

test('a file that may not be read is named', async () => {
  const cwd = folderWith(files);
  // Root may read everything: what can't be read by anybody is the memory of a process at address 0.
  const path = process.getuid?.() === 0 ? '/proc/self/mem' : join(cwd, 'in.txt');
  await refused(['reduce', path, '-o', join(cwd, 'out'), ...command], 2, [/can't be read/], { cwd });
});

test('something that is neither a file nor a folder is refused', async () => {
  await refused(['reduce', '/dev/null', '-o', 'out', ...command], 2, ['/dev/null is neither a file nor a folder']);
});

test('an output that is a folder is refused where a file is meant', async () => {
  const cwd = folderWith({ ...files, 'out/keep.txt': 'mine' });
  await refused(['reduce', 'in.txt', '-o', 'out', ...command], 2, ['is a folder, and the result is a file'], { cwd });
  expect(readFileSync(join(cwd, 'out/keep.txt'), 'utf8')).toBe('mine');
});

test('a folder with things of the user in it is never replaced by a result', async () => {
  const cwd = folderWith({ 'src/in.txt': input, 't.sh': boom, 'out/keep.txt': 'mine' });
  const words = ['already exists', 'would be lost'];
  await refused(['reduce', 'src', '-o', 'out', '--', '../t.sh', '{}/in.txt'], 2, words, { cwd });
  await refused(['reduce', 'src', '-o', '.', '--', '../t.sh', '{}/in.txt'], 2, ['contains the original'], { cwd });
  await refused(['reduce', 'src', '-o', 'src/x', '--', '../t.sh', '{}'], 2, ['is inside the original'], { cwd });
  expect(readFileSync(join(cwd, 'out/keep.txt'), 'utf8')).toBe('mine');
});

test('the original is never the output', async () => {
  const cwd = await refused(['reduce', 'in.txt', '-o', './in.txt', ...command], 2, ['is the original']);
  expect(readFileSync(join(cwd, 'in.txt'), 'utf8')).toBe(input);
});

test('a command that is not found is named, with what to check', async () => {
  await refused(['reduce', 'in.txt', '--', 'no-such-tool', '{}'], 2, ['no-such-tool', 'PATH']);
  await refused(['reduce', 'in.txt', '--', 'no-such-tool {} | cat >&2; exit 127'], 2, ['no-such-tool']);
});

test('a command that may not be executed is named', async () => {
  const cwd = folderWith({ ...files, 'plain.sh': 'exit 1\n' });
  await refused(['reduce', 'in.txt', '--', './plain.sh', '{}'], 2, ['plain.sh', 'chmod'], { cwd });
});

test('a command without -- is asked for', async () => {
  await refused(['reduce', 'in.txt', './t.sh', '{}'], 2, ['No command to run', '`--`']);
  await refused(['reduce', 'in.txt', '--'], 2, ['No command to run']);
});

test('an input before -- is asked for', async () => {
  await refused(['reduce', ...command], 2, [/No input|missing/]);
});

test('two inputs of one name are refused', async () => {
  const cwd = folderWith({ 'a/x': 'BOOM', 'b/x': 'BOOM' });
  await refused(['reduce', 'a/x', 'b/x', '--', 'false'], 2, ['Two of the inputs are called x'], { cwd });
});

test('unknown flags and commands are refused', async () => {
  await refused(['reduce', 'in.txt', '--jobz', '2', ...command], 2, ["unknown option '--jobz'", '--jobs']);
  await refused(['reduse', 'in.txt', ...command], 2, ['unknown command', 'reduce']);
});

test.each([
  ['--match', '(', 'not a regular expression'],
  ['--keep', '[', 'not a regular expression'],
  ['--jobs', '0', 'at least 1'],
  ['--jobs', '-2', 'whole number'],
  ['--timeout', '0', 'at least 0.01'],
  ['--timeout', 'soon', 'not a number'],
  ['--memory', '-1', 'at least 1'],
  ['--max-tests', '0', 'at least 1'],
  ['--max-time', '-3', 'at least 0.01'],
  ['--repeat', '1.5', 'whole number'],
  ['--exit', '0', '--interesting'],
  ['--exit', '999', '1 to 255'],
  ['--signal', 'SIGFOO', 'not the name of a signal'],
  ['--strategy', 'magic', 'no strategy called magic'],
  ['--language', 'klingon', 'klingon'],
  ['--grammar', 'none.wasm', 'none.wasm'],
  ['--level', 'deep', 'lexical, syntactic, semantic'],
  ['--differs', ' ', 'command to compare with'],
])('%s %s is refused', async (option, value, word) => {
  await refused(['reduce', 'in.txt', option, value, ...command], 2, [word]);
});

test('two rules at once are refused', async () => {
  await refused(['reduce', 'in.txt', '--hang', '--interesting', ...command], 2, ['cannot be combined']);
});

test('an output that cannot be written is said before anything is run', async () => {
  const cwd = folderWith({ ...files, 'no.sh': '#!/bin/sh\ntouch "$OUT"/ran\nexit 1\n' });
  const how = { cwd, env: { OUT: cwd } };
  const words = ['no folder', 'none for the result', '--output'];
  await refused(['reduce', 'in.txt', '-o', 'none/out.txt', '--', './no.sh'], 2, [words[0]!, words[2]!], how);
  await refused(['reduce', 'in.txt', '-o', '/proc/out.txt', '--', './no.sh'], 2, ["can't be written"], how);
  await refused(['reduce', 'in.txt', '-o', '/dev/null', '--', './no.sh'], 2, ['neither a file nor a folder'], how);
  expect(existsSync(join(cwd, 'ran'))).toBe(false);
});

test('a run folder that cannot be written is said', async () => {
  await refused(['reduce', 'in.txt', '--run', '/proc/run', ...command], 2, ["can't be written", '--run']);
  await refused(['reduce', 'in.txt', '--run', 't.sh', ...command], 2, ["can't be written", '--run']);
  await refused(['reduce', 'in.txt', '--run', 'in.txt', ...command], 2, ['--run', 'is the original']);
});

test('an original that does not fail leaves no run behind', async () => {
  const cwd = folderWith({ ...files, 'in.txt': 'fine\n' });
  await refused(
    ['reduce', 'in.txt', ...command],
    1,
    ['the command succeeds', '--interesting', 'To check it yourself'],
    { cwd },
  );
  await refused(['reduce', 'in.txt', '--exit', '4', ...command], 1, ['does not fail. The rule:'], { cwd });
});

test('a run folder that holds another run is refused, and the run is still there', async () => {
  const cwd = folderWith(files);
  expect((await culprit(['reduce', 'in.txt', '--run', 'r', ...command], { cwd })).code).toBe(0);
  const journal = readFileSync(join(cwd, 'r/journal.jsonl'), 'utf8');
  await refused(['reduce', 'in.txt', '--run', 'r', ...command], 2, ['contains another run', 'culprit resume r'], {
    cwd,
  });
  expect(readFileSync(join(cwd, 'r/journal.jsonl'), 'utf8')).toBe(journal);
});

test('a folder that is no run is not resumed and has no report', async () => {
  const cwd = folderWith(files);
  mkdirSync(join(cwd, 'empty'));
  await refused(['resume', 'empty'], 2, ['no run at'], { cwd });
  await refused(['resume'], 2, ['no run here'], { cwd });
  await refused(['report'], 2, ['no run here'], { cwd });
  await refused(['report', 'none'], 2, ['no run at none'], { cwd });
});

test('a journal that is damaged in its middle is used up to there, which is said, and comes to the same result', async () => {
  const cwd = folderWith(files);
  const args = ['reduce', 'in.txt', '--run', 'r', '--json', ...command];
  const { stdout } = await culprit(args, { cwd });
  const path = join(cwd, 'r/journal.jsonl');
  const whole = readFileSync(path, 'utf8').split('\n');
  const damaged = [...whole.slice(0, 20), whole[20]!.replace('"fail"', '"pass"').slice(0, -9), ...whole.slice(21)];
  writeFileSync(path, damaged.join('\n'));
  const resumed = await culprit(['resume', 'r'], { cwd });
  expect(resumed.stderr).toContain('damaged in line 21');
  expect(resumed.code).toBe(0);
  const stable = stableWithout();
  expect(stable(resumed.stdout)).toEqual(stable(stdout));
});

test.each([
  ['its command', 'BOOM', 'is damaged', (text: string) => text.replace('./t.sh', './u.sh')],
  ['its length', 'BOOM', 'is damaged', (text: string) => text.replace('"--","./t.sh",', '')],
])('a first line that was changed in %s is refused, and nothing is run', async (_, __, said, change) => {
  const cwd = folderWith(files);
  expect((await culprit(['reduce', 'in.txt', '--run', 'r', '--max-tests', '2', ...command], { cwd })).code).toBe(3);
  const path = join(cwd, 'r/journal.jsonl');
  const changed = change(readFileSync(path, 'utf8'));
  writeFileSync(path, changed);
  expectRefusal(await culprit(['resume', 'r'], { cwd }), 1, said, 'best');
  expect(readFileSync(path, 'utf8')).toBe(changed);
});

test.each([
  ['empty', ''],
  ['not JSON', 'hello\nworld\n'],
  ['JSON of something else', 'null\n42\n'],
  ['binary', '\0\0\0\0\n\0'],
])('a journal whose first line is lost (%s) is said to be damaged', async (_, content) => {
  const cwd = folderWith(files);
  mkdirSync(join(cwd, 'r'));
  writeFileSync(join(cwd, 'r/journal.jsonl'), content);
  expectRefusal(await culprit(['resume', 'r'], { cwd }), 1, 'damaged', 'best');
  expect(readFileSync(join(cwd, 'r/journal.jsonl'), 'utf8')).toBe(content);
});

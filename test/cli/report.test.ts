import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { stateOfJournal } from '../../src/report/journal.js';
import { rowsOf } from '../../src/report/state.js';
import { launchChromium, withoutChromium } from '../report/chromium.js';
import { boom, culprit, folderWith, lines, start, until } from './culprit.js';

const input = [...Array.from({ length: 80 }, (_, i) => `line ${i} of the input`), 'BOOM', ''].join('\n');
const command = ['--timeout', '60', '--', './t.sh', '{}'];
const slow = boom.replace('if', 'sleep 0.3\nif');

const browser = withoutChromium ? undefined : await launchChromium();
afterAll(() => browser?.close());

/** What a person reads on the page. Whatever the page complains about is a failure of the test. */
async function readPage(url: string): Promise<string> {
  const page = await browser!.newPage();
  const complaints: string[] = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  await page.goto(url);
  await page.waitForSelector('#plot canvas');
  const text = (await page.textContent('#page')) ?? '';
  expect(complaints).toEqual([]);
  await page.close();
  return text;
}

test.skipIf(withoutChromium)('the page of a finished run opens, and culprit report names it (Chromium)', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  await culprit(['reduce', 'in.txt', ...command], { cwd });
  const { code, stdout } = await culprit(['report'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toBe('.culprit/in-1/report.html\n');
  const text = await readPage(pathToFileURL(join(cwd, stdout.trim())).href);
  expect(text).toContain('in.txt');
  expect(text).toContain('Error: boom found');
  expect(text).toMatch(/1-minimal/);
});

test.skipIf(withoutChromium)(
  'culprit report makes the page of a run that was killed, with the way on (Chromium)',
  async () => {
    const cwd = folderWith({ 'in.txt': input, 't.sh': slow });
    const run = start(['reduce', 'in.txt', '--run', 'r', ...command], { cwd });
    expect(
      await until(() => existsSync(join(cwd, 'r/best/in.txt')) && lines(join(cwd, 'r/journal.jsonl')).length > 20),
    ).toBe(true);
    run.kill('SIGKILL');
    await run.ended;
    rmSync(join(cwd, 'r/report.html'), { force: true });
    const { code, stdout } = await culprit(['report', 'r'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe('r/report.html\n');
    const text = await readPage(pathToFileURL(join(cwd, 'r/report.html')).href);
    expect(text).toContain('Error: boom found');
    expect(text).toContain('culprit resume r');
  },
);

test.skipIf(withoutChromium)(
  'culprit report --live shows a run that goes on, with its original (Chromium)',
  async () => {
    const cwd = folderWith({ 'in.txt': input, 't.sh': slow });
    const run = start(['reduce', 'in.txt', '--run', 'r', ...command], { cwd });
    expect(await until(() => existsSync(join(cwd, 'r/best/in.txt')))).toBe(true);
    const live = start(['report', 'r', '--live'], { cwd });
    let said = '';
    live.stdout?.on('data', data => (said += data));
    expect(await until(() => said.includes('http://'))).toBe(true);
    const text = await readPage(said.split(' ')[0]!);
    expect(text).toContain('in.txt');
    expect(text).toContain('What remains');
    expect(text).toContain('BOOM');
    live.kill('SIGINT');
    expect((await live.ended).code).toBe(0);
    run.kill('SIGINT');
    expect((await run.ended).code).toBe(3);
  },
);

test('the journal of a resumed run tells one story, with the time of its legs and not of the pause', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  await culprit(['reduce', 'in.txt', '--run', 'whole', ...command], { cwd });
  await culprit(['reduce', 'in.txt', '--run', 'r', '--max-tests', '9', ...command], { cwd });
  const journal = join(cwd, 'r/journal.jsonl');
  expect((await stateOfJournal(journal)).ended?.ended).toBe('budget');
  await new Promise(resolve => setTimeout(resolve, 1500));
  await culprit(['resume', 'r'], { cwd });
  const whole = await stateOfJournal(join(cwd, 'whole/journal.jsonl'));
  const resumed = await stateOfJournal(journal);
  expect(rowsOf(resumed)).toEqual(rowsOf(whole));
  expect(resumed.passes).toEqual(whole.passes);
  expect(resumed.series).toEqual(whole.series);
  expect(resumed.ended).toMatchObject({ ended: 'done', minimal: whole.ended!.minimal });
  const times = lines(journal).flatMap(line => JSON.parse(line).at ?? []);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  // Cut off before its end, it is a run that goes on and has not ended.
  const half = lines(journal).slice(0, -3).join('\n');
  expect(half).toContain('"ended":"budget"');
  writeFileSync(journal, `${half}\n`);
  expect((await stateOfJournal(journal)).ended).toBeUndefined();
});

test('a page that was written is not written again', async () => {
  const cwd = folderWith({ 'in.txt': 'x\nBOOM\n', 't.sh': boom });
  await culprit(['reduce', 'in.txt', '--run', 'r', ...command], { cwd });
  const page = readFileSync(join(cwd, 'r/report.html'));
  await culprit(['report', 'r'], { cwd });
  expect(readFileSync(join(cwd, 'r/report.html')).equals(page)).toBe(true);
});

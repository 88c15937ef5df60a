import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JournalReader, stateOfJournal } from '../../src/report/journal.js';
import { serveLive } from '../../src/report/live.js';
import { openerFor } from '../../src/report/open.js';
import { foldAll } from '../../src/report/state.js';
import { launchChromium, withoutChromium } from './chromium.js';
import { sampleRun } from './sample.js';

const { events, original, result } = sampleRun(200);
const lines = (from: number, to?: number) =>
  events
    .slice(from, to)
    .map(event => `${JSON.stringify({ at: 0, event })}\n`)
    .join('');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'culprit-live-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const newRun = async () => {
  const run = await mkdtemp(join(folder, 'run-'));
  return { run, journal: join(run, 'journal.jsonl') };
};

test('A journal read in any pieces tells the same as its events, whatever else is in it.', async () => {
  const { journal } = await newRun();
  const whole = Buffer.from(`{"verdict":{"outcome":"pass"}}\nno JSON, "event" or not\n${lines(0)}`);
  const reader = new JournalReader(journal);
  expect(await reader.read()).toBe(false);
  for (let from = 0; from < whole.length; from += 9_973) {
    await appendFile(journal, whole.subarray(from, from + 9_973));
    await reader.read();
  }
  expect(reader.state).toEqual(foldAll(events, 0));
  expect(await stateOfJournal(journal)).toEqual(reader.state);
});

test('A line that is half written is waited for, and a journal that was cut back is read again.', async () => {
  const { journal } = await newRun();
  const text = lines(0, 10);
  const reader = new JournalReader(journal);
  await writeFile(journal, text.slice(0, -20));
  await reader.read();
  expect(reader.state).toEqual(foldAll(events.slice(0, 9), 0));
  await appendFile(journal, text.slice(-20));
  await reader.read();
  expect(reader.state).toEqual(foldAll(events.slice(0, 10), 0));
  await writeFile(journal, lines(0, 3));
  await reader.read();
  expect(reader.state).toEqual(foldAll(events.slice(0, 3), 0));
});

test('The page is served to this machine under its own name only.', async () => {
  const { run, journal } = await newRun();
  await writeFile(journal, lines(0, 20));
  const stop = new AbortController();
  const live = await serveLive({ run, known: async () => ({ title: 'reduce' }), signal: stop.signal });
  const ask = (path: string, host?: string) =>
    new Promise<number>((resolve, reject) => {
      const url = new URL(path, live.url);
      request(url, { agent: false, headers: host ? { host } : {} }, response => {
        response.resume();
        resolve(response.statusCode!);
      })
        .on('error', reject)
        .end();
    });
  expect(live.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
  expect(await ask('')).toBe(200);
  expect(await ask('journal.jsonl')).toBe(404);
  expect(await ask('', 'evil.example')).toBe(403);
  stop.abort();
  await live.closed;
  await expect(ask('')).rejects.toThrow(/ECONNREFUSED/);
});

test('Who does not know the token in the address gets nothing.', async () => {
  const { run, journal } = await newRun();
  await writeFile(journal, lines(0, 20));
  const stop = new AbortController();
  const [live, other] = await Promise.all(
    [1, 2].map(() => serveLive({ run, known: async () => ({ title: 'a secret title' }), signal: stop.signal })),
  );
  const { origin, pathname } = new URL(live!.url);
  const strange = 'é'.repeat(16);
  const guesses = [
    '/',
    '/events',
    '//',
    '/x/',
    `/${'a'.repeat(32)}/`,
    new URL(other!.url).pathname,
    `/${strange}/events`,
  ];
  for (const path of [...guesses, pathname.slice(0, -2), pathname.toUpperCase(), `/x${pathname}`]) {
    const response = await fetch(origin + path);
    expect(response.status, path).toBe(403);
    expect(await response.text()).not.toContain('secret');
  }
  expect(await (await fetch(live!.url)).text()).toContain('a secret title');
  stop.abort();
  await Promise.all([live!.closed, other!.closed]);
});

const needs = withoutChromium ? ' (left out: there is no chromium on PATH)' : '';
test.skipIf(withoutChromium)(`An open page follows the run to its end without being loaded again${needs}`, async () => {
  const { run, journal } = await newRun();
  await writeFile(journal, lines(0, 30));
  const stop = new AbortController();
  const known = async () => ({ title: 'reduce', original, result });
  const live = await serveLive({ run, known, signal: stop.signal, every: 50 });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', message => complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(error.message));
    await page.goto(live.url);
    await page.waitForSelector('.state[data-state="running"]');
    await page.evaluate('window.same = true');
    const middle = Math.floor(events.length / 2);
    await appendFile(journal, lines(30, middle));
    const answers = (count: number) => events.slice(0, count).filter(event => event.type === 'answered').length;
    const tests = page.locator('.stats dd').first();
    await expect.poll(() => tests.textContent()).toBe(answers(middle).toLocaleString('en-US'));
    await appendFile(journal, lines(middle));
    await page.waitForSelector('.state[data-state="done"]');
    const all = page.locator('#transcript [data-key="all"] .count');
    expect(await all.textContent()).toBe(answers(events.length).toLocaleString('en-US'));
    expect(await page.evaluate('window.same')).toBe(true);
    expect(complaints).toEqual([]);
  } finally {
    await browser.close();
    stop.abort();
    await live.closed;
  }
});

test('A page is opened the way of the system, and not at all where nobody can see it.', () => {
  const everywhere = () => true;
  expect(openerFor('linux', { PATH: '/bin', DISPLAY: ':0' }, everywhere)).toEqual(['xdg-open']);
  expect(openerFor('linux', { PATH: '/bin' }, everywhere)).toBeUndefined();
  expect(openerFor('linux', { PATH: '/bin', DISPLAY: ':0' }, () => false)).toBeUndefined();
  expect(openerFor('linux', { PATH: '/bin', WSL_DISTRO_NAME: 'x' }, everywhere)).toEqual(['wslview']);
  expect(openerFor('darwin', { PATH: '/bin' }, everywhere)).toEqual(['open']);
  expect(openerFor('win32', {}, everywhere)).toEqual(['cmd', '/c', 'start', '']);
  expect(openerFor('linux', { PATH: '/bin', DISPLAY: ':0', CI: '1' }, everywhere)).toBeUndefined();
});

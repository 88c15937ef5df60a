import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { findBrowser } from '../../src/oracle/browser/browser-path.js';
import { type ActionsOptions, failingOf } from '../../src/plans/actions/rule.js';
import { readRecording } from '../../src/sources/recording/recording.js';
import { runScript, withoutBrowser } from '../oracle/browser/hands.js';
import { culprit, folderWith, leftBehindBy, lines, processesWith, start, until } from './culprit.js';

const page = `<!doctype html><title>shop</title>
<button id="look">Look</button><button id="arm">Arm</button><button id="pay">Pay</button>
<script>
  let armed = false;
  const on = (id, act) => document.getElementById(id).addEventListener('click', act);
  on('arm', () => { armed = true; });
  on('pay', function pay() { if (armed) throw new RangeError('nothing in the basket'); alert('paid'); });
</script>`;

const click = (id: string) => ({ type: 'click', selectors: [[`#${id}`]] });
const recording = (...actions: object[]) =>
  JSON.stringify({ title: 'Pay', steps: [{ type: 'navigate', url: 'shop.html' }, ...actions] });
const session = ['look', 'arm', 'look', 'pay'].map(click);
const shop = () => folderWith({ 'shop.html': page, 'pay.json': recording(...session) });
const left = [
  'press mouse button 1 on #arm',
  'release mouse button 1',
  'press mouse button 1 on #pay',
  'release mouse button 1',
];

const browserTest = (name: string, act: () => Promise<void>) =>
  test.skipIf(withoutBrowser)(`${name} (needs Chromium)`, act, 180_000);

/** A browser's folder has its process id in its name, and its path is on every command line of the browser. */
function leftOf(pid: number): readonly (number | string)[] {
  const mine = `culprit-browser-${pid}-`;
  return [...processesWith(mine), ...readdirSync(tmpdir()).filter(name => name.startsWith(mine)), ...leftBehindBy(pid)];
}

const story = (run: string): readonly unknown[] =>
  lines(join(run, 'journal.jsonl'))
    .map(line => JSON.parse(line).event)
    .filter(event => event?.type === 'answered' || event?.type === 'reduced');

browserTest(
  'actions leaves those that matter, as a recording and as a script, the same on 1 and 3 workers',
  async () => {
    const cwd = shop();
    const one = await culprit(['actions', 'pay.json', '--json', '--run', 'one', '-j', '1'], { cwd });
    expect(one.stderr).toContain('RangeError: nothing in the basket');
    expect(one.stderr).toContain('fail = an uncaught exception');
    expect(one.code).toBe(0);
    expect(JSON.parse(one.stdout)).toMatchObject({
      job: 'actions',
      ended: 'done',
      minimal: ['action'],
      before: { deltas: 8 },
      after: { deltas: 4 },
      output: join(cwd, 'pay.reduced.json'),
      script: join(cwd, 'pay.reduced.spec.js'),
      run: 'one',
      signature: expect.stringMatching(/RangeError: nothing in the basket, at pay \(shop\.html:\d+\)/),
      actions: left,
    });
    const reduced = readFileSync(join(cwd, 'pay.reduced.json'), 'utf8');
    expect(readRecording(reduced).steps).toMatchObject([
      { type: 'navigate', url: 'shop.html' },
      click('arm'),
      click('pay'),
    ]);
    const script = readFileSync(join(cwd, 'pay.reduced.spec.js'), 'utf8');
    await expect(runScript(script)).rejects.toThrow(/uncaught exceptions/);
    expect(readdirSync(join(cwd, 'one/best'))).toEqual(['pay.json', 'pay.spec.js']);
    const report = readFileSync(join(cwd, 'one/report.html'), 'utf8');
    const data = JSON.parse(/id="data">(.*?)<\/script>/s.exec(report)![1]!);
    expect(data.pictures.map((each: { caption: string }) => each.caption)).toEqual(['open shop.html', ...left]);
    expect(data.table.remaining).toEqual([2, 3, 6, 7]);

    mkdirSync(join(cwd, 'out'));
    const elsewhere = ['--run', 'three', '-j', '3', '-o', 'out/x.spec.js'];
    const three = await culprit(['actions', 'pay.json', ...elsewhere], { cwd });
    expect(three.code).toBe(0);
    expect(story(join(cwd, 'three'))).toEqual(story(join(cwd, 'one')));
    expect(readFileSync(join(cwd, 'three/best/pay.json'))).toEqual(readFileSync(join(cwd, 'one/best/pay.json')));
    expect(readFileSync(join(cwd, 'out/x.spec.js'), 'utf8')).toBe(script);
    expect(readRecording(readFileSync(join(cwd, 'out/x.json'), 'utf8')).steps[0]).toMatchObject({
      url: expect.stringMatching(/^file:.*shop/),
    });
  },
);

browserTest('a run that is killed and then interrupted leaves no browser, and resumes to the same result', async () => {
  const cwd = shop();
  const [journal, best] = [join(cwd, 'r/journal.jsonl'), join(cwd, 'r/best/pay.json')];
  const isWhole = () => readRecording(readFileSync(best, 'utf8')).steps.length > 3;
  const killed = start(['actions', 'pay.json', '--run', 'r', '-j', '1'], { cwd });
  expect(await until(() => existsSync(journal) && story(join(cwd, 'r')).length > 0, 60_000)).toBe(true);
  killed.kill('SIGKILL');
  await killed.ended;
  await until(() => leftOf(killed.pid!).length === 0);
  expect(leftOf(killed.pid!)).toEqual([]);
  expect(isWhole()).toBe(true);

  const sofar = story(join(cwd, 'r'));
  const interrupted = start(['resume', 'r'], { cwd });
  expect(await until(() => story(join(cwd, 'r')).length > sofar.length, 60_000)).toBe(true);
  interrupted.kill('SIGINT');
  const { code, stderr } = await interrupted.ended;
  expect(stderr).toContain('resumed: fail = an uncaught exception');
  expect(stderr).toContain('culprit resume r');
  expect(code).toBe(3);
  expect(leftOf(interrupted.pid!)).toEqual([]);
  expect(isWhole()).toBe(true);

  expect((await culprit(['resume', 'r'], { cwd })).code).toBe(0);
  expect(story(join(cwd, 'r')).slice(0, sofar.length)).toEqual(sofar);
  expect(JSON.parse(readFileSync(join(cwd, 'r/summary.json'), 'utf8'))).toMatchObject({ ended: 'done', actions: left });
  const tested = lines(journal).flatMap(line => JSON.parse(line).test ?? []);
  expect(new Set(tested).size).toBe(tested.length);
});

const form = `<!doctype html><title>form</title>
<button id="arm">Arm</button><select id="size"><option>s</option><option>xl</option></select><input id="name">
<script>
  let armed = false;
  document.getElementById('arm').addEventListener('mousedown', () => { armed = true; });
  document.getElementById('name').addEventListener('input', event => {
    if (armed && event.target.value === 'ab' && document.getElementById('size').value === 'xl')
      setTimeout(() => { throw new RangeError('too large'); });
  });
</script>`;

browserTest('the Playwright test has clicks, filled fields and chosen options, and still fails', async () => {
  const typed = [...'ab'].flatMap(key => [
    { type: 'keyDown', key },
    { type: 'keyUp', key },
  ]);
  const change = { type: 'change', selectors: [['#size']], value: 'xl' };
  const steps = [{ type: 'navigate', url: 'form.html' }, click('arm'), change, click('name'), ...typed];
  const cwd = folderWith({ 'form.html': form, 'fill.json': JSON.stringify({ title: 'Fill', steps }) });
  const { code, stdout, stderr } = await culprit(['actions', 'fill.json', '--json', '-j', '1'], { cwd });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout).actions).not.toContain('release mouse button 1');
  const script = readFileSync(join(cwd, 'fill.reduced.spec.js'), 'utf8');
  expect(script.match(/await page\.(?!goto|on|waitForTimeout).*/g)).toEqual([
    "await page.locator('#arm').click();",
    "await page.locator('#size').selectOption('xl');",
    "await page.locator('#name').fill('ab');",
  ]);
  expect(stderr).toMatch(/1\. click on #arm\n.*2\. set #size to "xl"\n.*3\. set #name to "ab"/);
  await expect(runScript(script)).rejects.toThrow(/uncaught exceptions/);
});

browserTest('a Playwright test is a source, and a dialog can be the failure', async () => {
  const cwd = folderWith({
    'shop.html': page,
    'pay.spec.ts': `import { test } from '@playwright/test';
test('Pay', async ({ page }) => {
  await page.goto('shop.html');
  await page.locator('#look').click();
  await page.locator('#pay').click();
});
`,
  });
  const { code, stdout } = await culprit(['actions', 'pay.spec.ts', '--dialog', 'paid', '--json'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ output: join(cwd, 'pay.reduced.json'), actions: left.slice(2) });
});

browserTest('a command that runs after each replay decides, one test at a time', async () => {
  const stock = { taken: 0 };
  const server = createServer((request, response) => {
    if (request.url === '/take') stock.taken++;
    if (request.url === '/') response.setHeader('content-type', 'text/html');
    response.end(
      request.url === '/stock'
        ? String(stock.taken)
        : '<button id="a">A</button><button id="take" onclick="fetch(\'take\')">',
    );
    if (request.url === '/stock') stock.taken = 0;
  }).listen(0, '127.0.0.1');
  try {
    await new Promise(resolve => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const steps = [{ type: 'navigate', url }, click('a'), click('take'), click('a')];
    const cwd = folderWith({
      'take.json': JSON.stringify({ title: 'Take', steps }),
      'check.mjs': `const taken = await (await fetch('${url}stock')).text();
if (taken !== '0') { console.error('Error: ' + taken + ' taken'); process.exit(1); }`,
    });
    const { code, stdout, stderr } = await culprit(
      ['actions', 'take.json', '--json', '-j', '4', '--', process.execPath, 'check.mjs'],
      { cwd },
    );
    expect(stderr).toContain('Error: 1 taken');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).actions).toEqual(['press mouse button 1 on #take', 'release mouse button 1']);
  } finally {
    server.close();
  }
});

test('an invalid recording and a missing browser are explained in a sentence, and nothing is left behind', async () => {
  const cwd = folderWith({
    'text.json': 'not json',
    'odd.json': recording({ type: 'teleport' }),
    'idle.json': recording(),
    'good.json': recording(click('look')),
  });
  const said = async (sentence: RegExp, ...args: string[]) => {
    const ended = await culprit(['actions', ...args], { cwd, env: { CULPRIT_BROWSER: '/nowhere/chromium' } });
    expect(ended.stderr).toMatch(sentence);
    expect(ended.stderr).not.toMatch(/bug of culprit|\n {4}at /);
    expect(ended.code).toBe(2);
  };
  await Promise.all([
    said(/text\.json is not a recording: it is not JSON/, 'text.json'),
    said(/step 2 of odd\.json has the type "teleport", which culprit does not know/, 'odd.json'),
    said(/Nothing to reduce: idle\.json/, 'idle.json'),
    said(/none\.json can't be read/, 'none.json'),
    said(/CULPRIT_BROWSER is \/nowhere\/chromium, which is not a program/, 'good.json'),
  ]);
  expect(readdirSync(cwd).sort()).toEqual(['good.json', 'idle.json', 'odd.json', 'text.json']);
});

test('only one thing can be said to fail, and it must make sense', () => {
  const refused = (options: ActionsOptions, isCommand = false) => expect(() => failingOf(options, isCommand));
  refused({ crash: true, hang: true }).toThrow(/--crash and --hang cannot be combined/);
  refused({ match: 'x' }).toThrow(/--match needs a command/);
  refused({ failsWhen: '1 +' }).toThrow(/--fails-when 1 \+ is not a valid expression/);
  refused({ console: '(' }).toThrow(/--console is not a regular expression/);
  refused({ exception: true }, true).toThrow(/cannot be combined/);
  refused({ memory: 100 }).toThrow(/--memory is not available/);
  expect(failingOf({ request: 'api' }, false)).toEqual({ kind: 'request', match: /api/ });
  expect(failingOf({ hang: true }, true)).toEqual({ kind: 'any' });
});

browserTest('a page that does not load, and a session without a failure, end with the right code', async () => {
  const cwd = folderWith({
    'shop.html': page,
    'dead.json': JSON.stringify({ title: 't', steps: [{ type: 'navigate', url: 'http://127.0.0.1:9/' }, click('a')] }),
    'fine.json': recording(click('look')),
  });
  const dead = start(['actions', 'dead.json'], { cwd });
  const fine = start(['actions', 'fine.json'], { cwd });
  const [a, b] = await Promise.all([dead.ended, fine.ended]);
  expect(a.stderr).toMatch(/The page http:\/\/127\.0\.0\.1:9\/ does not load/);
  expect(a.code).toBe(2);
  expect(b.stderr).toMatch(/there was no failure/);
  expect(b.code).toBe(1);
  for (const { pid } of [dead, fine]) expect(leftOf(pid!)).toEqual([]);
  expect(readdirSync(cwd).sort()).toEqual(['dead.json', 'fine.json', 'shop.html']);
});

test('record without a display says so, and a recording that is there is not written over', async () => {
  const cwd = folderWith({ 'old.json': '{}' });
  const nowhere = await culprit(['record', 'http://127.0.0.1:9/'], { cwd, env: { DISPLAY: '', WAYLAND_DISPLAY: '' } });
  if (process.platform === 'linux') expect(nowhere.stderr).toMatch(/No display found/);
  expect(nowhere.code).toBe(2);
  const again = await culprit(['record', 'http://127.0.0.1:9/', '-o', 'old.json'], { cwd });
  expect(again.stderr).toMatch(/old\.json already exists/);
  expect(again.code).toBe(2);
  expect(readdirSync(cwd)).toEqual(['old.json']);
});

/** A port that nobody has, for a moment. */
async function freePort(): Promise<number> {
  const socket = createSocket().listen(0, '127.0.0.1');
  await new Promise(resolve => socket.once('listening', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise(resolve => socket.close(resolve));
  return port;
}

browserTest('record writes what is done while it is done, and Ctrl-C ends it', async () => {
  // The browser as a person would have it, but without a screen, and with a way in for the hands of this test.
  const port = await freePort();
  const browser = `#!/bin/sh\nexec '${findBrowser()}' --headless --remote-debugging-port=${port} "$@"\n`;
  const cwd = folderWith({ 'shop.html': page, 'browser.sh': browser });
  const env = { DISPLAY: ':none', CULPRIT_BROWSER: join(cwd, 'browser.sh') };
  const run = start(['record', 'shop.html', '-o', 'pay.json'], { cwd, env });
  const file = join(cwd, 'pay.json');
  expect(await until(() => existsSync(file), 60_000)).toBe(true);
  const hands = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const steps = () => readRecording(readFileSync(file, 'utf8')).steps.filter(step => step.type === 'click');
  try {
    const [seen] = hands.contexts()[0]!.pages();
    for (const [i, id] of ['look', 'arm', 'pay'].entries()) {
      await seen!.locator(`#${id}`).click();
      expect(await until(() => steps().length > i)).toBe(true);
    }
  } finally {
    await hands.close();
  }
  run.kill('SIGINT');
  const ended = await run.ended;
  expect(ended.stderr).toContain('culprit actions pay.json');
  expect(ended.code).toBe(0);
  expect(leftOf(run.pid!)).toEqual([]);
});

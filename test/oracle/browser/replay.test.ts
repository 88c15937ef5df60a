import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Verdict } from '../../../src/core/index.js';
import type { Failing } from '../../../src/oracle/browser/failing.js';
import { openReplayer, type Replayer } from '../../../src/oracle/browser/replay.js';
import { checkRecording, type Recording } from '../../../src/sources/recording/recording.js';
import { withoutBrowser } from './hands.js';

const folder = mkdtempSync(join(tmpdir(), 'culprit-test-actions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

writeFileSync(
  join(folder, 'page.html'),
  `<!doctype html><title>page</title><style>button { display: block }</style>
   <button id="throw">throw</button><button id="other">other</button><button id="console">console</button>
   <button id="alert">alert</button><button id="hang">hang</button><button id="flag">flag</button>
   <button id="often">often</button><button id="fetch">fetch</button><button id="later">later</button><button id="nothing">nothing</button><input id="name"><div id="log"></div>
   <iframe srcdoc="<button id=inner onclick='parent.log(event)'>inner</button>"></iframe><div id="host"></div>
   <script>
     window.log = event => { document.getElementById('log').textContent += event.type + ':' + event.isTrusted + ' '; };
     function fail(what) { throw new RangeError('cannot ' + what); }
     const on = (id, act) => document.getElementById(id).addEventListener('click', act);
     on('throw', function thrown() { fail('do this'); });
     on('other', () => fail('do that'));
     on('console', () => console.error('bad thing', 7));
     on('alert', () => alert('hello'));
     on('hang', () => { for (;;); });
     on('often', () => { console.error('again'); setInterval(() => console.error('again'), 100); });
     on('fetch', () => fetch('missing.json').catch(() => {}));
     on('flag', () => { document.body.className = 'error'; });
     on('later', () => setTimeout(() => {
       const button = document.createElement('button');
       button.id = 'appeared';
       button.onclick = () => fail('appear');
       document.body.append(button);
     }, 150));
     on('nothing', log);
     const root = document.getElementById('host').attachShadow({ mode: 'open' });
     root.innerHTML = '<button id="deep">deep</button>';
     root.getElementById('deep').onclick = log;
     document.getElementById('name').addEventListener('keydown', log);
   </script>`,
);

const click = (id: string) => ({ type: 'click', selectors: [[`#${id}`]] });
const recordingOf = (...actions: object[]): Recording =>
  checkRecording({
    title: 't',
    steps: [{ type: 'setViewport', width: 600, height: 500 }, { type: 'navigate', url: 'page.html' }, ...actions],
  });
const never = new AbortController().signal;

/** One browser for all tests that expect any failure: each of them decides anew which one that is. */
let shared: Promise<Replayer> | undefined;
afterAll(async () => (await shared)?.close());
const usingAny = async <T>(act: (replayer: Replayer) => Promise<T>): Promise<T> => {
  shared ??= openReplayer({ failing: { kind: 'any' }, folder });
  return act(await shared);
};

async function using<T>(failing: Failing, act: (replayer: Replayer) => Promise<T>, more: object = {}): Promise<T> {
  const replayer = await openReplayer({ failing, folder, ...more });
  try {
    return await act(replayer);
  } finally {
    await replayer.close();
  }
}

const browserTest = (name: string, act: () => Promise<void>) =>
  test.skipIf(withoutBrowser)(`${name} (needs Chromium)`, act);

browserTest(
  'an uncaught exception is known by its text and stack; another one is unresolved, a missing target too',
  () =>
    usingAny(async replayer => {
      const first = await replayer.firstRun(recordingOf(click('nothing'), click('throw')));
      expect(first.expected.signature).toMatch(
        /^exception: RangeError: cannot do this\n {2}at fail \(page\.html:\d+\)\n {2}at .*thrown/,
      );
      const outcomes = async (...actions: object[]): Promise<Verdict> => replayer.test(recordingOf(...actions), never);
      expect((await outcomes(click('throw'))).outcome).toBe('fail');
      expect((await outcomes(click('nothing'))).outcome).toBe('pass');
      expect(await outcomes(click('other'))).toMatchObject({ outcome: 'unresolved', reason: 'another failure' });
      const missing = await outcomes(click('nowhere'), click('throw'));
      expect(missing).toMatchObject({ outcome: 'unresolved', reason: expect.stringContaining('#nowhere') });
    }),
);

browserTest('a console error, a dialog and an expression can be the failure', async () => {
  for (const [failing, id] of [
    [{ kind: 'console', match: /bad thing/ }, 'console'],
    [{ kind: 'dialog' }, 'alert'],
    [{ kind: 'expression', expression: 'document.querySelector(".error")' }, 'flag'],
  ] as const)
    await using(failing, async replayer => {
      await replayer.firstRun(recordingOf(click('nothing'), click(id)));
      expect((await replayer.test(recordingOf(click(id)), never)).outcome, id).toBe('fail');
      expect((await replayer.test(recordingOf(click('nothing')), never)).outcome, id).toBe('pass');
    });
});

browserTest('a failure that stays or comes again is not waited for longer than its first time took', async () => {
  for (const [failing, id] of [
    [{ kind: 'expression', expression: 'document.querySelector(".error")' }, 'flag'],
    [{ kind: 'console' }, 'often'],
  ] as const)
    await using(failing, async replayer => {
      const { expected } = await replayer.firstRun(recordingOf(click('nothing'), click(id)));
      expect(expected.timing.linger, id).toBe(0);
    });
});

browserTest('a file that cannot be fetched is named with its address', () =>
  using({ kind: 'request' }, async replayer => {
    const { expected } = await replayer.firstRun(recordingOf(click('fetch')));
    expect(expected.signature).toMatch(/^request: GET file:\/\/\/.*\/missing\.json: net::ERR/);
  }),
);

browserTest('a dialog alone is no failure, and how to make it one is said', () =>
  usingAny(async replayer => {
    await expect(replayer.firstRun(recordingOf(click('alert')))).rejects.toMatchObject({
      message: expect.stringContaining('dialog: alert "hello"'),
      advice: expect.stringContaining('--dialog'),
    });
  }),
);

browserTest('a page that crashes or hangs does not take the next test with it', async () => {
  await using({ kind: 'crash' }, async replayer => {
    const crash = { type: 'navigate', url: 'chrome://crash' };
    await replayer.firstRun(recordingOf(click('nothing'), crash));
    expect((await replayer.test(recordingOf(crash), never)).outcome).toBe('fail');
    expect((await replayer.test(recordingOf(click('nothing')), never)).outcome).toBe('pass');
  });
  await using(
    { kind: 'hang' },
    async replayer => {
      await replayer.firstRun(recordingOf(click('hang')));
      expect((await replayer.test(recordingOf(click('hang')), never)).outcome).toBe('fail');
      expect((await replayer.test(recordingOf(click('nothing')), never)).outcome).toBe('pass');
    },
    {},
  );
});

browserTest('a request that fails is the failure', async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/' ? 200 : 500;
    response.setHeader('content-type', 'text/html');
    response.end('<button id="get" onclick="fetch(\'/data?x=1\')">get</button><button id="nothing">nothing</button>');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const at = (...actions: object[]) => checkRecording({ steps: [{ type: 'navigate', url }, ...actions] });
  try {
    await using({ kind: 'request', match: /data/ }, async replayer => {
      const first = await replayer.firstRun(at(click('nothing'), click('get')));
      expect(first.expected.signature).toMatch(/GET .*\/data: 500$/);
      expect((await replayer.test(at(click('get')), never)).outcome).toBe('fail');
      expect((await replayer.test(at(click('nothing')), never)).outcome).toBe('pass');
    });
  } finally {
    server.close();
  }
});

browserTest(
  'a command that runs afterwards can decide, and is not blamed on actions that it does not need',
  async () => {
    const judged: number[] = [];
    const decide = async ({ steps }: Recording): Promise<Verdict> => {
      judged.push(steps.length);
      return { outcome: steps.length > 2 ? 'fail' : 'pass' };
    };
    await using({ kind: 'command', run: decide }, async replayer => {
      expect(await replayer.firstRun(recordingOf(click('nothing')))).toMatchObject({ stable: true });
      // Right after the original, after its page alone, and once more as every test is made.
      expect(judged).toEqual([3, 2, 3]);
      expect((await replayer.test(recordingOf(), never)).outcome).toBe('pass');
      expect((await replayer.test(recordingOf(click('nowhere')), never)).outcome).toBe('unresolved');
    });
    await using({ kind: 'command', run: async () => ({ outcome: 'fail' }) }, replayer =>
      expect(replayer.firstRun(recordingOf(click('nothing')))).rejects.toThrow(/without any action/),
    );
  },
);

browserTest('tests that run one by one do not load the next page while one is under way', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/favicon.ico') asked.push(request.url!);
    response.setHeader('content-type', 'text/html');
    response.end(`<button id="a" onclick="fetch('/a')">a</button><button id="b" onclick="fetch('/b')">b</button>`);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const whole = checkRecording({ steps: [{ type: 'navigate', url }, click('a'), click('b')] });
  const decide = async (): Promise<Verdict> => {
    const mine = asked.splice(0);
    return { outcome: mine.includes('/b') ? 'fail' : 'pass', reason: mine.join(' ') };
  };
  try {
    await using({ kind: 'command', run: decide }, async replayer => {
      expect(await replayer.firstRun(whole)).toMatchObject({ stable: true });
      for (let i = 0; i < 3; i++)
        expect(await replayer.test(whole, never)).toMatchObject({ outcome: 'fail', reason: '/ /a /b' });
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

browserTest('input is trusted, in frames and shadow roots too, and keys carry their modifiers', () =>
  using(
    {
      kind: 'expression',
      expression: 'document.getElementById("log").textContent === "click:true keydown:true click:true click:true "',
    },
    async replayer => {
      const actions = [
        { type: 'click', selectors: ['text/nothing'] },
        click('name'),
        { type: 'keyDown', key: 'a', modifiers: ['Control'] },
        { type: 'click', selectors: [['#inner']], frame: [0] },
        { type: 'click', selectors: [['#host', '#deep']] },
      ];
      await replayer.firstRun(recordingOf(...actions));
      expect((await replayer.test(recordingOf(...actions), never)).outcome).toBe('fail');
      expect((await replayer.test(recordingOf(...actions.slice(1)), never)).outcome).toBe('pass');
    },
  ),
);

browserTest('an element that takes its time is waited for, as long as the original needed and some more', () =>
  usingAny(async replayer => {
    const { expected } = await replayer.firstRun(recordingOf(click('later'), click('appeared')));
    expect(expected.timing.patience).toBeGreaterThan(250);
    const again = await replayer.test(recordingOf(click('later'), click('appeared')), never);
    expect(again).toMatchObject({ outcome: 'fail' });
  }),
);

browserTest('a page that opens later than it has to answer is waited for', async () => {
  let slow = 0;
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    setTimeout(() => response.end('<button id="a" onclick="fail()">a</button>'), slow);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const whole = checkRecording({ steps: [{ type: 'navigate', url }, click('a')] });
  try {
    await usingAny(async replayer => {
      const { expected } = await replayer.firstRun(whole);
      // More than any test here may take to answer; pages that were opened ahead are gone by then.
      slow = expected.timing.answer + 500;
      const verdicts = [await replayer.test(whole, never), await replayer.test(whole, never)];
      expect(verdicts.map(each => each.outcome)).toEqual(['fail', 'fail']);
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

browserTest('a recording without a failure and a page that does not load are distinguished', () =>
  usingAny(async replayer => {
    await expect(replayer.firstRun(recordingOf(click('nothing')))).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('no failure'),
    });
    const nowhere = checkRecording({ steps: [{ type: 'navigate', url: 'http://127.0.0.1:9/' }, click('throw')] });
    await expect(replayer.firstRun(nowhere)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('does not load'),
    });
  }),
);

browserTest(
  'a test that nobody waits for ends, a browser that dies is replaced, and nothing is left behind',
  async () => {
    const mine = () => readdirSync(tmpdir()).filter(name => name.startsWith(`culprit-browser-${process.pid}-`));
    const before = mine();
    await using(
      { kind: 'any' },
      async replayer => {
        await replayer.firstRun(recordingOf(click('throw')));
        const stop = new AbortController();
        const abandoned = replayer.test(recordingOf(click('hang')), stop.signal);
        setTimeout(() => stop.abort(), 50);
        expect((await abandoned).outcome).toBe('unresolved');
        await replayer.test(recordingOf({ type: 'navigate', url: 'chrome://inducebrowsercrashforrealz' }), never);
        expect((await replayer.test(recordingOf(click('throw')), never)).outcome).toBe('fail');
      },
      { jobs: 2 },
    );
    expect(mine()).toEqual(before);
  },
);

browserTest('there is a picture of the page after each step', () =>
  usingAny(async replayer => {
    const pictures = await replayer.pictures(recordingOf(click('nothing'), click('flag')));
    expect(pictures.map(picture => picture.words)).toEqual(['open page.html', 'click on #nothing', 'click on #flag']);
    for (const { png } of pictures) expect([...png.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
  }),
);

browserTest('a chain of selectors finds what is inside what, and chooses by number and by text', async () => {
  writeFileSync(
    join(folder, 'list.html'),
    `<!doctype html><button>go</button><ul>${['alpha', 'beta', 'Gamma  ray'].map(name => `<li>${name} <button onclick="chose('${name}')">go</button></li>`).join('')}</ul>
     <script>function chose(name) { throw new Error('chose ' + name); }</script>`,
  );
  const chosen = async (...chain: string[]) => {
    const steps = [
      { type: 'navigate', url: 'list.html' },
      { type: 'click', selectors: [chain] },
    ];
    return usingAny(
      async replayer => (await replayer.firstRun(checkRecording({ title: 't', steps }))).expected.signature,
    );
  };
  const item = 'aria/[role="listitem"]';
  const go = 'aria/go[role="button"]';
  expect(await chosen(item, go)).toContain('chose alpha');
  expect(await chosen(item, 'culprit:has-text/beta', go)).toContain('chose beta');
  expect(await chosen(item, 'culprit:has-text/gamma ray', go)).toContain('chose Gamma');
  expect(await chosen('li', 'culprit:nth/1', 'button')).toContain('chose beta');
  expect(await chosen(go, 'culprit:nth/-1')).toContain('chose Gamma');
});

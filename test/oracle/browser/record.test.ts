import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRecorder } from '../../../src/oracle/browser/record.js';
import { openReplayer } from '../../../src/oracle/browser/replay.js';
import { checkRecording } from '../../../src/sources/recording/recording.js';
import { handsOn, withoutBrowser } from './hands.js';

const folder = mkdtempSync(join(tmpdir(), 'culprit-test-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

writeFileSync(join(folder, 'a.txt'), 'abc');
writeFileSync(
  join(folder, 'form.html'),
  `<!doctype html><title>form</title><body style="height: 3000px">
   <label>Name <input id="name"></label>
   <label>Size <select data-testid="size"><option>S</option><option>M</option></select></label>
   <input type="file" id="file"><button>Plain</button>
   <iframe srcdoc="<button>Inner</button>" style="height: 60px"></iframe>
   <script>
     // Everything that the recording must bring back, in one place.
     window.state = () => [document.getElementById('name').value, document.querySelector('select').value,
       [...document.getElementById('file').files].map(f => f.name + f.size).join(), scrollY,
       document.querySelector('iframe').contentDocument.body.dataset.clicked ?? ''].join('|');
     addEventListener('load', () => document.querySelector('iframe').contentDocument.querySelector('button')
       .addEventListener('click', e => { e.target.ownerDocument.body.dataset.clicked = e.isTrusted; }));
   </script>`,
);

test.skipIf(withoutBrowser)(
  'typing, a drop-down, a file, a scroll and a frame come back from a recording as they were (needs Chromium)',
  async () => {
    const recorder = await openRecorder('form.html', { headless: true, folder, typing: 'values' });
    const { page } = recorder;
    const hands = handsOn(recorder);
    try {
      await hands.click('#name');
      await hands.seen(() => page.keyboard.type('Zoe'));
      await hands.seen(
        () =>
          page
            .locator('select')
            .focus()
            .then(() => page.keyboard.press('ArrowDown')),
        3,
      );
      // As the desktop's dialog hands a file over: Playwright's own setInputFiles sends untrusted events.
      const session = await page.context().newCDPSession(page);
      const { root } = await session.send('DOM.getDocument');
      const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#file' });
      await hands.seen(() => session.send('DOM.setFileInputFiles', { nodeId, files: [join(folder, 'a.txt')] }));
      const inner = await page.frameLocator('iframe').locator('button').boundingBox();
      await hands.seen(() => page.mouse.move(inner!.x + 5, inner!.y + 5));
      await hands.press();
      await hands.release();
      await hands.seen(() => page.mouse.wheel(0, 700));
      await expect.poll(() => page.evaluate('scrollY')).toBe(700);
      await expect
        .poll(() => recorder.recording().steps.findLast(step => step.type === 'scroll'))
        .toMatchObject({ y: 700 });
      const state = (await page.evaluate('state()')) as string;
      expect(state).toBe('Zoe|M|a.txt3|700|true');
      const recording = checkRecording(JSON.parse(JSON.stringify(recorder.recording())));
      expect(recording.steps.map(step => ('name' in step ? step.name : step.type))).toEqual(
        expect.arrayContaining([
          'setViewport',
          'navigate',
          'hover',
          'click',
          'change',
          'culprit:chooseFiles',
          'scroll',
        ]),
      );
      const replayer = await openReplayer({
        failing: { kind: 'expression', expression: `state() === ${JSON.stringify(state)}` },
        folder,
      });
      try {
        await replayer.firstRun(recording);
        expect((await replayer.test(recording, new AbortController().signal)).outcome).toBe('fail');
      } finally {
        await replayer.close();
      }
    } finally {
      await recorder.close();
    }
  },
);

test.skipIf(withoutBrowser)(
  'a recorder ends when its page is closed, and a page that does not load is explained in a sentence (needs Chromium)',
  async () => {
    const recorder = await openRecorder('form.html', { headless: true, folder });
    await recorder.page.close();
    expect((await recorder.finished).steps.map(step => step.type)).toEqual(['setViewport', 'navigate']);
    await expect(openRecorder('http://127.0.0.1:9/', { headless: true })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(/does not load/),
    });
  },
);

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { actionsOf } from '../../../src/circumstances/actions.js';
import { openRecorder } from '../../../src/oracle/browser/record.js';
import { openReplayer } from '../../../src/oracle/browser/replay.js';
import { reduceActions } from '../../../src/plans/actions/search.js';
import { playwrightScript } from '../../../src/sources/recording/playwright-script.js';
import { joinPresses } from '../../../src/sources/recording/presses.js';
import { addressFrom, readRecording } from '../../../src/sources/recording/recording.js';
import { printTwice, runScript, withoutBrowser } from './hands.js';

const folder = fileURLToPath(new URL('../../../examples/print-dialog/', import.meta.url));
const file = `${folder}recording.json`;

test.skipIf(withoutBrowser)(
  'the recorder writes the 95 actions of the example, driven by trusted input (needs Chromium)',
  async () => {
    const recorder = await openRecorder('index.html', { headless: true, folder, title: 'Print twice' });
    try {
      await printTwice(recorder);
      const recording = recorder.recording();
      if (process.env.UPDATE_EXAMPLE) writeFileSync(file, `${JSON.stringify(recording, null, 2)}\n`);
      expect(actionsOf(recording).count).toBe(95);
      expect(recording).toEqual(JSON.parse(readFileSync(file, 'utf8')));
    } finally {
      await recorder.close();
    }
  },
);

test.skipIf(withoutBrowser)(
  'of the 95 actions three matter: Alt+P, the press and the release on Print (needs Chromium)',
  async () => {
    const recording = readRecording(readFileSync(file, 'utf8'), file);
    const replayer = await openReplayer({ failing: { kind: 'any' }, folder, jobs: 2 });
    try {
      const { expected } = await replayer.firstRun(recording);
      expect(expected.signature).toContain(
        "TypeError: Cannot read properties of undefined (reading 'label')\n  at printSelect",
      );
      const searching = reduceActions(recording, replayer.test, { workers: 2 });
      let tests = 0;
      let step = await searching.next();
      for (; !step.done; step = await searching.next())
        if (step.value.type === 'answered' && !step.value.known) tests++;
      const left = actionsOf(step.value.recording);
      expect(Array.from({ length: left.count }, (_, delta) => left.describe!(delta))).toEqual([
        'press the P key while Alt is held',
        'press mouse button 1 on “Print”',
        'release mouse button 1',
      ]);
      const reduced = joinPresses(step.value.recording);
      expect(reduced.steps.map(each => each.type)).toEqual(['setViewport', 'navigate', 'keyDown', 'click']);
      const script = playwrightScript(reduced, {
        failure: { kind: expected.kind, text: '' },
        address: url => addressFrom(folder, url),
      });
      await expect(runScript(script)).rejects.toThrow(/uncaught exceptions/);
      // The paper needed 82 (Hildebrandt and Zeller 2000, figure 9).
      expect(tests).toBe(22);
    } finally {
      await replayer.close();
    }
  },
  240_000,
);

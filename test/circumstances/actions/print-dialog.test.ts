import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { actionsOf } from '../../../src/circumstances/actions/circumstance.js';
import { playwrightScript } from '../../../src/circumstances/actions/playwright-script.js';
import { folded } from '../../../src/circumstances/actions/presses.js';
import { openRecorder } from '../../../src/circumstances/actions/record.js';
import { addressFrom, readRecording } from '../../../src/circumstances/actions/recording.js';
import { openReplayer } from '../../../src/circumstances/actions/replay.js';
import { deltasOf } from '../../../src/core/index.js';
import { explore } from '../../../src/engine/index.js';
import { ddmin } from '../../../src/strategies/index.js';
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
  60_000,
);

test.skipIf(withoutBrowser)(
  'of the 95 actions three matter: Alt+P, the press and the release on Print (needs Chromium)',
  async () => {
    const recording = readRecording(readFileSync(file, 'utf8'), file);
    const actions = actionsOf(recording);
    const replayer = await openReplayer({ failing: { kind: 'any' }, folder, jobs: 2 });
    try {
      const { chase } = await replayer.firstRun(recording);
      expect(chase.signature).toContain(
        "TypeError: Cannot read properties of undefined (reading 'label')\n  at printSelect",
      );
      const exploring = explore(ddmin(), actions, replayer.test, { workers: 2 });
      let tests = 0;
      for (;;) {
        const next = await exploring.next();
        if (next.done) {
          expect([...deltasOf(next.value.best)].map(delta => actions.describe!(delta))).toEqual([
            'press the P key while Alt is held',
            'press mouse button 1 on “Print”',
            'release mouse button 1',
          ]);
          const reduced = folded(actions.build(next.value.best)!);
          expect(reduced.steps.map(step => step.type)).toEqual(['setViewport', 'navigate', 'keyDown', 'click']);
          const script = playwrightScript(reduced, {
            failure: { kind: chase.kind, text: '' },
            address: url => addressFrom(folder, url),
          });
          await expect(runScript(script)).rejects.toThrow(/uncaught exceptions/);
          break;
        }
        if (next.value.type === 'answered' && !next.value.known) tests++;
      }
      // The paper needed 82 (Hildebrandt and Zeller 2000, figure 9).
      expect(tests).toBeLessThanOrEqual(82);
    } finally {
      await replayer.close();
    }
  },
  240_000,
);

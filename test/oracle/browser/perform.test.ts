import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openBrowser } from '../../../src/oracle/browser/browser.js';
import { openPageSession } from '../../../src/oracle/browser/page-session.js';
import { perform } from '../../../src/oracle/browser/perform.js';
import { checkRecording } from '../../../src/sources/recording/recording.js';
import { withoutBrowser } from './hands.js';

test.skipIf(withoutBrowser)(
  'a navigation that times out after its own step has failed is nobody’s unhandled rejection (needs Chromium)',
  async () => {
    // The page begins to navigate while the step looks for its element, and the next page never gets to its end.
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'text/html');
      if (request.url === '/endless') response.write('<!doctype html><p>');
      else response.end('<!doctype html><script>addEventListener("load", () => { location = "/endless"; })</script>');
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const click = { type: 'click', selectors: [['#nowhere']], assertedEvents: [{ type: 'navigation' }] };
    const recording = checkRecording({ title: 't', steps: [{ type: 'navigate', url: address }, click] }, 'recording');
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    const opened = await openBrowser();
    try {
      const tab = await openPageSession(opened.browser, recording);
      tab.page.setDefaultTimeout(300);
      await tab.page.goto(address, { waitUntil: 'commit' });
      await expect(perform(tab, recording.steps[1]!, { patience: 1000 })).rejects.toThrow();
      // The wait for the endless page ends on its own clock.
      await expect(tab.page.waitForLoadState('domcontentloaded')).rejects.toThrow(/Timeout/);
      await new Promise(resolve => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', onUnhandled);
      await opened.close();
      server.closeAllConnections();
      server.close();
    }
  },
);

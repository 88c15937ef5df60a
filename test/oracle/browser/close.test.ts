/** A browser that does not end by itself does not keep culprit from ending. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openBrowser } from '../../../src/oracle/browser/browser.js';
import { findBrowser } from '../../../src/oracle/browser/browser-path.js';
import { watchBrowser } from '../../../src/oracle/browser/watch.js';

const processesIn = (folder: string): readonly number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`--user-data-dir=${folder}/`);
      } catch {
        return false;
      }
    });

test.skipIf(findBrowser() === undefined || process.platform !== 'linux')(
  'a browser that hangs is killed when it is closed, and its folder is gone (needs Chromium)',
  async () => {
    let folder = '';
    const browser = await openBrowser({
      watch(path) {
        folder = path;
        return watchBrowser(path);
      },
    });
    const hanging = processesIn(folder);
    expect(hanging.length).toBeGreaterThan(0);
    for (const pid of hanging) process.kill(pid, 'SIGSTOP');
    await browser.close();
    expect(existsSync(folder)).toBe(false);
    expect(processesIn(folder)).toEqual([]);
  },
  25_000,
);

test.skipIf(findBrowser() === undefined || process.platform !== 'linux')(
  'a browser that is still starting when it is no longer wanted is killed (needs Chromium)',
  async () => {
    const stop = new AbortController();
    let folder = '';
    const opening = openBrowser({
      signal: stop.signal,
      watch(path) {
        folder = path;
        const looks = setInterval(() => {
          const starting = processesIn(path);
          if (starting.length === 0) return;
          clearInterval(looks);
          // It can't go on by itself.
          for (const pid of starting) process.kill(pid, 'SIGSTOP');
          stop.abort();
        }, 1);
        return watchBrowser(path);
      },
    });
    await expect(opening).rejects.toThrow(/abort/);
    expect(existsSync(folder)).toBe(false);
    expect(processesIn(folder)).toEqual([]);
  },
  25_000,
);

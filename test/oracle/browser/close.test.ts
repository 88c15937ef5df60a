/** A browser that does not end by itself does not keep culprit from ending. */
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBrowser } from '../../../src/oracle/browser/browser.js';
import { findBrowser } from '../../../src/oracle/browser/browser-path.js';
import { watchBrowser } from '../../../src/oracle/browser/watch.js';

/** Less than Playwright waits for a browser, so that this is never what ends it. */
const limit = 90_000;

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

/** What the start script of a browser runs may have ended since it was seen. */
const suspend = (pid: number): void => {
  try {
    process.kill(pid, 'SIGSTOP');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** A killed process that nobody has waited for yet is not running. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

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
    for (const pid of hanging) suspend(pid);
    await browser.close();
    expect(existsSync(folder)).toBe(false);
    expect(processesIn(folder)).toEqual([]);
  },
  limit,
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
          for (const pid of starting) suspend(pid);
          stop.abort();
        }, 1);
        return watchBrowser(path);
      },
    });
    await expect(opening).rejects.toThrow(/abort/);
    expect(existsSync(folder)).toBe(false);
    expect(processesIn(folder)).toEqual([]);
  },
  limit,
);

test.skipIf(process.platform !== 'linux')(
  'what the start script of a browser runs is killed with it, and is not waited for',
  async () => {
    const scripts = mkdtempSync(join(tmpdir(), 'culprit-start-script-'));
    const path = join(scripts, 'browser');
    // The program keeps Playwright's pipes open and does not name the browser's folder.
    writeFileSync(path, `#!/bin/sh\nsleep 600 &\necho $! >${scripts}/pid\nwait\n`);
    chmodSync(path, 0o755);
    const stop = new AbortController();
    const opening = openBrowser({
      path,
      signal: stop.signal,
      watch(folder) {
        const looks = setInterval(() => {
          if (!existsSync(join(scripts, 'pid')) || readFileSync(join(scripts, 'pid'), 'utf8') === '') return;
          clearInterval(looks);
          stop.abort();
        }, 5);
        return watchBrowser(folder);
      },
    });
    await expect(opening).rejects.toThrow(/abort/);
    const pid = Number(readFileSync(join(scripts, 'pid'), 'utf8'));
    expect(isRunning(pid)).toBe(false);
    rmSync(scripts, { recursive: true });
  },
  limit,
);

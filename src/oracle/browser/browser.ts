/** Starts the browser through Playwright, and closes it. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { UserError } from '../../core/index.js';
import { ownEnvironment } from '../../run/kept-environment.js';
import { findBrowser, noBrowser } from './browser-path.js';

const prefix = 'culprit-browser-';

/**
 * The last list of features wins in Chromium, so this one repeats what Playwright switches off and matters here. The first
 * line is about time: each window of a new context would start two more processes, one for the address bar's own pages and
 * one in reserve. Without them a test costs half the processor time.
 */
const featuresOff = [
  ...[
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'WebUIOmniboxFullPopup',
    'PreloadTopChromeWebUI',
    'SpareRendererForSitePerProcess',
  ],
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...[
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'Translate',
    'AvoidCorsURLLoaderRestartOnRedirect',
  ],
  ...['OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch', 'msForceBrowserSignIn'],
];

/** The browser fetches only what the page asks for. Frames share the process of their page, because input goes to one process. */
const flags = [
  `--disable-features=${featuresOff.join(',')}`,
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--no-pings',
  '--disable-site-isolation-trials',
];

export interface OpenBrowser {
  readonly browser: Browser;
  /** The context that a person would see; tests have their own. */
  readonly context: BrowserContext;
  close(): Promise<void>;
}

export interface BrowserOptions {
  readonly headless?: boolean;
  readonly args?: readonly string[];
  readonly path?: string;
  /**
   * Called with the browser's folder, whose path is in the environment of all its processes. Returns how to end the watch.
   */
  readonly watch?: (folder: string) => () => Promise<void>;
  /** A browser that is still starting is not waited for after this. */
  readonly signal?: AbortSignal;
}

/**
 * Starts a browser that does not outlive us: Playwright speaks to it through a pipe, and Chromium ends when the pipe's other
 * end is gone, also after kill -9. Its folders are in one place whose name contains our process id: a watcher, or else the
 * next start, removes those of processes that no longer exist.
 */
export async function openBrowser(options: BrowserOptions = {}): Promise<OpenBrowser> {
  const { chromium } = await loadPlaywright();
  const { signal } = options;
  signal?.throwIfAborted();
  const own = chromium.executablePath();
  const executablePath = options.path ?? findBrowser() ?? (own && existsSync(own) ? own : undefined);
  if (!executablePath) throw noBrowser();
  sweep();
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  const unwatch = options.watch?.(folder);
  const remove = async () => {
    await removeFolder(folder);
    await unwatch?.();
  };
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  try {
    // A persistent context only because that is how a profile folder of our own is named; tests use fresh contexts beside it.
    const launching = chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath,
      headless: options.headless ?? true,
      chromiumSandbox: process.platform === 'linux' ? process.getuid?.() !== 0 : true,
      args: [...flags, ...(options.args ?? [])],
      env: { ...ownEnvironment(), TMPDIR: temporary },
      viewport: null,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      artifactsDir: join(folder, 'artifacts'),
    } as Parameters<typeof chromium.launchPersistentContext>[1]);
    const context = await unlessAborted(launching, unwatch, signal);
    const browser = context.browser();
    if (!browser) throw new Error('Playwright gave a context without its browser.');
    return {
      browser,
      context,
      async close() {
        const closing = context.close().then(() => browser.close());
        // A browser that does not end by itself must not keep us from ending: the watch kills it.
        if (unwatch === undefined) await closing.catch(() => {});
        else if (!(await endsInTime(closing))) await unwatch();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    signal?.throwIfAborted();
    throw new UserError(
      `${executablePath} does not start: ${firstLines(error)}`,
      'Start it by hand to see why, or set CULPRIT_BROWSER to another Chromium or Chrome.',
    );
  }
}

/**
 * The launched browser. After an abort the watch kills what has started, and we do not wait for Playwright to notice: it waits
 * until the last process that holds one of its pipes has ended.
 */
async function unlessAborted(
  launching: Promise<BrowserContext>,
  kill: (() => Promise<void>) | undefined,
  signal: AbortSignal | undefined,
): Promise<BrowserContext> {
  if (signal === undefined) return launching;
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => void Promise.resolve(kill?.()).finally(() => reject(signal.reason));
    signal.addEventListener('abort', stop, { once: true });
    void launching.catch(() => {}).finally(() => signal.removeEventListener('abort', stop));
  });
  aborted.catch(() => launching.then(context => context.close())).catch(() => {});
  return Promise.race([launching, aborted]);
}

/** Milliseconds that a browser may take to end by itself. */
const patience = 1_000;

async function endsInTime(closing: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(false), patience);
  });
  const ended = closing.then(
    () => true,
    () => true,
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

async function loadPlaywright(): Promise<typeof import('playwright-core')> {
  try {
    return await import('playwright-core');
  } catch {
    throw new UserError(
      'playwright-core is not installed. culprit records and replays user actions with it.',
      'Install it next to culprit:\n  npm install playwright-core',
    );
  }
}

/** Chromium's helpers still write for a moment after the browser has ended; what cannot be removed is left to the next sweep. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 40 && existsSync(folder); attempt++) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      await new Promise(resolve => setTimeout(resolve, 25));
    }
  }
}

/** Removes what a killed run left behind. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    if (Number.isInteger(pid) && !isAlive(pid)) void removeFolder(join(tmpdir(), name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const firstLines = (error: unknown): string =>
  String((error as Error).message ?? error)
    .split('\n')
    .slice(0, 6)
    .join('\n');

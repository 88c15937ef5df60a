import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

/** The Chromium or Chrome of this machine. */
export const chromiumPath: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .flatMap(folder => names.map(name => join(folder, name)))
  .find(path => existsSync(path));

/** Where there is none, tests are left out by name; in CI they run and fail. */
export const withoutChromium = chromiumPath === undefined && !process.env.CI;

export async function launchChromium(): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox'] });
}

/** Finds an installed Chromium or Chrome. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { UserError } from '../../core/index.js';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge',
  'brave-browser',
];

function usualPlaces(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly string[] {
  if (platform === 'darwin')
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(app => `/Applications/${app}.app/Contents/MacOS/${app}`);
  if (platform === 'win32')
    return [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
      .filter(folder => folder !== undefined)
      .flatMap(folder => ['Google\\Chrome', 'Chromium', 'Microsoft\\Edge'].map(app => `${folder}\\${app}\\Application`))
      .flatMap(folder => [`${folder}\\chrome.exe`, `${folder}\\msedge.exe`]);
  return ['/usr/lib/chromium/chromium', '/opt/google/chrome/chrome', '/snap/bin/chromium'];
}

/** Where an installed Chromium or Chrome is, or `undefined`. `$CULPRIT_BROWSER` decides if it is set. */
export function findBrowser(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string | undefined {
  const said = env.CULPRIT_BROWSER;
  if (said) {
    if (isProgram(said)) return said;
    throw new UserError(
      `CULPRIT_BROWSER is ${said}, which is not a program.`,
      'Set it to the path of Chromium or Chrome, or unset it.',
    );
  }
  const onPath = (env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .flatMap(folder => names.map(name => join(folder, name)));
  return [...onPath, ...usualPlaces(platform, env)].find(isProgram);
}

export const noBrowser = (): UserError =>
  new UserError(
    'No Chromium or Chrome found on the PATH or in the usual places. culprit replays actions in a real browser.',
    'Install one (`apt install chromium`, or `npx playwright-core install chromium`), or set CULPRIT_BROWSER to its path.',
  );

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

// Makes the pictures of the README from a real run: `node scripts/pictures.js` after `npm run build`. Linux only: it needs
// `script` (util-linux) for a terminal, and a Chromium or Chrome on PATH for the page.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { emptyScreen, write } from './pictures/screen.js';
import { animated } from './pictures/svg.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const pictures = join(root, 'docs/pictures');
const columns = 92;
const typed = 'culprit reduce query.html -- node print.js {}';

const folder = mkdtempSync(join(tmpdir(), 'culprit-pictures-'));
try {
  mkdirSync(pictures, { recursive: true });
  for (const name of ['query.html', 'print.js']) cpSync(join(root, 'examples/mozilla', name), join(folder, name));
  const frames = await recorded();
  writeFileSync(join(pictures, 'terminal.svg'), animated(frames, { columns, title: `$ ${typed}` }));
  await photographed(join(folder, '.culprit/query-1/report.html'), join(pictures, 'page.png'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What the terminal shows, each time that it changes. */
async function recorded() {
  const command = `stty cols ${columns} rows 30; exec ${process.execPath} ${join(root, 'dist/cli/main.js')} ${typed.replace(/^culprit /, '')}`;
  const env = { ...process.env, TERM: 'xterm-256color', SHELL: '/bin/sh' };
  for (const name of ['CI', 'NO_COLOR', 'FORCE_COLOR']) delete env[name];
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const frames = [];
  let screen = emptyScreen();
  const began = performance.now();
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', text => {
    screen = write(screen, text.replaceAll(`${folder}/`, ''), columns);
    frames.push({ at: (performance.now() - began) / 1000, lines: screen.lines });
  });
  const code = await new Promise(resolve => child.on('close', resolve));
  if (code !== 0) throw new Error(`The run ended with exit ${code}.`);
  return frames;
}

async function photographed(page, to) {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const executablePath = folders.flatMap(each => names.map(name => join(each, name))).find(path => existsSync(path));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const context = await browser.newContext({ viewport: { width: 1100, height: 1180 }, colorScheme: 'light' });
  const tab = await context.newPage();
  // The folder of this run means nothing to a reader.
  writeFileSync(page, readFileSync(page, 'utf8').replaceAll(`${folder}/`, ''));
  await tab.goto(`file://${page}`);
  await tab.waitForSelector('#plot canvas');
  await tab.screenshot({ path: to });
  await browser.close();
}

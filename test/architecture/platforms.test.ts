/** What must hold for macOS and Windows, as far as it can be seen from Linux. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { demandNoShell } from '../../src/oracle/process/spawned.js';

const src = fileURLToPath(new URL('../../src', import.meta.url));
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts'))
  .map(name => ({ name, text: readFileSync(join(src, name), 'utf8') }));

test('nothing splits PATH on a colon', () => {
  const split = sources.filter(({ text }) => /\bPATH\b[^\n;]*\.split\(':'\)/.test(text));
  expect(split.map(({ name }) => name)).toEqual([]);
});

/** Files that start /bin/sh, and why that is no surprise to anybody elsewhere. */
const shells: Readonly<Record<string, string>> = {
  'core/shell.ts': 'a shell line; on Windows it is refused with a sentence',
  'oracle/command/build-step.ts': '--build is a shell line',
  'oracle/command/command.ts': 'a backtrace needs gdb',
  'oracle/guarded.ts': 'servers and programs of traffic are guarded by a shell',
  'oracle/process/index.ts': 'persistent shells, on Linux only',
  'oracle/process/sandbox.ts': 'bubblewrap, on Linux only',
  'oracle/process/spawned.ts': 'sets limits on macOS; not on Windows',
  'oracle/process/subreaper.ts': 'Linux only',
  'oracle/process/watchdog.ts': 'Linux only',
  'oracle/process/zygote.ts': 'Linux only',
  'oracle/browser/watch.ts': 'ends the browser if culprit is killed',
  'oracle/signature/backtrace.ts': 'gdb',
  'plans/environment/command.ts': 'a shell line',
  'plans/schedules/replay.ts': 'a shell line',
  'sources/command-line/help.ts': '--try-help is a shell line',
};

test('/bin/sh is started only where that is known and documented', () => {
  const found = sources.filter(({ text }) => text.includes("'/bin/sh'")).map(({ name }) => name);
  expect(found.filter(name => !(name in shells))).toEqual([]);
  const page = readFileSync(new URL('../../docs/faq.md', import.meta.url), 'utf8');
  expect(page).toMatch(/## Does it run on macOS and Windows\?[\s\S]*untested/);
});

test('on Windows, a shell line is refused with a sentence', () => {
  expect(() => demandNoShell(['/bin/sh', '-c', 'a | b'])).toThrow(/there is no \/bin\/sh on Windows/);
  expect(() => demandNoShell(['node', 'a.js'])).not.toThrow();
});

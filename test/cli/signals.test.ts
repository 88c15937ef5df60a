/** A signal ends every command with exit 3, at whatever moment it comes, and the run can be resumed. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBrowser } from '../../src/oracle/browser/browser-path.js';
import { boom, culprit, folderWith, leftBehindBy, main, start, until } from './culprit.js';
import { everyCommand } from './every-command.js';
import { interruptedAt, interruptedThrice, type Signalled } from './signalled.js';

const all = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const commands = everyCommand
  .filter(({ name }) => name !== 'actions' || findBrowser() !== undefined)
  .map((command, i) => ({ command, name: command.name, signals: [0, 1, 2].map(at => all[(i + at) % all.length]!) }));

/** Ended in its own words, and nothing is left. A search that was over before the signal came has ended well. */
function expectStopped({ code, signal, stderr, processes, folders }: Signalled): void {
  expect([0, 3], stderr).toContain(code);
  if (code === 3) expect(stderr).toContain('culprit resume r');
  expect(stderr).not.toMatch(/^ {4}at |bug in culprit/m);
  expect({ signal, processes, folders }).toEqual({ signal: null, processes: [], folders: [] });
}

test.each(commands.filter(({ command }) => !command.isSlow))(
  '$name interrupted in its first test, half-way and while it confirms its result ends as if nothing had happened',
  async ({ command, signals }) => {
    const stage = { main, cwd: join(folderWith(), 'here'), command };
    const { whole, finished, legs } = await interruptedThrice(stage, signals);
    legs.forEach(expectStopped);
    expect(legs[0]!.code).toBe(3);
    expect(finished.results).toEqual(whole.results);
    expect(finished.transcript).toEqual(whole.transcript);
  },
  300_000,
);

// `npm run bench -- signals` has more moments.
test.each(commands.filter(({ command }) => command.isSlow))(
  '$name ends when it is interrupted in its first test, and in its search after a resume',
  async ({ command, signals }) => {
    const stage = { main, cwd: join(folderWith(), 'here'), command };
    const legs = await interruptedAt(stage, [1, 5], signals);
    legs.forEach(expectStopped);
    expect(legs.map(({ code }) => code)).toEqual([3, 3]);
  },
  300_000,
);

test('a search whose answers are all known hears a signal, too', async () => {
  const text = Array.from({ length: 400 }, (_, i) => `word ${i} BOOM\n`).join('');
  const cwd = folderWith({ 't.sh': boom, 'bad.txt': text });
  const args = ['reduce', 'bad.txt', '--run', 'r', '--max-tests', '4', '--', './t.sh', '{}'];
  expect((await culprit(args, { cwd })).code).toBe(3);
  const again = start(['resume', 'r'], { cwd });
  await until(() => readdirSync(join(cwd, 'r')).includes('lock'), 60_000);
  again.kill('SIGINT');
  const { code, stderr } = await again.ended;
  expect([0, 3], stderr).toContain(code);
});

test('verify that tests again ends with 3', async () => {
  const script = boom.replace('\n', '\nif [ "$BEGUN" ]; then touch "$BEGUN"; sleep 60; fi\n');
  const cwd = folderWith({ 't.sh': script, 'bad.txt': 'a\nBOOM\nb\n' });
  const args = ['reduce', 'bad.txt', '--run', 'r', '--timeout', '60', '--', './t.sh', '{}'];
  expect((await culprit(args, { cwd })).code).toBe(0);
  const run = start(['verify', 'r', '--rerun', 'all'], { cwd, env: { BEGUN: join(cwd, 'begun') } });
  expect(await until(() => existsSync(join(cwd, 'begun')), 60_000)).toBe(true);
  run.kill('SIGINT');
  const { code, stderr } = await run.ended;
  expect(code, stderr).toBe(3);
  expect(await until(() => leftBehindBy(run.pid!).length === 0)).toBe(true);
});

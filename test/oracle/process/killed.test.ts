import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { oddSleep, processesWith, until } from './running.js';

const folder = mkdtempSync(join(tmpdir(), 'culprit-test-'));
const program = join(folder, 'program.mjs');
const source = (name: string): string => join(import.meta.dirname, '../../../src/oracle', name);

/** A process that has a workspace and runs a command which never ends, and says where. */
const script = `
import { openRunner } from ${JSON.stringify(source('process/index.ts'))};
import { openWorkspaces, sweepAbandoned } from ${JSON.stringify(source('command/workspace.ts'))};
import { startZygote } from ${JSON.stringify(source('process/zygote.ts'))};
const [sleep, how] = process.argv.slice(2);
if (how === 'pipe') {
  const shell = await startZygote({ shell: sleep, limits: { output: 1000, fileSize: 1e6 }, cwd: '/', env: new Map(), stdout: 1, stderr: 2, processes: 100 });
  console.log(await shell.tell('anything\\n'));
  process.exit();
}
if (how === 'sweep') { console.log(sweepAbandoned()); process.exit(); }
const workspaces = openWorkspaces(2);
const runner = openRunner({ slots: 2, limits: { output: 1000, fileSize: 1e6 }, folders: [workspaces.root],
  sandbox: how === 'sandbox' ? { writable: slot => [workspaces.path(slot), workspaces.tmp(slot)] } : undefined });
const hidden = 'setsid env -i sleep ' + sleep + ' >/dev/null 2>&1 </dev/null & ';
const command = hidden + 'setsid sleep ' + sleep + ' & sleep ' + sleep + ' & echo > ../t/begun; sleep ' + sleep;
for (const slot of [0, 1])
  runner.run({ argv: ['sh', '-c', command], cwd: workspaces.path(slot), env: process.env, timeout: 600 }, slot, new AbortController().signal).catch(() => {});
console.log(workspaces.root);
if (how === 'exit') setTimeout(() => process.exit(), 300);
if (how === 'close') setTimeout(async () => { await runner.close(); workspaces.close(); }, 300);
`;

beforeAll(async () => {
  await build({
    stdin: { contents: script, resolveDir: folder, loader: 'js' },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });

const output = async (child: ChildProcess): Promise<string> => String((await once(child.stdout!, 'data'))[0]).trim();

test.each(['SIGKILL', 'SIGTERM', 'SIGINT', 'exit', 'close'])('%s leaves no process and no folder', async how => {
  const sleep = oddSleep();
  const child = start(sleep, how);
  const root = await output(child);
  expect(await until(() => existsSync(join(root, '00/t/begun')) && existsSync(join(root, '01/t/begun')))).toBe(true);
  if (how.startsWith('SIG')) child.kill(how as NodeJS.Signals);
  await once(child, 'exit');
  expect(await until(() => processesWith(sleep).length === 0)).toBe(true);
  expect(await until(() => !existsSync(root))).toBe(true);
});

test('a shell whose pipe ends before it does is waited for, even if nothing else keeps Node alive', async () => {
  const shell = join(folder, 'late.sh');
  // As a killed shell does on a busy machine: the kernel closes its pipes, and only then is it gone.
  const script = '#!/bin/sh\nread -r line; eval "$line"\nread -r line; exec 3>&-; /bin/sleep 0.3; kill -9 $$\n';
  writeFileSync(shell, script, { mode: 0o755 });
  const child = start(shell, 'pipe');
  const ended = once(child, 'exit');
  expect(await Promise.race([output(child), ended])).toBe('undefined');
  expect(await ended).toEqual([0, null]);
});

test('what a killed run left is swept by the next one, and a live run’s folder is not', async () => {
  const sleep = oddSleep();
  const child = start(sleep, 'stay');
  const root = await output(child);
  const sweep = () => output(start(sleep, 'sweep'));
  await sweep();
  expect(existsSync(root)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await until(() => !existsSync(root))).toBe(true);
  // As if whoever cleans up had been killed as well.
  mkdirSync(join(root, 'left/over'), { recursive: true });
  // Whoever starts next sweeps it: this one, or another test that runs at the same time.
  await sweep();
  expect(existsSync(root)).toBe(false);
});

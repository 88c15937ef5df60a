import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { UserError } from '../../../src/core/user-error.js';
import { openWorkspaces } from '../../../src/oracle/command/workspace.js';
import { openRunner } from '../../../src/oracle/process/index.js';
import { demandSandbox } from '../../../src/oracle/process/sandbox.js';
import { env, limits, mayBeMissing, never, oddSleep, processesWith, run, text, until } from './running.js';

const works = ((): boolean => {
  try {
    demandSandbox();
    return true;
  } catch {
    return false;
  }
})();

test('without bubblewrap a sandbox is refused with advice', () => {
  const path = process.env.PATH;
  process.env.PATH = '/nowhere';
  try {
    expect(() => openRunner({ slots: 1, limits, sandbox: { writable: () => [] } })).toThrow(UserError);
  } finally {
    process.env.PATH = path;
  }
});

describe.skipIf(!works && mayBeMissing)('in a sandbox (needs bubblewrap and namespaces)', () => {
  const workspaces = openWorkspaces(1);
  const outside = mkdtempSync(join(tmpdir(), 'culprit-test-'));
  const writable = (slot: number) => [workspaces.path(slot), workspaces.tmp(slot)];
  const runner = openRunner({ slots: 1, limits, sandbox: { writable } });
  const sh = (script: string, args: readonly string[] = [], timeout = 20) =>
    runner.run({ argv: ['sh', '-c', script, ...args], cwd: workspaces.path(0), env, timeout }, 0, never);
  afterAll(async () => {
    await runner.close();
    workspaces.close();
    rmSync(outside, { recursive: true });
  });

  test('the workspace and its temporary folder can be written to', async () => {
    expect((await sh('echo a > a && cat a && echo b > ../t/b')).exit).toBe(0);
    expect(existsSync(join(workspaces.path(0), 'a'))).toBe(true);
  });

  test('nothing else can be written to or deleted', async () => {
    writeFileSync(join(outside, 'precious'), 'x');
    for (const path of [outside, homedir(), '/usr', '/etc', '/var/tmp', workspaces.root, '/sys/fs', '/proc/sys/kernel'])
      await sh(
        'echo x > "$0/culprit-was-here"; rm -rf "$0/precious"; mount -o remount,rw / ; touch "$0/culprit-was-here"',
        [path],
      );
    for (const path of [outside, homedir(), '/usr', '/etc', '/var/tmp', workspaces.root])
      expect(existsSync(join(path, 'culprit-was-here'))).toBe(false);
    expect(existsSync(join(outside, 'precious'))).toBe(true);
  });

  test('there is no network, not even to this machine', async () => {
    const server = createServer(socket => socket.end('hello')).listen(0, '127.0.0.1');
    await new Promise(resolve => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const connect = `require('net').connect(${port}, '127.0.0.1')`;
    const script = `${connect}.on('data', () => process.exit(0)).on('error', () => process.exit(9))`;
    const free = openRunner({ slots: 1, limits });
    expect((await run(free, [process.execPath, '-e', script])).exit).toBe(0);
    await free.close();
    expect((await sh('exec "$0" -e "$1"', [process.execPath, script])).exit).toBe(9);
    server.close();
  });

  test('exits and signals are distinguished, even for children of process 1', async () => {
    expect((await sh('exit 139')).exit).toBe(139);
    expect((await sh('kill -SEGV $$')).signal).toBe('SIGSEGV');
    expect((await sh('exit 0')).exit).toBe(0);
    expect((await sh('kill -9 -1; exit 4')).exit).toBe(4);
  });

  test('no process is left behind, whatever it did to hide', async () => {
    const sleep = oddSleep();
    const hide = 'env -i setsid sleep "$0" >/dev/null 2>&1 </dev/null & sleep 0.05; exit 5';
    expect((await sh(hide, [sleep])).exit).toBe(5);
    expect(await until(() => processesWith(sleep).length === 0)).toBe(true);
  });

  test('a command that takes too long is killed, and the slot goes on', async () => {
    const sleep = oddSleep();
    expect((await sh('env -i setsid sleep "$0" & sleep "$0"', [sleep], 0.3)).timedOut).toBe(true);
    expect(await until(() => processesWith(sleep).length === 0)).toBe(true);
    expect(text((await sh('echo on')).stdout)).toBe('on\n');
  });
});

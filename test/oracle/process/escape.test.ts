import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openWorkspaces } from '../../../src/oracle/command/workspace.js';
import { openCgroups } from '../../../src/oracle/process/cgroup.js';
import { openRunner, type Runner } from '../../../src/oracle/process/index.js';
import { demandSandbox } from '../../../src/oracle/process/sandbox.js';
import { subreaper } from '../../../src/oracle/process/subreaper.js';
import { env, limits, mayBeMissing, never, oddSleep, processesWith, run, text } from './running.js';

const using = async <T>(runner: Runner, use: (runner: Runner) => Promise<T>): Promise<T> => {
  try {
    return await use(runner);
  } finally {
    await runner.close();
  }
};

describe.skipIf(subreaper() === undefined && mayBeMissing)('with a child subreaper (needs Perl or Python)', () => {
  /** Nothing that it inherited tells whose it is: no variable, no session, no output. */
  const hide = 'setsid env -i sleep "$0" >/dev/null 2>&1 </dev/null &';

  test('a process without session, environment and output ends with its test, 16 of 16', async () => {
    const sleep = oddSleep();
    await using(openRunner({ slots: 2, limits, way: 'shell' }), async runner => {
      for (let i = 0; i < 16; i++) {
        expect((await run(runner, ['sh', '-c', `${hide} exit 3`, sleep], {}, i % 2)).exit).toBe(3);
        expect(processesWith(sleep)).toEqual([]);
      }
    });
  });

  test('so do a tree of them, and one that is started again and again', async () => {
    const sleep = oddSleep();
    await using(openRunner({ slots: 1, limits, way: 'shell' }), async runner => {
      const tree = `for i in 1 2 3; do (setsid env -i sh -c '(setsid sleep ${sleep} &) ; sleep ${sleep}' >/dev/null 2>&1 &); done`;
      const again = `(setsid env -i /bin/sh -c 'while :; do /bin/sleep ${sleep} & /bin/sleep 0.01; done' >/dev/null 2>&1 &)`;
      for (const script of [tree, again, `${tree}; ${again}; sleep 0.1`]) {
        expect((await run(runner, ['sh', '-c', script])).exit).toBe(0);
        expect(processesWith(sleep)).toEqual([]);
      }
    });
  });

  test('and when time runs out, and when it cannot be waited for any longer', async () => {
    const sleep = oddSleep();
    await using(openRunner({ slots: 1, limits, way: 'shell' }), async runner => {
      const script = ['sh', '-c', `${hide} sleep "$0"`, sleep];
      expect((await run(runner, script, { timeout: 0.3 })).timedOut).toBe(true);
      expect(processesWith(sleep)).toEqual([]);
      expect(text((await run(runner, ['echo', 'on'])).stdout)).toBe('on\n');
    });
  });

  test('variables of the user for Perl and Python do not decide whether it works', async () => {
    const odd = { ...env, PERL5OPT: '-Mno_such_module', PYTHONHOME: '/nowhere', PERL5LIB: '/nowhere' };
    await using(openRunner({ slots: 1, limits, way: 'shell' }), async runner => {
      expect(text((await run(runner, ['sh', '-c', 'echo $PERL5OPT'], { env: odd })).stdout)).toBe('-Mno_such_module\n');
    });
  });
});

const groups = openCgroups(10);
groups?.close();

describe.skipIf(groups === undefined && mayBeMissing)('with control groups (needs the right to make some)', () => {
  test('a test that kills the shell as well takes its hidden processes with it', async () => {
    const sleep = oddSleep();
    await using(openRunner({ slots: 1, limits, way: 'shell' }), async runner => {
      const script = `setsid env -i sleep ${sleep} >/dev/null 2>&1 </dev/null & sleep 0.05; kill -9 0`;
      expect((await run(runner, ['sh', '-c', script])).signal).toBe('SIGKILL');
      expect(processesWith(sleep)).toEqual([]);
    });
  });

  test('no group is left behind', async () => {
    const before = openCgroups(10)!;
    await using(openRunner({ slots: 1, limits, way: 'shell' }), runner => run(runner, ['true']));
    before.close();
    expect(existsSync(before.root)).toBe(false);
    const parent = join(before.root, '..');
    expect(readdirSync(parent).filter(name => name.startsWith(`culprit-${process.pid}-`))).toEqual([]);
  });
});

test('a test that starts processes without end is stopped, and it is said why', async () => {
  const runner = openRunner({ slots: 1, limits: { ...limits, processes: 60 }, way: 'shell' });
  await using(runner, async () => {
    const bomb = 'f() { sleep 30 & while :; do sleep 30 & done; }; f';
    const { exceeded } = await run(runner, ['sh', '-c', bomb], { timeout: 20 });
    expect(exceeded).toBe('processes');
    expect((await run(runner, ['sh', '-c', 'exit 7'])).exit).toBe(7);
  });
});

test('a test whose processes take too much memory together is stopped, and it is said why', async () => {
  const runner = openRunner({ slots: 1, limits: { ...limits, total: 200 }, way: 'shell' });
  await using(runner, async () => {
    const fill = `const all = []; setInterval(() => { if (all.length < 12) all.push(Buffer.alloc(1e7, 1)); }, 5)`;
    const both = `"$0" -e '${fill}' & "$0" -e '${fill}'`;
    const { exceeded, signal } = await run(runner, ['sh', '-c', both, process.execPath], { timeout: 20 });
    expect({ exceeded, signal }).toEqual({ exceeded: 'memory', signal: 'SIGKILL' });
  });
});

const sandboxWorks = ((): boolean => {
  try {
    demandSandbox();
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!sandboxWorks && mayBeMissing)('in a sandbox (needs bubblewrap and namespaces)', () => {
  const workspaces = openWorkspaces(1);
  const outside = mkdtempSync(join(homedir(), '.culprit-test-'));
  const writable = (slot: number) => [workspaces.path(slot), workspaces.tmp(slot)];
  const open = () => openRunner({ slots: 1, limits: { ...limits, processes: 60 }, sandbox: { writable } });
  const sh = (runner: Runner, script: string, args: readonly string[] = []) =>
    runner.run({ argv: ['sh', '-c', script, ...args], cwd: workspaces.path(0), env, timeout: 20 }, 0, never);
  afterAll(() => {
    workspaces.close();
    rmSync(outside, { recursive: true });
  });

  test('no setting of the kernel can be changed, as root too', () =>
    using(open(), async runner => {
      const path = '/proc/sys/kernel/domainname';
      const before = readFileSync(path, 'utf8');
      // The value that it has already: a sandbox that leaks must not change this machine.
      const { exit } = await sh(runner, `cat ${path} > value; cat value > ${path}`);
      expect(exit).not.toBe(0);
      expect((await sh(runner, 'test -w /proc/sysrq-trigger')).exit).not.toBe(0);
      expect(readFileSync(path, 'utf8')).toBe(before);
    }));

  test('there are no capabilities, and none can be had', () =>
    using(open(), async runner => {
      const { stdout } = await sh(runner, 'grep Cap /proc/self/status');
      for (const line of text(stdout).trim().split('\n')) expect(line).toMatch(/^Cap(Inh|Prm|Eff|Bnd|Amb):\s+0+$/);
    }));

  test('a socket outside cannot be reached', async () => {
    const path = join(outside, 'service.sock');
    const server = createServer(socket => socket.end('hello')).listen(path);
    await new Promise(resolve => server.once('listening', resolve));
    const script = `require('net').connect(process.argv[1]).on('data', () => process.exit(0)).on('error', () => process.exit(9))`;
    await using(openRunner({ slots: 1, limits }), async free => {
      expect((await run(free, [process.execPath, '-e', script, path])).exit).toBe(0);
    });
    await using(open(), async runner => {
      expect((await sh(runner, 'exec "$0" -e "$1" "$2"', [process.execPath, script, path])).exit).toBe(9);
    });
    server.close();
  });

  test('a named pipe outside cannot be written to', async () => {
    const path = join(outside, 'pipe');
    spawnSync('mkfifo', [path]);
    const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
    let heard = '';
    reader.stdout.on('data', data => (heard += data));
    // Opened for reading and writing, the pipe has somebody at both ends, and cat is not kept waiting.
    const keeper = spawn('sh', ['-c', 'exec 3<>"$0"; exec sleep 60', path], { stdio: 'ignore' });
    await new Promise(resolve => setTimeout(resolve, 300));
    await using(open(), async runner => void (await sh(runner, 'echo leak > "$0"', [path])));
    writeFileSync(path, 'own\n');
    await expect.poll(() => heard).toContain('own');
    expect(heard).toBe('own\n');
    keeper.kill();
    reader.kill();
  });

  test('a test in it that starts processes without end is stopped', () =>
    using(open(), async runner => {
      const { timedOut } = await sh(runner, 'while sleep 30 & do :; done');
      expect(timedOut).toBe(false);
      expect((await sh(runner, 'exit 7')).exit).toBe(7);
    }));
});

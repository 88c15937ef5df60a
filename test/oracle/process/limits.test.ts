import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRunner } from '../../../src/oracle/process/index.js';
import { env, isThere, limits, MB, mayBeMissing, oddSleep, processesWith, run, text } from './running.js';

const folder = mkdtempSync(join(tmpdir(), 'culprit-test-'));
const runner = openRunner({ slots: 2, limits });
afterAll(async () => {
  await runner.close();
  rmSync(folder, { recursive: true });
});

test('a command that takes too long is killed with all it started, and the slot goes on', async () => {
  const sleep = oddSleep();
  const result = await run(runner, ['sh', '-c', `echo begun; sleep ${sleep} & sleep ${sleep}`], { timeout: 0.2 });
  expect([result.timedOut, result.signal, text(result.stdout)]).toEqual([true, 'SIGKILL', 'begun\n']);
  expect(processesWith(sleep)).toEqual([]);
  expect((await run(runner, ['true'])).exit).toBe(0);
});

test('a command that starts only after it was out of time, because its shell was late, is killed all the same', async () => {
  const sleep = oddSleep();
  const shell = Number(text((await run(runner, ['sh', '-c', 'echo $PPID'])).stdout));
  process.kill(shell, 'SIGSTOP');
  const { timedOut, signal } = await run(runner, ['sleep', sleep], { timeout: 0.1 });
  expect([timedOut, signal]).toEqual([true, 'SIGKILL']);
  expect(processesWith(sleep)).toEqual([]);
});

test('a command that is aborted before its shell has started it never ends by itself, and is killed', async () => {
  const sleep = oddSleep();
  const shell = Number(text((await run(runner, ['sh', '-c', 'echo $PPID'])).stdout));
  process.kill(shell, 'SIGSTOP');
  const stop = new AbortController();
  const aborted = runner.run({ argv: ['sleep', sleep], cwd: folder, env, timeout: 3600 }, 0, stop.signal);
  setTimeout(() => stop.abort(), 20);
  await expect(aborted).rejects.toThrow(/abort/);
  expect(processesWith(sleep)).toEqual([]);
});

/** Counts to $0 on the first CPU, and prints the CPU time that this took: 0m0.24s. */
const count = ['taskset', '-c', '0', 'sh', '-c', 'i=0; while [ $i -lt $0 ]; do i=$((i + 1)); done; times'];
const busy = ['taskset', '-c', '0', 'sh', '-c', 'while :; do :; done & while :; do :; done'];

test.skipIf(mayBeMissing && !isThere('taskset'))(
  'the time for which a command waits for a CPU does not count',
  async () => {
    const alone = await run(runner, [...count, '200000']);
    const timeout = 2 * Number(/(\d+\.\d+)s/.exec(text(alone.stdout))![1]);
    const done = new AbortController();
    const others = runner.run({ argv: busy, cwd: folder, env, timeout: 60 }, 1, done.signal).catch(() => {});
    expect(await run(runner, [...count, '200000'], { timeout })).toMatchObject({ exit: 0, timedOut: false });
    expect(await run(runner, [...count, '1000000000'], { timeout: 0.1 })).toMatchObject({ timedOut: true });
    done.abort();
    await others;
  },
);

test.each([
  ['in its group', 'sleep $0 &'],
  ['in another session', 'setsid sleep $0 &'],
  ['in another session, without its environment', 'env -i setsid sleep $0 &'],
  ['in another session, without its output', 'setsid sleep $0 >/dev/null 2>&1 </dev/null &'],
  ['in another session, after its parent has gone', '(setsid sh -c "sleep $0 & sleep $0" &);'],
  ['that ignores signals', "trap '' TERM HUP INT; setsid sleep $0 &"],
])('a process left behind %s is gone when the command is done', async (_, script) => {
  const sleep = oddSleep();
  expect((await run(runner, ['sh', '-c', `${script} sleep 0.02; exit 3`, sleep])).exit).toBe(3);
  expect(processesWith(sleep)).toEqual([]);
  expect((await run(runner, ['sh', '-c', `${script} sleep 9`, sleep], { timeout: 0.2 })).timedOut).toBe(true);
  expect(processesWith(sleep)).toEqual([]);
});

test('a command that starts processes without end is stopped', async () => {
  const sleep = oddSleep();
  const bomb = `while :; do sleep ${sleep} & setsid sleep ${sleep} & done`;
  const { timedOut, exceeded } = await run(runner, ['sh', '-c', bomb], { timeout: 0.3 });
  // On a busy machine the limit on processes may come first.
  expect(timedOut || exceeded === 'processes').toBe(true);
  expect(processesWith(sleep)).toEqual([]);
});

test('a thousand processes left behind are all gone', async () => {
  const sleep = oddSleep();
  const crowd = `i=0; while [ $i -lt 1000 ]; do sleep ${sleep} & i=$((i+1)); done; exit 3`;
  expect((await run(runner, ['sh', '-c', crowd])).exit).toBe(3);
  expect(processesWith(sleep)).toEqual([]);
});

test('strays of one slot are killed and a command in another slot is not', async () => {
  const other = run(runner, ['sh', '-c', 'setsid sh -c "sleep 0.5; echo alive" & wait'], {}, 1);
  for (let i = 0; i < 10; i++) await run(runner, ['sh', '-c', 'setsid sleep 9 &']);
  expect(text((await other).stdout)).toBe('alive\n');
});

test('a command may kill or stop its own group', async () => {
  for (const name of ['TERM', 'HUP', 'KILL', 'USR1'])
    expect((await run(runner, ['sh', '-c', `kill -${name} 0; sleep 1`])).signal).toBe(`SIG${name}`);
  expect((await run(runner, ['sh', '-c', 'kill -STOP 0'], { timeout: 0.2 })).timedOut).toBe(true);
  expect((await run(runner, ['true'])).exit).toBe(0);
});

test('aborting kills the command at once, rejects with the reason, and the slot goes on', async () => {
  const sleep = oddSleep();
  const abort = new AbortController();
  const running = runner.run({ argv: ['sh', '-c', `sleep ${sleep}`], cwd: folder, env, timeout: 60 }, 0, abort.signal);
  setTimeout(() => abort.abort(new Error('nobody waits')), 100);
  await expect(running).rejects.toThrow('nobody waits');
  expect(processesWith(sleep)).toEqual([]);
  expect(text((await run(runner, ['echo', 'on'])).stdout)).toBe('on\n');
  await expect(runner.run({ argv: ['true'], cwd: folder, env, timeout: 1 }, 0, abort.signal)).rejects.toThrow(
    'nobody waits',
  );
});

test.each(['', '>&2'])('a gigabyte of output %s ends the writer; the first and last part are kept', async where => {
  const before = process.memoryUsage().rss;
  const result = await run(runner, ['sh', '-c', `echo first ${where}; exec head -c 1000000000 /dev/zero ${where}`]);
  const kept = where ? result.stderr : result.stdout;
  expect([result.signal, result.truncated]).toEqual(['SIGXFSZ', true]);
  expect(kept.length).toBeLessThan(limits.output + 100);
  expect(text(kept.subarray(0, 6))).toBe('first\n');
  expect(process.memoryUsage().rss - before).toBeLessThan(50 * MB);
  expect((await run(runner, ['true'])).stdout.length).toBe(0);
});

test('output that is longer than what is kept, but within the limit, does not disturb the command', async () => {
  const result = await run(runner, ['sh', '-c', 'head -c 3000000 /dev/zero; echo the end']);
  expect([result.exit, result.truncated, text(result.stdout).endsWith('the end\n')]).toEqual([0, true, true]);
});

test('no file grows beyond the limit', async () => {
  const file = join(folder, 'big');
  const result = await run(runner, ['dd', 'if=/dev/zero', `of=${file}`, 'bs=1M', 'count=100']);
  expect([result.signal, statSync(file).size]).toEqual(['SIGXFSZ', limits.fileSize]);
});

test('a crash leaves no core file', async () => {
  const { stdout } = await run(runner, ['sh', '-c', 'ulimit -c; kill -QUIT $$'], { cwd: folder });
  expect(text(stdout)).toBe('0\n');
});

const python = isThere('python3');
test.skipIf(!python && mayBeMissing)('a command can’t have more memory than the limit (needs python3)', async () => {
  const small = openRunner({ slots: 1, limits: { ...limits, memory: 100 } });
  const take = (megabytes: number) => run(small, ['python3', '-c', `x = b"x" * ${megabytes * MB}`]);
  expect((await take(10)).exit).toBe(0);
  const refused = await take(400);
  expect([refused.exit, text(refused.stderr).includes('MemoryError')]).toEqual([1, true]);
  await small.close();
});

test('when memory runs out, the kernel takes a command rather than culprit', async () => {
  const { stdout } = await run(runner, ['cat', '/proc/self/oom_score_adj']);
  expect([text(stdout), readFileSync('/proc/self/oom_score_adj', 'utf8') !== '1000\n']).toEqual(['1000\n', true]);
});

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isLocked, lock } from '../../src/run/lock.js';
import { folderWith, main } from './culprit.js';

/** Takes the lock, says so, and waits to be ended; or says why not. */
const script = `
const { lock } = await import(process.argv[1]);
try { lock(process.argv[2]); console.log('taken'); setInterval(() => {}, 1000); }
catch (error) { console.log('refused: ' + error.message); }
`;
const taker = join(dirname(main), '../run/lock.js');
const inOtherNamespace = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const canUnshare = spawnSync(inOtherNamespace[0]!, [...inOtherNamespace.slice(1), 'true']).status === 0;
const hasFlock = process.platform !== 'linux' || spawnSync('flock', ['--version']).status === 0;

function taking(folder: string, within: readonly string[] = [], env = process.env) {
  const words = [...within, process.execPath, '--input-type=module', '-e', script, taker, folder];
  const child: ChildProcess = spawn(words[0]!, words.slice(1), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = new Promise<string>(resolve => child.stdout!.once('data', data => resolve(String(data).trim())));
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  return { child, said, ended };
}

test('of many that want a folder in the same moment, after its owner was killed, one has it', async () => {
  const folder = folderWith();
  const first = taking(folder);
  expect(await first.said).toBe('taken');
  first.child.kill('SIGKILL');
  await first.ended;
  const all = Array.from({ length: 6 }, () => taking(folder));
  const said = await Promise.all(all.map(each => each.said));
  expect(said.filter(words => words === 'taken')).toHaveLength(1);
  expect(said.filter(words => /in use by another culprit/.test(words))).toHaveLength(5);
});

test.runIf(canUnshare && hasFlock)(
  'a lock holds against a culprit in another pid namespace, in both directions',
  async () => {
    const folder = folderWith();
    const inside = taking(folder, inOtherNamespace);
    expect(await inside.said).toBe('taken');
    expect(isLocked(folder)).toBe(true);
    expect(() => lock(folder)).toThrow(
      /in use by another culprit \(process \d+ on another machine or in another container\)/,
    );
    inside.child.kill('SIGKILL');
    await inside.ended;
    const release = lock(folder);
    expect(await taking(folder, inOtherNamespace).said).toMatch(/refused: .* in use/);
    release();
    expect(isLocked(folder)).toBe(false);
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  },
);

test('without a lock of the system, the file is the lock: nobody takes it away, and how to remove it is said', async () => {
  const folder = folderWith();
  const without = { ...process.env, PATH: '/nowhere' };
  const first = taking(folder, [], without);
  expect(await first.said).toBe('taken');
  expect(isLocked(folder)).toBe(true);
  expect(() => lock(folder)).toThrow(/in use by another culprit/);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await taking(folder, [], without).said).toMatch(/locked by a culprit that was killed/);
  if (hasFlock) lock(folder)();
});

test.each([
  ['on another machine', { kind: 'marked', pid: 1, where: `not-${hostname()} x y` }],
  ['that cannot be read', 'something of the user'],
])('a lock %s is left alone', (_, owner) => {
  const text = typeof owner === 'string' ? owner : JSON.stringify(owner);
  const folder = folderWith({ lock: text });
  let advice = '';
  try {
    lock(folder);
  } catch (error) {
    advice = (error as { advice: string }).advice;
  }
  expect(advice).toContain(`rm ${join(folder, 'lock')}`);
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(text);
  writeFileSync(join(folder, 'lock'), text);
});

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { CommandOracle } from '../../../src/oracle/command/command.js';
import type { OracleOptions } from '../../../src/oracle/command/options.js';
import type { Rule } from '../../../src/oracle/command/rules.js';
import { ExclusiveLock } from '../../../src/oracle/exclusive-lock.js';

const fileOf = (text: string, name = 'in.txt'): Artifact => ({
  files: new Map([[name, { kind: 'file', bytes: Buffer.from(text) }]]),
});
const given = [{ path: 'in.txt', name: 'in.txt', folder: false }];
const interesting: Rule = { kind: 'interesting' };

const open: CommandOracle[] = [];
const oracleOf = (command: readonly string[], more: Partial<OracleOptions> = {}): CommandOracle => {
  const oracle = new CommandOracle({ command, given, jobs: 1, ...more });
  open.push(oracle);
  return oracle;
};
afterEach(async () => {
  for (const oracle of open.splice(0)) await oracle.close();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'culprit-oracle-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const stdoutOf = async (oracle: CommandOracle, artifact: Artifact) =>
  Buffer.from((await oracle.attempt(artifact, 20)).run.stdout).toString();

test('{} is the path of the file, and the file lies under its name in the folder that the command starts in', async () => {
  expect(await stdoutOf(oracleOf(['cat', '{}']), fileOf('hello'))).toBe('hello');
  expect(await stdoutOf(oracleOf(['cat', 'in.txt']), fileOf('hello'))).toBe('hello');
  expect(await stdoutOf(oracleOf(['tr a-z A-Z < {} | rev']), fileOf('hello'))).toBe('OLLEH');
});

test('{} is the folder when several inputs were given', async () => {
  const several = [...given, { path: 'b.txt', name: 'b.txt', folder: false }];
  const artifact = { files: new Map([...fileOf('x').files, ...fileOf('y', 'b.txt').files]) };
  expect(await stdoutOf(oracleOf(['ls', '{}'], { given: several }), artifact)).toBe('b.txt\nin.txt\n');
});

test('a name with blanks, quotes and signs in it is one word', async () => {
  const name = `it's "odd" $HOME *.txt`;
  const odd = [{ path: name, name, folder: false }];
  expect(await stdoutOf(oracleOf(['cat', '{}'], { given: odd }), fileOf('one', name))).toBe('one');
  expect(await stdoutOf(oracleOf(['cat {} && echo'], { given: odd }), fileOf('one', name))).toBe('one\n');
});

test('a file name with $ patterns or shell syntax stays a file name, and runs nothing', async () => {
  const pwned = join(folder(), 'pwned').replaceAll('/', '$(printf "\\\\57")');
  for (const name of [
    'Foo$$Lambda.txt',
    'a$&b',
    "$'x",
    '$`x',
    `'; echo ran; '`,
    '"; echo ran; "',
    `$(echo ran > ${pwned})`,
  ]) {
    const short = name.slice(0, 200);
    const odd = [{ path: short, name: short, folder: false }];
    for (const command of [['cat', '{}'], ['cat {} && :'], ['cat "{}" && :'], ["cat '{}' && :"]])
      expect(await stdoutOf(oracleOf(command, { given: odd }), fileOf('one', short))).toBe('one');
  }
});

test('files beside the user are found from the workspace, and the path of the original means the candidate', () => {
  const cwd = folder();
  writeFileSync(join(cwd, 'tool.js'), '');
  writeFileSync(join(cwd, 'in.txt'), '');
  const words = ['node', 'tool.js', './in.txt', join(cwd, 'in.txt'), 'in.txt', '--flag', 'none.js'];
  const { argv } = oracleOf(words, { cwd, given: [{ path: 'in.txt', name: 'in.txt', folder: false }] });
  expect(argv).toEqual(['node', join(cwd, 'tool.js'), '{}', '{}', 'in.txt', '--flag', 'none.js']);
});

test('a command has a TMPDIR of its own, which is empty for every test', async () => {
  const oracle = oracleOf(['ls -A "$TMPDIR"; touch "$TMPDIR/left"; ls -A "$TMPDIR"']);
  expect(await stdoutOf(oracle, fileOf('1'))).toBe('left\n');
  expect(await stdoutOf(oracle, fileOf('2'))).toBe('left\n');
});

test('a test that nobody waits for any more is killed at once', async () => {
  const cwd = folder();
  const oracle = oracleOf([`touch ${cwd}/began; sleep 60; touch ${cwd}/ended`]);
  const stop = new AbortController();
  const running = oracle.test(interesting, 60)(fileOf('a'), stop.signal);
  while (!existsSync(join(cwd, 'began'))) await new Promise(resolve => setTimeout(resolve, 5));
  stop.abort();
  await expect(running).rejects.toThrow();
  expect(existsSync(join(cwd, 'ended'))).toBe(false);
});

test('a test that is abandoned while its shell starts is not run', async () => {
  const cwd = folder();
  const oracle = oracleOf([`touch ${cwd}/began; sleep 60`]);
  const stop = new AbortController();
  const running = oracle.test(interesting, 60)(fileOf('a'), stop.signal);
  // The shell is a process, and takes longer to start than a turn of the event loop.
  await new Promise(resolve => setImmediate(resolve));
  stop.abort();
  await expect(running).rejects.toThrow();
  expect(existsSync(join(cwd, 'began'))).toBe(false);
});

test('a time limit beyond what a timer can hold is no time-out', async () => {
  const { run } = await oracleOf(['sleep', '0.05']).attempt(fileOf('a'), 1e10);
  expect(run.timedOut).toBe(false);
});

test('a doubtful result next to others is repeated alone, when all of them are out and before anyone else is in', async () => {
  const gate = new ExclusiveLock();
  const seen: string[] = [];
  const ends: (() => void)[] = [];
  const share = (name: string, isDoubtful = false) =>
    gate.share(
      () => {
        seen.push(name);
        return new Promise<void>(resolve => ends.push(resolve));
      },
      () => isDoubtful,
    );
  const settle = () => new Promise(resolve => setImmediate(resolve));
  const all = [share('a', true), share('b')];
  await settle();
  expect(seen).toEqual(['a', 'b']);
  ends[0]!();
  await settle();
  all.push(share('c'));
  await settle();
  expect(seen).toEqual(['a', 'b']);
  ends[1]!();
  await settle();
  expect(seen).toEqual(['a', 'b', 'a']);
  ends[2]!();
  await settle();
  expect(seen).toEqual(['a', 'b', 'a', 'c']);
  ends[3]!();
  await Promise.all(all);
  const lonely = share('d', true);
  await settle();
  ends[4]!();
  await lonely;
  expect(seen).toEqual(['a', 'b', 'a', 'c', 'd']);
});

test('a warm oracle gives all tests one folder for compiled code, which goes with the oracle', async () => {
  const show = ['echo "$NODE_COMPILE_CACHE" {}'];
  const { NODE_COMPILE_CACHE: _, NODE_V8_COVERAGE: __, ...env } = process.env as Record<string, string>;
  const warm = new CommandOracle({ command: show, given, jobs: 2, warm: true, env });
  const lines = await Promise.all(['a', 'b'].map(text => stdoutOf(warm, fileOf(text))));
  const folders = new Set(lines.map(line => line.split(' ')[0]!));
  expect(folders.size).toBe(1);
  const [cache] = folders;
  expect(existsSync(cache!)).toBe(true);
  await warm.close();
  expect(existsSync(cache!)).toBe(false);

  expect(await stdoutOf(oracleOf(show, { env }), fileOf('a'))).toMatch(/^ /);
  const own = { ...env, NODE_COMPILE_CACHE: '/of/the/user' };
  expect(await stdoutOf(oracleOf(show, { warm: true, env: own }), fileOf('a'))).toMatch(/^\/of\/the\/user /);
  const off = { ...env, NODE_DISABLE_COMPILE_CACHE: '1' };
  expect(await stdoutOf(oracleOf(show, { warm: true, env: off }), fileOf('a'))).toMatch(/^ /);
});

import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { writeKeys } from '../../src/remote/keys.js';
import { culprit, folderWith, lines } from '../cli/culprit.js';
import { repositoryWith } from '../cli/repository.js';
import { hire, type Place, remote, startRedis, watchCommands } from './queue.js';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

interface Case {
  readonly files: Readonly<Record<string, string>>;
  /** What the worker may start. */
  readonly allowed: readonly string[];
  readonly args: (jobs: readonly string[], name: string) => readonly string[];
  /** The folder in which culprit is started. */
  readonly folder?: string;
  prepare?(cwd: string): void;
}

const transcript = (run: string) =>
  lines(join(run, 'journal.jsonl'))
    .map(line => JSON.parse(line).event)
    .filter(event => /^(pass|answered|reduced)$/.test(event?.type))
    .map(event => JSON.stringify(event));

/** One run on this machine, and one in which only the worker tests candidates. */
async function expectSame({ files, allowed, args, folder = '.', prepare }: Case): Promise<void> {
  const cwd = folderWith(files);
  prepare?.(cwd);
  // In the folder that some jobs send to the workers.
  const place: Place = { cwd, ...writeKeys(join(cwd, folder, 'client')) };
  const server = await startRedis();
  const { log } = hire(server, place, [...allowed], 2);
  const run = async (name: string, jobs: readonly string[]) => {
    const { code, stderr } = await culprit(args(['--run', join(cwd, name), ...jobs], name), { cwd: join(cwd, folder) });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Done')]);
    return { stderr, transcript: transcript(join(cwd, name)) };
  };
  const alone = await run('alone', ['-j', '1']);
  const sent: string[] = [];
  watchCommands(server, words => void sent.push(words.join(' ')));
  const away = await run('away', ['-j', '0', ...remote(server, place)]);
  expect(away.stderr).toContain('joined with 2 slots');
  expect(log.some(line => /^run \w+: /.test(line))).toBe(true);
  expect(away.transcript).toEqual(alone.transcript);
  const [, secret] = readFileSync(place.key, 'utf8').split('\n');
  expect(sent.some(text => text.includes('culprit:blob:') || text.includes(':answers'))).toBe(true);
  expect(sent.filter(text => text.includes(secret!) || text.includes(btoa(readFileSync(place.key, 'utf8'))))).toEqual(
    [],
  );
  expect(alone.transcript.length).toBeGreaterThan(2);
}

const crash =
  'grep -q AAA "$1" && { echo "Error: a" >&2; exit 3; }\ngrep -q BBB "$1" && { echo "Error: b" >&2; exit 4; }';

test('triage', () =>
  expectSame({
    files: {
      'tool.sh': `#!/bin/sh\n${crash}\nexit 0\n`,
      'in/1': 'one\nAAA two\n',
      'in/2': 'AAA\nthree\n',
      'in/3.txt': 'four\nBBB five\nsix\n',
      'in/4': 'nothing\n',
    },
    allowed: ['any'],
    args: (jobs, name) => ['triage', 'in', '--out', `t-${name}`, ...jobs, '--', './tool.sh', '{}'],
  }));

test('reduce --stdin', () =>
  expectSame({
    files: { 'in.txt': 'one\ntwo\nAAA\nthree\nfour\n' },
    allowed: ['grep'],
    args: (jobs, name) => [
      ...['reduce', 'in.txt', '--stdin', '--interesting', '-o', `${name}.txt`, ...jobs],
      ...['--', 'grep', 'AAA'],
    ],
  }));

test('changes, in a folder of the repository, with a script of the repository', () =>
  expectSame({
    files: {},
    allowed: ['./check.sh'],
    folder: 'inner',
    prepare(cwd) {
      const check = '#!/bin/sh\nif grep -q bad ../lib/a.txt; then echo "Error: bad" >&2; exit 3; fi\n';
      const list = (changed: boolean) =>
        Array.from({ length: 40 }, (_, i) => `${changed && i % 10 === 3 ? `new ${i}` : `line ${i}`}\n`).join('');
      const files = { 'inner/check.sh': check, 'lib/b.txt': list(false), 'lib/a.txt': list(false) };
      const broken = { ...files, 'lib/b.txt': list(true), 'lib/a.txt': list(true).replace('new 23', 'bad 23') };
      repositoryWith(cwd, [
        { message: 'good', parents: [], files },
        { message: 'bad', parents: [0], files: broken },
      ]);
    },
    args: jobs => ['changes', 'HEAD~1', 'HEAD', ...jobs, '--', './check.sh'],
  }));

test('tests', () => {
  const file = (n: number) => `const assert = require('node:assert');
it('test ${n}', () => {
  if (${n} === 2) globalThis.left = true;
  if (${n} === 6) assert.equal(globalThis.left, undefined);
});
`;
  const names = Array.from({ length: 7 }, (_, n) => [`test/${n}.js`, file(n)] as const);
  return expectSame({
    files: Object.fromEntries(names),
    allowed: [join(modules, '.bin/mocha')],
    prepare: cwd => symlinkSync(modules, join(cwd, 'node_modules')),
    args: jobs => ['tests', ...jobs, '--', 'npx', 'mocha'],
  });
});

test.each([[['actions', 'recording.json']], [['traffic', 'log.har', '--send']], [['schedules']]])(
  '%j says why it has no workers',
  async words => {
    const args = [...words, '--workers', 'redis://127.0.0.1:1', '--', 'true'];
    const { code, stderr } = await culprit(args, { cwd: folderWith() });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--workers does not apply to ${words[0]}.`)]);
  },
);

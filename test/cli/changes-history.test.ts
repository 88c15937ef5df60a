import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Artifact } from '../../src/core/artifact.js';
import type { Verdict } from '../../src/core/index.js';
import { Counter } from '../../src/engine/index.js';
import { type FirstBadCommit, firstBadCommit } from '../../src/plans/changes/commits.js';
import { identify } from '../../src/sources/files.js';
import { openRepository } from '../../src/sources/versions/git.js';
import { culprit, folderWith, lines, start, until } from './culprit.js';
import { type Commit, git, repositoryWith } from './repository.js';
import { stableWithout } from './stable.js';

const total = 300;
const bad = 187;

/** Side branches of three commits are merged every tenth commit; twenty commits do not build; commit 187 breaks it. */
function commits(): readonly Commit[] {
  const list: Commit[] = [];
  const source = (i: number, isBad: boolean, isBroken: boolean) => ({
    'build.sh': isBroken ? 'exit 1\n' : 'cp lib.js built.js\n',
    'lib.js': [
      `// revision ${i}`,
      'exports.add = (a, b) => a + b;',
      ...Array.from({ length: 8 }, (_, k) => `// ${k}`),
      `exports.least = ${i % 7};`,
      ...Array.from({ length: 8 }, (_, k) => `// ${k + 8}`),
      isBad ? 'exports.twice = a => a + 2;' : 'exports.twice = a => a * 2;',
      ...Array.from({ length: 8 }, (_, k) => `// ${k + 16}`),
      `exports.most = ${i % 11};`,
      '',
    ].join('\n'),
    'check.js': "if (require('./built.js').twice(5) !== 10) throw new Error('twice is not twice');\n",
  });
  // Where each commit hangs: 10 k + 7 branches off at 10 k + 3, and 10 k + 9 merges it.
  for (let i = 0; i < total; i++) {
    const digit = i % 10;
    const parents = i === 0 ? [] : digit === 7 ? [i - 4] : digit === 9 ? [i - 3, i - 1] : [i - 1];
    const isBroken = i >= 150 && i < 250 && i % 5 === 0;
    const seen = descends(list, i, parents);
    list.push({ message: `commit ${i}`, parents, files: source(i, seen, isBroken) });
  }
  return list;
}

function descends(list: readonly Commit[], i: number, parents: readonly number[]): boolean {
  if (i === bad) return true;
  return parents.some(parent => list[parent]!.files['lib.js']!.includes('a + 2'));
}

const stable = stableWithout('run', 'output', 'patches');

function repository(): { readonly cwd: string; readonly ids: readonly string[] } {
  const cwd = folderWith();
  return { cwd, ids: repositoryWith(cwd, commits()) };
}

const args = (name: string, ...more: readonly string[]) => [
  'changes',
  ...more,
  '--run',
  `../${name}`,
  '-o',
  `../${name}.out`,
  '--json',
  '--build',
  'sh build.sh',
];
const command = ['--', 'node', 'check.js'];
/** The same question to a shell, which answers in a tenth of the time: where the way through the commits is the point. */
const byShell = ['--', 'sh', '-c', "grep -q 'a [*] 2' built.js || { echo 'Error: twice is not twice' >&2; exit 1; }"];

function nested(): { readonly cwd: string; readonly ids: readonly string[] } {
  const folder = folderWith();
  const cwd = join(folder, 'project');
  return { cwd, ids: repositoryWith(cwd, commits()) };
}

test('in 300 commits with merges, 20 of which do not build, the first bad one and its hunk are found', async () => {
  const { cwd, ids } = nested();
  expect(commits().filter(({ files }) => files['build.sh'] === 'exit 1\n')).toHaveLength(20);
  const one = await culprit([...args('one', `${ids[0]}..main`, '-j', '1'), ...command], { cwd });
  expect(one.stderr).toContain(`the first bad commit of ${total - 1}`);
  expect(one.code).toBe(0);
  const found = JSON.parse(one.stdout);
  expect(found.commits).toEqual([{ id: ids[bad], words: expect.stringContaining(`commit ${bad}`) }]);
  expect(found.culprits).toMatchObject([{ file: 'lib.js', lines: { old: [20, 20], new: [20, 20] } }]);
  expect(found.culprits[0].code).toBe('-exports.twice = a => a * 2;\n+exports.twice = a => a + 2;');
  expect(found.verified).toEqual({ culprit: 'fail', revert: 'pass' });
  const four = await culprit([...args('four', ids[0]!, 'main', '-j', '4'), ...command], { cwd });
  expect(stable(four.stdout)).toEqual(stable(one.stdout));
  // Nothing of the user's has changed: neither the tree, nor the index, nor the refs.
  expect(git(cwd, ['status', '--porcelain'])).toBe('');
  expect(git(cwd, ['stash', 'list'])).toBe('');
  expect(git(cwd, ['rev-parse', 'main'])).toBe(`${ids.at(-1)}\n`);
});

test('with --granularity commit the search ends at the commit', async () => {
  const { cwd, ids } = nested();
  const run = await culprit([...args('c', ids[100]!, 'main', '--granularity', 'commit'), ...byShell], { cwd });
  expect(run.code).toBe(0);
  const found = JSON.parse(run.stdout);
  expect(found.minimal).toEqual(['commit']);
  expect(found.commits.map((each: { id: string }) => each.id)).toEqual([ids[bad]]);
});

test('where the old revision fails too, an older one that passes is looked for', async () => {
  const { cwd, ids } = nested();
  const run = await culprit([...args('back', ids[290]!, 'main'), ...byShell], { cwd });
  expect(run.stderr).toContain('fails too');
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout).commits.map((each: { id: string }) => each.id)).toEqual([ids[bad]]);
});

test('a search through history that is interrupted continues to the same result', async () => {
  const { cwd, ids } = nested();
  const slow = byShell.with(-1, `sleep 0.1; ${byShell.at(-1)}`);
  const whole = await culprit([...args('whole', ids[0]!, 'main', '-j', '2'), ...slow], { cwd });
  const run = start([...args('cut', ids[0]!, 'main', '-j', '2'), ...slow], { cwd });
  const journal = join(cwd, '../cut/journal.jsonl');
  const hasBegun = () => existsSync(journal) && lines(journal).some(line => line.includes('"step":4,'));
  expect(await until(hasBegun)).toBe(true);
  run.kill('SIGINT');
  const stopped = await run.ended;
  expect(stopped.code).toBe(3);
  const resumed = await culprit(['resume', '../cut'], { cwd });
  expect(resumed.code).toBe(0);
  expect(stable(resumed.stdout)).toEqual(stable(whole.stdout));
});

test('a shallow clone, a dirty tree and a revision that is not there are each said in a sentence', async () => {
  const { cwd, ids } = nested();
  const shallow = join(cwd, '../shallow');
  spawnSync('git', ['clone', '--quiet', '--depth', '3', `file://${cwd}`, shallow], { stdio: 'ignore' });
  const lost = await culprit(['changes', ids[0]!, 'main', ...command], { cwd: shallow });
  expect(lost.code).toBe(2);
  expect(lost.stderr).toContain('git fetch --unshallow');
  writeFileSync(join(cwd, 'lib.js'), 'changed\n');
  const dirty = await culprit([...args('dirty', ids[186]!, ids[187]!), ...command], { cwd });
  expect(dirty.code).toBe(0);
  expect(dirty.stderr).toContain('Uncommitted files are part of neither version: lib.js');
  expect(readFileSync(join(cwd, 'lib.js'), 'utf8')).toBe('changed\n');
  const missing = await culprit(['changes', 'v9', 'main', ...command], { cwd });
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('There is no commit "v9"');
});

/** All tests that run at the same moment end together: one round. */
function rounds(judge: (artifact: Artifact) => Verdict) {
  let count = 0;
  let waiting: (() => void)[] = [];
  const tick = () => {
    const now = waiting;
    waiting = [];
    count++;
    for (const go of now) go();
  };
  return {
    count: () => count,
    test: (artifact: Artifact) =>
      new Promise<Verdict>(resolve => {
        if (waiting.length === 0) setTimeout(tick, 5);
        waiting.push(() => resolve(judge(artifact)));
      }),
  };
}

test('more workers need fewer rounds for the same commit', async () => {
  const { cwd, ids } = repository();
  const opened = openRepository(cwd);
  const history = opened.history('main', [ids[0]!]);
  const textOf = ({ files }: Artifact, path: string) => {
    const entry = files.get(path);
    return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
  };
  const judge = (artifact: Artifact): Verdict => {
    if (textOf(artifact, 'build.sh') === 'exit 1\n') return { outcome: 'unresolved', reason: 'does not build' };
    return { outcome: textOf(artifact, 'lib.js').includes('a + 2') ? 'fail' : 'pass' };
  };
  const needed: Record<number, number> = {};
  for (const workers of [1, 4, 16]) {
    const { test: ask, count } = rounds(judge);
    const searched = { repository: opened, commits: history, startsPassing: true };
    const search = firstBadCommit(searched, ask, { identify, workers, counter: new Counter() });
    let end: FirstBadCommit | undefined;
    while (!end) {
      const step = await search.next();
      if (step.done) end = step.value;
    }
    expect(end.commit?.id).toBe(ids[bad]);
    needed[workers] = count();
  }
  console.log(
    `rounds for ${history.length} commits: ${Object.entries(needed)
      .map(([w, n]) => `${n} with ${w}`)
      .join(', ')}`,
  );
  expect(needed[4]!).toBeLessThan(needed[1]!);
  expect(needed[16]!).toBeLessThan(needed[4]!);
});

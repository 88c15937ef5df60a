import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cache, culprit, folderWith, main } from './culprit.js';
import { runWild } from './wild.js';

test('tests that hang, fork, leave their session, flood, exhaust memory and destroy their workspace are survived', async () => {
  // A part of `npm run bench -- hostile`: every misdeed thirty times, with smaller floods and shorter hangs.
  const limits = { tests: 360, jobs: 4, flood: 2_000_000, timeout: 0.2, memory: 64 };
  const wild = await runWild({ main, cwd: folderWith(), ...limits });
  expect(wild.stderr).not.toMatch(/bug (of|in) culprit/);
  expect(wild.code).toBe(3);
  expect(wild.json).toMatchObject({ ended: 'budget' });
  expect(Number(wild.json.executed)).toBe(360);
  expect(wild.processes).toEqual([]);
  expect(wild.folders).toEqual([]);
  expect(wild.peak).toBeLessThan(300);
}, 600_000);

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', 'true']).status === 0;

test.skipIf(!works && !process.env.CI)(
  'in a sandbox a mutated shell script cannot delete a file of the user (bubblewrap)',
  async () => {
    // Without its first line, this deletes more than it should.
    const script = `target=scratch
rm -rf "$PRECIOUS/$target"/* 2>/dev/null
echo "Error: done" >&2
exit 3
`;
    const cwd = folderWith({ 'in.sh': script, 'precious/thesis.txt': 'five years' }, cache);
    const how = { cwd, env: { PRECIOUS: join(cwd, 'precious') } };
    const { code, stderr } = await culprit(['reduce', 'in.sh', '--sandbox', '--', 'sh', '{}'], how);
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(cwd, 'precious/thesis.txt'), 'utf8')).toBe('five years');
    expect(existsSync(join(cwd, 'in.reduced.sh'))).toBe(true);
  },
);

test.skipIf(!works && !process.env.CI)(
  'a command in /tmp, which a sandbox hides, is refused (bubblewrap)',
  async () => {
    const cwd = folderWith({ 'in.txt': 'x', 't.sh': '#!/bin/sh\nexit 1\n' }, '/tmp');
    const { code, stderr } = await culprit(['reduce', 'in.txt', '--sandbox', '--', './t.sh'], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain('of their own');
  },
);

test('without bubblewrap --sandbox is refused, and nothing is run', async () => {
  const cwd = folderWith({ 'in.txt': 'x' });
  const args = ['reduce', 'in.txt', '--sandbox', '--', '/bin/sh', '-c', 'touch ran; exit 1'];
  const { code, stderr } = await culprit(args, { cwd, env: { PATH: '/nowhere' } });
  expect(code).toBe(2);
  expect(stderr).toContain('needs bubblewrap');
  expect(existsSync(join(cwd, '.culprit'))).toBe(false);
});

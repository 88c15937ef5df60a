import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { openWorkspaces } from '../../../src/oracle/command/workspace.js';
import { openRunner } from '../../../src/oracle/process/index.js';
import { env, limits, MB, never, oddSleep, processesWith } from './running.js';

const sleep = oddSleep();
const misdeeds = [
  `sleep ${sleep}`,
  `setsid sleep ${sleep} & exit 1`,
  `env -i setsid sleep ${sleep} & setsid sh -c 'sleep ${sleep} & sleep ${sleep}' & exit 1`,
  'yes',
  'head -c 1000000000 /dev/zero >&2',
  'rm -rf ../w; mkdir -p ../t/a; echo > ../t/x',
  'echo changed > input; chmod 000 input',
  'kill -9 0',
  `x=a; while :; do x=$x$x; done`,
  `for i in 1 2 3 4 5 6 7 8; do (setsid sleep ${sleep} >/dev/null 2>&1 &); done; kill -SEGV $$`,
];

test('a hundred commands that misbehave leave no process, no memory used and every workspace as it was', {
  timeout: 60_000,
}, async () => {
  const workspaces = openWorkspaces(4);
  const runner = openRunner({ slots: 4, limits: { ...limits, memory: 256 }, folders: [workspaces.root] });
  const artifact: Artifact = { files: new Map([['input', { kind: 'file', bytes: Buffer.from('hello') }]]) };
  const before = process.memoryUsage().rss;
  let next = 0;
  const work = async (slot: number): Promise<void> => {
    const cwd = workspaces.path(slot);
    while (next < 100) {
      const argv = ['sh', '-c', misdeeds[next++ % misdeeds.length]!];
      workspaces.put(slot, artifact);
      await runner.run({ argv, cwd, env: { ...env, TMPDIR: workspaces.tmp(slot) }, timeout: 0.5 }, slot, never);
      workspaces.tidy(slot);
      expect(readFileSync(join(cwd, 'input'), 'utf8')).toBe('hello');
    }
  };
  await Promise.all([0, 1, 2, 3].map(work));
  expect(processesWith(sleep)).toEqual([]);
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * MB);
  await runner.close();
  workspaces.close();
});

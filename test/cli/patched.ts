import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** With its patch, the old version fails with these words under check.js, and the new one does not. */
export function expectPatches(cwd: string, words: string): void {
  for (const [version, patch, fails] of [
    ['old', 'culprit.patch', true],
    ['new', 'revert.patch', false],
  ] as const) {
    const copy = `${version} patched`;
    cpSync(join(cwd, version), join(cwd, copy), { recursive: true });
    const applied = spawnSync('git', ['apply', join(cwd, 'culprit.changes', patch)], { cwd: join(cwd, copy) });
    expect(applied.status).toBe(0);
    const run = spawnSync('node', ['check.js', copy], { cwd, encoding: 'utf8' });
    expect(run.stderr.includes(words)).toBe(fails);
  }
}

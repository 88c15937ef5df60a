import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Run } from '../../../src/oracle/process/types.js';
import { nativeBacktrace, readSignature, withBacktrace } from '../../../src/oracle/signature/index.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'culprit-signature-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const without = (...programs: string[]): boolean => !process.env.CI && !programs.every(has);

function run(program: string, ...args: string[]): Run {
  const { status, signal, stdout, stderr } = spawnSync(program, args, { cwd: folder });
  return {
    ...(status === null ? {} : { exit: status }),
    ...(signal ? { signal } : {}),
    timedOut: false,
    seconds: 0,
    stdout,
    stderr,
    truncated: false,
  };
}
const key = (result: Run) => readSignature(result, { volatile: [folder] });

test('Node: an error of a program is the same whichever input brings it about', () => {
  writeFileSync(
    join(folder, 'tool.cjs'),
    'function fold(x) { return x.left.name; }\nfunction walk(n) { return n > 0 ? walk(n - 1) : fold({}); }\nwalk(Number(process.argv[2]));\n',
  );
  const tool = (depth: string) => readSignature(run(process.execPath, 'tool.cjs', depth), { volatile: [] });
  expect(tool('5')?.text).toBe("TypeError: Cannot read properties of undefined (reading 'name') at fold ← walk");
  expect(tool('0')?.key).toBe(tool('5')?.key);
});

test.skipIf(without('python3'))('Python (skipped without python3): an exception is read from its traceback', () => {
  const result = run('python3', '-c', 'def fold(x):\n  return x["a"]\nfold({})');
  expect(key(result)?.text).toBe("KeyError: 'a' at fold");
});

const source = `#include <assert.h>
#include <stdlib.h>
int fold(int *p) { return p[1]; }
int walk(int n) { assert(n != 2); return fold(n == 1 ? 0 : malloc(4)); }
int main(int c, char **v) { return walk(atoi(v[1])); }
`;

test.skipIf(without('gcc'))(
  'C (skipped without gcc): an assertion and a report of AddressSanitizer are two failures',
  () => {
    writeFileSync(join(folder, 'tool.c'), source);
    execFileSync('gcc', ['-w', '-g', '-fsanitize=address', 'tool.c', '-o', 'tool-asan'], { cwd: folder });
    const assertion = readSignature(run('./tool-asan', '2'), { volatile: [] });
    const overflow = readSignature(run('./tool-asan', '3'), { volatile: [] });
    expect(assertion?.key).toBe("assert · SIGABRT: 'n != N' · tool.c:4 · walk");
    expect(overflow?.text).toBe('AddressSanitizer: heap-buffer-overflow (READ) at fold ← walk ← main');
  },
);

test.skipIf(without('gcc', 'gdb'))(
  'gdb (skipped without gcc and gdb) names the functions of a crash, also behind a shell',
  { timeout: 60_000 },
  async () => {
    writeFileSync(join(folder, 'tool.c'), source);
    execFileSync('gcc', ['-w', 'tool.c', '-o', 'tool'], { cwd: folder });
    const died = readSignature(run('./tool', '1'), { volatile: [] })!;
    expect(died).toMatchObject({ text: 'SIGSEGV', key: 'SIGSEGV' });
    const frames = await nativeBacktrace(['./tool', '1'], { cwd: folder, env: process.env, timeout: 30 });
    expect(frames).toEqual(['fold', 'walk', 'main']);
    expect(withBacktrace(died, frames!)).toMatchObject({ text: 'SIGSEGV in `fold` ← `walk` ← `main`', key: 'SIGSEGV' });
    expect(
      await nativeBacktrace(['sh', '-c', './tool 1; exit 3'], { cwd: folder, env: process.env, timeout: 30 }),
    ).toEqual(['fold', 'walk', 'main']);
    expect(await nativeBacktrace(['./tool', '3'], { cwd: folder, env: process.env, timeout: 30 })).toBeUndefined();
    expect(await nativeBacktrace(['sleep', '20'], { cwd: folder, env: process.env, timeout: 1 })).toBeUndefined();
  },
);

test.skipIf(without('perl'))('Perl (skipped without perl): the place of a death does not need its line', () => {
  const died = (before: string) => key(run('perl', '-e', `${before}die "no rule"`));
  expect(died('')?.key).toBe(died('\n\n')?.key);
});

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith, lines } from './culprit.js';

const hasGcc = spawnSync('gcc', ['--version']).status === 0;

/** The answer, its transcript and its counts: all that must not depend on the number of workers. */
async function answerOf(cwd: string, jobs: number, file: string, args: readonly string[]) {
  const head = ['reduce', file, '-j', String(jobs), '--run', `r${jobs}`, '--json', '--timeout', '30'];
  const { code, stdout, stderr } = await culprit([...head, ...args], { cwd });
  expect(stderr).not.toMatch(/bug (of|in) culprit/);
  const { tests, cached, unresolved, minimal, after } = JSON.parse(stdout);
  const transcript = lines(join(cwd, `r${jobs}/journal.jsonl`))
    .map(line => JSON.parse(line).event)
    .filter(event => ['began', 'pass', 'answered', 'reduced'].includes(event?.type));
  const best = readFileSync(join(cwd, `r${jobs}/best/${file}`));
  return { code, tests, cached, unresolved, minimal, after, transcript, best };
}

async function expectSame(cwd: string, file: string, args: readonly string[]) {
  const one = await answerOf(cwd, 1, file, args);
  expect(await answerOf(cwd, 2, file, args)).toEqual(one);
  expect(await answerOf(cwd, 8, file, args)).toEqual(one);
  return one;
}

/** A tool of its own kind: it checks C by a real compiler first, and then dies of a null pointer on nested blocks. */
const tool = `
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "r");
  int depth = 0, c;
  while ((c = fgetc(file)) != EOF) {
    if (c == '{') depth++;
    if (c == '}') depth--;
    if (depth == 3 && c == 'x') *(volatile int *)0 = 1;
  }
  return 0;
}
`;
const source = `int a, b;
int unused(int n) { return n + 1; }
int main(void) {
  if (a) { b = 1; }
  for (a = 0; a < 3; a++) {
    if (b) { int x = a; b += x; }
    b--;
  }
  return b;
}
`;

test.skipIf(!hasGcc && !process.env.CI)(
  'a C file that crashes a compiled tool gives the same bytes, transcript and counts on 1, 2 and 8 workers (gcc)',
  async () => {
    const cwd = folderWith({ 'tool.c': tool, 'in.c': source });
    execFileSync('gcc', ['-o', 'tool', 'tool.c'], { cwd });
    const one = await expectSame(cwd, 'in.c', ['--', './tool', '{}']);
    expect(one.code).toBe(0);
    expect(one.best.toString()).toMatch(/\{\s*\{\s*\{\s*x/);
  },
);

test('a script that Node runs gives the same bytes, transcript and counts on 1, 2 and 8 workers, also when stopped', async () => {
  const script = `const total = items => items.reduce((sum, item) => sum + item.price.amount, 0);
const shop = { name: 'corner', items: [{ price: { amount: 2 } }, { price: { amount: 3 } }] };
console.log(total(shop.items));
shop.items.push({ name: 'gift' });
console.log(total(shop.items));
`;
  const cwd = folderWith({ 'in.js': script });
  const one = await expectSame(cwd, 'in.js', ['--max-tests', '20', '--', process.execPath, '{}']);
  expect(one.code).toBe(3);
  expect(one.best.length).toBeLessThan(script.length);
});

test('a test that runs out of time beside others is run again alone before it counts', async () => {
  // The more of these run at a time the longer each takes: beside another one it is too slow, alone it is not.
  const script = `#!/bin/sh
mkdir -p "$BUSY"; touch "$BUSY/$$"
sleep 0.05
n=0
for each in "$BUSY"/*; do kill -0 "\${each##*/}" 2>/dev/null && n=$((n + 1)); done
if [ $n -gt 1 ]; then sleep 60; fi
rm -f "$BUSY/$$"
if grep -q BOOM "$1"; then echo "Error: boom" >&2; exit 3; fi
`;
  const cwd = folderWith({ 'in.txt': 'a b\nBOOM c\nd\n', 't.sh': script });
  const of = async (jobs: number) => {
    const args = ['reduce', 'in.txt', '-j', String(jobs), '--timeout', '2', '--by', 'line', '--json'];
    const how = { cwd, env: { BUSY: join(cwd, 'busy') } };
    const { stdout, stderr } = await culprit([...args, '--run', `r${jobs}`, '--', './t.sh', '{}'], how);
    const { tests, cached, unresolved } = JSON.parse(stdout || stderr);
    return { tests, cached, unresolved, best: readFileSync(join(cwd, `r${jobs}/best/in.txt`), 'utf8') };
  };
  const alone = await of(1);
  expect(alone.best).toBe('BOOM c\n');
  expect(alone.unresolved).toBe(0);
  expect(await of(4)).toEqual(alone);
});

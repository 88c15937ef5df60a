/** The command lines in `examples/workers` must be ones that `culprit worker` accepts. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workerCommand } from '../../src/cli/commands/worker.js';

const read = (name: string) => readFileSync(new URL(`../../examples/workers/${name}`, import.meta.url), 'utf8');

test.each([
  ['compose.yaml', /command: (redis:.*)/.exec(read('compose.yaml'))?.[1]?.split(' ') ?? []],
  ['kubernetes.yaml', [...read('kubernetes.yaml').matchAll(/^ +- (redis:\S+|--\S+)$/gm)].map(([, word]) => word!)],
])('%s starts a worker with options that exist', (_, words) => {
  const { operands, unknown } = workerCommand().parseOptions(words);
  expect([operands.length, unknown]).toEqual([1, []]);
  expect(words).toContain('--no-sandbox');
  expect(words.length).toBeGreaterThan(4);
});

test('the image has the packages that workers load on first use, and starts a worker', () => {
  const image = read('Dockerfile');
  expect(image).toMatch(/npm install --global culprit bullmq ioredis/);
  expect(image).toMatch(/ENTRYPOINT \["culprit", "worker"\]/);
});

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Tests wait for other processes a quarter of the time: three of them keep two cores busy.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Real compilers, servers and browsers run in these tests, on two cores.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});

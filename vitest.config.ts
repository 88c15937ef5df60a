import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // By default one core is left idle, which on two cores doubles the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Real compilers, servers and browsers run in these tests, on two cores.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

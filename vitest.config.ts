import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real compilers, servers and browsers run in these tests, on two cores.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

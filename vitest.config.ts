import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 120_000,
    pool: 'forks',
    // Left alone it takes half of the cores; most tests here wait for a disk or a child.
    maxWorkers: 2,
  },
});

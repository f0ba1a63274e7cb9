import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { RepeatReporter } from './test/support/repeat-reporter.ts';

/** The tests that take minutes come first: one that is begun last is waited for alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => /\/test\/(crash\/power|faults\/)/.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Calls of the command, which load the same code. */
const calls = ['test/behaviour/**/*.test.ts'];

export default defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', new RepeatReporter()],
    testTimeout: 120_000,
    // The same for hooks, because on a busy machine each command that they run takes seconds.
    hookTimeout: 120_000,
    unstubEnvs: true,
    pool: 'forks',
    // Left alone it takes half of the cores; most tests here wait for a disk or a child.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      // Hundreds of files: to start a process for each, and to load and warm up the same code there, takes longer.
      { extends: true, test: { name: 'rooms', include: ['src/**/*.test.ts', ...calls], isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: calls } },
    ],
  },
});

import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** Prints for each test that failed the one command that runs it again, alone and with the same choices. */
export class RepeatReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const commands = modules.flatMap(commandsFor);
    if (commands.length > 0)
      process.stdout.write(`\nto repeat each failure alone:\n${commands.join('\n')}\n`);
  }
}

function commandsFor(module: TestModule): string[] {
  const file = relative(process.cwd(), module.moduleId);
  const run = [...choices(), 'npx vitest run', file].join(' ');
  const failed = [...module.children.allTests('failed')].map(({ fullName }) => nameOf(fullName));
  if (failed.length > 0) return failed.map((name) => `  ${run} -t ${name}`);
  return module.ok() ? [] : [`  ${run}`];
}

/** What made this run of the tests another one than the usual. */
function choices(): string[] {
  const names = ['PAWL_TEST_FULL', 'PAWL_TEST_THIRD', 'PAWL_SEED'];
  return names.flatMap((name) => (process.env[name] === undefined ? [] : `${name}=${process.env[name]}`));
}

/** Vitest reads the name as a pattern in which suites and test are joined by spaces; a shell reads it first. */
function nameOf(fullName: string): string {
  const pattern = fullName.replaceAll(' > ', ' ').replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return `'${pattern.replaceAll("'", "'\\''")}'`;
}

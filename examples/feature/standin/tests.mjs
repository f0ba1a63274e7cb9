import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from 'node:test';
import { strip } from './strip.mjs';

/**
 * Really runs the tests on the module, in the folder of the attempt.
 * @param {{ module: string, source: string, tests: string }} of
 */
export async function runTests({ module, source, tests }) {
  const folder = join(dirname(process.env.PAWL_CONTEXT ?? ''), 'tried');
  const file = join(folder, 'test', `${module}.test.mjs`);
  try {
    for (const part of ['src', 'test']) mkdirSync(join(folder, part), { recursive: true });
    writeFileSync(join(folder, 'src', `${module}.mjs`), strip(source));
    writeFileSync(file, strip(tests));
  } catch (error) {
    if (error instanceof SyntaxError) return { passed: 0, failures: [doNotRun] };
    throw error;
  }
  let passed = 0;
  /** @type {string[]} */
  const failures = [];
  for await (const { type, data } of run({ files: [file] })) {
    if (type === 'test:pass') passed += 1;
    // Of a file that cannot be loaded its own name is all that is told.
    if (type === 'test:fail') failures.push(data.name === file ? doNotRun : `${data.name}: ${why(data)}`);
  }
  return { passed, failures };
}

const doNotRun = 'the tests do not run: there is something wrong with them, or with the module';

/** @param {{ details: { error: Error } }} data */
function why({ details: { error } }) {
  const cause = error.cause ?? error;
  if (typeof cause !== 'object') return String(cause);
  if ('expected' in cause && 'actual' in cause)
    return `expected ${JSON.stringify(cause.expected)}, found ${JSON.stringify(cause.actual)}`;
  return 'message' in cause ? String(cause.message).split('\n', 1)[0] : 'no reason given';
}

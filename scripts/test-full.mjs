// All tests with nothing left out: every case of the sweeps, and properties with new values, ten times over.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const again = 10;

run({ PAWL_TEST_FULL: '1', PAWL_TEST_RUNS: '600' }, []);
for (let round = 0; round < again; round++) run({}, propertyTests());

/** Ends with the exit code of the first that fails, and says how to repeat it. */
function run(/** @type {Record<string, string>} */ more, /** @type {readonly string[]} */ files) {
  const variables = { PAWL_SEED: String(randomInt(2 ** 31)), ...more };
  const shown = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  console.log(`${shown.join(' ')} npx vitest run ${files.length > 0 ? `(${files.length} files)` : ''}`);
  const { status } = spawnSync('npx', ['vitest', 'run', ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  });
  if (status !== 0) process.exit(status ?? 1);
}

function propertyTests() {
  const call = ['grep', '-l', 'fast-check', '--', 'src/**/*.test.ts', 'test/**/*.test.ts'];
  const { stdout } = spawnSync('git', call, { encoding: 'utf8' });
  return stdout.split('\n').filter((path) => path !== '');
}

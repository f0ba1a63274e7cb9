// No stand-in: it runs the tests of the module, and reports.
import { input, moduleName, output, say } from '../standin/task.mjs';
import { runTests } from '../standin/tests.mjs';

const { passed, failures } = await runTests({
  module: moduleName(),
  source: input('source'),
  tests: input('tests'),
});
const report = {
  status: failures.length === 0 && passed > 0 ? 'pass' : 'fail',
  passed,
  failed: failures.length,
  score: Math.round((100 * passed) / Math.max(1, passed + failures.length)),
  failures,
};
output('report', `${JSON.stringify(report, null, 2)}\n`);
say(`${passed} passed, ${failures.length} failed`);

// Tries the whole once more, and describes it for whoever merges it. Fails when a test fails.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { countCall } from '../calls.mjs';

const { PAWL_UNIT = '', PAWL_PHASE = '', PAWL_ATTEMPT = '', PAWL_ITERATION = '' } = process.env;
countCall({ unit: PAWL_UNIT, phase: PAWL_PHASE, attempt: PAWL_ATTEMPT, iteration: PAWL_ITERATION });

/** @type {{ unit: string, path: string }[]} */
const files = JSON.parse(read('PAWL_INPUT_REPORTS'));
const reports = files.map(({ path }) => JSON.parse(readFileSync(path, 'utf8')));
const tests = readdirSync('work/test')
  .sort()
  .map((name) => `work/test/${name}`);
node('--test', ...tests);
const measured = node('work/src/cli.js', 'idea.md');

const done = reports.map(
  ({ task, title, round }) => `- ${task} ${title}${round > 1 ? ` (round ${round})` : ''}`,
);
const text = `# Lexis: measures a text

${read('PAWL_INPUT_PRD').split('\n').slice(2).join('\n')}
## Done

${done.join('\n')}

## Tried

${tests.map((path) => `- ${path} passes`).join('\n')}
- node work/src/cli.js idea.md says:

${measured.trim().replaceAll(/^/gm, '      ')}
`;
writeFileSync(pathOf('PAWL_OUTPUT_PULL_REQUEST'), text);

/** What a program of the work says; when it fails, so does this one. @param {string[]} args */
function node(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status === 0) return stdout;
  process.stderr.write(`node ${args.join(' ')} exits with ${status}\n${stdout}${stderr}`);
  process.exit(1);
}

/** @param {string} variable */
function read(variable) {
  return readFileSync(pathOf(variable), 'utf8');
}

/** @param {string} variable */
function pathOf(variable) {
  const path = process.env[variable];
  if (path) return path;
  process.stderr.write(`${variable} is not set: this tool is started by pawl (see pawl.yaml)\n`);
  process.exit(2);
}

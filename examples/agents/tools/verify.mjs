// Tries what an agent has made. It tells what it found in a report and exits 0 whatever the verdict: bad work is a
// finding, only a verifier that could not look is a failure.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { countCall } from '../calls.mjs';

/**
 * @typedef {{ module: string, call: string, with: unknown[], gives: unknown }} Example
 * @typedef {{ id: string, title: string, artifacts: string[], examples?: Example[] }} Unit
 */

const task = readJson('PAWL_TASK');
const unit = /** @type {Unit} */ (task.unit);
countCall({ unit: unit.id, phase: task.phase, attempt: task.attempt, iteration: task.iteration });

const before = process.env.PAWL_INPUT_BEFORE ? readJson('PAWL_INPUT_BEFORE') : { findings: [], earlier: [] };
const files = unit.artifacts.map((path) => checkFile(path));
const examples = files.every((finding) => finding === undefined)
  ? await Promise.all((unit.examples ?? []).map((example) => tryExample(example)))
  : [];
const findings = [...files, ...examples].filter((finding) => finding !== undefined);
const report = {
  task: unit.id,
  title: unit.title,
  status: findings.length === 0 ? 'pass' : 'fail',
  round: task.iteration,
  checks: files.length + examples.length,
  findings,
  earlier: [...before.earlier, ...before.findings],
};
writeFileSync(pathOf('PAWL_OUTPUT_REPORT'), `${JSON.stringify(report, null, 2)}\n`);

/** What is wrong with a file; undefined: nothing. @param {string} path */
function checkFile(path) {
  if (!existsSync(path)) return `${path}: is not there`;
  if (path.endsWith('.test.js')) return runNode(path, '--test', path);
  if (path.endsWith('.js')) return runNode(path, '--check', path);
  if (path.endsWith('.json')) return checkJson(path);
  return readFileSync(path, 'utf8').startsWith('# ') ? undefined : `${path}: has no title`;
}

/** @param {string} path @param {string[]} args */
function runNode(path, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status === 0) return undefined;
  const [said = ''] = `${stderr}${stdout}`.split('\n').filter((line) => /error/i.test(line));
  return `${path}: node ${args[0]} exits with ${status}: ${said.trim()}`;
}

/** @param {string} path */
function checkJson(path) {
  try {
    JSON.parse(readFileSync(path, 'utf8'));
    return undefined;
  } catch (error) {
    return `${path}: ${/** @type {Error} */ (error).message}`;
  }
}

/** @param {Example} example */
async function tryExample({ module, call, with: args, gives }) {
  const written = `${call}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;
  try {
    const part = await import(pathToFileURL(resolve(module)).href);
    const given = part[call](...args);
    if (isDeepStrictEqual(given, gives)) return undefined;
    return `${module}: ${written} gives ${JSON.stringify(given)}, not ${JSON.stringify(gives)}`;
  } catch (error) {
    return `${module}: ${written} throws ${/** @type {Error} */ (error).message}`;
  }
}

/** @param {string} variable */
function readJson(variable) {
  return JSON.parse(readFileSync(pathOf(variable), 'utf8'));
}

/** @param {string} variable */
function pathOf(variable) {
  const path = process.env[variable];
  if (path) return path;
  process.stderr.write(`${variable} is not set: this tool is started by pawl (see pawl.yaml)\n`);
  process.exit(2);
}

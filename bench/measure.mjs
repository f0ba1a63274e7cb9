import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const benchFolder = dirname(fileURLToPath(import.meta.url));

/** The build that is measured; another one can be named to compare two. */
export const distFolder = process.env.PAWL_BENCH_DIST ?? join(benchFolder, '../dist');
/** The command of that build. */
export const commandPath = join(distFolder, '../bin/pawl.js');

export function median(/** @type {readonly number[]} */ values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Runs a job in a process of its own and gives back what it says. */
export function runJob(/** @type {string} */ job, /** @type {object} */ options) {
  const { stdout } = spawnNode([join(benchFolder, 'jobs', job), JSON.stringify(options)]);
  return JSON.parse(stdout);
}

/** From outside, so that starting and ending the process counts. */
export function timeJob(/** @type {string} */ job, /** @type {object} */ options) {
  return timeNode([join(benchFolder, 'jobs', job), JSON.stringify(options)]);
}

export function timeNode(
  /** @type {readonly string[]} */ args,
  cwd = process.cwd(),
  /** @type {readonly number[]} */ codes = [0],
  input = '',
) {
  const began = performance.now();
  spawnNode(args, cwd, codes, input);
  return performance.now() - began;
}

/** The same, with the most memory that the process had. */
export function weighNode(/** @type {readonly string[]} */ args, cwd = process.cwd()) {
  const began = performance.now();
  const { stderr } = spawnNode(['--import', join(benchFolder, 'jobs/weigh.mjs'), ...args], cwd);
  return { ms: performance.now() - began, megabytes: Number(stderr.trim().split('\n').at(-1)) };
}

/** Lets the system write out what came before, so that it is not paid for by what comes next. */
export function settleDisk() {
  spawnSync('sync');
}

function spawnNode(
  /** @type {readonly string[]} */ args,
  cwd = process.cwd(),
  /** @type {readonly number[]} */ codes = [0],
  input = '',
) {
  const env = { ...process.env, PAWL_BENCH_DIST: distFolder };
  const child = spawnSync(process.execPath, args, {
    cwd,
    env,
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (!codes.includes(child.status ?? -1))
    throw new Error(`node ${args.join(' ')}\n${child.stderr}${child.error ?? ''}`);
  return child;
}

// One set-up at a time for each clone. A lock is never deleted to be taken (two waiting processes could then both
// have it): whoever comes next creates the next number, which only one process can do.
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const released = 'released';
const pollMs = 50;
const waitMsMax = 10 * 60_000;

/** Waits for its turn; returns what lets go of it. Kept outside the clone: `npm ci` empties node_modules. */
export function takeLock(/** @type {string} */ name) {
  const folder = join(tmpdir(), `${name}-${userInfo().uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const proposal = join(folder, `proposal-${process.pid}`);
  writeFileSync(proposal, String(process.pid));
  try {
    const held = join(folder, String(claim(folder, proposal)));
    return () => writeFileSync(held, released);
  } finally {
    rmSync(proposal);
  }
}

/** The number that is now ours. */
function claim(/** @type {string} */ folder, /** @type {string} */ proposal) {
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += pollMs) {
    const newest = Math.max(0, ...numbers(folder));
    if (newest === 0 || isFree(join(folder, String(newest)))) {
      const next = newest + 1;
      // A link appears with its content or not at all.
      if (tryLink(proposal, join(folder, String(next)))) return next;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
  throw new Error(`another set-up has held ${folder} for ten minutes`);
}

function numbers(/** @type {string} */ folder) {
  return readdirSync(folder)
    .map(Number)
    .filter((number) => number > 0);
}

function isFree(/** @type {string} */ path) {
  const holder = readFileSync(path, 'utf8');
  return holder === released || !isAlive(Number(holder));
}

function isAlive(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

function tryLink(/** @type {string} */ existing, /** @type {string} */ name) {
  try {
    linkSync(existing, name);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

// Calls the command many times in one process, where a process for each call would take minutes:
//   node many-calls.cjs bin/pawl.js RESULTS < [["help", "run"], …]
// Writes [{ args, code, stdout, stderr }, …]. Only for commands that read no workspace, because modules stay loaded.
const fs = require('node:fs');
const { resolve } = require('node:path');

const [, , binPath = '', resultsPath = ''] = process.argv;
const bin = resolve(binPath);
/** @type {string[][]} */
const calls = JSON.parse(fs.readFileSync(0, 'utf8'));
/** @type {{ args: string[], code: unknown, stdout: string, stderr: string }[]} */
const results = [];

const { writeSync } = fs;
const stdout = Object.getOwnPropertyDescriptor(process, 'stdout') ?? {};
const keep = (/** @type {'stdout' | 'stderr'} */ name, /** @type {unknown} */ piece) => {
  const result = results.at(-1);
  if (result !== undefined) result[name] += piece;
};

for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
  process[name].write = (/** @type {unknown[]} */ ...values) => {
    keep(name, values[0]);
    const after = values.at(-1);
    if (typeof after === 'function') process.nextTick(after);
    return true;
  };
}
fs.writeSync = /** @type {typeof writeSync} */ (
  (/** @type {[number, string | Uint8Array]} */ ...values) => {
    const [file, piece] = values;
    if (file !== 1 && file !== 2) return writeSync(...values);
    const bytes = Buffer.from(piece);
    keep(file === 1 ? 'stdout' : 'stderr', bytes);
    return bytes.length;
  }
);

const exit = process.exit;
// Ignored, because a call that has ended may still have a timer that makes sure of its end.
process.exit = /** @type {typeof process.exit} */ (() => undefined);
// Each call adds its own listeners.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);
// A call has ended when the process has nothing left to do, because the command itself returns before that.
process.on('beforeExit', callNext);
callNext();

function callNext() {
  const last = results.at(-1);
  if (last !== undefined) last.code = process.exitCode ?? 0;
  process.exitCode = 0;
  const args = calls[results.length];
  if (args === undefined) {
    fs.writeFileSync(resultsPath, JSON.stringify(results));
    return exit(0);
  }
  results.push({ args, code: 0, stdout: '', stderr: '' });
  // With --json the command has pointed it to stderr.
  Object.defineProperty(process, 'stdout', stdout);
  process.argv = [process.execPath, bin, ...args];
  delete require.cache[bin];
  require(bin);
  // The event is only raised again after some work.
  setImmediate(() => undefined);
}

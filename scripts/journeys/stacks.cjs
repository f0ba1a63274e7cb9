// Loaded before the command: notes how deep the stack is at each write and rename below the workspace.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { JOURNEY_DIST: dist = '', JOURNEY_LOG: log = '', JOURNEY_WORKSPACE: workspace = '' } = process.env;
const real = { ...fs };
const names = new Map();
Error.stackTraceLimit = Number.POSITIVE_INFINITY;

const replaced = {
  openSync: (/** @type {Parameters<typeof fs.openSync>} */ ...args) => {
    const file = real.openSync(...args);
    names.set(file, String(args[0]));
    return file;
  },
  writeSync: (/** @type {[number, string | Uint8Array]} */ ...args) => {
    note('write', names.get(args[0]) ?? '', String(args[1]));
    return real.writeSync(...args);
  },
  renameSync: (/** @type {[string, string]} */ ...args) => {
    note('rename', String(args[1]), '');
    return real.renameSync(...args);
  },
};
Object.assign(fs, replaced);
syncBuiltinESMExports();

function note(/** @type {string} */ kind, /** @type {string} */ path, /** @type {string} */ text) {
  if (!path.startsWith(workspace)) return;
  const stack = (new Error().stack ?? '').split('\n').filter((line) => line.includes(dist));
  const files = new Set(stack.map((line) => line.slice(line.indexOf(dist)).replace(/:.*/, '')));
  const types = [...text.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
  const entry = { kind, path, types, frames: stack.length, files: files.size, stack };
  real.appendFileSync(log, `${JSON.stringify(entry)}\n`);
}

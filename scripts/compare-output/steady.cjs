// Loaded into every compared command before anything else: time stands still, random values repeat, and the process
// can kill itself at a given word of its progress. Without it the same command prints something else every time.
const crypto = require('node:crypto');
const { syncBuiltinESMExports } = require('node:module');

const now = Number(process.env.COMPARE_NOW);
const killAt = process.env.COMPARE_KILL_AT;

if (Number.isFinite(now)) {
  globalThis.Date = class extends Date {
    /** @param {ConstructorParameters<typeof Date>} values */
    constructor(...values) {
      super(...(values.length === 0 ? /** @type {const} */ ([now]) : values));
    }

    static now() {
      return now;
    }
  };
  process.hrtime = Object.assign(() => /** @type {[number, number]} */ ([0, 0]), { bigint: () => 0n });
  Object.defineProperty(performance, 'now', { value: () => 0 });
  Math.random = () => 0.5;
  // Counted by length, so that an additional call for a temporary name does not change the id of the next run.
  const counts = new Map();
  crypto.randomBytes = /** @type {typeof crypto.randomBytes} */ (
    (/** @type {number} */ size) => {
      const count = (counts.get(size) ?? 0) + 1;
      counts.set(size, count);
      return crypto.createHash('shake256', { outputLength: size }).update(`${now} ${size} ${count}`).digest();
    }
  );
  syncBuiltinESMExports();
}

if (killAt !== undefined) {
  delete process.env.COMPARE_KILL_AT;
  const write = process.stderr.write.bind(process.stderr);
  process.stderr.write = (/** @type {Parameters<typeof write>} */ ...args) => {
    const written = write(...args);
    if (String(args[0]).includes(killAt)) process.kill(process.pid, 'SIGKILL');
    return written;
  };
}

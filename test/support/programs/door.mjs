// The other side of a test's door: says who is there, waits, and gives back what it was told.
import { appendFileSync } from 'node:fs';
import { connect } from 'node:net';

/** Undefined where there is no door, or none for this cell. */
export async function knock(/** @type {string} */ name, /** @type {object} */ about = {}) {
  const { TEST_DOOR: path, TEST_DOOR_CELLS: cells = '' } = process.env;
  if (!path || !(cells === '*' || cells.split(',').includes(name))) return undefined;
  return await ask(path, { name, pid: process.pid, ...about });
}

/** Writes down that a phase was executed, before it does anything. */
export function noteCall(/** @type {(string | number)[]} */ ...facts) {
  if (process.env.TEST_CALLS) appendFileSync(process.env.TEST_CALLS, `${facts.join(' ')}\n`);
}

function ask(/** @type {string} */ path, /** @type {object} */ hello) {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(path, () => socket.write(`${JSON.stringify(hello)}\n`));
    socket.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    socket.on('error', reject);
    socket.on('end', () => resolve(text.trim()));
  });
}

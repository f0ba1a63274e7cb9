// A command phase for test pipelines: `tool.mjs [before|after]`, to knock before or after it has written its outputs.
// Fails for as many attempts as TEST_FAILS says.
import { readFileSync, writeFileSync } from 'node:fs';
import { knock, noteCall } from './door.mjs';

const task = JSON.parse(readFileSync(process.env.PAWL_TASK ?? '', 'utf8'));
const cell = `${task.unit.id}/${task.phase}`;
const [when = 'before'] = process.argv.slice(2);

noteCall(task.unit.id, task.phase, task.attempt, task.iteration);
if (task.attempt <= Number(process.env.TEST_FAILS ?? 0)) {
  process.stderr.write(`attempt ${task.attempt} was told to fail\n`);
  process.exit(1);
}
if (when === 'before') await atTheDoor();
for (const [name, path] of Object.entries(task.outputs)) writeFileSync(path, contentOf(name));
if (when === 'after') await atTheDoor();

async function atTheDoor() {
  if ((await knock(cell, { attempt: task.attempt })) === 'fail') process.exit(1);
}

/** @param {string} name */
function contentOf(name) {
  if (name !== 'state') return `${cell} ${name}\n`;
  const before = JSON.parse(readFileSync(process.env.PAWL_STATE ?? '', 'utf8'));
  return `${JSON.stringify({ count: before.count + 1, log: [...before.log, task.unit.id] })}\n`;
}

// Small phases for test pipelines. What they make follows from what they are given, and from nothing else.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { knock, noteCall } from './door.mjs';

/** Text made from the prompt, the inputs and the state. Fails for as many attempts as `params.fails` says. */
export async function step(task) {
  await begin(task);
  const inputs = Object.entries(task.inputs).map(([name, file]) => `${name}[${file?.text().trim()}]`);
  const prompt = task.prompt === undefined ? [] : [task.prompt.system, task.prompt.text];
  const state = task.state === undefined ? [] : [`state[${task.state.text().trim()}]`];
  const parts = [`${task.unit.id}/${task.phase}`, ...prompt, ...inputs, ...state, task.params.word];
  return { text: `${parts.filter((part) => part !== undefined).join(' ')}\n` };
}

/** The same text as JSON. */
export async function card(task) {
  const { text } = await step(task);
  return { card: JSON.stringify(text) };
}

/** Leaves half of its work in its folder before it knocks, and says what an attempt before it has left. */
export async function stepwise(task) {
  const left = `${task.previous}/half.txt`;
  const found = existsSync(left) ? readFileSync(left, 'utf8') : undefined;
  writeFileSync(`${task.folder()}/half.txt`, 'half of it');
  await knock(`${task.unit.id}/${task.phase}`, { attempt: task.attempt, mode: task.mode, found });
  return { text: `${task.unit.id}/${task.phase}\n` };
}

/** A report whose verdict the unit names for each round: `verdicts: [fail, pass]`; the last one holds on. */
export async function judge(task) {
  await begin(task);
  const verdicts = task.unit.verdicts ?? ['pass'];
  const status = verdicts[Math.min(task.iteration, verdicts.length) - 1];
  return { report: { status, of: task.inputs.text?.text() ?? '', round: task.iteration } };
}

/** A whole new state: one more than before. */
export async function commit(task) {
  await begin(task);
  const before = task.state.json();
  const count = before.count + 1;
  const state = { count, log: [...before.log, task.unit.id] };
  return { state, text: `${task.unit.id} commits ${count}\n`, receipt: { unit: task.unit.id, count } };
}

async function begin(task) {
  noteCall(task.unit.id, task.phase, task.attempt, task.iteration);
  const order = await knock(`${task.unit.id}/${task.phase}`, { attempt: task.attempt });
  if (order === 'fail' || task.attempt <= (task.params.fails ?? 0)) throw new Error('told to fail');
}

// The phases of the book that are functions. Each takes a task and returns its outputs by name; Pawl puts them where
// pawl.yaml says.
import { pause, trace } from './calls.mjs';
import { applyPatch, registryOf } from './state.mjs';

/**
 * What Pawl hands to a function phase; the parts that this book uses.
 * @typedef {{ path: string, text(): string, json(): unknown, bytes(): Uint8Array }} Input
 * @typedef {{
 *   unit: { id: string } & Record<string, unknown>,
 *   phase: string,
 *   attempt: number,
 *   iteration: number,
 *   inputs: Record<string, Input | undefined>,
 *   state?: Omit<Input, 'bytes'>,
 *   signal: AbortSignal,
 * }} Task
 * @typedef {import('./state.mjs').State} State
 * @typedef {import('./state.mjs').Patch} Patch
 */

/** Rules, no model: who is on the stage when the scene begins. @param {Task} task */
export async function preflight(task) {
  await begin(task);
  const { unit } = task;
  const patch = /** @type {Patch} */ ({
    scene: unit.id,
    place: unit.place,
    when: unit.when,
    present: unit.people,
    introduced: unit.introduces,
    learned: [],
  });
  return { patch, state_snapshot: applyPatch(stateOf(task), patch) };
}

/** What the scene changes is entered into the state, and the scene into the book. @param {Task} task */
export async function commit(task) {
  await begin(task);
  const { unit } = task;
  const entered = applyPatch(stateOf(task), /** @type {Patch} */ (inputOf(task, 'preflight_patch').json()));
  const state = applyPatch(entered, /** @type {Patch} */ (inputOf(task, 'state_patch').json()));
  const scene = inputOf(task, 'prose')
    .text()
    .replace(/^# .*\n/, `# ${unit.chapter}.${unit.scene} ${unit.title}\n\n*${unit.place}, ${unit.when}*\n`);
  return { state, registry: registryOf(state, unit.id), scene };
}

/** @param {Task} task */
async function begin({ unit, phase, attempt, iteration, signal }) {
  trace(unit.id, phase, attempt, iteration);
  await pause(signal);
}

/** @param {Task} task @returns {State} */
function stateOf(task) {
  if (task.state === undefined) throw new Error(`phase ${task.phase} needs the state`);
  return /** @type {State} */ (task.state.json());
}

/** @param {Task} task @param {string} name */
function inputOf(task, name) {
  const input = task.inputs[name];
  if (input === undefined) throw new Error(`phase ${task.phase} needs the input ${name}`);
  return input;
}

// The phases of the book. Each takes a task and returns its outputs by name; Pawl puts them where pawl.yaml says.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tagged } from './prompt.js';
import { packContinuity, planScene, repairPatch, repairScene, writeScene } from './standin.js';
import { applyPatch, registryOf } from './state.js';
import { words } from './text.js';

/**
 * What Pawl hands to a function phase; the parts that this book uses.
 * @typedef {{ path: string, text(): string, json(): unknown, bytes(): Uint8Array }} Input
 * @typedef {{
 *   unit: { id: string } & Record<string, unknown>,
 *   phase: string,
 *   attempt: number,
 *   iteration: number,
 *   params: Record<string, unknown>,
 *   prompt?: import('./standin.js').Prompt,
 *   inputs: Record<string, Input | undefined>,
 *   state?: Omit<Input, 'bytes'>,
 *   signal: AbortSignal,
 *   respond(text: string): void | Promise<void>,
 *   cost(cost: { usd?: number, inputTokens?: number, outputTokens?: number }): void,
 * }} Task
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').Patch} Patch
 */

/** @param {Task} task */
export async function plan(task) {
  return { scene_card: JSON.parse(await generate(task, planScene)) };
}

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

/** @param {Task} task */
export async function continuity_pack(task) {
  return { pack: await generate(task, packContinuity) };
}

/** @param {Task} task */
export async function write(task) {
  return sceneOf(await generate(task, writeScene));
}

/** @param {Task} task */
export async function repair(task) {
  return sceneOf(await generate(task, repairScene));
}

/** @param {Task} task */
export async function state_repair(task) {
  return { state_patch: JSON.parse(await generate(task, repairPatch)) };
}

/** @param {Task} task */
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

/** One call of the model, or of what stands in for it. @param {Task} task @param {(prompt: import('./standin.js').Prompt) => string} model */
async function generate(task, model) {
  await begin(task);
  if (task.prompt === undefined) throw new Error(`phase ${task.phase} needs a prompt`);
  const response = model(task.prompt);
  await task.respond(response);
  task.cost({
    inputTokens: tokensOf(`${task.prompt.system ?? ''} ${task.prompt.text}`),
    outputTokens: tokensOf(response),
  });
  return response;
}

/** Leaves a trace for whoever counts the calls, and takes a moment, as a model would. @param {Task} task */
async function begin(task) {
  const calls = process.env.BOOK_CALLS;
  if (calls) appendFileSync(calls, `${task.unit.id} ${task.phase} ${task.attempt} ${task.iteration}\n`);
  const pauseMs = Number(process.env.BOOK_PAUSE_MS ?? task.params.pause_ms ?? 40);
  if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: task.signal });
}

/** @param {string} response */
function sceneOf(response) {
  const prose = tagged(response, 'prose');
  const patch = tagged(response, 'state_patch');
  if (prose === undefined || patch === undefined)
    throw new Error('the answer has no <prose> or no <state_patch>');
  return { prose: `${prose}\n`, state_patch: JSON.parse(patch) };
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

/** A rough count, three words to four tokens. @param {string} text */
function tokensOf(text) {
  return Math.ceil((words(text).length * 4) / 3);
}

// The phases of a move. Each takes a task and returns its outputs by name; Pawl puts them where the manifest says.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { judge } from './audit.mjs';
import { drawCharacter } from './draw.mjs';
import { readPng, writePng } from './png.mjs';
import { anchorPose } from './pose.mjs';
import { packSheet } from './sheet.mjs';
import { drawFrame, readOrder, slipOf } from './standin.mjs';

/**
 * What Pawl hands to a function phase; the parts that are used here.
 * @typedef {{ bytes(): Uint8Array, json(): unknown }} Input
 * @typedef {{
 *   unit: { id: string } & Record<string, unknown>,
 *   phase: string,
 *   attempt: number,
 *   iteration: number,
 *   params: Record<string, unknown>,
 *   prompt?: { text: string } | undefined,
 *   inputs: Record<string, Input | undefined>,
 *   every?: Record<string, readonly (Input & { unit: string })[]>,
 *   signal: AbortSignal,
 *   respond(text: string): void | Promise<void>,
 *   cost(cost: { inputTokens?: number }): void,
 * }} Task
 * @typedef {import('./draw.mjs').Character} Character
 */

/** The picture that every frame is held against. @param {Task} task */
export async function drawAnchor(task) {
  await begin(task);
  const character = characterOf(task);
  const picture = drawCharacter(character, anchorPose, sizeOf(task));
  return { picture: writePng(picture, titled(`${character.name}, anchor`)) };
}

/** One call of the image model, or of what stands in for it. @param {Task} task */
export async function generate(task) {
  await begin(task);
  if (task.prompt === undefined) throw new Error(`phase ${task.phase} needs a prompt`);
  const character = characterOf(task);
  const index = indexOf(task);
  const settings = { ...sizeOf(task), seed: numberOf(task, 'seed'), model: String(task.params.model) };
  const order = readOrder(task.prompt.text);
  const slip = slipOf(character, order, index, settings);
  const candidate = drawFrame(character, order, index, settings, slip);
  const title = `${character.name} ${order.move}, frame ${index}, seed ${settings.seed}`;
  await task.respond(`${title}: ${slip === undefined ? 'as it should be' : `a slip on purpose (${slip})`}\n`);
  task.cost({ inputTokens: Math.ceil(task.prompt.text.length / 4) });
  return { candidate: writePng(candidate, titled(title)) };
}

/** Measures the candidate. What is rejected is kept, so that one can look at it beside its report. @param {Task} task */
export async function audit(task) {
  await begin(task);
  const candidate = inputOf(task, 'candidate');
  const anchor = readPng(inputOf(task, 'anchor').bytes());
  const before = task.inputs.before;
  const judged = judge(
    // The first frame has none before it: it follows the anchor.
    { candidate: readPng(candidate.bytes()), anchor, before: before ? readPng(before.bytes()) : anchor },
    task.params,
  );
  const report = { frame: indexOf(task), round: task.iteration, ...judged };
  return judged.verdict === 'approved' ? { report } : { report, rejected: candidate.bytes() };
}

/** @param {Task} task */
export async function approve(task) {
  await begin(task);
  return { frame: inputOf(task, 'candidate').bytes() };
}

/** All approved frames on one sheet, and where each of them is. @param {Task} task */
export async function pack(task) {
  await begin(task);
  const files = task.every?.frames ?? [];
  if (files.length === 0) throw new Error(`phase ${task.phase} needs frames`);
  const frames = files.map((file) => ({ name: `${file.unit}.png`, picture: readPng(file.bytes()) }));
  const { sheet, atlas } = packSheet(frames, {
    columns: numberOf(task, 'columns'),
    frameMs: numberOf(task, 'frame_ms'),
    image: `${task.unit.id}.png`,
  });
  return { sheet: writePng(sheet, titled(`${frames.length} frames`)), atlas };
}

/** Leaves a trace for whoever counts the calls, and takes a moment, as a model would. @param {Task} task */
async function begin(task) {
  const calls = process.env.SPRITES_CALLS;
  if (calls) appendFileSync(calls, `${task.unit.id} ${task.phase} ${task.attempt} ${task.iteration}\n`);
  const pauseMs = Number(process.env.SPRITES_PAUSE_MS ?? 150);
  if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: task.signal });
}

/** @param {string} title */
function titled(title) {
  return { Title: title, Software: 'examples/sprites of Pawl' };
}

/** @param {Task} task @returns {Character} */
function characterOf(task) {
  return /** @type {Character} */ (inputOf(task, 'character').json());
}

/** @param {Task} task */
function sizeOf(task) {
  return { width: numberOf(task, 'width'), height: numberOf(task, 'height') };
}

/** @param {Task} task */
function indexOf(task) {
  const { index } = task.unit;
  if (typeof index !== 'number') throw new Error(`${task.unit.id} has no index`);
  return index;
}

/** @param {Task} task @param {string} name */
function numberOf(task, name) {
  const value = task.params[name];
  if (typeof value !== 'number') throw new Error(`phase ${task.phase} needs the number params.${name}`);
  return value;
}

/** @param {Task} task @param {string} name */
function inputOf(task, name) {
  const input = task.inputs[name];
  if (input === undefined) throw new Error(`phase ${task.phase} needs the input ${name}`);
  return input;
}

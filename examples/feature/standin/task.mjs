// What Pawl tells a command about its task: paths in the environment, and two files that hold everything.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The file that `PAWL_CONTEXT` names; the parts that are used here.
 * @typedef {{ from: string, kind: string, text: string }} Said
 * @typedef {{ mode: string, existing: Record<string, string>, feedback: Said[], previous?: string }} Context
 */

/** What there is already: files of earlier attempts, and what was said of them. @returns {Context} */
export function context() {
  return JSON.parse(readFileSync(pathOf('PAWL_CONTEXT'), 'utf8'));
}

/** The module that the unit is about, as the manifest says it. @returns {string} */
export function moduleName() {
  return JSON.parse(readFileSync(pathOf('PAWL_TASK'), 'utf8')).unit.module;
}

/** What a model would be asked. */
export function prompt() {
  return readFileSync(pathOf('PAWL_PROMPT'), 'utf8');
}

/** The text of an input. @param {string} name */
export function input(name) {
  return readFileSync(pathOf(`PAWL_INPUT_${name.toUpperCase()}`), 'utf8');
}

/**
 * What an earlier attempt has made of an output: as it lies in the workspace, or else what one that was cut off has left
 * in its folder. Undefined: nothing.
 * @param {string} name
 */
export function existing(name) {
  const { existing: files, previous } = context();
  const left = previous === undefined ? undefined : join(previous, 'outputs', name);
  const path = files[name] ?? (left !== undefined && existsSync(left) ? left : undefined);
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}

/** Pawl puts it at its declared path after it has passed its check. @param {string} name @param {string} text */
export function output(name, text) {
  writeFileSync(pathOf(`PAWL_OUTPUT_${name.toUpperCase()}`), text);
}

/** Ends this attempt: an earlier phase has to be done again first. @param {string} phase @param {string} reason */
export function revise(phase, reason) {
  writeFileSync(pathOf('PAWL_REVISE'), `${JSON.stringify({ phase, reason })}\n`);
}

/** Kept as stdout.log of the attempt: `pawl logs` shows it. @param {string} did */
export function say(did) {
  const { PAWL_PHASE: phase, PAWL_MODE: mode, PAWL_ITERATION: round } = process.env;
  process.stdout.write(`${phase} (${mode}, round ${round}): ${did}\n`);
}

/** @param {string} variable */
function pathOf(variable) {
  const path = process.env[variable];
  if (path) return path;
  process.stderr.write(`${variable} is not set: this program is started by pawl (see pawl.yaml)\n`);
  process.exit(2);
}

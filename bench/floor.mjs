import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeArtifact, outputPath, phaseNames, unitName } from './workload.mjs';

/**
 * The least that a sequential program must do for the same files: a line before the step, the artifact by
 * temporary file and rename, a line after it. Gives the time of one step.
 */
export function writeSteps(
  /** @type {string} */ root,
  /** @type {{ steps: number, durability: string }} */ { steps, durability },
) {
  const power = durability === 'power';
  for (const phase of phaseNames) mkdirSync(join(root, 'out', phase), { recursive: true });
  const journal = openSync(join(root, 'journal.jsonl'), 'a');
  const began = performance.now();
  for (let step = 0; step < steps; step += phaseNames.length) {
    const unit = unitName(step / phaseNames.length);
    let text;
    for (const phase of phaseNames) {
      appendLine(journal, { type: 'started', unit, phase, attempt: 1, at: new Date().toISOString() }, power);
      text = makeArtifact(unit, phase, text);
      replaceFile(join(root, outputPath(unit, phase)), Buffer.from(text), power);
      appendLine(
        journal,
        { type: 'succeeded', unit, phase, attempt: 1, at: new Date().toISOString() },
        power,
      );
    }
  }
  const ms = performance.now() - began;
  closeSync(journal);
  return ms / steps;
}

function appendLine(/** @type {number} */ fd, /** @type {object} */ event, /** @type {boolean} */ power) {
  writeSync(fd, `${JSON.stringify(event)}\n`);
  if (power) fdatasyncSync(fd);
}

function replaceFile(/** @type {string} */ path, /** @type {Buffer} */ bytes, /** @type {boolean} */ power) {
  const temp = `${path}.tmp`;
  const fd = openSync(temp, 'wx');
  writeSync(fd, bytes);
  if (power) fsyncSync(fd);
  closeSync(fd);
  renameSync(temp, path);
}

/** Every byte of the journal of the one run in a workspace, segment by segment. */
export function readJournalFiles(/** @type {string} */ root) {
  const runs = join(root, '.pawl/runs');
  const [run = ''] = readdirSync(runs);
  const folder = join(runs, run, 'events/runner');
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.sort().map((name) => readFileSync(join(folder, name)));
}

/** Proves that every artifact is there, as a program would that knows their names and nothing else. */
export function statArtifacts(/** @type {string} */ root, /** @type {Iterable<string>} */ paths) {
  let count = 0;
  for (const path of paths) if (statSync(join(root, path)).isFile()) count += 1;
  return count;
}

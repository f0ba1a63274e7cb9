// The phases that Pawl runs itself. Each takes a task and returns its outputs by name; Pawl puts them where the manifest
// says. Where a model would be called, an offline stand-in answers: it reads the prompt, and knows one feature only.
import { readFileSync } from 'node:fs';
import { countCall } from './calls.mjs';
import { field, list } from './prompt.mjs';

/**
 * What Pawl hands to a function phase; the parts that are used here.
 * @typedef {{
 *   unit: { id: string },
 *   phase: string,
 *   attempt: number,
 *   iteration: number,
 *   prompt?: { text: string } | undefined,
 *   every: Record<string, readonly { unit: string, json(): unknown }[]>,
 * }} Task
 * @typedef {{ task: string, title: string, round: number, earlier: string[] }} Report
 */

/** @param {Task} task */
export function constitution(task) {
  const prompt = ask(task);
  return { document: page(`Constitution of ${field(prompt, 'Feature')}`, bullets(list(prompt, 'Rules'))) };
}

/** @param {Task} task */
export function prd(task) {
  const prompt = ask(task);
  const wishes = list(prompt, 'Wishes').map((wish, at) => `R${at + 1}: ${wish}`);
  return { document: page(`What ${field(prompt, 'Feature')} has to do`, '## Requirements', bullets(wishes)) };
}

/** @param {Task} task */
export function plan(task) {
  const prompt = ask(task);
  const steps = list(prompt, 'Requirements').map(
    (requirement) => `${requirement}; a file of its own in work/src`,
  );
  return {
    document: page(
      `How ${field(prompt, 'Feature')} will be built`,
      'Parts first, then what puts them together, then the command. Every part is tried by examples, two by tests.',
      bullets(steps),
    ),
  };
}

/** The graph that a planner would answer with. It is proposed, not approved: that is for a person. @param {Task} task */
export function graph(task) {
  ask(task);
  return { document: readFileSync(new URL('standin/task-graph.json', import.meta.url), 'utf8') };
}

/** What went wrong on the way is what is worth knowing next time. @param {Task} task */
export function consolidate(task) {
  const feature = field(ask(task), 'Feature');
  const reports = (task.every.reports ?? []).map((file) => /** @type {Report} */ (file.json()));
  const lessons = reports.flatMap(({ task: id, title, earlier }) =>
    earlier.map((finding) => `${id} (${title}) was sent back: ${finding}`),
  );
  const rounds = reports.reduce((sum, { round }) => sum + round, 0);
  return {
    document: page(
      `What is worth knowing about ${feature}`,
      `${reports.length} tasks, done in ${rounds} rounds.`,
      bullets(lessons.length === 0 ? ['nothing was sent back'] : lessons),
    ),
  };
}

/** A model would be called here. @param {Task} task */
function ask({ unit, phase, attempt, iteration, prompt }) {
  if (prompt === undefined) throw new Error(`phase ${phase} needs a prompt`);
  countCall({ unit: unit.id, phase, attempt, iteration });
  return prompt.text;
}

/** @param {string} title @param {string[]} parts */
function page(title, ...parts) {
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

/** @param {readonly string[]} items */
function bullets(items) {
  return items.map((item) => `- ${item}`).join('\n');
}

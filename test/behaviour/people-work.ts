import { eventsOf, type RawEvent, runFolder } from '../support/journal.ts';
import { has, read, type TestWorkspace, workspaceWith } from '../support/workspace.ts';

/** A draft that people are asked about, and what is built on it. */

/** Each phase writes what it was handed, and a line for each time that it ran. */
const program = `
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
const { PAWL_PHASE: phase, PAWL_ATTEMPT: attempt, PAWL_MODE: mode, PAWL_CONTEXT: context } = process.env;
const { feedback, existing, inputs } = JSON.parse(readFileSync(context, 'utf8'));
appendFileSync('ran.log', phase + '\\n');
const words = feedback.map(({ text }) => text).join('; ');
const taken = Object.values(inputs).map((path) => readFileSync(path, 'utf8')).join('');
const same = process.argv[2] === 'same';
const text = same ? phase + '\\n' : [phase, 'mode ' + mode, 'existing ' + Object.keys(existing), 'feedback ' + words, taken].join('\\n');
writeFileSync(process.env.PAWL_OUTPUT_TEXT, text);
`;

export const phase = (name: string, more = '', same = '') => `
  ${name}:
    run: { command: [node, step.mjs, "${same}"] }
    outputs: { text: "out/{unit}.${name}" }
    ${more}`;

export const manifest = (phases: string, top = 'channels: [terminal, script]') => `
pawl: 1
pipeline: people
${top}
inputs: { idea: { path: idea.md, on_change: ask } }
units: [a]
phases:${phases}
`;

export const three =
  phase('draft', 'inputs: { idea: idea }\n    again: continue\n    checkpoint: Draft approval') +
  phase('build') +
  phase('ship');

export const workspace = (text = manifest(three)) =>
  workspaceWith(text, { 'step.mjs': program, 'idea.md': 'one\n' });
export const ran = (work: TestWorkspace) =>
  has(work, 'ran.log') ? read(work, 'ran.log').trim().split('\n') : [];

/** What people have said lies in a journal of its own. */
export const decisions = (work: TestWorkspace): RawEvent[] =>
  has(work, `${runFolder(work)}/events/people`) ? eventsOf(work, 'checkpoint_decided', 'people') : [];

export const ids = (work: TestWorkspace) => eventsOf(work, 'checkpoint_asked').map(({ id }) => id);

import type { ArgumentSpec, CommandSpec } from '../text/help/help.ts';
import { run } from './command-parts.ts';
import { logCommands } from './log-commands.ts';
import { selecting } from './select-options.ts';

const step: ArgumentSpec = { name: '<cell>', summary: 'a unit and a phase: ch001_sc002/write' };
const someRun: ArgumentSpec = {
  name: '[run]',
  summary: "a run's id, its beginning or its folder; or a workspace",
};
/** What steps are and were: nothing here changes anything. */
export const lookCommands: readonly CommandSpec[] = [
  {
    name: 'why',
    group: 'look',
    summary: 'say why a phase would run, or why it need not',
    arguments: [{ ...step, name: '[cell]', summary: `${step.summary}; or a selection in its place` }],
    options: [run, ...selecting],
    examples: [
      { line: 'pawl why ch001_sc002/write', summary: 'with every part that its result was made from' },
      { line: 'pawl why --failed', summary: 'every step that failed' },
    ],
  },
  ...logCommands,
  {
    name: 'inspect',
    group: 'look',
    summary: 'show every attempt ever made, with scores and reasons',
    arguments: [someRun],
    options: [run, ...selecting, { flags: '--csv', summary: 'a line for each attempt, for spreadsheets' }],
    examples: [
      { line: 'pawl inspect --unit ch001_sc002', summary: 'one unit, with the paths of its outputs' },
      { line: 'pawl inspect --csv > attempts.csv', summary: 'all that was tried, as a table' },
    ],
  },
  {
    name: 'graph',
    group: 'look',
    summary: 'draw the units with what they need and where they stand',
    arguments: [someRun],
    options: [
      run,
      { flags: '--format <name>', summary: 'text (the default), mermaid, svg or json' },
      { flags: '-o, --out <file>', summary: 'write it to a file' },
    ],
    examples: [{ line: 'pawl graph --format svg -o graph.svg', summary: 'a picture to look at' }],
  },
  {
    name: 'report',
    group: 'look',
    summary: 'write a page with every unit, its pictures, attempts and scores',
    details: [
      'One HTML file that needs no network, made from the journal at any time. Without -o it is report.html in the',
      "run's folder, and no file that is not such a page is overwritten.",
    ],
    arguments: [someRun],
    options: [run, ...selecting, { flags: '-o, --out <file>', summary: 'where to write it' }],
  },
];

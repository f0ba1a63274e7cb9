import type { ArgumentSpec, CommandSpec } from '../text/help/help.ts';
import { decide, note, path, reason, run, yes } from './command-parts.ts';

const checkpoint: ArgumentSpec = {
  name: '[checkpoint]',
  summary: 'C1, C2, …; default: chosen from a list in the terminal',
};

/** What people decide. */
export const decideCommands: readonly CommandSpec[] = [
  {
    name: 'checkpoints',
    group: decide,
    summary: 'what waits for a person, since when, and what it shows',
    arguments: [path],
    options: [
      run,
      { flags: '--history', summary: 'also questions that are answered; pawl history lists every decision' },
    ],
  },
  {
    name: 'show',
    group: decide,
    summary: 'the files that a question is about, and how they differ from what was judged last',
    arguments: [{ name: '<checkpoint>', summary: 'C1, C2, … as pawl checkpoints lists them' }],
    options: [run],
  },
  {
    name: 'approve',
    group: decide,
    summary: 'say yes to what was shown',
    details: [
      'The decision is bound to the bytes that were shown.',
      'It starts nothing by itself, and nothing before it runs again.',
      'It has to come from a terminal, unless the manifest lets programs answer (channels).',
    ],
    arguments: [checkpoint],
    options: [
      run,
      note,
      { flags: '--keep', summary: 'where a file has changed: keep what was made from it' },
      {
        flags: '--restart-from <phase>',
        summary: 'where a file has changed: do this phase and all later ones again',
      },
      { flags: '--continue', summary: 'then go on with the run' },
    ],
  },
  {
    name: 'reject',
    group: decide,
    summary: 'say no, and why: it is done again with the feedback, and asked about again',
    arguments: [checkpoint],
    options: [
      run,
      { flags: '--feedback <text>', summary: 'what has to be otherwise; handed to whoever does it again' },
      { flags: '--continue', summary: 'then go on with the run' },
    ],
  },
  {
    name: 'cancel',
    group: decide,
    summary: 'end a run for good; the next one starts fresh',
    details: ['Its files, logs and notes stay where they are.'],
    arguments: [path],
    options: [run, reason, yes],
  },
];

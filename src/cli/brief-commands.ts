import type { CommandSpec, OptionSpec } from '../text/help/help.ts';
import { run, tasks, yes } from './command-parts.ts';

const who: OptionSpec = {
  flags: '--actor <name>',
  summary: 'who says so (also: the variable PAWL_ACTOR); default: a person',
};

/** What those who come later are handed, and the agents that it is handed to. */
export const briefCommands: readonly CommandSpec[] = [
  {
    name: 'brief',
    group: tasks,
    summary: 'the resumption document: where the run stands, what is next, what was decided',
    details: [
      'Pawl writes it at every step of a run, from the journal: .pawl/runs/ID/brief.yaml, or the section resumption',
      'of the file that layout.brief names. --check says FRESH, STALE or CRITICAL, and changes nothing.',
      'brief migrate FILE turns a document of version 1 into version 2: it shows the difference; --write writes it.',
    ],
    arguments: [
      { name: '[action]', summary: 'migrate; default: show it' },
      { name: '[file]', summary: 'the document to migrate' },
    ],
    options: [
      run,
      { flags: '--check', summary: 'only look; exit code 0 if FRESH, else 4' },
      { flags: '--digest', summary: 'what an agent is handed, in few words' },
      { flags: '--write', summary: 'with migrate: write what was shown' },
    ],
    examples: [{ line: 'pawl brief --check', summary: 'is the document still true?' }],
  },
  {
    name: 'decide',
    group: tasks,
    summary: 'put a decision on record for those who come later',
    details: ['It is no approval: those are given with pawl approve.'],
    arguments: [{ name: '[decision]', summary: 'what was decided, in a sentence' }],
    options: [
      run,
      { flags: '--because <text>', summary: 'why' },
      { flags: '--affects <list>', summary: 'phases by number or name, units, files: 3,4' },
      { flags: '--gate <cell>', summary: 'the gate in whose round it was made: UNIT/PHASE' },
      { flags: '--iteration <n>', summary: 'the round' },
      { flags: '--applied <id>', summary: 'instead of a new one: what RD-001 says has been done' },
      who,
    ],
    examples: [
      { line: 'pawl decide "Use SQLite" --because "one file" --affects 3,4', summary: 'becomes RD-001' },
    ],
  },
  {
    name: 'summary',
    group: tasks,
    summary: 'leave one line about what an agent has done',
    arguments: [
      { name: '<agent>', summary: 'its name: executor-1' },
      { name: '<text>', summary: 'DONE. 403 files modified.' },
    ],
    options: [run],
  },
  {
    name: 'agents',
    group: tasks,
    summary: 'install or remove hooks, server and skills of coding agents; alone: say which are there',
    details: [
      'claude, codex, cursor, gemini, copilot, opencode. Shows every change first. Other entries and comments stay',
      'as they are, and uninstall takes out exactly what install has put in.',
    ],
    arguments: [
      { name: '[action]', summary: 'install, uninstall or list' },
      { name: '[agent]', summary: 'which one' },
    ],
    options: [
      { flags: '--user', summary: 'in the settings of the user, for all projects' },
      { flags: '--plugin <folder>', summary: 'for claude: write a plugin folder instead' },
      { flags: '--dry-run', summary: 'show what would change, and stop' },
      yes,
    ],
    examples: [{ line: 'pawl agents install claude', summary: 'shows the difference, then asks' }],
  },
  {
    name: 'hook',
    group: tasks,
    summary: 'what coding agents call; reads one JSON document, always ends with 0',
    arguments: [
      { name: '<agent>', summary: 'claude, codex, cursor, gemini, copilot, opencode' },
      { name: '[event]', summary: 'where the agent does not say it itself' },
    ],
    options: [],
  },
  {
    name: 'statusline',
    group: tasks,
    summary: 'one line for the status line of an agent; notes how full its context is',
    arguments: [],
    options: [],
  },
];

import type { ArgumentSpec, OptionSpec } from '../text/help/help.ts';

/* What several commands take. */

const workspace = 'a workspace or its manifest; default: here, above or below';
export const path: ArgumentSpec = { name: '[path]', summary: workspace };
export const run: OptionSpec = { flags: '--run <id>', summary: 'a run, by the beginning of its id' };
export const yes: OptionSpec = { flags: '--yes', summary: 'do not ask; needed where there is no terminal' };
export const reason: OptionSpec = {
  flags: '--reason <text>',
  summary: 'why; recorded for those who come later',
};
export const note: OptionSpec = {
  flags: '--note <text>',
  summary: 'what you saw; recorded with the decision',
};
export const takeover: OptionSpec = {
  flags: '--takeover',
  summary: 'take over a lock whose owner may be dead',
};
export const actor: OptionSpec = {
  flags: '--actor <name>',
  summary: 'who works on it, a name for each (also: the variable PAWL_ACTOR)',
};
export const decide = 'decide';
export const tasks = 'tasks';
/** For those who look on while a run is at work. */
export const watching: readonly OptionSpec[] = [
  {
    flags: '--watch',
    summary: 'run again when sources change, until Ctrl-C; asks as usual',
  },
  {
    flags: '--events',
    summary: 'one JSON object per line as it happens, the answer last; no progress',
  },
];

export const watchStatus: OptionSpec = {
  flags: '--watch',
  summary: 'live, from the journal, until no process works on the run',
};

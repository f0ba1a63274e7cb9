import type { OptionSpec } from '../text/help/help.ts';

/* Which steps a command is about. The same options wherever steps are run or shown. */

const units: OptionSpec = {
  flags: '--unit <glob>',
  summary: "only these units: 'ch001_*', 'sc00[34]', a,b, a number; '!GLOB' excludes",
  isRepeatable: true,
};

const failed: OptionSpec = { flags: '--failed', summary: 'only steps that failed' };

export const selecting: readonly OptionSpec[] = [
  units,
  { flags: '--phase <name>', summary: 'only these phases; also a comma list', isRepeatable: true },
  failed,
  { flags: '--outdated', summary: 'only steps that are kept as outdated, or consumed such a result' },
  { flags: '--limit <n>', summary: 'only the first units, in order, with something left to do' },
  { flags: '--until <phase>', summary: 'no phase that is listed after this one' },
];

/** The same where a run is carried out or planned. */
export const selectingToRun: readonly OptionSpec[] = [
  ...selecting.map((option) =>
    option === failed ? { ...option, summary: 'only failed steps, with a new set of attempts' } : option,
  ),
  { flags: '--no-deps', summary: 'do not run what the selected steps wait for: they are blocked' },
];

/** How much one call of run does. */
export const pacing: readonly OptionSpec[] = [
  { flags: '-j, --jobs <n>', summary: 'run so many steps at once, instead of what pace says' },
  { flags: '--max-usd <amount>', summary: 'start nothing more once this call has spent so much (exit 3)' },
];

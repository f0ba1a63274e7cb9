import type { OptionSpec } from '../report/help/help.ts';

/* Which steps a command is about. The same options wherever steps are run or shown. */

const units: OptionSpec = {
  flags: '--unit <glob>',
  summary: "only these units: 'ch001_*', 'sc00[34]', a,b; '!GLOB' excludes",
  isRepeatable: true,
};

export const selecting: readonly OptionSpec[] = [
  units,
  { flags: '--phase <name>', summary: 'only these phases; also a comma list', isRepeatable: true },
  { flags: '--failed', summary: 'only steps that failed' },
  { flags: '--outdated', summary: 'only steps that are kept as outdated, or consumed such a result' },
  { flags: '--limit <n>', summary: 'only the first units, in order, with something left to do' },
  { flags: '--until <phase>', summary: 'no phase that is listed after this one' },
];

import type { ArgumentSpec, OptionSpec } from '../text/help/help.ts';

/* Options and arguments that several commands take, as data. */

export const pathArgument: ArgumentSpec = {
  name: '[path]',
  summary: 'a workspace or its manifest; default: here, above or below',
};
export const stepArgument: ArgumentSpec = {
  name: '<cell>',
  summary: 'a unit and a phase: ch001_sc002/write',
};
/** The step may be left out, because a selection can stand in its place. */
export const stepOrSelection: ArgumentSpec = {
  name: '[cell]',
  summary: `${stepArgument.summary}; or a selection in its place`,
};
export const namedRunArgument: ArgumentSpec = {
  name: '[run]',
  summary: "a run's id, its beginning or its folder; or a workspace",
};
export const checkpointArgument: ArgumentSpec = {
  name: '[checkpoint]',
  summary: 'C1, C2, …; default: chosen from a list in the terminal',
};
export const taskArgument: ArgumentSpec = {
  name: '<task>',
  summary: 'a unit, or UNIT/PHASE where it has several phases',
};

export const runOption: OptionSpec = { flags: '--run <id>', summary: 'a run, by the beginning of its id' };
export const yesOption: OptionSpec = {
  flags: '--yes',
  summary: 'do not ask; needed where there is no terminal',
};
export const reasonOption: OptionSpec = {
  flags: '--reason <text>',
  summary: 'why; recorded for those who come later',
};
export const takeoverOption: OptionSpec = {
  flags: '--takeover',
  summary: 'take over a lock whose owner may be dead',
};
export const actorOption: OptionSpec = {
  flags: '--actor <name>',
  summary: 'who works on it, a name for each (also: the variable PAWL_ACTOR)',
};
export const deepOption: OptionSpec = {
  flags: '--deep',
  summary: 'hash every file instead of trusting an unchanged stat',
};

/** The number that protects a claim: work under an older number is refused. */
export const fenceOption: OptionSpec = {
  flags: '--number <n>',
  summary: 'the number that the claim was given; default: the one that the actor has',
};
/** The cost of work that was done outside Pawl. */
export const spentOptions: readonly OptionSpec[] = [
  { flags: '--cost <usd>', summary: 'what the work has cost in USD; counted by budgets and pawl cost' },
  { flags: '--tokens <n>', summary: 'how many tokens it has used; counted likewise' },
];
export const undoDryRunOption: OptionSpec = {
  flags: '--dry-run',
  summary: 'show what it would bring back, and change nothing',
};
export const continueOption: OptionSpec = { flags: '--continue', summary: 'then go on with the run' };

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

/** The same options for a run or plan, where `--failed` also gives new attempts. */
const selectingToRun: readonly OptionSpec[] = [
  ...selecting.map((option) =>
    option === failed ? { ...option, summary: 'only failed steps, with a new set of attempts' } : option,
  ),
  { flags: '--no-deps', summary: 'do not run what the selected steps wait for: they are blocked' },
];

/** Options that limit how much one call of `run` does. */
const pacing: readonly OptionSpec[] = [
  { flags: '-j, --jobs <n>', summary: 'run so many steps at once, instead of what pace says' },
  { flags: '--max-usd <amount>', summary: 'start nothing more once this call has spent so much (exit 3)' },
];

const existing: readonly OptionSpec[] = [
  {
    flags: '--adopt-existing',
    summary: 'new run: keep existing outputs that pass their checks; replace the others',
  },
  {
    flags: '--replace-existing',
    summary: 'new run: run every step; files in the way move to aside/',
  },
];

const overrides: readonly OptionSpec[] = [
  {
    flags: '--rerun-changed',
    summary: 're-run what changes affect, and what depends on it; takes a --reason',
  },
  {
    flags: '--keep-changed',
    summary: 'keep results although their inputs changed, as outdated; takes a --reason',
  },
  {
    flags: '--rerun-change <name>',
    summary: 'the same as --rerun-changed for one change, named as plan prints it',
    isRepeatable: true,
  },
  {
    flags: '--keep-change <name>',
    summary: 'the same as --keep-changed for one change',
    isRepeatable: true,
  },
  { flags: '--rerun-from <phase>', summary: 'run this phase and all later ones again' },
  { flags: '--rerun-all', summary: 'run every phase again' },
  {
    flags: '--resume-allow-prompt-change',
    summary: 'run again what a changed prompt affects; takes a --reason',
  },
  {
    flags: '--force-resume',
    summary: 'keep results though what they were made from changed; takes a --reason',
  },
  { flags: '--force', summary: 'go on with a changed manifest; finished units are kept' },
  {
    flags: '--past-limits',
    summary: 'go on though a limit is reached; counting starts anew; takes a --reason',
  },
  { flags: '--restore', summary: 'bring missing outputs back instead of making them again' },
  reasonOption,
  deepOption,
];

const models: readonly OptionSpec[] = [
  { flags: '--wait', summary: 'wait for what providers and steps ask to wait for, however long' },
];

const reuse: readonly OptionSpec[] = [
  {
    flags: '--reuse',
    summary: 'take results of other runs made from the same, instead of running',
  },
  {
    flags: '--no-reuse',
    summary: 'run every step and ask every model, whatever is known from before',
  },
];

/** The options with which a call of `run` does less than the whole pipeline. */
export const narrowing: readonly OptionSpec[] = [...selectingToRun, ...pacing];

/** Options that `run` takes and `resume` does not. */
const choice: readonly OptionSpec[] = [
  {
    flags: '--resume [id]',
    summary: 'resume this run, by the beginning of its id; default: the current one',
  },
  {
    flags: '--fresh',
    summary: 'start a new run; --resume ID still resumes an open one that it replaces',
  },
  { flags: '--dry-run', summary: 'show what would be done, like plan, and do nothing' },
];

const watching: readonly OptionSpec[] = [
  { flags: '--watch', summary: 'run again when sources change, until Ctrl-C; asks as usual' },
  {
    flags: '--events',
    summary: 'one JSON object per line as it happens, the answer last; no progress',
  },
];

/** All options of `run`. Messages repeat those that were typed, and `plan` says which of them `run` needs. */
export const runOptions: readonly OptionSpec[] = [
  runOption,
  ...choice,
  ...selectingToRun,
  ...existing,
  ...overrides,
  takeoverOption,
  ...models,
  ...reuse,
  ...pacing,
  ...watching,
  yesOption,
];

export const resumeOptions: readonly OptionSpec[] = [
  runOption,
  ...selectingToRun,
  ...overrides,
  takeoverOption,
  ...models,
  ...reuse,
  ...pacing,
  yesOption,
];

export const planOptions: readonly OptionSpec[] = [
  runOption,
  ...selectingToRun,
  ...existing,
  ...overrides,
  ...reuse,
];

import { fail, ok, type Result } from '../base/result.ts';
import type { SelectionRequest } from '../engine/open/requests.ts';
import type { RunRequest } from '../engine/run/run-request.ts';
import type { CallProblem } from '../text/catalogue/call-problems.ts';
import type { Trouble } from '../text/catalogue/failures.ts';
import type { OptionSpec } from '../text/help/help.ts';
import { type Call, flagOption, listOption, textOption } from './call.ts';
import { narrowing, runOptions, selecting } from './options.ts';

/** Reads which steps a call selects. */
export function selectionOf(call: Call): Result<SelectionRequest, CallProblem> {
  const limit = textOption(call, 'limit');
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    return fail({ reason: 'bad-value', option: '--limit', found: limit, expected: 'a number from 1 on' });
  // An empty value, such as from a variable of a script that is not set, must not select everything.
  for (const [option, expected] of named) {
    const found = listOption(call, option)?.find((value) => !/[^\s,!]/.test(value));
    if (found !== undefined) return fail({ reason: 'bad-value', option: `--${option}`, found, expected });
  }
  return ok({
    unit: listOption(call, 'unit'),
    phase: listOption(call, 'phase'),
    failed: flagOption(call, 'failed'),
    outdated: flagOption(call, 'outdated'),
    limit: limit === undefined ? undefined : Number(limit),
    until: textOption(call, 'until'),
    noDeps: call.options.deps === false,
  });
}

const named = [
  ['unit', "a unit, such as 'ch001_*'"],
  ['phase', 'a phase'],
] as const;

/** One named step, or a selection of steps. */
export type Steps =
  | { readonly kind: 'one'; readonly step: string }
  | { readonly kind: 'many'; readonly selection: SelectionRequest };

/** Reads the steps of a command that takes `UNIT/PHASE` or a selection. */
export function readSteps(call: Call): Result<Steps, Trouble> {
  const selection = selectionOf(call);
  if (!selection.ok) return selection;
  const [step] = call.arguments;
  const flag = selectingFlag(call);
  if (step !== undefined && flag !== undefined)
    return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags: [flag, 'UNIT/PHASE'] } });
  if (step !== undefined) return ok({ kind: 'one', step });
  if (flag === undefined)
    return fail({ reason: 'missing-argument', command: call.command, argument: 'UNIT/PHASE' });
  return ok({ kind: 'many', selection: selection.value });
}

/** The first selecting option that was typed. */
function selectingFlag({ options }: Call): string | undefined {
  const given = selecting.map(({ flags }) => flags.split(' ')[0] ?? '');
  return given.find((flag) => options[flag.slice(2)] !== undefined);
}

/** Reads how much one call of `run` does. */
export function pacingOf(call: Call): Result<Pick<RunRequest, 'jobs' | 'maxUsd'>, CallProblem> {
  const jobs = textOption(call, 'jobs');
  if (jobs !== undefined && !/^[1-9]\d{0,3}$/.test(jobs))
    return fail({ reason: 'bad-value', option: '--jobs', found: jobs, expected: 'a number from 1 to 9999' });
  const maxUsd = textOption(call, 'maxUsd');
  if (maxUsd !== undefined && !/^(\d{1,9})?(\.\d{1,9})?$/.test(maxUsd || '-'))
    return fail({ reason: 'bad-value', option: '--max-usd', found: maxUsd, expected: 'dollars: 0.50' });
  return ok({
    jobs: jobs === undefined ? undefined : Number(jobs),
    maxUsd: maxUsd === undefined ? undefined : Number(maxUsd),
  });
}

/** The typed options of `run`, spelled so that they can be typed again. */
export function typedOptions(call: Call): string[] {
  return typedAmong(call, runOptions);
}

/** Those of them that limit what a run starts and spends. */
export function narrowingOptions(call: Call): string[] {
  return running.has(call.command) ? typedAmong(call, narrowing) : [];
}

const running: ReadonlySet<string> = new Set(['run', 'resume', 'plan']);

function typedAmong(call: Call, options: readonly OptionSpec[]): string[] {
  return options.flatMap(({ flags }) => {
    const [, flag = '', name = ''] = /(--(?:no-)?([a-z-]+))/.exec(flags) ?? [];
    const value = call.options[name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
    if (name === 'dry-run') return [];
    if (flag.startsWith('--no-')) return value === false ? [flag] : [];
    if (value === true) return [flag];
    return [value ?? []].flat().flatMap((one) => [flag, String(one)]);
  });
}

/** Reads `--reuse` and `--no-reuse`; the last one counts. */
export function reuseOf({ options }: Call) {
  return { reuse: options.reuse === true, noReuse: options.reuse === false };
}

/** Reads the options that override what a plain `run` would do. */
export function overridesOf(call: Call) {
  return {
    rerunFrom: textOption(call, 'rerunFrom'),
    rerunAll: flagOption(call, 'rerunAll'),
    rerunChanged: flagOption(call, 'rerunChanged'),
    keepChanged: flagOption(call, 'keepChanged'),
    rerunChange: listOption(call, 'rerunChange'),
    keepChange: listOption(call, 'keepChange'),
    allowPromptChange: flagOption(call, 'resumeAllowPromptChange'),
    forceResume: flagOption(call, 'forceResume'),
    force: flagOption(call, 'force'),
    pastLimits: flagOption(call, 'pastLimits'),
    restore: flagOption(call, 'restore'),
    adoptExisting: flagOption(call, 'adoptExisting'),
    replaceExisting: flagOption(call, 'replaceExisting'),
    reason: textOption(call, 'reason'),
    deep: flagOption(call, 'deep'),
  };
}

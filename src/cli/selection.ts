import { fail, ok, type Result } from '../base/result.ts';
import type { SelectionRequest } from '../engine/open/requests.ts';
import type { RunRequest } from '../engine/run/run-request.ts';
import type { CallProblem } from '../text/catalogue/call-problems.ts';
import type { Trouble } from '../text/catalogue/failures.ts';
import { type Call, flagOption, listOption, textOption } from './call.ts';
import { selecting } from './select-options.ts';

/** What was selected; `--limit` is a number. */
export function selectionOf(call: Call): Result<SelectionRequest, CallProblem> {
  const limit = textOption(call, 'limit');
  if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
    return fail({ reason: 'bad-value', option: '--limit', found: limit, expected: 'a number from 1 on' });
  // Such as a variable of a script that is not set: it must not select everything.
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

/** The step that was named, or those that were selected. */
export type Steps =
  | { readonly kind: 'one'; readonly step: string }
  | { readonly kind: 'many'; readonly selection: SelectionRequest };

/** Of a command about `UNIT/PHASE`, which takes a selection in its place. */
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

/** The first option of a selection that was given. */
function selectingFlag({ options }: Call): string | undefined {
  const given = selecting.map(({ flags }) => flags.split(' ')[0] ?? '');
  return given.find((flag) => options[flag.slice(2)] !== undefined);
}

/** How much one call of `run` does. */
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

import { fail, ok, type Result } from '../../base/result.ts';
import type { CallProblem } from '../../report/troubles/call-problems.ts';
import { type Act, targetOf } from '../act.ts';
import { type Call, flagOption, textOption } from '../call.ts';
import { readSteps } from '../selection.ts';

export const act: Act = async (call) => {
  const read = readChoice(call);
  if (!read.ok) return read;
  const steps = readSteps(call);
  if (!steps.ok) return steps;
  const { showLogs, showManyLogs } = await import('../../engine/show/logs.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  const choice = { ...targetOf(call), ...read.value };
  const answer =
    steps.value.kind === 'one'
      ? await showLogs(systemEnvironment(), { ...choice, cell: steps.value.cell })
      : await showManyLogs(systemEnvironment(), { ...choice, ...steps.value.selection });
  return answer.ok ? ok({ command: 'logs', answer: answer.value }) : answer;
};

interface LogsChoice {
  readonly attempt: number | 'all' | undefined;
  readonly tail: number | undefined;
  readonly all: boolean;
}

function readChoice(call: Call): Result<LogsChoice, CallProblem> {
  const attempt = textOption(call, 'attempt');
  if (attempt !== undefined && attempt !== 'all' && !/^[1-9]\d{0,8}$/.test(attempt))
    return fail({
      reason: 'bad-value',
      option: '--attempt',
      found: attempt,
      expected: 'a number from 1 on, or all',
    });
  const tail = textOption(call, 'tail');
  if (tail !== undefined && !/^\d{1,9}$/.test(tail))
    return fail({ reason: 'bad-value', option: '--tail', found: tail, expected: 'a number from 0 on' });
  return ok({
    attempt: attempt === undefined || attempt === 'all' ? attempt : Number(attempt),
    tail: tail === undefined ? undefined : Number(tail),
    all: flagOption(call, 'all'),
  });
}

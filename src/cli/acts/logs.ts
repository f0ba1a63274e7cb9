import { fail, ok, type Result } from '../../base/result.ts';
import type { FollowLogsRequest, LogsListener } from '../../engine/show/follow-logs.ts';
import type { CallProblem } from '../../text/catalogue/call-problems.ts';
import { type Act, type Outcome, targetOf } from '../act.ts';
import { type Call, flagOption, textOption } from '../call.ts';
import type { Face } from '../face.ts';
import { readSteps } from '../selection.ts';
import { watchSignals } from '../signals.ts';

export const act: Act = async (call, face) => {
  const excluded = excludedByFollow(call);
  if (excluded.length > 1)
    return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags: excluded } });
  const read = readChoice(call);
  if (!read.ok) return read;
  const steps = readSteps(call);
  if (!steps.ok) return steps;
  const { showLogs, showManyLogs } = await import('../../engine/show/logs.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const choice = { ...targetOf(call), ...read.value };
  if (flagOption(call, 'follow')) {
    if (steps.value.kind === 'one') return await follow({ ...choice, cell: steps.value.step }, face);
    return fail({ reason: 'missing-argument', command: 'logs', argument: 'UNIT/PHASE' });
  }
  const answer =
    steps.value.kind === 'one'
      ? await showLogs(systemEnvironment(face.place), { ...choice, cell: steps.value.step })
      : await showManyLogs(systemEnvironment(face.place), { ...choice, ...steps.value.selection });
  return answer.ok ? ok({ command: 'logs', answer: answer.value }) : answer;
};

/** Live, until the step is finished or the person has seen enough. */
async function follow(request: Omit<FollowLogsRequest, 'listener' | 'stop'>, face: Face): Promise<Outcome> {
  const { followLogs } = await import('../../engine/show/follow-logs.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const { startedText, wroteText } = await import('../../text/followed-logs.ts');
  const [unit = '', phase = ''] = request.cell.split('/');
  const signals = watchSignals(face.io, { stopping: () => {}, ending: () => {}, leaving: () => {} });
  const listener: LogsListener = {
    started: (attempt) => face.out(startedText({ unit, phase }, attempt, face.outStyle)),
    wrote: (kind, lines) => face.out(wroteText(kind, lines, face.outStyle)),
  };
  const answer = await followLogs(systemEnvironment(face.place), {
    ...request,
    listener,
    stop: signals.stop,
  });
  signals.ignore();
  return answer.ok
    ? { ...ok({ command: 'logs', answer: answer.value }), exitCode: signals.exitCode() }
    : answer;
}

/** What cannot be meant together with `--follow`. */
function excludedByFollow(call: Call): string[] {
  if (!flagOption(call, 'follow')) return [];
  const others = (['failed', 'all', 'json'] as const).filter((name) => flagOption(call, name));
  const attempt = textOption(call, 'attempt') === undefined ? [] : ['--attempt'];
  return ['--follow', ...others.map((name) => `--${name}`), ...attempt];
}

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

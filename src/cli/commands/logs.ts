import { fail, ok, type Result } from '../../base/result.ts';
import type { FollowLogsRequest, LogsListener } from '../../engine/show/follow-logs.ts';
import type { CallProblem } from '../../text/catalogue/call-problems.ts';
import { type Call, flagOption, targetOf, textOption } from '../call.ts';
import { type Command, environmentOf, type Outcome, present } from '../command.ts';
import type { Face } from '../face.ts';
import { runOption, selecting } from '../options.ts';
import { readSteps } from '../selection.ts';
import { watchSignals } from '../signals.ts';

export const logsCommand: Command = {
  name: 'logs',
  group: 'look',
  summary: 'show what the newest attempt at a step wrote, and why it failed',
  details: ['Why it failed stands first, then stderr, stdout and the answer of a model.'],
  arguments: [
    { name: '[cell]', summary: 'a unit and a phase: ch001_sc002/write; or a selection in its place' },
  ],
  options: [
    runOption,
    ...selecting,
    { flags: '--attempt <which>', summary: 'the attempt with this number, or all' },
    { flags: '--tail <lines>', summary: 'only so many lines from the end of each file' },
    {
      flags: '--follow',
      summary: 'live: the attempt that runs, then the next, until the step is finished',
    },
    { flags: '--all', summary: 'also prompt, request and context files' },
  ],
  examples: [
    { line: 'pawl logs ch001_sc002/write --tail 20', summary: 'the end of what it wrote' },
    { line: 'pawl logs --failed', summary: 'what went wrong, of the whole run' },
  ],
  async perform(call, face) {
    const excluded = excludedByFollow(call);
    if (excluded.length > 1)
      return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags: excluded } });
    const choice = readChoice(call);
    if (!choice.ok) return choice;
    const steps = readSteps(call);
    if (!steps.ok) return steps;
    const request = { ...targetOf(call), ...choice.value };
    if (flagOption(call, 'follow')) {
      if (steps.value.kind === 'one') return await follow({ ...request, cell: steps.value.step }, face);
      return fail({ reason: 'missing-argument', command: 'logs', argument: 'UNIT/PHASE' });
    }
    const { showLogs, showManyLogs } = await import('../../engine/show/logs.ts');
    const env = await environmentOf(face);
    if (steps.value.kind === 'one')
      return present('logs', await showLogs(env, { ...request, cell: steps.value.step }), {
        loadText: async () => (await import('../../text/logs.ts')).logsText,
      });
    return present('logs', await showManyLogs(env, { ...request, ...steps.value.selection }), {
      loadText: async () => (await import('../../text/logs.ts')).manyLogsText,
    });
  },
};

/** Follows the step until it is finished or the person stops. */
async function follow(request: Omit<FollowLogsRequest, 'listener' | 'stop'>, face: Face): Promise<Outcome> {
  const { followLogs } = await import('../../engine/show/follow-logs.ts');
  const { followedText, startedText, wroteText } = await import('../../text/followed-logs.ts');
  const [unit = '', phase = ''] = request.cell.split('/');
  const signals = watchSignals(face.io);
  const listener: LogsListener = {
    started: (attempt) => face.out(startedText({ unit, phase }, attempt, face.outStyle)),
    wrote: (kind, lines) => face.out(wroteText(kind, lines, face.outStyle)),
  };
  const answer = await followLogs(await environmentOf(face), { ...request, listener, stop: signals.stop });
  signals.ignore();
  const outcome = present('logs', answer, { loadText: async () => followedText });
  return outcome.ok ? { ...outcome, exitCode: signals.exitCode() } : outcome;
}

/** `--follow` with the options that it excludes; empty without `--follow`. */
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

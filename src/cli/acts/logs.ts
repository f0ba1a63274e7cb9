import { fail, ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { textOption } from '../call.ts';

export const act: Act = async (call) => {
  const written = textOption(call, 'attempt');
  if (written !== undefined && !/^[1-9]\d{0,8}$/.test(written)) {
    return fail({ reason: 'bad-value', option: '--attempt', found: written, expected: 'a number from 1 on' });
  }
  const { showLogs } = await import('../../engine/show/logs.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  const attempt = written === undefined ? undefined : Number(written);
  const request = { ...targetOf(call), cell: call.arguments[0] ?? '', attempt };
  const answer = await showLogs(systemEnvironment(), request);
  return answer.ok ? ok({ command: 'logs', answer: answer.value }) : answer;
};

import { fail, ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { textOption } from '../call.ts';

/** What changed since results were made; between two attempts; between two runs. */
export const act: Act = async (call, face) => {
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  const [step] = call.arguments;
  const attempts = textOption(call, 'attempts');
  const runs = textOption(call, 'runs');
  if (attempts !== undefined && runs !== undefined)
    return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags: ['--attempts', '--runs'] } });
  if (runs !== undefined) {
    const pair = pairOf(runs);
    if (pair === undefined) return badPair('--runs', runs, 'two ids with a comma between them');
    if (step !== undefined)
      return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags: ['--runs', 'UNIT/PHASE'] } });
    const { diffRuns } = await import('../../engine/show/diff-runs.ts');
    const answer = await diffRuns(env, { path: targetOf(call).path, runs: pair });
    return answer.ok ? ok({ command: 'diff', answer: answer.value }) : answer;
  }
  if (attempts !== undefined) {
    const pair = pairOf(attempts);
    if (pair === undefined || !pair.every((text) => /^[1-9]\d{0,8}$/.test(text)))
      return badPair('--attempts', attempts, 'two numbers with a comma between them, such as 1,2');
    if (step === undefined)
      return fail({ reason: 'missing-argument', command: 'diff', argument: 'UNIT/PHASE' });
    const { diffAttempts } = await import('../../engine/show/diff-attempts.ts');
    const numbers = [Number(pair[0]), Number(pair[1])] as const;
    const answer = await diffAttempts(env, { ...targetOf(call), cell: step, attempts: numbers });
    return answer.ok ? ok({ command: 'diff', answer: answer.value }) : answer;
  }
  const { showDiff } = await import('../../engine/show/diff.ts');
  const answer = await showDiff(env, { ...targetOf(call), cell: step });
  return answer.ok ? ok({ command: 'diff', answer: answer.value }) : answer;
};

function pairOf(text: string): readonly [string, string] | undefined {
  const [first = '', second = '', ...more] = text.split(',').map((part) => part.trim());
  return first === '' || second === '' || more.length > 0 ? undefined : [first, second];
}

function badPair(option: string, found: string, expected: string) {
  return fail({ reason: 'bad-value' as const, option, found, expected });
}

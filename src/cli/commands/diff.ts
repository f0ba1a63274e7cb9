import { fail, type Result } from '../../base/result.ts';
import type { DiffAnswer } from '../../engine/show/diff.ts';
import type { DiffAttemptsAnswer } from '../../engine/show/diff-attempts.ts';
import type { DiffRunsAnswer } from '../../engine/show/diff-runs.ts';
import type { Trouble } from '../../text/catalogue/failures.ts';
import { targetOf, textOption } from '../call.ts';
import { type Command, environmentOf, type Outcome, present } from '../command.ts';
import { runOption } from '../options.ts';

export const diffCommand: Command = {
  name: 'diff',
  group: 'look',
  summary: 'show what changed since results were made, or between two attempts or runs',
  arguments: [{ name: '[cell]', summary: 'only for this unit and phase' }],
  options: [
    runOption,
    { flags: '--attempts <n,m>', summary: 'outputs and inputs of two attempts at UNIT/PHASE' },
    { flags: '--runs <id,id>', summary: 'which steps of two runs differ, and in what' },
  ],
  examples: [{ line: 'pawl diff ch001_sc002/write --attempts 1,2', summary: 'what the re-run changed' }],
  async perform(call, face) {
    const env = await environmentOf(face);
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
      return presentDiff(answer);
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
      return presentDiff(answer);
    }
    const { showDiff } = await import('../../engine/show/diff.ts');
    const answer = await showDiff(env, { ...targetOf(call), cell: step });
    return presentDiff(answer);
  },
};

function presentDiff(answer: Result<DiffAnswer | DiffAttemptsAnswer | DiffRunsAnswer, Trouble>): Outcome {
  return present('diff', answer, {
    loadText: async () => (await import('../../text/diff.ts')).diffText,
  });
}

function pairOf(text: string): readonly [string, string] | undefined {
  const [first = '', second = '', ...more] = text.split(',').map((part) => part.trim());
  return first === '' || second === '' || more.length > 0 ? undefined : [first, second];
}

function badPair(option: string, found: string, expected: string) {
  return fail({ reason: 'bad-value' as const, option, found, expected });
}

import type { Result } from '../../base/result.ts';
import type { VerifyAnswer } from '../../engine/show/verify.ts';
import { exitCodes } from '../../text/catalogue/exit-codes.ts';
import type { Trouble } from '../../text/catalogue/failures.ts';
import { flagOption, targetOf } from '../call.ts';
import { type Command, environmentOf, type Outcome, present } from '../command.ts';
import { deepOption, pathArgument, runOption } from '../options.ts';

export const verifyCommand: Command = {
  name: 'verify',
  group: 'look',
  summary: 'prove the journal, the outputs and the content store',
  details: ['Reads every byte of every output.'],
  arguments: [pathArgument],
  options: [
    runOption,
    deepOption,
    { flags: '--quick', summary: 'trust an output whose size, times and inode are as recorded' },
    { flags: '--strict', summary: 'exit 4 if a result is outdated' },
  ],
  async perform(call, face) {
    const { verifyRun } = await import('../../engine/show/verify.ts');
    const [deep, quick, strict] = ['deep', 'quick', 'strict'].map((flag) => flagOption(call, flag));
    return presentVerify(
      await verifyRun(await environmentOf(face), { ...targetOf(call), deep, quick, strict }),
    );
  },
};

export function presentVerify(answer: Result<VerifyAnswer, Trouble>): Outcome {
  return present('verify', answer, {
    loadText: async () => (await import('../../text/acts.ts')).verifyText,
    loadFacts: async () => (await import('../../text/json.ts')).verifyFacts,
    exitCode: ({ findings, outdated, isStrict }) => {
      if (findings.some(({ weight }) => weight === 'loud')) return exitCodes.damaged;
      return isStrict && outdated !== undefined ? exitCodes.refused : exitCodes.done;
    },
  });
}

import { fail, ok, type Result } from '../base/result.ts';
import type { CallProblem } from '../report/call-problems.ts';
import type { Face } from './face.ts';
import { type Call, flagOption } from './parse.ts';

/** Asks a person before something is done that cannot be undone by doing it again. Without a terminal: `--yes`. */
export async function confirm(
  call: Call,
  face: Face,
  question: string,
): Promise<Result<undefined, CallProblem>> {
  if (flagOption(call, 'yes')) return ok(undefined);
  if (!face.canAsk) return fail({ reason: 'needs-yes', command: call.command });
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({ message: question, initialValue: false, output: process.stderr });
  return answer === true ? ok(undefined) : fail({ reason: 'declined', command: call.command });
}

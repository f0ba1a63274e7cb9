import { fail, ok, type Result } from '../base/result.ts';
import type { CallProblem } from '../text/catalogue/call-problems.ts';
import { type Call, textOption } from './call.ts';

/** Who works on a run: as it was typed, or as the environment says. Nobody is guessed. */
export function actorOf(call: Call, variables: NodeJS.ProcessEnv): Result<string, CallProblem> {
  const actor = textOption(call, 'actor') ?? variables.PAWL_ACTOR;
  if (actor === undefined || actor === '')
    return fail({ reason: 'missing-value', command: call.command, option: '--actor' });
  return ok(actor);
}

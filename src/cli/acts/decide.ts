import { userInfo } from 'node:os';
import { fail, ok, type Result } from '../../base/result.ts';
import type { CallProblem } from '../../report/call-problems.ts';
import { type Act, targetOf } from '../act.ts';
import { type Call, flagOption, textOption } from '../call.ts';
import type { Face } from '../face.ts';

/** `approve` and `reject`. */
export const act: Act = async (call, face) => {
  const allowed = mayDecide(call, face);
  if (!allowed.ok) return allowed;
  const note = textOption(call, 'note');
  if (note === undefined || note === '') {
    return fail({ reason: 'missing-value', command: call.command, option: '--note' });
  }
  const { decideGate } = await import('../../engine/decide.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  const command = call.command === 'approve' ? 'approve' : 'reject';
  const decision = command === 'approve' ? 'accepted' : 'rejected';
  const request = {
    ...targetOf(call),
    cell: call.arguments[0] ?? '',
    decision,
    note,
    by: who(face),
  } as const;
  const answer = await decideGate(systemEnvironment(), request);
  return answer.ok ? ok({ command, answer: answer.value }) : answer;
};

/** A decision is a person's: never that of a phase of the run, and outside a terminal only on purpose. */
function mayDecide(call: Call, face: Face): Result<undefined, CallProblem> {
  const { PAWL_UNIT: unit, PAWL_PHASE: phase } = process.env;
  if (unit !== undefined && phase !== undefined) {
    return fail({ reason: 'inside-phase', command: call.command, cell: `${unit}/${phase}` });
  }
  if (!face.canAsk && !flagOption(call, 'yes')) return fail({ reason: 'needs-yes', command: call.command });
  return ok(undefined);
}

/** Recorded with the decision; how it came is part of who it was. */
function who(face: Face): string {
  const name = userName();
  return face.canAsk ? name : `${name} (no terminal)`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run under a number that has no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

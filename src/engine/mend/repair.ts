import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { record } from '../../runner/context.ts';
import type { RepairAnswer } from '../answers.ts';
import type { Environment } from '../environment.ts';
import { enter } from '../open/enter.ts';
import { headingOf, needRun } from '../open/find-run.ts';
import { findingName, unacceptedDamage } from '../open/open-run.ts';
import { openWorkspace } from '../open/workspace.ts';
import type { Target } from '../requests.ts';
import { takeHold, whileHeld } from '../run/hold.ts';

/**
 * A person has looked at a damaged journal and goes on with what is readable. Not a byte is changed: what proves
 * itself by hash stands, what only the lost lines could have told is decided anew.
 */
export async function repairRun(
  env: Environment,
  request: Target & { readonly reason: string },
): Promise<Result<RepairAnswer, Failure>> {
  if (request.reason === '')
    return fail({ reason: 'usage', problem: { code: 'reason-required', flag: 'repair' } });
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, request, { evenDamaged: true });
  if (!opened.ok) return opened;
  const placed = await enter(workspace.value, opened.value);
  const findings = unacceptedDamage(opened.value);
  if (findings.length === 0) return fail({ reason: 'nothing-to-repair', run: opened.value.id });
  const hold = await takeHold(placed, opened.value, { takeover: false });
  if (!hold.ok) return hold;
  return await whileHeld(placed, hold.value, async () => {
    await record(hold.value, {
      type: 'damage_accepted',
      findings: findings.map(findingName),
      reason: request.reason,
    });
    return ok({ heading: headingOf(placed, opened.value), accepted: findings });
  });
}

import { fail, ok, type Result } from '../base/result.ts';
import type { Failure } from '../model/failure.ts';
import { record } from '../runner/context.ts';
import type { DecideAnswer } from './answers.ts';
import { findTarget } from './cell-target.ts';
import { enter } from './enter.ts';
import type { Environment } from './environment.ts';
import { headingOf, needRun } from './find-run.ts';
import { takeHold, whileHeld } from './hold.ts';
import { look } from './look.ts';
import type { Target } from './requests.ts';
import { openWorkspace } from './workspace.ts';

export interface DecideRequest extends Target {
  readonly cell: string;
  readonly decision: 'accepted' | 'rejected';
  readonly note: string;
  readonly by: string;
}

/** A person's word on what a gate could not settle: bound to the report that it was about, and to no other. */
export async function decideGate(
  env: Environment,
  request: DecideRequest,
): Promise<Result<DecideAnswer, Failure>> {
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, request);
  if (!opened.ok) return opened;
  const placed = await enter(workspace.value, opened.value);
  const target = findTarget(placed, request.cell);
  if (!target.ok) return target;
  const unit = target.value.unit.id;
  const phase = target.value.phase.name;
  const hold = await takeHold(placed, opened.value, { takeover: false });
  if (!hold.ok) return hold;
  return await whileHeld(placed, hold.value, async () => {
    const { plan } = await look(
      placed,
      { ...opened.value, ledger: hold.value.ledger },
      { deep: false, restore: false },
    );
    const decision = plan.units.get(unit)?.cells.find((cell) => cell.phase === phase)?.decision;
    const asked =
      decision?.do === 'stop' && decision.why.code === 'gate-asks' ? decision.why.report : undefined;
    if (asked === undefined) return fail({ reason: 'nothing-to-decide', cell: request.cell });
    const { decision: word, note, by } = request;
    await record(hold.value, {
      type: 'gate_decided',
      unit,
      phase,
      report: asked,
      decision: word,
      by,
      note,
    });
    return ok({ heading: headingOf(placed, opened.value), unit, phase, decision: word });
  });
}

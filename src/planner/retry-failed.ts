import type { EventBody } from '../model/event.ts';
import type { OutdatedPart } from '../model/reason.ts';
import { rerunOutdated } from './answered.ts';
import { isFailedStep } from './chosen.ts';
import { type Site, superseded, used } from './opening.ts';
import type { StepPlan } from './plan.ts';

/** Selected steps that failed get a new set of attempts, and gates that were given up a new set of rounds. */
export function retryFailed(site: Site, reason: string | undefined): EventBody[] {
  const events: EventBody[] = [];
  for (const { cells: steps } of site.plan.units.values())
    for (const step of steps)
      if (isSelected(site, step.unit, step.phase) && isFailedStep(site.ledger, step))
        events.push(...retried(site, step, reason));
  if (events.length === 0) return [];
  return [used('rerun-requested', '--failed', reason, { steps: events.length }), ...events];
}

function retried(
  site: Site,
  { unit, phase, iteration: round, decision }: StepPlan,
  reason: string | undefined,
): EventBody[] {
  if (decision.do === 'stop' && decision.why.code === 'checkpoint-rejected') return [];
  if (decision.do === 'stop' && decision.why.code === 'gate-limit')
    return loopOf(site, phase).map((name) =>
      superseded({ unit, phase: name }, 'rerun-requested', { reason }),
    );
  return [superseded({ unit, phase }, 'rerun-requested', { round: round, reason })];
}

/** The phases from the one that a gate goes back to, up to the gate. */
function loopOf({ loaded }: Site, gate: string): readonly string[] {
  for (const { phases } of loaded.pipeline.stages) {
    const end = phases.findIndex(({ name }) => name === gate);
    const head = phases.findIndex(({ name }) => name === phases[end]?.gate?.backTo);
    if (end !== -1 && head !== -1) return phases.slice(head, end + 1).map(({ name }) => name);
  }
  return [gate];
}

/** Selected results that are kept as outdated run again. Without its template a step cannot: its result stays. */
export function rerunSelected(site: Site, reason: string | undefined): EventBody[] {
  const isMeant = (part: OutdatedPart) =>
    isSelected(site, part.unit, part.phase) && !(part.guard === 'prompt-changed' && part.after === undefined);
  return rerunOutdated(site, isMeant, reason, '--outdated');
}

function isSelected({ plan }: Site, unit: string, phase: string): boolean {
  return plan.scope?.isSelected(unit, phase) ?? true;
}

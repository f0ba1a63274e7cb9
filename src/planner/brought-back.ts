import { findStep } from '../ledger/ledger.ts';
import type { EventBody, ResultsKept } from '../model/event.ts';
import type { StepName } from '../model/names.ts';
import { stepName } from '../model/names.ts';
import type { Change, GuardName, Refusal, RunReason } from '../model/reason.ts';
import { keepStep } from './answered.ts';
import { kept, type Site } from './opening.ts';
import { type Decision, rerunChanges, type StepPlan } from './plan.ts';
import { isChange } from './policy.ts';
import { keepStartStates } from './taken-edits.ts';

/**
 * Earlier results that count again although an input differs are kept as outdated, bound to that input as it is now:
 * these are the events that keep them. Each round of answers may show the next difference, so it is asked again until
 * there is none left. A change that was already kept and is still one differs from what was recorded last: it stays open.
 */
export function keepBroughtBack(
  site: Site,
  isMeant: (step: StepName) => boolean,
  reason: string,
  seen: Set<string>,
): ResultsKept[] {
  const events: EventBody[] = [];
  for (const { cells: steps } of site.plan.units.values())
    for (const step of steps) {
      if (!isMeant(stepName(step.unit, step.phase))) continue;
      for (const { name, event } of keptFor(site, step, reason)) {
        const key = `${stepName(step.unit, step.phase)} ${name}`;
        if (seen.has(key)) continue;
        seen.add(key);
        events.push(...event);
      }
    }
  return events.filter((event) => event.type === 'results_kept');
}

interface Keeping {
  /** The difference that it is about. */
  readonly name: string;
  readonly event: readonly EventBody[];
}

function keptFor(site: Site, { unit, phase, decision }: StepPlan, reason: string): Keeping[] {
  const changes = [...changesOf(decision), ...rerunChanges(decision)];
  const keeping: Keeping[] = changes.map((change) => ({
    name: `${change.guard} ${'role' in change ? change.role : 'file' in change ? change.file : ''}`,
    event: [keepStep(site, change, reason)],
  }));
  if (decision.do === 'refuse')
    for (const refusal of decision.refusals)
      if (refusal.guard === 'pre-state-differs')
        keeping.push({ name: refusal.guard, event: keepStartStates(site, [refusal], reason) });
  if (decision.do === 'run' && changes.length === 0) {
    const parts = partsFor(decision);
    const only = findStep(site.ledger, unit, phase)?.results.find((result) => result !== undefined);
    if (parts !== undefined && only !== undefined) {
      const { guard, ...taken } = parts;
      const about = { revision: only.revision, guard, reason, ...taken };
      keeping.push({ name: decision.why.code, event: [kept({ unit, phase }, about)] });
    }
  }
  return keeping;
}

function changesOf(decision: Decision): Change[] {
  if (decision.do !== 'refuse') return [];
  return decision.refusals.flatMap((refusal: Refusal) => (isChange(refusal) ? [refusal] : []));
}

/** What the next attempt would take, where only that differs. */
function partsFor({
  why,
  made,
}: Decision & { do: 'run' }): (Pick<ResultsKept, 'inputs' | 'preState'> & { guard: GuardName }) | undefined {
  if (why.code === 'input-changed') {
    const inputs = Object.fromEntries([...made.inputs].map(([name, { ref }]) => [name, ref]));
    return { guard: 'output-edited', inputs };
  }
  if (stateReasons.has(why.code) && made.preState !== undefined)
    return { guard: 'pre-state-differs', preState: made.preState };
  return undefined;
}

const stateReasons: ReadonlySet<RunReason['code']> = new Set(['pre-state-changed', 'chain-cascade']);

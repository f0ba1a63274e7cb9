import type { Hash } from '../base/hash.ts';
import { findStep } from '../ledger/ledger.ts';
import type { ArtifactAdopted, EventBody, ResultsKept } from '../model/event.ts';
import { type StepName, stepName } from '../model/names.ts';
import type { GuardName, PartChange, Refusal, RefusalOf, RunReason } from '../model/reason.ts';
import { keepStep } from './answered.ts';
import { refHash } from './compare.ts';
import { adoption } from './facts.ts';
import { kept, type OverrideSite, used } from './overrides.ts';
import { type Decision, rerunChanges, type StepPlan } from './plan.ts';
import { isChange } from './policy.ts';

/* Edits by hand are never overwritten: each answer takes the edit, and says what becomes of what was made before it. */

type Edit = RefusalOf<'output-edited' | 'state-edited'>;

/** The edit counts as the result; what depends on it runs again by itself. */
export function adoptEdits(
  site: OverrideSite,
  refusals: readonly Edit[],
  reason: string | undefined,
  flag = '--force-resume',
): EventBody[] {
  return refusals.flatMap((refusal) => [
    used(refusal.guard, flag, reason, { path: refusal.path }),
    ...adoptionEvent(site, refusal, reason ?? ''),
  ]);
}

/** The edit counts as the result, and what depends on it is kept as outdated. */
export function adoptAndKeep(
  site: OverrideSite,
  refusals: readonly Edit[],
  reason: string | undefined,
  flag: string,
): EventBody[] {
  return refusals.flatMap((refusal) => {
    const adopted = adoption(site.ledger, site.facts, refusal, reason ?? '');
    const consumers =
      adopted === undefined ? [] : keptConsumers(site, adopted, refusal, { reason: reason ?? '' });
    const states = refusal.before === refusal.after ? [] : keptStarts(site, refusal, reason ?? '');
    const own = adopted === undefined ? [] : [adopted];
    return [used(refusal.guard, flag, reason, { path: refusal.path }), ...own, ...consumers, ...states];
  });
}

export function adoptionEvent({ ledger, facts }: OverrideSite, refusal: Edit, reason: string): EventBody[] {
  const adopted = adoption(ledger, facts, refusal, reason);
  return adopted === undefined ? [] : [adopted];
}

/** Every result that was made from the bytes before the edit counts as made from the edited ones. */
export function keptConsumers(
  { ledger }: OverrideSite,
  { unit, phase, before, after }: ArtifactAdopted,
  { guard }: { readonly guard: GuardName },
  {
    reason,
    isRestarted = () => false,
  }: { readonly reason: string; readonly isRestarted?: (phase: string) => boolean },
): ResultsKept[] {
  if (before === undefined) return [];
  const events: ResultsKept[] = [];
  const refersToIt = (own: boolean, ref: string) =>
    ref.startsWith(own ? `${phase}#` : `${unit}/${phase}#`) && refHash(ref) === before;
  for (const step of ledger.steps.values()) {
    if (isRestarted(step.phase)) continue;
    const isIt = (ref: string) => refersToIt(step.unit === unit, ref) || refersToIt(false, ref);
    for (const result of step.results) {
      const inputs = Object.entries(result?.inputs ?? {});
      if (result === undefined || !inputs.some(([, ref]) => isIt(ref))) continue;
      const now = inputs.map(([name, ref]) => [
        name,
        isIt(ref) ? `${ref.split(' ', 1)[0]} ${after.hash}` : ref,
      ]);
      events.push(
        kept(step, {
          revision: result.revision,
          guard,
          reason,
          inputs: Object.fromEntries(now),
          onlyAttempt: result.attempt,
        }),
      );
    }
  }
  return events;
}

/** Results that started from the state before the edit count as started from the edited one. */
function keptStarts({ ledger }: OverrideSite, { guard, before, after }: Edit, reason: string): ResultsKept[] {
  const events: ResultsKept[] = [];
  for (const step of ledger.steps.values())
    for (const result of step.results)
      if (result?.preState?.hash === before)
        events.push(
          kept(step, {
            revision: result.revision,
            guard,
            reason,
            preState: { ...result.preState, hash: after },
            onlyAttempt: result.attempt,
          }),
        );
  return events;
}

/** Results count as started from the state that there is now. */
export function keepStartStates(
  site: OverrideSite,
  refusals: readonly RefusalOf<'pre-state-differs'>[],
  reason: string | undefined,
  flag = '--force-resume',
): EventBody[] {
  return refusals.flatMap((refusal) => [
    used('pre-state-differs', flag, reason, { cell: stepName(refusal.unit, refusal.phase) }),
    ...keepStartState(site, refusal, reason),
  ]);
}

/** Of each round by itself: they may have been made under different revisions. */
export function keepStartState(
  { loaded, ledger, plan }: OverrideSite,
  refusal: RefusalOf<'pre-state-differs'>,
  reason: string | undefined,
): EventBody[] {
  const { guard, unit, phase, after: hash } = refusal;
  const from = startedFrom(plan, unit, hash);
  const path = loaded.pipeline.state?.initial ?? '';
  const results = findStep(ledger, unit, phase)?.results.filter((result) => result !== undefined) ?? [];
  return results.map(({ revision, attempt: only, preState: before }) => {
    const preState = { path, ...before, hash, ...(from === undefined ? {} : { from }) };
    return kept(refusal, { revision, guard, reason, preState, onlyAttempt: only });
  });
}

function startedFrom({ units }: OverrideSite['plan'], unit: string, hash: Hash): string | undefined {
  for (const other of units.values())
    if (other.unit !== unit && other.state?.hash === hash) return other.state.from;
  return undefined;
}

/**
 * Earlier results that count again although an input differs are kept as outdated, bound to that input as it is now:
 * these are the events that keep them. Each round of answers may show the next difference, so it is asked again until
 * there is none left. A change that was already kept and is still one differs from what was recorded last: it stays open.
 */
export function keepBroughtBack(
  site: OverrideSite,
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

function keptFor(site: OverrideSite, { unit, phase, decision }: StepPlan, reason: string): Keeping[] {
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

function changesOf(decision: Decision): PartChange[] {
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

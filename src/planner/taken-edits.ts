import type { Hash } from '../base/hash.ts';
import { findStep } from '../ledger/ledger.ts';
import type { ArtifactAdopted, EventBody, ResultsKept } from '../model/event.ts';
import { stepName } from '../model/names.ts';
import type { GuardName, RefusalOf } from '../model/reason.ts';
import { adoption } from './adoption.ts';
import { refHash } from './compare.ts';
import { kept, type Site, used } from './opening.ts';

/* Edits by hand are never overwritten: each answer takes the edit, and says what becomes of what was made before it. */

type Edit = RefusalOf<'output-edited' | 'state-edited'>;

/** The edit counts as the result; what depends on it runs again by itself. */
export function adoptEdits(
  site: Site,
  refusals: readonly Edit[],
  reason: string | undefined,
  flag = '--force-resume',
): EventBody[] {
  return refusals.flatMap((refusal) => [
    used(refusal.guard, flag, reason, { path: refusal.path }),
    ...adopt(site, refusal, reason ?? ''),
  ]);
}

/** The edit counts as the result, and what depends on it is kept as outdated. */
export function adoptAndKeep(
  site: Site,
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

export function adopt({ ledger, facts }: Site, refusal: Edit, reason: string): EventBody[] {
  const adopted = adoption(ledger, facts, refusal, reason);
  return adopted === undefined ? [] : [adopted];
}

/** Every result that was made from the bytes before the edit counts as made from the edited ones. */
export function keptConsumers(
  { ledger }: Site,
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
function keptStarts({ ledger }: Site, { guard, before, after }: Edit, reason: string): ResultsKept[] {
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
  site: Site,
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
  { loaded, ledger, plan }: Site,
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

function startedFrom({ units }: Site['plan'], unit: string, hash: Hash): string | undefined {
  for (const other of units.values())
    if (other.unit !== unit && other.state?.hash === hash) return other.state.from;
  return undefined;
}

import type { EventBody } from '../model/event.ts';
import type { Change, Choice, RefusalOf } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { adoption } from './adoption.ts';
import { keepUnlessRerun } from './answered.ts';
import { type Site, superseded } from './opening.ts';
import { fromPhaseOn } from './rerun.ts';
import { keepStartState, keptConsumers } from './taken-edits.ts';

/* What a person has chosen for results that were made from something else, as events: `changes.ts` asks the questions. */

type Answered = Change | RefusalOf<'output-edited' | 'pre-state-differs'>;

/** Something changed: results are kept, but for those that are to run again. */
export function answeredChanges(site: Site, refusals: readonly Change[]): readonly EventBody[] {
  const events = refusals.flatMap((refusal) => {
    const { phase, chosen } = refusal;
    if (chosen === undefined || isRestarted(site.loaded, chosen, phase)) return [];
    return [keepUnlessRerun(site, refusal, reasonOf(chosen))];
  });
  return [...events, ...restarts(site, refusals)];
}

/** The start state changed: results count as started from the new one, but for those that are to run again. */
export function answeredStates(
  site: Site,
  refusals: readonly RefusalOf<'pre-state-differs'>[],
): readonly EventBody[] {
  const events = refusals.flatMap((refusal) => {
    const { phase, chosen } = refusal;
    if (chosen === undefined || isRestarted(site.loaded, chosen, phase)) return [];
    return keepStartState(site, refusal, reasonOf(chosen));
  });
  return [...events, ...restarts(site, refusals)];
}

/** An output was edited: the edit is taken in, and whoever has taken the file before is kept or done again. */
export function answeredEdits(
  site: Site,
  refusals: readonly RefusalOf<'output-edited'>[],
): readonly EventBody[] {
  const events = refusals.flatMap((refusal) => {
    const { chosen } = refusal;
    if (chosen === undefined) return [];
    const adopted = adoption(site.ledger, site.facts, refusal, reasonOf(chosen));
    if (adopted === undefined) return [];
    const isAgain = (phase: string) => isRestarted(site.loaded, chosen, phase);
    const answer = { reason: reasonOf(chosen), isRestarted: isAgain };
    return [adopted, ...keptConsumers(site, adopted, refusal, answer)];
  });
  return [...events, ...restarts(site, refusals)];
}

function reasonOf({ id, note }: Choice): string {
  return note === '' ? id : `${id}: ${note}`;
}

function isRestarted({ pipeline }: LoadedPipeline, { restart }: Choice, phase: string): boolean {
  return restart !== undefined && fromPhaseOn(pipeline, restart)(phase);
}

/** Of the units that a change concerns, everything from the phase on that was named. */
function restarts({ loaded, ledger }: Site, refusals: readonly Answered[]): EventBody[] {
  const { stages } = loaded.pipeline;
  const stageOf = new Map(stages.flatMap(({ name, phases }) => phases.map((phase) => [phase.name, name])));
  return groupsOf(refusals, stageOf).flatMap(({ chosen, stage, units }) => {
    const isAgain = fromPhaseOn(loaded.pipeline, chosen.restart);
    // Of its own stage what belongs to the units; of others whatever there is, for all of it comes after this.
    const steps = [...ledger.steps.values()].filter(
      ({ unit, phase }) => isAgain(phase) && (units.has(unit) || stageOf.get(phase) !== stage),
    );
    return steps.map((step) => superseded(step, 'rerun-requested', { reason: reasonOf(chosen) }));
  });
}

interface Restarted {
  readonly chosen: Choice;
  readonly stage: string | undefined;
  readonly units: Set<string>;
}

/** One answer for a file may concern every unit of a stage: they are gone through once. */
function groupsOf(refusals: readonly Answered[], stageOf: ReadonlyMap<string, string>): Restarted[] {
  const groups = new Map<string, Restarted>();
  for (const { unit, phase, chosen } of refusals) {
    if (chosen?.restart === undefined) continue;
    const stage = stageOf.get(phase);
    const key = JSON.stringify([chosen.id, stage]);
    const group = groups.get(key) ?? { chosen, stage, units: new Set() };
    groups.set(key, group);
    group.units.add(unit);
  }
  return [...groups.values()];
}

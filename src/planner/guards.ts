import type { JsonObject } from '../base/json.ts';
import type { EventBody, ResultsKept } from '../model/event.ts';
import type { Choice, GuardName, PartChange, Refusal, RefusalOf } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import {
  answered,
  firstRound,
  isRecheckedByPolicy,
  keepChanges,
  keepUnlessRerun,
  recheck,
  recordManifest,
  rerunRefusedParts,
} from './answered.ts';
import {
  adoptAndKeep,
  adoptEdits,
  adoptionEvent,
  keepStartState,
  keepStartStates,
  keptConsumers,
} from './edits.ts';
import { adoption } from './facts.ts';
import { keptUnitParts } from './fixed-parts.ts';
import {
  type GuardOpening,
  kept,
  type Opener,
  type OverrideSite,
  type StepOf,
  superseded,
  used,
} from './overrides.ts';
import { wasFinished } from './plan.ts';
import { fromPhaseOn, rerun } from './rerun.ts';

/** Of one guard: what opens it, and how. Whatever is not named leaves it shut. */
export type Guard<One extends Refusal> = { readonly [By in Opener]?: GuardOpening<One> };

/**
 * Every guard with what opens it and the events that this becomes. A new guard does not compile until it is here. The
 * order is that of the events: what leaves a result at its revision comes before whatever moves it to the new one.
 */
export const guardRules: { readonly [Name in GuardName]: Guard<RefusalOf<Name>> } = {
  'pre-state-differs': {
    answer: { opens: isAnswered, becomes: answeredStates },
    forceResume: { becomes: (site, refusals, reason) => keepStartStates(site, refusals, reason) },
    rerun: discarded(),
    ...answered(rerunRefusedParts, keepStartStates),
  },
  'output-edited': {
    manifest: {
      opens: ({ loaded }, refusal) => isTakenIn(loaded, refusal),
      becomes: (site, refusals) =>
        refusals.flatMap((refusal) => adoptionEvent(site, refusal, 'on_edit: adopt')),
    },
    answer: { opens: isAnswered, becomes: answeredEdits },
    forceResume: { becomes: (site, refusals, reason) => adoptEdits(site, refusals, reason) },
    rerun: discarded(),
    ...answered(adoptEdits, adoptAndKeep),
  },
  'state-edited': {
    // Before the first commit there is no result that the edit could become part of.
    forceResume: { opens: isOfUnit, becomes: (site, refusals, reason) => adoptEdits(site, refusals, reason) },
    ...answered(adoptEdits, adoptAndKeep, isOfUnit),
  },
  'manifest-changed': { force: { becomes: takeManifest }, ...answered(recordManifest, recordManifest) },
  'definition-changed': {
    manifest: { opens: isRecheckedByPolicy, becomes: recheck },
    answer: { opens: isAnswered, becomes: answeredChanges },
    force: { becomes: takeDefinitions },
    ...answered(rerunRefusedParts, keepChanges),
  },
  'unit-changed': {
    answer: { opens: isAnswered, becomes: answeredChanges },
    force: { opens: hasFile, becomes: takeFields },
    rerun: {
      ...discarded(),
      opens: (asked, refusal) => hasFile(asked, refusal) && asked.isDiscarded(refusal),
    },
    ...answered<RefusalOf<'unit-changed'>>(rerunRefusedParts, keepChanges, hasFile, hasResult),
  },
  'code-changed': {
    answer: { opens: isAnswered, becomes: answeredChanges },
    rerun: discarded(),
    ...answered(rerunRefusedParts, keepChanges),
  },
  'prompt-changed': {
    answer: { opens: isAnswered, becomes: answeredChanges },
    allowPromptChange: { opens: ({ loaded }, refusal) => !isGone(loaded, refusal), becomes: rerunPrompts },
    forceResume: { opens: hasResult, becomes: keepPrompts },
    ...answered<RefusalOf<'prompt-changed'>>(
      rerunRefusedParts,
      keepChanges,
      ({ loaded }, refusal) => !isGone(loaded, refusal),
      hasResult,
    ),
  },
  'file-changed': {
    answer: { opens: isAnswered, becomes: answeredChanges },
    forceResume: { opens: hasResult, becomes: keepFiles },
    rerun: {
      ...discarded(),
      opens: (asked, refusal) => refusal.after !== undefined && asked.isDiscarded(refusal),
    },
    ...answered<RefusalOf<'file-changed'>>(
      rerunRefusedParts,
      keepChanges,
      (_, { after }) => after !== undefined,
      hasResult,
    ),
  },
  'in-doubt': { rerun: discarded() },
};

/** What a rerun discards need not be as it was. */
function discarded(): GuardOpening<Extract<Refusal, StepOf>> {
  return {
    opens: ({ isDiscarded }, refusal) => isDiscarded(refusal),
    becomes: (_, refusals, reason) => refusals.map((refusal) => rerun(refusal, reason)),
  };
}

/** A person was asked what becomes of it, and has answered. */
function isAnswered(
  _: unknown,
  { chosen }: PartChange | RefusalOf<'output-edited' | 'pre-state-differs'>,
): boolean {
  return chosen !== undefined;
}

/** A step that would have to run needs its template or file: only a finished one can be kept without it. */
function hasResult(
  _: unknown,
  refusal: RefusalOf<'prompt-changed' | 'unit-changed' | 'file-changed'>,
): boolean {
  return refusal.wouldRun !== true;
}

/** The unit's own file is there, so that a step can run again. */
function hasFile(_: unknown, { isMissing }: RefusalOf<'unit-changed'>): boolean {
  return isMissing !== true;
}

function isOfUnit(_: unknown, { unit }: RefusalOf<'state-edited'>): boolean {
  return unit !== '';
}

/** The phase still wants the file and it is not there; not so for one that is only not used any more. */
function isGone(loaded: LoadedPipeline, { phase, role }: RefusalOf<'prompt-changed'>): boolean {
  const file = loaded.statics.get(phase)?.templates.get(role);
  return file !== undefined && file.hash === undefined;
}

/** The manifest says that an edit of this output is meant. What another run wrote is no edit. */
function isTakenIn(
  { pipeline }: LoadedPipeline,
  { phase, output, writtenBy }: RefusalOf<'output-edited'>,
): boolean {
  if (writtenBy !== undefined) return false;
  const phases = pipeline.stages.flatMap((stage) => stage.phases);
  const specs = phases.find(({ name }) => name === phase)?.outputs;
  return specs?.find(({ name }) => name === output)?.onEdit === 'adopt';
}

/** What a changed manifest defines otherwise is refused by nothing else. */
function takeManifest(
  site: OverrideSite,
  [refusal]: readonly RefusalOf<'manifest-changed'>[],
  reason: string | undefined,
): EventBody[] {
  const changed = [...site.plan.units.values()].flatMap(({ refusals }) =>
    refusals.flatMap((one) =>
      one.guard === 'definition-changed' && site.openerOf(one) === 'force' ? [one] : [],
    ),
  );
  const events = changed.map((one) => keepOrRerun(site, one, 'manifest-changed', reason));
  const changes = refusal?.changes.map(({ path }) => path) ?? [];
  return [used('manifest-changed', '--force', reason, { changes, kept: countKept(events) }), ...events];
}

function takeDefinitions(
  site: OverrideSite,
  refusals: readonly RefusalOf<'definition-changed'>[],
  reason: string | undefined,
): EventBody[] {
  const events = refusals.map((refusal) => keepOrRerun(site, refusal, 'definition-changed', reason));
  return [used('definition-changed', '--force', reason, { kept: countKept(events) }), ...events];
}

function takeFields(
  site: OverrideSite,
  refusals: readonly RefusalOf<'unit-changed'>[],
  reason: string | undefined,
): EventBody[] {
  const events = refusals.map((refusal) =>
    keepOrRerun(site, refusal, 'unit-changed', reason, keptUnitParts(site.loaded, refusal)),
  );
  return [used('unit-changed', '--force', reason, { kept: countKept(events) }), ...events];
}

/** Units that were finished before the change are kept as they are; of the others what changed runs again. */
function keepOrRerun(
  { plan, revision }: OverrideSite,
  refusal: RefusalOf<'definition-changed' | 'unit-changed'>,
  guard: GuardName,
  reason: string | undefined,
  parts: Pick<ResultsKept, 'unitData' | 'unitFile'> = {},
): EventBody {
  const unit = plan.units.get(refusal.unit);
  const isFinished = unit !== undefined && wasFinished(unit);
  return isFinished
    ? kept(refusal, { revision, guard, reason, ...parts })
    : superseded(refusal, refusal.guard, { reason });
}

function countKept(events: readonly EventBody[]): number {
  return events.filter(({ type }) => type === 'results_kept').length;
}

function rerunPrompts(
  site: OverrideSite,
  refusals: readonly RefusalOf<'prompt-changed'>[],
  reason: string | undefined,
): EventBody[] {
  const templates = filesOf(refusals);
  return [
    used('prompt-changed', '--resume-allow-prompt-change', reason, { templates }),
    ...refusals.map((refusal) =>
      superseded(refusal, 'prompt-changed', { ...firstRound(site, refusal), reason }),
    ),
  ];
}

function keepPrompts(
  site: OverrideSite,
  refusals: readonly RefusalOf<'prompt-changed'>[],
  reason: string | undefined,
): EventBody[] {
  return [
    used('prompt-changed', '--force-resume', reason, { templates: filesOf(refusals) }),
    ...refusals.map((refusal) => keepUnlessRerun(site, refusal, reason)),
  ];
}

function keepFiles(
  site: OverrideSite,
  refusals: readonly RefusalOf<'file-changed'>[],
  reason: string | undefined,
): EventBody[] {
  return [
    used('file-changed', '--force-resume', reason, { files: filesOf(refusals) }),
    ...refusals.map((refusal) => keepUnlessRerun(site, refusal, reason)),
  ];
}

/** One file that many steps were made from counts once. */
function filesOf(refusals: readonly RefusalOf<'prompt-changed' | 'file-changed'>[]): JsonObject[] {
  const byPath = new Map<string, JsonObject>();
  for (const { path, before = null, after = null } of refusals) byPath.set(path, { path, before, after });
  return [...byPath.values()];
}

/* What a person has chosen for results that were made from something else, as events: `changes.ts` asks the questions. */

type Answered = PartChange | RefusalOf<'output-edited' | 'pre-state-differs'>;

/** Something changed: results are kept, but for those that are to run again. */
function answeredChanges(site: OverrideSite, refusals: readonly PartChange[]): readonly EventBody[] {
  const events = refusals.flatMap((refusal) => {
    const { phase, chosen } = refusal;
    if (chosen === undefined || isRestarted(site.loaded, chosen, phase)) return [];
    return [keepUnlessRerun(site, refusal, reasonOf(chosen))];
  });
  return [...events, ...restarts(site, refusals)];
}

/** The start state changed: results count as started from the new one, but for those that are to run again. */
function answeredStates(
  site: OverrideSite,
  refusals: readonly RefusalOf<'pre-state-differs'>[],
): readonly EventBody[] {
  const events = refusals.flatMap((refusal) => {
    const { phase, chosen } = refusal;
    if (chosen === undefined || isRestarted(site.loaded, chosen, phase)) return [];
    return keepStartState(site, refusal, reasonOf(chosen));
  });
  return [...events, ...restarts(site, refusals)];
}

/** An output was edited: the edit is adopted, and its earlier consumers are kept or run again. */
function answeredEdits(
  site: OverrideSite,
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
function restarts({ loaded, ledger }: OverrideSite, refusals: readonly Answered[]): EventBody[] {
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

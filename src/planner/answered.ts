import { findStep } from '../ledger/ledger.ts';
import type { EventBody, SupersededBecause } from '../model/event.ts';
import { stepName } from '../model/names.ts';
import type { OutdatedPart, PartChange, Refusal, RefusalOf, RunReason } from '../model/reason.ts';
import { changeName } from '../model/refusal.ts';
import { compareStatics } from './compare.ts';
import { isSameUnit, keptUnitParts } from './fixed-parts.ts';
import {
  type GuardContext,
  type GuardOpening,
  kept,
  type OverrideSite,
  type StepOf,
  superseded,
  used,
} from './overrides.ts';
import { outdatedBy, rerunChanges as policyChanges } from './plan.ts';
import { isChange } from './policy.ts';

/* The answers re-run and keep, which a person can give to every change: by its name, or to all that are left. */

/** How an answer becomes events. `flag` is what the person typed. */
export type Answering<One extends Refusal> = (
  site: OverrideSite,
  refusals: readonly One[],
  reason: string | undefined,
  flag: string,
) => readonly EventBody[];

type Opens<One extends Refusal> = (asked: GuardContext, refusal: One) => boolean;

/** The four openers of one guard that stand for these two answers. */
export function answered<One extends Refusal>(
  rerun: Answering<One>,
  keep: Answering<One>,
  mayRerun: Opens<One> = () => true,
  mayKeep: Opens<One> = mayRerun,
): Readonly<Record<'rerunNamed' | 'keepNamed' | 'rerunChanged' | 'keepChanged', GuardOpening<One>>> {
  const opening = (answer: Answering<One>, opens: Opens<One>, flag: string): GuardOpening<One> => ({
    opens,
    becomes: (site, refusals, reason) => answer(site, refusals, reason, flag),
  });
  return {
    rerunNamed: opening(rerun, mayRerun, '--rerun-change'),
    keepNamed: opening(keep, mayKeep, '--keep-change'),
    rerunChanged: opening(rerun, mayRerun, '--rerun-changed'),
    keepChanged: opening(keep, mayKeep, '--keep-changed'),
  };
}

type AnyChange = PartChange | RefusalOf<'pre-state-differs'>;

/** Exactly the affected steps run again, from the first round of a loop that the change concerns. */
export function rerunRefusedParts(
  site: OverrideSite,
  refusals: readonly AnyChange[],
  reason: string | undefined,
  flag: string,
): EventBody[] {
  const steps = refusals.map((refusal) => rerunStep(site, refusal, reason));
  return [usedFor(refusals, flag, reason), ...steps];
}

/** Results stay, and count as made from what is there now. A step that has to run for another reason is not kept. */
export function keepChanges(
  site: OverrideSite,
  refusals: readonly PartChange[],
  reason: string | undefined,
  flag: string,
): EventBody[] {
  const steps = refusals.map((refusal) => keepUnlessRerun(site, refusal, reason));
  return [usedFor(refusals, flag, reason), ...steps];
}

/** A policy may re-run the step for another change, which is stricter than keep, unless that one is kept as well. */
export function keepUnlessRerun(
  site: OverrideSite,
  refusal: PartChange,
  reason: string | undefined,
): EventBody {
  const other = rerunByPolicy(site, refusal);
  return other === undefined ? keepStep(site, refusal, reason) : rerunFor(refusal, other);
}

/** The parts of the manifest that steps depend on are answered step by step; this is about the manifest as a whole. */
export function recordManifest(
  _: OverrideSite,
  refusals: readonly RefusalOf<'manifest-changed'>[],
  reason: string | undefined,
  flag: string,
): EventBody[] {
  return [usedFor(refusals, flag, reason)];
}

/** A policy re-runs a step of which only checks changed: the checks decide whether it has to. */
export function isRecheckedByPolicy(asked: GuardContext, refusal: RefusalOf<'definition-changed'>): boolean {
  return refusal.checksOnly === true && asked.isRerunByPolicy(refusal);
}

export function recheck(
  site: OverrideSite,
  refusals: readonly RefusalOf<'definition-changed'>[],
): EventBody[] {
  return refusals.map((refusal) => rerunStep(site, refusal, undefined));
}

function usedFor<One extends Refusal>(
  refusals: readonly One[],
  flag: string,
  reason: string | undefined,
): EventBody {
  const [first] = refusals;
  if (first === undefined) throw new Error('nothing was answered');
  const names = [...new Set(refusals.flatMap(changeName))];
  const facts = { changes: names.slice(0, namesMax), steps: refusals.length };
  return used(first.guard, flag, reason, facts);
}

const namesMax = 100;

function rerunStep(site: OverrideSite, refusal: AnyChange, reason: string | undefined): EventBody {
  if (isPassing(site, refusal) && isOnlyChange(site, refusal)) return recheckedStep(site, refusal, reason);
  const because = refusal.guard === 'pre-state-differs' ? 'state-changed' : refusal.guard;
  return superseded(refusal, because, {
    ...firstRound(site, refusal),
    reason,
    change: changeName(refusal)[0],
  });
}

/** Nothing but checks changed, and the stored outputs pass the new ones. */
function isPassing({ facts }: OverrideSite, part: OutdatedPart | AnyChange): boolean {
  if (part.guard !== 'definition-changed' || part.checksOnly !== true) return false;
  return facts.rechecked?.get(stepName(part.unit, part.phase)) === true;
}

/** The result is up to date as it is. */
function recheckedStep({ revision }: OverrideSite, step: StepOf, reason: string | undefined): EventBody {
  return { ...kept(step, { revision, guard: 'definition-changed', reason }), rechecked: true };
}

export function keepStep(site: OverrideSite, refusal: PartChange, reason: string | undefined): EventBody {
  const { guard } = refusal;
  const parts = guard === 'unit-changed' ? keptUnitParts(site.loaded, refusal) : {};
  return kept(refusal, { revision: site.revision, guard, reason, ...parts });
}

/** Kept results that are outdated by such a part run again; so do, on record, those that a policy re-runs for it. */
export function rerunOutdated(
  site: OverrideSite,
  isMeant: (part: OutdatedPart) => boolean,
  reason: string | undefined,
  flag: string,
): EventBody[] {
  const events: EventBody[] = [];
  const names = new Set<string>();
  for (const { cells: steps } of site.plan.units.values())
    for (const { unit, phase, decision } of steps) {
      if (site.plan.scope?.isIn(unit, phase) === false) continue;
      const byPolicy = policyChanges(decision).find(isMeant);
      const parts = outdatedBy(decision);
      const part = byPolicy ?? parts.find(isMeant);
      if (part === undefined) continue;
      const [change] = changeName(part);
      if (change !== undefined) names.add(change);
      if (byPolicy === undefined && parts.length === 1 && isPassing(site, part)) {
        events.push(recheckedStep(site, { unit, phase }, reason));
        continue;
      }
      const because = isChange(part)
        ? part.guard
        : part.guard === 'input-changed'
          ? 'rerun-requested'
          : 'state-changed';
      const from = byPolicy === undefined ? {} : firstRound(site, byPolicy);
      events.push(superseded({ unit, phase }, because, { ...from, reason, change }));
    }
  if (events.length === 0) return [];
  const facts = { changes: [...names].slice(0, namesMax), steps: events.length };
  return [used('rerun-requested', flag, reason, facts), ...events];
}

/** Results that a policy re-runs are kept where the answer is about every change of the step. */
export function keepDespitePolicy(
  site: OverrideSite,
  isMeant: (change: PartChange) => boolean,
  reason: string | undefined,
  flag: string,
): EventBody[] {
  const kept: PartChange[] = [];
  for (const { cells: steps } of site.plan.units.values())
    for (const { unit, phase, decision } of steps) {
      if (site.plan.scope?.isIn(unit, phase) === false) continue;
      const changes = policyChanges(decision);
      if (changes.length > 0 && changes.every(isMeant)) kept.push(...changes);
    }
  if (kept.length === 0) return [];
  const facts = { changes: [...new Set(kept.flatMap(changeName))].slice(0, namesMax), steps: kept.length };
  return [
    used('rerun-requested', flag, reason, facts),
    ...kept.map((change) => keepStep(site, change, reason)),
  ];
}

function rerunFor(refusal: PartChange, why: RunReason): EventBody {
  const change = 'change' in why ? why.change : 'file' in why ? why.file : undefined;
  const because: SupersededBecause =
    why.code === 'file-changed' ||
    why.code === 'prompt-changed' ||
    why.code === 'definition-changed' ||
    why.code === 'unit-changed' ||
    why.code === 'code-changed'
      ? why.code
      : 'rerun-requested';
  return superseded(refusal, because, { change });
}

/** Why a policy re-runs the step whatever a person answers to this change; undefined: it does not. */
function rerunByPolicy({ plan, isKept }: OverrideSite, { unit, phase }: PartChange): RunReason | undefined {
  const step = plan.units.get(unit)?.cells.find((cell) => cell.phase === phase);
  if (step?.decision.do !== 'refuse') return undefined;
  const { changes = [], reasons = [] } = step.decision;
  return reasons[changes.findIndex((change) => !isKept(change))];
}

function isOnlyChange({ plan }: OverrideSite, { unit, phase }: AnyChange): boolean {
  const refusals =
    plan.units.get(unit)?.refusals.filter((one) => 'phase' in one && one.phase === phase) ?? [];
  return refusals.length === 1;
}

/** Rounds of a loop before the first that the change concerns were made from what there still is. */
export function firstRound(
  { loaded, ledger }: OverrideSite,
  { unit, phase, guard }: AnyChange,
): { readonly round?: number } {
  const now = loaded.statics.get(phase);
  const files = new Map(loaded.pipeline.files.map((file) => [file.name, file]));
  const first = findStep(ledger, unit, phase)?.results.find((result) => {
    if (result === undefined || now === undefined) return false;
    if (guard === 'unit-changed') return !isSameUnit(loaded, unit, phase, result);
    if (guard === 'pre-state-differs') return true;
    const before = ledger.revisions.get(result.revision)?.phases[phase];
    const changes = compareStatics({ unit, phase }, result.round, before, now, files);
    return changes.some((change) => change.guard === guard);
  });
  const round = first?.round ?? 1;
  return round === 1 ? {} : { round };
}

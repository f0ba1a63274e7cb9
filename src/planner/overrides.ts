import type { Hash } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import { unreachable } from '../base/result.ts';
import { findCell, type Ledger } from '../ledger/ledger.ts';
import type { EventBody, ResultsKept } from '../model/event.ts';
import { type CellName, cellName } from '../model/names.ts';
import type { GuardName, Refusal } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { adoption } from './adoption.ts';
import { choiceEvents } from './changes.ts';
import { compareStatics } from './compare.ts';
import type { Facts } from './facts.ts';
import { formerResult, type Plan, type UnitPlan } from './plan.ts';

/** What a person asked for on top of "go on". Each opens its own guards and no other. */
export interface Overrides {
  readonly rerun:
    | { readonly from: string | undefined; readonly units: ((unit: string) => boolean) | undefined }
    | undefined;
  /** `--resume-allow-prompt-change`: rerun what a changed prompt affects. */
  readonly allowPromptChange: { readonly reason: string } | undefined;
  /** `--force-resume`: keep results as they are although what they were made from has changed. */
  readonly forceResume: { readonly reason: string } | undefined;
  /** `--force`: go on with a changed manifest; finished units are kept. */
  readonly force: { readonly reason: string | undefined } | undefined;
  /** `--past-limits`: go on although a limit is reached; counting starts anew. */
  readonly pastLimits: { readonly reason: string } | undefined;
}

export const noOverrides: Overrides = {
  rerun: undefined,
  allowPromptChange: undefined,
  forceResume: undefined,
  force: undefined,
  pastLimits: undefined,
};

/**
 * The events that make these overrides true. They are recorded before anything runs, so that a crash right after
 * them changes nothing: the next plan, without any flag, is the same. `revision` is the one now in force.
 */
export function overrideEvents(
  input: { loaded: LoadedPipeline; ledger: Ledger; facts: Facts },
  plan: Plan,
  overrides: Overrides,
  revision: number,
): EventBody[] {
  const events: EventBody[] = [
    ...adoptDeclared(input, plan),
    ...choiceEvents(input, plan, revision, (refusal, reason) =>
      adoption(input.ledger, input.facts, refusal, reason),
    ),
  ];
  if (overrides.force !== undefined) events.push(...takeNewManifest(plan, overrides.force.reason, revision));
  if (overrides.allowPromptChange !== undefined)
    events.push(...rerunChangedPrompts(input, plan, overrides.allowPromptChange.reason));
  if (overrides.forceResume !== undefined)
    events.push(...keepResults(input, plan, overrides.forceResume.reason, revision));
  if (overrides.pastLimits !== undefined) events.push(...passLimits(plan, overrides.pastLimits.reason));
  if (overrides.rerun !== undefined) events.push(...rerun(input, overrides.rerun));
  return events;
}

/** The manifest says that an edit of this output is meant. */
function isTakenIn(
  { pipeline }: LoadedPipeline,
  { phase, output }: Refusal & { guard: 'output-edited' },
): boolean {
  const phases = pipeline.stages.flatMap((stage) => stage.phases);
  const specs = phases.find(({ name }) => name === phase)?.outputs;
  return specs?.find(({ name }) => name === output)?.onEdit === 'adopt';
}

function adoptDeclared(
  { loaded, ledger, facts }: { loaded: LoadedPipeline; ledger: Ledger; facts: Facts },
  plan: Plan,
): EventBody[] {
  return plan.refusals.flatMap((refusal) => {
    if (refusal.guard !== 'output-edited' || !isTakenIn(loaded, refusal)) return [];
    const adopted = adoption(ledger, facts, refusal, 'on_edit: adopt');
    return adopted === undefined ? [] : [adopted];
  });
}

function passLimits({ limits, units }: Plan, reason: string): EventBody[] {
  const reached = limits.map(({ phase, limit, value }) => `${phase} ${limit} ${value}`);
  const paused = [...units.values()].flatMap(({ cells }) =>
    cells.flatMap(({ unit, phase, decision }) =>
      decision.do === 'stop' && decision.why.code === 'paused' ? [`${unit}/${phase} paused`] : [],
    ),
  );
  const facts = [...reached, ...paused].slice(0, factsMax);
  return facts.length === 0 ? [] : [used('limit-reached', '--past-limits', reason, { limits: facts })];
}

const factsMax = 100;

/** The refusals that these overrides do not open: while there is one, nothing is recorded and nothing runs. */
export function stillRefused(loaded: LoadedPipeline, plan: Plan, overrides: Overrides): Refusal[] {
  const discarded = overrides.rerun === undefined ? undefined : discardedBy(loaded, overrides.rerun);
  const isDiscarded = (refusal: { unit: string; phase: string }) =>
    discarded?.(refusal.unit, refusal.phase) === true;
  return plan.refusals.filter((refusal) => {
    switch (refusal.guard) {
      case 'manifest-changed':
      case 'definition-changed':
      case 'unit-changed':
        return overrides.force === undefined;
      case 'prompt-changed':
        return (
          overrides.forceResume === undefined &&
          (overrides.allowPromptChange === undefined || isGone(loaded, refusal))
        );
      case 'state-edited':
        // Before the first commit there is no result that the edit could become part of.
        return overrides.forceResume === undefined || refusal.unit === '';
      case 'output-edited':
        return (
          overrides.forceResume === undefined &&
          !isDiscarded(refusal) &&
          !isTakenIn(loaded, refusal) &&
          refusal.chosen === undefined
        );
      case 'file-changed':
        return overrides.forceResume === undefined && !isDiscarded(refusal) && refusal.chosen === undefined;
      case 'pre-state-differs':
        return overrides.forceResume === undefined && !isDiscarded(refusal);
      case 'in-doubt':
        return !isDiscarded(refusal);
      default:
        return unreachable(refusal);
    }
  });
}

/** The phase still wants the file and it is not there; not so for one that is only not used any more. */
function isGone(loaded: LoadedPipeline, { phase, role }: Refusal & { guard: 'prompt-changed' }): boolean {
  const file = loaded.statics.get(phase)?.templates.get(role);
  return file !== undefined && file.hash === undefined;
}

/** Units that were finished before the change are kept as they are; of the others what changed runs again. */
function takeNewManifest(plan: Plan, reason: string | undefined, revision: number): EventBody[] {
  const kept: string[] = [];
  const fields: ResultsKept[] = [];
  const rerun = { 'definition-changed': [] as string[], 'unit-changed': [] as string[] };
  for (const unit of plan.units.values()) {
    const changed = unit.refusals.filter(
      (refusal) => refusal.guard === 'definition-changed' || refusal.guard === 'unit-changed',
    );
    if (changed.length === 0) continue;
    for (const refusal of changed) {
      const name = cellName(refusal.unit, refusal.phase);
      if (!wasFinished(unit)) rerun[refusal.guard].push(name);
      else if (refusal.guard === 'definition-changed') kept.push(name);
      else fields.push(keptFields(refusal, name, reason, revision));
    }
  }
  const opened = plan.refusals.filter(
    ({ guard }) => guard === 'manifest-changed' || guard === 'definition-changed' || guard === 'unit-changed',
  );
  if (opened.length === 0) return [];
  const guard = opened[0]?.guard ?? 'manifest-changed';
  const why = reason === undefined ? {} : { reason };
  return [
    used(guard, '--force', reason, {
      changes: opened.flatMap((refusal) =>
        refusal.guard === 'manifest-changed' ? refusal.changes.map(({ path }) => path) : [],
      ),
      kept: kept.length,
    }),
    ...inParts(kept).map(
      (cells): EventBody => ({ type: 'results_kept', cells, revision, guard, reason: reason ?? '' }),
    ),
    ...fields,
    ...(['definition-changed', 'unit-changed'] as const).flatMap((because) =>
      inParts(rerun[because]).map(
        (cells): EventBody => ({ type: 'results_superseded', cells, because, ...why }),
      ),
    ),
  ];
}

function keptFields(
  { after }: Refusal & { guard: 'unit-changed' },
  cell: string,
  reason: string | undefined,
  revision: number,
): ResultsKept {
  return {
    type: 'results_kept',
    cells: [cell],
    revision,
    guard: 'unit-changed',
    reason: reason ?? '',
    unitData: after ?? null,
  };
}

/** It was finished before whatever changed, and is still if that is allowed. */
export function wasFinished(unit: UnitPlan): boolean {
  return unit.cells.every(({ decision, iteration }) => {
    if (decision.do === 'skip' || decision.do === 'reuse' || decision.do === 'restore') return true;
    return formerResult(decision)?.iteration === iteration;
  });
}

function rerunChangedPrompts(
  { loaded, ledger }: { loaded: LoadedPipeline; ledger: Ledger },
  plan: Plan,
  reason: string,
): EventBody[] {
  const changed = plan.refusals.filter(
    (refusal) => refusal.guard === 'prompt-changed' && !isGone(loaded, refusal),
  );
  if (changed.length === 0) return [];
  return [
    used('prompt-changed', '--resume-allow-prompt-change', reason, { templates: templatesOf(changed) }),
    ...[...byFirstRound(loaded, ledger, cellsOf(changed))].flatMap(([round, cells]) =>
      inParts(cells).map((part): EventBody => {
        const from = round === 1 ? {} : { round };
        return { type: 'results_superseded', cells: part, because: 'prompt-changed', ...from, reason };
      }),
    ),
  ];
}

/** Rounds before the first that the change concerns were made from what there still is. */
function byFirstRound(
  loaded: LoadedPipeline,
  ledger: Ledger,
  cells: readonly string[],
): Map<number, string[]> {
  const files = new Map(loaded.pipeline.files.map((file) => [file.name, file]));
  const groups = new Map<number, string[]>();
  for (const name of cells) {
    const cell = ledger.cells.get(name as CellName);
    const now = cell && loaded.statics.get(cell.phase);
    const first = cell?.results.find((result) => {
      if (result === undefined || now === undefined) return false;
      const before = ledger.revisions.get(result.revision)?.phases[cell.phase];
      const { refusals } = compareStatics(cell, result.iteration, before, now, files);
      return refusals.some(({ guard }) => guard === 'prompt-changed');
    });
    const round = first?.iteration ?? 1;
    groups.set(round, [...(groups.get(round) ?? []), name]);
  }
  return groups;
}

function keepResults(
  input: { loaded: LoadedPipeline; ledger: Ledger; facts: Facts },
  plan: Plan,
  reason: string,
  revision: number,
): EventBody[] {
  const events: EventBody[] = [];
  // These first: they leave the revision of a result as it is, and what is kept for its prompt gets the new one.
  for (const refusal of plan.refusals) {
    if (refusal.guard === 'pre-state-differs')
      events.push(...keepPreState(input.ledger, plan, refusal, reason, revision));
  }
  const prompts = plan.refusals.filter(
    (refusal) => refusal.guard === 'prompt-changed' || refusal.guard === 'file-changed',
  );
  if (prompts.length > 0) {
    events.push(
      used('prompt-changed', '--force-resume', reason, { templates: templatesOf(prompts) }),
      ...inParts(cellsOf(prompts)).map(
        (cells): ResultsKept => ({ type: 'results_kept', cells, revision, guard: 'prompt-changed', reason }),
      ),
    );
  }
  for (const refusal of plan.refusals) {
    if (refusal.guard === 'output-edited' || refusal.guard === 'state-edited') {
      if (refusal.guard === 'output-edited' && isTakenIn(input.loaded, refusal)) continue;
      const adopted = adoption(input.ledger, input.facts, refusal, reason);
      if (adopted === undefined) continue;
      events.push(used(refusal.guard, '--force-resume', reason, { path: refusal.path }), adopted);
    }
  }
  return events;
}

function keepPreState(
  ledger: Ledger,
  plan: Plan,
  refusal: Refusal & { guard: 'pre-state-differs' },
  reason: string,
  revision: number,
): EventBody[] {
  const { unit, phase } = refusal;
  const recorded = findCell(ledger, unit, phase)?.results.find((result) => result?.preState !== undefined);
  if (recorded?.preState === undefined || refusal.after === undefined) return [];
  const from = startedFrom(plan, unit, refusal.after);
  const preState = { ...recorded.preState, hash: refusal.after, ...(from === undefined ? {} : { from }) };
  return [
    used('pre-state-differs', '--force-resume', reason, { cell: cellName(unit, phase) }),
    {
      type: 'results_kept',
      cells: [cellName(unit, phase)],
      revision: recorded.revision || revision,
      guard: 'pre-state-differs',
      reason,
      preState,
    },
  ];
}

function startedFrom(plan: Plan, unit: string, hash: Hash): string | undefined {
  for (const other of plan.units.values())
    if (other.unit !== unit && other.state?.hash === hash) return other.state.from;
  return undefined;
}

function rerun(
  { loaded, ledger }: { loaded: LoadedPipeline; ledger: Ledger },
  asked: NonNullable<Overrides['rerun']>,
): EventBody[] {
  const isDiscarded = discardedBy(loaded, asked);
  const cells: string[] = [];
  for (const [name, cell] of ledger.cells) if (isDiscarded(cell.unit, cell.phase)) cells.push(name);
  if (cells.length === 0) return [];
  const flag = asked.from === undefined ? '--rerun-all' : '--rerun-from';
  return [
    used('rerun-requested', flag, undefined, { from: asked.from ?? '', cells: cells.length }),
    ...inParts(cells).map(
      (part): EventBody => ({ type: 'results_superseded', cells: part, because: 'rerun-requested' }),
    ),
  ];
}

/** The phase that was named and every later one, of the units that were named. */
function discardedBy(
  loaded: LoadedPipeline,
  asked: NonNullable<Overrides['rerun']>,
): (unit: string, phase: string) => boolean {
  const phases = loaded.pipeline.stages.flatMap((stage) => stage.phases.map(({ name }) => name));
  const discarded = new Set(asked.from === undefined ? phases : phases.slice(phases.indexOf(asked.from)));
  return (unit, phase) => discarded.has(phase) && (asked.units === undefined || asked.units(unit));
}

/** An event has a size limit; a run of any number of units must stay below it. */
function inParts(cells: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < cells.length; at += 10_000) parts.push(cells.slice(at, at + 10_000));
  return parts;
}

function used(
  guard: GuardName | 'rerun-requested' | 'limit-reached',
  flag: string,
  reason: string | undefined,
  facts: JsonObject,
): EventBody {
  return { type: 'override_used', guard, flag, ...(reason === undefined ? {} : { reason }), facts };
}

function cellsOf(refusals: readonly Refusal[]): string[] {
  const names = new Set<string>();
  for (const refusal of refusals) if ('phase' in refusal) names.add(cellName(refusal.unit, refusal.phase));
  return [...names];
}

function templatesOf(refusals: readonly Refusal[]): JsonObject[] {
  const byPath = new Map<string, JsonObject>();
  for (const refusal of refusals) {
    if (refusal.guard !== 'prompt-changed' && refusal.guard !== 'file-changed') continue;
    byPath.set(refusal.path, {
      path: refusal.path,
      before: refusal.before ?? null,
      after: refusal.after ?? null,
    });
  }
  return [...byPath.values()];
}

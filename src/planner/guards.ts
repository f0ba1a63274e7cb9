import type { Hash } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import { findCell } from '../ledger/ledger.ts';
import type { EventBody, ResultsKept } from '../model/event.ts';
import { cellName } from '../model/names.ts';
import type { GuardName, Refusal, RefusalOf } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { adoption } from './adoption.ts';
import { answeredEdits, answeredFiles } from './choices.ts';
import { compareStatics } from './compare.ts';
import { type CellOf, kept, type Opener, type Opening, type Site, superseded, used } from './opening.ts';
import { wasFinished } from './plan.ts';
import { rerun } from './rerun.ts';

/** Of one guard: what opens it, and how. Whatever is not named leaves it shut. */
export type Guard<One extends Refusal> = { readonly [By in Opener]?: Opening<One> };

/**
 * Every guard with what opens it and the events that this becomes. A new guard does not compile until it is here. The
 * order is that of the events: what leaves a result at its revision comes before whatever moves it to the new one.
 */
export const guards: { readonly [Name in GuardName]: Guard<RefusalOf<Name>> } = {
  'pre-state-differs': { forceResume: { becomes: keepStartStates }, rerun: discarded() },
  'output-edited': {
    manifest: {
      opens: ({ loaded }, refusal) => isTakenIn(loaded, refusal),
      becomes: (site, refusals) => refusals.flatMap((refusal) => adopt(site, refusal, 'on_edit: adopt')),
    },
    answer: { opens: isAnswered, becomes: answeredEdits },
    forceResume: { becomes: adoptEdits },
    rerun: discarded(),
  },
  'state-edited': {
    // Before the first commit there is no result that the edit could become part of.
    forceResume: { opens: (_, { unit }) => unit !== '', becomes: adoptEdits },
  },
  'manifest-changed': { force: { becomes: takeManifest } },
  'definition-changed': { force: { becomes: takeDefinitions } },
  'unit-changed': { force: { becomes: takeFields }, rerun: discarded() },
  'prompt-changed': {
    allowPromptChange: { opens: ({ loaded }, refusal) => !isGone(loaded, refusal), becomes: rerunPrompts },
    forceResume: { becomes: keepPrompts },
  },
  'file-changed': {
    answer: { opens: isAnswered, becomes: answeredFiles },
    forceResume: { becomes: keepFiles },
    rerun: discarded(),
  },
  'in-doubt': { rerun: discarded() },
};

/** What a rerun discards need not be as it was. */
function discarded(): Opening<Extract<Refusal, CellOf>> {
  return {
    opens: ({ isDiscarded }, refusal) => isDiscarded(refusal),
    becomes: (_, refusals, reason) => refusals.map((refusal) => rerun(refusal, reason)),
  };
}

/** A person was asked what becomes of it, and has said so. */
function isAnswered(_: unknown, { chosen }: RefusalOf<'file-changed' | 'output-edited'>): boolean {
  return chosen !== undefined;
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
  site: Site,
  [refusal]: readonly RefusalOf<'manifest-changed'>[],
  reason: string | undefined,
): EventBody[] {
  const changed = [...site.plan.units.values()].flatMap(({ refusals }) =>
    refusals.filter((one) => one.guard === 'definition-changed'),
  );
  const events = changed.map((one) => keepOrRerun(site, one, 'manifest-changed', reason));
  const changes = refusal?.changes.map(({ path }) => path) ?? [];
  return [used('manifest-changed', '--force', reason, { changes, kept: countKept(events) }), ...events];
}

function takeDefinitions(
  site: Site,
  refusals: readonly RefusalOf<'definition-changed'>[],
  reason: string | undefined,
): EventBody[] {
  const events = refusals.map((refusal) => keepOrRerun(site, refusal, 'definition-changed', reason));
  return [used('definition-changed', '--force', reason, { kept: countKept(events) }), ...events];
}

function takeFields(
  site: Site,
  refusals: readonly RefusalOf<'unit-changed'>[],
  reason: string | undefined,
): EventBody[] {
  const events = refusals.map((refusal) =>
    keepOrRerun(site, refusal, 'unit-changed', reason, { unitData: refusal.after ?? null }),
  );
  return [used('unit-changed', '--force', reason, { kept: countKept(events) }), ...events];
}

/** Units that were finished before the change are kept as they are; of the others what changed runs again. */
function keepOrRerun(
  { plan, revision }: Site,
  refusal: RefusalOf<'definition-changed' | 'unit-changed'>,
  guard: GuardName,
  reason: string | undefined,
  parts: Pick<ResultsKept, 'unitData'> = {},
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
  site: Site,
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

/** Rounds before the first that the change concerns were made from what there still is. */
function firstRound({ loaded, ledger }: Site, { unit, phase }: CellOf): { readonly round?: number } {
  const now = loaded.statics.get(phase);
  const files = new Map(loaded.pipeline.files.map((file) => [file.name, file]));
  const first = findCell(ledger, unit, phase)?.results.find((result) => {
    if (result === undefined || now === undefined) return false;
    const before = ledger.revisions.get(result.revision)?.phases[phase];
    const { refusals } = compareStatics({ unit, phase }, result.iteration, before, now, files);
    return refusals.some(({ guard }) => guard === 'prompt-changed');
  });
  const round = first?.iteration ?? 1;
  return round === 1 ? {} : { round };
}

function keepPrompts(
  { revision }: Site,
  refusals: readonly RefusalOf<'prompt-changed'>[],
  reason: string | undefined,
): EventBody[] {
  return [
    used('prompt-changed', '--force-resume', reason, { templates: filesOf(refusals) }),
    ...refusals.map((refusal) => kept(refusal, { revision, guard: refusal.guard, reason })),
  ];
}

function keepFiles(
  { revision }: Site,
  refusals: readonly RefusalOf<'file-changed'>[],
  reason: string | undefined,
): EventBody[] {
  return [
    used('file-changed', '--force-resume', reason, { files: filesOf(refusals) }),
    ...refusals.map((refusal) => kept(refusal, { revision, guard: refusal.guard, reason })),
  ];
}

/** One file that many cells were made from is one file. */
function filesOf(refusals: readonly RefusalOf<'prompt-changed' | 'file-changed'>[]): JsonObject[] {
  const byPath = new Map<string, JsonObject>();
  for (const { path, before = null, after = null } of refusals) byPath.set(path, { path, before, after });
  return [...byPath.values()];
}

function adoptEdits(
  site: Site,
  refusals: readonly RefusalOf<'output-edited' | 'state-edited'>[],
  reason: string | undefined,
): EventBody[] {
  return refusals.flatMap((refusal) => [
    used(refusal.guard, '--force-resume', reason, { path: refusal.path }),
    ...adopt(site, refusal, reason ?? ''),
  ]);
}

function adopt(
  { ledger, facts }: Site,
  refusal: RefusalOf<'output-edited' | 'state-edited'>,
  reason: string,
): EventBody[] {
  const adopted = adoption(ledger, facts, refusal, reason);
  return adopted === undefined ? [] : [adopted];
}

function keepStartStates(
  site: Site,
  refusals: readonly RefusalOf<'pre-state-differs'>[],
  reason: string | undefined,
): EventBody[] {
  return refusals.flatMap((refusal) => [
    used('pre-state-differs', '--force-resume', reason, { cell: cellName(refusal.unit, refusal.phase) }),
    ...keepStartState(site, refusal, reason),
  ]);
}

/** Of each round by itself: they may have been made under different revisions. */
function keepStartState(
  { loaded, ledger, plan }: Site,
  refusal: RefusalOf<'pre-state-differs'>,
  reason: string | undefined,
): EventBody[] {
  const { guard, unit, phase, after: hash } = refusal;
  const from = startedFrom(plan, unit, hash);
  const path = loaded.pipeline.state?.initial ?? '';
  const results = findCell(ledger, unit, phase)?.results.filter((result) => result !== undefined) ?? [];
  return results.map(({ revision, attempt: only, preState: before }) => {
    const preState = { path, ...before, hash, ...(from === undefined ? {} : { from }) };
    return kept(refusal, { revision, guard, reason, preState, only });
  });
}

function startedFrom({ units }: Site['plan'], unit: string, hash: Hash): string | undefined {
  for (const other of units.values())
    if (other.unit !== unit && other.state?.hash === hash) return other.state.from;
  return undefined;
}

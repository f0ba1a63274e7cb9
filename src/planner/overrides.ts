import type { JsonObject } from '../base/json.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { EventBody, OpenedGuard, OverrideUsed, ResultsKept, ResultsSuperseded } from '../model/event.ts';
import { stepName } from '../model/names.ts';
import type { PartChange, Refusal } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import type { Facts } from './facts.ts';
import type { Plan } from './plan.ts';

/** What a person asked for on top of "go on". Each opens its own guards and no other: `guards.ts` says which. */
export interface Overrides {
  readonly rerun: RerunRequest | undefined;
  /** `--resume-allow-prompt-change`: rerun what a changed prompt affects. */
  readonly allowPromptChange: { readonly reason: string } | undefined;
  /** `--force-resume`: keep results as they are although what they were made from has changed. */
  readonly forceResume: { readonly reason: string } | undefined;
  /** `--force`: continue with a changed manifest; finished units are kept. */
  readonly force: { readonly reason: string | undefined } | undefined;
  /** `--rerun-change NAME`: re-run what these changes affect. */
  readonly rerunNamed: NamedChanges | undefined;
  /** `--keep-change NAME`: keep results although these changed. */
  readonly keepNamed: NamedChanges | undefined;
  /** `--rerun-changed`: re-run what every change affects that nothing else answers. */
  readonly rerunChanged: GeneralAnswer | undefined;
  /** `--keep-changed`: keep results although what nothing else answers has changed. */
  readonly keepChanged: GeneralAnswer | undefined;
  /** `--failed`: failed steps get a new set of attempts. */
  readonly failed: { readonly reason: string | undefined } | undefined;
  /** `--outdated`: results that are kept as outdated are made again. */
  readonly outdated: { readonly reason: string | undefined } | undefined;
  /** `--past-limits`: continue although a limit is reached; counting starts at 0. */
  readonly pastLimits: { readonly reason: string } | undefined;
}

/** One answer for every change that no other flag answers. */
export interface GeneralAnswer {
  readonly reason: string;
  /** The changes that were shown with the question, by `changeKey`. Absent: a flag, which answers all. */
  readonly only?: ReadonlySet<string>;
}

export interface NamedChanges {
  /** As `pawl plan` prints them. */
  readonly names: ReadonlySet<string>;
  readonly reason: string;
}

/** `--rerun-from`, or `--rerun-all` without a phase. */
export interface RerunRequest {
  readonly from: string | undefined;
  /** Undefined: all. */
  readonly units: ((unit: string) => boolean) | undefined;
  readonly reason?: string | undefined;
}

export const noOverrides: Overrides = {
  rerun: undefined,
  allowPromptChange: undefined,
  forceResume: undefined,
  force: undefined,
  rerunNamed: undefined,
  keepNamed: undefined,
  rerunChanged: undefined,
  keepChanged: undefined,
  failed: undefined,
  outdated: undefined,
  pastLimits: undefined,
};

/** What can open a guard: the manifest itself, a person's answer that is on record, or a flag. */
export type Opener = 'manifest' | 'answer' | keyof Overrides;

/** How one opener opens one guard. No guard is opened without the events that make it true. */
export interface GuardOpening<One extends Refusal> {
  /** Which refusals it opens; absent: every one. */
  opens?(asked: GuardContext, refusal: One): boolean;
  /** With these on record the next plan is the same without being asked. */
  becomes(site: OverrideSite, refusals: readonly One[], reason: string | undefined): readonly EventBody[];
}

/** What decides whether a guard is opened. */
export interface GuardContext {
  readonly loaded: LoadedPipeline;
  /** The requested re-run discards the step's results anyway. */
  readonly isDiscarded: (step: StepOf) => boolean;
  /** The policy for a changed definition is to re-run. */
  readonly isRerunByPolicy: (change: PartChange) => boolean;
}

/** What the events are made of. `revision` is the one now in force. */
export interface OverrideSite {
  readonly loaded: LoadedPipeline;
  readonly ledger: Ledger;
  readonly facts: Facts;
  readonly plan: Plan;
  readonly revision: number;
  readonly openerOf: (refusal: Refusal) => Opener | undefined;
  /** A flag keeps results although this changed, also where a policy would run them again. */
  readonly isKept: (change: PartChange) => boolean;
}

export interface StepOf {
  readonly unit: string;
  readonly phase: string;
}

/** A person opened the guard. */
export function used(
  guard: OpenedGuard,
  flag: string,
  reason: string | undefined,
  facts: JsonObject,
): OverrideUsed {
  return { type: 'override_used', guard, flag, ...(reason === undefined ? {} : { reason }), facts };
}

/** The step's results count as made from the current parts. */
export function kept(
  { unit, phase }: StepOf,
  about: Omit<ResultsKept, 'type' | 'steps' | 'reason'> & { readonly reason: string | undefined },
): ResultsKept {
  const { revision, guard, reason = '', ...parts } = about;
  return { type: 'results_kept', steps: [stepName(unit, phase)], revision, guard, reason, ...parts };
}

/** The step's results do not count any more. */
export function superseded(
  { unit, phase }: StepOf,
  because: ResultsSuperseded['because'],
  {
    round,
    reason,
    change,
  }: {
    readonly round?: number;
    readonly reason?: string | undefined;
    readonly change?: string | undefined;
  } = {},
): ResultsSuperseded {
  return {
    type: 'results_superseded',
    steps: [stepName(unit, phase)],
    because,
    ...(round === undefined ? {} : { round }),
    ...(reason === undefined ? {} : { reason }),
    ...(change === undefined ? {} : { change }),
  };
}

/**
 * One event for many steps with the same event, in the place of the last one. An event has a size limit: a
 * run of any number of units stays below it.
 */
export function inFewEvents(events: readonly EventBody[]): EventBody[] {
  const groups = new Map<string, { readonly event: EventBody; readonly cells: Set<string> }>();
  for (const [at, event] of events.entries()) {
    const key = isOfManySteps(event) ? JSON.stringify({ ...event, steps: [] }) : `${at}`;
    const group = groups.get(key) ?? { event, cells: new Set() };
    groups.delete(key);
    groups.set(key, group);
    if (!isOfManySteps(event)) continue;
    for (const step of event.steps) {
      group.cells.delete(step);
      group.cells.add(step);
    }
  }
  return [...groups.values()].flatMap(({ event, cells: steps }): EventBody[] =>
    isOfManySteps(event) ? inParts([...steps]).map((part) => ({ ...event, steps: part })) : [event],
  );
}

/** An event with parts of its own is about a single step. */
function isOfManySteps(event: EventBody): event is ResultsKept | ResultsSuperseded {
  if (event.type === 'results_superseded') return true;
  if (event.type !== 'results_kept') return false;
  const { unitData, unitFile, inputs, preState, onlyAttempt: only } = event;
  const isOfUnit = unitData !== undefined || unitFile !== undefined;
  return !isOfUnit && inputs === undefined && preState === undefined && only === undefined;
}

function inParts(steps: readonly string[]): string[][] {
  const parts: string[][] = [];
  for (let at = 0; at < steps.length; at += stepsMax) parts.push(steps.slice(at, at + stepsMax));
  return parts;
}

const stepsMax = 10_000;

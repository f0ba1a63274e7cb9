import { byCodeUnit } from '../../base/json.ts';
import { type Ledger, type Step, standingFailure } from '../../ledger/ledger.ts';
import type { QuestionRecord } from '../../ledger/records.ts';
import type { PauseReason } from '../../model/calls.ts';
import type { Phase, Pipeline, Stage } from '../../model/definition.ts';
import { isForOthers } from '../../model/executor.ts';
import { stepName } from '../../model/names.ts';
import { isOver, type RunStatus } from '../../model/status.ts';
import { earlierPoints } from './history.ts';
import { progressOf } from './progress.ts';

/** Where a run stands, as its journal alone says: what the first part of the brief is put into words from. */
export interface Survey {
  readonly run: string;
  readonly pipeline: string;
  readonly manifest: string;
  readonly status: RunStatus;
  readonly updatedAt: string;
  /** Of all stages, in their order: a phase's place is its number. */
  readonly phases: readonly string[];
  /** Of the attempt that was started last. */
  readonly phase: { readonly number: number; readonly name: string; readonly at: string } | undefined;
  /** No other phase was started after this. */
  readonly phaseSince: string;
  readonly sessionSince: string;
  /** Units of the largest stage. */
  readonly progress: { readonly done: number; readonly total: number };
  readonly underWay: Shortened<StartedStep>;
  readonly questions: Shortened<OpenQuestion>;
  readonly blocked: Shortened<{ readonly unit: string; readonly reason: string }>;
  /** The newest attempt that failed and was not made good. */
  readonly failure: FailedStep | undefined;
  /** What providers asked to wait, and until when the first of it does; undefined: nothing, or the time has come. */
  readonly paused: PausedSteps | undefined;
  readonly points: number;
  /** Checkpoints that a document counted before the run took it over; absent: none. */
  readonly pointsBefore?: number;
  /** In percent. */
  readonly fill: number | undefined;
  readonly usd: number | undefined;
  /** The next step that a person or an agent wrote. */
  readonly nextStep: string | undefined;
  /** Every gate with the phases that it judges. */
  readonly loops: readonly { readonly gate: string; readonly phases: readonly string[] }[];
  /** The gate whose round the newest attempt under way belongs to. */
  readonly gate: { readonly id: string; readonly iteration: number } | undefined;
  /** A round of a gate that an agent was in the middle of when its context was compacted. */
  readonly restart: Restart | undefined;
  /** Some phases are done by others, who claim them. */
  readonly hasAgents: boolean;
  /** What the paths of outputs begin with, as far as that is the same for every unit. */
  readonly outputPrefixes?: readonly string[];
  readonly cancelled: string | undefined;
}

/** A few of them, and how many there are. */
export interface Shortened<T> {
  readonly first: readonly T[];
  readonly count: number;
}

export interface StartedStep {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  readonly iteration: number;
  readonly at: string;
  /** Who has claimed it, and until when; absent: Pawl runs it itself. */
  readonly actor?: string;
  readonly until?: string;
  /** The lease has run out: anybody may claim it. */
  readonly hasLapsed?: boolean;
}

export interface OpenQuestion {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  readonly phase: string;
}

export interface FailedStep {
  readonly unit: string;
  readonly phase: string;
  readonly reason: string;
  readonly message: string;
  readonly at: string;
}

export interface PausedSteps {
  readonly unit: string;
  readonly phase: string;
  readonly reason: PauseReason;
  readonly until: string;
  readonly count: number;
}

export interface Restart {
  readonly compaction: string;
  readonly gate: string;
  readonly iteration: number;
}

/** Facts that the journal does not have. */
export interface Known {
  /** Run status, because the owner of the lock may be dead. */
  readonly status?: RunStatus | undefined;
  /** Leases that ended before this time count no more. */
  readonly now?: string | undefined;
}

export function makeSurvey(pipeline: Pipeline, ledger: Ledger, known: Known = {}): Survey {
  const { notes } = ledger;
  const found = walk(ledger, known.now);
  found.underWay.sort(byBegin);
  const status = known.status ?? statusOf(ledger, found.underWay);
  const phases = phasesOf(pipeline.stages);
  const at = phases.findIndex(({ name }) => name === notes.latest?.phase);
  const said = notes.nextStep;
  const before = earlierPoints(ledger);
  const loops = loopsOf(pipeline.stages);
  return {
    run: ledger.run?.run ?? '',
    pipeline: ledger.run?.pipeline ?? pipeline.name,
    manifest: ledger.run?.manifest ?? '',
    status,
    updatedAt: ledger.updatedAt,
    phase:
      notes.latest && at >= 0 ? { number: at + 1, name: notes.latest.phase, at: notes.latest.at } : undefined,
    phases: phases.map(({ name }) => name),
    phaseSince: phaseSince(ledger),
    sessionSince: notes.sessionSince,
    progress: progressOf(pipeline, ledger),
    underWay: newestOf(found.underWay),
    questions: shortened(found.questions.sort((a, b) => numberOf(a.id) - numberOf(b.id))),
    blocked: shortened(ledger.blocked.map(({ unit, reason }) => ({ unit, reason }))),
    failure: found.failure,
    paused: found.paused,
    points: notes.points,
    ...(before > 0 && { pointsBefore: before }),
    fill: notes.context?.fill,
    usd: found.usd,
    nextStep: said !== undefined && said.at >= notes.movedAt ? said.text : undefined,
    loops,
    gate: gateAround(loops, found.underWay.at(-1)),
    restart: restartOf(ledger, found.underWay),
    hasAgents: phases.some(isForOthers),
    outputPrefixes: prefixesOf(phases),
    cancelled: ledger.cancelled?.reason,
  };
}

/** Every phase once, in the order of stages: its place is its number. */
export function phasesOf(stages: readonly Stage[]): readonly Phase[] {
  return stages.flatMap(({ phases }) => phases);
}

function prefixesOf(phases: readonly Phase[]): string[] {
  const prefixes = phases.flatMap(({ outputs }) => outputs.map(({ path }) => path.split('{', 1)[0] ?? ''));
  return [...new Set(prefixes)].sort(byCodeUnit);
}

/** The phases that each gate judges: from the one that it goes back to up to its own. */
function loopsOf(stages: readonly Stage[]): Survey['loops'] {
  return stages.flatMap(({ phases }) =>
    phases.flatMap(({ name: gate, gate: one }, at) => {
      const from = phases.findIndex(({ name }) => name === one?.backTo);
      return one === undefined ? [] : [{ gate, phases: phases.slice(from, at + 1).map(({ name }) => name) }];
    }),
  );
}

/** Phases of a loop belong to its gate from the first round on. */
function gateAround(loops: Survey['loops'], newest: StartedStep | undefined): Survey['gate'] {
  const loop = newest && loops.find(({ phases }) => phases.includes(newest.phase));
  return loop && { id: briefStepName({ unit: newest.unit, phase: loop.gate }), iteration: newest.iteration };
}

/**
 * A round counts as started again if the agent's context was compacted before the round was scored, unless a step of it
 * has started since.
 */
function restartOf({ notes, steps }: Ledger, underWay: readonly StartedStep[]): Restart | undefined {
  const newest = notes.compactions.findLast(({ gate }) => gate !== undefined);
  if (newest?.gate === undefined || newest.round === undefined) return undefined;
  const { id, gate, round: iteration, seenAt } = newest;
  const [unit] = gate.split('/');
  const isAtIt = underWay.some((one) => one.actor !== undefined && one.unit === unit && one.at <= seenAt);
  const scored = steps.get(gate as `${string}/${string}`)?.results.length ?? 0;
  return isAtIt && scored < iteration ? { compaction: id, gate, iteration } : undefined;
}

interface Walked {
  readonly underWay: StartedStep[];
  readonly questions: OpenQuestion[];
  failure: FailedStep | undefined;
  paused: PausedSteps | undefined;
  usd: number | undefined;
}

/** One pass over all steps, because in a large run this is the cost of a survey. */
function walk(ledger: Ledger, now: string | undefined): Walked {
  const found: Walked = {
    underWay: [],
    questions: openOf(ledger.questions),
    failure: undefined,
    paused: undefined,
    usd: undefined,
  };
  for (const step of ledger.steps.values()) {
    if (step.running !== undefined) found.underWay.push(underWay(step, step.running, now));
    else noteEnd(found, step, now);
    if (step.questions !== undefined) found.questions.push(...openOf(step.questions));
    if (step.cost?.usd !== undefined) found.usd = (found.usd ?? 0) + step.cost.usd;
  }
  return found;
}

/** The newest failure, and what is paused: a step whose newest attempt was paused has not failed. */
function noteEnd(found: Walked, step: Step, now: string | undefined): void {
  const { unit, phase, paused } = step;
  const failure = standingFailure(step);
  if (failure !== undefined && failure.at > (found.failure?.at ?? '')) {
    const { reason, message, at } = failure;
    found.failure = { unit, phase, reason, message, at };
  }
  if (
    paused === undefined ||
    paused.until === '' ||
    failure !== undefined ||
    (now !== undefined && paused.until <= now)
  )
    return;
  const { reason, until } = paused;
  const count = (found.paused?.count ?? 0) + 1;
  const first = found.paused;
  found.paused =
    first === undefined || until < first.until ? { unit, phase, reason, until, count } : { ...first, count };
}

function underWay(
  { unit, phase }: Step,
  { attempt, round: iteration, at, claim }: NonNullable<Step['running']>,
  now: string | undefined,
): StartedStep {
  if (claim === undefined) return { unit, phase, attempt, iteration, at };
  const { actor, until } = claim;
  const lapsed = now !== undefined && until <= now ? { hasLapsed: true } : {};
  return { unit, phase, attempt, iteration, at, actor, until, ...lapsed };
}

/** Of each place only the newest counts: what was asked about other bytes is not asked any more. */
function openOf(records: readonly QuestionRecord[]): OpenQuestion[] {
  return records
    .filter((record, at) => {
      const isNewest = !records.slice(at + 1).some(({ place }) => place === record.place);
      return isNewest && record.decided === undefined && record.over !== true;
    })
    .map(({ id, name, unit, phase }) => ({ id, name, unit, phase }));
}

function numberOf(id: string): number {
  return Number(id.slice(1)) || 0;
}

/** Claimed steps are under way even if no runner holds the lock. */
function statusOf({ ended }: Ledger, underWay: readonly StartedStep[]): RunStatus {
  if (ended !== undefined && isOver(ended)) return ended;
  if (underWay.some(({ actor, hasLapsed }) => actor !== undefined && hasLapsed !== true)) return 'running';
  return ended ?? 'running';
}

function phaseSince({ notes: { latest, starts } }: Ledger): string {
  let since = '';
  for (const { phase, at } of starts) if (phase !== latest?.phase && at > since) since = at;
  return since;
}

const shownMax = 20;

function byBegin(a: StartedStep, b: StartedStep): number {
  return byCodeUnit(a.at, b.at) || byCodeUnit(briefStepName(a), briefStepName(b));
}

/** What was begun last is what is going on now. */
function newestOf<T>(all: readonly T[]): Shortened<T> {
  return { first: all.slice(-shownMax), count: all.length };
}

function shortened<T>(all: readonly T[]): Shortened<T> {
  return { first: all.slice(0, shownMax), count: all.length };
}

/** `UNIT/PHASE`. */
export function briefStepName({ unit, phase }: { readonly unit: string; readonly phase: string }): string {
  return unit === '' ? phase : stepName(unit, phase);
}

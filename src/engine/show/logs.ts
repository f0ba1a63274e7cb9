import { fail, ok, type Result } from '../../base/result.ts';
import { findStep, standingFailure } from '../../ledger/ledger.ts';
import type { AttemptSucceeded, RestoredStep, StoredEvent } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { stepName } from '../../model/names.ts';
import { readReason } from '../../store/records/recorded-reason.ts';
import { endedBy } from '../observe/attempts.ts';
import { findStepTarget } from '../observe/cell-target.ts';
import type { LoggedAttempt, LogsAnswer } from '../observe/logs-answer.ts';
import { planUnitsFromDisk } from '../observe/plan-units.ts';
import { namedUnits, selectSteps } from '../observe/select.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading, needRun } from '../open/find-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { SelectionRequest, Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openRunJournal } from '../open/run-files.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import { type FileChoice, withFiles } from './attempt-files.ts';

export interface LogsRequest extends Target, FileChoice {
  readonly cell: string;
  /** One attempt by its number, or all; default: the newest. */
  readonly attempt?: number | 'all' | undefined;
}

export interface ManyLogsRequest extends Target, FileChoice, SelectionRequest {}

/** The attempts at a step that were asked for, from the journal, with what is left of them on disk. */
export async function showLogs(env: Environment, request: LogsRequest): Promise<Result<LogsAnswer, Failure>> {
  const found = await openLogs(env, request);
  if (!found.ok) return found;
  const { placed, opened } = found.value;
  const target = findStepTarget(placed, request.cell);
  if (!target.ok) return target;
  const at = { unit: target.value.unit.id, phase: target.value.phase.name };
  const all = attemptsAt(placed, opened, at.unit, at.phase);
  const shown = chooseAttempts(all, request);
  if (!shown.ok) return shown;
  const others = all.filter((attempt) => !shown.value.includes(attempt)).map(({ attempt }) => attempt);
  return ok({
    ...at,
    attempts: shown.value.map((attempt) => withFiles(placed, opened, at, attempt, request)),
    ...(others.length > 0 && { others }),
  });
}

/** What the newest attempts at the selected steps left behind, in the order in which the steps began. */
export async function showManyLogs(
  env: Environment,
  request: ManyLogsRequest,
): Promise<Result<ManyLogsAnswer, Failure>> {
  const found = await openLogs(env, request);
  if (!found.ok) return found;
  const { placed, opened } = found.value;
  const onlyFailed = request.failed === true && request.outdated !== true;
  // A failed step is one whose newest attempt failed, also where something else lets it run again.
  const seen = await planUnitsFromDisk(placed, opened, namedUnits(placed, opened, request));
  const chosen = selectSteps(seen, onlyFailed ? { ...request, failed: false } : request);
  if (!chosen.ok) return chosen;
  const choice = { ...request, tail: request.tail ?? linesUsual };
  const steps: LogsAnswer[] = [];
  const isMeant = chosen.value?.isSelected ?? (() => true);
  for (const { unit, phase, attempts } of attemptsOf(placed, opened, isMeant).values()) {
    const newest = attempts.at(-1);
    if (newest === undefined) continue;
    if (onlyFailed && !(newest.outcome === 'failed' && hasFailed(opened, unit, phase))) continue;
    const others = attempts.slice(0, -1).map(({ attempt }) => attempt);
    const shown = withFiles(placed, opened, { unit, phase }, newest, choice);
    steps.push({ unit, phase, attempts: [shown], ...(others.length > 0 && { others }) });
  }
  return ok({ heading: createRunHeading(placed, opened), onlyFailed, steps });
}

function hasFailed({ ledger }: OpenedRun, unit: string, phase: string): boolean {
  const step = findStep(ledger, unit, phase);
  return step !== undefined && standingFailure(step) !== undefined;
}

/** Enough to see what went wrong, where there may be many. */
const linesUsual = 20;

/** The workspace as the run sees it. */
export async function openLogs(
  env: Environment,
  target: Target,
): Promise<Result<{ readonly placed: Workspace; readonly opened: OpenedRun }, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  if (!opened.ok) return opened;
  return ok({ placed: await resolvePipelineForRun(workspace.value, opened.value), opened: opened.value });
}

function chooseAttempts(
  all: readonly LoggedAttempt[],
  { cell: step, attempt: wanted }: LogsRequest,
): Result<readonly LoggedAttempt[], Failure> {
  if (wanted === 'all') return ok(all);
  const chosen = wanted === undefined ? all.at(-1) : all.find(({ attempt }) => attempt === wanted);
  if (wanted === undefined || chosen !== undefined) return ok(chosen === undefined ? [] : [chosen]);
  const valid = all.map(({ attempt }) => attempt);
  return fail({ reason: 'usage', problem: { code: 'unknown-attempt', cell: step, attempt: wanted, valid } });
}

/** By number. */
export function attemptsAt(
  placed: Workspace,
  opened: OpenedRun,
  unit: string,
  phase: string,
): readonly LoggedAttempt[] {
  const isMeant = (one: string, name: string) => one === unit && name === phase;
  return attemptsOf(placed, opened, isMeant).get(stepName(unit, phase))?.attempts ?? [];
}

interface StepAttempts {
  readonly unit: string;
  readonly phase: string;
  attempts: LoggedAttempt[];
}

function attemptsOf(
  { env, root }: Workspace,
  opened: OpenedRun,
  isMeant: (unit: string, phase: string) => boolean,
): ReadonlyMap<string, StepAttempts> {
  const steps = new Map<string, StepAttempts>();
  for (const event of openRunJournal(env, root, opened.folder).events()) {
    if (event.type === 'results_superseded') {
      for (const name of event.steps) {
        const step = steps.get(name);
        if (step !== undefined) step.attempts = step.attempts.map((one) => ({ ...one, superseded: true }));
      }
    }
    if (event.type === 'results_restored')
      for (const restored of event.steps) {
        const step = steps.get(stepName(restored.unit, restored.phase));
        if (step !== undefined) step.attempts = step.attempts.map((one) => afterRestore(one, restored));
      }
    if (!('unit' in event) || !('attempt' in event)) continue;
    const { unit, phase, attempt: number } = event;
    // An edit that was adopted belongs to the attempt that is there; only what no attempt had made has a number.
    if (unit === undefined || number === undefined || event.type === 'artifact_adopted') continue;
    if (!isMeant(unit, phase)) continue;
    const name = stepName(unit, phase);
    const step = steps.get(name) ?? { unit, phase, attempts: [] };
    steps.set(name, step);
    const at = step.attempts.findIndex(({ attempt }) => attempt === number);
    const known = step.attempts[at] ?? unknownAttempt({ ...event, attempt: number });
    step.attempts.splice(at < 0 ? step.attempts.length : at, 1, { ...known, ...outcomeOf(event) });
  }
  for (const step of steps.values()) {
    step.attempts.sort((a, b) => a.attempt - b.attempt);
    if (opened.status === 'running') step.attempts = step.attempts.map(asRunning);
  }
  return steps;
}

/** Of all attempts that succeeded, only those that count again are not superseded. */
function afterRestore(attempt: LoggedAttempt, { results }: RestoredStep): LoggedAttempt {
  const isCurrent = results.some((result) => result?.attempt === attempt.attempt);
  return { ...attempt, superseded: !isCurrent };
}

function asRunning(attempt: LoggedAttempt): LoggedAttempt {
  return attempt.outcome === 'in-doubt' ? { ...attempt, outcome: 'running' } : attempt;
}

function unknownAttempt(event: StoredEvent & { attempt: number; round?: number }): LoggedAttempt {
  return {
    attempt: event.attempt,
    iteration: event.round ?? 1,
    startedAt: event.at,
    outcome: 'in-doubt',
    ms: undefined,
    failure: undefined,
    message: undefined,
    superseded: false,
    folder: undefined,
    files: [],
  };
}

function outcomeOf(event: StoredEvent): Partial<LoggedAttempt> {
  switch (event.type) {
    case 'attempt_started':
      return { why: readReason(event) };
    case 'attempt_succeeded':
      return {
        outcome: 'succeeded',
        ms: event.ms,
        ...spentOf(event),
        ...(event.reused !== undefined && { reused: event.reused }),
      };
    case 'attempt_failed':
      return {
        outcome: 'failed',
        ms: event.ms,
        failure: event.reason,
        ...(event.facts && { facts: event.facts }),
        message: event.message,
        ...spentOf(event),
      };
    case 'revision_requested':
      return {
        outcome: 'failed',
        ms: event.ms,
        failure: 'revision-requested',
        message: `${event.to}: ${event.reason}`,
        ...spentOf(event),
      };
    case 'attempt_paused':
      return {
        outcome: 'paused',
        ms: event.ms,
        failure: event.reason,
        message: event.message,
        ...spentOf(event),
      };
    case 'attempt_interrupted':
      return { outcome: endedBy(event), ms: event.ms, ...spentOf(event) };
    default:
      return {};
  }
}

function spentOf({
  call,
  cost,
}: Pick<AttemptSucceeded, 'call' | 'cost'>): Pick<LoggedAttempt, 'call' | 'cost'> {
  return { ...(call && { call }), ...(cost && { cost }) };
}

/** The newest attempt of every step that was asked for. */
export interface ManyLogsAnswer {
  readonly heading: RunHeading;
  /** Only steps that stand failed were asked for. */
  readonly onlyFailed: boolean;
  readonly steps: readonly LogsAnswer[];
}

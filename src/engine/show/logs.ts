import { fail, ok, type Result } from '../../base/result.ts';
import { readJournal } from '../../journal/read.ts';
import { readReason } from '../../journal/recorded-reason.ts';
import type { PhaseSucceeded, StoredEvent } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { attemptFolder } from '../../runner/context.ts';
import { shownRedactor } from '../../runner/redaction.ts';
import type { LogsAnswer } from '../answers.ts';
import { endedBy } from '../attempts/attempts.ts';
import type { Environment } from '../environment.ts';
import { enter } from '../open/enter.ts';
import { needRun } from '../open/find-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { eventsFolder } from '../open/run-files.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import type { Target } from '../requests.ts';
import { findTarget } from './cell-target.ts';

type LoggedAttempt = LogsAnswer['attempts'][number];

/** Every attempt at a cell, from the journal, with what is left of it on disk. */
export async function showLogs(
  env: Environment,
  request: Target & { readonly cell: string; readonly attempt?: number | undefined },
): Promise<Result<LogsAnswer, Failure>> {
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, request);
  if (!opened.ok) return opened;
  const placed = await enter(workspace.value, opened.value);
  const target = findTarget(placed, request.cell);
  if (!target.ok) return target;
  const unit = target.value.unit.id;
  const phase = target.value.phase.name;
  const all = attemptsOf(placed, opened.value, unit, phase);
  const wanted =
    request.attempt === undefined ? all : all.filter(({ attempt }) => attempt === request.attempt);
  if (request.attempt !== undefined && wanted.length === 0) {
    return fail({
      reason: 'usage',
      problem: {
        code: 'unknown-attempt',
        cell: request.cell,
        attempt: request.attempt,
        valid: all.map(({ attempt }) => attempt),
      },
    });
  }
  return ok({
    unit,
    phase,
    attempts: wanted.map((attempt) => withFiles(placed, opened.value, unit, phase, attempt)),
  });
}

function attemptsOf(
  { env, root }: Workspace,
  opened: OpenedRun,
  unit: string,
  phase: string,
): LoggedAttempt[] {
  const attempts = new Map<number, LoggedAttempt>();
  for (const event of readJournal(env.disk, eventsFolder(root, opened.folder)).events()) {
    if (event.type === 'results_superseded' && event.cells.includes(`${unit}/${phase}`)) {
      for (const [number, attempt] of attempts) attempts.set(number, { ...attempt, superseded: true });
    }
    if (!('unit' in event) || !('attempt' in event) || event.unit !== unit || event.phase !== phase) continue;
    // An edit that was adopted belongs to the attempt that is there; only what no attempt had made has a number.
    if (event.type === 'artifact_adopted') continue;
    const known = attempts.get(event.attempt);
    attempts.set(event.attempt, { ...(known ?? unknownAttempt(event)), ...outcomeOf(event) });
  }
  const alive = opened.status === 'running';
  return [...attempts.values()].map((attempt) =>
    attempt.outcome === 'in-doubt' && alive ? { ...attempt, outcome: 'running' } : attempt,
  );
}

function unknownAttempt(event: StoredEvent & { attempt: number; iteration?: number }): LoggedAttempt {
  return {
    attempt: event.attempt,
    iteration: event.iteration ?? 1,
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
    case 'phase_started':
      return { why: readReason(event) };
    case 'phase_succeeded':
      return { outcome: 'succeeded', ms: event.ms, ...spentOf(event) };
    case 'phase_failed':
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
    case 'phase_paused':
      return { outcome: 'paused', ms: event.ms, failure: event.reason, message: event.message };
    case 'phase_interrupted':
      return { outcome: endedBy(event), ms: event.ms, ...spentOf(event) };
    default:
      return {};
  }
}

function spentOf({
  call,
  cost,
}: Pick<PhaseSucceeded, 'call' | 'cost'>): Pick<LoggedAttempt, 'call' | 'cost'> {
  return { ...(call && { call }), ...(cost && { cost }) };
}

const shownBytesMax = 64 * 1024;

/** The text files that the attempt left, each up to a limit. */
function withFiles(
  { env, root, loaded }: Workspace,
  opened: OpenedRun,
  unit: string,
  phase: string,
  attempt: LoggedAttempt,
): LoggedAttempt {
  const folder = attemptFolder(opened, unit, phase, attempt.attempt);
  const names = env.disk.list(`${root}/${folder}`);
  if (names === undefined) return attempt;
  const { redact } = shownRedactor(loaded);
  const files = names.flatMap((name) => {
    const path = `${root}/${folder}/${name}`;
    const stat = env.disk.stat(path);
    const bytes = stat?.kind === 'file' ? env.disk.readRange(path, 0, shownBytesMax) : undefined;
    return bytes === undefined
      ? []
      : [{ name, text: redact(new TextDecoder().decode(bytes)), cut: (stat?.size ?? 0) > shownBytesMax }];
  });
  return { ...attempt, folder, files };
}

import { ok, type Result } from '../../base/result.ts';
import { currentResult, findStep } from '../../ledger/ledger.ts';
import type { Failure } from '../../model/failure.ts';
import { attemptFolder } from '../../runner/context.ts';
import { shownRedactor } from '../../runner/redaction.ts';
import { findStepTarget } from '../observe/cell-target.ts';
import type { FollowedLogs, LoggedAttempt } from '../observe/logs-answer.ts';
import { planUnitsFromDisk } from '../observe/plan-units.ts';
import type { Environment } from '../open/environment.ts';
import type { Target } from '../open/requests.ts';
import type { Workspace } from '../open/workspace.ts';
import { RunFollower } from './follower.ts';
import { LineFollower } from './line-follower.ts';
import { attemptsAt, openLogs, showLogs } from './logs.ts';

export interface FollowLogsRequest extends Target {
  readonly cell: string;
  /** Begin with only so many lines of what is there. */
  readonly tail?: number | undefined;
  readonly listener: LogsListener;
  /** Fires: stop following. */
  readonly stop: AbortSignal;
}

/** Receives what attempts at a step write, as they write it. */
export interface LogsListener {
  started(attempt: LoggedAttempt): void;
  wrote(kind: 'output' | 'error', lines: readonly string[]): void;
}

/** The output of the attempt that runs, then that of the next one, until the step is finished. */
export async function followLogs(
  env: Environment,
  request: FollowLogsRequest,
): Promise<Result<FollowedLogs, Failure>> {
  const found = await openLogs(env, request);
  if (!found.ok) return found;
  const { placed, opened } = found.value;
  const target = findStepTarget(placed, request.cell);
  if (!target.ok) return target;
  const follower = new RunFollower(env, placed.root, opened);
  const at = { unit: target.value.unit.id, phase: target.value.phase.name };
  const step = new FollowedStep(placed, follower, at, request);
  const isWorkedOn = follower.isWorkedOn();
  if (!isWorkedOn || (!step.isRunning() && !(await step.isDue()))) {
    const shown = await showLogs(env, request);
    if (!shown.ok) return shown;
    return ok({ ...shown.value, followed: isWorkedOn ? 'step-finished' : 'nothing-runs' });
  }
  const followed = await followStep(follower, step, request.stop);
  const last = attemptsAt(placed, opened, at.unit, at.phase).at(-1);
  const others = attemptsAt(placed, opened, at.unit, at.phase)
    .slice(0, -1)
    .map(({ attempt }) => attempt);
  const attempts = last === undefined ? [] : [last];
  return ok({ ...at, attempts, ...(others.length > 0 && { others }), followed });
}

async function followStep(
  follower: RunFollower,
  step: FollowedStep,
  stop: AbortSignal,
): Promise<FollowedLogs['followed']> {
  step.pass();
  for await (const { events, isWorkedOn } of follower.news(stop)) {
    const hasEnded = events.some((event) => step.isEndedBy(event));
    step.pass();
    if (hasEnded && !step.isRunning() && !(await step.isDue())) return 'step-finished';
    if (!isWorkedOn) return 'run-ended';
  }
  return 'stopped';
}

class FollowedStep {
  readonly #placed: Workspace;
  readonly #follower: RunFollower;
  readonly #at: { readonly unit: string; readonly phase: string };
  readonly #listener: LogsListener;
  readonly #redact: (text: string) => string;
  #tail: number | undefined;
  #attempt: number | undefined;
  #files: readonly { readonly kind: 'output' | 'error'; readonly lines: LineFollower }[] = [];

  constructor(
    placed: Workspace,
    follower: RunFollower,
    at: { readonly unit: string; readonly phase: string },
    { listener, tail }: Pick<FollowLogsRequest, 'listener' | 'tail'>,
  ) {
    this.#placed = placed;
    this.#follower = follower;
    this.#at = at;
    this.#listener = listener;
    this.#tail = tail;
    const { redact } = shownRedactor(placed);
    this.#redact = redact;
  }

  isRunning(): boolean {
    return this.#cell()?.running !== undefined;
  }

  isEndedBy(event: object): boolean {
    if (!('unit' in event) || !('phase' in event) || !('type' in event)) return false;
    const { unit, phase } = this.#at;
    return event.unit === unit && event.phase === phase && event.type !== 'process_started';
  }

  /** Whether the run would start another attempt. */
  async isDue(): Promise<boolean> {
    const step = this.#cell();
    if (step !== undefined && currentResult(step) !== undefined && this.#attempt !== undefined) return false;
    const { plan } = await planUnitsFromDisk(this.#placed, this.#follower.opened, new Set([this.#at.unit]));
    const decision = plan.units
      .get(this.#at.unit)
      ?.cells.find(({ phase }) => phase === this.#at.phase)?.decision;
    return decision?.do === 'run' || decision?.do === 'wait' || decision?.do === 'claimed';
  }

  /** Passes on what was written since the last call. */
  pass(): void {
    const running = this.#cell()?.running?.attempt;
    const isNext = running !== undefined && running !== this.#attempt;
    this.#read(isNext || running === undefined);
    if (!isNext) return;
    this.#begin(running);
    this.#read(false);
  }

  #begin(attempt: number): void {
    const { unit, phase } = this.#at;
    const { env, root } = this.#placed;
    const { opened } = this.#follower;
    this.#attempt = attempt;
    const known = attemptsAt(this.#placed, opened, unit, phase).find((one) => one.attempt === attempt);
    if (known !== undefined) this.#listener.started({ ...known, outcome: 'running' });
    const folder = `${root}/${attemptFolder(opened, unit, phase, attempt)}`;
    this.#files = (['error', 'output'] as const).map((kind) => ({
      kind,
      lines: new LineFollower(env.disk, `${folder}/${kind === 'error' ? 'stderr.log' : 'stdout.log'}`),
    }));
  }

  #read(isLast: boolean): void {
    const tail = this.#files.length > 0 ? this.#tail : undefined;
    for (const { kind, lines } of this.#files) {
      const read = lines.read(isLast);
      const shown = tail === undefined ? read : tail === 0 ? [] : read.slice(-tail);
      if (shown.length > 0) this.#listener.wrote(kind, this.#redact(shown.join('\n')).split('\n'));
    }
    // Only what was there before is shortened.
    if (this.#files.length > 0) this.#tail = undefined;
  }

  #cell() {
    return findStep(this.#follower.opened.ledger, this.#at.unit, this.#at.phase);
  }
}

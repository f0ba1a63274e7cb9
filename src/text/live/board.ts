import { unreachable } from '../../base/result.ts';
import type { Board, Extent } from '../../engine/observe/board.ts';
import { stepName } from '../../model/names.ts';
import { isDone, noSteps, type StepStatus } from '../../model/status.ts';
import type { Progress } from '../../runner/progress.ts';
import { againReason } from '../catalogue/run-reasons.ts';
import { unitNoun } from '../style/words.ts';
import { extentWords } from './extent.ts';

/**
 * What a live view knows of a run. Kept up to date in place: a step costs the same at a hundred units and at a
 * hundred thousand, for a frame is built twelve times a second.
 */
export interface LiveBoard {
  readonly pipeline: string;
  readonly run: string;
  readonly kind: Board['kind'];
  /** Where a run resumes, and how much of it is done; undefined for a new run. */
  readonly from: string | undefined;
  readonly phases: readonly string[];
  readonly units: readonly string[];
  /** One a unit and phase, unit by unit; undefined where the unit has no such phase. */
  readonly steps: (StepStatus | undefined)[];
  readonly counts: Record<StepStatus, number>;
  readonly running: Map<string, RunningStep>;
  /** The units of the largest stage; undefined when it has only one. */
  readonly strip: Strip | undefined;
  /** By row: what a gate of the unit said last, in this invocation. */
  readonly judged: Map<number, Judged>;
  /** Steps that were started in this invocation. */
  readonly begun: Set<string>;
  /** Of these, those that ran before, by phase and reason. */
  readonly again: Map<string, Again>;
  /** Attempts that succeeded in this invocation. */
  succeeded: number;
  /** What model calls have cost in this invocation, as far as their prices are known. */
  spentUsd: number;
  readonly begunMs: number;
  readonly stepCount: number;
  readonly nameLengthMax: number;
  /** The row where something happened last. */
  lastActive: number;
  /** Newest last. */
  readonly failures: { readonly unit: string; readonly phase: string; readonly failure: string }[];
  /** A word to the person who watches; empty when there is none. */
  message: string;
  /** How many attempts a budget that is nearly used up has room for; undefined: it holds up none. */
  narrowedTo: number | undefined;
  /** Until when nothing can start. */
  waitingUntil: string | undefined;
  readonly unitIndex: ReadonlyMap<string, number>;
  readonly phaseIndex: ReadonlyMap<string, number>;
}

/** Units that stand one below the other on the board, and how far they are. */
export interface Strip {
  /** What people call a unit, and a finished one. */
  readonly unitKey: string;
  readonly doneKey: string;
  readonly firstRow: number;
  readonly length: number;
  /** By row. */
  readonly finished: Set<number>;
  /** In this invocation. */
  finishedNow: number;
}

export interface Judged {
  readonly column: number;
  /** Also when the gate gave way in the end. */
  readonly passed: boolean;
  readonly score: number | undefined;
  /** At the phase that was judged, over every round and resume. */
  readonly attempts: number;
}

/** Cells of one phase that run again for one reason. */
export interface Again {
  readonly phase: string;
  readonly why: string;
  steps: number;
}

export interface RunningStep {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  readonly round: number;
  readonly sinceMs: number;
}

export function startBoard(board: Board, nowMs: number): LiveBoard {
  const { phases, extent } = board;
  const phaseIndex = new Map(phases.map((phase, at) => [phase, at]));
  const steps = new Array<StepStatus | undefined>(board.units.length * phases.length).fill(undefined);
  const counts = noSteps();
  const judged = new Map<number, Judged>();
  board.units.forEach((unit, at) => {
    for (const { phase, status, passed, score, attempts } of unit.cells) {
      const column = phaseIndex.get(phase);
      if (column === undefined) continue;
      steps[at * phases.length + column] = status;
      counts[status] += 1;
      if (passed !== undefined) judged.set(at, { column, passed, score, attempts });
    }
  });
  const unitIndex = new Map(board.units.map(({ unit }, at) => [unit, at]));
  const strip = stripOf(extent, unitIndex);
  return {
    pipeline: board.heading.pipeline,
    run: board.heading.run,
    kind: board.kind,
    from: board.kind === 'resumed' ? extentWords(extent) : undefined,
    phases,
    units: board.units.map(({ unit }) => unit),
    steps: steps,
    counts,
    running: new Map(),
    strip,
    judged,
    begun: new Set(),
    again: new Map(),
    succeeded: 0,
    spentUsd: 0,
    begunMs: nowMs,
    stepCount: Object.values(counts).reduce((sum, number) => sum + number, 0),
    nameLengthMax: board.units.reduce((longest, { unit }) => Math.max(longest, unit.length), 0),
    lastActive: strip === undefined ? 0 : firstOpen(strip),
    failures: [],
    message: '',
    narrowedTo: undefined,
    waitingUntil: undefined,
    unitIndex,
    phaseIndex,
  };
}

/** Takes in what just happened. */
export function updateBoard(board: LiveBoard, progress: Progress, nowMs: number): void {
  // Not from `call-ended`, because no event says that: another process would show no costs.
  if ('usd' in progress && progress.type !== 'call-ended') board.spentUsd += progress.usd ?? 0;
  switch (progress.type) {
    case 'attempt-started': {
      const { unit, phase, attempt, iteration } = progress;
      board.waitingUntil = undefined;
      board.running.set(stepName(unit, phase), { unit, phase, attempt, round: iteration, sinceMs: nowMs });
      if (board.narrowedTo !== undefined && board.running.size > board.narrowedTo)
        board.narrowedTo = undefined;
      mark(board, unit, phase, 'running');
      noteReason(board, progress);
      // What was finished and runs again is not finished.
      board.strip?.finished.delete(board.unitIndex.get(unit) ?? -1);
      break;
    }
    case 'attempt-succeeded':
      board.succeeded += 1;
      end(board, progress, 'succeeded');
      judge(board, progress);
      if (board.kind === 'watched') finishIfDone(board, progress.unit);
      break;
    case 'attempt-failed':
      board.failures.push({ unit: progress.unit, phase: progress.phase, failure: progress.failure.reason });
      if (board.failures.length > failuresKeptMax) board.failures.shift();
      end(board, progress, progress.retryInMs === undefined ? 'failed' : 'paused');
      break;
    case 'attempt-interrupted':
      end(board, progress, 'interrupted');
      break;
    case 'attempt-paused':
      end(board, progress, 'paused');
      break;
    case 'person-asked':
      mark(board, progress.unit, progress.phase, 'waiting_human');
      break;
    case 'waiting':
      board.waitingUntil = progress.until;
      break;
    case 'budget-narrowed':
      board.narrowedTo = progress.atOnce;
      break;
    case 'output-restored':
      mark(board, progress.unit, progress.phase, 'succeeded');
      break;
    case 'unit-finished':
      finishUnit(board, progress.unit);
      break;
    case 'budget-short':
    case 'call-ended':
    case 'file-set-aside':
    case 'brief-imported':
    case 'leftover-ended':
      break;
    default:
      unreachable(progress);
  }
}

/** The invocation is over, so attempts that still ran were cut off. A process that only watches has not ended it. */
export function settleBoard(board: LiveBoard): void {
  if (board.kind === 'watched') return;
  for (const { unit, phase } of board.running.values()) mark(board, unit, phase, 'interrupted');
  board.running.clear();
}

/** Milliseconds until all is done at the pace so far; undefined while there is too little to tell from. */
export function estimateMs({ succeeded, counts, begunMs }: LiveBoard, nowMs: number): number | undefined {
  const elapsedMs = nowMs - begunMs;
  const left = counts.pending + counts.ready + counts.running + counts.paused;
  if (succeeded < attemptsToTellFrom || elapsedMs < elapsedMsToTellFrom || left === 0) return undefined;
  return (elapsedMs / succeeded) * left;
}

/**
 * A gate has sent the unit back, or has given it up: what it judged is done, but it is not good. Of a unit with nothing left
 * to do it was accepted all the same.
 */
export function isRejected({ judged, steps, phases }: LiveBoard, row: number): boolean {
  if (judged.get(row)?.passed !== false) return false;
  const own = steps.slice(row * phases.length, (row + 1) * phases.length);
  return !own.every((status) => status === undefined || isDone(status));
}

/** How much was done in this invocation, for a rate: units where there are several, else steps. */
export function paceOf({ strip, succeeded, begunMs }: LiveBoard, nowMs: number): Pace | undefined {
  const elapsedMs = nowMs - begunMs;
  const number = strip === undefined ? succeeded : strip.finishedNow;
  const enough = strip === undefined ? attemptsToTellFrom : unitsToTellFrom;
  if (number < enough || elapsedMs < elapsedMsToTellFrom) return undefined;
  return { number, noun: strip === undefined ? 'cells' : `${unitNoun(strip.unitKey)}s`, elapsedMs };
}

export interface Pace {
  readonly number: number;
  readonly noun: string;
  readonly elapsedMs: number;
}

const failuresKeptMax = 3;
const attemptsToTellFrom = 3;
const unitsToTellFrom = 2;
const elapsedMsToTellFrom = 2_000;

function mark(board: LiveBoard, unit: string, phase: string, status: StepStatus): void {
  const row = board.unitIndex.get(unit);
  const column = board.phaseIndex.get(phase);
  if (row === undefined || column === undefined) return;
  const at = row * board.phases.length + column;
  board.lastActive = row;
  const before = board.steps[at];
  if (before !== undefined) board.counts[before] -= 1;
  board.steps[at] = status;
  board.counts[status] += 1;
}

/** The first start of a step says why; its later rounds and retries do not. */
function noteReason(
  { begun, again }: LiveBoard,
  { unit, phase, why }: Extract<Progress, { type: 'attempt-started' }>,
): void {
  const name = stepName(unit, phase);
  const words = againReason(why);
  if (!begun.has(name) && words !== undefined) {
    const key = `${phase} ${words}`;
    const same = again.get(key);
    if (same === undefined) again.set(key, { phase, why: words, steps: 1 });
    else same.steps += 1;
  }
  begun.add(name);
}

function end(board: LiveBoard, { unit, phase }: { unit: string; phase: string }, status: StepStatus): void {
  board.running.delete(stepName(unit, phase));
  mark(board, unit, phase, status);
}

function judge(board: LiveBoard, progress: Extract<Progress, { type: 'attempt-succeeded' }>): void {
  const { judged, unit, phase, attempt } = progress;
  const row = board.unitIndex.get(unit);
  const column = board.phaseIndex.get(phase);
  if (judged === undefined || row === undefined || column === undefined) return;
  board.judged.set(row, { column, passed: judged.passed, score: judged.score, attempts: attempt });
}

/** The units of a stage stand together, in the order in which the extent lists them. */
function stripOf(extent: Extent, unitIndex: ReadonlyMap<string, number>): Strip | undefined {
  const { unitKey, doneKey, units } = extent;
  const firstRow = unitIndex.get(units[0]?.unit ?? '');
  if (firstRow === undefined || units.length < 2) return undefined;
  const finished = new Set<number>();
  units.forEach((unit, at) => {
    if (unit.finished) finished.add(firstRow + at);
  });
  return { unitKey, doneKey, firstRow, length: units.length, finished, finishedNow: 0 };
}

/** The row where it goes on; the first one when all are finished. */
function firstOpen({ firstRow, length, finished }: Strip): number {
  for (let row = firstRow; row < firstRow + length; row++) if (!finished.has(row)) return row;
  return firstRow;
}

/** The journal does not say that a unit is finished: it is when all of its steps are done and none was rejected. */
function finishIfDone(board: LiveBoard, unit: string): void {
  const row = board.unitIndex.get(unit);
  if (row === undefined || board.strip?.finished.has(row) || board.judged.get(row)?.passed === false) return;
  const { phases, steps } = board;
  const own = steps.slice(row * phases.length, (row + 1) * phases.length);
  if (own.every((status) => status === undefined || isDone(status))) finishUnit(board, unit);
}

/** What a finished unit never ran, it did not need. */
function finishUnit(board: LiveBoard, unit: string): void {
  const row = board.unitIndex.get(unit);
  if (row === undefined) return;
  const { strip, judged } = board;
  const last = judged.get(row);
  if (last !== undefined) judged.set(row, { ...last, passed: true });
  if (strip !== undefined && row >= strip.firstRow && row < strip.firstRow + strip.length) {
    strip.finished.add(row);
    strip.finishedNow += 1;
  }
  for (const [column, phase] of board.phases.entries()) {
    const status = board.steps[row * board.phases.length + column];
    if (status === 'pending' || status === 'ready') mark(board, unit, phase, 'skipped');
  }
}

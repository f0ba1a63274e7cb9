import { unreachable } from '../base/result.ts';
import type { Board } from '../engine/requests.ts';
import { cellName } from '../model/names.ts';
import type { CellStatus } from '../model/status.ts';
import type { Progress } from '../runner/progress.ts';

/**
 * What a live view knows of a run. Kept up to date in place: a step costs the same at a hundred units and at a
 * hundred thousand, for a frame is built twelve times a second.
 */
export interface LiveBoard {
  readonly pipeline: string;
  readonly run: string;
  readonly kind: Board['kind'];
  readonly phases: readonly string[];
  readonly units: readonly string[];
  /** One a unit and phase, unit by unit; undefined where the unit has no such phase. */
  readonly cells: (CellStatus | undefined)[];
  readonly counts: Record<CellStatus, number>;
  readonly running: Map<string, RunningCell>;
  /** Attempts that succeeded in this sitting. */
  succeeded: number;
  readonly begunMs: number;
  readonly cellCount: number;
  readonly nameLengthMax: number;
  /** The row where something happened last. */
  lastActive: number;
  /** Newest last. */
  readonly failures: { readonly unit: string; readonly phase: string; readonly failure: string }[];
  /** A word to the person who watches; empty when there is none. */
  message: string;
  readonly unitIndex: ReadonlyMap<string, number>;
  readonly phaseIndex: ReadonlyMap<string, number>;
}

export interface RunningCell {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  readonly iteration: number;
  readonly sinceMs: number;
}

export function startBoard(board: Board, nowMs: number): LiveBoard {
  const { phases } = board;
  const phaseIndex = new Map(phases.map((phase, at) => [phase, at]));
  const cells = new Array<CellStatus | undefined>(board.units.length * phases.length).fill(undefined);
  const counts = noCounts();
  board.units.forEach((unit, at) => {
    for (const { phase, status } of unit.cells) {
      const column = phaseIndex.get(phase);
      if (column === undefined) continue;
      cells[at * phases.length + column] = status;
      counts[status] += 1;
    }
  });
  return {
    pipeline: board.heading.pipeline,
    run: board.heading.run,
    kind: board.kind,
    phases,
    units: board.units.map(({ unit }) => unit),
    cells,
    counts,
    running: new Map(),
    succeeded: 0,
    begunMs: nowMs,
    cellCount: Object.values(counts).reduce((sum, number) => sum + number, 0),
    nameLengthMax: board.units.reduce((longest, { unit }) => Math.max(longest, unit.length), 0),
    lastActive: 0,
    failures: [],
    message: '',
    unitIndex: new Map(board.units.map(({ unit }, at) => [unit, at])),
    phaseIndex,
  };
}

/** Takes in what just happened. */
export function updateBoard(board: LiveBoard, progress: Progress, nowMs: number): void {
  switch (progress.type) {
    case 'attempt-started': {
      const { unit, phase, attempt, iteration } = progress;
      board.running.set(cellName(unit, phase), { unit, phase, attempt, iteration, sinceMs: nowMs });
      mark(board, unit, phase, 'running');
      break;
    }
    case 'attempt-succeeded':
      board.succeeded += 1;
      end(board, progress, 'succeeded');
      break;
    case 'attempt-failed':
      board.failures.push({ unit: progress.unit, phase: progress.phase, failure: progress.failure.reason });
      if (board.failures.length > failuresKeptMax) board.failures.shift();
      end(board, progress, progress.retryInMs === undefined ? 'failed' : 'paused');
      break;
    case 'attempt-interrupted':
      end(board, progress, 'interrupted');
      break;
    case 'output-restored':
      mark(board, progress.unit, progress.phase, 'succeeded');
      break;
    case 'unit-finished':
      finishUnit(board, progress.unit);
      break;
    case 'file-set-aside':
    case 'leftover-ended':
      break;
    default:
      unreachable(progress);
  }
}

/** The sitting is over: what still ran was cut off. */
export function settleBoard(board: LiveBoard): void {
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

const failuresKeptMax = 3;
const attemptsToTellFrom = 3;
const elapsedMsToTellFrom = 2_000;

function mark(board: LiveBoard, unit: string, phase: string, status: CellStatus): void {
  const row = board.unitIndex.get(unit);
  const column = board.phaseIndex.get(phase);
  if (row === undefined || column === undefined) return;
  const at = row * board.phases.length + column;
  board.lastActive = row;
  const before = board.cells[at];
  if (before !== undefined) board.counts[before] -= 1;
  board.cells[at] = status;
  board.counts[status] += 1;
}

function end(board: LiveBoard, { unit, phase }: { unit: string; phase: string }, status: CellStatus): void {
  board.running.delete(cellName(unit, phase));
  mark(board, unit, phase, status);
}

/** What a finished unit never ran, it did not need. */
function finishUnit(board: LiveBoard, unit: string): void {
  const row = board.unitIndex.get(unit);
  if (row === undefined) return;
  for (const [column, phase] of board.phases.entries()) {
    const status = board.cells[row * board.phases.length + column];
    if (status === 'pending' || status === 'ready') mark(board, unit, phase, 'skipped');
  }
}

function noCounts(): Record<CellStatus, number> {
  return {
    pending: 0,
    ready: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    blocked: 0,
    waiting_human: 0,
    paused: 0,
    interrupted: 0,
    skipped: 0,
  };
}

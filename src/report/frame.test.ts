import { expect, test } from 'vitest';
import type { Board } from '../engine/requests.ts';
import type { CellStatus } from '../model/status.ts';
import type { Progress } from '../runner/progress.ts';
import { estimateMs, type LiveBoard, settleBoard, startBoard, updateBoard } from './board.ts';
import { frameLines } from './frame.ts';
import { asciiSymbols, plainStyle } from './style.ts';
import { visibleLength } from './table.ts';

const phases = ['plan', 'preflight', 'continuity_pack', 'write', 'repair', 'state_repair', 'lint', 'commit'];

function boardOf(units: number, status: (phase: string) => CellStatus = () => 'pending'): LiveBoard {
  const board: Board = {
    heading: {
      run: '20261115-1203-book-x7k2',
      pipeline: 'book',
      identity: {},
      status: 'running',
      workspace: '.',
      createdAt: '',
      updatedAt: '',
    },
    kind: 'resumed',
    phases,
    units: Array.from({ length: units }, (_, at) => ({
      unit: `ch001_sc${String(at + 1).padStart(3, '0')}`,
      cells: phases.map((phase) => ({
        phase,
        status: status(phase),
        iteration: 1,
        attempts: 0,
        verdict: undefined,
      })),
    })),
  };
  return startBoard(board, 0);
}

const unit = (number: number) => `ch001_sc${String(number).padStart(3, '0')}`;
const started = (of: string, phase: string, attempt = 1, iteration = 1): Progress => ({
  type: 'attempt-started',
  unit: of,
  phase,
  attempt,
  iteration,
  why: { code: 'never-ran' },
});
const succeeded = (of: string, phase: string): Progress => ({
  type: 'attempt-succeeded',
  unit: of,
  phase,
  attempt: 1,
  iteration: 1,
  ms: 1000,
  verdict: undefined,
});
const failed = (of: string, phase: string): Progress => ({
  type: 'attempt-failed',
  unit: of,
  phase,
  attempt: 1,
  ms: 0,
  failure: { reason: 'timed-out', message: '' },
  retryInMs: undefined,
});

/** Unit 1 is done, unit 2 is at work in its second round, unit 3 has failed. */
function busyBoard(units = 4): LiveBoard {
  const board = boardOf(units, (phase) => (phase === 'repair' ? 'skipped' : 'pending'));
  for (const phase of phases) if (phase !== 'repair') updateBoard(board, succeeded(unit(1), phase), 1000);
  updateBoard(board, { type: 'unit-finished', unit: unit(1) }, 1000);
  updateBoard(board, succeeded(unit(2), 'plan'), 2000);
  updateBoard(board, failed(unit(3), 'plan'), 2000);
  updateBoard(board, started(unit(2), 'write', 2, 2), 3000);
  return board;
}

const view = { height: 24, nowMs: 15_000, tick: 0, final: false };

test('at 80 columns', () => {
  expect(frameLines(busyBoard(), view, { ...plainStyle, width: 80 }).join('\n')).toMatchInlineSnapshot(`
    "book 20261115-1203-book-x7k2 resumed
    phases: plan preflight continuity_pack write repair state_repair lint commit
      ch001_sc001  ✓✓✓✓-✓✓✓
      ch001_sc002  ✓··⠋-···
      ch001_sc003  ✗···-···
      ch001_sc004  ····-···
      ✗ ch001_sc003/plan it took longer than its time limit
      ⠋ ch001_sc002/write 12 s (attempt 2, round 2)
      8 of 28 done, 1 running, 1 failed; 15 s, about 36 s left"
  `);
});

test('at 40 columns', () => {
  expect(frameLines(busyBoard(), view, { ...plainStyle, width: 40 }).join('\n')).toMatchInlineSnapshot(`
    "book 20261115-1203-book-x7k2 resumed
    phases: plan preflight continuity_pack…
      ch001_sc001  ✓✓✓✓-✓✓✓
      ch001_sc002  ✓··⠋-···
      ch001_sc003  ✗···-···
      ch001_sc004  ····-···
      ✗ ch001_sc003/plan it took longer th…
      ⠋ ch001_sc002/write 12 s (attempt 2,…
      8 of 28 done, 1 running, 1 failed; 1…"
  `);
});

test('at 120 columns, with more units than lines and a word to the watcher', () => {
  const board = busyBoard(60);
  board.message = 'finishing what runs; again to end it';
  const lines = frameLines(board, { ...view, height: 14 }, { ...plainStyle, width: 120 });
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "book 20261115-1203-book-x7k2 resumed
    phases: plan preflight continuity_pack write repair state_repair lint commit
      ch001_sc001  ✓✓✓✓-✓✓✓
      ch001_sc002  ✓··⠋-···
      ch001_sc003  ✗···-···
      ch001_sc004  ····-···
      ch001_sc005  ····-···
      ch001_sc006  ····-···
      … 54 units after
      ✗ ch001_sc003/plan it took longer than its time limit
      ⠋ ch001_sc002/write 12 s (attempt 2, round 2)
      8 of 420 done, 1 running, 1 failed; 15 s, about 13 min left
    finishing what runs; again to end it"
  `);
});

test('the last frame has no spinner and no estimate', () => {
  const board = busyBoard();
  settleBoard(board);
  const text = frameLines(board, { ...view, final: true }, { ...plainStyle, width: 80 }).join('\n');
  expect(text).toContain('✓··~-···');
  expect(text).not.toMatch(/running|left/);
});

test('no line is wider than the terminal, no frame higher, whatever its size', () => {
  for (const units of [1, 3, 500]) {
    for (const width of [1, 10, 20, 40, 80, 120]) {
      for (const height of [1, 2, 5, 9, 14, 24, 60]) {
        const lines = frameLines(busyBoard(units), { ...view, height }, { ...plainStyle, width });
        expect(lines.length).toBeLessThanOrEqual(Math.max(1, height - 1));
        if (width >= 20) for (const line of lines) expect(visibleLength(line)).toBeLessThan(width);
      }
    }
  }
});

test('the window follows what is running', () => {
  const board = boardOf(100);
  const shown = (number: number) => {
    updateBoard(board, started(unit(number), 'plan'), 0);
    const text = frameLines(board, { ...view, height: 12 }, plainStyle).join('\n');
    updateBoard(board, succeeded(unit(number), 'plan'), 0);
    return text;
  };
  expect(shown(1)).toContain(unit(1));
  expect(shown(50)).toContain(`  ${unit(50)}  ⠋`);
  expect(shown(50)).toMatch(/… \d+ units before[\s\S]*… \d+ units after/);
  expect(shown(100)).toContain(`  ${unit(100)}  ⠋`);
  expect(shown(100)).not.toContain('after');
});

test('counts stay true over rounds, retries and finished units', () => {
  const board = boardOf(1);
  updateBoard(board, started(unit(1), 'write'), 0);
  expect(board.counts).toMatchObject({ pending: 7, running: 1, succeeded: 0 });
  updateBoard(board, { ...failed(unit(1), 'write'), retryInMs: 10 } as Progress, 0);
  expect(board.counts).toMatchObject({ paused: 1, running: 0 });
  updateBoard(board, started(unit(1), 'write', 2), 0);
  updateBoard(board, succeeded(unit(1), 'write'), 0);
  updateBoard(board, started(unit(1), 'write', 3, 2), 0);
  updateBoard(board, { type: 'attempt-interrupted', unit: unit(1), phase: 'write', attempt: 3 }, 0);
  expect(board.counts).toMatchObject({ interrupted: 1, succeeded: 0, pending: 7 });
  updateBoard(board, succeeded(unit(1), 'write'), 0);
  updateBoard(board, { type: 'unit-finished', unit: unit(1) }, 0);
  expect(board.counts).toMatchObject({ succeeded: 1, skipped: 7, pending: 0 });
  expect(Object.values(board.counts).reduce((sum, number) => sum + number, 0)).toBe(8);
});

test('the time left is told only when there is something to tell it from', () => {
  const board = boardOf(2);
  expect(estimateMs(board, 60_000)).toBeUndefined();
  for (const phase of phases.slice(0, 4)) updateBoard(board, succeeded(unit(1), phase), 1000);
  expect(estimateMs(board, 1_000)).toBeUndefined();
  expect(estimateMs(board, 4_000)).toBe(12_000);
});

test('a unit or phase that is not on the board changes nothing', () => {
  const board = boardOf(1);
  updateBoard(board, succeeded('elsewhere', 'plan'), 0);
  updateBoard(board, { type: 'unit-finished', unit: 'elsewhere' }, 0);
  expect(board.counts.pending).toBe(8);
});

test('ASCII only, where the terminal speaks nothing else', () => {
  const text = frameLines(
    busyBoard(60),
    { ...view, height: 12 },
    { ...plainStyle, symbols: asciiSymbols },
  ).join('\n');
  expect(text).toMatch(/^[ -~\n]*$/);
});

import { expect, test } from 'vitest';
import type { Board } from '../../engine/observe/board.ts';
import type { StepStatus } from '../../model/status.ts';
import type { Progress } from '../../runner/progress.ts';
import { asciiSymbols, plainStyle } from '../style/style.ts';
import { visibleLength } from '../style/table.ts';
import { estimateMs, type LiveBoard, settleBoard, startBoard, updateBoard } from './board.ts';
import { frameLines } from './frame.ts';

const phases = ['plan', 'preflight', 'continuity_pack', 'write', 'repair', 'state_repair', 'lint', 'commit'];

const unit = (number: number) => `ch001_sc${String(number).padStart(3, '0')}`;

function boardOf(
  units: number,
  status: (phase: string) => StepStatus = () => 'pending',
  finished: readonly number[] = [],
): LiveBoard {
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
      unit: unit(at + 1),
      cells: phases.map((phase) => ({
        phase,
        status: status(phase),
        iteration: 1,
        attempts: 0,
        verdict: undefined,
      })),
    })),
    extent: {
      unitKey: 'scene',
      doneKey: 'committed',
      units: Array.from({ length: units }, (_, at) => ({
        unit: unit(at + 1),
        index: at,
        finished: finished.includes(at + 1),
      })),
    },
  };
  return startBoard(board, 0);
}

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
  judged: undefined,
});
const judged = (of: string, passed: boolean, score: number | undefined, attempt = 1): Progress => ({
  type: 'attempt-succeeded',
  unit: of,
  phase: 'lint',
  attempt,
  iteration: attempt,
  ms: 1000,
  verdict: passed ? 'pass' : 'fail',
  judged: { passed, ...(score !== undefined && { score }) },
});
const finished = (of: string): Progress => ({ type: 'unit-finished', unit: of });
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
  updateBoard(board, finished(unit(1)), 1000);
  updateBoard(board, succeeded(unit(2), 'plan'), 2000);
  updateBoard(board, failed(unit(3), 'plan'), 2000);
  updateBoard(board, started(unit(2), 'write', 2, 2), 3000);
  return board;
}

const view = { height: 24, nowMs: 15_000, tick: 0, final: false };

test('at 80 columns', () => {
  expect(frameLines(busyBoard(), view, { ...plainStyle, width: 80 }).join('\n')).toMatchInlineSnapshot(`
    "book 20261115-1203-book-x7k2 resumed
    scenes  ▪⠋✗·  1 of 4 committed
    phases: plan preflight continuity_pack write repair state_repair lint commit
    ✓ done  ⠋ running  ✗ failed  · pending  - skipped
      ch001_sc001  ✓✓✓✓-✓✓✓
      ch001_sc002  ✓··⠋-···
      ch001_sc003  ✗···-···
      ch001_sc004  ····-···
      ✗ ch001_sc003/plan it took longer than its time limit
      ⠋ ch001_sc002/write 12 s (attempt 2, round 2)
      8 of 28 cells done, 1 running, 1 failed; 15 s, about 36 s left"
  `);
});

test('at 40 columns', () => {
  expect(frameLines(busyBoard(), view, { ...plainStyle, width: 40 }).join('\n')).toMatchInlineSnapshot(`
    "book 20261115-1203-book-x7k2 resumed
    scenes  ▪⠋✗·  1 of 4 committed
    phases: plan preflight continuity_pack…
    ✓ done  ⠋ running  ✗ failed
      ch001_sc001  ✓✓✓✓-✓✓✓
      ch001_sc002  ✓··⠋-···
      ch001_sc003  ✗···-···
      ch001_sc004  ····-···
      ✗ ch001_sc003/plan it took longer th…
      ⠋ ch001_sc002/write 12 s (attempt 2,…
      8 of 28 cells done, 1 running, 1 fai…"
  `);
});

test('at 120 columns, with more units than lines and a word to the watcher', () => {
  const board = busyBoard(60);
  board.message = 'finishing what runs; again to end it';
  const lines = frameLines(board, { ...view, height: 14 }, { ...plainStyle, width: 120 });
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "book 20261115-1203-book-x7k2 resumed
    scenes  ▪⠋✗·························································  1 of 60 committed
    phases: plan preflight continuity_pack write repair state_repair lint commit
    ✓ done  ⠋ running  ✗ failed  · pending  - skipped
      ch001_sc001  ✓✓✓✓-✓✓✓
      ch001_sc002  ✓··⠋-···
      ch001_sc003  ✗···-···
      ch001_sc004  ····-···
      … 56 units after
      ✗ ch001_sc003/plan it took longer than its time limit
      ⠋ ch001_sc002/write 12 s (attempt 2, round 2)
      8 of 420 cells done, 1 running, 1 failed; 15 s, about 13 min left
    finishing what runs; again to end it"
  `);
});

test('what a gate said last: the score, the tries, and a mark where it did not let pass', () => {
  const board = boardOf(5);
  updateBoard(board, judged(unit(1), false, 0.4), 0);
  updateBoard(board, judged(unit(1), true, 0.914, 3), 0);
  updateBoard(board, finished(unit(1)), 0);
  updateBoard(board, judged(unit(2), true, 1), 0);
  updateBoard(board, judged(unit(3), false, 0.625), 0);
  updateBoard(board, judged(unit(4), false, undefined, 2), 0);
  updateBoard(board, started(unit(4), 'write', 3, 3), 0);
  const lines = (width: number) => frameLines(board, { ...view, nowMs: 0 }, { ...plainStyle, width });
  expect(lines(80).slice(1, -2).join('\n')).toMatchInlineSnapshot(`
    "scenes  ▪·✗⠋·  1 of 5 committed
    phases: plan preflight continuity_pack write repair state_repair lint commit
    ✓ done  ⠋ running  · pending  - skipped
      ch001_sc001  ------✓-  0.91  3 tries
      ch001_sc002  ······✓·  1.00
      ch001_sc003  ······✗·  0.63
      ch001_sc004  ···⠋··✗·
      ch001_sc005  ········"
  `);
  expect(lines(40)[6]).toBe('  ch001_sc003  ······✗·  0.63');
  expect(lines(39)[6]).toBe('  ch001_sc0…  ······✗·  0.63');
  expect(lines(36)[6]).toBe('  ch001_sc003  ······✗·');
});

test('a gate that gives way in the end leaves no mark behind', () => {
  const board = boardOf(2);
  updateBoard(board, judged(unit(1), false, 0.5, 2), 0);
  updateBoard(board, finished(unit(1)), 0);
  expect(frameLines(board, view, plainStyle).slice(1, 5)).toEqual([
    'scenes  ▪·  1 of 2 committed',
    expect.stringMatching(/^phases/),
    '✓ done  · pending  - skipped',
    '  ch001_sc001  ------✓-  0.50  2 tries',
  ]);
  const single = boardOf(1);
  updateBoard(single, judged(unit(1), false, 0.5, 2), 0);
  expect(frameLines(single, view, plainStyle)[3]).toBe('  ch001_sc001  ······✗·  0.50  2 tries');
  updateBoard(single, finished(unit(1)), 0);
  expect(frameLines(single, view, plainStyle)[3]).toBe('  ch001_sc001  ------✓-  0.50  2 tries');
});

test('a run that is taken up again says from where', () => {
  const heading = (units: number, done: readonly number[], width: number) =>
    frameLines(boardOf(units, undefined, done), view, { ...plainStyle, width }).slice(0, 3);
  expect(heading(8, [1, 2, 3, 4], 100).slice(0, 2)).toEqual([
    'book 20261115-1203-book-x7k2 resuming from scene 4 (scenes 0-3 already committed)',
    'scenes  ▪▪▪▪····  4 of 8 committed',
  ]);
  expect(heading(8, [1, 2, 4, 6], 80)).toEqual([
    'book 20261115-1203-book-x7k2 resuming',
    '  from scene 2 (scenes 0-1, 3, 5 already committed; to go: scenes 2, 4, 6-7)',
    'scenes  ▪▪·▪·▪··  4 of 8 committed',
  ]);
});

test('units by the minute beside the time left, and left out where it does not fit', () => {
  const board = boardOf(8, undefined, [1]);
  for (const phase of phases) updateBoard(board, succeeded(unit(2), phase), 0);
  updateBoard(board, finished(unit(2)), 0);
  const last = (width: number, nowMs = 15_000) =>
    frameLines(board, { ...view, nowMs }, { ...plainStyle, width }).at(-1);
  // One is too little to tell from.
  expect(last(80)).toBe('  8 of 64 cells done; 15 s, about 2 min left');
  updateBoard(board, finished(unit(3)), 0);
  expect(last(80)).toBe('  8 of 56 cells done; 15 s, about 2 min left, 8.0 scenes/min');
  expect(last(52)).toBe('  8 of 56 cells done; 15 s, about 2 min left');
  expect(last(80, 1_900)).toBe('  8 of 56 cells done; 1 s');
});

test('what waits for a person is not counted as done', () => {
  const board = boardOf(2);
  updateBoard(board, succeeded(unit(1), 'plan'), 0);
  const before = board.counts.succeeded;
  updateBoard(board, { type: 'person-asked', unit: unit(1), phase: 'plan' }, 0);
  expect(board.counts).toMatchObject({ succeeded: before - 1, waiting_human: 1 });
});

test('what had run before says why it runs again, also at the end', () => {
  const board = boardOf(6);
  type Started = Extract<Progress, { type: 'attempt-started' }>;
  const again = (number: number, phase: string, why: Started['why']) =>
    updateBoard(board, { ...(started(unit(number), phase) as Started), why }, 0);
  const prompt = { code: 'prompt-changed', reason: 'warmer' } as const;
  for (const number of [1, 2, 3]) {
    again(number, 'write', prompt);
    // Later rounds and retries of the same cell are no news.
    again(number, 'write', { code: 'gate-failed', gate: 'lint', verdict: 'fail', iteration: 2 });
    again(number, 'write', { code: 'failed-before', attempt: 2, failure: 'timed-out' });
  }
  again(1, 'lint', { code: 'input-changed', input: 'prose', before: undefined, after: undefined });
  again(4, 'plan', { code: 'never-ran' });
  const lines = (final: boolean) => frameLines(board, { ...view, final }, { ...plainStyle, width: 80 });
  for (const final of [false, true])
    expect(lines(final).filter((line) => line.includes('again'))).toEqual([
      '  write runs again in 3 units: the prompt changed',
      '  lint runs again in 1 unit: input prose changed',
    ]);
  again(4, 'commit', { code: 'chain-cascade' });
  again(5, 'plan', { code: 'rerun-requested', reason: undefined });
  again(6, 'plan', { code: 'rerun-requested', reason: undefined });
  expect(lines(true)).toContain('  … and 2 more cells for other reasons');
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

test('a run that is taken up again begins where it goes on', () => {
  const done = Array.from({ length: 80 }, (_, at) => at + 1);
  const lines = frameLines(boardOf(100, undefined, done), { ...view, height: 12 }, plainStyle);
  expect(lines.join('\n')).toContain(`  ${unit(81)}  ········`);
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

/** An attempt at another unit that ended, so that the marks of the first stay as they are. */
const interrupted = (usd: number | undefined): Progress => ({
  type: 'attempt-interrupted',
  unit: 'elsewhere',
  phase: 'write',
  attempt: 1,
  ...(usd !== undefined && { usd }),
});

test('what was spent stands with the totals, and what waits for a provider is counted', () => {
  const board = boardOf(2);
  const last = () => frameLines(board, { ...view, nowMs: 1000 }, plainStyle).at(-1);
  updateBoard(board, interrupted(undefined), 0);
  expect(last()).toBe('  0 of 16 cells done; 1 s');
  updateBoard(board, started(unit(1), 'write'), 0);
  updateBoard(board, interrupted(0.4), 0);
  updateBoard(
    board,
    {
      type: 'attempt-paused',
      unit: unit(1),
      phase: 'write',
      attempt: 1,
      ms: 10,
      reason: 'quota',
      until: '2026-11-15T12:03:11.000Z',
      usd: 0.02,
    },
    0,
  );
  expect(board.running.size).toBe(0);
  expect(last()).toBe('  0 of 16 cells done, 1 paused; 1 s; $0.42');
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

import { expect, test } from 'vitest';
import type { Board } from '../../engine/observe/board.ts';
import type { StepStatus } from '../../model/status.ts';
import type { Progress } from '../../runner/progress.ts';
import { asciiSymbols, plainStyle } from '../style/style.ts';
import { visibleLength } from '../style/table.ts';
import { type LiveBoard, startBoard, updateBoard } from './board.ts';
import { stripLines } from './strip.ts';

const phases = ['anchor', 'generate', 'audit', 'approve'];
const frame = (index: number) => `frame_${String(index).padStart(4, '0')}`;

/** A stage of one unit, then the frames: each with the status of its first phase, or finished. */
function boardOf(frames: readonly (StepStatus | 'finished')[], unitKey = 'frame'): LiveBoard {
  const step = (phase: string, status: StepStatus) => ({
    phase,
    status,
    iteration: 1,
    attempts: 0,
    verdict: undefined,
  });
  const board: Board = {
    heading: {
      run: 'r1',
      pipeline: 'sprites',
      identity: {},
      status: 'running',
      workspace: '.',
      createdAt: '',
      updatedAt: '',
    },
    kind: 'new',
    phases,
    units: [
      { unit: 'anchor', cells: [step('anchor', 'failed')] },
      ...frames.map((status, index) => ({
        unit: frame(index),
        cells: phases
          .slice(1)
          .map((phase, at) =>
            step(phase, status === 'finished' ? 'succeeded' : at === 0 ? status : 'pending'),
          ),
      })),
    ],
    extent: {
      unitKey,
      doneKey: 'approved',
      units: frames.map((status, index) => ({
        unit: frame(index),
        index,
        finished: status === 'finished',
      })),
    },
  };
  return startBoard(board, 0);
}

const pending = (length: number) => Array.from({ length }, (): StepStatus => 'pending');
const started = (unit: string, phase = 'generate'): Progress => ({
  type: 'attempt-started',
  unit,
  phase,
  attempt: 1,
  iteration: 1,
  why: { code: 'never-ran' },
});
const audited = (unit: string, passed: boolean): Progress => ({
  type: 'attempt-succeeded',
  unit,
  phase: 'audit',
  attempt: 1,
  iteration: 1,
  ms: 5,
  verdict: passed ? 'approved' : 'rejected',
  judged: { passed },
});

const every = [
  'finished',
  'running',
  'failed',
  'blocked',
  'waiting_human',
  'interrupted',
  'paused',
  'ready',
  'pending',
  'succeeded',
] as const;

test('one mark for each unit of the largest stage, in its own words', () => {
  expect(stripLines(boardOf(every), 1, plainStyle)).toEqual(['frames  ▪»✗!?~‖···  1 of 10 approved']);
  expect(stripLines(boardOf(every), 1, plainStyle, 3)).toEqual(['frames  ▪⠸✗!?~‖···  1 of 10 approved']);
  expect(stripLines(boardOf(every), 1, { ...plainStyle, symbols: asciiSymbols }, 0)).toEqual([
    'frames  #|x!?~z...  1 of 10 approved',
  ]);
  expect(stripLines(boardOf(['finished', 'ready'], 'fra\nme'), 1, plainStyle)).toEqual([
    'fra\\nmes  ▪·  1 of 2 approved',
  ]);
});

test('nothing to see of one unit, or of none', () => {
  expect(stripLines(boardOf(['ready']), 1, plainStyle)).toEqual([]);
  expect(stripLines(boardOf([]), 1, plainStyle)).toEqual([]);
});

test('follows what happens', () => {
  const board = boardOf(['finished', 'ready', 'ready']);
  const strip = () => stripLines(board, 1, plainStyle)[0];
  updateBoard(board, started(frame(1)), 0);
  expect(strip()).toBe('frames  ▪»·  1 of 3 approved');
  updateBoard(board, { ...audited(frame(1), true), phase: 'generate' } as Progress, 0);
  updateBoard(board, audited(frame(1), false), 0);
  expect(strip()).toBe('frames  ▪✗·  1 of 3 approved');
  updateBoard(board, started(frame(1)), 0);
  expect(strip()).toBe('frames  ▪»·  1 of 3 approved');
  updateBoard(board, { ...audited(frame(1), true), phase: 'generate' } as Progress, 0);
  updateBoard(board, audited(frame(1), true), 0);
  expect(strip()).toBe('frames  ▪··  1 of 3 approved');
  updateBoard(board, { type: 'unit-finished', unit: frame(1) }, 0);
  expect(strip()).toBe('frames  ▪▪·  2 of 3 approved');
});

test('a finished unit that runs again is not finished, and one of another stage does not count', () => {
  const board = boardOf(['finished', 'finished']);
  const strip = () => stripLines(board, 1, plainStyle)[0];
  updateBoard(board, { type: 'unit-finished', unit: 'anchor' }, 0);
  expect(strip()).toBe('frames  ▪▪  2 of 2 approved');
  updateBoard(board, started(frame(0)), 0);
  expect(strip()).toBe('frames  »▪  1 of 2 approved');
  updateBoard(board, started('anchor', 'anchor'), 0);
  expect(strip()).toBe('frames  »▪  1 of 2 approved');
});

test('goes on below where the line ends, and is cut round what is running where lines are few', () => {
  const board = boardOf(pending(100));
  updateBoard(board, started(frame(70)), 0);
  const at = (linesMax: number, symbols = plainStyle.symbols) =>
    stripLines(board, linesMax, { ...plainStyle, width: 60, symbols }).join('\n');
  expect(at(4)).toMatchInlineSnapshot(`
    "frames  ································
            ································
            ······»·························
            ····  0 of 100 approved"
  `);
  expect(at(2)).toMatchInlineSnapshot(`
    "frames  … ······························
            »·····························  0 of 100 approved"
  `);
  expect(at(1)).toMatchInlineSnapshot(`"frames  … ··············»············· …  0 of 100 approved"`);
  expect(at(1, asciiSymbols)).toMatchInlineSnapshot(
    `"frames  ... ............>........... ...  0 of 100 approved"`,
  );
});

test('no line is too wide, whatever the width and wherever it is at work', () => {
  for (const active of [0, 250, 499]) {
    const board = boardOf(pending(500));
    updateBoard(board, started(frame(active)), 0);
    for (let width = 20; width <= 130; width++) {
      for (const linesMax of [1, 3]) {
        const lines = stripLines(board, linesMax, { ...plainStyle, width });
        expect(lines.length).toBeLessThanOrEqual(linesMax);
        for (const line of lines) expect(visibleLength(line)).toBeLessThan(width);
        if (width > 40) expect(lines.join('')).toContain('»');
      }
    }
  }
});

test('too narrow for marks: the numbers alone', () => {
  const style = { ...plainStyle, width: 30 };
  expect(stripLines(boardOf(pending(500)), 3, style)).toEqual(['frames  0 of 500 approved']);
});

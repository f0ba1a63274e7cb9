import { expect, test } from 'vitest';
import type { Progress } from '../runner/progress.ts';
import { begunLine, progressLine } from './progress.ts';
import { plainStyle } from './style.ts';

const at = { unit: 'ch001_sc002', phase: 'write', attempt: 1, iteration: 1 };
const failure = { reason: 'command-failed', message: 'boom', facts: { exitCode: 3 } } as const;

test('every step has its line', () => {
  const steps: { [T in Progress['type']]: Extract<Progress, { type: T }>[] } = {
    'attempt-started': [
      { type: 'attempt-started', ...at, why: { code: 'never-ran' } },
      {
        type: 'attempt-started',
        ...at,
        attempt: 2,
        why: { code: 'output-missing', output: 'prose', path: 'a.md' },
      },
    ],
    'attempt-succeeded': [
      { type: 'attempt-succeeded', ...at, ms: 1234, verdict: undefined },
      { type: 'attempt-succeeded', ...at, ms: 40, verdict: 'pass' },
    ],
    'attempt-failed': [
      { type: 'attempt-failed', ...at, ms: 10, failure, retryInMs: undefined },
      { type: 'attempt-failed', ...at, ms: 10, failure, retryInMs: 0 },
      { type: 'attempt-failed', ...at, ms: 10, failure, retryInMs: 2000 },
    ],
    'attempt-interrupted': [{ type: 'attempt-interrupted', ...at }],
    'output-restored': [{ type: 'output-restored', unit: 'a', phase: 'b', path: 'draft/a.md' }],
    'file-set-aside': [{ type: 'file-set-aside', path: 'draft/a.md', to: '.pawl/runs/r/aside/a.md' }],
    'leftover-ended': [{ type: 'leftover-ended', unit: 'a', phase: 'b', pid: 99 }],
    'unit-finished': [{ type: 'unit-finished', unit: 'ch001_sc002' }],
  };
  const lines = Object.values(steps)
    .flat()
    .map((step) => progressLine(step, plainStyle));
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "ch001_sc002/write started (never ran)
    ch001_sc002/write started (attempt 2, a.md is missing)
    ch001_sc002/write succeeded in 1.2 s
    ch001_sc002/write succeeded in 40 ms, verdict pass
    ch001_sc002/write failed: the command failed (exit code 3)
    ch001_sc002/write failed: the command failed (exit code 3); trying again
    ch001_sc002/write failed: the command failed (exit code 3); trying again in 2.0 s
    ch001_sc002/write interrupted
    draft/a.md put back from the content store
    draft/a.md was not ours; moved to .pawl/runs/r/aside/a.md
    a/b had left process 99 behind; ended it
    ch001_sc002 finished"
  `);
});

test('the first line says which run and how much', () => {
  const heading = {
    run: '20261115-1203-book-x7k2',
    pipeline: 'book',
    identity: {},
    status: 'running',
    workspace: '.',
    createdAt: '',
    updatedAt: '',
  } as const;
  const cells = [{ phase: 'write', status: 'ready', iteration: 1, attempts: 0, verdict: undefined }] as const;
  expect(begunLine({ heading, kind: 'new', phases: ['write'], units: [{ unit: 'a', cells }] })).toBe(
    'book: new run 20261115-1203-book-x7k2 with 1 unit, 1 phase',
  );
});

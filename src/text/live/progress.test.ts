import { expect, test } from 'vitest';
import type { Judgement } from '../../model/event.ts';
import type { Progress } from '../../runner/progress.ts';
import { plainStyle } from '../style/style.ts';
import { begunLine, progressLine } from './progress.ts';

const at = { unit: 'ch001_sc002', phase: 'write', attempt: 1, iteration: 1 };
const failure = { reason: 'command-failed', message: 'boom', facts: { exitCode: 3 } } as const;

const callEnded = {
  type: 'call-ended',
  ...at,
  provider: 'anthropic',
  model: 'claude-sonnet-5',
  answered: 'claude-sonnet-5-20260901',
  parameters: {},
  request: 'req_1',
  finish: 'stop',
  ms: 900,
  firstMs: 100,
  usage: { inputTokens: 1200, outputTokens: 300 },
  usd: 0.0081,
  failure: undefined,
  reused: false,
} as const;

test('every step that is worth one has its line', () => {
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
      { type: 'attempt-succeeded', ...at, ms: 1234, verdict: undefined, judged: undefined },
      { type: 'attempt-succeeded', ...at, ms: 40, verdict: 'pass', judged: { passed: true } },
    ],
    'attempt-failed': [
      { type: 'attempt-failed', ...at, ms: 10, failure, retryInMs: undefined },
      { type: 'attempt-failed', ...at, ms: 10, failure, retryInMs: 0 },
      { type: 'attempt-failed', ...at, ms: 10, failure, retryInMs: 2000 },
    ],
    'attempt-interrupted': [{ type: 'attempt-interrupted', ...at }],
    'attempt-paused': [
      {
        type: 'attempt-paused',
        ...at,
        ms: 10,
        reason: 'rate-limited',
        until: '2026-11-15T12:03:11.000Z',
      },
    ],
    waiting: [{ type: 'waiting', until: '2026-11-15T12:04:11.000Z' }],
    'budget-narrowed': [
      { type: 'budget-narrowed', atOnce: 2, isFirst: true },
      { type: 'budget-narrowed', atOnce: 1, isFirst: false },
    ],
    'budget-short': [
      {
        type: 'budget-short',
        short: { phase: '', limit: 'budget_usd', left: 0.02, expected: 0.5, atMost: 1.03, isSure: true },
      },
    ],
    'call-ended': [callEnded],
    'person-asked': [{ type: 'person-asked', unit: 'a', phase: 'b' }],
    'output-restored': [{ type: 'output-restored', unit: 'a', phase: 'b', path: 'draft/a.md' }],
    'file-set-aside': [{ type: 'file-set-aside', path: 'draft/a.md', to: '.pawl/runs/r/aside/a.md' }],
    'brief-imported': [
      { type: 'brief-imported', path: 'ORCHESTRATION.yaml', backup: '.pawl/backups/0-ORCHESTRATION.yaml' },
    ],
    'leftover-ended': [{ type: 'leftover-ended', unit: 'a', phase: 'b', pid: 99 }],
    'unit-finished': [{ type: 'unit-finished', unit: 'ch001_sc002' }],
  };
  const lines = Object.values(steps)
    .flat()
    .flatMap((step) => progressLine(step, plainStyle) ?? []);
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "ch001_sc002/write started (never ran)
    ch001_sc002/write started (attempt 2, a.md is missing)
    ch001_sc002/write succeeded in 1.2 s
    ch001_sc002/write succeeded in 40 ms, verdict pass
    ch001_sc002/write failed: the command failed (exit code 3)
    ch001_sc002/write failed: the command failed (exit code 3); trying again
    ch001_sc002/write failed: the command failed (exit code 3); trying again in 2.0 s
    ch001_sc002/write interrupted
    ch001_sc002/write paused by a rate limit of the provider until 2026-11-15 12:03:11 UTC
    waiting until 2026-11-15 12:04:11 UTC: no call may start before
    near the budget: 2 steps at a time
    ! budget of the whole run: $0.02 left, but the plan needs about $0.50 (at most $1.03); at the limit the run asks
    draft/a.md put back from the content store
    draft/a.md stood in the way; moved to .pawl/runs/r/aside/a.md
    ORCHESTRATION.yaml: imported its resumption document. The original is at .pawl/backups/0-ORCHESTRATION.yaml
    a/b had left process 99 behind; ended it
    ch001_sc002 finished"
  `);
});

test('a call says nothing of its own: its attempt does', () => {
  expect(progressLine(callEnded, plainStyle)).toBeUndefined();
});

test('what a gate said: its score, and of its defects the first and how many more', () => {
  const line = (judged: Judgement) =>
    progressLine(
      {
        type: 'attempt-succeeded',
        unit: 'f3',
        phase: 'audit',
        attempt: 2,
        iteration: 2,
        ms: 12,
        verdict: 'rejected',
        judged,
      },
      plainStyle,
    );
  const defects = ['palette is off', 'feet 3 px too low'];
  expect(line({ passed: false, score: 0.62, defects })).toBe(
    'f3/audit succeeded in 12 ms, verdict rejected, score 0.62 (palette is off; feet 3 px too low)',
  );
  expect(line({ passed: false, score: 0.62 })).toBe(
    'f3/audit succeeded in 12 ms, verdict rejected, score 0.62',
  );
  expect(line({ passed: false, defects: ['no\nbeat', 'x'.repeat(61), 'c', 'd', 'e'] })).toBe(
    `f3/audit succeeded in 12 ms, verdict rejected (no\\nbeat; ${'x'.repeat(59)}…; c; and 2 more)`,
  );
});

test('the first line of a run that is taken up again says from where', () => {
  const heading = {
    run: 'r1',
    pipeline: 'sprites',
    identity: {},
    status: 'running',
    workspace: '.',
    createdAt: '',
    updatedAt: '',
  } as const;
  const begun = (finished: number) =>
    begunLine({
      heading,
      kind: 'resumed',
      phases: [],
      units: [],
      extent: {
        unitKey: 'frame',
        doneKey: 'approved',
        units: [0, 1, 2].map((index) => ({ unit: `f${index}`, index, finished: index < finished })),
      },
    });
  expect(begun(2)).toBe('sprites: resuming run r1 from frame 2 (frames 0-1 already approved)');
  expect(begun(0)).toBe('sprites: resumed run r1 with 0 units, 0 cells');
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
  const steps = [{ phase: 'write', status: 'ready', iteration: 1, attempts: 0, verdict: undefined }] as const;
  expect(
    begunLine({
      heading,
      kind: 'new',
      phases: ['write'],
      units: [{ unit: 'a', cells: steps }],
      extent: { unitKey: 'unit', doneKey: 'finished', units: [] },
    }),
  ).toBe('book: new run 20261115-1203-book-x7k2 with 1 unit, 1 cell');
});

import { expect, test } from 'vitest';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { RunAnswer } from '../engine/run/run-request.ts';
import type { PlanAnswer } from '../engine/show/plan.ts';
import { troubleJson } from './catalogue/trouble-json.ts';
import { answerJson } from './json.ts';
import { jsonText } from './style/plain.ts';

const heading: RunHeading = {
  run: '20261115-1203-book-x7k2',
  pipeline: 'book',
  identity: { book: 'ember' },
  status: 'completed',
  workspace: 'examples/book',
  createdAt: '2026-11-15T12:03:00.000Z',
  updatedAt: '2026-11-15T12:09:00.000Z',
};

const run: RunAnswer = {
  heading,
  kind: 'new',
  reopened: false,
  interrupted: false,
  cells: { units: 1, unitsFinished: 1, cells: 2, done: 2, reused: 0, skipped: 0 },
  ran: { succeeded: 2, failed: 0 },
  others: { ready: 0, claimed: 0 },
  stops: [],
  limits: [],
  refusals: [],
  notices: [],
  findings: [],
  elapsedMs: 10,
};

test('an answer: ok, the command, the exit code and the facts', () => {
  expect(answerJson({ command: 'run', answer: run })).toEqual({
    ok: true,
    command: 'run',
    exitCode: 0,
    ...run,
  });
});

test('an answer that is not what one hoped for has a reason and the ways on', () => {
  const stopped: RunAnswer = {
    ...run,
    heading: { ...heading, status: 'stopped' },
    stops: [{ unit: 'a', phase: 'b', why: { code: 'failed', failure: 'timed-out', message: '' } }],
  };
  expect(answerJson({ command: 'resume', answer: stopped })).toMatchObject({
    ok: false,
    command: 'resume',
    exitCode: 1,
    reason: 'phase-failed',
    next: ['to go on: pawl run examples/book'],
  });
  const findings = [{ code: 'object-missing', file: 'x', weight: 'loud' }] as const;
  const checked = { events: 1, outputs: 1, objects: 0 };
  expect(answerJson({ command: 'verify', answer: { heading, findings, checked } })).toMatchObject({
    ok: false,
    exitCode: 7,
    reason: 'damaged',
    next: ['to see where it stands: pawl status examples/book'],
  });
});

test('the ways on of a run that waits, is at the end of a budget, or failed in a way that is known', () => {
  const answer: RunAnswer = {
    ...run,
    heading: { ...heading, status: 'stopped' },
    stops: [
      {
        unit: 'a',
        phase: 'b',
        why: { code: 'paused', until: '2026-11-15T13:00:00.000Z', pause: 'quota', message: '' },
      },
      { unit: 'b', phase: 'b', why: { code: 'failed', failure: 'answer-truncated', message: '' } },
      { unit: 'c', phase: 'b', why: { code: 'failed', failure: 'answer-truncated', message: '' } },
    ],
    limits: [{ phase: '', limit: 'budget_usd', value: 1, max: 1, attempts: 1 }],
  };
  expect(answerJson({ command: 'run', answer })).toMatchObject({
    exitCode: 1,
    reason: 'phase-failed',
    next: [
      'raise the budget in the manifest: it is no part of identity, and the next run simply goes on',
      'raise max_tokens of the phase, or ask for less',
      'to wait until 2026-11-15 13:00:00 UTC and go on by itself: pawl run examples/book --wait',
      'to go on: pawl run examples/book',
    ],
  });
});

test('a plan: maps become lists that keep their order and their names', () => {
  const output = { path: 'draft/a.md', hash: 'sha256:aa', size: 1 } as const;
  const consumed = { ref: 'write#1 sha256:aa', output, superseded: false };
  const answer: PlanAnswer = {
    overridden: false,
    heading: undefined,
    phases: ['write', 'lint'],
    claimable: [],
    counts: { run: 1, wait: 0, claimed: 0, reuse: 0, restore: 0, skip: 1, refuse: 0, stop: 0 },
    findings: [],
    plan: {
      refusals: [{ guard: 'in-doubt', unit: 'a', phase: 'write', attempt: 1 }],
      notices: [],
      limits: [],
      finished: false,
      units: new Map([
        [
          'a',
          {
            unit: 'a',
            stage: 'main',
            ended: false,
            isMade: false,
            finished: false,
            refusals: [],
            notices: [],
            state: undefined,
            cells: [
              {
                unit: 'a',
                phase: 'write',
                iteration: 1,
                decision: { do: 'skip', why: { code: 'gate-not-failed' } },
              },
              {
                unit: 'a',
                phase: 'lint',
                iteration: 1,
                decision: {
                  do: 'run',
                  why: { code: 'never-ran' },
                  had: undefined,
                  made: { inputs: new Map([['prose', consumed]]), preState: undefined },
                },
              },
            ],
          },
        ],
      ]),
    },
  };
  expect(JSON.parse(jsonText(answerJson({ command: 'plan', answer })))).toEqual({
    ok: false,
    command: 'plan',
    exitCode: 4,
    reason: 'refused',
    next: [
      'see what it left behind: pawl logs a/write',
      're-run write of a: pawl run --rerun-from write --unit a',
    ],
    overridden: false,
    phases: ['write', 'lint'],
    claimable: [],
    counts: answer.counts,
    findings: [],
    plan: {
      refusals: answer.plan.refusals,
      notices: [],
      limits: [],
      finished: false,
      units: [
        {
          unit: 'a',
          stage: 'main',
          ended: false,
          isMade: false,
          finished: false,
          refusals: [],
          notices: [],
          cells: [
            {
              unit: 'a',
              phase: 'write',
              iteration: 1,
              decision: { do: 'skip', why: { code: 'gate-not-failed' } },
            },
            {
              unit: 'a',
              phase: 'lint',
              iteration: 1,
              decision: {
                do: 'run',
                why: { code: 'never-ran' },
                made: { inputs: [{ name: 'prose', ...consumed }] },
              },
            },
          ],
        },
      ],
    },
  });
});

test('a failure: reason, facts, words and ways on', () => {
  const place = { file: 'pawl.yaml', line: 3, column: 1, source: 'units: []' };
  const problem = { code: 'no-units', path: 'units', place, facts: {} } as const;
  const json = troubleJson({ reason: 'manifest-invalid', file: 'pawl.yaml', problems: [problem] }, 'run', {
    path: undefined,
  });
  expect(json).toEqual({
    ok: false,
    command: 'run',
    exitCode: 2,
    reason: 'manifest-invalid',
    file: 'pawl.yaml',
    problems: [{ ...problem, message: 'units: there are no units; list at least one' }],
    message: '1 problem in pawl.yaml; nothing was started',
    next: ['fix it and try again', 'to see all that a manifest may hold: pawl schema'],
  });
});

test('the path that was typed is part of the ways on', () => {
  expect(troubleJson({ reason: 'no-run', workspace: 'a b' }, 'resume', { path: 'a b' })).toMatchObject({
    next: ["to start one: pawl run 'a b'"],
  });
});

test('a schema stands alone', () => {
  expect(answerJson({ command: 'schema', answer: { type: 'object' } })).toEqual({ type: 'object' });
});

import { expect, test } from 'vitest';
import { ok } from '../base/result.ts';
import type { RunHeading } from '../engine/open/find-run.ts';
import type { RunAnswer } from '../engine/run/run-request.ts';
import type { PromptAnswer } from '../engine/show/call-answers.ts';
import type { PlanAnswer } from '../engine/show/plan.ts';
import { jsonText } from '../text/style/plain.ts';
import { documentOf, type Outcome, present } from './command.ts';
import { presentRun } from './commands/perform-run.ts';
import { presentPlan } from './commands/plan.ts';
import { presentPrompt } from './commands/prompt.ts';
import { presentVerify } from './commands/verify.ts';

/** The document of `--json`. */
async function json(outcome: Outcome): Promise<object> {
  if (!outcome.ok) throw new Error(outcome.failure.reason);
  return await documentOf(outcome.value);
}

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

test('an answer: ok, the command, the exit code and the facts', async () => {
  expect(await json(presentRun('run', run))).toEqual({
    ok: true,
    command: 'run',
    exitCode: 0,
    ...run,
  });
});

test('an answer that is not what one hoped for has a reason and the ways on', async () => {
  const stopped: RunAnswer = {
    ...run,
    heading: { ...heading, status: 'stopped' },
    stops: [{ unit: 'a', phase: 'b', why: { code: 'failed', failure: 'timed-out', message: '' } }],
  };
  expect(await json(presentRun('resume', stopped))).toMatchObject({
    ok: false,
    command: 'resume',
    exitCode: 1,
    reason: 'phase-failed',
    next: ['to go on: pawl run examples/book'],
  });
  const findings = [{ code: 'object-missing', file: 'x', weight: 'loud' }] as const;
  const checked = { events: 1, outputs: 1, objects: 0 };
  expect(await json(presentVerify(ok({ heading, findings, checked })))).toMatchObject({
    ok: false,
    exitCode: 7,
    reason: 'damaged',
    next: ['to see where it stands: pawl status examples/book'],
  });
});

test('the ways on of a run that waits, is at the end of a budget, or failed in a way that is known', async () => {
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
  expect(await json(presentRun('run', answer))).toMatchObject({
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

test('a plan: maps become lists that keep their order and their names', async () => {
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
  expect(JSON.parse(jsonText(await json(presentPlan(ok(answer), []))))).toEqual({
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

test('a schema stands alone', async () => {
  const schema = { type: 'object' };
  const outcome = present('schema', ok(schema), { loadText: async () => () => '', isWhole: true });
  expect(await json(outcome)).toEqual(schema);
});

test('a prompt that cannot be made is refused', async () => {
  const answer = { unit: 'a', phase: 'b', attempt: 1, text: '', unavailable: { reason: 'x', detail: 'y' } };
  expect(await json(presentPrompt(ok(answer as unknown as PromptAnswer)))).toMatchObject({
    ok: false,
    command: 'prompt',
    exitCode: 4,
    reason: 'cannot-prepare',
  });
});

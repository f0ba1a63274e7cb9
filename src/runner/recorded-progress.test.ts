import { expect, it } from 'vitest';
import { eventsOf, memoryEnvironment, run, watching } from '../../test/fixtures/memory.ts';
import type { EventBody } from '../model/event.ts';
import { progressLine } from '../text/live/progress.ts';
import { plainStyle } from '../text/style/style.ts';
import type { Progress } from './progress.ts';
import { recordedProgress } from './recorded-progress.ts';

/** What no event says: it is about this process, its machine and its plan. */
const unrecorded: ReadonlySet<Progress['type']> = new Set([
  'waiting',
  'call-ended',
  'budget-narrowed',
  'budget-short',
  'file-set-aside',
  'leftover-ended',
  'unit-finished',
]);

it('shows another process what the one that carries out the plan shows', async () => {
  const env = memoryEnvironment();
  env.clock.skippedMs = 60_000;
  const { observer, seen } = watching();
  const phases = {
    draft: {
      run: ({ attempt }: { attempt: number }) => {
        if (attempt === 1) throw new Error('no ink');
        return { text: `draft ${attempt}` };
      },
      outputs: { text: 'out/{unit}.txt' },
      retries: { attempts: 3, backoff: '1s' },
    },
    read: {
      run: ({ iteration: round }: { iteration: number }) => ({
        report: { status: round === 2 ? 'pass' : 'fail' },
      }),
      inputs: { text: 'draft.text' },
      outputs: { report: 'out/{unit}.json' },
      gate: { verdict: 'report.status', pass: ['pass'], back_to: 'draft', iterations: 3 },
    },
    seal: {
      run: () => ({ letter: 'sealed' }),
      outputs: { letter: 'out/{unit}.letter' },
      checkpoint: 'good enough?',
    },
  } as const;
  const definition = { pawl: 1, pipeline: 'letters', units: ['ann', 'bob'], phases } as const;
  await run(env, definition, { observer });
  env.disk.remove('/work/out/ann.txt');
  await run(env, definition, { observer, restore: true });

  const here = seen.filter(({ type }) => !unrecorded.has(type));
  const there = eventsOf(env).flatMap(recordedProgress);
  const withoutRetry = (progress: Progress) =>
    progress.type === 'attempt-failed' ? { ...progress, retryInMs: undefined } : progress;
  expect(here.map(withoutRetry)).toEqual(there);
  expect(new Set(there.map(({ type }) => type))).toEqual(
    new Set(['attempt-started', 'attempt-succeeded', 'attempt-failed', 'person-asked', 'output-restored']),
  );
});

const at = { unit: 'a', phase: 'write', attempt: 2 };

function linesOf(body: EventBody): (string | undefined)[] {
  const event = { ...body, seq: 1, at: '2026-11-15T12:00:00.000Z', actor: 'runner', epoch: 1 };
  return recordedProgress(event).map((progress) => progressLine(progress, plainStyle));
}

it('keeps what a failure and a reused result are shown with', () => {
  const failed = { type: 'attempt_failed', ...at, reason: 'command-failed', message: 'boom', ms: 5 } as const;
  expect(linesOf({ ...failed, facts: { exitCode: 3 } })).toEqual([
    'a/write failed: the command failed (exit code 3)',
  ]);
  const call = { model: 'anthropic/claude', ms: 5 };
  const succeeded = { type: 'attempt_succeeded', ...at, outputs: {}, ms: 5 } as const;
  expect(linesOf({ ...succeeded, call: { ...call, reused: 'r1 a/write#1' } })).toEqual([
    'a/write reused from r1 a/write#1',
  ]);
  expect(linesOf({ ...succeeded, reused: 'r1 a/write#1' })).toEqual(['a/write reused from r1 a/write#1']);
  expect(linesOf({ ...succeeded, call })).toEqual(['a/write succeeded in 5 ms']);
});

it('counts what calls cost, and nothing twice', () => {
  const usdOf = (body: EventBody) =>
    recordedProgress({ ...body, seq: 1, at: '', actor: 'runner', epoch: 1 }).map((progress) =>
      'usd' in progress ? progress.usd : undefined,
    );
  const call = { model: 'anthropic/claude', ms: 5 };
  const cost = { usd: 0.2 };
  const succeeded = { type: 'attempt_succeeded', ...at, outputs: {}, ms: 5, cost } as const;
  expect(usdOf({ ...succeeded, call })).toEqual([0.2]);
  expect(usdOf({ ...succeeded, call: { ...call, reused: 'r1 a/write#1' } })).toEqual([undefined]);
  expect(usdOf(succeeded)).toEqual([undefined]);
  expect(usdOf({ type: 'attempt_interrupted', ...at, ms: 5, cost })).toEqual([0.2]);
});

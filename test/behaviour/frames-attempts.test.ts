import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Finished, pawl, pawlJson } from '../support/command.ts';
import {
  auditLog,
  blaze,
  copyOfRun,
  copyOfSprites,
  drawnSprites,
  finalSprites,
  inRun,
  killedSprites,
  stateOf,
} from '../support/sprites.ts';
import { calls, edit, has, read, readJson, type TestWorkspace } from '../support/workspace.ts';

describe('the tries of a frame', () => {
  it('go on where a kill cut them off: number, round, seed and prompt', async () => {
    const whole = await drawnSprites();
    const work = await killedSprites('frame_0005/generate started (attempt 3');
    const before = calls(work).length;
    expect((await pawl(work, 'run', blaze)).code).toBe(0);
    const tries = calls(work)
      .slice(before)
      .filter(({ cell: step }) => step.startsWith('frame_0005'));
    expect(tries).toEqual([
      { cell: 'frame_0005/generate', attempt: 4, iteration: 3 },
      { cell: 'frame_0005/audit', attempt: 3, iteration: 3 },
      { cell: 'frame_0005/generate', attempt: 5, iteration: 4 },
      { cell: 'frame_0005/audit', attempt: 4, iteration: 4 },
      { cell: 'frame_0005/approve', attempt: 1, iteration: 1 },
    ]);
    expect([1, 2, 4, 5].map((attempt) => seedOf(work, attempt))).toEqual([7, 8, 9, 10]);
    expect(promptOf(work, 4)).not.toContain('## Rules');
    expect(promptOf(work, 5)).toContain('## Rules');
    expect(promptOf(work, 5)).toContain('## What was wrong the last time');
    expect(finalSprites(work)).toEqual(finalSprites(whole));
  });
});

describe('a frame whose tries are used up', () => {
  let failed: TestWorkspace;
  let stopped: RunJson;

  beforeAll(async () => {
    // The fourth try, with the strict prompt, is the first that would do.
    failed = copyOfSprites();
    edit(failed, blaze, 'iterations: 4', 'iterations: 3');
    await killedSprites('frame_0005/audit succeeded', failed);
    stopped = await pawlJson<RunJson>(failed, 'run', blaze);
  }, 120_000);

  it('is failed, with how it came to that; the run is stopped and says so', () => {
    expect(stopped).toMatchObject({
      exitCode: 1,
      reason: 'phase-failed',
      heading: { status: 'stopped' },
      stops: [
        {
          unit: 'frame_0005',
          phase: 'audit',
          why: { code: 'gate-limit', verdict: 'rejected', iterations: 3 },
        },
      ],
    });
    const tries = calls(failed).filter(({ cell: step }) => step === 'frame_0005/audit');
    expect(tries.map(({ iteration: round }) => round)).toEqual([1, 2, 3]);
  });

  describe('asked for again', () => {
    let work: TestWorkspace;
    let again: Finished;

    beforeAll(async () => {
      work = copyOfRun(failed);
      again = await pawl(work, 'run', blaze);
    }, 120_000);

    it('is not tried for ever', () => {
      expect(again.code).toBe(1);
      expect(again.stdout).toContain('frame_0005/audit still rejected after 3 rounds');
      expect(calls(work)).toEqual([]);
      expect(stateOf(work)).toMatchObject({ run_status: 'stopped', approved_frame_indices: [0, 1, 2, 3, 4] });
    });

    it('is not called pending', () => {
      expect(stateOf(work).pending_frame_indices).toEqual([6, 7]);
    });

    it('is told with the reasons of its last report', () => {
      const { reasons } = readJson(failed, inRun(failed, 'audits/frame_0005_attempt_03.json')) as Report;
      expect(reasons).toHaveLength(1);
      expect(again.stdout).toContain(reasons[0]?.slice(0, 30));
    });
  });

  it('is granted more tries by --rerun-from', async () => {
    const work = copyOfRun(failed);
    const flags = ['--rerun-from', 'generate', '--unit', 'frame_0005', '--reason', 'once more'];
    expect((await pawl(work, 'run', blaze, ...flags)).code).toBe(1);
    const tries = calls(work).filter(({ cell: step }) => step === 'frame_0005/generate');
    expect(tries.map(({ attempt, iteration: round }) => [attempt, round])).toEqual([
      [4, 1],
      [5, 2],
      [6, 3],
    ]);
    expect(has(work, inRun(work, 'candidates/frame_0005_attempt_01.png'))).toBe(true);
  });

  it('is left out where the manifest allows it: completed with failures, and packed without it', async () => {
    const work = copyOfRun(failed);
    edit(work, blaze, 'failures: stop', 'failures: allow');
    const run = await pawl(work, 'run', blaze);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('frame_0005/audit still rejected after 3 rounds');
    expect(run.stdout).toContain('completed with 1 failure');
    expect(calls(work).some(({ cell: step }) => step.startsWith('frame_0005'))).toBe(false);
    const { frames } = readJson(work, inRun(work, 'export/sheet.json')) as { frames: object };
    const numbers = [0, 1, 2, 3, 4, 6, 7];
    expect(Object.keys(frames)).toEqual(numbers.map((index) => `frame_000${index}.png`));
    expect(stateOf(work)).toMatchObject({
      run_status: 'completed',
      resumable: false,
      approved_frame_indices: numbers,
    });
    const before = calls(work).length;
    const again = await pawl(work, 'run', blaze);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('completed with 1 failure') });
    expect(calls(work)).toHaveLength(before);
  });
});

describe('a limit of the whole run', () => {
  let rejecting: TestWorkspace;

  beforeAll(async () => {
    // No picture is ever good enough, frames do not wait for one another, and come one at a time.
    rejecting = copyOfSprites();
    edit(rejecting, blaze, 'identity_min: 0.85', 'identity_min: 5');
    edit(rejecting, blaze, '          before: { from: approve.frame, of: previous, on_change: tell }\n', '');
    edit(rejecting, blaze, 'concurrency: 2', 'concurrency: 1');
    await killedSprites('frame_0000/generate started (attempt 3', rejecting);
    expect(audits(rejecting)).toBe(2);
  }, 120_000);

  /** Limits may change at any time, so that one run serves for all of them. */
  function limited(limits: string): TestWorkspace {
    const work = copyOfRun(rejecting);
    edit(work, blaze, read(work, blaze).match(/limits: .*/)?.[0] ?? '', `limits: ${limits}`);
    return work;
  }

  it.each([
    ['{ attempts: 5 }', 3, { limit: 'attempts', value: 5, max: 5, attempts: 5 }],
    ['{ consecutive_failures: 4 }', 2, { limit: 'consecutive_failures', value: 4, max: 4, attempts: 4 }],
    ['{ retry_rate: 0.6, after: 4 }', 2, { limit: 'retry_rate', value: 0.75, max: 0.6, attempts: 4 }],
    ['{ reject_rate: 0.9, after: 3 }', 1, { limit: 'reject_rate', value: 1, max: 0.9, attempts: 3 }],
  ])('is counted over every resume: %s', async (limits, more, reached) => {
    const work = limited(limits);
    const run = await pawlJson<RunJson>(work, 'run', blaze);
    expect(run).toMatchObject({ exitCode: 1, heading: { status: 'stopped' } });
    expect(run.limits).toEqual([{ phase: 'audit', ...reached }]);
    expect(audits(work)).toBe(more);
  });

  it('stops what comes after it, until it is raised, or gone past with a reason', async () => {
    const work = limited('{ attempts: 5 }');
    expect((await pawl(work, 'run', blaze)).code).toBe(1);
    const drawn = calls(work).length;
    const told = await pawl(work, 'run', blaze);
    expect(told.code).toBe(1);
    expect(told.stdout).toContain('audit: 5 attempts in all, and the limit is 5');
    expect(told.stdout).toContain('--past-limits');
    expect(calls(work)).toHaveLength(drawn);

    edit(work, blaze, '{ attempts: 5 }', '{ attempts: 6 }');
    expect((await pawl(work, 'run', blaze)).code).toBe(1);
    expect(audits(work)).toBe(4);

    const silent = await pawl(work, 'run', blaze, '--past-limits');
    expect(silent.code).toBe(2);
    expect(silent.stderr).toContain('--reason');
    const past = await pawlJson<RunJson>(work, 'run', blaze, '--past-limits', '--reason', 'looked at it');
    expect(past.limits).toMatchObject([{ limit: 'attempts', value: 6 }]);
    expect(audits(work)).toBe(10);
    expect(auditLog(work).filter(({ type }) => type === 'override_used')).toMatchObject([
      { flag: '--past-limits', guard: 'limit-reached', reason: 'looked at it' },
    ]);
  });
});

interface RunJson extends Answer {
  readonly heading: { readonly status: string };
  readonly stops: readonly object[];
  readonly limits: readonly object[];
}

interface Report {
  readonly reasons: readonly string[];
}

function audits(work: TestWorkspace): number {
  return calls(work).filter(({ cell: step }) => step.endsWith('/audit')).length;
}

function seedOf(work: TestWorkspace, attempt: number): number {
  const response = read(work, inRun(work, `attempts/frame_0005/generate/${attempt}/response.txt`));
  return Number(/seed (\d+)/.exec(response)?.[1]);
}

function promptOf(work: TestWorkspace, attempt: number): string {
  return read(work, inRun(work, `attempts/frame_0005/generate/${attempt}/prompt.md`));
}

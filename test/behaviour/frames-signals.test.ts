import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf, type Finished, pawl, start } from '../support/command.ts';
import { type Door, openDoor } from '../support/door.ts';
import {
  auditLog,
  begunLine,
  blaze,
  copyOfRun,
  copyOfSprites,
  drawnSprites,
  finalSprites,
  inRun,
  stateOf,
} from '../support/sprites.ts';
import { calls, edit, has, stepsCalled, type TestWorkspace } from '../support/workspace.ts';

/** Frame 2 waits at a door before it is drawn; whatever runs beside it may end. */
async function atTheDoor(): Promise<{ door: Door; workspace: TestWorkspace }> {
  const work = copyOfSprites();
  edit(work, blaze, './phases.mjs#generate', './doors.mjs#generate');
  edit(work, blaze, 'concurrency: 2', 'concurrency: 1');
  return await openDoor(work, ['frame_0002/generate']);
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('Ctrl-C', () => {
  let work: TestWorkspace;
  let ended: Finished;

  beforeAll(async () => {
    const { door, workspace } = await atTheDoor();
    work = workspace;
    const run = start(workspace, ['run', blaze]);
    const visit = await door.visit('frame_0002/generate');
    run.kill('SIGINT');
    await run.line('finishing what runs');
    visit.answer('go');
    ended = await run.ended;
  }, 120_000);

  it('lets the frame in work end, starts nothing more, and shows how to go on', () => {
    expect(ended.code).toBe(130);
    expect(ended.stdout).toContain('nothing is lost');
    expect(ended.stdout).toContain(`to go on:\n    pawl run ${blaze}`);
    expect(stepsCalled(work).at(-1)).toBe('frame_0002/generate');
    expect(has(work, inRun(work, 'candidates/frame_0002_attempt_01.png'))).toBe(true);
  });

  it('leaves a state that says from where it can be gone on', () => {
    const state = stateOf(work);
    expect(state).toMatchObject({
      run_id: expect.stringMatching(/^\d{8}-\d{4}-sprites-/),
      manifest_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      resumable: true,
      resume_from_frame: 2,
      approved_frame_indices: [0, 1],
      resume_history: [],
    });
    expect(['stopped', 'interrupted']).toContain(state.run_status);
  });

  it('is gone on from by the command that it has shown', async () => {
    const copy = copyOfRun(work);
    const again = await pawl({ ...copy, env: { ...copy.env, TEST_DOOR: '' } }, 'run', blaze);
    expect(again.code).toBe(0);
    expect(begunLine(again)).toContain('from frame 2 (frames 0-1 already approved)');
    expect(calls(copy).filter(({ cell: step }) => step === 'frame_0002/generate')).toEqual([
      { cell: 'frame_0002/generate', attempt: 2, iteration: 2 },
    ]);
    expect(stateOf(copy).resume_history).toEqual([
      {
        resumed_at: expect.stringMatching(rfc3339),
        from_frame: 2,
        manifest_hash_match: true,
      },
    ]);
  });
});

describe('Ctrl-C twice', () => {
  it('ends at once, on record, and the run can still be gone on with', async () => {
    const { door, workspace: work } = await atTheDoor();
    const run = start(work, ['run', blaze, '--json']);
    await door.visit('frame_0002/generate');
    run.kill('SIGINT');
    await run.line('finishing what runs');
    run.kill('SIGINT');
    const ended = await run.ended;
    expect(ended.code).toBe(130);
    expect(documentOf(ended)).toMatchObject({ reason: 'interrupted', next: [`to go on: pawl run ${blaze}`] });
    expect(stateOf(work).resumable).toBe(true);
    expect(auditLog(work).filter(({ type }) => type === 'attempt_interrupted')).toMatchObject([
      { frame: 'frame_0002', phase: 'generate', attempt: 1 },
    ]);
    expect(has(work, inRun(work, 'candidates/frame_0002_attempt_01.png'))).toBe(false);

    const again = start(work, ['run', blaze]);
    for (const attempt of [2, 3]) {
      const visit = await door.visit('frame_0002/generate');
      expect(visit.attempt).toBe(attempt);
      visit.answer('go');
    }
    expect((await again.ended).code).toBe(0);
    expect(finalSprites(work)).toEqual(finalSprites(await drawnSprites()));
  });
});

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, pawl, pawlJson } from '../support/command.ts';
import {
  begunWith,
  blaze,
  copyOfRun,
  drawnSprites,
  killedSprites,
  runFolders,
  stateOf,
} from '../support/sprites.ts';
import { calls, hashes, type TestWorkspace } from '../support/workspace.ts';

let half: TestWorkspace;
let work: TestWorkspace;
let id: string;

beforeAll(async () => {
  half = await killedSprites('frame_0001 finished');
  id = stateOf(half).run_id;
}, 120_000);

beforeEach(() => {
  work = copyOfRun(half);
});

/** Refused, with words for people, before anything was written or run. */
async function expectRefused(workspace: TestWorkspace, code: number, ...args: string[]): Promise<Refused> {
  const before = hashes(workspace);
  const { finished, ...answer } = await pawlJson<Refused>(workspace, 'run', ...args);
  expect(finished.code).toBe(code);
  expect(answer.next?.length).toBeGreaterThan(0);
  expect(hashes(workspace)).toEqual(before);
  expect(calls(workspace)).toEqual([]);
  return answer;
}

describe('--resume with an id', () => {
  it('goes on with that run: a beginning that no other run has is enough', async () => {
    expect(await begunWith(work, blaze, '--resume', id.slice(0, 8))).toContain(
      `resuming run ${id} from frame 2 (frames 0-1 already approved)`,
    );
  });

  it('needs no manifest where the run says which one is its own', async () => {
    expect(await begunWith(work, '--resume', id)).toContain(`resuming run ${id} from frame 2`);
  });

  it('lists the runs that a beginning may mean, and takes none of them', async () => {
    await killedSprites('frame_0000 finished', work, '--fresh');
    const ids = runFolders(work).map((folder) => stateOf(work, folder).run_id);
    const copy = copyOfRun(work);
    const refused = await expectRefused(copy, 5, blaze, '--resume', id.slice(0, 4));
    expect(refused.near?.toSorted()).toEqual(ids.toSorted());
  });

  it('is refused for one that is not there, with the near ones', async () => {
    const slip = `${id.slice(0, -2)}${id.at(-1)}${id.at(-2)}x`;
    const refused = await expectRefused(work, 5, blaze, '--resume', slip);
    expect(refused).toMatchObject({ reason: 'run-not-found', id: slip, near: [id] });
    expect(refused.message).toContain(`did you mean ${id}?`);
    expect(refused.next?.join()).toContain('pawl runs');
  });

  it('is refused for none at all', async () => {
    expect((await pawl(work, 'run', blaze, '--resume', '')).code).not.toBe(0);
    expect(calls(work)).toEqual([]);
  });

  it('is refused for a completed run, with what to do instead', async () => {
    const done = copyOfRun(await drawnSprites(work));
    const refused = await expectRefused(done, 4, blaze, '--resume', id);
    expect(refused).toMatchObject({ reason: 'run-terminal', run: id, status: 'completed' });
    expect(refused.message).toContain(`run ${id} is completed`);
    expect(refused.next?.join()).toContain(`pawl run ${blaze}`);
    expect(refused.next?.join()).toContain('--fresh');
  });

  it('is refused for a cancelled run, with what to do instead; without it a new one starts', async () => {
    expect((await pawl(work, 'cancel', '--dir', blaze, '--yes', '--reason', 'enough')).code).toBe(0);
    const refused = await expectRefused(work, 4, blaze, '--resume', id);
    expect(refused).toMatchObject({ reason: 'run-terminal', run: id, status: 'cancelled' });
    expect(refused.next?.join()).toContain('a new run starts');
    expect(await begunWith(work, blaze)).toContain('new run');
  });

  it('excludes the other ways to choose a run', async () => {
    expect((await pawl(work, 'run', blaze, '--resume', id, '--fresh')).code).toBe(2);
    expect(calls(work)).toEqual([]);
  });
});

describe('--dry-run', () => {
  it('shows what would be done with that run, and does nothing', async () => {
    const before = hashes(work);
    const plan = await pawl(work, 'run', blaze, '--resume', id, '--dry-run');
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain(id);
    expect(plan.stdout).toContain('audit of frame_0002');
    expect(plan.stdout).not.toContain('frame_0001');
    expect(hashes(work)).toEqual(before);
    expect(calls(work)).toEqual([]);
  });
});

interface Refused extends Answer {
  readonly near?: readonly string[];
}

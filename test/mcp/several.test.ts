import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDoor } from '../support/door.ts';
import { expectSound } from '../support/library.ts';
import { isAlive } from '../support/processes.ts';
import { has, read, type TestWorkspace } from '../support/workspace.ts';
import { type Connected, connect } from './client.ts';
import { crewManifest, doWork, manyTasks, startedCrew } from './crew.ts';

describe('two clients at once', () => {
  it('share out a graph: each task is given to exactly one of them, and all are done', async () => {
    const workspace = await startedCrew(manyTasks(12));
    const agents = await Promise.all(
      ['ann', 'bob'].map((name) => connect(workspace, { args: ['--actor', name], name })),
    );
    const shares = await Promise.all(agents.map((agent) => workOff(workspace, agent)));
    const all = shares.flat();
    const ids = Array.from({ length: 12 }, (_, at) => `t${String(at + 1).padStart(3, '0')}`);
    expect(all.toSorted()).toEqual(ids);
    expect(await agents[0]?.call('run_status')).toMatchObject({
      heading: { status: 'completed' },
      finished: 12,
    });
    await expectSound(workspace);
  });

  it('that have no names of their own are still told apart', async () => {
    const workspace = await startedCrew();
    const [one, other] = await Promise.all([connect(workspace), connect(workspace)]);
    const [first, second] = await Promise.all([one.call('task_next'), other.call('task_next')]);
    expect(new Set([first.actor, second.actor]).size).toBe(2);
    expect([first.task?.unit, second.task?.unit].toSorted()).toEqual(['t1', 't3']);
  });
});

describe('a server that is killed', () => {
  const guarded = crewManifest.replace('check: non-empty', 'check: { function: ./guard.mjs#guard }');
  const guard = `
import { knock } from './door.mjs';
export async function guard(file) {
  await knock('guard', {});
  return file.text().length > 0;
}
`;

  it('in the middle of a completion leaves the claim as it was, and the next one goes on', async () => {
    const started = await startedCrew(guarded, { 'guard.mjs': guard });
    const { door, workspace } = await openDoor(started, ['guard']);
    const agent = await connect(workspace, { args: ['--actor', 'ann'] });
    const { task } = await agent.call('task_next');
    doWork(workspace, 't1');
    const lost = agent.result('task_complete', { unit: 't1', attempt: task?.attempt }).catch(() => 'gone');
    await door.visit('guard');
    process.kill(agent.pid, 'SIGKILL');
    expect(await lost).toBe('gone');
    expect(isAlive(agent.pid)).toBe(false);

    const other = await connect(started, { args: ['--actor', 'bob'] });
    expect(await other.call('run_plan')).toMatchObject({ cells: [{ unit: 't1', do: 'claimed' }, {}, {}] });
    expect(await other.refused('task_start', { unit: 't1' })).toMatchObject({ why: 'claimed', for: ['ann'] });

    const again = await connect(started, { args: ['--actor', 'ann'] });
    expect(await again.call('task_start', { unit: 't1' })).toMatchObject({
      task: { unit: 't1', attempt: 1 },
    });
    expect(await again.call('task_complete', { unit: 't1', attempt: 1 })).toMatchObject({
      again: false,
      finished: true,
      opened: ['t2'],
    });
    expect(read(started, 'notes/t1.md')).toBe('t1 is built\n');
    await expectSound(started);
  });

  it('after a claim leaves it to whoever goes by the same name', async () => {
    const workspace = await startedCrew();
    const agent = await connect(workspace, { args: ['--actor', 'ann'] });
    await agent.call('task_next');
    process.kill(agent.pid, 'SIGKILL');
    const again = await connect(workspace, { args: ['--actor', 'ann'] });
    expect(await again.call('task_next')).toMatchObject({ task: { unit: 't3' }, holding: [{ unit: 't1' }] });
    doWork(workspace, 't1');
    expect(await again.call('task_complete', { unit: 't1' })).toMatchObject({ finished: true });
    await expectSound(workspace);
  });

  it('leaves no file open and none behind when it was only asked things', async () => {
    const workspace = await startedCrew();
    const agent = await connect(workspace);
    const openFiles = () => readdirSync(`/proc/${agent.pid}/fd`).length;
    for (const tool of ['run_status', 'run_plan', 'run_list', 'run_resume']) await agent.call(tool);
    const before = openFiles();
    for (let count = 0; count < 20; count++) await agent.call('run_status');
    expect(openFiles()).toBe(before);
    expect(has(workspace, join('.pawl', 'objects', 'tmp'))).toBe(false);
  });
});

/** Claims, does and completes tasks until there are none. */
async function workOff(workspace: TestWorkspace, agent: Connected): Promise<string[]> {
  const done: string[] = [];
  for (;;) {
    const { task } = await agent.call('task_next');
    if (task === undefined) return done;
    doWork(workspace, task.unit);
    await agent.call('task_complete', { unit: task.unit, attempt: task.attempt });
    done.push(task.unit);
  }
}

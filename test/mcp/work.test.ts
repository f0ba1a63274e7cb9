import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawlJson } from '../support/command.ts';
import { tempFolder } from '../support/temp.ts';
import { copyOf, edit, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';
import { type Connected, connect, textOf } from './client.ts';
import { doWork, startedCrew } from './crew.ts';

let started: TestWorkspace;
let workspace: TestWorkspace;
let agent: Connected;

beforeAll(async () => {
  started = await startedCrew();
});

beforeEach(async () => {
  workspace = copyOf(started);
  agent = await connect(workspace, { args: ['--actor', 'ann'] });
});

describe('an agent', () => {
  it('says what its work has cost, and budgets see it', async () => {
    await agent.call('task_next');
    await agent.call('task_fail', { unit: 't1', reason: 'no nails', cost_usd: 0.5 });
    await agent.call('task_next');
    doWork(workspace, 't1');
    await agent.call('task_complete', { unit: 't1', cost_usd: 1.25, tokens: 1800 });
    const { total } = await pawlJson<{ total: object }>(workspace, 'cost');
    expect(total).toMatchObject({ spent: { usd: 1.75, outputTokens: 1800 }, wasted: { usd: 0.5 } });
    expect(await agent.refused('task_complete', { unit: 't1', cost_usd: -1 })).toBeDefined();
  });

  it('puts decisions on record, and whoever comes later is told', async () => {
    const wanted = { decision: 'oak, not pine', because: 'it lasts', affects: ['t1'] };
    expect(await agent.call('decision_record', wanted)).toMatchObject({ id: 'RD-001', actor: 'ann' });
    expect(await agent.call('decision_record', { decision: 'no roof' })).toMatchObject({ id: 'RD-002' });
    const told = await agent.result('brief_get');
    expect(textOf(told)).toContain('- RD-002 no roof\n- RD-001 oak, not pine, because it lasts');
    expect(told.structuredContent).toMatchObject({
      document: { decision_log: [{ id: 'RD-001', rationale: 'it lasts', applied: false }, { id: 'RD-002' }] },
    });
  });

  it('is oriented by the same brief that lies on disk, and changes nothing by asking', async () => {
    await agent.call('task_next');
    const { path } = await agent.call<{ readonly path: string }>('brief_get');
    const before = read(workspace, path);
    write(workspace, path, before.replace(/next_step: .*/, 'next_step: Sweep the yard'));
    const edited = read(workspace, path);
    const told = await agent.result('brief_get');
    expect(told.structuredContent).toMatchObject({
      ok: true,
      heading: { pipeline: 'crew' },
      document: { recovery_state: { current_phase_name: 'build', workflow_status: 'running' } },
      staleness: { level: 'FRESH' },
    });
    expect(textOf(told)).toContain('## Next step\nFinish t1/build');
    expect(read(workspace, path)).toBe(edited);
  });

  it('works through all tasks: claim, do, complete', async () => {
    const first = await agent.call('task_next');
    expect(first).toMatchObject({
      actor: 'ann',
      task: {
        unit: 't1',
        title: 'Lay the floor',
        phase: 'build',
        role: 'builder',
        attempt: 1,
        data: { how: 'plain' },
        prompt: { text: 'Build t1.\n' },
        outputs: [{ name: 'note', path: 'notes/t1.md', check: 'non-empty' }],
        files: ['src/floor.txt'],
      },
      holding: [],
    });
    doWork(workspace, 't1');
    const done = await agent.call('task_complete', { unit: 't1', attempt: 1, note: 'oak, not pine' });
    expect(done).toMatchObject({
      act: 'completed',
      unit: 't1',
      again: false,
      finished: true,
      opened: ['t2'],
      outputs: [{ name: 'note', path: 'notes/t1.md' }],
      files: [{ path: 'src/floor.txt' }],
    });
    for (const unit of ['t2', 't3']) {
      expect(await agent.call('task_next')).toMatchObject({ task: { unit } });
      doWork(workspace, unit);
      await agent.call('task_complete', { unit });
    }
    expect(await agent.call('task_next')).toMatchObject({ none: { code: 'all-done' }, tasks: { done: 3 } });
    expect(await pawlJson(workspace, 'status')).toMatchObject({ heading: { status: 'completed' } });
  });

  it('claims a task by its name, and gets it back after it has forgotten all', async () => {
    expect(await agent.call('task_start', { unit: 't3' })).toMatchObject({
      task: { unit: 't3', attempt: 1 },
    });
    expect(await agent.call('task_start', { unit: 't3' })).toMatchObject({
      task: { unit: 't3', attempt: 1 },
    });
    expect(await agent.call('task_next')).toMatchObject({ task: { unit: 't1' }, holding: [{ unit: 't3' }] });
    expect(await agent.refused('task_start', { unit: 't2' })).toMatchObject({ reason: 'not-claimable' });
  });

  it('says that it is still at it', async () => {
    const { task } = await agent.call('task_next');
    const renewed = await agent.call('task_heartbeat', { unit: 't1', attempt: task?.attempt });
    expect(renewed).toMatchObject({ act: 'renewed', unit: 't1', attempt: 1 });
    expect(String(renewed.leaseUntil) >= String(task?.leaseUntil)).toBe(true);
  });

  it('gives a task back, and another one gets it', async () => {
    await agent.call('task_next');
    expect(await agent.call('task_release', { unit: 't1' })).toMatchObject({ act: 'released' });
    const other = await connect(workspace, { args: ['--actor', 'bob'] });
    expect(await other.call('task_next')).toMatchObject({ actor: 'bob', task: { unit: 't1' } });
  });

  it('says that a task failed, and may try it again', async () => {
    await agent.call('task_next');
    const failed = await agent.call('task_fail', { unit: 't1', reason: 'no oak left' });
    expect(failed).toMatchObject({ act: 'failed', reason: 'no oak left' });
    expect(await agent.call('run_why', { cell: 't1/build' })).toMatchObject({
      failure: { reason: 'agent-failed', message: 'no oak left' },
    });
    expect(await agent.call('task_start', { unit: 't1' })).toMatchObject({ task: { attempt: 2 } });
  });

  it('says that a task cannot go on, and later that it can', async () => {
    await agent.call('task_next');
    await agent.call('task_block', { unit: 't1', reason: 'which wood?' });
    expect(await agent.call('task_next')).toMatchObject({ task: { unit: 't3' }, tasks: { blocked: 1 } });
    expect(await agent.refused('task_start', { unit: 't1' })).toMatchObject({ why: 'blocked' });
    expect(await agent.call('task_unblock', { unit: 't1', note: 'oak' })).toMatchObject({ opened: [] });
    expect(await agent.call('task_start', { unit: 't1' })).toMatchObject({ task: { unit: 't1' } });
  });

  it('is told what is missing, and completes when it is there', async () => {
    await agent.call('task_next');
    const refusal = await agent.refused('task_complete', { unit: 't1' });
    expect(refusal).toMatchObject({
      ok: false,
      reason: 'completion-incomplete',
      problems: [{ path: 'src/floor.txt' }, { path: 'notes/t1.md', output: 'note' }],
    });
    expect(refusal.text).toContain('src/floor.txt');
    write(workspace, 'src/floor.txt', 'oak\n');
    write(workspace, 'notes/t1.md', '');
    expect(await agent.refused('task_complete', { unit: 't1' })).toMatchObject({
      problems: [{ output: 'note', problem: 'check-failed' }],
    });
    write(workspace, 'drafts/note.md', 'elsewhere\n');
    await agent.call('task_complete', { unit: 't1', outputs: { note: 'drafts/note.md' } });
    expect(read(workspace, 'notes/t1.md')).toBe('elsewhere\n');
  });

  it('is told the same when it says twice that a task is done', async () => {
    await agent.call('task_next');
    doWork(workspace, 't1');
    expect(await agent.call('task_complete', { unit: 't1', attempt: 1 })).toMatchObject({ again: false });
    expect(await agent.call('task_complete', { unit: 't1', attempt: 1 })).toMatchObject({ again: true });
  });

  it('cannot complete what is not its own', async () => {
    await agent.call('task_next');
    doWork(workspace, 't1');
    const other = await connect(workspace, { args: ['--actor', 'bob'] });
    expect(await other.refused('task_complete', { unit: 't1' })).toMatchObject({
      reason: 'claim-lost',
      holder: { actor: 'ann' },
    });
    expect(await agent.call('task_complete', { unit: 't1' })).toMatchObject({ again: false });
  });

  it('may say who it is, and is refused a name that is none', async () => {
    expect(await agent.call('task_next', { actor: 'cid' })).toMatchObject({ task: { actor: 'cid' } });
    expect(await agent.refused('task_next', { actor: '../x' })).toMatchObject({
      reason: 'usage',
      problem: { code: 'bad-actor' },
    });
    expect(await agent.refused('task_next', { role: 'painter' })).toMatchObject({
      problem: { code: 'unknown-role', valid: ['builder'] },
    });
  });

  it('need not wait for an answer before it calls again: its calls are carried out in their order', async () => {
    doWork(workspace, 't1');
    const answers = await Promise.all([
      agent.call('task_start', { unit: 't1' }),
      agent.call('task_heartbeat', { unit: 't1' }),
      agent.call('task_complete', { unit: 't1' }),
      agent.call('task_next'),
      agent.call('task_next'),
      agent.call('task_next'),
    ]);
    expect(answers.map(({ act, task, none }) => act ?? task?.unit ?? none)).toEqual([
      't1',
      'renewed',
      'completed',
      't2',
      't3',
      expect.objectContaining({ code: 'nothing-now', claimed: 2 }),
    ]);
  });
});

describe('looking', () => {
  it('tells runs, where one stands, what comes next and why', async () => {
    const { runs } = await agent.call<{ runs: { run: string }[] }>('run_list');
    expect(runs).toEqual([expect.objectContaining({ pipeline: 'crew' })]);
    const run = runs[0]?.run.slice(0, -2);
    await agent.call('task_next');
    expect(await agent.call('run_status', { run, limit: 2 })).toMatchObject({
      heading: { pipeline: 'crew' },
      phases: ['build'],
      units: [{ unit: 't1' }, { unit: 't2' }],
      total: 3,
      finished: 0,
    });
    expect(await agent.call('run_status', { run, limit: 2, offset: 2 })).toMatchObject({
      units: [{ unit: 't3', cells: [{ phase: 'build', status: 'ready' }] }],
    });
    expect(await agent.call('run_plan', { run })).toMatchObject({
      cells: [
        { unit: 't1', phase: 'build', do: 'claimed' },
        { unit: 't2', do: 'wait', for: ['t1'] },
        { unit: 't3', do: 'run', why: { code: 'never-ran' } },
      ],
      finished: false,
    });
    expect(await agent.call('run_why', { run, cell: 't2/build' })).toMatchObject({
      status: 'pending',
      verdict: { do: 'wait', for: ['t1'] },
    });
  });

  it('lists tasks by their states', async () => {
    await agent.call('task_next');
    await agent.call('task_block', { unit: 't3', reason: 'which colour?' });
    const listed = await agent.result('task_list');
    expect(listed.structuredContent).toMatchObject({
      list: [
        { unit: 't1', state: 'claimed', claim: { actor: 'ann' } },
        { unit: 't2', state: 'pending', needs: ['t1'] },
        { unit: 't3', state: 'blocked', reason: 'which colour?' },
      ],
      total: 3,
      tasks: { claimed: 1, pending: 1, blocked: 1 },
    });
    expect(textOf(listed)).toContain('t3 Paint the sign (which colour?)');
    expect(await agent.call('task_list', { states: ['pending', 'done'] })).toMatchObject({
      list: [{ unit: 't2' }],
      total: 1,
    });
  });

  it('leaves finished units out, unless they are asked for', async () => {
    await agent.call('task_next');
    doWork(workspace, 't1');
    await agent.call('task_complete', { unit: 't1' });
    expect(await agent.call('run_status')).toMatchObject({ finished: 1, total: 2 });
    expect(await agent.call('run_status', { all: true })).toMatchObject({ finished: 1, total: 3 });
  });

  it('gives the resume report', async () => {
    await agent.call('task_next');
    doWork(workspace, 't1');
    await agent.call('task_complete', { unit: 't1' });
    const report = await agent.result('run_resume');
    expect(report.structuredContent).toMatchObject({
      tasks: { done: 1, total: 3 },
      lastCompleted: { unit: 't1', title: 'Lay the floor' },
      nextAction: { code: 'claim-task', unit: 't2' },
      inDoubt: [],
    });
    expect(report.content).toEqual([{ type: 'text', text: expect.stringContaining('RESUMING RUN') }]);
  });

  it('changes nothing on disk', async () => {
    const before = await pawlJson(workspace, 'inspect');
    for (const tool of ['run_list', 'run_status', 'run_plan', 'run_resume', 'checkpoint_list'])
      await agent.call(tool);
    expect(await pawlJson(workspace, 'inspect')).toEqual(before);
  });

  it('tells of a guard that refuses, and hands nothing out', async () => {
    edit(workspace, 'build.md', 'Build', 'Rebuild');
    await agent.call('task_next');
    doWork(workspace, 't1');
    await agent.call('task_complete', { unit: 't1' });
    edit(workspace, 'build.md', 'Rebuild', 'Build');
    expect(await agent.call('run_plan')).toMatchObject({ refusals: [{ guard: 'prompt-changed' }] });
    expect(await agent.refused('task_next')).toMatchObject({ reason: 'refused' });
  });
});

describe('a workspace', () => {
  it('without a manifest is told of', async () => {
    const empty = workspaceWith('');
    const connected = await connect(empty, { cwd: tempFolder() });
    const refusal = await connected.refused('run_status');
    expect(refusal).toMatchObject({
      reason: 'manifest-not-found',
      next: [expect.stringContaining('pawl.yaml'), 'to write a small one to start from: pawl init'],
    });
    expect(refusal.text).toContain('no manifest');
  });

  it('with a manifest that is wrong is told of, with the place', async () => {
    edit(workspace, 'pawl.yaml', 'lease: 10m', 'leaze: 10m');
    expect(await agent.refused('task_next')).toMatchObject({
      reason: 'manifest-invalid',
      problems: [{ code: 'unknown-key', place: { file: 'pawl.yaml', line: 11 } }],
    });
  });

  it('without a run, or without the run that is named, is told of', async () => {
    expect(await agent.refused('run_status', { run: 'nothing-like-it' })).toMatchObject({
      reason: 'run-not-found',
      next: expect.arrayContaining([expect.stringContaining('run_list')]),
    });
    const fresh = workspaceWith(
      'pawl: 1\npipeline: p\nunits: [a]\nphases: { build: { run: { task: b } } }\n',
    );
    const connected = await connect(fresh);
    expect(await connected.refused('task_next')).toMatchObject({ reason: 'no-run' });
    expect(await connected.call('run_list')).toMatchObject({ runs: [], total: 0 });
  });

  it('with several manifests is chosen from', async () => {
    write(workspace, 'other/blaze.yaml', read(workspace, 'pawl.yaml').replace('crew', 'blaze'));
    write(workspace, 'other/build.md', 'Build.\n');
    write(workspace, 'other/ember.yaml', read(workspace, 'pawl.yaml').replace('crew', 'ember'));
    expect(await agent.refused('run_list', { manifest: 'other' })).toMatchObject({
      reason: 'which-workspace',
      candidates: ['other/blaze.yaml', 'other/ember.yaml'],
    });
    expect(await agent.call('run_list', { manifest: 'other/blaze.yaml' })).toMatchObject({ total: 0 });
    const other = await connect(workspace, { args: ['other/blaze.yaml'] });
    expect(await other.call('run_list')).toMatchObject({ total: 0 });
  });
});

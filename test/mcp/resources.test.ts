import { beforeAll, describe, expect, it } from 'vitest';
import { type TestWorkspace, workspaceWith } from '../support/workspace.ts';
import { type Connected, connect } from './client.ts';
import { doWork, startedCrew } from './crew.ts';

let workspace: TestWorkspace;
let agent: Connected;
let run: string;

beforeAll(async () => {
  workspace = await startedCrew();
  agent = await connect(workspace, { args: ['--actor', 'ann'] });
  const { runs } = await agent.call<{ runs: { run: string }[] }>('run_list');
  run = runs[0]?.run ?? '';
  await agent.call('task_next');
  doWork(workspace, 't1');
  await agent.call('task_complete', { unit: 't1' });
});

async function textAt(uri: string): Promise<string> {
  const { contents } = await agent.client.readResource({ uri });
  const [only, ...others] = contents;
  expect(others).toEqual([]);
  expect(only).toMatchObject({ uri });
  return only !== undefined && 'text' in only ? only.text : '';
}

describe('resources', () => {
  it('are listed for every run, and can be completed', async () => {
    const { resources } = await agent.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      `run://${run}/status`,
      `run://${run}/ledger`,
      `run://${run}/report`,
    ]);
    const { resourceTemplates } = await agent.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'run://{id}/status',
      'run://{id}/ledger',
      'run://{id}/report',
    ]);
    const { completion } = await agent.client.complete({
      ref: { type: 'ref/resource', uri: 'run://{id}/status' },
      argument: { name: 'id', value: run.slice(0, 8) },
    });
    expect(completion.values).toEqual([run]);
  });

  it('tell where a run stands', async () => {
    expect(JSON.parse(await textAt(`run://${run}/status`))).toMatchObject({
      ok: true,
      heading: { run },
      extent: { finished: 1 },
      units: [{ unit: 't1' }, { unit: 't2' }, { unit: 't3' }],
      total: 3,
    });
  });

  it('tell every attempt, with what it made', async () => {
    expect(JSON.parse(await textAt(`run://${run}/ledger`))).toMatchObject({
      heading: { run },
      units: [
        {
          unit: 't1',
          attempts: [
            { phase: 'build', outcome: 'succeeded', outputs: [{ name: 'note', path: 'notes/t1.md' }] },
          ],
        },
        { unit: 't2', attempts: [] },
        { unit: 't3', attempts: [] },
      ],
      total: 3,
    });
  });

  it('tell what comes next', async () => {
    const report = await textAt(`run://${run}/report`);
    expect(report).toContain(`RESUMING RUN: ${run}`);
    expect(report).toContain('Tasks: 1/3 complete');
  });

  it('that are not there are an error, and nothing else', async () => {
    await expect(agent.client.readResource({ uri: 'run://nothing/status' })).rejects.toMatchObject({
      message: expect.stringContaining('run://nothing/status'),
    });
    await expect(agent.client.readResource({ uri: `run://${run}/secrets` })).rejects.toThrow();
    await expect(agent.client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow();
    await expect(agent.client.readResource({ uri: 'run://..%2f..%2fetc/status' })).rejects.toThrow();
  });
});

describe('the prompt resume', () => {
  it('gives an agent the report, and how to work', async () => {
    const { prompts } = await agent.client.listPrompts();
    expect(prompts).toMatchObject([{ name: 'resume', arguments: [{ name: 'run', required: false }] }]);
    const { messages } = await agent.client.getPrompt({ name: 'resume', arguments: { run } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.any(String) } }]);
    const text = JSON.stringify(messages);
    for (const part of [run, 'Raise the walls', 'task_next', 'task_complete', 'task_heartbeat'])
      expect(text).toContain(part);
  });

  it('takes the run of the manifest when none is named, and completes names', async () => {
    const { messages } = await agent.client.getPrompt({ name: 'resume' });
    expect(JSON.stringify(messages)).toContain(run);
    const { completion } = await agent.client.complete({
      ref: { type: 'ref/prompt', name: 'resume' },
      argument: { name: 'run', value: '' },
    });
    expect(completion.values).toEqual([run]);
  });

  it('says so where there is nothing to resume', async () => {
    const { messages } = await agent.client.getPrompt({ name: 'resume', arguments: { run: 'nothing' } });
    expect(JSON.stringify(messages)).toContain('there is no run nothing');
    const empty = workspaceWith(
      'pawl: 1\npipeline: p\nunits: [a]\nphases: { build: { run: { task: b } } }\n',
    );
    const connected = await connect(empty);
    expect(JSON.stringify(await connected.client.getPrompt({ name: 'resume' }))).toContain('there is no run');
    expect(await connected.client.listResources()).toMatchObject({ resources: [] });
  });
});

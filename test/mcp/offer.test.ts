import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { blocksOf } from '../docs/page.ts';
import { projectRoot, type TestWorkspace } from '../support/workspace.ts';
import { type Connected, connect } from './client.ts';
import { startedCrew } from './crew.ts';

const looking = [
  'run_list',
  'run_status',
  'run_plan',
  'run_why',
  'run_resume',
  'task_list',
  'artifact_read',
  'checkpoint_list',
  'brief_get',
];
const claiming = ['task_next', 'task_start', 'task_heartbeat', 'task_release', 'task_fail'];
const recording = ['task_complete', 'task_block', 'task_unblock', 'checkpoint_decide', 'decision_record'];

let workspace: TestWorkspace;

beforeAll(async () => {
  workspace = await startedCrew();
});

describe('the page about MCP', () => {
  const page = readFileSync(join(projectRoot, 'docs/reference/mcp.md'), 'utf8');

  it('lists the tools that there are', () => {
    const listed = Array.from(page.matchAll(/^\| (`[a-z_`, ]+`) \|/gm), ([, names = '']) =>
      names.match(/[a-z_]+/g),
    );
    expect(listed.flat().toSorted()).toEqual([...looking, ...claiming, ...recording].toSorted());
  });

  it('shows settings that start this server', () => {
    const settings = blocksOf(page).filter(({ language }) => language === 'json');
    expect(settings).toHaveLength(5);
    for (const { text } of settings) {
      const [server] = Object.values(Object.values(JSON.parse(text))[0] as object);
      expect(server).toMatchObject({ command: 'npx', args: expect.arrayContaining(['pawl', 'mcp']) });
    }
  });
});

describe.each([
  ['of today', { mode: 'legacy' as const }],
  ['of the newest protocol', { mode: { pin: '2026-07-28' } }],
])('a client %s', (_, versionNegotiation) => {
  let connected: Connected;

  beforeAll(async () => {
    connected = await connect(workspace, { versionNegotiation });
  });

  it('is offered every tool, with what it takes, what it answers and what it does', async () => {
    const { tools } = await connected.client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      [...looking, ...claiming, ...recording].toSorted(),
    );
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(title, name).toBeTruthy();
      expect(description?.length, name).toBeGreaterThan(20);
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(annotations, name).toMatchObject({
        readOnlyHint: looking.includes(name),
        destructiveHint: false,
        idempotentHint: !claiming.includes(name),
        openWorldHint: false,
      });
      // An artifact is read as it is, and nothing of it is a document.
      if (name === 'artifact_read') expect(outputSchema).toBeUndefined();
      else expect(outputSchema, name).toMatchObject({ type: 'object', required: ['ok'] });
    }
  });

  it('is told who serves it, and how to work', () => {
    expect(connected.client.getServerVersion()).toMatchObject({ name: 'pawl' });
    expect(connected.client.getInstructions()).toContain('task_next');
  });

  it('is answered in words and as data', async () => {
    const status = await connected.result('run_status');
    expect(status.content).toEqual([{ type: 'text', text: expect.stringContaining('crew') }]);
    expect(status.structuredContent).toMatchObject({ ok: true, heading: { pipeline: 'crew' }, total: 3 });
  });

  it('is told what is wrong with a call', async () => {
    const unknown = await connected.result('run_status', { runs: 'x' });
    expect(unknown).toMatchObject({ isError: true });
    const wrong = await connected.result('task_complete', { unit: '' });
    expect(wrong).toMatchObject({ isError: true });
    await expect(connected.client.callTool({ name: 'run_everything', arguments: {} })).rejects.toThrow(
      'run_everything',
    );
  });

  it('claims under a name that says which program it is', async () => {
    const { task } = await connected.call('task_next');
    expect(task).toMatchObject({ actor: expect.stringMatching(/^tester-[a-z0-9]{6}$/) });
    await connected.call('task_release', { unit: task?.unit });
  });
});

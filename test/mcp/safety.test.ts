import { mkdirSync, symlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { tempFolder } from '../support/temp.ts';
import { copyOf, edit, has, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';
import { type Connected, connect } from './client.ts';
import { crewManifest, doWork, startedCrew } from './crew.ts';

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

describe('a path outside the workspace', () => {
  const outside = () => {
    const folder = tempFolder();
    const elsewhere: TestWorkspace = { root: folder, env: {} };
    write(elsewhere, 'pawl.yaml', crewManifest);
    write(elsewhere, 'secret.txt', 'hunter2\n');
    symlinkSync(folder, join(workspace.root, 'door'));
    return folder;
  };

  it('is refused as a manifest, by every tool that takes one', async () => {
    const folder = outside();
    const { tools } = await agent.client.listTools();
    const taking = tools.filter(({ inputSchema }) => 'manifest' in (inputSchema.properties ?? {}));
    expect(taking.length).toBeGreaterThan(10);
    const rest = { unit: 't1', cell: 't1/build', id: 'C1', reason: 'x', note: 'x', decision: 'approved' };
    for (const { name, inputSchema } of taking) {
      const needed = Object.fromEntries(
        Object.entries(rest).filter(([key]) => key in (inputSchema.properties ?? {})),
      );
      for (const manifest of ['..', folder, 'door', 'door/pawl.yaml', '/etc'])
        expect(await agent.refused(name, { ...needed, manifest }), name).toMatchObject({
          reason: 'path-outside',
          path: manifest,
        });
    }
  });

  it('is refused as an output or a file of a completed task, and nothing of it is kept', async () => {
    const folder = outside();
    await agent.call('task_next');
    doWork(workspace, 't1');
    for (const path of ['../../etc/passwd', '/etc/passwd', join(folder, 'secret.txt'), 'door/secret.txt']) {
      const refusal = { reason: 'path-outside', path };
      expect(await agent.refused('task_complete', { unit: 't1', outputs: { note: path } })).toMatchObject(
        refusal,
      );
      expect(await agent.refused('task_complete', { unit: 't1', files: [path] })).toMatchObject(refusal);
    }
    expect(await agent.call('run_plan')).toMatchObject({ cells: [{ unit: 't1', do: 'claimed' }, {}, {}] });
    const absolute = join(workspace.root, 'src/floor.txt');
    expect(await agent.call('task_complete', { unit: 't1', files: [absolute] })).toMatchObject({
      files: [{ path: 'src/floor.txt' }],
    });
  });

  it('is not served when the server is started there by a link', async () => {
    const folder = outside();
    const linked = await connect(workspace, { args: ['door'] });
    expect(await linked.refused('run_list', { manifest: workspace.root })).toMatchObject({
      reason: 'path-outside',
    });
    expect(await linked.call('run_list', { manifest: join(folder, 'pawl.yaml') })).toMatchObject({
      total: 0,
    });
  });
});

describe('code of a manifest', () => {
  it('is never run: not by opening a manifest that is a program', async () => {
    const work = workspaceWith(crewManifest, {
      'code/pawl.config.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('was-run', '');\n",
    });
    const connected = await connect(work);
    expect(await connected.refused('run_plan', { manifest: 'code' })).toMatchObject({
      reason: 'manifest-is-code',
      path: 'code/pawl.config.mjs',
    });
    expect(has(work, 'was-run') || has(work, 'code/was-run')).toBe(false);
  });

  it('is never run: not a check that came into the manifest after a person had started the run', async () => {
    await agent.call('task_next');
    doWork(workspace, 't1');
    edit(workspace, 'pawl.yaml', 'check: non-empty', 'check: { command: [touch, was-run] }');
    expect(await agent.refused('task_complete', { unit: 't1' })).toMatchObject({
      reason: 'refused',
      refusals: [{ guard: 'manifest-changed' }],
    });
    expect(has(workspace, 'was-run')).toBe(false);
    edit(workspace, 'pawl.yaml', 'check: { command: [touch, was-run] }', 'check: non-empty');
    expect(await agent.call('task_complete', { unit: 't1' })).toMatchObject({ finished: true });
  });

  it('is never run: not by claiming while phases of Pawl itself are next', async () => {
    const manifest = `
pawl: 1
pipeline: mixed
stages:
  - name: plan
    units: [all]
    phases: { plan: { run: { command: [node, plan.mjs] }, outputs: { text: plan.txt } } }
  - name: work
    units: [t1]
    phases: { build: { run: { task: builder }, outputs: { note: "notes/{unit}.md" } } }
`;
    const work = workspaceWith(manifest, { 'plan.mjs': 'process.exit(1);\n' });
    expect((await pawl(work, 'run')).code).toBe(1);
    write(work, 'plan.mjs', "import { writeFileSync } from 'node:fs';\nwriteFileSync('plan.txt', '');\n");
    const connected = await connect(work);
    expect(await connected.call('task_next')).toMatchObject({ none: { code: 'for-the-runner' } });
    expect(has(work, 'plan.txt')).toBe(false);
    expect(await connected.call('run_resume')).toMatchObject({ nextAction: { code: 'run-phases' } });
    expect(has(work, 'plan.txt')).toBe(false);
  });
});

describe('a decision', () => {
  const asking = (top = '') => `
pawl: 1
pipeline: judged
${top}
units: [{ id: one, verdicts: [fail] }]
phases:
  text: { run: { function: ./phases.mjs#step }, outputs: { text: "out/{unit}.txt" } }
  judge:
    run: { function: ./phases.mjs#judge }
    outputs: { report: "out/{unit}.json" }
    gate: { verdict: report.status, pass: [pass], back_to: text, iterations: 1, then: ask }
`;
  const started = async (top?: string) => {
    const work = workspaceWith(asking(top));
    expect((await pawl(work, 'run')).code).toBe(3);
    return work;
  };

  it('that a person has to make is shown, and cannot be made from here', async () => {
    const work = await started();
    const connected = await connect(work);
    expect(await connected.call('checkpoint_list')).toMatchObject({
      checkpoints: [
        {
          id: 'C1',
          name: 'judge gate',
          unit: 'one',
          phase: 'judge',
          question: 'gate',
          state: 'waiting',
          shown: expect.arrayContaining([
            { label: 'judge.report', path: 'out/one.json', hash: expect.stringMatching(/^sha256:/) },
          ]),
          askedAt: expect.stringMatching(/^2/),
          channels: ['terminal', 'page'],
          allowedHere: false,
        },
      ],
      total: 1,
    });
    for (const decision of ['approved', 'rejected']) {
      const refusal = await connected.refused('checkpoint_decide', { id: 'C1', decision, note: 'fine' });
      expect(refusal).toMatchObject({ reason: 'channel-closed', channel: 'mcp', id: 'C1' });
      expect(refusal.text).toContain('tell the person');
      // Whoever pastes what it says has decided nothing.
      expect(refusal.text).not.toContain('approve C1');
    }
    expect(await connected.call('checkpoint_list')).toMatchObject({ total: 1 });
    expect((await pawl(work, 'run')).code).toBe(3);
  });

  it('is handed on where the manifest says so, with who and how on record', async () => {
    const work = await started('channels: [terminal, mcp]');
    const connected = await connect(work);
    expect(await connected.call('checkpoint_list')).toMatchObject({ checkpoints: [{ allowedHere: true }] });
    const unsaid = await connected.refused('checkpoint_decide', { id: 'C1', decision: 'rejected' });
    expect(unsaid).toMatchObject({ reason: 'usage', problem: { code: 'needs-flag' } });
    expect(unsaid.text).toContain('`note`');
    const word = { id: 'C1', decision: 'approved', note: 'seen' };
    expect(await connected.call('checkpoint_decide', word)).toMatchObject({
      decision: 'approved',
      already: false,
      checkpoint: { id: 'C1', state: 'approved' },
    });
    expect(await connected.call('checkpoint_decide', word)).toMatchObject({ already: true });
    expect(await connected.refused('checkpoint_decide', { ...word, decision: 'rejected' })).toMatchObject({
      reason: 'question-closed',
      why: 'decided',
    });
    expect(await connected.call('checkpoint_list')).toMatchObject({ checkpoints: [], total: 0 });
    expect((await pawl(work, 'run')).code).toBe(0);
    const { stdout } = await pawl(work, 'checkpoints', '--history', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      checkpoints: [
        { id: 'C1', decided: { channel: 'mcp', by: userInfo().username, host: hostname(), note: 'seen' } },
      ],
    });
  });

  it('is refused where nothing of the kind is asked', async () => {
    const connected = await connect(await started('channels: [mcp]'));
    const refusal = await connected.refused('checkpoint_decide', { id: 'one/judge', decision: 'approved' });
    expect(refusal).toMatchObject({ reason: 'no-such-question', id: 'one/judge', open: ['C1'] });
    expect(refusal.text).toContain('checkpoint_list');
  });

  it('is never that of a phase of a run', async () => {
    const work = await started('channels: [mcp]');
    const env = { ...work.env, PAWL_UNIT: 'one', PAWL_PHASE: 'text' };
    const connected = await connect({ ...work, env });
    expect(await connected.refused('checkpoint_decide', { id: 'C1', decision: 'approved' })).toMatchObject({
      reason: 'inside-phase',
      cell: 'one/text',
    });
  });

  it('is asked of nobody where there is none', async () => {
    expect(await agent.call('checkpoint_list')).toMatchObject({ checkpoints: [], total: 0 });
  });
});

describe('hostile text', () => {
  const hostile = 'Lay\u001b[2J the \u202eroolf\u200b';

  it('in titles and reasons is handed on with everything visible', async () => {
    const work = await startedCrew(crewManifest.replace('Lay the floor', JSON.stringify(hostile)));
    const connected = await connect(work);
    const claimed = await connected.result('task_next');
    expect(claimed.structuredContent).toMatchObject({ task: { title: 'Lay the \\u{202e}roolf\\u{200b}' } });
    await connected.call('task_fail', { unit: 't1', reason: 'no\u200b oak\u0007' });
    const why = await connected.result('run_why', { cell: 't1/build' });
    for (const result of [claimed, why])
      expect(JSON.stringify(result)).not.toMatch(/[\p{Cf}\p{Cc}]|\\u001b|\\u0007/u);
    expect(why.structuredContent).toMatchObject({ failure: { message: 'no\\u{200b} oak\\u{7}' } });
  });

  it('as an argument does no harm', async () => {
    for (const run of ['__proto__', 'constructor', '../../x', 'a\u0000b', ' '.repeat(200)])
      expect(await agent.refused('run_status', { run })).toMatchObject({ reason: 'run-not-found' });
    const outputs = JSON.parse('{"__proto__":"notes/t1.md","constructor":"notes/t1.md"}');
    await agent.call('task_next');
    expect(await agent.refused('task_complete', { unit: 't1', outputs })).toMatchObject({ ok: false });
  });
});

describe('a folder that is not there', () => {
  it('ends the server at once, with a word on stderr and nothing on stdout', async () => {
    mkdirSync(join(workspace.root, 'empty'));
    const ended = await pawl(workspace, 'mcp', 'nowhere');
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('nowhere');
    const wrong = await pawl(workspace, 'mcp', '--actr', 'x');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('--actr');
    expect(read(workspace, 'pawl.yaml')).toBe(crewManifest);
  });
});

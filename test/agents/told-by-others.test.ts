import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { has, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

/* Runs that another tool has begun, whose planning is done by agents as its tasks are. */

const run = 'runs/20260105-1000-told-ab12';
const manifest = (planner = '{ task: planner }') => `
pawl: 1
pipeline: told
layout: { run: "runs/{id}" }
foreign:
  unit: [task_id]
  stage: [to_phase]
  events:
    run_started: { means: nothing }
    task_completed: { means: succeeded }
    task_skipped: { means: skipped }
    phase_transition: { means: stage-entered }
stages:
  - name: planning
    units: [planning]
    phases:
      prd: { run: { task: planner }, outputs: { prd: { path: "{run}/prd.md", check: non-empty } } }
      graph: { run: ${planner}, outputs: { graph: { path: "{run}/graph.json", check: json } } }
  - name: tasks
    units: { artifact: graph.graph.tasks }
    phases:
      do: { run: { task: executor }, outputs: { notes: "{run}/notes/{unit}.md" } }
`;
const graphOf = (...titles: string[]) =>
  JSON.stringify({ tasks: titles.map((title, nth) => ({ id: `T00${nth + 1}`, title })) });
const graph = graphOf('Parse', 'Print', 'Ship');

interface Status {
  readonly findings: readonly object[];
  readonly status: string;
}

function toldWorkspace(
  lines: readonly (object | string)[],
  files: Readonly<Record<string, string>> = {},
  planner?: string,
): TestWorkspace {
  const work = workspaceWith(manifest(planner), {
    'graph.mjs': `import { copyFileSync } from 'node:fs';\ncopyFileSync('next.json', process.env.PAWL_OUTPUT_GRAPH);\n`,
    'next.json': graphOf('Set up the package', 'Print'),
  });
  const start = Date.now() - 60_000;
  const text = lines.map((line, nth) =>
    typeof line === 'string'
      ? line
      : JSON.stringify({ timestamp: new Date(start + nth).toISOString(), ...line }),
  );
  write(work, `${run}/events/orchestrator/log.jsonl`, `${text.join('\n')}\n`);
  for (const [name, content] of Object.entries(files)) write(work, `${run}/${name}`, content);
  return work;
}

const begun = { event_type: 'run_started' };
const past = { event_type: 'phase_transition', to_phase: 1 };
const done = (task_id: string) => ({ event_type: 'task_completed', task_id });

async function stateOf(work: TestWorkspace, step: string): Promise<unknown> {
  const { verdict } = await pawlJson<{ verdict: { do: string; why?: { code: string } } }>(work, 'why', step);
  return verdict.why === undefined ? verdict.do : `${verdict.do} ${verdict.why.code}`;
}

describe('the log of another tool that has only begun', () => {
  it.each([
    ['with a word for it', begun],
    ['without', { event_type: 'constitution_drafted' }],
  ])('is a run with nothing done yet: %s', async (_, event) => {
    const work = toldWorkspace([event], { 'constitution.md': '# Half of it' });
    const runs = await pawl(work, 'runs');
    expect(runs).toMatchObject({ code: 0, stderr: '' });
    expect(runs.stdout).not.toContain('damaged');
    expect((await pawlJson<Status>(work, 'status')).finished.code).toBe(0);
    const resumed = await pawl(work, 'run');
    expect(resumed.code, resumed.stderr).toBe(75);
    expect(read(work, `${run}/constitution.md`)).toBe('# Half of it');
    expect(has(work, `${run}/events/runner/000001.jsonl`)).toBe(true);
  });
});

describe('planning by agents', () => {
  const files = { 'prd.md': '# Required', 'graph.json': graph };

  it('is taken over where the log is past it, and a task that was skipped is', async () => {
    const skipped = { event_type: 'task_skipped', task_id: 'T002', reason: 'not needed' };
    const work = toldWorkspace([begun, past, done('T001'), skipped], files);
    expect((await pawl(work, 'run')).code).toBe(75);
    expect(await stateOf(work, 'planning/prd')).toBe('reuse');
    expect(await stateOf(work, 'T001/do')).toBe('reuse');
    expect(await stateOf(work, 'T002/do')).toBe('skip told-skipped');
    expect((await pawl(work, 'why', 'T002/do')).stdout).toContain('left it out: not needed');
    expect(await stateOf(work, 'T003/do')).toBe('run never-ran');
    expect(read(work, `${run}/graph.json`)).toBe(graph);
  });

  it('is not where the log does not say that it is over', async () => {
    const work = toldWorkspace([begun], files);
    expect((await pawl(work, 'plan')).stdout).toMatch(/claim +prd of planning: never ran/);
  });
});

describe('a task that another tool has done', () => {
  it('is another one when the list is made again with its id, and is done then', async () => {
    const work = toldWorkspace(
      [begun, past, done('T001'), done('T002')],
      { 'prd.md': '# R' },
      '{ command: [node, graph.mjs] }',
    );
    expect((await pawl(work, 'run')).code).toBe(75);
    expect(has(work, `${run}/graph.json`)).toBe(true);
    expect(await stateOf(work, 'T001/do')).toBe('run told-of-another');
    expect((await pawl(work, 'plan')).stdout).toContain('orchestrator has done another task of this id');
  });

  it('stays done when the list says the same of it, and only then', async () => {
    const work = toldWorkspace(
      [begun, past, done('T001'), done('T002')],
      { 'prd.md': '# R', 'graph.json': graph },
      '{ command: [node, graph.mjs] }',
    );
    expect((await pawl(work, 'run')).code).toBe(75);
    expect(await stateOf(work, 'T001/do')).toBe('reuse');
    write(work, `${run}/graph.json`, read(work, 'next.json'));
    const adopted = await pawl(work, 'adopt', 'planning/graph', '--reason', 'another plan');
    expect(adopted.code, adopted.stderr).toBe(0);
    expect(await stateOf(work, 'T001/do')).toBe('run told-of-another');
    expect(await stateOf(work, 'T002/do')).toBe('reuse');
  });
});

describe('damage in the log of another tool', () => {
  it('is a warning in the middle, with its lines, and quiet at the torn end', async () => {
    const work = toldWorkspace([begun, '%PDF', 'nonsense', done('T001'), '{"timestamp": "20']);
    const file = `${run}/events/orchestrator/log.jsonl`;
    write(work, file, read(work, file).trimEnd());
    const { findings } = await pawlJson<Status>(work, 'status');
    expect(findings).toEqual([
      { code: 'garbage-line', file, line: 2, lastLine: 3, weight: 'warning' },
      { code: 'torn-tail', file, line: 5, weight: 'quiet' },
    ]);
    const { stdout } = await pawl(work, 'status');
    expect(stdout).toContain(`! ${file}:2-3: a line is no event`);
  });
});

describe('a file of a stage that the log is past, which fails its check', () => {
  const broken = '{ "tasks": [';
  const files = { 'prd.md': ' \n', 'graph.json': graph };
  const toldPast = () => toldWorkspace([begun, past, done('T001')], files);

  it('is neither replaced nor accepted until a person has chosen', async () => {
    const work = toldPast();
    for (const command of ['run', 'resume', 'plan']) {
      const refused = await pawl(work, command);
      expect(refused.code, command).toBe(4);
      expect(refused.stderr).toMatch(
        /prd\.md of planning\/prd fails its check non-empty: .*nothing was started/,
      );
      expect(refused.stderr).toContain('pawl run --rerun-from prd --reason');
    }
    const why = await pawl(work, 'why', 'planning/prd');
    expect(why).toMatchObject({ code: 4, stderr: expect.stringContaining('pawl run --force') });
    const { stdout } = await pawl(work, 'status');
    expect(stdout).toMatch(
      /prd\.md of planning\/prd fails its check non-empty: .*before a person has chosen/,
    );
    expect(stdout).not.toContain('moves it to aside/');
    expect(read(work, `${run}/prd.md`)).toBe(' \n');
    expect(has(work, `${run}/events/runner`)).toBe(false);

    expect((await pawl(work, 'run', '--force')).code).toBe(2);
    expect((await pawl(work, 'run', '--rerun-from', 'prd', '--unit', 'T001')).code).toBe(4);
    expect((await pawl(work, 'run', '--force', '--reason', 'approved on paper')).code).toBe(75);
    expect(read(work, `${run}/events/runner/000001.jsonl`)).toContain('"reason":"approved on paper"');
    expect(read(work, `${run}/prd.md`)).toBe(' \n');
    expect(await stateOf(work, 'planning/prd')).toBe('reuse');
    expect(await stateOf(work, 'T001/do')).toBe('reuse');
  });

  it('is made again when that is what they want', async () => {
    const work = toldWorkspace(
      [begun, past, done('T001')],
      { 'prd.md': '# R', 'graph.json': broken },
      '{ command: [node, graph.mjs] }',
    );
    expect((await pawl(work, 'run')).code).toBe(4);
    const again = await pawl(work, 'run', '--rerun-from', 'graph', '--reason', 'it was cut off');
    expect(again.code, again.stderr).toBe(75);
    expect(read(work, `${run}/graph.json`)).toBe(read(work, 'next.json'));
    expect(again.stderr).toContain('aside/');
    expect(await stateOf(work, 'T001/do')).toBe('run rerun-requested');
  });
});

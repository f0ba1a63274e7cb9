import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { hashes, read, type TestWorkspace, write } from '../support/workspace.ts';
import { newDemo } from './crew.ts';

/*
 * The example goes on with a directory that another tool has written: what its words mean stands in the manifest. As in
 * the protocol that the layout is taken from, its logs have several spellings, and a line that is torn.
 */

const run = '.agent-memory/runs/20260105-1000-lexis-ab12';
const day = '2026-01-05';

interface Graph {
  readonly stages: readonly {
    readonly tasks: readonly { unit: string; state: string; inDoubt: boolean }[];
  }[];
}

interface Status {
  readonly findings: readonly { readonly file: string; readonly line?: number }[];
}

describe('a directory of another tool', () => {
  it('says where each task stands', async () => {
    const demo = await toldDemo();
    const { stages } = await pawlJson<Graph>(demo, 'graph');
    const states = stages.flatMap(({ tasks }) => tasks).map(({ unit, state }) => [unit, state] as const);
    expect(Object.fromEntries(states)).toMatchObject({
      planning: 'done',
      T001: 'done',
      T002: 'implemented',
      T003: 'in_progress',
      T004: 'blocked',
      T005: 'pending',
      T006: 'pending',
    });
    const doubtful = stages.flatMap(({ tasks }) => tasks).filter(({ inDoubt }) => inDoubt);
    expect(doubtful.map(({ unit }) => unit)).toEqual(['T003']);
  });

  it('is gone on with after somebody has said so, and its files stay as they were', async () => {
    const demo = await toldDemo();
    const before = hashes(demo, `${run}/events`);
    for (const command of ['run', 'resume'])
      expect(await pawlJson(demo, command)).toMatchObject({ exitCode: 4, reason: 'run-stale' });
    expect(hashes(demo, `${run}/events`)).toEqual(before);
    const gone = await pawlJson(demo, 'resume', '--yes');
    // What was told as implemented is verified, and found not to be there.
    expect(gone.finished).toMatchObject({ code: 75 });
    expect(hashes(demo, `${run}/events`)).toMatchObject(before);
    const handed = await pawlJson<{ task?: { unit: string; prompt: { text: string } } }>(
      demo,
      'start',
      'T002',
      '--actor',
      'executor-9',
    );
    expect(handed.task?.prompt.text).toContain('work/src/words.js: is not there');
  });

  it('is shown with its damage and its unknown words', async () => {
    const demo = await toldDemo();
    const { findings } = await pawlJson<Status>(demo, 'status');
    const brief = (await pawl(demo, 'brief')).stdout;
    expect(brief).toContain('T003/implement, attempt 1, claimed by executor-1"');
    expect(findings.map(({ file, line }) => `${file}:${line}`).sort()).toEqual([
      `${run}/events/executor-1/log.jsonl:7`,
      `${run}/events/orchestrator/log.jsonl:2`,
    ]);
  });
});

/** A fresh copy of the example, and beside it a run that only another tool has worked on. */
async function toldDemo(): Promise<TestWorkspace> {
  const demo = await newDemo();
  write(demo, `${run}/constitution.md`, '# Constitution\n\n- No dependency\n');
  write(demo, `${run}/prd.md`, '# What is required\n\n- R1: Words\n');
  write(demo, `${run}/plan.md`, '# Plan\n\n- words first\n');
  write(
    demo,
    `${run}/task-graph.json`,
    read(demo, 'standin/task-graph.json').replace('proposed', 'approved'),
  );
  write(
    demo,
    `${run}/events/orchestrator/log.jsonl`,
    lines(
      { timestamp: `${day}T10:00:00Z`, event_type: 'phase_transition', from_phase: 1, to_phase: 2 },
      { timestamp: `${day}T10:30:00Z`, event_type: 'coffee_made', task_id: 'T001' },
    ),
  );
  const told = lines(
    { timestamp: `${day}T10:01:00Z`, event_type: 'TASK-STARTED', task_id: 'T001' },
    { timestamp: `${day}T10:02:00Z`, event_type: 'TaskCompleted', task_id: 'T001' },
    { timestamp: `${day}T10:03:00Z`, type: 'task_started', task_id: 'T002' },
    { timestamp: `${day}T10:04:00Z`, type: 'task_implemented', data: { task_id: 'T002' } },
    { timestamp: `${day}T10:05:00Z`, type: 'task_started', task_id: 'T003' },
    { timestamp: `${day}T10:06:00Z`, type: 'task_blocked', task_id: 'T004', reason: 'no dictionary' },
  );
  write(demo, `${run}/events/executor-1/log.jsonl`, `${told}{"timestamp": "20`);
  return demo;
}

function lines(...events: readonly object[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

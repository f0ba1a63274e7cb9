import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/base/json.ts';
import { problemsOf } from '../../src/projections/brief/schema.ts';
import { pawlJson, start } from '../support/command.ts';
import { eventsOf } from '../support/journal.ts';
import { edit, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

const manifest = `
pawl: 1
pipeline: licence
units: [headers]
phases:
  apply: { run: { task: writer }, outputs: { list: "out/{unit}.md" } }
layout: { brief: ORCHESTRATION.yaml }
`;

/** As another tool kept it for weeks: three gates, defects, two compactions, and what people wrote. */
const document = `# Kept by the orchestrator.
workflow: { id: lic-1 }
resumption:
  recovery_state:
    last_checkpoint: CP-006
    current_phase: 3
    current_phase_name: Headers
    workflow_status: ACTIVE
    current_activity: applying headers
    next_step: "Apply the SPDX headers to src/."   # decided on Tuesday
    context_fill_at_update: 71
    updated_at: "2026-02-20T10:00:00Z"
    cross_session_portable: true
  files_to_read:
    - { path: PLAN.md, priority: 1, purpose: the plan, sections: [Phase 3] }
    - NOTES.md
  quality_trajectory:
    gates_completed: [QG-1, QG-2]
    gates_remaining: [QG-3]
    current_gate: QG-3
    current_gate_iteration: 2
    score_history:
      QG-1: [0.9, 0.94]
      QG-2: [0.95]
      QG-3: [0.88]
    lowest_dimension: evidence
    total_iterations_used: 4
  defect_summary:
    total_defects_found: 9
    total_defects_resolved: 7
    unresolved_defects: [DEF-8, DEF-9]
    recurring_patterns:
      - { pattern: links are missing, resolution: null }
    last_gate_primary_defect: DEF-8
  decision_log:
    - { id: RD-001, gate: QG-1, iteration: 2, decision: Use Apache-2.0, rationale: deps, affects_phases: [2], applied: true }
  agent_summaries:
    audit-executor: "PASS. All 25 deps Apache-2.0 compatible. No blockers."
  compaction_events:
    count: 2
    events:
      - id: CX-001
        timestamp: "2026-02-19T10:00:00Z"
        trigger: auto
        estimated_fill_before: 88
        active_phase: 2
        active_gate: QG-2
        active_gate_iteration: 1
        checkpoint_file: checkpoints/cx-001.json
        acknowledged: true
      - id: CX-002
        timestamp: "2026-02-20T09:00:00Z"
        trigger: manual
        estimated_fill_before: null
        active_phase: 3
        active_gate: null
        active_gate_iteration: null
        checkpoint_file: checkpoints/cx-002.json
        acknowledged: false
agents: [a, b] # ours
`;

const sectionIn = (text: string) => (parse(text) as { readonly resumption: JsonObject }).resumption;
const sectionOf = (work: TestWorkspace) => sectionIn(read(work, 'ORCHESTRATION.yaml'));
const before = sectionIn(document);

function workspaceOf(text: string): TestWorkspace {
  const work = workspaceWith(manifest);
  write(work, 'ORCHESTRATION.yaml', text);
  return work;
}

it('a document that was kept before the run keeps what people wrote and what happened before', async () => {
  const work = workspaceOf(document);
  const { stdout, stderr } = await expectCode(work, 75, 'run');
  const backup = /The original is at (\S+)/.exec(stderr)?.[1] ?? '';
  expect(stdout).toContain(
    'Imported what people wrote (next_step, files_to_read, recurring_patterns, decision_log and agent_summaries)',
  );
  expect(readFileSync(join(work.root, backup), 'utf8')).toBe(document);

  const after = sectionOf(work);
  expect(after).toMatchObject({
    recovery_state: { next_step: 'Apply the SPDX headers to src/.', last_checkpoint: 'CP-006' },
    quality_trajectory: {
      gates_completed: ['QG-1', 'QG-2'],
      gates_remaining: ['QG-3'],
      score_history: { 'QG-1': [0.9, 0.94], 'QG-2': [0.95], 'QG-3': [0.88] },
      lowest_dimension: 'evidence',
      total_iterations_used: 4,
    },
    defect_summary: before.defect_summary,
    decision_log: before.decision_log,
    agent_summaries: before.agent_summaries,
    compaction_events: before.compaction_events,
  });
  expect(after.files_to_read).toEqual(expect.arrayContaining(before.files_to_read as JsonObject[]));
  expect(problemsOf(after)).toEqual([]);
  const text = read(work, 'ORCHESTRATION.yaml');
  expect(text).toContain('# decided on Tuesday');
  expect(text).toContain('agents: [a, b] # ours');

  expect(eventsOf(work, 'brief_authored')).toMatchObject([
    {
      nextStep: 'Apply the SPDX headers to src/.',
      files: before.files_to_read,
      patterns: [{ pattern: 'links are missing', resolution: null }],
    },
  ]);
  expect(eventsOf(work, 'brief_imported')).toMatchObject([
    { path: 'ORCHESTRATION.yaml', backup, history: { compaction_events: before.compaction_events } },
  ]);
  expect(eventsOf(work, 'brief_edited')).toEqual([]);

  // The run's own history is added to it; a compaction gets the next number.
  const input = JSON.stringify({ hook_event_name: 'PreCompact', session_id: 's1', trigger: 'auto' });
  expect((await start(work, ['hook', 'claude'], { input }).ended).code).toBe(0);
  await expectCode(work, 0, 'brief');
  expect(sectionOf(work)).toMatchObject({
    compaction_events: { count: 3, events: [{ id: 'CX-001' }, { id: 'CX-002' }, { id: 'CX-003' }] },
    quality_trajectory: { total_iterations_used: 4 },
  });
  expect(eventsOf(work, 'brief_imported')).toHaveLength(1);
});

it('what a document does not know stays unknown, and an odd shape is read', async () => {
  const work = workspaceOf(`
resumption:
  recovery_state: { next_step: Ask Ann, updated_at: "2026-02-20T10:00:00Z" }
  files_to_read: { PLAN.md: the plan }
  quality_trajectory: { gates_completed: [QG-1], total_iterations_used: null }
  defect_summary: { unresolved_defects: [] }
`);
  const { notices } = await pawlJson<{ ok: boolean; notices: readonly { code: string }[] }>(work, 'run');
  expect(notices).toMatchObject([
    {
      code: 'brief-imported',
      authored: ['next_step', 'files_to_read'],
      history: ['recovery_state', 'quality_trajectory', 'defect_summary'],
    },
  ]);
  const after = sectionOf(work);
  expect(after).toMatchObject({
    recovery_state: { next_step: 'Ask Ann', last_checkpoint: null },
    quality_trajectory: { gates_completed: ['QG-1'], total_iterations_used: null },
    defect_summary: { total_defects_found: null, total_defects_resolved: null, unresolved_defects: [] },
    compaction_events: { count: 0, events: [] },
  });
  expect(after.files_to_read).toContainEqual({
    path: 'PLAN.md',
    priority: 1,
    purpose: 'the plan',
    sections: [],
  });
  expect(problemsOf(after)).toEqual([]);
});

it.each([
  ['an hour from now', new Date(Date.now() + 3_600_000).toISOString()],
  ['a local time without its zone', new Date(Date.now() + 2 * 3_600_000).toISOString().slice(0, 16)],
])('a document that seems to be newer than the run was kept before it: %s', async (_, time) => {
  const work = workspaceOf(document.replace('2026-02-20T10:00:00Z', time));
  await expectCode(work, 75, 'run');
  expect(sectionOf(work)).toMatchObject({
    recovery_state: { next_step: 'Apply the SPDX headers to src/.' },
    quality_trajectory: { gates_completed: ['QG-1', 'QG-2'] },
    compaction_events: { count: 2 },
  });
  expect(eventsOf(work, 'brief_imported')).toHaveLength(1);
});

it.each([
  ['an empty history', '{ gates_completed: [QG-1], score_history: {} }'],
  ['scores that are words', '{ gates_completed: [QG-1], score_history: { QG-1: "passed" } }'],
  ['no history', '{ gates_completed: [QG-1] }'],
])('rounds are not counted from %s', async (_, quality) => {
  const work = workspaceOf(`
resumption:
  recovery_state: { next_step: Go, updated_at: "2026-02-20T10:00:00Z" }
  quality_trajectory: ${quality}
`);
  await expectCode(work, 75, 'run');
  expect(sectionOf(work)).toMatchObject({
    quality_trajectory: { gates_completed: ['QG-1'], total_iterations_used: null },
  });
});

it('a manifest that names the document later imports it as well, however new it is', async () => {
  const work = workspaceOf(document);
  edit(work, 'pawl.yaml', 'layout: { brief: ORCHESTRATION.yaml }', '');
  await expectCode(work, 75, 'run');
  write(work, 'ORCHESTRATION.yaml', document.replace('2026-02-20T10:00:00Z', new Date().toISOString()));
  write(work, 'pawl.yaml', manifest);
  await expectCode(work, 0, 'brief');
  expect(sectionOf(work)).toMatchObject({
    recovery_state: { next_step: 'Apply the SPDX headers to src/.' },
    compaction_events: { count: 2 },
  });
  expect(eventsOf(work, 'brief_imported', 'hooks')).toHaveLength(1);
  // What the run has written there itself is not taken over a second time.
  await expectCode(work, 0, 'decide', 'Go on');
  expect(eventsOf(work, 'brief_imported', 'hooks')).toHaveLength(1);
  expect(sectionOf(work)).toMatchObject({ quality_trajectory: { total_iterations_used: 4 } });
});

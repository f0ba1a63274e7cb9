import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/base/json.ts';
import type { MigrateAnswer } from '../../src/engine/brief/answers.ts';
import { pawl, pawlJson } from '../support/command.ts';
import { has, read, workspaceWith } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

/* Sections as orchestrators kept them by hand, shortened. Each is a file of its own in one workspace. */

const prose: Readonly<Record<string, readonly [state: string, status: string]>> = {
  fractions: ['WORKFLOW COMPLETE. All 12/12 agents executed. All 3 tasks validated.', 'completed'],
  list: ['WORKFLOW COMPLETE. All phases COMPLETE (0/1/2A/2B/3/4). QG-1 PASS (0.9340).', 'completed'],
  barriers: ['WORKFLOW COMPLETE. 38 agents executed. 3/3 barriers complete.', 'completed'],
  review: ['WORKFLOW COMPLETE. ADR status: PROPOSED, pending review by the user.', 'completed'],
  pending: ['Workflow not started. All phases pending.', 'not_started'],
  dashes: ['ACTIVE -- Group 4 complete. 5/10 phases done (50%).', 'running'],
  underscores: ['WORKFLOW_COMPLETE', 'completed'],
};

const dialect = `
# An older spike.
resumption:
  # where it ended
  last_completed_phase: 5
  next_action: "Accept DEC-001, then start with CWI-00."
  key_artifacts_to_read:
    - res/work-items-v2.md   # twelve of them
  context_summary: "5 phases, 7 agents, 2 quality gates."
  owner: ann
tail: { a:   1 }
`;

const unmapped = `
resumption:
  phase_notes: "Phase 2 is half done."
  previous: BARRIER_2
`;

const contradicting = `
resumption:
  recovery_state: { workflow_status: COMPLETED, next_step: Execute Phase 3, current_phase: 3, next_phase: 4 }
  files_to_read: [PLAN.md]
  quality_trajectory: { gates_remaining: [QG-3], current_gate: QG-3 }
`;

const released = `
resumption:
  recovery_state:
    workflow_status: "ACTIVE"
    current_activity: "WORKFLOW_COMPLETE"
    next_step: "None -- workflow llm-1 COMPLETED and RELEASED"
`;

const disagreeing = `
resumption:
  current_state: "PHASE_2_READY"
  next_step: "Execute Phase 3"
  files_to_read: []
`;

const twice = `phases:
  - path_id: analysis
    completed_at: "2026-02-19T00:00:00Z"
    completed_at: null
resumption:
  next_step: go
`;

describe('pawl brief migrate', () => {
  const files = {
    ...Object.fromEntries(
      Object.entries(prose).map(([name, [state]]) => [
        `${name}.yaml`,
        `resumption:\n  current_state: ${JSON.stringify(state)}\n  next_step: close it\n  files_to_read: [A.md]\n`,
      ]),
    ),
    'docs/dialect.yaml': dialect,
    'unmapped.yaml': unmapped,
    'contradicting.yaml': contradicting,
    'released.yaml': released,
    'disagreeing.yaml': disagreeing,
    'twice.yaml': twice,
  };
  const work = workspaceWith(
    'pawl: 1\npipeline: p\nunits: [a]\nphases: { w: { run: { task: writer }, outputs: { o: "{unit}.md" } } }\n',
    files,
  );
  const migrate = (name: string, ...more: string[]) =>
    pawlJson<MigrateAnswer>(work, 'brief', 'migrate', name, ...more);
  const stateOf = (name: string) =>
    (parse(read(work, name)) as { resumption: { recovery_state: JsonObject } }).resumption.recovery_state;

  it.each(Object.entries(prose))('reads the status that prose begins with: %s', async (name, [, status]) => {
    const answer = await migrate(`${name}.yaml`, '--write');
    expect(answer.warnings).toEqual([]);
    expect(stateOf(`${name}.yaml`).workflow_status).toBe(status);
    expect(stateOf(`${name}.yaml`)).not.toHaveProperty('current_state');
  });

  it('reads the keys of other dialects, puts recovery_state first, and keeps the file as it was', async () => {
    const { stdout } = await expectCode(work, 0, 'brief', 'migrate', 'docs/dialect.yaml', '--write');
    const text = read(work, 'docs/dialect.yaml');
    expect(text).toMatch(
      /^\n# An older spike\.\nresumption:\n {2}recovery_state:\n {4}last_checkpoint: null\n/,
    );
    expect(text).toContain('\n  # where it ended\n');
    expect(text).toContain('# twelve of them\n');
    expect(text.endsWith('tail: { a:   1 }\n')).toBe(true);
    expect(stateOf('docs/dialect.yaml')).toMatchObject({
      current_phase: 5,
      next_step: 'Accept DEC-001, then start with CWI-00.',
      current_activity: '5 phases, 7 agents, 2 quality gates.',
    });
    expect(parse(text)).toMatchObject({
      resumption: { files_to_read: ['res/work-items-v2.md'], owner: 'ann' },
    });
    const backup = /the file as it was is (\.pawl\/backups\/\S+)/.exec(stdout)?.[1] ?? '';
    expect(read(work, backup)).toBe(dialect);
    expect(stdout).toContain('recovery_state.workflow_status is empty');
    // Nothing to do, nothing to keep.
    expect(await migrate('docs/dialect.yaml', '--write')).not.toHaveProperty('backup');
  });

  it('warns of what it leaves empty, and names the keys that it does not know', async () => {
    const { warnings, kept } = await migrate('unmapped.yaml');
    expect(warnings.map(({ path }) => path)).toEqual([
      'recovery_state.workflow_status',
      'recovery_state.next_step',
      'files_to_read',
    ]);
    expect(kept).toEqual(['phase_notes', 'previous']);
    const { stdout } = await expectCode(work, 0, 'brief', 'migrate', 'unmapped.yaml');
    expect(stdout).toMatch(/next_step is empty: .*phase_notes and previous/);
  });

  it('makes statuses canonical, says what they were, and reports every contradiction', async () => {
    const { stdout } = await expectCode(work, 0, 'brief', 'migrate', 'contradicting.yaml');
    expect(stdout).toContain('workflow_status: "COMPLETED" becomes "completed"');
    const codes = async (name: string) => (await migrate(name)).contradictions.map(({ code }) => code);
    expect(await codes('contradicting.yaml')).toEqual([
      'complete-and-next-step',
      'complete-and-next-phase',
      'complete-and-gates-remaining',
      'complete-and-current-gate',
    ]);
    expect(await codes('released.yaml')).toEqual(['status-and-activity', 'status-and-next-step']);
    expect(await codes('disagreeing.yaml')).toEqual(['next-step-and-state']);
    expect((await migrate('disagreeing.yaml')).warnings).toContainEqual({
      code: 'left-empty',
      path: 'files_to_read',
    });
  });

  it('names a key that stands twice anywhere in the file, with its place, and leaves the file alone', async () => {
    const finished = await pawl(work, 'brief', 'migrate', 'twice.yaml', '--write');
    expect(finished.code).toBe(7);
    expect(finished.stderr).toContain('twice.yaml:4:5 has the key completed_at twice in the same map');
    expect(read(work, 'twice.yaml')).toBe(twice);
    expect(has(work, '.pawl/runs')).toBe(false);
  });
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { type Brief, sectionNames } from './document.ts';
import { makeBriefJsonSchema, problemsOf } from './schema.ts';

const brief: Brief = {
  recovery_state: {
    last_checkpoint: 'CP-014',
    current_phase: 3,
    current_phase_name: 'write',
    workflow_status: 'IN_PROGRESS',
    current_activity: 'write: scene 14 of 40',
    next_step: 'pawl resume',
    context_fill_at_update: 61.5,
    updated_at: '2026-02-20T10:00:00.000Z',
    cross_session_portable: true,
    ephemeral_references: [],
  },
  files_to_read: ['PLAN.md', { path: 'draft.md', priority: 1, purpose: 'The text', sections: ['Scene 14'] }],
  quality_trajectory: {
    gates_completed: ['QG-1'],
    gates_remaining: ['QG-2'],
    current_gate: 'QG-2',
    current_gate_iteration: 2,
    score_history: { 'QG-1': [0.8, 0.94], 'QG-2': [] },
    lowest_dimension: 'rigour',
    total_iterations_used: 3,
  },
  defect_summary: {
    total_defects_found: 4,
    total_defects_resolved: 3,
    unresolved_defects: ['D-4'],
    recurring_patterns: [
      { pattern: 'no tests', resolution: null },
      { pattern: 'typos', resolution: 'a spell check' },
    ],
    last_gate_primary_defect: null,
  },
  decision_log: [
    {
      id: 'RD-001',
      gate: null,
      iteration: null,
      decision: 'CSV only',
      rationale: 'nobody reads XML',
      affects_phases: [3, 'the export'],
      applied: false,
    },
  ],
  agent_summaries: { 'executor-1': 'DONE. 403 files modified.' },
  compaction_events: {
    count: 1,
    events: [
      {
        id: 'CX-001',
        timestamp: '2026-02-20T09:00:00+01:00',
        trigger: 'auto',
        estimated_fill_before: null,
        active_phase: 2,
        active_gate: null,
        active_gate_iteration: null,
        checkpoint_file: 'inbox/cx-001.json',
        acknowledged: true,
      },
    ],
  },
};
const section = brief as unknown as JsonObject;

/** The section with another value at a path such as `decision_log.0.id`; undefined takes it out. */
function withValue(path: string, value: JsonValue | undefined): JsonValue {
  const copy = structuredClone(section) as Record<string, JsonValue>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  const parent = keys.reduce((found, key) => found[key] as Record<string, JsonValue>, copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

describe('a section as it should be', () => {
  it('has no problems', () => {
    expect(problemsOf(section)).toEqual([]);
  });

  it.each(['recovery_state.cross_session_portable', 'recovery_state.ephemeral_references'])(
    'may go without %s',
    (path) => {
      expect(problemsOf(withValue(path, undefined))).toEqual([]);
    },
  );

  it.each([
    'colour',
    'recovery_state.current_state',
    'files_to_read.1.owner',
    'quality_trajectory.highest_dimension',
    'defect_summary.rate',
    'defect_summary.recurring_patterns.0.gates',
    'decision_log.0.timestamp',
    'compaction_events.note',
    'compaction_events.events.0.session',
  ])('may have more: %s', (path) => {
    expect(problemsOf(withValue(path, { whatever: [1, null] }))).toEqual([]);
  });

  it.each<[string, JsonValue]>([
    ['recovery_state.last_checkpoint', null],
    ['recovery_state.last_checkpoint', 'CP-0014'],
    ['recovery_state.last_checkpoint', 'CP-1000000'],
    ['recovery_state.current_phase', 0],
    ['recovery_state.updated_at', null],
    ['recovery_state.updated_at', '2026-02-20t10:00:00z'],
    ['recovery_state.updated_at', '2026-02-20 10:00:00.123456-08:00'],
    ['recovery_state.updated_at', '1990-12-31T23:59:60Z'],
    ['files_to_read', []],
    ['files_to_read', ['a', 'b']],
    ['quality_trajectory.score_history', {}],
    ['decision_log', []],
    ['agent_summaries', {}],
  ])('may say %s: %j', (path, value) => {
    expect(problemsOf(withValue(path, value))).toEqual([]);
  });
});

describe('a section that is not', () => {
  it.each<[string, JsonValue | undefined, string, string?]>([
    ['recovery_state', undefined, 'missing'],
    ['recovery_state', 'Phase 2', 'not-an-object'],
    ['recovery_state', [], 'not-an-object'],
    ['recovery_state.next_step', undefined, 'missing'],
    ['recovery_state.next_step', null, 'not-text'],
    ['recovery_state.last_checkpoint', 'CP-14', 'not-a-checkpoint-id'],
    ['recovery_state.last_checkpoint', 'cp-014', 'not-a-checkpoint-id'],
    ['recovery_state.last_checkpoint', 'none', 'not-a-checkpoint-id'],
    ['recovery_state.last_checkpoint', 3, 'not-a-checkpoint-id'],
    ['recovery_state.last_checkpoint', undefined, 'missing'],
    ['recovery_state.current_phase', 'Phase 3', 'not-a-number'],
    ['recovery_state.current_phase', 2.5, 'not-a-whole-number'],
    ['recovery_state.current_phase', -1, 'out-of-range'],
    ['recovery_state.updated_at', '2026-02-20', 'not-a-time'],
    ['recovery_state.updated_at', '2026-02-20T10:00:00', 'not-a-time'],
    ['recovery_state.updated_at', '2026-02-30T10:00:00Z', 'not-a-time'],
    ['recovery_state.updated_at', 1771581600, 'not-a-time'],
    ['recovery_state.context_fill_at_update', '61%', 'not-a-number'],
    ['files_to_read', 'PLAN.md', 'not-a-list'],
    ['files_to_read.0', 7, 'not-a-file', 'files_to_read[0]'],
    ['files_to_read.0', '', 'not-a-file', 'files_to_read[0]'],
    ['files_to_read.1.path', undefined, 'missing', 'files_to_read[1].path'],
    ['files_to_read.1.priority', 'high', 'not-a-number', 'files_to_read[1].priority'],
    ['files_to_read.1.sections', 'Scene 14', 'not-a-list', 'files_to_read[1].sections'],
    ['files_to_read.1.sections', [1], 'not-text', 'files_to_read[1].sections[0]'],
    ['quality_trajectory.score_history', [], 'not-an-object'],
    ['quality_trajectory.score_history.QG-1', 0.9, 'not-a-list'],
    ['quality_trajectory.gates_completed', 'none', 'not-a-list'],
    ['quality_trajectory.total_iterations_used', 'none', 'not-a-number'],
    [
      'defect_summary.recurring_patterns.0',
      'no tests',
      'not-an-object',
      'defect_summary.recurring_patterns[0]',
    ],
    ['decision_log.0.id', 'RD-1', 'not-a-decision-id', 'decision_log[0].id'],
    ['decision_log.0.affects_phases', [null], 'not-a-phase', 'decision_log[0].affects_phases[0]'],
    ['decision_log.0.applied', 'yes', 'not-true-or-false', 'decision_log[0].applied'],
    ['agent_summaries', [], 'not-an-object'],
    ['agent_summaries.executor-1', { status: 'DONE' }, 'not-text'],
    ['compaction_events', [], 'not-an-object'],
    ['compaction_events.count', -1, 'out-of-range'],
    ['compaction_events.events.0.id', 'CX-1', 'not-a-compaction-id', 'compaction_events.events[0].id'],
    ['compaction_events.events.0.timestamp', null, 'not-a-time', 'compaction_events.events[0].timestamp'],
    ['compaction_events.events.0.trigger', 'timer', 'not-one-of', 'compaction_events.events[0].trigger'],
  ])('%s: %j is told', (path, value, problem, shown = path) => {
    expect(problemsOf(withValue(path, value))).toEqual([{ path: shown, problem }]);
  });

  it.each([null, 'text', 7, []])('is no section: %j', (value) => {
    expect(problemsOf(value)).toEqual([{ path: '', problem: 'not-an-object' }]);
  });

  it('is told of each part that is missing', () => {
    expect(problemsOf({})).toEqual(sectionNames.map((path) => ({ path, problem: 'missing' })));
  });

  it('does not say the same thing for ever', () => {
    const files = Array.from({ length: 5000 }, () => 7);
    expect(problemsOf(withValue('files_to_read', files))).toHaveLength(200);
  });

  it('can be anything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const { problem } of problemsOf(value as JsonValue))
          expect(problem).toMatch(/^[a-z]+(-[a-z]+)*$/);
      }),
    );
  });
});

describe('schema/brief.schema.json', () => {
  const published = JSON.parse(
    readFileSync(new URL('../../../schema/brief.schema.json', import.meta.url), 'utf8'),
  ) as JsonObject;

  it('is what the code says (npm run schema writes it)', () => {
    expect(published).toEqual(makeBriefJsonSchema());
    expect(published.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  });

  it('says of a document what the code says', () => {
    const schema = z.fromJSONSchema(published as Parameters<typeof z.fromJSONSchema>[0]);
    const accepts = (resumption: JsonValue) => schema.safeParse({ workflow: {}, resumption }).success;
    expect(accepts(section)).toBe(true);
    expect(accepts(withValue('recovery_state.colour', 'red'))).toBe(true);
    expect(accepts(withValue('recovery_state.last_checkpoint', 'CP-3'))).toBe(false);
    expect(accepts(withValue('recovery_state.updated_at', 'yesterday'))).toBe(false);
    expect(accepts(withValue('compaction_events.events.0.trigger', 'timer'))).toBe(false);
    for (const name of sectionNames) expect(accepts(withValue(name, undefined))).toBe(false);
    expect(schema.safeParse({}).success).toBe(false);
  });
});

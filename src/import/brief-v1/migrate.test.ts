import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { contradictionsIn, empty, migrated, stateOf, valid } from '../../../test/fixtures/brief-v1.ts';
import { sectionNames } from '../../projections/brief/document.ts';
import { migrateSection } from './migrate.ts';

describe('a document of version 1', () => {
  it('has its fields moved and its prose taken apart', () => {
    const migration = migrated(`
      last_checkpoint: CP-003
      current_state: "Phase 3 (Implementation) in progress: the parser"
      next_step: Finish the parser
      files_to_read: [PLAN.md, ORCHESTRATION.yaml]
      cross_session_portable: true
      ephemeral_references: false`);
    expect(migration).toEqual({
      from: 1,
      section: {
        ...empty,
        recovery_state: {
          ...empty.recovery_state,
          last_checkpoint: 'CP-003',
          current_phase: 3,
          current_phase_name: 'Implementation',
          workflow_status: 'running',
          current_activity: 'the parser',
          next_step: 'Finish the parser',
          cross_session_portable: true,
          ephemeral_references: false,
        },
        files_to_read: ['PLAN.md', 'ORCHESTRATION.yaml'],
      },
      changes: expect.any(Array),
      contradictions: [],
      warnings: [],
      kept: [],
      problems: [],
    });
    expect(migration.changes.slice(0, 9)).toEqual([
      { code: 'moved', path: 'last_checkpoint', to: 'recovery_state.last_checkpoint' },
      { code: 'moved', path: 'next_step', to: 'recovery_state.next_step' },
      { code: 'moved', path: 'cross_session_portable', to: 'recovery_state.cross_session_portable' },
      { code: 'moved', path: 'ephemeral_references', to: 'recovery_state.ephemeral_references' },
      { code: 'taken-from-prose', path: 'recovery_state.current_phase', value: 3 },
      { code: 'taken-from-prose', path: 'recovery_state.current_phase_name', value: 'Implementation' },
      { code: 'taken-from-prose', path: 'recovery_state.workflow_status', value: 'running' },
      { code: 'removed', path: 'current_state', because: 'told-in-fields' },
      { code: 'taken-from-prose', path: 'recovery_state.current_activity', value: 'the parser' },
    ]);
  });

  it('keeps the order that it had, with recovery_state first', () => {
    const section = valid('colour: red\nfiles_to_read: []\nnext_step: go\nowner: ann');
    expect(Object.keys(section).slice(0, 4)).toEqual(['recovery_state', 'colour', 'files_to_read', 'owner']);
    expect(Object.keys(section).slice(4)).toEqual(sectionNames.slice(2));
  });

  it('may be empty', () => {
    expect(valid('{}')).toEqual(empty);
    expect(valid(sectionNames.map((name) => `${name}: null`).join('\n'))).toEqual(empty);
    expect(valid('last_checkpoint: null\ncurrent_state: ""\nnext_step: null\nfiles_to_read: []')).toEqual(
      empty,
    );
  });

  it('keeps prose that cannot be taken apart, and says it as the activity, too', () => {
    const prose = 'ALL 10/10 stories COMPLETE. Pending: the last gate.';
    expect(stateOf(`current_state: "${prose}"`)).toEqual({
      ...empty.recovery_state,
      current_activity: prose,
      current_state: prose,
    });
  });

  it('keeps prose of which only a part is proven', () => {
    expect(stateOf('current_state: Phase 2 of 5 complete')).toMatchObject({
      current_phase: 2,
      workflow_status: '',
      current_activity: 'Phase 2 of 5 complete',
      current_state: 'Phase 2 of 5 complete',
    });
  });

  it('takes a word for a status', () => {
    expect(stateOf('current_state: IN_PROGRESS')).toMatchObject({
      workflow_status: 'running',
      current_activity: '',
    });
    expect(stateOf('current_state: COMPLETE')).not.toHaveProperty('current_state');
  });

  it.each(['{ phase: 2, note: halfway }', '[drafting, reviewing]', '7', 'true'])(
    'may say in other forms how it stands: %s',
    (value) => {
      const state = stateOf(`current_state: ${value}`);
      expect(state.current_state).toEqual(parse(value));
    },
  );

  it('may call the checkpoint otherwise', () => {
    expect(stateOf('last_checkpoint_id: CP-002').last_checkpoint).toBe('CP-002');
    expect(stateOf('last_checkpoint_id: null\nlast_checkpoint: CP-001').last_checkpoint).toBe('CP-001');
  });

  it('may have fields of version 2 at the top', () => {
    expect(
      stateOf('updated_at: 2026-02-20T10:00:00Z\nworkflow_status: ACTIVE\ncurrent_phase: 2\nnext_step: go'),
    ).toMatchObject({
      updated_at: '2026-02-20T10:00:00Z',
      workflow_status: 'running',
      current_phase: 2,
      next_step: 'go',
    });
  });

  it('keeps what the format does not know, at its place', () => {
    const { section, kept, problems } = migrated(`
      next_step: go
      disclaimer: generated
      adrs: [{ id: ADR-1, score: 0.935 }]
      recovery_state: { current_group: 0 }
      files_to_read: [{ path: a.md, owner: ann }]
      quality_trajectory: { highest_dimension: rigour }
      defect_summary: { rate: 0, recurring_patterns: [{ pattern: p, gates_affected: [qg-1] }] }
      decision_log: [{ decision: d, timestamp: 2026-02-20 }]
      compaction_events: { note: none seen, events: [] }`);
    expect(problems).toEqual([]);
    expect(kept).toEqual([
      'disclaimer',
      'adrs',
      'recovery_state.current_group',
      'files_to_read[0].owner',
      'quality_trajectory.highest_dimension',
      'defect_summary.rate',
      'defect_summary.recurring_patterns[0].gates_affected',
      'decision_log[0].timestamp',
      'compaction_events.note',
    ]);
    expect(section).toMatchObject({ disclaimer: 'generated', adrs: [{ id: 'ADR-1', score: 0.935 }] });
  });
});

describe('a document of version 2', () => {
  it('is given back as it is', () => {
    const section = valid('next_step: go\nlast_checkpoint: CP-001');
    const again = migrateSection(section);
    expect(again).toMatchObject({ from: 2, changes: [], contradictions: [], problems: [] });
    expect(again.section).toBe(section);
  });

  it('is completed where parts are missing', () => {
    const text = 'recovery_state: { workflow_status: PLANNED, next_step: go, current_activity: idle }';
    const { from, section } = migrated(text);
    expect(from).toBe(2);
    expect(section).toEqual({
      ...empty,
      recovery_state: {
        ...empty.recovery_state,
        workflow_status: 'PLANNED',
        next_step: 'go',
        current_activity: 'idle',
      },
    });
  });

  it('keeps its words for the status', () => {
    expect(stateOf('recovery_state: { workflow_status: PHASE_3_GATED }').workflow_status).toBe(
      'PHASE_3_GATED',
    );
  });

  it('is left alone where its state is no map', () => {
    const { from, section, problems } = migrated('recovery_state: [a, b]\nnext_step: go');
    expect(from).toBe(1);
    expect(section).toMatchObject({ recovery_state: ['a', 'b'], next_step: 'go' });
    expect(problems).toEqual([{ path: 'recovery_state', problem: 'not-an-object' }]);
  });
});

describe('a document that is half migrated', () => {
  it('is completed', () => {
    const { from, section, contradictions } = migrated(`
      recovery_state: { next_step: go, last_checkpoint: null, current_activity: "" }
      last_checkpoint: CP-004
      current_activity: drafting
      files_to_read: [a.md]`);
    expect({ from, contradictions }).toEqual({ from: 1, contradictions: [] });
    expect(section.recovery_state).toMatchObject({
      next_step: 'go',
      last_checkpoint: 'CP-004',
      current_activity: 'drafting',
    });
    expect(Object.keys(section)).not.toContain('last_checkpoint');
  });

  it('loses at the old place what the new one says, too', () => {
    const text =
      'next_step: go\nlast_checkpoint: cp-3\nrecovery_state: { next_step: go, last_checkpoint: CP-003 }';
    expect(valid(text)).toMatchObject({ recovery_state: { next_step: 'go', last_checkpoint: 'CP-003' } });
    expect(Object.keys(valid(text))).toEqual([...sectionNames]);
  });

  it('says both where they contradict, and the new place holds', () => {
    const { section, contradictions, kept, problems } = migrated(
      'next_step: start over\nrecovery_state: { next_step: go on }',
    );
    expect(section).toMatchObject({ next_step: 'start over', recovery_state: { next_step: 'go on' } });
    expect(contradictions).toEqual([
      {
        code: 'both-places',
        path: 'next_step',
        said: 'start over',
        holds: 'recovery_state.next_step',
        value: 'go on',
      },
    ]);
    expect(kept).toEqual(['next_step']);
    expect(problems).toEqual([]);
  });

  it('takes from prose what the fields do not say', () => {
    const state = stateOf(
      'current_state: "Phase 3 in progress: the parser"\nrecovery_state: { current_phase: "3", workflow_status: ACTIVE }',
    );
    expect(state).toMatchObject({
      current_phase: 3,
      workflow_status: 'running',
      current_activity: 'the parser',
    });
    expect(state).not.toHaveProperty('current_state');
  });

  it('keeps prose that says more than the activity', () => {
    expect(
      stateOf(
        'current_state: "Phase 3 in progress: the parser"\nrecovery_state: { current_activity: lexing }',
      ),
    ).toMatchObject({
      current_phase: 3,
      current_activity: 'lexing',
      current_state: 'Phase 3 in progress: the parser',
    });
  });

  it('takes nothing from prose that contradicts a field', () => {
    const { section, contradictions } = migrated(
      'current_state: "Phase 2 (Design) in progress: x"\nrecovery_state: { current_phase: 3 }',
    );
    expect(section).toMatchObject({
      current_state: 'Phase 2 (Design) in progress: x',
      recovery_state: {
        current_phase: 3,
        current_phase_name: null,
        workflow_status: '',
        current_activity: '',
      },
    });
    expect(contradictions).toEqual([
      { code: 'prose-and-field', path: 'recovery_state.current_phase', said: 2, value: 3 },
    ]);
  });

  it.each([
    ['current_phase_name: Testing', 'current_phase_name', 'Design', 'Testing'],
    ['workflow_status: COMPLETE', 'workflow_status', 'running', 'completed'],
  ])('tells each field that prose contradicts: %s', (field, key, said, value) => {
    const text = `current_state: Phase 2 (Design) in progress\nrecovery_state: { ${field} }`;
    expect(contradictionsIn(text)).toEqual([
      { code: 'prose-and-field', path: `recovery_state.${key}`, said, value },
    ]);
  });

  it('has two proses', () => {
    expect(contradictionsIn('current_state: a\nrecovery_state: { current_state: b }')).toMatchObject([
      { code: 'both-places', path: 'current_state', holds: 'recovery_state.current_state' },
    ]);
    expect(contradictionsIn('current_state: a\nrecovery_state: { current_state: a }')).toEqual([]);
  });
});

describe('a state that contradicts its next step', () => {
  it.each([
    ['COMPLETE', 'Start phase 2'],
    ['WORKFLOW COMPLETE. All gates passed.', 'Execute the agents of Phase 2'],
    ['Done.', 'Proceed to phase-3'],
  ])('is told: %s, %s', (state, nextStep) => {
    expect(contradictionsIn(`current_state: "${state}"\nnext_step: "${nextStep}"`)).toEqual([
      { code: 'complete-and-next-step', status: 'completed', nextStep },
    ]);
  });

  it('is told of a document of version 2, too', () => {
    expect(
      contradictionsIn('recovery_state: { workflow_status: COMPLETE, next_step: Run Phase 4 }'),
    ).toMatchObject([{ status: 'completed' }]);
  });

  it.each([
    ['COMPLETE', 'None. See the report of phase 3'],
    ['WORKFLOW COMPLETE. All gates passed.', 'Commit all artifacts.'],
    ['Phase 2 complete', 'Start phase 3'],
    ['Phase 2 in progress', 'Start phase 3'],
  ])('is not: %s, %s', (state, nextStep) => {
    expect(contradictionsIn(`current_state: "${state}"\nnext_step: "${nextStep}"`)).toEqual([]);
  });
});

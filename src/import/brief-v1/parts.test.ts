import { describe, expect, it } from 'vitest';
import { contradictionsIn, empty, migrated, problemsIn, valid } from '../../../test/fixtures/brief-v1.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';

describe('files', () => {
  const filesOf = (text: string) => valid(`files_to_read:${text}`).files_to_read;
  const entry = (path: string, priority: number, purpose = '', sections: JsonValue = []) => ({
    path,
    priority,
    purpose,
    sections,
  });

  it('may be paths, entries, or both', () => {
    const both = '\n- a.md\n- { path: b.md, priority: 1, purpose: why, sections: [x] }\n- c.md';
    expect(filesOf(both)).toEqual(['a.md', entry('b.md', 1, 'why', ['x']), 'c.md']);
  });

  it('get what an entry lacks; the first in the list is read first', () => {
    expect(filesOf('\n- a.md\n- { path: b.md, purpose: why }\n- { path: c.md, priority: null }')).toEqual([
      'a.md',
      entry('b.md', 2, 'why'),
      entry('c.md', 3),
    ]);
  });

  it.each([
    '{ file: a.md, reason: why }',
    '{ file: a.md, why: why }',
    '{ filename: a.md, description: why, order: 1 }',
    '{ path: a.md, purpose: why, priority: "1" }',
    '{ path: a.md, purpose: why, priority: P1 }',
    'a.md: why',
  ])('may be called otherwise: %s', (written) => {
    expect(filesOf(`\n- ${written}`)).toEqual([entry('a.md', 1, 'why')]);
  });

  it('keep what has two names', () => {
    expect(filesOf('\n- { path: a.md, file: b.md, purpose: x, why: y, reason: z, section: top }')).toEqual([
      { ...entry('a.md', 1, 'x', ['top']), file: 'b.md', why: 'y', reason: 'z' },
    ]);
  });

  it('may be one path, or a map', () => {
    expect(filesOf(' PLAN.md')).toEqual(['PLAN.md']);
    expect(filesOf(' none')).toEqual([]);
    expect(filesOf('\n  PLAN.md: the plan\n  src/a.ts: the code')).toEqual([
      entry('PLAN.md', 1, 'the plan'),
      entry('src/a.ts', 2, 'the code'),
    ]);
  });

  it('may have an empty line among them', () => {
    expect(filesOf('\n- a.md\n-\n- { path: b.md }')).toEqual(['a.md', entry('b.md', 2)]);
  });

  it('stay as they are where nobody can tell', () => {
    expect(problemsIn('files_to_read: { first: [a.md], later: [b.md] }')).toEqual([
      'files_to_read not-a-list',
    ]);
    expect(problemsIn('files_to_read: [{ note: read everything }]')).toEqual([
      'files_to_read[0].path missing',
      'files_to_read[0].priority missing',
      'files_to_read[0].purpose missing',
      'files_to_read[0].sections missing',
    ]);
    expect(problemsIn('files_to_read: [{ path: a.md, priority: high }]')).toEqual([
      'files_to_read[0].priority not-a-number',
    ]);
    expect(problemsIn('files_to_read: [7]')).toEqual(['files_to_read[0] not-a-file']);
  });
});

describe('gates and defects', () => {
  it('may have a number for a list of one, and a text for a list of one', () => {
    expect(
      valid('quality_trajectory: { score_history: { QG1: 0.92, QG2: [0.8, 0.9] }, gates_completed: QG1 }')
        .quality_trajectory,
    ).toEqual({
      ...empty.quality_trajectory,
      gates_completed: ['QG1'],
      score_history: { QG1: [0.92], QG2: [0.8, 0.9] },
      total_iterations_used: 3,
    });
  });

  it('may have patterns without a resolution', () => {
    expect(
      valid(`
        defect_summary:
          total_defects_found: 2
          unresolved_defects: D-1
          recurring_patterns: [no tests, { pattern: typos, gates: [1] }, { pattern: x, resolution: y }]`)
        .defect_summary,
    ).toEqual({
      ...empty.defect_summary,
      total_defects_found: 2,
      unresolved_defects: ['D-1'],
      recurring_patterns: [
        { pattern: 'no tests', resolution: null },
        { pattern: 'typos', gates: [1], resolution: null },
        { pattern: 'x', resolution: 'y' },
      ],
    });
  });

  it('contradict themselves', () => {
    const gates = 'quality_trajectory: { gates_completed: [a, b], gates_remaining: [b, c, b] }';
    expect(contradictionsIn(gates)).toEqual([{ code: 'gate-completed-and-remaining', gate: 'b' }]);
    const defects = 'defect_summary: { total_defects_found: 2, total_defects_resolved: 3 }';
    expect(contradictionsIn(defects)).toEqual([{ code: 'more-resolved-than-found', resolved: 3, found: 2 }]);
  });

  it('stay as they are where nobody can tell', () => {
    expect(problemsIn('quality_trajectory: all good')).toEqual(['quality_trajectory not-an-object']);
    expect(problemsIn('defect_summary: [D-1]')).toEqual(['defect_summary not-an-object']);
    expect(problemsIn('quality_trajectory: { score_history: [0.9] }')).toEqual([
      'quality_trajectory.score_history not-an-object',
    ]);
  });
});

describe('decisions', () => {
  const logOf = (text: string) => valid(`decision_log:${text}`).decision_log;
  const entry = (id: string, decision: string, rest: JsonObject = {}) => ({
    id,
    gate: null,
    iteration: null,
    decision,
    rationale: null,
    affects_phases: [],
    applied: false,
    ...rest,
  });

  it.each([
    '\n- CSV only\n- no XML',
    '\n- "RD-001: CSV only"\n- "RD-2 - no XML"',
    '\n- { decision: CSV only }\n- { what: no XML }',
    '\n- { id: rd-1, decision: CSV only }\n- { id: 2, text: no XML }',
    '\n  RD-001: CSV only\n  RD-002: { decision: no XML }',
  ])('may be written so:%s', (written) => {
    expect(logOf(written)).toEqual([entry('RD-001', 'CSV only'), entry('RD-002', 'no XML')]);
  });

  it('keep what they say, and are told by other names', () => {
    expect(
      logOf(
        '\n- { id: RD-007, timestamp: 2026-02-20, decision: d, reason: r, affects: [3, export], applied: yes }\n- { decision: e, phases: 4, gate: QG-1, iteration: 2 }',
      ),
    ).toEqual([
      entry('RD-007', 'd', {
        timestamp: '2026-02-20',
        rationale: 'r',
        affects_phases: [3, 'export'],
        applied: true,
      }),
      entry('RD-008', 'e', { affects_phases: [4], gate: 'QG-1', iteration: 2 }),
    ]);
  });

  it('are none', () => {
    expect(logOf(' []')).toEqual([]);
    expect(logOf(' none')).toEqual([]);
  });

  it('have an id twice', () => {
    expect(
      contradictionsIn('decision_log: [{ id: RD-001, decision: a }, { id: rd-1, decision: b }]'),
    ).toEqual([{ code: 'id-twice', path: 'decision_log[1]', id: 'RD-001' }]);
  });

  it('stay as they are where nobody can tell', () => {
    expect(problemsIn('decision_log: we will see')).toEqual(['decision_log not-a-list']);
    expect(problemsIn('decision_log: { format: CSV }')).toEqual(['decision_log not-a-list']);
    expect(migrated('decision_log: [a, 7]').section.decision_log).toEqual(['a', 7]);
    expect(migrated('decision_log: [a, { reason: none }]').section.decision_log).toEqual([
      'a',
      { reason: 'none' },
    ]);
    expect(problemsIn('decision_log: [{ id: first, decision: a }]')).toEqual([
      'decision_log[0].id not-a-decision-id',
    ]);
  });
});

describe('summaries', () => {
  const lines = { 'executor-1': 'DONE. 403 files modified.', auditor: 'PASS. No blockers.' };

  it.each([
    '\n  executor-1: DONE. 403 files modified.\n  auditor: PASS. No blockers.',
    '\n- "executor-1: DONE. 403 files modified."\n- "auditor: PASS. No blockers."',
    '\n- executor-1: DONE. 403 files modified.\n- auditor: PASS. No blockers.',
    '\n- { agent: executor-1, summary: DONE. 403 files modified. }\n- { id: auditor, text: PASS. No blockers. }',
    '\n- { agent_id: executor-1, status: DONE, summary: 403 files modified. }\n- { name: auditor, status: PASS., result: No blockers. }',
    '\n  executor-1: { status: DONE, summary: 403 files modified. }\n  auditor: { summary: PASS. No blockers. }',
  ])('may be written so:%s', (written) => {
    expect(valid(`agent_summaries:${written}`).agent_summaries).toEqual(lines);
  });

  it('may be of an agent with an odd name', () => {
    const { section } = migrated('agent_summaries: [{ agent: __proto__, summary: DONE }, constructor: DONE]');
    expect(Object.entries(section.agent_summaries as JsonObject)).toEqual([
      ['__proto__', 'DONE'],
      ['constructor', 'DONE'],
    ]);
  });

  it('stay as they are where there is more than a line, or two', () => {
    expect(problemsIn('agent_summaries: { a: { status: DONE, artifact: a.md, score: 0.9 } }')).toEqual([
      'agent_summaries.a not-text',
    ]);
    expect(problemsIn('agent_summaries: [all done]')).toEqual(['agent_summaries not-an-object']);
    expect(problemsIn('agent_summaries: all done')).toEqual(['agent_summaries not-an-object']);
    expect(problemsIn('agent_summaries: [{ agent: a, summary: b, cost: 3 }]')).toEqual([
      'agent_summaries not-an-object',
    ]);
    expect(contradictionsIn('agent_summaries: [{ a: DONE }, { a: FAILED }]')).toEqual([
      { code: 'agent-twice', agent: 'a' },
    ]);
  });
});

describe('compactions', () => {
  const eventsOf = (text: string) => valid(`compaction_events:${text}`).compaction_events;
  const event = {
    id: 'CX-001',
    timestamp: '2026-02-20T10:00:00Z',
    trigger: 'auto',
    estimated_fill_before: null,
    active_phase: null,
    active_gate: null,
    active_gate_iteration: null,
    checkpoint_file: '',
    acknowledged: false,
  };

  it.each([
    ' [{ timestamp: 2026-02-20T10:00:00Z, trigger: auto }]',
    ' { events: [{ at: 2026-02-20T10:00:00Z, trigger: auto }] }',
    ' { count: 1, events: [{ id: cx-1, time: 2026-02-20T10:00:00Z, trigger: auto }] }',
  ])('may be written so:%s', (written) => {
    expect(eventsOf(written)).toEqual({ count: 1, events: [event] });
  });

  it('are none', () => {
    for (const written of [' []', ' 0', ' none', ' { count: 0, events: null }'])
      expect(eventsOf(written)).toEqual({ count: 0, events: [] });
    for (const written of ['', ' {}', ' { events: null }'])
      expect(eventsOf(written)).toEqual({ count: null, events: [] });
  });

  it('are counted otherwise than listed', () => {
    const told = (count: number, length: number) => [
      { code: 'count-and-list', path: 'compaction_events', count, length },
    ];
    expect(contradictionsIn('compaction_events: 3')).toEqual(told(3, 0));
    expect(contradictionsIn('compaction_events: { count: 2 }')).toEqual(told(2, 0));
    expect(contradictionsIn('compaction_events: { count: 6, events: [{ note: several }] }')).toEqual(
      told(6, 1),
    );
  });

  it('stay as they are where nobody can tell', () => {
    expect(problemsIn('compaction_events: often')).toEqual(['compaction_events not-an-object']);
    expect(problemsIn('compaction_events: [{ timestamp: 2026-02-20T10:00:00Z }]')).toEqual([
      'compaction_events.events[0].trigger missing',
    ]);
    const { section } = migrated('compaction_events: { count: 1, events: [{ session: s, compactions: 6 }] }');
    expect(section.compaction_events).toEqual({ count: 1, events: [{ session: 's', compactions: 6 }] });
  });
});

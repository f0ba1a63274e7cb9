import { describe, expect, it } from 'vitest';
import type { TextEdit } from './call.ts';
import { applyEdits, partsToBeTouched, touchedParts } from './touched-parts.ts';

const document = `# Kept by hand but for one section.
workflow:
  status: "ACTIVE"
resumption:
  recovery_state:
    last_checkpoint: "CP-014"
    current_phase: 2
    next_step: |
      Write scene 4.
      current_phase: in a text
    updated_at: "2026-11-16T09:59:00.000Z"
  files_to_read:
    - path: "a.md"
      priority: 1
  quality_trajectory:
    gates_completed: []
    score_history:
      QG-1: [0.81]
  defect_summary:
    total_defects_found: 0
    recurring_patterns:
      - pattern: "p"
        resolution: null
  decision_log: []
  compaction_events:
    count: 0
    events: []
after:
  count: 3
`;

const edit = (before: string | undefined, after: string, everywhere = false): TextEdit => ({
  before,
  after,
  everywhere,
});

describe('partsToBeTouched', () => {
  it.each([
    ['current_phase: 2', 'current_phase: 3', ['recovery_state.current_phase']],
    ['"CP-014"', '"CP-015"', ['recovery_state.last_checkpoint']],
    ['QG-1: [0.81]', 'QG-1: [0.99]', ['quality_trajectory.score_history']],
    [
      '    count: 0\n    events: []',
      '    count: 1\n',
      ['compaction_events.count', 'compaction_events.events'],
    ],
    [
      '  compaction_events:\n    count: 0\n',
      '  compaction_events: {count: 2}\n',
      ['compaction_events', 'compaction_events.count'],
    ],
    ['total_defects_found: 0', 'total_defects_found: 9', ['defect_summary.total_defects_found']],
  ])('names what the engine owns in an edit of %j', (before, after, parts) => {
    expect(partsToBeTouched(document, [edit(before, after)])).toEqual(parts);
  });

  it.each([
    ['Write scene 4.', 'Write scene 5.'],
    ['current_phase: in a text', 'current_phase: another'],
    ['decision_log: []', 'decision_log:\n    - id: RD-001\n      decision: "current_phase: 3"'],
    ['resolution: null', 'resolution: "mended"'],
    ['    - path: "a.md"', '    - "b.md"\n    - path: "a.md"'],
    ['  status: "ACTIVE"', '  status: "DONE"'],
    ['after:\n  count: 3', 'after:\n  count: 4'],
    ['# Kept by hand', '# Kept by the hand'],
  ])('has nothing against an edit of %j', (before, after) => {
    expect(partsToBeTouched(document, [edit(before, after)])).toEqual([]);
  });

  it('compares the whole file when it is replaced', () => {
    expect(partsToBeTouched(document, [edit(undefined, document)])).toEqual([]);
    expect(partsToBeTouched(document, [edit(undefined, document.replaceAll('\n', '\r\n'))])).toEqual([]);
    const changed = document.replace('count: 0', 'count: 1').replace('scene 4', 'scene 5');
    expect(partsToBeTouched(document, [edit(undefined, changed)])).toEqual(['compaction_events.count']);
    expect(partsToBeTouched(document, [edit(undefined, 'nothing')])).toContain('compaction_events.count');
  });

  it('sees all edits together: what is changed and changed back is not touched', () => {
    const edits = [
      edit('current_phase: 2', 'current_phase: 3'),
      edit('current_phase: 3', 'current_phase: 2'),
    ];
    expect(partsToBeTouched(document, edits)).toEqual([]);
  });

  it('says nothing of an edit that will fail, or of which nothing is known', () => {
    expect(partsToBeTouched(document, [edit('not there', 'x')])).toEqual([]);
    expect(partsToBeTouched(document, [])).toEqual([]);
  });

  it('reads quoted keys and other indentations', () => {
    const odd =
      'resumption:\n      "recovery_state":\n          \'current_phase\': 2\n          next_step: a\n';
    expect(partsToBeTouched(odd, [edit("'current_phase': 2", "'current_phase': 3")])).toEqual([
      'recovery_state.current_phase',
    ]);
  });
});

describe('touchedParts', () => {
  const brief = {
    recovery_state: { last_checkpoint: 'CP-014', current_phase: 2, updated_at: '2026-11-16T09:59:00.000Z' },
    quality_trajectory: { gates_completed: [] },
    defect_summary: { total_defects_found: 0 },
    compaction_events: { count: 0, events: [] },
  };

  it('undoes what was done', () => {
    const edits = [edit('current_phase: 1', 'current_phase: 2'), edit('Write scene 3.', 'Write scene 4.')];
    expect(touchedParts(document, edits, brief)).toEqual(['recovery_state.current_phase']);
    expect(touchedParts(document, [edit('Write scene 3.', 'Write scene 4.')], brief)).toEqual([]);
    const twice = [
      edit('current_phase: 0', 'current_phase: 1'),
      edit('current_phase: 1', 'current_phase: 2'),
    ];
    expect(touchedParts(document, twice, brief)).toEqual(['recovery_state.current_phase']);
  });

  it('cannot tell where something was taken out, or what is not there', () => {
    expect(touchedParts(document, [edit('current_phase: 1', '')], brief)).toEqual([]);
    expect(touchedParts(document, [edit('a', 'not there')], brief)).toEqual([]);
    expect(touchedParts(document, [], brief)).toEqual([]);
  });

  it('holds a whole file against the brief', () => {
    const whole = (text: string) => touchedParts(text, [edit(undefined, text)], brief);
    expect(whole(document)).toEqual([]);
    expect(whole(document.replace('current_phase: 2', 'current_phase: "2" # as before'))).toEqual([]);
    expect(whole(document.replace('current_phase: 2', 'current_phase: 3 # now'))).toEqual([
      'recovery_state.current_phase',
    ]);
    expect(whole(document.replace('"CP-014"', "'CP-015'").replace('count: 0', 'count: 1'))).toEqual([
      'recovery_state.last_checkpoint',
      'compaction_events.count',
    ]);
    expect(whole(document.replace('gates_completed: []', 'gates_completed: [QG-1]'))).toEqual([]);
  });
});

describe('applyEdits', () => {
  it('takes the words as they are', () => {
    expect(applyEdits('a.a', [edit('a', '$&$1')])).toBe('$&$1.a');
    expect(applyEdits('a.a', [edit('a', 'b', true)])).toBe('b.b');
  });
});

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyEvents, created, revision, started, stored, succeeded } from '../../../test/fixtures/events.ts';
import { book } from '../../../test/fixtures/pipelines.ts';
import { World } from '../../../test/fixtures/world.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { foldEvents } from '../../ledger/fold.ts';
import type { Pipeline } from '../../model/definition.ts';
import type { EventBody } from '../../model/event.ts';
import { eventsForEdits } from '../brief-file/taken-in.ts';
import { type DocumentEdits, findEdits, isEmpty } from './authorship.ts';
import { briefOf } from './derive.ts';
import { type Brief, sectionNames } from './document.ts';
import { problemsOf } from './schema.ts';

let pipeline: Pipeline;
beforeAll(async () => {
  const files = ['seed.json', 'system.md', 'plan.md', 'write.md', 'repair.md', 'state_repair.md'];
  const texts = Object.fromEntries(files.map((name) => [name, '{}']));
  pipeline = (await World.of(book(), texts)).loaded.pipeline;
});

const history: readonly EventBody[] = [
  { ...created },
  revision(1),
  started('s1/plan#1'),
  succeeded('s1/plan#1'),
  { type: 'decision_recorded', id: 'RD-001', decision: 'one way', because: 'short' },
  { type: 'decision_recorded', id: 'RD-002', decision: 'another way' },
  { type: 'summary_recorded', agent: 'zed', summary: 'DONE. A part.' },
  { type: 'compaction_seen', id: 'CX-001', seenAt: '2026-11-15T12:00:09.000Z', trigger: 'auto', file: 'f' },
];
const written = (): Brief => briefOf(pipeline, foldEvents(stored(history)));

/** A document that can be edited. */
type Draft = Record<string, Record<string, JsonValue> & JsonValue[]>;

function edited(edit: (draft: Draft) => unknown): DocumentEdits {
  const draft = JSON.parse(JSON.stringify(written())) as Draft;
  edit(draft);
  return findEdits(draft as unknown as JsonObject, written());
}

const nothing: DocumentEdits = { authored: undefined, decisions: [], applied: [], summaries: [], edits: [] };

describe('a document that says what was written', () => {
  it('is nobody’s word, of whatever journal', () => {
    fc.assert(
      fc.property(anyEvents(), (events) => {
        const brief = briefOf(pipeline, foldEvents(events));
        fc.pre(new Set(brief.decision_log.map(({ id }) => id)).size === brief.decision_log.length);
        const takings = findEdits(JSON.parse(JSON.stringify(brief)), brief);
        expect(takings).toEqual(nothing);
        expect(isEmpty(takings)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it.each<[string, (draft: Draft) => unknown]>([
    ['with other keys beside ours', (draft) => Object.assign(draft, { theirs: { a: 1 } })],
    ['with other keys in a part', (draft) => Object.assign(draft.recovery_state ?? {}, { theirs: 1 })],
    ['with other keys in an entry', (draft) => Object.assign(draft.decision_log?.[0] ?? {}, { theirs: 1 })],
    ['without a part', (draft) => delete draft.quality_trajectory],
    ['without a field', (draft) => delete draft.recovery_state?.current_phase],
    ['with a part that says nothing', (draft) => Object.assign(draft, { defect_summary: null })],
    ['without an entry', (draft) => draft.decision_log?.shift()],
    [
      'with a decision that is to be undone',
      (draft) => Object.assign(draft.decision_log?.[0] ?? {}, { applied: false }),
    ],
    ['with an empty step', (draft) => Object.assign(draft.recovery_state ?? {}, { next_step: '  ' })],
    ['with a step that is no text', (draft) => Object.assign(draft.recovery_state ?? {}, { next_step: 7 })],
    [
      'with decisions that are none',
      (draft) => draft.decision_log?.push('x', { decision: ' ' }, { id: 'RD-009' }),
    ],
    ['with decisions that are no list', (draft) => Object.assign(draft, { decision_log: 'none' })],
    ['with lines that are no text', (draft) => Object.assign(draft.agent_summaries ?? {}, { ed: 7 })],
    ['with files that are no list', (draft) => Object.assign(draft, { files_to_read: {} })],
    [
      'with patterns that are no list',
      (draft) => Object.assign(draft.defect_summary ?? {}, { recurring_patterns: 'x' }),
    ],
  ])('%s is nobody’s word either', (_, edit) => {
    expect(edited(edit)).toEqual(nothing);
  });
});

describe('what is not theirs', () => {
  it('is told with its place and what stands there, and changes nothing', () => {
    const takings = edited((draft) => {
      Object.assign(draft.recovery_state ?? {}, { current_phase: 9, workflow_status: 'completed' });
      Object.assign(draft.quality_trajectory ?? {}, { gates_remaining: [] });
      Object.assign(draft.defect_summary ?? {}, { total_defects_found: 'many' });
      Object.assign(draft.compaction_events ?? {}, { count: 0 });
      Object.assign(draft.decision_log?.[1] ?? {}, { decision: 'a third way', iteration: 3 });
      Object.assign(draft.agent_summaries ?? {}, { zed: 'DONE. All.' });
    });
    expect(takings).toEqual({
      ...nothing,
      edits: [
        { path: 'recovery_state.current_phase', found: 9 },
        { path: 'recovery_state.workflow_status', found: 'completed' },
        { path: 'quality_trajectory.gates_remaining', found: [] },
        { path: 'defect_summary.total_defects_found', found: 'many' },
        { path: 'compaction_events.count', found: 0 },
        { path: 'decision_log[1].iteration', found: 3 },
        { path: 'decision_log[1].decision', found: 'a third way' },
        { path: 'agent_summaries.zed', found: 'DONE. All.' },
      ],
    });
  });

  it('is told as a whole where it is no map any more', () => {
    expect(edited((draft) => Object.assign(draft, { recovery_state: 'fine' })).edits).toEqual([
      { path: 'recovery_state', found: 'fine' },
    ]);
  });

  it('is told up to a limit', () => {
    const takings = edited((draft) => {
      draft.agent_summaries = {} as Draft[string];
      draft.decision_log = Array.from({ length: 90 }, () => ({
        id: 'RD-001',
        decision: 'x',
      })) as unknown as Draft[string];
    });
    expect(takings.edits).toHaveLength(50);
  });
});

describe('what is theirs to say', () => {
  it('is what comes next', () => {
    const said = edited((draft) =>
      Object.assign(draft.recovery_state ?? {}, { next_step: 'Ask Bob first.' }),
    );
    expect(said).toEqual({ ...nothing, authored: { nextStep: 'Ask Bob first.' } });
  });

  it('is not what an older copy says comes next', () => {
    const old = { next_step: 'Ask Bob first.', updated_at: '2026-11-15T11:00:00.000Z' };
    expect(edited((draft) => Object.assign(draft.recovery_state ?? {}, old)).authored).toBeUndefined();
    const later = { ...old, updated_at: '2026-11-15T13:00:00.000Z' };
    expect(edited((draft) => Object.assign(draft.recovery_state ?? {}, later)).authored).toBeDefined();
  });

  it('are files, as paths or with a purpose; not those that the work has put there', () => {
    const said = edited((draft) => {
      draft.files_to_read?.push(
        'notes.md',
        { path: 'a.md', sections: ['b', 7], purpose: 1 },
        { no: 'path' },
        7,
      );
    });
    expect(said.authored).toEqual({
      files: ['notes.md', { path: 'a.md', priority: 2, purpose: '', sections: ['b'] }],
    });
  });

  it('are patterns', () => {
    const list = [
      'late',
      { pattern: 'long', resolution: 'cut' },
      { pattern: 'x', resolution: 7 },
      { no: 1 },
      7,
    ];
    const said = edited((draft) => Object.assign(draft.defect_summary ?? {}, { recurring_patterns: list }));
    expect(said.authored).toEqual({
      patterns: [
        { pattern: 'late', resolution: null },
        { pattern: 'long', resolution: 'cut' },
        { pattern: 'x', resolution: null },
      ],
    });
  });

  it('are new decisions, and that one was carried out', () => {
    const said = edited((draft) => {
      Object.assign(draft.decision_log?.[0] ?? {}, { applied: true });
      draft.decision_log?.push(
        { decision: 'a third way', rationale: 'why not', affects_phases: [2, 'plan', null], applied: true },
        { id: 'RD-017', decision: 'a fourth', gate: 's1/lint', iteration: 2 },
        { id: 'mine', decision: 'a fifth', gate: 7 },
      );
    });
    const none = {
      id: undefined,
      because: undefined,
      affects: [],
      gate: undefined,
      iteration: undefined,
      applied: false,
    };
    expect(said).toEqual({
      ...nothing,
      applied: ['RD-001'],
      decisions: [
        { ...none, decision: 'a third way', because: 'why not', affects: ['2', 'plan'], applied: true },
        { ...none, id: 'RD-017', decision: 'a fourth', gate: 's1/lint', iteration: 2 },
        { ...none, decision: 'a fifth' },
      ],
    });
  });

  it('are lines of agents that have left none', () => {
    const said = edited((draft) =>
      Object.assign(draft.agent_summaries ?? {}, { ed: 'PASS', [`x${'y'.repeat(200)}`]: 'n' }),
    );
    expect(said.summaries[0]).toEqual({ agent: 'ed', summary: 'PASS' });
    expect(said.summaries[1]?.agent).toHaveLength(120);
  });

  it('has limits', () => {
    const said = edited((draft) => {
      Object.assign(draft.recovery_state ?? {}, { next_step: 'x'.repeat(9_000) });
      draft.files_to_read = Array.from({ length: 900 }, (_, at) => `f${at}`) as unknown as Draft[string];
      draft.decision_log = Array.from({ length: 900 }, (_, at) => ({
        decision: `${at}${'x'.repeat(9_000)}`,
        rationale: 'y'.repeat(9_000),
      })) as unknown as Draft[string];
      Object.assign(
        draft.agent_summaries ?? {},
        Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`a${at}`, 's'])),
      );
    });
    expect(said.authored?.nextStep).toHaveLength(4_000);
    expect(said.authored?.files).toHaveLength(200);
    expect(said.decisions).toHaveLength(202);
    expect(
      said.decisions.every(
        ({ decision, because = '' }) => decision.length <= 4_000 && because.length <= 4_000,
      ),
    ).toBe(true);
    expect(said.summaries).toHaveLength(200);
  });
});

/** Any document at all: parts of ours, replaced by anything. */
const anyDocument = fc
  .dictionary(fc.constantFrom(...sectionNames, 'theirs'), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 8 })
  .map((parts) => parts as JsonObject);

/** Ours, with some fields replaced by anything. */
const anyEdit = fc.array(
  fc.tuple(fc.constantFrom(...sectionNames), fc.nat(9), fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string())),
  { minLength: 1, maxLength: 5 },
);

function withEdits(brief: Brief, edits: readonly (readonly [string, number, unknown])[]): JsonObject {
  const draft = JSON.parse(JSON.stringify(brief)) as Draft;
  for (const [name, at, value] of edits) {
    const section = draft[name] as unknown;
    if (Array.isArray(section)) section.splice(at % (section.length + 1), 1, value);
    else if (isJsonObject(section)) {
      const keys = [...Object.keys(section), 'new'];
      (section as Record<string, JsonValue>)[keys[at % keys.length] ?? ''] = value as JsonValue;
    }
  }
  return draft as unknown as JsonObject;
}

describe('whatever somebody has written', () => {
  const taken = (found: JsonObject) => {
    const before = stored(history);
    const ledger = foldEvents(before);
    const events = eventsForEdits(findEdits(found, written()), ledger, written());
    return { events, after: foldEvents([...before, ...stored(events, before.length + 1)]) };
  };

  it('is taken in without a word, and what is written next is a document of the schema', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyDocument,
          anyEdit.map((edits) => withEdits(written(), edits)),
        ),
        (found) => {
          const brief = briefOf(pipeline, taken(found).after);
          expect(problemsOf(JSON.parse(JSON.stringify(brief)) as JsonValue)).toEqual([]);
          // Nothing that was on record has become something else.
          expect(brief.decision_log.slice(0, 2)).toMatchObject([
            { id: 'RD-001', decision: 'one way', rationale: 'short' },
            { id: 'RD-002', decision: 'another way' },
          ]);
          expect(brief.agent_summaries.zed).toBe('DONE. A part.');
          expect(brief.compaction_events).toEqual(written().compaction_events);
          expect(brief.quality_trajectory).toEqual(written().quality_trajectory);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is on record once: found again before it was written, it says nothing new', () => {
    fc.assert(
      fc.property(anyEdit, (edits) => {
        const found = withEdits(written(), edits);
        const { after } = taken(found);
        const again = eventsForEdits(findEdits(found, written()), after, written());
        expect(again.filter(({ type }) => type !== 'brief_edited')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('is made whole where a half of it is on record', () => {
    const found = withEdits(written(), [['decision_log', 2, { decision: 'by hand', applied: true }]]);
    const before = stored([...history, { type: 'decision_recorded', id: 'RD-003', decision: 'by hand' }]);
    expect(eventsForEdits(findEdits(found, written()), foldEvents(before), written())).toEqual([
      { type: 'decision_applied', id: 'RD-003' },
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lostIn, proven } from '../../../test/fixtures/brief-v1.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { sectionNames } from '../../projections/brief/document.ts';
import { migrateSection } from './migrate.ts';
import { isOldKey } from './recovery.ts';

const phases = ['plan', 'write', 'lint'];
const anyPhases = fc.constantFrom<readonly string[]>([], phases);

describe('any migration', () => {
  it('loses nothing, changes nothing the second time, and leaves the section alone that it is given', () => {
    fc.assert(
      fc.property(anySection(), anyPhases, (section, names) => {
        proven(section, names);
      }),
      { numRuns: 500 },
    );
  });

  it('gives every part, and leaves at the top nothing old but what contradicts', () => {
    fc.assert(
      fc.property(anySection(), anyPhases, (section, names) => {
        const { section: after, contradictions } = proven(section, names);
        for (const name of sectionNames) expect(after).toHaveProperty(name);
        if (!isJsonObject(after.recovery_state)) return;
        const told = contradictions.map((contradiction) =>
          contradiction.code === 'both-places' ? contradiction.path : contradiction.code,
        );
        for (const key of Object.keys(after).filter(isOldKey))
          expect(told).toContain(key === 'current_state' && !told.includes(key) ? 'prose-and-field' : key);
      }),
    );
  });

  it('takes any value for any part', () => {
    const odd = fc.dictionary(
      fc.constantFrom(...sectionNames, ...oldKeys, '__proto__', 'constructor'),
      anyJson(),
    );
    fc.assert(
      fc.property(odd, anyPhases, (section, names) => {
        proven(section as JsonObject, names);
      }),
      { numRuns: 500 },
    );
  });

  it('makes of a proper document of version 1 one of version 2', () => {
    const document = fc.record(
      {
        last_checkpoint: fc.constantFrom(null, 'none', 'CP-001', 'cp-7', 12),
        current_state: anyProse(),
        next_step: text(),
        files_to_read: fc.array(fc.oneof(text(), fc.record({ path: text(), purpose: text() }))),
        cross_session_portable: fc.boolean(),
        ephemeral_references: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(document, (section) => {
        expect(proven(section as JsonObject).problems).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

it('is tested by what finds a loss', () => {
  const before = { a: 'one', b: ['two', { c: 'cp-3' }], d: 7 };
  expect(lostIn(before, { b: ['CP-003', 'and two'] }, [])).toEqual(['one', 7]);
  expect(lostIn(before, { ...before, more: true }, [])).toEqual([]);
});

it('is done with a document as long as any that is read', () => {
  const many = 200_000;
  const section = { next_step: 'go', decision_log: Array.from({ length: many }, () => 'x') };
  const { section: after, problems } = migrateSection(section);
  expect(problems).toEqual([]);
  expect((after.decision_log as readonly JsonObject[]).at(-1)).toMatchObject({ id: `RD-${many}` });
});

const oldKeys = [
  'last_checkpoint',
  'last_checkpoint_id',
  'current_state',
  'current_phase',
  'current_phase_name',
  'workflow_status',
  'current_activity',
  'next_step',
  'context_fill_at_update',
  'updated_at',
  'cross_session_portable',
  'ephemeral_references',
];

/** No two of them are the same, so one that is lost cannot hide behind another. */
function text(): fc.Arbitrary<string> {
  return fc.uuid();
}

function anyJson(): fc.Arbitrary<JsonValue> {
  const scalar = fc.oneof(text(), fc.integer(), fc.boolean(), fc.constant(null), oddText());
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(anyKey(), tie('value'), { maxKeys: 4 }).map((map) => map as JsonObject),
    ),
  }));
  return value;
}

/** Keys that mean something somewhere, and others. */
function anyKey(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('path', 'file', 'purpose', 'why', 'reason', 'priority', 'sections', 'section', 'PLAN.md'),
    fc.constantFrom('id', 'decision', 'what', 'rationale', 'affects', 'applied', 'RD-001', 'rd-2', 'gate'),
    fc.constantFrom(
      'agent',
      'summary',
      'status',
      'text',
      'name',
      'count',
      'events',
      'timestamp',
      'at',
      'trigger',
    ),
    fc.constantFrom('pattern', 'resolution', 'score_history', 'gates_completed', 'QG-1', '__proto__'),
    text(),
  );
}

function oddText(): fc.Arbitrary<string> {
  return fc.constantFrom(
    ...[
      '',
      'none',
      'n/a',
      '-',
      'yes',
      'No',
      'cp-3',
      'CP-0003',
      'RD-7',
      'rd 2',
      'CX-001',
      '3',
      'Phase 2',
      'P1',
    ],
    ...[
      '62%',
      'write',
      'Lint',
      'ACTIVE',
      'COMPLETE',
      'Start phase 2',
      '2026-02-20',
      'a: b',
      'RD-1: x',
      'b.md',
    ],
  );
}

function anyProse(): fc.Arbitrary<string> {
  const head = fc.constantFrom(
    ...[
      'Phase 2 in progress: ',
      'Phase 2 (Write) in progress. ',
      'Phase 2 of 5 complete. ',
      'COMPLETE. ',
      '',
    ],
    ...[
      'IN_PROGRESS',
      'Workflow COMPLETE. ',
      'Phase 9 ACTIVE - ',
      'Phase 3 pending. ',
      'Phase 1: plan in progress ',
    ],
  );
  return fc.tuple(head, fc.oneof(text(), fc.constant(''))).map((parts) => parts.join(''));
}

/** A section that somebody may have written: half of it as it should be, some of it twice, some of it odd. */
function anySection(): fc.Arbitrary<JsonObject> {
  const value = fc.oneof(text(), oddText(), fc.integer({ min: -1, max: 12 }), fc.constant(null), anyJson());
  const state = fc
    .tuple(fc.dictionary(fc.oneof(fc.constantFrom(...oldKeys), text()), value), fc.option(anyProse()))
    .map(([fields, prose]) => (prose === null ? fields : { ...fields, current_state: prose }));
  const list = fc.array(anyJson(), { maxLength: 5 });
  const map = fc.dictionary(anyKey(), anyJson(), { maxKeys: 5 });
  const part = fc.oneof(list, map, value);
  return fc
    .tuple(
      state,
      fc.record(
        {
          recovery_state: fc.oneof({ weight: 4, arbitrary: state }, { weight: 1, arbitrary: value }),
          files_to_read: part,
          quality_trajectory: part,
          defect_summary: part,
          decision_log: part,
          agent_summaries: part,
          compaction_events: fc.oneof(part, fc.record({ count: fc.nat({ max: 9 }), events: list })),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([top, parts]) => ({ ...top, ...parts }) as JsonObject);
}

import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { contradictionsIn, migrated, problemsIn, stateOf } from '../../../test/fixtures/brief-v1.ts';
import type { JsonObject } from '../../base/json.ts';

const phases = ['plan', 'write', 'lint'];

describe('a checkpoint', () => {
  it.each<[string, string | null]>([
    ['CP-003', 'CP-003'],
    ['CP-0003', 'CP-0003'],
    ['CP-1000', 'CP-1000'],
    ['cp-3', 'CP-003'],
    ['CP-12', 'CP-012'],
    ['cp_007', 'CP-007'],
    ['CP 4', 'CP-004'],
    ['3', 'CP-003'],
    ['"3"', 'CP-003'],
    ['1234', 'CP-1234'],
    ['null', null],
    ['~', null],
    ['""', null],
    ['none', null],
    ['None', null],
    ['"n/a"', null],
    ['"-"', null],
  ])('written %s is %s', (written, id) => {
    expect(stateOf(`last_checkpoint: ${written}`).last_checkpoint).toBe(id);
    expect(stateOf(`recovery_state: { last_checkpoint: ${written} }`).last_checkpoint).toBe(id);
  });

  it.each([
    'initial',
    'CP-phase-2-started',
    'cp-03-architecture',
    '2026-02-20T10:00:00Z',
    '2026-02-20',
    '1771581600',
    '0',
    '-1',
    '2.5',
    'true',
    '[CP-001, CP-002]',
    '{ id: CP-003, at: "10:00" }',
  ])('stays %s where nobody can tell', (written) => {
    const { section, problems } = migrated(`last_checkpoint: ${written}`);
    expect((section.recovery_state as JsonObject).last_checkpoint).toEqual(parse(written));
    expect(problems).toEqual([{ path: 'recovery_state.last_checkpoint', problem: 'not-a-checkpoint-id' }]);
  });
});

describe('a phase', () => {
  it.each([
    ['3', 3],
    ['"3"', 3],
    ['Phase 3', 3],
    ['phase-3', 3],
    ['n/a', null],
    ['0', 0],
  ])('written %s is %s', (written, number) => {
    expect(stateOf(`recovery_state: { current_phase: ${written} }`).current_phase).toBe(number);
  });

  it('stays a name where no pipeline is known', () => {
    expect(problemsIn('current_phase: lint')).toEqual(['recovery_state.current_phase not-a-number']);
  });

  it('gets its name and its number from the pipeline', () => {
    expect(stateOf('current_phase: 2', phases)).toMatchObject({
      current_phase: 2,
      current_phase_name: 'write',
    });
    expect(stateOf('current_phase_name: Lint', phases)).toMatchObject({
      current_phase: 3,
      current_phase_name: 'Lint',
    });
    expect(stateOf('current_phase: Lint', phases)).toMatchObject({
      current_phase: 3,
      current_phase_name: 'Lint',
    });
    expect(stateOf('current_state: "Phase 2: Write in progress"', phases)).toMatchObject({
      current_phase: 2,
      current_phase_name: 'Write',
      workflow_status: 'running',
    });
    expect(stateOf('current_phase: 0\ncurrent_phase_name: Not started', phases)).toMatchObject({
      current_phase: 0,
      current_phase_name: 'Not started',
    });
  });

  it('contradicts the pipeline', () => {
    expect(contradictionsIn('current_phase: 2\ncurrent_phase_name: lint', phases)).toEqual([
      { code: 'phase-and-name', phase: 2, name: 'lint', expected: 'write' },
    ]);
    expect(contradictionsIn('current_phase: 9', phases)).toEqual([
      { code: 'phase-beyond-last', phase: 9, last: 3 },
    ]);
  });
});

describe('a time', () => {
  it.each(['2026-02-20T10:00:00Z', '2026-02-20T10:00:00.123+01:00', 'null'])('is %s', (written) => {
    expect(stateOf(`updated_at: ${written}`).updated_at).toBe(parse(written));
  });

  it.each(['2026-02-20', '2026-02-20 10:00', '20260220T100000Z', '1771581600', 'yesterday'])(
    'stays %s as it was written',
    (written) => {
      const { section, problems } = migrated(`recovery_state: { updated_at: ${written} }`);
      expect((section.recovery_state as JsonObject).updated_at).toEqual(parse(written));
      expect(problems).toEqual([{ path: 'recovery_state.updated_at', problem: 'not-a-time' }]);
    },
  );

  it.each([
    ['62', 62],
    ['"62%"', 62],
    ['61.5', 61.5],
    ['n/a', null],
  ])('has seen a fill of %s', (written, fill) => {
    expect(stateOf(`context_fill_at_update: ${written}`).context_fill_at_update).toBe(fill);
  });
});

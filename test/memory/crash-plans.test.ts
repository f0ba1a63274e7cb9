import { describe, expect, test } from 'vitest';
import type { UnsyncedEffect } from './crash.ts';
import { type CrashPlan, crashPlans, describePlan } from './crash-plans.ts';

const names = (sequence: number): UnsyncedEffect => ({
  kind: 'names',
  sequence,
  ino: 1,
  names: [`n${sequence}`],
});
const write = (sequence: number): UnsyncedEffect => ({ kind: 'write', sequence, ino: 2, size: 10 });
const spell = (plan: CrashPlan) => plan.map((fate) => (typeof fate === 'string' ? fate[0] : 't')).join('');

describe('few effects', () => {
  test('every mixture comes once', () => {
    const plans = [...crashPlans([names(1), write(2), names(3)], 100, 1)].map(spell);
    expect(plans).toHaveLength(2 * 5 * 2);
    expect(new Set(plans).size).toBe(plans.length);
  });

  test('nothing unsynced: one state', () => {
    expect([...crashPlans([], 10, 1)]).toEqual([[]]);
  });

  test('a write of one byte cannot be torn, one of none cannot be damaged', () => {
    const sized = (size: number): UnsyncedEffect => ({
      ...write(1),
      kind: 'write',
      size,
      ino: 1,
      sequence: 1,
    });
    expect([...crashPlans([sized(1)], 100, 1)].map(spell)).toEqual(['d', 'k', 'z', 'n']);
    expect([...crashPlans([sized(0)], 100, 1)].map(spell)).toEqual(['d', 'k']);
  });
});

describe('many effects', () => {
  const effects = Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? write(index) : names(index)));
  const plans = (limit: number, seed = 1) => [...crashPlans(effects, limit, seed)].map(spell);

  test('never more than the limit, and all of it', () => {
    for (const limit of [1, 2, 3, 10, 57, 400]) expect(plans(limit)).toHaveLength(limit);
  });

  test('with room enough: each alone dropped, alone kept, every prefix, every damage', () => {
    const found = new Set(plans(400));
    for (let index = 0; index < effects.length; index++) {
      const one = (all: string, fate: string) =>
        all.repeat(index) + fate + all.repeat(effects.length - 1 - index);
      expect(found).toContain(one('k', 'd'));
      expect(found).toContain(one('d', 'k'));
      expect(found).toContain('k'.repeat(index + 1) + 'd'.repeat(effects.length - 1 - index));
      if (effects[index]?.kind !== 'write') continue;
      for (const damage of 'znt') expect(found).toContain(one('k', damage));
    }
    expect(found).toContain('d'.repeat(effects.length));
  });

  test('with little room the newest effects come first', () => {
    expect(plans(8).slice(0, 5)).toEqual([
      'dddddddddddd',
      'kkkkkkkkkkkk',
      'kkkkkkkkkkkd',
      'dddddddddddk',
      'kkkkkkkkkkkk',
    ]);
  });

  test('the same seed gives the same plans, another one other mixtures', () => {
    expect(plans(400)).toEqual(plans(400));
    expect(plans(400, 2)).not.toEqual(plans(400));
  });
});

test('a plan can be told', () => {
  const effects = [names(3), write(5), write(6)];
  expect(describePlan(effects, ['drop', 'keep', { keptBytes: 4 }])).toBe(
    '#3 n3: drop; #6 write of 10 bytes: torn at 4',
  );
  expect(describePlan(effects, ['keep', 'keep', 'keep'])).toBe('all kept');
});

import { expect, test } from 'vitest';
import { stepList, unitList } from './steps.ts';

const steps = (units: readonly string[], phases: readonly string[]) =>
  units.flatMap((unit) => phases.map((phase) => ({ unit, phase })));
const units = (number: number, prefix = 'u') => Array.from({ length: number }, (_, at) => `${prefix}${at}`);

test('units with the same phases are told together', () => {
  expect(stepList(steps(units(6), ['write', 'repair', 'lint']))).toBe('write, repair and lint of 6 units');
  expect(stepList(steps(['a', 'b'], ['write']))).toBe('write of a and b');
});

test('other phases of other units are told apart, the widest effect first', () => {
  const mixed = [...steps(['z'], ['plan']), ...steps(units(5), ['write', 'lint'])];
  expect(stepList(mixed)).toBe('write and lint of 5 units; plan of z');
});

test('many different groups end in a number', () => {
  const many = Array.from({ length: 9 }, (_, at) => ({ unit: `u${at}`, phase: `p${at}` }));
  expect(stepList(many)).toBe('p0 of u0; p1 of u1; p2 of u2; p3 of u3; more of 5 other units');
});

test('few units by name, many by number', () => {
  expect(unitList(['a', 'b', 'c'])).toBe('a, b and c');
  expect(unitList(units(4))).toBe('4 units');
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { StepSet } from './names.ts';

it('holds what a set of names would hold', () => {
  const step = fc.record({ unit: fc.constantFrom('a', 'b'), phase: fc.constantFrom('x', 'y', 'z') });
  const act = fc.record({ act: fc.constantFrom('add', 'delete', 'addAll'), cell: step });
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      const steps = new StepSet();
      const names = new Set<string>();
      for (const { act: how, cell: one } of acts) {
        const other = new StepSet();
        if (how === 'addAll') {
          other.add(one.unit, one.phase);
          steps.addAll(other);
        } else steps[how](one.unit, one.phase);
        names[how === 'delete' ? 'delete' : 'add'](`${one.unit}/${one.phase}`);
      }
      for (const unit of ['a', 'b', 'c'])
        for (const phase of ['x', 'y', 'z'])
          expect(steps.has(unit, phase)).toBe(names.has(`${unit}/${phase}`));
    }),
  );
});

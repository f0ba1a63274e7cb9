import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CellSet } from './cell-set.ts';

it('holds what a set of names would hold', () => {
  const cell = fc.record({ unit: fc.constantFrom('a', 'b'), phase: fc.constantFrom('x', 'y', 'z') });
  const act = fc.record({ act: fc.constantFrom('add', 'delete', 'addAll'), cell });
  fc.assert(
    fc.property(fc.array(act), (acts) => {
      const cells = new CellSet();
      const names = new Set<string>();
      for (const { act: how, cell: one } of acts) {
        const other = new CellSet();
        if (how === 'addAll') {
          other.add(one.unit, one.phase);
          cells.addAll(other);
        } else cells[how](one.unit, one.phase);
        names[how === 'delete' ? 'delete' : 'add'](`${one.unit}/${one.phase}`);
      }
      for (const unit of ['a', 'b', 'c'])
        for (const phase of ['x', 'y', 'z'])
          expect(cells.has(unit, phase)).toBe(names.has(`${unit}/${phase}`));
    }),
  );
});

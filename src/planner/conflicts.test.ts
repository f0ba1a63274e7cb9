import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conflictIndex, conflictsOf, type Toucher } from './hand-out.ts';

describe('an index of conflicts', () => {
  it('finds what asking every unit finds', () => {
    const path = fc
      .array(fc.constantFrom('src', 'src2', 'a', 'b', '*', '**', '', '.'), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('/'));
    const units = fc
      .array(
        fc.record({
          touches: fc.option(fc.array(path, { maxLength: 3 }), { nil: undefined }),
          beside: fc.option(fc.array(fc.constantFrom('u0', 'u1', 'u2'), { maxLength: 2 }), {
            nil: undefined,
          }),
        }),
        { maxLength: 8 },
      )
      .map((all) => all.map((one, at) => ({ id: `u${at}`, ...one }) as Toucher));
    fc.assert(
      fc.property(units, (all) => {
        const find = conflictIndex(all);
        for (const unit of all) expect(find(unit)).toEqual(conflictsOf(unit, all));
      }),
    );
  });

  it('knows a folder and what is in it', () => {
    const find = conflictIndex([
      { id: 'deep', touches: ['src/a/b.ts'] },
      { id: 'beside', touches: ['src2/x.ts'] },
      { id: 'all', touches: ['**'] },
    ]);
    expect(find({ id: 'one', touches: ['src/'] })).toEqual(['deep', 'all']);
    expect(find({ id: 'two', touches: ['src2/x.ts'] })).toEqual(['beside', 'all']);
  });
});

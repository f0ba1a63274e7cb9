import { describe, expect, it } from 'vitest';
import { codesOf, loadText, problemsOf } from '../../../test/fixtures/manifests.ts';

/* What a phase takes from other units; what it takes from its own is in `load.test.ts` and `problems.test.ts`. */

const run = 'run: { command: [x] }';
const top = 'pawl: 1\npipeline: p\nstages:\n';

/** Three stages: one unit, two units, and one whose phase `c` has these inputs. */
const staged = (inputs: string, middle = '') =>
  `${top}  - { name: one, units: [u], phases: { a: { ${run}, outputs: { o: a.md } } } }
  - { name: two, units: [v, w], phases: { b: { ${run}, outputs: { o: "b/{unit}.md" }${middle} } } }
  - { name: three, units: [x], phases: { c: { ${run}, inputs: { i: ${inputs} }, outputs: { o: c.md } } } }
`;

/** One stage of two phases; the second has these inputs. */
const single = (inputs: string, units = '[u, v]') =>
  `pawl: 1\npipeline: p\nunits: ${units}\nphases:
  a: { ${run}, outputs: { o: "a/{unit}.md", report.json: "r/{unit}.json" } }
  b: { ${run}, inputs: { i: ${inputs} }, outputs: { o: "b/{unit}.md" } }
`;

async function inputOf(manifest: string, phase: string) {
  const { pipeline } = await loadText(manifest);
  const phases = pipeline.stages.flatMap((stage) => stage.phases);
  return phases.find(({ name }) => name === phase)?.inputs[0];
}

const elsewhere = { kind: 'elsewhere', name: 'i', onChange: 'rerun' };

describe('an input of an earlier stage', () => {
  it.each(['a.o', '{ from: a.o }'])('is that of its only unit: %s', async (written) => {
    expect(await inputOf(staged(written), 'c')).toEqual({
      ...elsewhere,
      of: 'only',
      from: { phase: 'a', output: 'o' },
    });
  });

  it('is that of every unit where it says so', async () => {
    expect(await inputOf(staged('{ from: b.o, of: every, on_change: tell }'), 'c')).toEqual({
      ...elsewhere,
      of: 'every',
      from: { phase: 'b', output: 'o' },
      onChange: 'keep',
    });
  });

  it('may be that of every unit where there is one', async () => {
    expect(await inputOf(staged('{ from: a.o, of: every }'), 'c')).toMatchObject({ of: 'every' });
  });

  it.each(['b.o', '{ from: b.o }'])('is not that of one of several: %s', async (written) => {
    expect(await problemsOf(staged(written))).toMatchObject([
      {
        code: 'not-the-only-unit',
        path: 'stages[2].phases.c.inputs.i',
        place: { line: 6 },
        facts: { found: 'b.o', stage: 'two', units: 2 },
      },
    ]);
  });

  it('that is not there is told, with the nearest', async () => {
    expect(await problemsOf(staged('{ from: b.oo, of: every }'))).toMatchObject([
      {
        code: 'unknown-input',
        path: 'stages[2].phases.c.inputs.i.from',
        facts: { found: 'b.oo', valid: ['c.o', 'a.o', 'b.o'], suggestion: 'b.o' },
      },
    ]);
  });

  it('is not one of its own stage, nor of a later one', async () => {
    expect(await codesOf(single('{ from: a.o, of: every }'))).toEqual([
      'unknown-input phases.b.inputs.i.from',
    ]);
    const later = (inputs: string) => staged('a.o', `, inputs: { i: ${inputs} }`);
    expect(await codesOf(later('{ from: c.o, of: every }'))).toEqual([
      'unknown-input stages[1].phases.b.inputs.i.from',
    ]);
    expect(await codesOf(later('c.o'))).toEqual(['unknown-input stages[1].phases.b.inputs.i']);
  });
});

describe('an input of the unit before', () => {
  it.each([
    ['a.o', { phase: 'a', output: 'o' }],
    ['b.o', { phase: 'b', output: 'o' }],
    ['a.report.json', { phase: 'a', output: 'report.json' }],
  ])('may come from any phase of the stage: %s', async (from, ref) => {
    const written = `{ from: ${from}, of: previous }`;
    expect(await inputOf(single(written), 'b')).toEqual({ ...elsewhere, of: 'previous', from: ref });
  });

  it('may come from a later phase', async () => {
    const manifest = single('a.o').replace(
      'outputs: { o: "a/{unit}.md"',
      'inputs: { i: { from: b.o, of: previous, on_change: tell } }, outputs: { o: "a/{unit}.md"',
    );
    expect(await inputOf(manifest, 'a')).toMatchObject({ of: 'previous', onChange: 'keep' });
  });

  it('that is not there is told, with the nearest', async () => {
    expect(await problemsOf(single('{ from: a.oo, of: previous }'))).toMatchObject([
      {
        code: 'unknown-input',
        path: 'phases.b.inputs.i.from',
        place: { line: 6, column: 52 },
        facts: { found: 'a.oo', suggestion: 'a.o' },
      },
    ]);
    expect(await codesOf(single('{ from: a, of: previous }'))).toEqual([
      'unknown-file phases.b.inputs.i.from',
    ]);
  });

  it('does not come from another stage', async () => {
    expect(await codesOf(staged('{ from: b.o, of: previous }'))).toEqual([
      'unknown-input stages[2].phases.c.inputs.i.from',
    ]);
  });

  it('has nothing else said of it', async () => {
    expect(await codesOf(single('{ from: a.o, of: next }'))).toEqual(['not-one-of phases.b.inputs.i.of']);
    expect(await codesOf(single('{ from: a.o, of: previous, optional: true }'))).toEqual([
      'unknown-key phases.b.inputs.i.optional',
    ]);
  });
});

describe('units that take what the one before has made', () => {
  const previous = '{ from: b.o, of: previous }';

  it('may need those that are listed before them', async () => {
    expect(await codesOf(single(previous, '[u, { id: v, needs: [u] }, { id: w, needs: [u, v] }]'))).toEqual(
      [],
    );
  });

  it.each([
    ['[{ id: u, needs: [v] }, v]', ['u', 'v', 'u']],
    ['[{ id: u, needs: [w] }, v, w]', ['u', 'w', 'v', 'u']],
    ['[t, { id: u, needs: [w] }, v, w]', ['u', 'w', 'v', 'u']],
  ])('cannot need one that comes later: %s', async (units, cycle) => {
    expect(await problemsOf(single(previous, units))).toMatchObject([
      { code: 'unit-cycle', path: 'units', place: { line: 3, column: 8 }, facts: { cycle } },
    ]);
    expect(await codesOf(single('a.o', units))).toEqual([]);
  });

  it('are told where their stage lists them', async () => {
    const manifest = staged('a.o', `, inputs: { i: ${previous} }`).replace(
      '[v, w]',
      '[{ id: v, needs: [w] }, w]',
    );
    expect(await codesOf(manifest)).toEqual(['unit-cycle stages[1].units']);
  });

  it('and need each other anyway are told once', async () => {
    const units = '[{ id: u, needs: [v] }, { id: v, needs: [u] }]';
    expect(await codesOf(single(previous, units))).toEqual(['unit-cycle units[0]']);
    const chain = '{ list: [{ id: u, needs: [v] }, v], order: chain }';
    expect(await codesOf(single(previous, chain))).toEqual(['unit-cycle units.list[0].needs[0]']);
  });
});

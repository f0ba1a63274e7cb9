import { describe, expect, it } from 'vitest';
import { codesOf, loadText, problemsOf } from '../../../test/fixtures/manifests.ts';

/* Optional outputs, and files that differ from attempt to attempt; all other clashes are in `problems.test.ts`. */

const run = 'run: { command: [x] }';
const manifest = (units: string, ...phases: string[]) =>
  `pawl: 1\npipeline: p\nunits: ${units}\nphases:\n${phases.map((phase) => `  ${phase}\n`).join('')}`;
const outputs = (units: string, written: string) => manifest(units, `a: { ${run}, outputs: ${written} }`);

describe('an optional output', () => {
  it('is one that says so', async () => {
    const { pipeline } = await loadText(
      outputs(
        '[u]',
        '{ o: o.md, p: { path: p.md }, q: { path: q.md, optional: true }, r: { path: r.md, optional: false } }',
      ),
    );
    const made = pipeline.stages[0]?.phases[0]?.outputs.map(({ name, optional }) => [name, optional]);
    expect(made).toEqual([
      ['o', false],
      ['p', false],
      ['q', true],
      ['r', false],
    ]);
  });

  it('has its path to itself all the same', async () => {
    expect(await codesOf(outputs('[u]', '{ o: o.md, p: { path: O.md, optional: true } }'))).toEqual([
      'duplicate-output phases.a.outputs.p',
    ]);
  });

  it('cannot be the report of a gate: there would be no verdict', async () => {
    const gate = 'gate: { verdict: r.status, pass: [ok], back_to: a, iterations: 2 }';
    const text = manifest('[u]', `a: { ${run}, outputs: { r: { path: r.json, optional: true } }, ${gate} }`);
    expect(await problemsOf(text)).toMatchObject([
      { code: 'wrong-type', path: 'phases.a.gate.verdict', place: { line: 5 }, facts: { found: 'r' } },
    ]);
    expect(await codesOf(text.replace('true', 'false'))).toEqual([]);
  });

  it('is said to be one with yes or no', async () => {
    expect(await codesOf(outputs('[u]', '{ o: { path: o.md, optional: maybe } }'))).toEqual([
      'wrong-type phases.a.outputs.o.optional',
    ]);
  });
});

describe('an output of each attempt', () => {
  it('may stand beside those of other phases and units', async () => {
    const text = manifest(
      '[u, v]',
      `a: { ${run}, outputs: { o: "c/{unit}_attempt_{attempt:02}.png" } }`,
      `b: { ${run}, outputs: { o: "r/{unit}_attempt_{attempt:02}.png" } }`,
    );
    const { pipeline } = await loadText(text);
    expect(pipeline.stages[0]?.phases[0]?.outputs[0]?.path).toBe('c/{unit}_attempt_{attempt:02}.png');
  });

  it('is not one of each unit', async () => {
    expect(await problemsOf(outputs('[u, v]', '{ o: "out/{attempt}.md" }'))).toMatchObject([
      {
        code: 'output-not-per-unit',
        path: 'phases.a.outputs.o',
        facts: { found: 'out/{attempt}.md', units: 2 },
      },
    ]);
    expect(await codesOf(outputs('[u]', '{ o: "out/{attempt}.md" }'))).toEqual([]);
  });

  it('clashes with another of the same name', async () => {
    const pair = (a: string, b: string) =>
      manifest('[u]', `a: { ${run}, outputs: { o: "${a}" } }`, `b: { ${run}, outputs: { o: "${b}" } }`);
    expect(await codesOf(pair('{unit}_{attempt}.md', '{unit}_{attempt}.md'))).toEqual([
      'duplicate-output phases.b.outputs.o',
    ]);
    expect(await codesOf(pair('{unit}_{attempt}.md', '{unit}_1.md'))).toEqual([
      'duplicate-output phases.b.outputs.o',
    ]);
    expect(await codesOf(pair('{unit}/{attempt}', '{unit}/{attempt}/b.md'))).toEqual([
      'duplicate-output phases.b.outputs.o',
    ]);
  });

  it('has a number, which may be padded', async () => {
    expect(await codesOf(outputs('[u]', '{ o: "{attempt:3}.md" }'))).toEqual([
      'pattern-unknown-field phases.a.outputs.o',
    ]);
    expect(await problemsOf(outputs('[u]', '{ o: "{atempt}.md" }'))).toMatchObject([
      { facts: { found: 'atempt', suggestion: 'attempt' } },
    ]);
  });

  it('knows the index of a counted unit, and no other has one', async () => {
    expect(
      await codesOf(outputs('{ count: 2, id: "f{index}" }', '{ o: "{index:04}_{attempt}.md" }')),
    ).toEqual([]);
    expect(await codesOf(outputs('[u]', '{ o: "{index}.md" }'))).toEqual([
      'pattern-unknown-field phases.a.outputs.o',
    ]);
  });
});

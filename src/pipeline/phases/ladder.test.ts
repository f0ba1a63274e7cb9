import { describe, expect, it } from 'vitest';
import { codesOf, loadText, problemsOf } from '../../../test/fixtures/manifests.ts';
import type { Phase, Rung } from '../../model/definition.ts';
import { missingFiles } from '../missing.ts';
import { atRung, inRound, rungAt } from './gates.ts';

const rung = (seed: number, prompt?: string): Rung => ({ params: { seed }, prompt });

describe('the rung of a round', () => {
  const ladder = [rung(8), rung(9), rung(10)];

  it.each([
    [1, undefined],
    [2, 0],
    [3, 1],
    [4, 2],
    [5, 2],
    [100, 2],
  ])('in round %i is number %s', (round, at) => {
    expect(rungAt(ladder, round)).toEqual(at === undefined ? undefined : { rung: ladder[at], at });
  });

  it('is none where there is no ladder', () => {
    for (const round of [1, 2, 3]) expect(rungAt([], round)).toBeUndefined();
  });
});

const top = 'pawl: 1\npipeline: p\nunits: [u]\nphases:\n';
const run = 'run: { command: [x] }';
const gate = 'outputs: { r: r.json }, gate: { verdict: r.s, pass: [ok], back_to: a, iterations: 4 }';
const looped = (keys: string) => `${top}  a: { ${run}, ${keys} }\n  b: { ${run}, ${gate} }\n`;
const files = { 't.md': 'one', 'strict.md': 'two', 'system.md': 'you' };

async function phaseOf(keys: string): Promise<Phase> {
  const { pipeline } = await loadText(looped(keys), files);
  const [phase] = pipeline.stages[0]?.phases ?? [];
  if (phase === undefined) throw new Error('no phase');
  return phase;
}

describe('a phase on a rung', () => {
  it('has its own parameters with the rung’s put over them', async () => {
    const phase = await phaseOf(
      'params: { seed: 7, width: 64 }, ladder: [{ params: { seed: 8, extra: 1 } }]',
    );
    expect(atRung(phase, phase.ladder[0] ?? rung(0)).params).toEqual({ seed: 8, width: 64, extra: 1 });
    expect(phase.params).toEqual({ seed: 7, width: 64 });
  });

  it('has the rung’s template in place of its own, whatever overrides that', async () => {
    const prompt = 'prompt: { system: system.md, phase: t.md, override: mine.md }';
    const phase = await phaseOf(`${prompt}, ladder: [{ params: { seed: 8 } }, { prompt: strict.md }]`);
    const [first, second] = phase.ladder.map((at) => atRung(phase, at).prompt);
    expect(first).toEqual({ system: 'system.md', phase: 't.md', override: 'mine.md' });
    expect(second).toEqual({ system: 'system.md', phase: 'strict.md', override: undefined });
  });

  it('is itself in the first round, and the same on the last rung however long it stays there', async () => {
    const phase = await phaseOf('params: { seed: 7 }, ladder: [{ params: { seed: 8 } }, {}]');
    expect(inRound(phase, 1)).toBe(phase);
    const seeds = [2, 3, 4, 9].map((round) => inRound(phase, round).params);
    expect(seeds).toEqual([{ seed: 8 }, { seed: 7 }, { seed: 7 }, { seed: 7 }]);
  });
});

describe('a ladder', () => {
  it('has a definition and a template for every rung', async () => {
    const { statics } = await loadText(
      looped('prompt: t.md, ladder: [{ params: { seed: 8 } }, { prompt: strict.md }]'),
      files,
    );
    const a = statics.get('a');
    expect(new Set([a?.definition, ...(a?.rungs ?? [])]).size).toBe(3);
    expect([...(a?.templates.keys() ?? [])]).toEqual(['phase', 'rung:2']);
    expect(statics.get('b')?.rungs).toEqual([]);
  });

  it('of which only one rung changes changes only that', async () => {
    const load = async (second: string) =>
      (await loadText(looped(`ladder: [{ params: { seed: 8 } }, ${second}]`))).statics.get('a');
    const before = await load('{ params: { seed: 9 } }');
    const after = await load('{ params: { seed: 10 } }');
    expect(after?.definition).toBe(before?.definition);
    expect(after?.rungs[0]).toBe(before?.rungs[0]);
    expect(after?.rungs[1]).not.toBe(before?.rungs[1]);
  });

  it('cannot have a prompt where its phase has none', async () => {
    const manifest = looped('ladder: [{ params: { seed: 8 } }, { prompt: strict.md }]');
    expect(await problemsOf(manifest, files)).toMatchObject([
      { code: 'missing-key', path: 'phases.a.ladder[1].prompt', place: { line: 5 } },
    ]);
  });

  it('has templates that lie in the workspace', async () => {
    expect(await codesOf(looped('prompt: t.md, ladder: [{ prompt: ../x.md }]'), files)).toEqual([
      'path-outside phases.a.ladder[0].prompt',
    ]);
  });

  it('has templates that no output may take the place of', async () => {
    const keys = 'prompt: t.md, ladder: [{ prompt: strict.md }], outputs: { o: strict.md }';
    expect(await problemsOf(looped(keys), files)).toMatchObject([
      { code: 'duplicate-output', facts: { other: 'a.ladder[0].prompt' } },
    ]);
  });

  it('with a template that is not there is told with its place', async () => {
    const loaded = await loadText(
      looped('prompt: t.md,\n    ladder: [{ params: { seed: 8 } }, { prompt: gone.md }]'),
      files,
    );
    expect(missingFiles(loaded)).toMatchObject([
      {
        code: 'template-missing',
        path: 'phases.a.ladder[1].prompt',
        facts: { found: 'gone.md', role: 'rung:2' },
        place: { file: 'pawl.yaml', line: 6, column: 49 },
      },
    ]);
  });

  it('with a template that is not there is told in its stage', async () => {
    const loop = `outputs: { r: r.json }, gate: { verdict: r.s, pass: [ok], back_to: a, iterations: 2 }`;
    const loaded = await loadText(
      `pawl: 1\npipeline: p\nstages:\n  - { name: s, units: [u], phases: { z: { ${run} } } }\n` +
        `  - name: t\n    units: [v]\n    phases:\n      a: { ${run}, prompt: t.md, ladder: [{ prompt: gone.md }], ${loop} }\n`,
      files,
    );
    expect(missingFiles(loaded)).toMatchObject([
      { path: 'stages[1].phases.a.ladder[0].prompt', place: { line: 8 } },
    ]);
  });
});

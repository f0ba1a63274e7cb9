import { describe, expect, it } from 'vitest';
import { memoryReader } from '../../test/fixtures/memory-reader.ts';
import { definePipeline } from './define.ts';
import { buildPipeline, loadPipeline } from './load.ts';

const nowhere = () => undefined;

describe('definePipeline', () => {
  it('keeps functions aside and goes the way of every manifest', async () => {
    const plan = (task: { unit: string }) => task.unit;
    const defined = definePipeline({
      pawl: 1,
      pipeline: 'p',
      units: ['a', 'b'],
      phases: {
        plan: { run: plan, outputs: { card: '{unit}.json' }, timeout: undefined },
        lint: { run: { command: ['lint', '{input.card}'] } },
      },
    });
    expect(defined.functions).toEqual(new Map([['plan', plan]]));
    expect(defined.manifest).toEqual({
      pawl: 1,
      pipeline: 'p',
      units: ['a', 'b'],
      phases: {
        plan: { run: { inline: 'plan' }, outputs: { card: '{unit}.json' } },
        lint: { run: { command: ['lint', '{input.card}'] } },
      },
    });
    const source = { file: 'pawl.config.ts', locate: nowhere, functions: defined.functions };
    const built = await buildPipeline(memoryReader({}), defined.manifest, source);
    if (!built.ok) throw new Error(JSON.stringify(built.failure));
    expect(built.value.pipeline.stages[0]?.phases.map(({ executor }) => executor.kind)).toEqual([
      'inline',
      'command',
    ]);
    expect(built.value.locate('phases')).toBeUndefined();
  });

  it('gives the same pipeline as the same manifest in YAML', async () => {
    const phases = { a: { run: { command: ['x'] }, outputs: { o: 'o/{unit}' }, gate: undefined } };
    const defined = definePipeline({ pawl: 1, pipeline: 'p', units: { count: 3 }, phases });
    const yaml =
      'pawl: 1\npipeline: p\nunits: { count: 3 }\nphases: { a: { run: { command: [x] }, outputs: { o: "o/{unit}" } } }\n';
    const loaded = await loadPipeline(memoryReader({ 'pawl.yaml': yaml }), 'pawl.yaml');
    const built = await buildPipeline(memoryReader({}), defined.manifest, { file: '', locate: nowhere });
    if (!loaded.ok || !built.ok) throw new Error('not loaded');
    expect(built.value.pipeline).toEqual(loaded.value.pipeline);
    expect(built.value.statics).toEqual(loaded.value.statics);
  });

  it('finds functions in stages', () => {
    const run = () => 1;
    const { manifest, functions } = definePipeline({
      pawl: 1,
      pipeline: 'p',
      stages: [{ name: 's', units: ['a'], phases: { x: { run } } }],
    });
    expect([...functions.keys()]).toEqual(['x']);
    expect(manifest.stages).toEqual([{ name: 's', units: ['a'], phases: { x: { run: { inline: 'x' } } } }]);
  });

  it('says what is wrong, without a place', async () => {
    const source = { file: 'pawl.config.ts', locate: nowhere };
    const built = await buildPipeline(
      memoryReader({}),
      { pawl: 1, pipeline: 'p', units: ['u'], phases: {} },
      source,
    );
    expect(built).toEqual({
      ok: false,
      failure: {
        reason: 'manifest-invalid',
        file: 'pawl.config.ts',
        problems: [{ code: 'no-phases', path: 'phases', place: undefined, facts: {} }],
      },
    });
  });

  it('throws for what no manifest can hold', () => {
    const define = (params: Record<string, unknown>) =>
      definePipeline({
        pawl: 1,
        pipeline: 'p',
        units: ['u'],
        phases: { a: { run: () => 1, params: params as never } },
      });
    const circle: Record<string, unknown> = {};
    circle.circle = circle;
    expect(() => define({ when: new Date(0) })).toThrow('phases.a.params.when');
    expect(() => define({ f: () => 1 })).toThrow('phases.a.params.f');
    expect(() => define({ n: Number.NaN })).toThrow('phases.a.params.n');
    expect(() => define(circle)).toThrow('deeper than 64');
  });
});

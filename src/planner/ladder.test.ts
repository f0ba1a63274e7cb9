import { describe, expect, it } from 'vitest';
import { gate, line, phase } from '../../test/fixtures/pipelines.ts';
import { refused, World } from '../../test/fixtures/world.ts';
import { hashBytes } from '../base/hash.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';

const files = { 't.md': 'draw', 'strict.md': 'draw well' };

interface Ladder {
  readonly seed?: number;
  readonly rungs?: readonly { readonly params?: { seed: number }; readonly prompt?: string }[];
}

const rungs = [{ params: { seed: 8 } }, { params: { seed: 9 }, prompt: 'strict.md' }];

/** Drawn, looked at, drawn again with another seed, and hung up. */
function gallery(ladder: Ladder = {}): PipelineDefinition {
  return line({
    units: ['once', 'twice', 'often'],
    phases: {
      ...phase('draw', {
        prompt: 't.md',
        params: { seed: ladder.seed ?? 7 },
        ladder: [...(ladder.rungs ?? rungs)],
      }),
      ...phase('look', { gate: gate('stop', 'draw', 4) }),
      ...phase('hang', { inputs: { picture: 'draw.out' } }),
    },
  });
}

/** One picture was good at once, one in the second round, one in the fourth. */
async function hung(before?: string): Promise<World> {
  const world = await World.of(gallery(), files);
  for (const unit of ['once', 'twice', 'often'])
    world.makers.set(`${unit}/draw`, ({ iteration: round }) => ({ out: `${unit} ${round}` }));
  world.verdicts.set('twice/look', ['fail', 'pass']);
  world.verdicts.set('often/look', ['fail', 'fail', 'fail', 'pass']);
  world.run(before);
  return world;
}

/** What each unit itself is refused for. */
const refusedUnits = (world: World) =>
  [...world.plan().units.values()].flatMap(({ refusals }) => refused(refusals));

describe('a rung that is changed', () => {
  it('concerns only results of its own round', async () => {
    const world = await hung();
    await world.change({}, gallery({ rungs: [{ params: { seed: 80 } }, ...rungs.slice(1)] }));
    expect(refused(world.plan().refusals)).toEqual(['manifest-changed']);
    expect(refusedUnits(world)).toEqual(['definition-changed twice/draw', 'definition-changed often/draw']);
    const [, second] = world.ledger.steps.get('twice/draw')?.results ?? [];
    const refusal = world.plan().units.get('twice')?.refusals[0];
    const recorded = world.ledger.revisions.get(second?.revision ?? 0)?.phases.draw?.rungs ?? [];
    expect(refusal).toMatchObject({ before: recorded[0], after: world.loaded.statics.get('draw')?.rungs[0] });
  });

  it('concerns the last round too while it is the last rung', async () => {
    const world = await hung();
    await world.change(
      {},
      gallery({ rungs: [rungs[0] ?? {}, { params: { seed: 90 }, prompt: 'strict.md' }] }),
    );
    expect(refusedUnits(world)).toEqual(['definition-changed often/draw']);
  });

  it('that comes on top concerns only the rounds that now stand on it', async () => {
    const world = await hung();
    await world.change({}, gallery({ rungs: [...rungs, { params: { seed: 10 }, prompt: 'strict.md' }] }));
    expect(refusedUnits(world)).toEqual(['definition-changed often/draw']);
  });

  it('that nothing stood on yet concerns nobody', async () => {
    const world = await hung('twice/look');
    await world.change({}, gallery({ rungs: [{ params: { seed: 80 } }] }));
    expect(refused(world.plan().refusals)).toEqual(['manifest-changed']);
    expect(refusedUnits(world)).toEqual([]);
    expect(world.override({ force: { reason: undefined } })).toEqual([]);
    expect(world.decisions()).toMatchObject({ 'once/draw': 'reuse', 'twice/draw': 'reuse' });
  });

  it('is forced: finished units are kept, and the others run again from their first round', async () => {
    const world = await hung('often/hang');
    await world.change({}, gallery({ rungs: [{ params: { seed: 80 } }, ...rungs.slice(1)] }));
    expect(world.override({ force: { reason: 'brighter' } })).toEqual([]);
    expect(world.decisions()).toMatchObject({ 'once/hang': 'reuse', 'twice/hang': 'reuse' });
    expect(world.run()[0]).toBe('often/draw#5');
  });
});

describe('what every round shares', () => {
  it('concerns every result when it is changed', async () => {
    const world = await hung();
    await world.change({}, gallery({ seed: 70 }));
    // Rungs with a seed of their own are as they were.
    expect(refusedUnits(world)).toEqual(
      ['once/draw', 'twice/draw', 'often/draw'].map((step) => `definition-changed ${step}`),
    );
  });

  it('is the template of the phase', async () => {
    const world = await hung();
    await world.change({ 't.md': 'draw otherwise' });
    expect(new Set(refused(world.plan().refusals))).toEqual(
      new Set(['once', 'twice', 'often'].map((unit) => `prompt-changed ${unit}/draw`)),
    );
  });
});

describe('the template of a rung', () => {
  it('concerns only results of the rounds that stood on it', async () => {
    const world = await hung();
    await world.change({ 'strict.md': 'draw very well' });
    expect(refused(world.plan().refusals)).toEqual(['prompt-changed often/draw']);
    expect(world.plan().refusals).toEqual([
      {
        guard: 'prompt-changed',
        unit: 'often',
        phase: 'draw',
        role: 'rung:2',
        path: 'strict.md',
        before: hashBytes('draw well'),
        after: hashBytes('draw very well'),
      },
    ]);
  });

  it('concerns nobody before a round has stood on it', async () => {
    const world = await hung('often/draw');
    await world.change({ 'strict.md': 'draw very well' });
    expect(world.plan().refusals).toEqual([]);
  });

  it('that is gone is told of, and as it was again forgotten', async () => {
    const world = await hung();
    await world.change({ 'strict.md': undefined });
    expect(world.plan().refusals).toMatchObject([{ role: 'rung:2', after: undefined }]);
    await world.change({ 'strict.md': files['strict.md'] });
    expect(world.plan()).toMatchObject({ refusals: [], finished: true });
  });

  it('is allowed to change: that unit is drawn again, and no other', async () => {
    const world = await hung();
    await world.change({ 'strict.md': 'draw very well' });
    expect(world.override({ allowPromptChange: { reason: 'better' } })).toEqual([]);
    expect(world.run().every((attempt) => attempt.startsWith('often/'))).toBe(true);
    expect(world.plan().finished).toBe(true);
  });
});

describe('a ladder of a phase that the loop does not begin with', () => {
  const studio = (rung: { seed?: number }) =>
    line({
      units: ['a'],
      phases: {
        ...phase('sketch'),
        ...phase('draw', { params: { seed: 7 }, ladder: [{ params: { seed: 7, ...rung } }] }),
        ...phase('look', { gate: gate('stop', 'sketch', 3) }),
      },
    });

  it('is climbed although what the phase takes is the same', async () => {
    const world = await World.of(studio({ seed: 8 }));
    world.verdicts.set('a/look', ['fail']);
    world.run('a/draw');
    world.run('a/look');
    world.run('a/draw');
    expect(world.decision('a/draw')).toMatchObject({
      do: 'run',
      why: { code: 'gate-failed', gate: 'look', verdict: 'fail', iteration: 2 },
    });
    expect(world.run()).toEqual(['a/draw#2@2', 'a/sketch#3@3']);
  });

  it('that changes nothing lets the round before stand', async () => {
    const world = await World.of(studio({}));
    world.verdicts.set('a/look', ['fail']);
    expect(world.run()).toEqual(['a/sketch#1', 'a/draw#1', 'a/look#1', 'a/sketch#2@2', 'a/sketch#3@3']);
  });
});

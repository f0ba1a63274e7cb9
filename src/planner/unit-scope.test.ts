import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gate, line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';
import { planContext } from './context.ts';
import type { Facts } from './facts.ts';
import type { Plan } from './plan.ts';
import { planAfterStart, planUnits } from './run.ts';
import { outdatedSteps, type UnitScope, unitScope, widenScope } from './unit-scope.ts';

/** As a look at one unit does it: facts and plans of nothing but the scope. */
function planAlone(world: World, unit: string): { readonly plan: Pick<Plan, 'units'>; scope: UnitScope } {
  const { loaded, ledger } = world;
  let scope = unitScope(loaded.pipeline, ledger, [unit]);
  for (;;) {
    const context = planContext(loaded, ledger, factsOf(world, scope));
    const { units, undecided } = planUnits(context, scope.units);
    if (undecided === undefined) return { plan: { units }, scope };
    scope = widenScope(loaded.pipeline, ledger, scope, undecided);
  }
}

function factsOf({ ledger, facts }: World, { units }: UnitScope): Facts {
  const paths = [...units].flatMap((unit) =>
    (ledger.steps.byUnit.get(unit) ?? []).flatMap(({ placed = {} }) =>
      Object.values(placed).map(({ path }) => path),
    ),
  );
  return { ...facts, outputs: new Map([...facts.outputs].filter(([path]) => paths.includes(path))) };
}

function scopeOf(world: World, unit: string): string[] {
  return [...planAlone(world, unit).scope.units].sort();
}

describe('the scope of a question about a unit', () => {
  it('is the unit, where it depends on no other', async () => {
    const world = await World.of(line({ units: ['a', 'b', 'c'] }));
    world.run();
    expect(scopeOf(world, 'b')).toEqual(['b']);
    expect(scopeOf(world, 'gone')).toEqual([]);
  });

  it('holds those that it needs, and those before it in a chain', async () => {
    const units = [{ id: 'd', needs: ['b'] }, { id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c' }];
    expect(scopeOf(await World.of(line({ units })), 'd')).toEqual(['a', 'b', 'd']);
    const chain = await World.of(line({ units: { list: ['a', 'b', 'c'], order: 'chain' } }));
    expect(scopeOf(chain, 'b')).toEqual(['a', 'b']);
  });

  const two = (inputs: object = {}): PipelineDefinition => ({
    pawl: 1,
    pipeline: 'two',
    stages: [
      { name: 'draw', units: ['a', 'b', 'c'], phases: phase('draw') },
      { name: 'pack', units: ['x', 'y'], phases: phase('pack', { needs: [], ...inputs }) },
    ],
  });

  it('holds all that it takes from, also where it is done', async () => {
    const world = await World.of(two({ inputs: { all: { from: 'draw.out', of: 'every' } } }));
    world.run();
    expect(scopeOf(world, 'x')).toEqual(['a', 'b', 'c', 'x']);
  });

  it('holds the unit whose state it starts from', async () => {
    const chain = (id: string) => ({ list: [`${id}1`, `${id}2`], order: 'chain' }) as const;
    const world = await World.of(
      {
        pawl: 1,
        pipeline: 'states',
        state: { path: 'state.json', initial: 'seed.json' },
        stages: [
          { name: 'write', units: chain('a'), phases: phase('commit', { state: 'write' }) },
          { name: 'read', units: chain('b'), phases: phase('read', { needs: [], state: 'read' }) },
        ],
      },
      { 'seed.json': '{}' },
    );
    world.run();
    expect(scopeOf(world, 'b1')).toEqual(['a1', 'a2', 'b1']);
  });

  it('holds units whose outputs it was made from, also where it would take others now', async () => {
    const drawn = (units: { id: string; look?: string }[]) =>
      line({
        units,
        phases: phase('draw', {
          inputs: { before: { from: 'draw.out', of: 'previous', on_change: 'keep' } },
        }),
      });
    const world = await World.of(drawn([{ id: 'a' }, { id: 'b' }, { id: 'c' }]));
    for (const unit of ['a', 'b', 'c']) world.makers.set(`${unit}/draw`, () => ({ out: 'the same' }));
    world.run();
    await world.change({}, drawn([{ id: 'a' }, { id: 'c' }, { id: 'b', look: 'dark' }]));
    expect(world.override({ keepChanged: { reason: 'so' } })).toEqual([]);
    const { plan, scope } = planAlone(world, 'c');
    expect([...scope.units].sort()).toEqual(['a', 'b', 'c']);
    expect([...outdatedSteps(plan).byInput]).toEqual(['c/draw']);
  });

  it('holds as much of the stage before as tells whether it is finished', async () => {
    const world = await World.of(two());
    world.run('b/draw');
    expect(scopeOf(world, 'x')).toEqual(['c', 'x']);
    world.run('x/pack');
    expect(scopeOf(world, 'x')).toEqual(['a', 'b', 'c', 'x']);
    world.run();
    expect(scopeOf(world, 'x')).toEqual(['x']);
  });
});

type Take = { readonly of: 'previous' | 'only' | 'every'; readonly on_change: 'rerun' | 'tell' };

interface StageSpec {
  readonly size: number;
  readonly order: 'chain' | 'free';
  /** By unit: the other ones that it needs, as how far back they are. */
  readonly needs: readonly (number | undefined)[];
  readonly isReversed: boolean;
  readonly isGated: boolean;
  readonly isLenient: boolean;
  readonly takes: Take | undefined;
  readonly state: 'none' | 'read' | 'write';
}

const stage: fc.Arbitrary<StageSpec> = fc.record({
  size: fc.integer({ min: 1, max: 4 }),
  order: fc.constantFrom('chain', 'free'),
  needs: fc.array(fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }), {
    minLength: 4,
    maxLength: 4,
  }),
  isReversed: fc.boolean(),
  isGated: fc.boolean(),
  isLenient: fc.boolean(),
  takes: fc.option(
    fc.record({
      of: fc.constantFrom('previous' as const, 'only' as const, 'every' as const),
      on_change: fc.constantFrom('rerun' as const, 'tell' as const),
    }),
    { nil: undefined },
  ),
  state: fc.constantFrom('none', 'read', 'write'),
});

const pipeline = fc
  .record({
    stages: fc.array(stage, { minLength: 1, maxLength: 3 }),
    cascade: fc.constantFrom('rerun' as const, 'tell' as const),
  })
  .map(({ stages, cascade }): PipelineDefinition => {
    const writer = stages.find(({ order, state }) => order === 'chain' && state === 'write');
    const isStateful = stages.some(({ order, state }) => order === 'chain' && state !== 'none');
    return {
      pawl: 1,
      pipeline: 'any',
      ...(isStateful && { state: { path: 'state.json', initial: 'seed.json', cascade } }),
      stages: stages.map((spec, at) => stageOf(spec, at, stages[at - 1], spec === writer)),
    };
  });

type Stages = NonNullable<PipelineDefinition['stages']>;

/** Three phases: the first is made from what others made, the last may send it back. */
function stageOf(
  spec: StageSpec,
  at: number,
  earlier: StageSpec | undefined,
  isWriter: boolean,
): Stages[number] {
  const { size, order, needs, isReversed, isGated, isLenient, takes, state } = spec;
  const isChain = order === 'chain';
  const units = Array.from({ length: size }, (_, index) => {
    const need = isChain ? undefined : needs[index];
    const isThere = need !== undefined && need <= index;
    return { id: `u${at}${index}`, ...(isThere && { needs: [`u${at}${index - need}`] }) };
  });
  const from = takes?.of === 'previous' ? `last${at}.out` : `last${at - 1}.out`;
  const isTaken =
    takes !== undefined &&
    (takes.of === 'previous'
      ? isChain || !isReversed
      : earlier !== undefined && (takes.of === 'every' || earlier.size === 1));
  const { of, on_change } = takes ?? { of: 'only' };
  const others = { from, ...(of !== 'only' && { of }), on_change };
  const seen = isChain && state !== 'none' ? ({ state: 'read' } as const) : {};
  return {
    name: `stage${at}`,
    units: { list: isReversed && !isChain ? units.reverse() : units, order },
    ...(isLenient && !(isChain && state !== 'none') && { failures: 'allow' }),
    phases: {
      ...phase(`first${at}`, {
        needs: [],
        ...seen,
        ...(isTaken && { inputs: { others } }),
        retries: 2,
      }),
      ...phase(`mid${at}`, { inputs: { own: `first${at}.out` }, retries: 2 }),
      ...phase(`last${at}`, {
        inputs: { own: `mid${at}.out` },
        ...(isGated && { gate: gate('stop', `mid${at}`) }),
        ...(isWriter && { state: 'write' }),
      }),
    },
  };
}

/** What happens to a run; the numbers choose the step and what comes of it. */
const history = fc.array(fc.tuple(fc.nat(9), fc.nat(99), fc.nat(2)), { maxLength: 10 });

async function play(definition: PipelineDefinition, steps: readonly (readonly number[])[]): Promise<World> {
  const world = await World.of(definition, { 'seed.json': '{}' });
  world.begin();
  const cells = world.loaded.pipeline.stages.flatMap(({ units, phases }) =>
    units.flatMap(({ id }) => phases.map(({ name }) => `${id}/${name}` as const)),
  );
  for (const [kind = 0, chance = 0, way = 0] of steps) {
    const step = cells[chance % cells.length] ?? 'u00/first0';
    const path = world.ledger.steps.get(step)?.placed?.out?.path;
    if (kind < 4) attempt(() => world.run(kind === 0 ? undefined : step));
    else if (kind === 4) attempt(() => world.fail(step));
    else if (kind === 5) attempt(() => world.die(step));
    else if (kind === 6) world.makers.set(step, () => ({ out: `${way}` }));
    else if (kind === 7) world.verdicts.set(step, ['fail', way === 0 ? 'fail' : 'pass']);
    else if (kind === 8)
      attempt(() => world.override({ rerun: { from: step.split('/')[1], units: undefined } }));
    else if (path !== undefined && way < 2)
      world.setFact(path, { kind: way === 0 ? 'missing' : 'unpromoted' });
    else if (path !== undefined) world.edit(path, 'by hand');
  }
  return world;
}

/** Some steps are refused, or cannot be started as things are. */
function attempt(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Error && /refused|cannot be started/.test(error.message))) throw error;
  }
}

it('a unit is planned alone as it is among all', async () => {
  let smaller = 0;
  await fc.assert(
    fc.asyncProperty(pipeline, history, async (definition, steps) => {
      const world = await play(definition, steps);
      const all = world.plan();
      const { byInput } = outdatedSteps(all);
      for (const [unit, planned] of all.units) {
        const { plan, scope } = planAlone(world, unit);
        expect(plan.units.get(unit)).toEqual(planned);
        const own = [...outdatedSteps(plan).byInput].filter((name) => name.startsWith(`${unit}/`));
        expect(own).toEqual([...byInput].filter((name) => name.startsWith(`${unit}/`)));
        if (scope.units.size < all.units.size) smaller += 1;
      }
    }),
    { numRuns: Number(process.env.PAWL_TEST_RUNS ?? 60) },
  );
  expect(smaller).toBeGreaterThan(50);
});

it('a unit whose step has started is planned again beside the plans of the others', async () => {
  let started = 0;
  await fc.assert(
    fc.asyncProperty(pipeline, history, fc.nat(99), async (definition, steps, chance) => {
      const world = await play(definition, steps);
      const before = world.plan();
      const ready = [...before.units.values()].flatMap(({ cells }) =>
        cells.filter(({ decision }) => decision.do === 'run'),
      );
      const step = ready[chance % ready.length];
      if (step === undefined) return;
      world.die(`${step.unit}/${step.phase}`);
      expect(planAfterStart(world, before, step.unit)).toEqual(world.plan());
      started += 1;
    }),
    { numRuns: Number(process.env.PAWL_TEST_RUNS ?? 60) },
  );
  expect(started).toBeGreaterThan(20);
});

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { book, bookFiles, gate } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import type { JsonValue } from '../base/json.ts';
import { ledgerFromSnapshot, ledgerToSnapshot } from '../ledger/snapshot.ts';
import { stepName } from '../model/names.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import type { Overrides } from './overrides.ts';
import type { Plan } from './plan.ts';
import { planRun } from './run.ts';

/* Whatever happened before, these hold. Every step is one that a person, a disk or a runner can really take. */

const units = ['s1', 's2'];
const phases = ['plan', 'write', 'repair', 'state_repair', 'lint', 'commit'];
const definition = book({ units: { list: units, order: 'chain' } }, { gate: gate('ask', 'repair', 3) });
const versions = {
  'system.md': ['You write.', 'You write well.'],
  'repair.md': ['Mend it.', 'Mend it otherwise.'],
  'seed.json': ['{}', '{"mood":"dark"}'],
};
const reason = 'because';
const overrides: Partial<Overrides>[] = [
  {},
  { allowPromptChange: { reason } },
  { forceResume: { reason } },
  { force: { reason } },
  ...phases.map((from) => ({ rerun: { from, units: undefined } })),
  { rerun: { from: 'write', units: (unit: string) => unit === 's2' } },
];

type Step = (world: World) => Promise<void>;

const cell = fc
  .tuple(fc.constantFrom(...units), fc.constantFrom(...phases))
  .map(([unit, phase]) => stepName(unit, phase));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: cell.map(
      (before): Step =>
        async (world) =>
          void runIfAllowed(world, before),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>(async (world) => void runIfAllowed(world)) },
  cell.map(
    (name): Step =>
      async (world) =>
        tryStart(() => world.die(name)),
  ),
  cell.map(
    (name): Step =>
      async (world) =>
        tryStart(() => world.fail(name)),
  ),
  fc.tuple(cell, fc.constantFrom('missing', 'unpromoted', 'edited', 'copied', 'intact')).map(
    ([name, kind]): Step =>
      async (world) =>
        touch(world, name, kind),
  ),
  fc.tuple(cell, fc.nat(3)).map(
    ([name, text]): Step =>
      async (world) =>
        void world.makers.set(name, () => ({ out: `${text}` })),
  ),
  fc
    .tuple(
      fc.constantFrom(...units),
      fc.array(fc.constantFrom('pass', 'fail'), { minLength: 1, maxLength: 3 }),
    )
    .map(
      ([unit, verdicts]): Step =>
        async (world) =>
          void world.verdicts.set(`${unit}/lint`, verdicts),
    ),
  fc.tuple(fc.constantFrom('system.md', 'repair.md', 'seed.json'), fc.nat(1)).map(
    ([file, version]): Step =>
      async (world) =>
        await world.change({ [file]: versions[file][version] }),
  ),
  fc.constantFrom(...overrides).map(
    (asked): Step =>
      async (world) =>
        void world.override(asked),
  ),
  fc.constantFrom('approved', 'rejected').map(
    (decision): Step =>
      async (world) =>
        decideAll(world, decision),
  ),
  fc.constant<Step>(async (world) => void world.editState('{"by":"hand"}')),
);
const history = fc.array(step, { maxLength: 14 });

async function play(steps: readonly Step[]): Promise<World> {
  const world = await World.of(definition, bookFiles);
  world.begin();
  for (const take of steps) await take(world);
  return world;
}

it('the same ledger and the same facts give the same plan, also through a snapshot', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const world = await play(steps);
      const plan = world.plan();
      expect(world.plan()).toEqual(plan);
      const ledger = ledgerFromSnapshot(
        JSON.parse(JSON.stringify([...ledgerToSnapshot(world.ledger)])) as JsonValue[],
      );
      if (ledger === undefined) throw new Error('no ledger in the snapshot');
      expect(planRun(world.loaded, ledger, world.facts)).toEqual(plan);
    }),
  );
});

it('planning changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const world = await play(steps);
      const { locate: _, ...loaded } = world.loaded;
      const before = structuredClone({ ledger: world.ledger, facts: world.facts, loaded });
      world.plan();
      expect({ ledger: world.ledger, facts: world.facts, loaded }).toEqual(before);
    }),
  );
});

it('a plan is sound', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const world = await play(steps);
      checkPlan(world.loaded, world.plan());
    }),
  );
});

it('what was run is not run again', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const world = await play(steps);
      if (world.plan().refusals.length > 0 || runIfAllowed(world) === undefined) return;
      expect(world.run()).toEqual([]);
    }),
  );
});

it('an override that is granted needs no flag the next time', async () => {
  await fc.assert(
    fc.asyncProperty(history, fc.constantFrom(...overrides), async (steps, asked) => {
      const world = await play(steps);
      if (world.override(asked).length > 0) return;
      const plan = world.plan();
      expect(plan.refusals).toEqual([]);
      expect(world.override({})).toEqual([]);
      expect(world.plan()).toEqual(plan);
    }),
  );
});

/** The attempts that were made; undefined where a guard came up on the way. */
function runIfAllowed(world: World, before?: string): string[] | undefined {
  try {
    return world.run(before);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('refused')) return undefined;
    throw error;
  }
}

function tryStart(start: () => void): void {
  try {
    start();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('cannot be started'))) throw error;
  }
}

function touch(
  world: World,
  name: string,
  kind: 'missing' | 'unpromoted' | 'edited' | 'copied' | 'intact',
): void {
  const path = world.ledger.steps.get(name as `${string}/${string}`)?.placed?.out?.path;
  if (path === undefined) return;
  if (kind === 'edited') world.edit(path, 'by hand');
  else if (kind === 'copied')
    world.setFact(path, { kind: 'damaged', damage: { kind: 'copy-of', cell: 's9/plan' } });
  else world.setFact(path, kind === 'intact' ? undefined : { kind });
}

function decideAll(world: World, decision: 'approved' | 'rejected'): void {
  for (const { cells: steps } of world.plan().units.values()) {
    for (const { decision: planned } of steps) {
      if (planned.do !== 'stop' || planned.why.code !== 'gate-asks') continue;
      const { question, unit, phase, place, shown, redo } = planned.why.asks;
      const id = `C${world.ledger.questionCount + 1}`;
      const sentBack = decision === 'rejected' && redo !== undefined ? { redo } : {};
      world.fold({
        type: 'checkpoint_decided',
        ...{ id, question, unit, phase, place, shown, decision, ...sentBack },
        by: 'ann',
        host: 'here',
        channel: 'terminal',
        note: '',
      });
    }
  }
}

function checkPlan({ pipeline }: LoadedPipeline, plan: Plan): void {
  const [stage] = pipeline.stages;
  let before = true;
  for (const unit of plan.units.values()) {
    const decisions = new Map(unit.cells.map(({ phase, decision }) => [phase, decision.do]));
    for (const cell of unit.cells) {
      const needs = stage?.phases.find(({ name }) => name === cell.phase)?.needs ?? [];
      if (cell.decision.do !== 'run') continue;
      // Nothing starts before what it needs stands, or before the unit that it follows is finished.
      for (const need of needs) expect(['reuse', 'restore', 'skip', 'refuse']).toContain(decisions.get(need));
      expect(before).toBe(true);
    }
    expect(unit.refusals.length > 0).toBe(unit.cells.some(({ decision }) => decision.do === 'refuse'));
    if (unit.finished) checkFinished(plan, unit.unit);
    before = unit.finished;
  }
  expect(plan.finished).toBe(
    [...plan.units.values()].every(({ finished }) => finished) && plan.refusals.length === 0,
  );
}

/** A bad verdict never lets a unit count as finished unless it was accepted on record. */
function checkFinished(plan: Plan, unit: string): void {
  const steps = plan.units.get(unit)?.cells ?? [];
  for (const { decision } of steps) expect(['reuse', 'skip']).toContain(decision.do);
  const lint = steps.find(({ phase }) => phase === 'lint')?.decision;
  const verdict = lint?.do === 'reuse' ? lint.result.verdict : undefined;
  const accepted = plan.notices.some((notice) => notice.code === 'gate-accepted' && notice.unit === unit);
  expect(verdict === 'pass' || accepted).toBe(true);
}

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { line, phase } from '../../test/fixtures/pipelines.ts';
import { inWords, World } from '../../test/fixtures/world.ts';
import type { PipelineDefinition } from '../pipeline/define.ts';
import type { UnitPlan } from '../planner/plan.ts';
import type { ReadyStep } from './attempts/attempt.ts';
import type { RunContext } from './context.ts';
import { Schedule } from './schedule.ts';

/* Keeping plans true step by step comes to the same as planning the whole run again after every step. */

type OnChange = 'rerun' | 'tell';

const needing = line({
  units: [{ id: 'd', needs: ['b'] }, { id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['a'] }],
  phases: {
    ...phase('one'),
    ...phase('two'),
    ...phase('side', { needs: ['one'] }),
    ...phase('join', { needs: ['two', 'side'] }),
  },
});

const strip = (on_change: OnChange) =>
  line({
    units: ['a', 'b', 'c', { id: 'd', needs: ['a'] }],
    failures: 'allow',
    phases: {
      ...phase('sketch', { needs: [], inputs: {}, retries: 1 }),
      ...phase('draw', {
        inputs: { own: 'sketch.out', before: { from: 'hang.out', of: 'previous', on_change } },
        retries: 1,
      }),
      ...phase('hang'),
      ...phase('frame'),
    },
  });

/** Pictures, a stage that has nothing to do with them, and a sheet of them all. */
const sheet = (on_change: OnChange): PipelineDefinition => ({
  pawl: 1,
  pipeline: 'sheet',
  stages: [
    {
      name: 'pictures',
      units: ['a', 'b', 'c'],
      phases: { ...phase('draw', { retries: 1 }), ...phase('hang') },
      failures: 'allow',
    },
    { name: 'between', units: ['m'], phases: phase('mind', { needs: [], inputs: {} }) },
    {
      name: 'export',
      units: ['sheet', 'poster'],
      phases: {
        ...phase('pack', { inputs: { all: { from: 'draw.out', of: 'every', on_change } } }),
        ...phase('send'),
      },
    },
  ],
});

const pipelines: [string, PipelineDefinition][] = [
  ['units that need others', needing],
  ['units that take what the one before has made', strip('rerun')],
  ['units that are told what the one before has made', strip('tell')],
  ['a stage that takes what every unit has made', sheet('rerun')],
  ['a stage that is told what every unit has made', sheet('tell')],
];

it.each(pipelines)('%s', async (_, definition) => {
  const steps = stepsOf(await World.of(definition));
  const chance = fc.infiniteStream(fc.nat(99));
  const lost = fc.uniqueArray(fc.constantFrom(...steps), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(chance, fc.array(lost, { maxLength: 3 }), async (chance, sittings) => {
      const world = await World.of(definition);
      const next = (below: number) => (chance.next().value ?? 0) % below;
      sit(world, next);
      for (const steps of sittings) {
        for (const step of steps) {
          const path = `out/${step.replace('/', '.')}`;
          const isOther = next(2) === 0;
          world.makers.set(step, () => ({ out: isOther ? `another ${next(3)}` : 'the same' }));
          world.setFact(path, { kind: 'missing' });
        }
        sit(world, next);
      }
    }),
    { numRuns: 40 },
  );
});

/** Goes on until nothing is left, with cells that end in any order and now and then fail. */
function sit(world: World, next: (below: number) => number): void {
  world.begin();
  const schedule = new Schedule(world as unknown as RunContext, world.plan());
  const running: ReadyStep[] = [];
  const takeAll = () => {
    for (let one = schedule.take(); one !== undefined; one = schedule.take()) running.push(one);
  };
  takeAll();
  for (let count = 0; running.length > 0; count++) {
    if (count > 200) throw new Error('a sitting without an end');
    const [ended] = running.splice(next(running.length), 1);
    if (ended === undefined) continue;
    const isGood = next(10) !== 0;
    if (isGood) world.carryOut(ended);
    else world.fail(`${ended.unit.id}/${ended.phase.name}`);
    schedule.ended(ended.unit.id, ended.phase.name, { again: isGood });
    takeAll();
    expect(runnable(schedule.plans)).toEqual(runnable(world.plan().units));
  }
  expect(settled(world, schedule.plans)).toEqual(settled(world, world.plan().units));
}

type Plans = ReadonlyMap<string, UnitPlan>;

const runnable = (plans: Plans) =>
  [...plans.values()].flatMap(({ cells: steps }) =>
    steps.flatMap(({ unit, phase, decision }) => (decision.do === 'run' ? [`${unit}/${phase}`] : [])),
  );

/**
 * Everything but what is waited for, in stages that have been opened: nobody looks into the others before. Nor is what
 * changes meanwhile told before all that changes is there.
 */
function settled({ loaded }: World, plans: Plans) {
  const { stages } = loaded.pipeline;
  const isOpen = stages.findIndex(({ units }) => units.some(({ id }) => plans.get(id)?.ended !== true));
  const opened = isOpen === -1 ? stages : stages.slice(0, isOpen + 1);
  return opened.flatMap(({ units }) =>
    units.map(({ id }) => {
      const { cells: steps = [], finished, ended, notices } = plans.get(id) ?? {};
      const decisions = steps.map(({ decision }) =>
        decision.do === 'wait' ? 'wait' : inWords({ decision }),
      );
      return { id, decisions, finished, ended, notices: isOpen === -1 ? notices : [] };
    }),
  );
}

function stepsOf({ loaded }: World): string[] {
  return loaded.pipeline.stages.flatMap(({ units, phases }) =>
    units.flatMap(({ id }) => phases.map(({ name }) => `${id}/${name}`)),
  );
}

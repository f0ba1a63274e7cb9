import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { book, bookFiles, gate, line, phase } from '../../test/fixtures/pipelines.ts';
import { inWords, World } from '../../test/fixtures/world.ts';
import type { ReadyStep } from './attempts/attempt.ts';
import type { RunContext } from './context.ts';
import { Schedule } from './schedule.ts';

function scheduleOf(world: World): Schedule {
  world.begin();
  return new Schedule(world as unknown as RunContext, world.plan());
}

const nameOf = ({ unit, phase }: ReadyStep) => `${unit.id}/${phase.name}`;

/** All that can be started now, without any of it having ended. */
function takeAll(schedule: Schedule): ReadyStep[] {
  const taken: ReadyStep[] = [];
  for (let next = schedule.take(); next !== undefined; next = schedule.take()) taken.push(next);
  return taken;
}

function succeed(world: World, schedule: Schedule, step: ReadyStep): boolean {
  world.carryOut(step);
  return schedule.ended(step.unit.id, step.phase.name, { again: true });
}

/** Carries out everything, one cell at a time. */
function drain(world: World, schedule: Schedule): string[] {
  const done: string[] = [];
  for (let next = schedule.take(); next !== undefined; next = schedule.take()) {
    done.push(nameOf(next));
    succeed(world, schedule, next);
  }
  return done;
}

const short = { ...phase('one'), ...phase('two') };

describe('free units', () => {
  it('can all begin at once, and each goes on by itself', async () => {
    const world = await World.of(line({ phases: short }));
    const schedule = scheduleOf(world);
    const [a, b] = takeAll(schedule);
    expect([a, b].map((one) => one && nameOf(one))).toEqual(['a/one', 'b/one']);
    if (b === undefined) throw new Error('no second unit');
    expect(succeed(world, schedule, b)).toBe(false);
    expect(takeAll(schedule).map(nameOf)).toEqual(['b/two']);
  });

  it('that were begun are finished before others begin', async () => {
    const world = await World.of(line());
    expect(drain(world, scheduleOf(world))).toEqual([
      'a/one',
      'a/two',
      'a/three',
      'b/one',
      'b/two',
      'b/three',
    ]);
  });

  it('tell when they are finished, once', async () => {
    const world = await World.of(
      line({ units: ['a'], phases: { ...phase('one'), ...phase('two', { needs: [] }) } }),
    );
    const schedule = scheduleOf(world);
    const finished = takeAll(schedule).map((step) => succeed(world, schedule, step));
    expect(finished).toEqual([false, true]);
    expect(schedule.ended('a', 'two', { again: true })).toBe(false);
  });

  it('are not planned again when another one takes a step', async () => {
    const world = await World.of(line({ phases: short }));
    const schedule = scheduleOf(world);
    const before = schedule.plans.get('b');
    const [a] = takeAll(schedule);
    if (a === undefined) throw new Error('nothing to do');
    succeed(world, schedule, a);
    expect(schedule.plans.get('b')).toBe(before);
    expect(schedule.plans.get('a')?.cells.map(inWords)).toEqual(['reuse', 'run never-ran']);
  });
});

describe('a cell', () => {
  it('is not handed out twice', async () => {
    const world = await World.of(line({ units: ['a'], phases: short }));
    const schedule = scheduleOf(world);
    expect(takeAll(schedule)).toHaveLength(1);
    expect(schedule.take()).toBeUndefined();
  });

  it('that failed is left alone, or handed out again', async () => {
    const world = await World.of(line({ units: ['a'], phases: short }));
    const schedule = scheduleOf(world);
    takeAll(schedule);
    world.fail('a/one');
    schedule.ended('a', 'one', { again: false });
    expect(schedule.take()).toBeUndefined();
    world.fail('a/one');
    schedule.ended('a', 'one', { again: true });
    const again = schedule.take();
    expect(again && nameOf(again)).toBe('a/one');
    expect(again?.why).toMatchObject({ code: 'failed-before', attempt: 2 });
  });

  it('of a loop comes again in the next round', async () => {
    const world = await World.of(book(), bookFiles);
    world.verdicts.set('s1/lint', ['fail', 'pass']);
    expect(drain(world, scheduleOf(world)).slice(0, 8)).toEqual([
      's1/plan',
      's1/write',
      's1/state_repair',
      's1/lint',
      's1/repair',
      's1/state_repair',
      's1/lint',
      's1/commit',
    ]);
  });
});

describe('a chain', () => {
  it('goes on when the unit before is finished', async () => {
    const chain = line({ units: { list: ['a', 'b', 'c'], order: 'chain' }, phases: short });
    const world = await World.of(chain);
    expect(drain(world, scheduleOf(world))).toEqual(['a/one', 'a/two', 'b/one', 'b/two', 'c/one', 'c/two']);
  });

  it('stands still behind a unit that is stuck', async () => {
    const world = await World.of(line({ units: { list: ['a', 'b'], order: 'chain' }, phases: short }));
    const schedule = scheduleOf(world);
    takeAll(schedule);
    world.fail('a/one');
    schedule.ended('a', 'one', { again: false });
    expect(schedule.take()).toBeUndefined();
  });

  const cascading = { state: { path: 'state.json', initial: 'seed.json', cascade: 'rerun' as const } };

  it('that cascades runs the units behind it again', async () => {
    const world = await World.of(book(cascading), bookFiles);
    world.run();
    world.makers.set('s1/write', () => ({ out: 'another beginning' }));
    world.setFact('out/s1.write', { kind: 'missing' });
    const phases = ['write', 'state_repair', 'lint', 'commit'];
    expect(drain(world, scheduleOf(world))).toEqual(
      ['s1', 's2', 's3'].flatMap((unit) => phases.map((name) => `${unit}/${name}`)),
    );
  });

  it('that cascades leaves the units behind it as they are when the state is the same', async () => {
    const world = await World.of(book(cascading), bookFiles);
    world.run();
    world.setFact('out/s1.commit', { kind: 'missing' });
    const schedule = scheduleOf(world);
    expect(drain(world, schedule)).toEqual(['s1/commit']);
    expect([...schedule.plans.values()].every(({ finished }) => finished)).toBe(true);
  });

  it('of any length is gone through when nothing behind a unit has to run', async () => {
    const list = Array.from({ length: 20_000 }, (_, at) => `u${at}`);
    const phases = phase('one', { state: 'write' });
    const { path, initial, cascade } = cascading.state;
    const long = line({ state: { path, initial, cascade }, units: { list, order: 'chain' }, phases });
    const world = await World.of(long, { 'seed.json': '{}' });
    world.begin();
    // All of it as a runner would have left it, without planning twenty thousand times.
    let preState = { hash: world.facts.state?.initial ?? 'sha256:', path: 'seed.json' };
    for (const unit of list) {
      const at = { unit, phase: 'one', attempt: 1 };
      const out = { path: `out/${unit}.one`, hash: preState.hash, size: 1 };
      const state = { ...out, path: `state/${unit}.json` };
      world.fold({ type: 'attempt_started', ...at, revision: 1, preState });
      world.fold({ type: 'attempt_succeeded', ...at, outputs: { out, state }, ms: 1 });
      world.setFact(out.path, undefined);
      world.setFact(state.path, undefined);
      preState = { hash: state.hash, path: state.path };
    }
    world.setFact('out/u0.one', { kind: 'missing' });
    const schedule = scheduleOf(world);
    const first = schedule.take();
    expect(first && nameOf(first)).toBe('u0/one');
    const { hash } = preState;
    const outputs = Object.fromEntries(
      ['out', 'state'].map((name) => [
        name,
        { path: name === 'out' ? 'out/u0.one' : 'state/u0.json', hash, size: 1 },
      ]),
    );
    world.fold({
      type: 'attempt_started',
      unit: 'u0',
      phase: 'one',
      attempt: 2,
      revision: 1,
      preState: { hash, path: 'seed.json' },
    });
    world.fold({ type: 'attempt_succeeded', unit: 'u0', phase: 'one', attempt: 2, outputs, ms: 1 });
    world.setFact('out/u0.one', undefined);
    expect(schedule.ended('u0', 'one', { again: true })).toBe(true);
    expect(schedule.take()).toBeUndefined();
    expect([...schedule.plans.values()].every(({ finished }) => finished)).toBe(true);
  });
});

describe('units that need others', () => {
  it('go on when all of them are finished, wherever they are listed', async () => {
    const units = [{ id: 'c', needs: ['a', 'b'] }, { id: 'a' }, { id: 'b' }];
    const world = await World.of(line({ units, phases: short }));
    expect(drain(world, scheduleOf(world))).toEqual(['a/one', 'a/two', 'b/one', 'b/two', 'c/one', 'c/two']);
  });

  it('go on in a later sitting too', async () => {
    const units = [{ id: 'c', needs: ['a'] }, { id: 'a' }];
    const world = await World.of(line({ units, phases: short }));
    world.run('c/one');
    expect(drain(world, scheduleOf(world))).toEqual(['c/one', 'c/two']);
  });
});

describe('stages', () => {
  const stage = (name: string, units: string[], phases = phase(name)) => ({ name, units, phases });
  const staged = (...stages: ReturnType<typeof stage>[]) => ({
    pawl: 1 as const,
    pipeline: 'staged',
    stages,
  });

  it('open one after the other', async () => {
    const world = await World.of(
      staged(stage('one', ['a', 'b']), stage('two', ['c', 'd']), stage('three', ['e'])),
    );
    const schedule = scheduleOf(world);
    const order: string[][] = [];
    for (let taken = takeAll(schedule); taken.length > 0; taken = takeAll(schedule)) {
      order.push(taken.map(nameOf).sort());
      for (const step of taken) succeed(world, schedule, step);
    }
    expect(order).toEqual([['a/one', 'b/one'], ['c/two', 'd/two'], ['e/three']]);
  });

  it('open over one that is finished already', async () => {
    const world = await World.of(staged(stage('one', ['a']), stage('two', ['b']), stage('three', ['c'])));
    world.run('c/three');
    world.setFact('out/a.one', { kind: 'missing' });
    expect(drain(world, scheduleOf(world))).toEqual(['a/one', 'c/three']);
  });

  it('wait for a chain that cascades', async () => {
    const { units, phases, state, ...rest } = book({
      state: { path: 's', initial: 'seed.json', cascade: 'rerun' },
    });
    if (units === undefined || phases === undefined || state === undefined) throw new Error('no book');
    const stages = [
      { name: 'draft', units, phases },
      stage('print', ['p1', 'p2'], { ...phase('set'), ...phase('bind') }),
    ];
    const world = await World.of({ ...rest, state, stages }, bookFiles);
    world.run('p1/bind');
    world.makers.set('s1/write', () => ({ out: 'another beginning' }));
    world.setFact('out/s1.write', { kind: 'missing' });
    const order = drain(world, scheduleOf(world));
    expect(order.findIndex((name) => name.startsWith('p'))).toBe(order.lastIndexOf('s3/commit') + 1);
    expect(order.slice(order.lastIndexOf('s3/commit') + 1)).toEqual(['p1/bind', 'p2/set', 'p2/bind']);
  });
});

describe('units that take what the one before has made', () => {
  const strip = (more: object = {}) =>
    line({
      units: ['a', 'b', 'c'],
      phases: {
        ...phase('sketch', { needs: [], inputs: {} }),
        ...phase('draw', { inputs: { before: { from: 'draw.out', of: 'previous', ...more } } }),
        ...phase('hang'),
      },
    });

  it('begin together, and go on one after the other', async () => {
    const world = await World.of(strip());
    const schedule = scheduleOf(world);
    const order: string[][] = [];
    for (let taken = takeAll(schedule); taken.length > 0; taken = takeAll(schedule)) {
      order.push(taken.map(nameOf));
      for (const step of taken) succeed(world, schedule, step);
    }
    expect(order).toEqual([
      ['a/sketch', 'b/sketch', 'c/sketch'],
      ['a/draw'],
      ['a/hang'],
      ['b/draw'],
      ['b/hang'],
      ['c/draw'],
      ['c/hang'],
    ]);
  });

  it('are gone through when what was made anew is the same', async () => {
    const world = await World.of(strip());
    world.run();
    world.setFact('out/a.draw', { kind: 'missing' });
    const schedule = scheduleOf(world);
    expect(drain(world, schedule)).toEqual(['a/draw']);
    expect([...schedule.plans.values()].every(({ finished }) => finished)).toBe(true);
  });

  it('are told of it where that is all they want', async () => {
    const world = await World.of(strip({ on_change: 'tell' }));
    world.run();
    world.makers.set('a/draw', () => ({ out: 'another' }));
    world.setFact('out/a.draw', { kind: 'missing' });
    const schedule = scheduleOf(world);
    expect(drain(world, schedule)).toEqual(['a/draw', 'a/hang']);
    expect(schedule.plans.get('b')?.notices).toMatchObject([{ code: 'input-stale' }]);
  });
});

it('hands out a phase as its round has it', async () => {
  const phases = {
    ...phase('draw', { params: { seed: 7 }, ladder: [{ params: { seed: 8 } }] }),
    ...phase('look', { gate: gate('stop', 'draw', 3) }),
  };
  const world = await World.of(line({ units: ['a'], phases }));
  world.verdicts.set('a/look', ['fail', 'fail', 'pass']);
  world.makers.set('a/draw', ({ iteration: round }) => ({ out: String(round) }));
  const schedule = scheduleOf(world);
  const seeds: unknown[] = [];
  for (let next = schedule.take(); next !== undefined; next = schedule.take()) {
    if (next.phase.name === 'draw') seeds.push(next.phase.params.seed);
    succeed(world, schedule, next);
  }
  expect(seeds).toEqual([7, 8, 8]);
});

it('ends where planning the whole run again would end, whatever the order in which cells end', async () => {
  const units = [
    { id: 'd', needs: ['b'] },
    { id: 'a' },
    { id: 'b', needs: ['a'] },
    { id: 'c', needs: ['a'] },
  ];
  const phases = {
    ...short,
    ...phase('side', { needs: ['one'] }),
    ...phase('join', { needs: ['two', 'side'] }),
  };
  const definition = line({ units, phases });
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat(9)), async (chance) => {
      const world = await World.of(definition);
      const schedule = scheduleOf(world);
      const running = takeAll(schedule);
      for (let count = 0; running.length > 0 && count < 100; count++) {
        const [ended] = running.splice((chance.next().value ?? 0) % running.length, 1);
        if (ended !== undefined) succeed(world, schedule, ended);
        running.push(...takeAll(schedule));
        expect(new Map(schedule.plans)).toEqual(world.plan().units);
      }
      expect(world.plan().finished).toBe(true);
    }),
    { numRuns: 30 },
  );
});

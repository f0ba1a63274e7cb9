import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  demand,
  failureOf,
  memoryEnvironment,
  nextProcess,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import type { JsonValue } from '../../base/json.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { runPipeline } from '../run/run.ts';
import { planPipeline } from '../show/plan.ts';
import { showStatus } from '../show/status.ts';
import { whyCell } from '../show/why.ts';

/** A stage lists tasks, the next one does them, the last one takes them all. */
function tasks(first: JsonValue): {
  readonly env: TestEnvironment;
  readonly definition: CodePipeline;
  readonly ran: string[];
  list: JsonValue;
} {
  const ran: string[] = [];
  const world = { env: memoryEnvironment(), ran, list: first };
  const definition: CodePipeline = {
    pawl: 1,
    pipeline: 'tasks',
    stages: [
      {
        name: 'plan',
        units: ['plan'],
        phases: {
          graph: {
            run: () => {
              ran.push('plan/graph');
              return { graph: { tasks: world.list } };
            },
            outputs: { graph: { path: 'out/graph.json', check: 'json' } },
          },
        },
      },
      {
        name: 'build',
        units: { artifact: 'graph.graph.tasks' },
        phases: {
          make: {
            run: ({ unit }) => {
              ran.push(`${unit.id}/make`);
              return { text: `${unit.id} ${String(unit.title ?? '')}\n` };
            },
            outputs: { text: 'out/{unit}.txt' },
          },
        },
      },
      {
        name: 'end',
        units: ['all'],
        phases: {
          join: {
            run: ({ every }) => {
              ran.push('all/join');
              return { all: (every.texts ?? []).map((file) => `${file.unit}: ${file.text()}`).join('') };
            },
            inputs: { texts: { from: 'make.text', of: 'every' } },
            outputs: { all: 'out/all.txt' },
          },
        },
      },
    ],
  };
  return Object.assign(world, { definition });
}

const two: JsonValue = [
  { id: 't2', title: 'b', needs: ['t1'] },
  { id: 't1', title: 'a' },
];

describe('units that the run itself lists', () => {
  it('go through their phases in the same sitting, in the order of their needs', async () => {
    const world = tasks(two);
    const answer = await run(world.env, world.definition);
    expect(answer).toMatchObject({ kind: 'new', heading: { status: 'completed' }, ran: { succeeded: 4 } });
    expect(world.ran).toEqual(['plan/graph', 't1/make', 't2/make', 'all/join']);
    const all = new TextDecoder().decode(world.env.disk.read(`${root}/out/all.txt`));
    expect(all).toBe('t2: t2 b\nt1: t1 a\n');
    expect((await run(nextProcess(world.env), world.definition)).kind).toBe('unchanged');
  });

  it('are not known before, and are known to everybody after', async () => {
    const world = tasks(two);
    const target = { path: root, pipeline: definePipeline(world.definition) };
    const before = demand(await planPipeline(world.env, target));
    expect([...before.plan.units.keys()]).toEqual(['plan', 'all']);
    expect(before.plan.finished).toBe(false);
    await run(world.env, world.definition);
    const env = nextProcess(world.env);
    expect(demand(await showStatus(env, target)).units.map(({ unit }) => unit)).toEqual([
      'plan',
      't2',
      't1',
      'all',
    ]);
    expect(demand(await whyCell(env, { ...target, cell: 't2/make' })).status).toBe('succeeded');
  });

  it('go on where they were when the run was stopped between', async () => {
    const world = tasks(two);
    const stop = new AbortController();
    const observer = {
      begun: () => undefined,
      progress: ({ type, ...rest }: { type: string; unit?: string }) => {
        if (type === 'unit-finished' && rest.unit === 't1') stop.abort();
      },
    };
    const stopped = await run(world.env, world.definition, { stop: stop.signal, observer });
    expect(stopped.interrupted).toBe(true);
    world.ran.length = 0;
    const answer = await run(nextProcess(world.env), world.definition);
    expect(answer.heading.status).toBe('completed');
    expect(world.ran).toEqual(['t2/make', 'all/join']);
  });

  it('are those of the new list when it is made anew, and nothing starts by the old one', async () => {
    const world = tasks(two);
    await run(world.env, world.definition);
    world.list = [{ id: 't1', title: 'a' }, { id: 't3' }];
    world.ran.length = 0;
    const rerun = { rerunFrom: 'graph', unit: 'plan' };
    const answer = await run(nextProcess(world.env), world.definition, rerun);
    expect(world.ran).toEqual(['plan/graph', 't3/make', 'all/join']);
    expect(answer.notices).toEqual([{ code: 'unit-removed', unit: 't2' }]);
    expect(world.env.disk.stat(`${root}/out/t2.txt`)?.kind).toBe('file');
  });

  it.each([
    ['a need that there is not', [{ id: 't1', needs: ['t9'] }], 'unknown-unit-need'],
    [
      'a circle',
      [
        { id: 'a', needs: ['b'] },
        { id: 'b', needs: ['a'] },
      ],
      'unit-cycle',
    ],
    ['one id twice', [{ id: 'a' }, { id: 'a' }], 'duplicate-unit'],
    ['a name of another stage', [{ id: 'all' }], 'duplicate-unit'],
    ['no list', 7, 'unit-source-not-a-list'],
  ])('stop the run when the list has %s; a better list mends it', async (_, list, code) => {
    const world = tasks(list);
    const target = { path: root, pipeline: definePipeline(world.definition) };
    const failure = failureOf(await runPipeline(world.env, target));
    expect(failure.reason === 'manifest-invalid' && failure.problems[0]?.code).toBe(code);
    const env = nextProcess(world.env);
    expect(demand(await showStatus(env, target)).heading.status).toBe('stopped');
    world.list = two;
    const answer = demand(await runPipeline(nextProcess(env), { ...target, rerunFrom: 'graph' }));
    expect(answer.heading.status).toBe('completed');
  });
});

import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  demand,
  eventsOf,
  failureOf,
  memoryEnvironment,
  nextProcess,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import type { JsonValue } from '../../base/json.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { examineWorkspace } from '../maintain/doctor/doctor.ts';
import { adoptFiles } from '../people/adopt.ts';
import { runPipeline } from '../run/run.ts';
import { describeFolder } from '../show/describe-folder.ts';
import { showGraph } from '../show/graph.ts';
import { planPipeline } from '../show/plan.ts';
import { resumeReport } from '../show/resume.ts';
import { showStatus } from '../show/status.ts';
import { whyStep } from '../show/why.ts';
import { nextTask } from '../tasks/next.ts';

/** A stage lists tasks, the next one does them, the last one takes them all. */
function tasks(
  first: JsonValue,
  review?: () => { report: JsonValue },
): {
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
              if (world.list === 'fail') throw new Error('no list');
              return { graph: { tasks: world.list } };
            },
            outputs: { graph: { path: 'out/graph.json', check: 'json' } },
          },
          ...(review !== undefined && {
            review: {
              run: review,
              inputs: { graph: 'graph.graph' },
              outputs: { report: { path: 'out/report.json', check: 'json' } },
              gate: { verdict: 'report.verdict', pass: ['pass'], back_to: 'graph', iterations: 3 },
            },
          }),
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
    expect(demand(await whyStep(env, { ...target, cell: 't2/make' })).status).toBe('succeeded');
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

  it('are those of the new list when its phase re-runs, and nothing starts by the old one', async () => {
    const world = tasks(two);
    await run(world.env, world.definition);
    world.list = [{ id: 't1', title: 'a' }, { id: 't3' }];
    world.ran.length = 0;
    const rerun = { rerunFrom: 'graph', unit: 'plan' };
    const selected = await run(nextProcess(world.env), world.definition, rerun);
    expect(world.ran).toEqual(['plan/graph']);
    expect(selected.notices).toEqual([{ code: 'unit-removed', unit: 't2' }]);
    await run(nextProcess(world.env), world.definition);
    expect(world.ran).toEqual(['plan/graph', 't3/make', 'all/join']);
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
    const lists = [{ unit: 'plan', phase: 'graph', path: 'out/graph.json' }];
    expect(failure).toMatchObject({ reason: 'manifest-invalid', lists, ran: { succeeded: 1, failed: 0 } });
    expect(failure.reason === 'manifest-invalid' && failure.problems[0]?.code).toBe(code);
    world.list = two;
    const env = nextProcess(world.env);
    const answer = demand(await runPipeline(env, { ...target, rerunFrom: 'graph' }));
    expect(answer.heading.status).toBe('completed');
  });

  describe('in a list that cannot be used', () => {
    const twice = [{ id: 't1' }, { id: 't1' }];
    const told = {
      reason: 'manifest-invalid',
      problems: [{ code: 'duplicate-unit', place: { file: 'out/graph.json' } }],
      lists: [{ unit: 'plan', phase: 'graph', path: 'out/graph.json' }],
    };

    async function stopped() {
      const world = tasks(twice);
      const target = { path: root, pipeline: definePipeline(world.definition) };
      failureOf(await runPipeline(world.env, target));
      world.ran.length = 0;
      return { world, target, env: nextProcess(world.env) };
    }

    it('are told of in the same way by all who decide or look, and nothing is written', async () => {
      const { target, env, world } = await stopped();
      const before = eventsOf(env).length;
      const answers = [
        await runPipeline(env, target),
        await planPipeline(env, target),
        await showStatus(env, target),
        await whyStep(env, { ...target, cell: 't1/make' }),
        await resumeReport(env, target),
        await showGraph(env, target),
        await describeFolder(env, target),
        await nextTask(env, { ...target, actor: 'somebody' }),
      ];
      const [first, ...others] = answers.map((answer) => (answer.ok ? undefined : answer.failure));
      expect(first).toMatchObject(told);
      expect(first).not.toHaveProperty('ran');
      for (const other of others) expect(other).toEqual(first);
      expect(eventsOf(env)).toHaveLength(before);
      expect(world.ran).toEqual([]);
      const { findings } = demand(await examineWorkspace(env, target));
      expect(findings).toContainEqual(
        expect.objectContaining({
          state: 'bad',
          check: 'manifest',
          facts: expect.objectContaining({ file: 'out/graph.json', madeBy: 'plan/graph' }),
        }),
      );
    });

    it('are in nobody’s way where the plan makes the list anew', async () => {
      const { target, env } = await stopped();
      const { plan } = demand(await planPipeline(env, { ...target, rerunFrom: 'graph' }));
      expect(plan.units.get('plan')?.cells[0]?.decision.do).toBe('run');
    });

    it('do not hide that their maker has failed since', async () => {
      const { world, target, env } = await stopped();
      world.list = 'fail';
      const answer = demand(await runPipeline(env, { ...target, rerunFrom: 'graph' }));
      expect(answer).toMatchObject({ ran: { succeeded: 0, failed: 1 }, heading: { status: 'stopped' } });
    });

    it('are not told of before the unit that lists them is done: it may be sent back', async () => {
      let isBroken = true;
      const world = tasks(twice, () => {
        if (isBroken) throw new Error('nobody is there to review it');
        // The first list is sent back, and a better one made.
        if (world.list !== twice) return { report: { verdict: 'pass' } };
        world.list = two;
        return { report: { verdict: 'fail' } };
      });
      const failed = await run(world.env, world.definition);
      expect(failed).toMatchObject({ heading: { status: 'stopped' }, ran: { succeeded: 1, failed: 1 } });
      const env = nextProcess(world.env);
      const target = { path: root, pipeline: definePipeline(world.definition) };
      demand(await planPipeline(env, target));
      expect(demand(await showStatus(env, target)).counts.failed).toBe(1);
      isBroken = false;
      const answer = await run(env, world.definition, { rerunFrom: 'review' });
      expect(answer.heading.status).toBe('completed');
    });

    it('are mended by a list that is adopted', async () => {
      const { world, target, env } = await stopped();
      env.disk.putFile(`${root}/out/graph.json`, '{"tasks":["t5"]}');
      expect(demand(await showStatus(env, target)).refusals).toMatchObject([{ guard: 'output-edited' }]);
      const adopted = demand(
        await adoptFiles(env, { ...target, targets: ['out/graph.json'], reason: 'mended' }),
      );
      expect(adopted).toMatchObject({ reruns: ['t5/make'], waits: ['all/join'] });
      const answer = demand(await runPipeline(nextProcess(env), target));
      expect(answer.heading.status).toBe('completed');
      expect(world.ran).toEqual(['t5/make', 'all/join']);
    });
  });

  it('may be none: the stage is done, until others are listed', async () => {
    const world = tasks([]);
    expect((await run(world.env, world.definition)).heading.status).toBe('completed');
    expect(world.ran).toEqual(['plan/graph', 'all/join']);
    const env = nextProcess(world.env);
    expect((await run(env, world.definition)).kind).toBe('unchanged');
    world.list = two;
    const answer = await run(nextProcess(env), world.definition, { rerunFrom: 'graph' });
    expect(answer.heading.status).toBe('completed');
    expect(world.ran.slice(2)).toEqual(['plan/graph', 't1/make', 't2/make', 'all/join']);
  });
});

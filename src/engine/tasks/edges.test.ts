import { beforeEach, describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  demand,
  failureOf,
  memoryEnvironment,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import type { JsonValue } from '../../base/json.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { showGraph } from '../show/graph.ts';
import { showStatus } from '../show/status.ts';
import { completeTask } from './complete.ts';
import { heartbeat } from './end.ts';
import { nextTask } from './next.ts';

/** A verifier of Pawl's own sends back what an agent has done, until it says otherwise. */
let env: TestEnvironment;
let list: JsonValue;
let verdict: string;
let verified: string[];
let definition: CodePipeline;

beforeEach(() => {
  env = memoryEnvironment({ 'task.md': '{{ unit.id }}: {{ unit.about }}\n' });
  list = [{ id: 'T001', about: 'a', files: ['src/a.ts'] }];
  verdict = 'fail';
  verified = [];
  definition = {
    pawl: 1,
    pipeline: 'team',
    layout: { run: 'runs/{id}' },
    stages: [
      {
        name: 'planning',
        units: ['plan'],
        phases: {
          graph: {
            run: () => ({ tasks: { tasks: list } }),
            outputs: { tasks: { path: '{run}/tasks.json', check: 'json', on_edit: 'adopt' } },
          },
        },
      },
      {
        name: 'tasks',
        units: { artifact: 'graph.tasks.tasks', needs: 'needs', touches: 'files' },
        phases: {
          implement: { prompt: 'task.md', run: { task: 'executor', files: 'files' } },
          verify: {
            run: ({ unit }) => {
              verified.push(unit.id);
              return { report: { status: verdict } };
            },
            outputs: { report: '{run}/{unit}.json' },
            gate: { verdict: 'report.status', pass: ['pass'], back_to: 'implement', iterations: 5 },
          },
        },
      },
    ],
  };
});

const target = () => ({ path: root, pipeline: definePipeline(definition) });
const start = () => run(env, definition);
const next = (unit?: string) => nextTask(env, { ...target(), actor: 'a', unit });
const complete = (unit: string, actor = 'a') => completeTask(env, { ...target(), unit, actor });
const put = (path: string, text: string) => env.disk.putFile(`${root}/${path}`, text);
const runFolder = () => `runs/${env.disk.list(`${root}/runs`)?.[0]}`;
const edit = (tasks: JsonValue) => put(`${runFolder()}/tasks.json`, JSON.stringify({ tasks }));

describe('what was sent back', () => {
  it('is verified again when the files that were named are others', async () => {
    await start();
    demand(await next());
    put('src/a.ts', 'bad');
    demand(await complete('T001'));
    await start();
    expect(verified).toEqual(['T001']);
    demand(await next());
    put('src/a.ts', 'good');
    verdict = 'pass';
    demand(await complete('T001'));
    expect(await start()).toMatchObject({ heading: { status: 'completed' } });
    expect(verified).toEqual(['T001', 'T001']);
  });

  it('has to be claimed before it is completed again', async () => {
    await start();
    demand(await next());
    put('src/a.ts', 'bad');
    demand(await complete('T001'));
    expect(demand(await complete('T001')).again).toBe(true);
    await start();
    expect(failureOf(await complete('T001'))).toMatchObject({ reason: 'claim-lost' });
  });
});

describe('a task that cannot be prepared', () => {
  it('keeps nobody from the others, and is told when it is the only one', async () => {
    list = [{ id: 'T001' }, { id: 'T002', about: 'b' }];
    await start();
    expect(demand(await next()).task?.unit).toBe('T002');
    expect(failureOf(await next())).toMatchObject({
      reason: 'cannot-prepare',
      unit: 'T001',
      failure: 'template-failed',
    });
  });
});

describe('a graph that was edited', () => {
  it('and cannot be used hides nothing, and holds up nobody who has a task', async () => {
    list = [
      { id: 'T001', about: 'a' },
      { id: 'T002', about: 'b' },
    ];
    await start();
    demand(await next('T001'));
    edit([
      { id: 'T001', about: 'a', needs: ['T002'] },
      { id: 'T002', about: 'b', needs: ['T001'] },
    ]);
    expect(failureOf(await next())).toMatchObject({ reason: 'manifest-invalid' });
    const status = demand(await showStatus(env, target()));
    expect(status.units.map(({ unit }) => unit)).toEqual(['plan', 'T001', 'T002']);
    expect(status.findings).toMatchObject([{ code: 'unit-list-invalid', file: `${runFolder()}/tasks.json` }]);
    expect(demand(await showGraph(env, target())).findings).toMatchObject([{ code: 'unit-list-invalid' }]);
    demand(await heartbeat(env, { ...target(), unit: 'T001', actor: 'a' }));
    demand(await complete('T001'));
  });

  it('is shown as it will be taken in', async () => {
    await start();
    edit([
      { id: 'T001', about: 'a' },
      { id: 'T009', about: 'new' },
    ]);
    const status = demand(await showStatus(env, target()));
    expect(status.refusals).toEqual([]);
    expect(status.units.map(({ unit }) => unit)).toContain('T009');
  });

  it('opens a completed run again', async () => {
    verdict = 'pass';
    await start();
    demand(await next());
    put('src/a.ts', 'good');
    demand(await complete('T001'));
    expect(await start()).toMatchObject({ heading: { status: 'completed' } });
    edit([
      { id: 'T001', about: 'a', files: ['src/a.ts'] },
      { id: 'T002', about: 'b' },
    ]);
    expect(demand(await next()).task?.unit).toBe('T002');
    env.clock.advance(60 * 60_000);
    expect(demand(await showStatus(env, target())).heading.status).toBe('paused');
  });

  it('tells of a task that is no longer in it', async () => {
    await start();
    demand(await next());
    edit([{ id: 'T002', about: 'b' }]);
    expect(failureOf(await complete('T001'))).toMatchObject({ reason: 'not-claimable', why: 'removed' });
  });
});

describe('paths that a task touches', () => {
  it.each(['src//a.ts', './src/./a.ts', 'src/b/../a.ts'])(
    'are the same however written: %s',
    async (path) => {
      list = [
        { id: 'T001', about: 'a', files: ['src/a.ts'] },
        { id: 'T002', about: 'b', files: [path] },
      ];
      await start();
      demand(await next());
      expect(demand(await next()).none).toMatchObject({ code: 'nothing-now', heldBack: ['T002'] });
    },
  );
});

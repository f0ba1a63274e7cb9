import { beforeEach, describe, expect, it } from 'vitest';
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
import { readJournal } from '../../store/file/journal/read.ts';
import { showStatus } from '../show/status.ts';
import { whyStep } from '../show/why.ts';
import { type CompleteRequest, completeTask } from './complete.ts';
import { blockTask, failTask, heartbeat, releaseTask, unblockTask } from './end.ts';
import { type NextRequest, nextTask } from './next.ts';

const leaseMs = 10 * 60_000;

let env: TestEnvironment;
let list: JsonValue;

function pipeline(): CodePipeline {
  const definition: CodePipeline = {
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
        units: {
          artifact: 'graph.tasks.tasks',
          needs: 'dependencies',
          priority: 'priority',
          touches: ['area_paths'],
          beside: 'parallelizable_with',
        },
        phases: {
          implement: {
            run: { task: 'executor', lease: '10m', files: 'artifacts' },
            outputs: { notes: { path: '{run}/notes/{unit}.md', check: 'non-empty', optional: true } },
            on_interrupt: 'continue',
          },
        },
      },
      {
        name: 'end',
        units: ['end'],
        phases: { close: { run: () => ({ text: 'closed' }), outputs: { text: '{run}/closed.txt' } } },
      },
    ],
  };
  return definition;
}

let definition: CodePipeline;
const target = () => ({ path: root, pipeline: definePipeline(definition) });

beforeEach(() => {
  env = memoryEnvironment();
  list = [{ id: 'T001' }, { id: 'T002', dependencies: ['T001'] }, { id: 'T003' }];
  definition = pipeline();
});

const next = async (actor: string, more: Partial<NextRequest> = {}) =>
  await nextTask(env, { ...target(), actor, ...more });
const claimed = async (actor: string, more: Partial<NextRequest> = {}) =>
  demand(await next(actor, more)).task?.unit;
const complete = async (unit: string, actor: string, more: Partial<CompleteRequest> = {}) =>
  await completeTask(env, { ...target(), unit, actor, ...more });
const start = () => run(env, definition);
const put = (path: string, text: string) => env.disk.putFile(`${root}/${path}`, text);
const eventsOf = (actor: string) => {
  const [folder] = env.disk.list(`${root}/runs`) ?? [];
  return [...readJournal(env.disk, `${root}/runs/${folder}/events`).events()].filter(
    (event) => event.actor === actor,
  );
};

describe('a run with work for others', () => {
  it('does its own part, and is paused', async () => {
    const answer = await start();
    expect(answer).toMatchObject({
      heading: { status: 'paused' },
      others: { ready: 2, claimed: 0 },
      stops: [],
    });
  });

  it('is gone on with when others have done theirs', async () => {
    await start();
    for (const unit of ['T001', 'T002', 'T003']) {
      demand(await next('a', { unit }));
      demand(await complete(unit, 'a'));
    }
    expect(await start()).toMatchObject({ heading: { status: 'completed' } });
  });

  it('is running while somebody has a claim', async () => {
    await start();
    demand(await next('a'));
    expect(demand(await showStatus(env, target())).heading.status).toBe('running');
    env.clock.advance(leaseMs);
    expect(demand(await showStatus(env, target())).heading.status).toBe('paused');
  });
});

describe('a task', () => {
  it('is given to one, with all that its work needs', async () => {
    list = [{ id: 'T001', title: 'First', artifacts: ['src/a.ts'], criteria: ['works'] }];
    await start();
    const { task } = demand(await next('executor-1'));
    expect(task).toMatchObject({
      unit: 'T001',
      title: 'First',
      phase: 'implement',
      role: 'executor',
      attempt: 1,
      actor: 'executor-1',
      mode: 'fresh',
      leaseMs,
      data: { id: 'T001', title: 'First', criteria: ['works'] },
      files: ['src/a.ts'],
    });
    expect(env.disk.stat(`${root}/${task?.folder}/task.json`)?.kind).toBe('file');
    expect(demand(await next('executor-2'))).toMatchObject({
      task: undefined,
      none: { code: 'nothing-now', claimed: 1 },
    });
  });

  it('that needs another is given when that is done', async () => {
    await start();
    expect([await claimed('a'), await claimed('b'), await claimed('c')]).toEqual(['T001', 'T003', undefined]);
    expect(demand(await complete('T001', 'a')).opened).toEqual(['T002']);
    expect(await claimed('c')).toBe('T002');
  });

  it('goes by priority, then as listed', async () => {
    list = [
      { id: 'later', priority: 'low' },
      { id: 'plain' },
      { id: 'first', priority: 0 },
      { id: 'second', priority: 'P1' },
      { id: 'other' },
    ];
    await start();
    const order = [];
    for (const actor of ['a', 'b', 'c', 'd', 'e']) order.push(await claimed(actor));
    expect(order).toEqual(['first', 'second', 'plain', 'other', 'later']);
  });

  it.each([
    ['the same file', ['src/a.ts'], ['src/a.ts']],
    ['a folder and a file in it', ['src/'], ['src/deep/a.ts']],
    ['a pattern', ['src/**/*.ts'], ['src/deep/a.ts']],
  ])('that touches %s as one under way is held back', async (_, first, second) => {
    list = [
      { id: 'one', area_paths: first },
      { id: 'two', area_paths: second },
      { id: 'free', area_paths: ['docs/a.md'], priority: 'low' },
    ];
    await start();
    expect([await claimed('a'), await claimed('b')]).toEqual(['one', 'free']);
    expect(demand(await next('c')).none).toMatchObject({ code: 'nothing-now', heldBack: ['two'] });
    expect(failureOf(await next('c', { unit: 'two' }))).toMatchObject({ why: 'conflict', for: ['one'] });
    demand(await complete('one', 'a'));
    expect(await claimed('c')).toBe('two');
  });

  it('that says it may be beside another is not', async () => {
    list = [
      { id: 'one', area_paths: ['src'] },
      { id: 'two', area_paths: ['src'], parallelizable_with: ['one'] },
    ];
    await start();
    expect([await claimed('a'), await claimed('b')]).toEqual(['one', 'two']);
  });

  it('can be asked for by name, and again by whoever has it', async () => {
    await start();
    expect(demand(await next('a', { unit: 'T003' })).task).toMatchObject({ unit: 'T003', attempt: 1 });
    env.clock.advance(60_000);
    const again = demand(await next('a', { unit: 'T003' })).task;
    expect(again).toMatchObject({ unit: 'T003', attempt: 1 });
    expect(Date.parse(again?.leaseUntil ?? '')).toBe(env.clock.ms + leaseMs);
    expect(failureOf(await next('b', { unit: 'T003' }))).toMatchObject({ why: 'claimed', for: ['a'] });
    expect(failureOf(await next('b', { unit: 'T002' }))).toMatchObject({ why: 'waits', for: ['T001'] });
  });

  it('is not given where nobody knows the role, the unit or the actor', async () => {
    await start();
    expect(failureOf(await next('a', { role: 'boss' }))).toMatchObject({ problem: { code: 'unknown-role' } });
    expect(failureOf(await next('a', { unit: 'T9' }))).toMatchObject({ problem: { code: 'unknown-unit' } });
    for (const actor of ['', 'runner', 'A B', '../x'])
      expect(failureOf(await next(actor))).toMatchObject({ problem: { code: 'bad-actor' } });
  });
});

describe('a lease', () => {
  it('that runs out makes the task claimable again, under a higher number', async () => {
    await start();
    expect(await claimed('a', { unit: 'T003' })).toBe('T003');
    env.clock.advance(leaseMs - 1);
    expect(failureOf(await next('b', { unit: 'T003' }))).toMatchObject({ why: 'claimed' });
    env.clock.advance(1);
    const { task } = demand(await next('b', { unit: 'T003' }));
    expect(task).toMatchObject({ attempt: 2, why: { code: 'interrupted', attempt: 1 }, mode: 'continue' });
    expect(task?.previous).toMatch(/attempts\/T003\/implement\/1$/);
  });

  it('is renewed by a heartbeat', async () => {
    await start();
    await claimed('a', { unit: 'T003' });
    env.clock.advance(leaseMs - 1);
    demand(await heartbeat(env, { ...target(), unit: 'T003', actor: 'a' }));
    env.clock.advance(leaseMs - 1);
    expect(failureOf(await next('b', { unit: 'T003' }))).toMatchObject({ why: 'claimed' });
  });

  it('that has run out is forgiven while nobody else has the task', async () => {
    await start();
    await claimed('a', { unit: 'T003' });
    env.clock.advance(2 * leaseMs);
    expect(demand(await complete('T003', 'a'))).toMatchObject({ act: 'completed', finished: true });
  });

  it('shows a task that nobody answers for as in doubt', async () => {
    await start();
    await claimed('a', { unit: 'T003' });
    env.clock.advance(leaseMs);
    expect(demand(await whyStep(env, { ...target(), cell: 'T003/implement' }))).toMatchObject({
      status: 'interrupted',
      verdict: { do: 'run', role: 'executor', why: { code: 'interrupted', attempt: 1 } },
    });
  });
});

describe('a completion', () => {
  it('under an old number is refused and recorded, and what was made is kept aside', async () => {
    list = [{ id: 'T001', artifacts: ['src/a.ts'] }];
    await start();
    await claimed('a');
    put('src/a.ts', 'of a');
    env.clock.advance(leaseMs);
    await claimed('b');
    const failure = failureOf(await complete('T001', 'a', { attempt: 1 }));
    expect(failure).toMatchObject({
      reason: 'claim-lost',
      attempt: 1,
      current: 2,
      holder: { actor: 'b' },
    });
    const aside = failure.reason === 'claim-lost' ? failure.aside : undefined;
    expect(new TextDecoder().decode(env.disk.read(`${root}/${aside}/src/a.ts`))).toBe('of a');
    expect(eventsOf('a').at(-1)).toMatchObject({ type: 'completion_refused', attempt: 1, aside });
    put('src/a.ts', 'of b');
    expect(demand(await complete('T001', 'b')).files).toHaveLength(1);
    expect(failureOf(await complete('T001', 'a', { attempt: 1 }))).toMatchObject({ reason: 'claim-lost' });
  });

  it('by somebody who never had it is refused', async () => {
    await start();
    await claimed('a', { unit: 'T001' });
    expect(failureOf(await complete('T001', 'b'))).toMatchObject({ reason: 'claim-lost' });
    expect(failureOf(await complete('T003', 'b'))).toMatchObject({ reason: 'claim-lost' });
    expect(failureOf(await complete('T009', 'b'))).toMatchObject({ problem: { code: 'unknown-unit' } });
  });

  it('is refused while something is missing, and says everything that is', async () => {
    list = [{ id: 'T001', artifacts: ['src/a.ts', 'src/b.ts', '../out.ts'] }];
    await start();
    await claimed('a');
    put('src/b.ts', '');
    const failure = failureOf(await complete('T001', 'a', { files: ['c.ts'] }));
    expect(failure).toMatchObject({
      reason: 'completion-incomplete',
      problems: [
        { path: 'src/a.ts', problem: 'output-missing' },
        { path: '../out.ts', problem: 'output-outside' },
        { path: 'c.ts', problem: 'output-missing' },
      ],
    });
    expect(eventsOf('a').map(({ type }) => type)).toEqual(['attempt_started']);
  });

  it('proves outputs by their checks, wherever they lie', async () => {
    await start();
    const { task } = demand(await next('a', { unit: 'T003' }));
    const notes = task?.outputs[0]?.path ?? '';
    put(notes, '');
    expect(failureOf(await complete('T003', 'a'))).toMatchObject({
      problems: [{ output: 'notes', problem: 'check-failed' }],
    });
    put(notes, 'good');
    const done = demand(await complete('T003', 'a', { note: 'easy' }));
    expect(done.outputs).toMatchObject([{ name: 'notes', path: notes }]);
    expect(eventsOf('a').at(-1)).toMatchObject({ type: 'attempt_succeeded', note: 'easy' });
    expect(new TextDecoder().decode(env.disk.read(`${root}/${notes}`))).toBe('good');
  });

  it('takes an output from elsewhere', async () => {
    await start();
    await claimed('a', { unit: 'T003' });
    put('tmp/x.md', 'made elsewhere');
    const done = demand(await complete('T003', 'a', { outputs: { notes: 'tmp/x.md' } }));
    expect(new TextDecoder().decode(env.disk.read(`${root}/${done.outputs[0]?.path}`))).toBe(
      'made elsewhere',
    );
    await claimed('b', { unit: 'T001' });
    expect(failureOf(await complete('T001', 'b', { outputs: { nots: 'x' } }))).toMatchObject({
      problem: { code: 'unknown-output', valid: ['notes'] },
    });
    expect(failureOf(await complete('T001', 'b', { outputs: { notes: '/etc/passwd' } }))).toMatchObject({
      problems: [{ output: 'notes', problem: 'output-outside' }],
    });
  });

  it('said twice is recorded once', async () => {
    await start();
    await claimed('a', { unit: 'T003' });
    demand(await complete('T003', 'a'));
    expect(demand(await complete('T003', 'a', { attempt: 1 })).again).toBe(true);
    expect(eventsOf('a').filter(({ type }) => type === 'attempt_succeeded')).toHaveLength(1);
  });

  it('of the last thing there is completes the run, where nothing is left for Pawl itself', async () => {
    const { stages = [] } = pipeline();
    definition = { ...pipeline(), stages: stages.slice(0, 2) };
    list = [{ id: 'T001' }];
    await start();
    await claimed('a');
    expect(demand(await complete('T001', 'a')).heading.status).toBe('completed');
    expect(demand(await showStatus(env, target())).heading.status).toBe('completed');
    expect(await start()).toMatchObject({ kind: 'unchanged', heading: { status: 'completed' } });
  });
});

describe('what does not go well', () => {
  it('may be tried again, three times', async () => {
    await start();
    for (const attempt of [1, 2, 3]) {
      expect(demand(await next('a', { unit: 'T003' })).task?.attempt).toBe(attempt);
      demand(await failTask(env, { ...target(), unit: 'T003', actor: 'a', reason: `no ${attempt}` }));
    }
    expect(failureOf(await next('a', { unit: 'T003' }))).toMatchObject({ why: 'failed', for: ['no 3'] });
    expect(await claimed('a')).toBe('T001');
    expect(await start()).toMatchObject({ heading: { status: 'stopped' } });
  });

  it('can be given back', async () => {
    await start();
    await claimed('a', { unit: 'T003' });
    demand(await releaseTask(env, { ...target(), unit: 'T003', actor: 'a' }));
    expect(demand(await next('b', { unit: 'T003' })).task?.attempt).toBe(2);
    expect(failureOf(await releaseTask(env, { ...target(), unit: 'T003', actor: 'a' }))).toMatchObject({
      reason: 'claim-lost',
    });
  });

  it('can be blocked, until somebody settles it', async () => {
    await start();
    await claimed('a', { unit: 'T001' });
    demand(await blockTask(env, { ...target(), unit: 'T001', actor: 'a', reason: 'needs a key' }));
    expect(failureOf(await next('b', { unit: 'T001' }))).toMatchObject({
      why: 'blocked',
      for: ['needs a key'],
    });
    expect(await claimed('b')).toBe('T003');
    demand(await complete('T003', 'b'));
    expect(demand(await next('b')).none).toEqual({ code: 'stuck', failed: [], blocked: ['T001'] });
    expect(await start()).toMatchObject({ heading: { status: 'stopped' } });
    demand(await unblockTask(env, { ...target(), unit: 'T001', actor: 'me' }));
    expect(demand(await unblockTask(env, { ...target(), unit: 'T001', actor: 'me' })).again).toBe(true);
    expect(demand(await next('b')).task).toMatchObject({ unit: 'T001', attempt: 2 });
  });
});

describe('the graph', () => {
  const edit = (tasks: JsonValue) => {
    const [folder] = env.disk.list(`${root}/runs`) ?? [];
    put(`runs/${folder}/tasks.json`, JSON.stringify({ tasks }));
  };

  it('may grow while the run goes on', async () => {
    await start();
    await claimed('a', { unit: 'T003' });
    edit([{ id: 'T001' }, { id: 'T003' }, { id: 'T004', priority: 0 }]);
    expect(await claimed('b')).toBe('T004');
    demand(await complete('T003', 'a'));
    expect(await start()).toMatchObject({ others: { ready: 1, claimed: 1 } });
  });

  it.each([
    [
      'a cycle',
      [
        { id: 'a', dependencies: ['b'] },
        { id: 'b', dependencies: ['a'] },
      ],
      'unit-cycle',
    ],
    ['an unknown need', [{ id: 'a', dependencies: ['zz'] }], 'unknown-unit-need'],
    ['the same id twice', [{ id: 'a' }, { id: 'A' }], 'duplicate-unit'],
  ])('with %s is refused, and says which', async (_, tasks, code) => {
    await start();
    edit(tasks);
    expect(failureOf(await next('a'))).toMatchObject({
      reason: 'manifest-invalid',
      problems: expect.arrayContaining([expect.objectContaining({ code })]),
    });
  });

  it('tells of a task that was worked on and is gone', async () => {
    await start();
    await claimed('a', { unit: 'T003' });
    demand(await complete('T003', 'a'));
    edit([{ id: 'T001' }]);
    expect(demand(await next('a')).notices).toEqual([{ code: 'unit-removed', unit: 'T003' }]);
  });
});

describe('many at once', () => {
  it('are each given another task', async () => {
    list = Array.from({ length: 20 }, (_, at) => ({ id: `t${at}` }));
    await start();
    // Whoever has to wait lets the others go on, and no time passes.
    const clock = { ...env.clock, sleep: () => new Promise<void>((go) => setImmediate(go)) };
    const others = Array.from({ length: 20 }, (_, at) => {
      const self = { ...env.host.self, pid: 100 + at };
      return { ...env, clock, host: { ...env.host, self } };
    });
    const answers = await Promise.all(
      others.map((other, at) => nextTask(other, { ...target(), actor: `a${at}` })),
    );
    const units = answers.map((answer) => demand(answer).task?.unit);
    expect(new Set(units).size).toBe(20);
  });

  it('may have died at the desk: the next one goes on', async () => {
    await start();
    const folder = `${root}/runs/${env.disk.list(`${root}/runs`)?.[0]}`;
    const { takeLock } = await import('../../store/file/journal/lock.ts');
    demand(
      await takeLock({
        ...env,
        eventsFolder: folder,
        actor: 'desk',
        run: 'r',
        takeover: false,
      }),
    );
    env = nextProcess(env);
    expect(await claimed('a')).toBe('T001');
  });
});

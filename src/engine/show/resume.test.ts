import { describe, expect, it } from 'vitest';
import { started } from '../../../test/fixtures/events.ts';
import {
  type CodePipeline,
  demand,
  memoryEnvironment,
  nextProcess,
  root,
  run,
} from '../../../test/fixtures/memory.ts';
import { gate, line, phase } from '../../../test/fixtures/pipelines.ts';
import { World } from '../../../test/fixtures/world.ts';
import { hashBytes } from '../../base/hash.ts';
import { foldEvent } from '../../ledger/fold.ts';
import type { EventBody } from '../../model/event.ts';
import type { Finding } from '../../model/failure.ts';
import { definePipeline, type PipelineDefinition } from '../../pipeline/define.ts';
import type { ResumeAnswer } from '../observe/task-answers.ts';
import type { RunHeading } from '../open/find-run.ts';
import { nextTask } from '../tasks/next.ts';
import { type ResumeSubject, resumeFacts, resumeReport } from './resume.ts';

const heading: RunHeading = {
  run: '20261115-1200-shop-aaaa',
  pipeline: 'shop',
  identity: {},
  status: 'stopped',
  workspace: '.',
  createdAt: '',
  updatedAt: '',
};

const agent = { task: 'executor' };

/** A plan, four tasks that agents work on, and a clean-up. */
const shop: PipelineDefinition = {
  pawl: 1,
  pipeline: 'shop',
  inputs: { spec: { path: 'spec.md', on_change: 'block' } },
  stages: [
    { name: 'plan', units: ['shop'], phases: phase('draft', { inputs: { spec: 'spec' } }) },
    {
      name: 'build',
      units: [
        { id: 't1', title: 'Set the table' },
        { id: 't2', title: 'Cook' },
        { id: 't3', title: 'Serve', needs: ['t1', 't2'] },
        { id: 't4' },
      ],
      phases: phase('make', { run: agent, retries: { attempts: 1 } }),
    },
    { name: 'cleanup', units: ['tidy'], phases: phase('sweep') },
  ],
};

const shopFiles = { 'spec.md': 'a shop' };

/** Everything up to the tasks is done. */
async function planned(): Promise<World> {
  const world = await World.of(shop, shopFiles);
  world.run('t1/make');
  return world;
}

function answer(world: World, more: Partial<ResumeSubject> = {}): ResumeAnswer {
  return resumeFacts({
    heading,
    loaded: world.loaded,
    manifest: 'pawl.yaml',
    ledger: world.ledger,
    plan: world.plan(),
    refusals: world.plan().refusals,
    facts: world.facts,
    findings: [],
    gitHead: undefined,
    ...more,
  });
}

let seq = 1000;

/** What somebody outside writes into a journal of their own. */
function by(world: World, actor: string, event: EventBody, at = '2026-11-15T13:00:00.000Z'): void {
  seq += 1;
  foldEvent(world.ledger, { ...event, seq, at, actor, epoch: 1 });
}

const lease = '2026-11-15T14:00:00.000Z';

function claim(world: World, unit: string, actor = 'a1', attempt = 1): void {
  const unitData = world.loaded.unitData.get(unit);
  by(world, actor, started(`${unit}/make#${attempt}`, { lease, ...(unitData && { unitData }) }));
}

function complete(world: World, unit: string, at: string, actor = 'a1'): void {
  claim(world, unit, actor);
  const outputs = { out: { path: `out/${unit}.make`, hash: hashBytes(unit), size: 1 } };
  by(world, actor, { type: 'attempt_succeeded', unit, phase: 'make', attempt: 1, outputs, ms: 1 }, at);
}

describe('the state of a run', () => {
  it('before anything is done', async () => {
    const world = await World.of(shop, shopFiles);
    world.begin();
    expect(answer(world)).toMatchObject({
      heading,
      phase: { number: 0, name: 'plan', of: 3 },
      tasks: { done: 0, total: 4 },
      lastActivity: world.ledger.updatedAt,
      lastCompleted: undefined,
      stale: undefined,
      inDoubt: [],
    });
  });

  it('tells the stage that it has come to, the tasks of the largest and what was done last', async () => {
    const world = await planned();
    expect(answer(world)).toMatchObject({
      phase: { number: 1, name: 'build' },
      lastCompleted: { unit: 'shop', title: undefined },
    });
    complete(world, 't2', '2026-11-15T13:00:02.000Z');
    complete(world, 't1', '2026-11-15T13:00:01.000Z', 'a2');
    expect(answer(world)).toMatchObject({
      phase: { number: 1, name: 'build' },
      tasks: { done: 2, total: 4, ready: 2 },
      lastActivity: '2026-11-15T13:00:02.000Z',
      lastCompleted: { unit: 't2', title: 'Cook' },
    });
  });

  it('when all is done', async () => {
    const world = await World.of(shop, shopFiles);
    world.run();
    expect(answer(world)).toMatchObject({
      phase: { number: 2, name: 'cleanup', of: 3 },
      tasks: { done: 4, total: 4 },
      lastCompleted: { unit: 't4' },
      next: { code: 'nothing' },
    });
  });

  it.each([
    ['build', 1],
    ['BUILD', 1],
    ['2', 2],
    ['Phase_2', 2],
    ['phase 1', 1],
    ['7', 0],
    ['nowhere', 0],
    ['', 0],
  ])('is where another tool says that it is: %j', async (stage, number) => {
    const world = await World.of(shop, shopFiles);
    world.begin();
    by(world, 'other', { type: 'foreign_run_reported', stage });
    expect(answer(world).phase.number).toBe(number);
  });

  it('is where the work is, once there is work, whatever another tool says', async () => {
    const world = await planned();
    claim(world, 't1');
    by(world, 'other', { type: 'foreign_run_reported', stage: 'cleanup' });
    expect(answer(world).phase.name).toBe('build');
    by(world, 'other', { type: 'foreign_run_reported', stage: 'plan' });
    expect(answer(world).phase.name).toBe('build');
  });
});

describe('what comes next', () => {
  const next = (world: World) => answer(world).next;

  it('is what Pawl runs itself', async () => {
    const world = await World.of(shop, shopFiles);
    world.begin();
    expect(next(world)).toEqual({ code: 'run-phases', cells: ['shop/draft'] });
  });

  it('is a guard that refuses, before anything else', async () => {
    const world = await World.of(shop, shopFiles);
    world.run('t1/make');
    await world.change({ 'spec.md': 'a larger shop' });
    world.edit('out/shop.draft', 'mine');
    expect(next(world)).toEqual({ code: 'refused', guards: ['file-changed', 'output-edited'] });
    world.setFact('out/shop.draft', undefined);
    expect(next(world)).toEqual({ code: 'refused', guards: ['file-changed'] });
  });

  it('is not a guard that the manifest opens by itself', async () => {
    const world = await World.of(
      line({ phases: phase('one', { outputs: { out: { path: 'out/{unit}.one', on_edit: 'adopt' } } }) }),
    );
    world.run();
    world.edit('out/a.one', 'mine');
    expect(next(world)).not.toMatchObject({ code: 'refused' });
  });

  it('is a decision, before what could be run meanwhile', async () => {
    const world = await World.of(
      line({ phases: { ...phase('one'), ...phase('two', { gate: gate('ask', 'one') }), ...phase('three') } }),
    );
    world.verdicts.set('a/two', ['fail']);
    world.run('b/one');
    expect(next(world)).toEqual({ code: 'decide', cells: ['a/two'] });
  });

  it('is the failures that brought a phase to its limit', async () => {
    const world = await World.of(
      line({ phases: phase('one', { limits: { consecutive_failures: 1 }, retries: { attempts: 3 } }) }),
    );
    world.fail('a/one');
    expect(next(world)).toEqual({ code: 'look-at-failure', cells: ['a/one'] });
  });

  it('is the task that is handed out first', async () => {
    const world = await planned();
    expect(next(world)).toEqual({ code: 'claim-task', unit: 't1', title: 'Set the table' });
    claim(world, 't1');
    expect(next(world)).toEqual({ code: 'claim-task', unit: 't2', title: 'Cook' });
  });

  it('is to wait where all that is left is claimed, and to claim again when a lease has run out', async () => {
    const world = await planned();
    for (const unit of ['t1', 't2', 't4']) claim(world, unit);
    expect(next(world)).toMatchObject({
      code: 'wait-for-claims',
      claims: [
        { unit: 't1', phase: 'make', actor: 'a1', attempt: 1, until: lease, live: true },
        { unit: 't2' },
        { unit: 't4' },
      ],
    });
    world.facts.now = lease;
    expect(answer(world).next).toMatchObject({ code: 'claim-task', unit: 't1' });
  });

  it('is to unblock what is blocked, before a failure is looked at', async () => {
    const world = await planned();
    complete(world, 't1', lease);
    by(world, 'a1', { type: 'task_blocked', unit: 't2', reason: 'no stove' });
    claim(world, 't4');
    by(world, 'a1', {
      type: 'attempt_failed',
      unit: 't4',
      phase: 'make',
      attempt: 1,
      reason: 'agent-failed',
      message: 'burnt',
      ms: 1,
    });
    expect(next(world)).toEqual({ code: 'unblock', units: ['t2'] });
    by(world, 'a1', { type: 'task_unblocked', unit: 't2' });
    complete(world, 't2', lease);
    complete(world, 't3', lease);
    expect(next(world)).toEqual({ code: 'look-at-failure', cells: ['t4/make'] });
  });

  it('is the runner’s where it has still to list the units', async () => {
    const world = await World.of(
      {
        pawl: 1,
        pipeline: 'shop',
        stages: [
          { name: 'plan', units: ['shop'], phases: phase('graph') },
          { name: 'build', units: { artifact: 'graph.out.tasks' }, phases: phase('make', { run: agent }) },
        ],
      },
      {},
    );
    world.run();
    expect(answer(world)).toMatchObject({
      phase: { number: 1, name: 'build' },
      next: { code: 'run-phases', cells: [] },
    });
  });
});

describe('work in doubt', () => {
  it('is a claim whose lease has run out, and an attempt of Pawl itself', async () => {
    const world = await planned();
    claim(world, 't2', 'a7');
    world.facts.now = lease;
    expect(answer(world).inDoubt).toEqual([
      { unit: 't2', phase: 'make', actor: 'a7', attempt: 1, until: lease, live: false },
    ]);
    const other = await World.of(shop, shopFiles);
    other.die('shop/draft');
    expect(answer(other).inDoubt).toEqual([
      { unit: 'shop', phase: 'draft', actor: 'runner', attempt: 1, until: '', live: false },
    ]);
  });

  it('is none that a living holder is at', async () => {
    const world = await planned();
    claim(world, 't2');
    world.facts.now = '2026-11-15T13:59:59.999Z';
    expect(answer(world).inDoubt).toEqual([]);
    const other = await World.of(shop, shopFiles);
    other.die('shop/draft');
    expect(answer(other, { heading: { ...heading, status: 'running' } }).inDoubt).toEqual([]);
  });
});

describe('a run without an event for long', () => {
  const dayMs = 24 * 60 * 60_000;
  const later = (world: World, ms: number) => new Date(Date.parse(world.ledger.updatedAt) + ms).toISOString();

  it('is old after fourteen days, to the millisecond', async () => {
    const world = await planned();
    world.facts.now = later(world, 14 * dayMs);
    expect(answer(world).stale).toBeUndefined();
    world.facts.now = later(world, 14 * dayMs + 1);
    expect(answer(world).stale).toEqual({
      idleMs: 14 * dayMs + 1,
      limitMs: 14 * dayMs,
      gitHead: { before: undefined, now: undefined },
      changed: [],
    });
  });

  it('is old when the manifest says so', async () => {
    const world = await World.of({ ...shop, pace: { stale_after: '1h' } }, shopFiles);
    world.run('t1/make');
    world.facts.now = later(world, dayMs);
    expect(answer(world).stale).toMatchObject({ idleMs: dayMs, limitMs: 60 * 60_000 });
  });

  it('is not old when it is over, or when the clock goes backwards', async () => {
    const world = await planned();
    world.facts.now = later(world, -20 * dayMs);
    expect(answer(world).stale).toBeUndefined();
    world.run();
    world.facts.now = later(world, 20 * dayMs);
    expect(answer(world).stale).toBeUndefined();
  });

  it('tells the commit then and now', async () => {
    const world = await planned();
    by(world, 'runner', { type: 'run_resumed', boot: 'boot-1', gitHead: 'aaaa' });
    world.facts.now = later(world, 20 * dayMs);
    expect(answer(world, { gitHead: 'bbbb' }).stale?.gitHead).toEqual({ before: 'aaaa', now: 'bbbb' });
  });

  it('tells what is no longer as it was, each path once', async () => {
    const world = await World.of(
      {
        pawl: 1,
        pipeline: 'line',
        inputs: {
          spec: { path: 'spec.md', on_change: 'block' },
          tone: { path: 'tone.md', on_change: 'rerun' },
        },
        units: ['a', 'b', 'c', 'd', 'e'],
        phases: {
          ...phase('one', { inputs: { spec: 'spec' }, prompt: 'one.md' }),
          ...phase('two'),
          ...phase('three', { inputs: { tone: 'tone' } }),
        },
      },
      { 'spec.md': '1', 'tone.md': '1', 'one.md': '1' },
    );
    world.run('e/three');
    await world.change({ 'spec.md': '2', 'tone.md': '2', 'one.md': undefined });
    world.edit('out/a.two', 'mine');
    world.setFact('out/b.two', { kind: 'missing' });
    world.setFact('out/c.two', { kind: 'damaged', damage: { kind: 'not-a-file' } });
    world.setFact('out/d.two', { kind: 'unpromoted' });
    world.facts.now = later(world, 20 * dayMs);
    expect(answer(world).stale?.changed).toEqual([
      { path: 'one.md', change: 'missing' },
      { path: 'out/a.two', change: 'edited' },
      { path: 'out/b.two', change: 'missing' },
      { path: 'out/c.two', change: 'damaged' },
      { path: 'spec.md', change: 'changed' },
      { path: 'tone.md', change: 'changed' },
    ]);
  });

  it('tells a manifest that is another one', async () => {
    const world = await planned();
    await world.change(
      {},
      { ...shop, stages: [...(shop.stages ?? []), { name: 'more', units: ['m'], phases: phase('more') }] },
    );
    world.facts.now = later(world, 20 * dayMs);
    expect(answer(world).stale?.changed).toEqual([{ path: 'pawl.yaml', change: 'changed' }]);
    expect(answer(world, { manifest: '' }).stale?.changed).toEqual([{ path: 'shop', change: 'changed' }]);
  });
});

it('tells what was found in the journal', async () => {
  const findings: Finding[] = [{ code: 'garbage-line', file: 'events/a/1.jsonl', line: 3, weight: 'loud' }];
  expect(answer(await planned(), { findings }).findings).toBe(findings);
});

describe('resumeReport', () => {
  /** One task that Pawl runs, and one that an agent works on. */
  const pair: CodePipeline = {
    pawl: 1,
    pipeline: 'pair',
    stages: [
      {
        name: 'plan',
        units: ['shop'],
        phases: {
          draft: { run: () => ({ out: 'a plan' }), outputs: { out: { path: 'plan.md', on_edit: 'adopt' } } },
        },
      },
      {
        name: 'build',
        units: [{ id: 't1', title: 'Cook', files: ['src/a.ts', 'src/none.ts', '../secret', 'src'] }, 't2'],
        phases: {
          make: {
            run: { task: 'executor', lease: '1m', files: 'files' },
            outputs: { out: 'out/{unit}.md' },
          },
        },
      },
    ],
  };
  const target = { path: root, pipeline: definePipeline(pair) };

  it('looks at the run and changes nothing', async () => {
    const env = memoryEnvironment({ '.git/HEAD': 'a'.repeat(40) });
    const { heading: ran } = await run(env, pair);
    const calls = env.disk.calls;
    const report = demand(await resumeReport(env, target));
    expect(report).toMatchObject({
      heading: { run: ran.run },
      phase: { number: 1, name: 'build', of: 2 },
      tasks: { done: 0, total: 2, ready: 2 },
      lastCompleted: { unit: 'shop' },
      next: { code: 'claim-task', unit: 't1', title: 'Cook' },
      stale: undefined,
    });
    expect(env.disk.calls).toBe(calls);
  });

  it('tells what a silent holder left behind', async () => {
    const env = memoryEnvironment({ 'src/a.ts': 'half' });
    env.disk.putFile('/secret', 'not ours');
    await run(env, pair);
    const { task } = demand(await nextTask(env, { ...target, actor: 'a1' }));
    env.disk.putFile(`${root}/${task?.folder}/deep/notes.md`, 'so far');
    env.disk.putFile(`${root}/out/t1.md`, 'half');
    env.clock.ms += 61_000;
    const report = demand(await resumeReport(nextProcess(env), target));
    expect(report.inDoubt).toMatchObject([
      { unit: 't1', phase: 'make', actor: 'a1', attempt: 1, live: false },
    ]);
    const left = report.inDoubt[0]?.left ?? [];
    expect(left).toContain(`${task?.folder}/deep/notes.md`);
    expect(left.filter((path) => !path.startsWith('.pawl/'))).toEqual(['out/t1.md', 'src/a.ts']);
    expect(report.next).toMatchObject({ code: 'claim-task', unit: 't1' });
    expect(report.validation.find(({ check }) => check === 'unfinished')).toMatchObject({
      result: 'complete',
      of: 1,
      subjects: [
        { unit: 't1', phase: 'make', attempt: 1, files: [`${task?.folder}/deep/notes.md`, 'out/t1.md'] },
      ],
      follows: { code: 'runs-again' },
    });
  });

  it('tells what the options of the call make of it', async () => {
    const env = memoryEnvironment();
    const made = (text: string): CodePipeline => ({
      ...pair,
      stages: [
        {
          name: 'plan',
          units: ['shop'],
          phases: { draft: { run: () => ({ out: text }), outputs: { out: 'plan.md' } } },
        },
        ...(pair.stages ?? []).slice(1),
      ],
    });
    await run(env, made('a plan'));
    env.disk.putFile(`${root}/plan.md`, 'a better plan');
    const told = async (request: object) => {
      const asked = { path: root, pipeline: definePipeline(made('a plan')), ...request };
      const { next, validation } = demand(await resumeReport(nextProcess(env), asked));
      return [next.code, validation.find(({ check }) => check === 'artifacts')?.follows?.code];
    };
    expect(await told({})).toEqual(['refused', 'refused']);
    expect(await told({ forceResume: true, reason: 'mine' })).toEqual(['claim-task', 'allowed']);
    const target = { path: root, pipeline: definePipeline(made('a plan')), forceResume: true };
    expect(await resumeReport(nextProcess(env), target)).toMatchObject({ failure: { reason: 'usage' } });
  });

  it('goes past an edit that the manifest takes in, and tells it', async () => {
    const env = memoryEnvironment();
    await run(env, pair);
    env.disk.putFile(`${root}/plan.md`, 'a better plan');
    env.clock.ms += 20 * 24 * 60 * 60_000;
    const report = demand(await resumeReport(nextProcess(env), target));
    expect(report.next).toMatchObject({ code: 'claim-task', unit: 't1' });
    expect(report.stale?.changed).toEqual([{ path: 'plan.md', change: 'edited' }]);
    expect(report.validation.find(({ check }) => check === 'artifacts')).toMatchObject({
      result: 'changed',
      subjects: [{ path: 'plan.md' }],
      follows: { code: 'adopts' },
    });
  });

  it('fails where there is no run', async () => {
    const report = await resumeReport(memoryEnvironment(), target);
    expect(report).toEqual({ ok: false, failure: { reason: 'no-run', workspace: '.' } });
  });
});

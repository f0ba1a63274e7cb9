import { describe, expect, it } from 'vitest';
import { eventsOfType, expectTrue, stateIn } from '../../../test/fixtures/briefs.ts';
import { letters } from '../../../test/fixtures/letters.ts';
import {
  type CodePipeline,
  demand,
  failureOf,
  memoryEnvironment,
  nextProcess,
  root,
  run,
} from '../../../test/fixtures/memory.ts';
import { ann } from '../../../test/fixtures/people.ts';
import { CrashSignal } from '../../../test/memory/memory-disk.ts';
import { ok, type Result } from '../../base/result.ts';
import { applyDecision, recordDecision, recordSummary } from '../../engine/brief/decide.ts';
import { showBrief } from '../../engine/brief/show.ts';
import { adoptFiles } from '../../engine/people/adopt.ts';
import { cancelRun } from '../../engine/people/cancel.ts';
import { answerCheckpoint } from '../../engine/people/checkpoints/answer.ts';
import { showStatus } from '../../engine/show/status.ts';
import { completeTask } from '../../engine/tasks/complete.ts';
import { blockTask, failTask, heartbeat, releaseTask, unblockTask } from '../../engine/tasks/end.ts';
import { nextTask } from '../../engine/tasks/next.ts';
import { definePipeline } from '../../pipeline/define.ts';

/** Work for others between two parts that Pawl does itself. */
function crew() {
  const env = memoryEnvironment();
  const agent = { task: 'executor', lease: '10m' };
  const text = { outputs: { text: 'out/{unit}.txt' } };
  const definition: CodePipeline = {
    pawl: 1,
    pipeline: 'crew',
    stages: [
      { name: 'plan', units: ['plan'], phases: { draft: { run: () => ({ text: 'a plan' }), ...text } } },
      { name: 'tasks', units: ['t1', 't2', 't3'], phases: { build: { run: agent, ...text } } },
      { name: 'end', units: ['end'], phases: { ship: { run: () => ({ text: 'shipped' }), ...text } } },
    ],
  };
  const target = { path: root, pipeline: definePipeline(definition) };
  return {
    env,
    definition,
    target,
    put: (unit: string) => env.disk.putFile(`${root}/out/${unit}.txt`, unit),
  };
}

describe('the document on disk is what the whole journal says', () => {
  it('after everything that is done with a run on which agents work', async () => {
    const { env, definition, target, put } = crew();
    const then = async (act: Promise<Result<unknown, unknown>>, expected: string) => {
      demand(await act);
      const { recovery_state: state } = await expectTrue(env, target);
      expect(state.current_activity).toContain(expected);
      expect(env.clock.sleeping).toBe(0);
      env.clock.advance(60_000);
    };
    const as = (actor: string, unit: string) => ({ ...target, actor, unit });
    const going = async () => ok(await run(nextProcess(env), definition));

    await then(going(), 'waiting for somebody to claim');
    await then(nextTask(env, { ...target, actor: 'ann' }), 't1/build, attempt 1, claimed by ann');
    await then(heartbeat(env, as('ann', 't1')), 't1/build');
    await then(recordDecision(env, { ...target, decision: 'one way', affects: ['build', '9'] }), 't1/build');
    await then(applyDecision(env, { ...target, id: 'rd-001' }), 't1/build');
    await then(recordSummary(env, { ...target, agent: 'zed', summary: 'DONE. 3 files' }), 't1/build');
    put('t1');
    await then(completeTask(env, { ...as('ann', 't1'), note: 'Well' }), 'waiting for somebody');
    await then(nextTask(env, { ...target, actor: 'bob' }), 't2/build, attempt 1, claimed by bob');
    await then(failTask(env, { ...as('bob', 't2'), reason: 'no ink' }), 'waiting for somebody');
    await then(nextTask(env, { ...target, actor: 'cy' }), 'claimed by cy');
    await then(releaseTask(env, as('cy', 't2')), 'waiting');
    await then(blockTask(env, { ...as('cy', 't3'), reason: 'no paper' }), 'waiting');
    await then(unblockTask(env, as('cy', 't3')), 'waiting');
    for (const unit of ['t2', 't3']) {
      await then(nextTask(env, { ...target, actor: 'dee', unit }), `${unit}/build`);
      put(unit);
      await then(completeTask(env, as('dee', unit)), 'waiting');
    }
    await then(showBrief(env, target), 'waiting');
    await then(going(), 'done: 3 of 3 units');

    expect(await expectTrue(env, target)).toMatchObject({
      decision_log: [{ id: 'RD-001', decision: 'one way', affects_phases: [2, 9], applied: true }],
      agent_summaries: { zed: 'DONE. 3 files.', ann: 'DONE. Well.' },
    });
  });

  it('after refusals, on record or not', async () => {
    const { env, definition, target, put } = crew();
    await run(env, definition);
    demand(await nextTask(env, { ...target, actor: 'ann' }));
    env.clock.advance(1000);
    // What was promised is not there.
    failureOf(await completeTask(env, { ...target, actor: 'ann', unit: 't1' }));
    await expectTrue(env, target);
    put('t1');
    failureOf(await completeTask(env, { ...target, actor: 'bob', unit: 't1' }));
    await expectTrue(env, target);
    failureOf(await applyDecision(env, { ...target, id: 'RD-001' }));
    await expectTrue(env, target);
  });

  it('when a gate has sent back, asked, and been approved', async () => {
    const world = letters({ units: ['ann'] });
    world.work.read = ({ iteration: round }) => ({ report: { status: 'fail', iteration: round } });
    await run(world.env, world.definition);
    const asked = await expectTrue(world.env, world.target);
    expect(asked.recovery_state.current_activity).toContain('waiting for a person: C1');
    expect(asked.quality_trajectory).toMatchObject({ current_gate: 'ann/read', total_iterations_used: 2 });
    world.env.clock.advance(1000);
    demand(await answerCheckpoint(world.env, { ...world.target, id: 'C1', decision: 'approved', ...ann }));
    expect((await expectTrue(world.env, world.target)).quality_trajectory).toMatchObject({
      gates_completed: ['ann/read'],
      current_gate: null,
    });
    await run(nextProcess(world.env), world.definition);
    await expectTrue(world.env, world.target);
  });

  it('when a gate was rejected, and mended', async () => {
    const world = letters({ units: ['ann'] });
    let reads = 0;
    world.work.read = () => ({ report: { status: ++reads < 3 ? 'fail' : 'pass' } });
    world.work.mend = ({ attempt }) => ({ text: `Dear Ann, mended ${attempt}` });
    await run(world.env, world.definition);
    world.env.clock.advance(1000);
    const rejected = { decision: 'rejected', note: 'warmer', ...ann } as const;
    demand(await answerCheckpoint(world.env, { ...world.target, id: 'C1', ...rejected }));
    await expectTrue(world.env, world.target);
    world.env.clock.advance(1000);
    await run(nextProcess(world.env), world.definition);
    const { recovery_state: state } = await expectTrue(world.env, world.target);
    expect(state.workflow_status).toBe('completed');
  });

  it('when a phase fails, is mended, and the run is resumed by another process', async () => {
    const world = letters();
    const { draft } = world.work;
    world.work.draft = () => {
      throw new Error('no ink');
    };
    await run(world.env, world.definition);
    const failed = await expectTrue(world.env, world.target);
    expect(failed.recovery_state.next_step).toContain('pawl logs');
    world.work.draft = draft;
    world.env.clock.advance(5000);
    await run(nextProcess(world.env), world.definition, { existingOnly: true });
    expect((await expectTrue(world.env, world.target)).recovery_state.workflow_status).toBe('completed');
  });

  it('when an edited output was adopted, and what hangs on it is made anew', async () => {
    const world = letters();
    await run(world.env, world.definition);
    world.env.clock.advance(1000);
    world.env.disk.putFile(`${root}/out/ann.draft`, 'My dear Ann');
    const targets = ['ann/draft'];
    demand(await adoptFiles(world.env, { ...world.target, targets, reason: 'warmer' }));
    await expectTrue(world.env, world.target);
    world.env.clock.advance(1000);
    await run(nextProcess(world.env), world.definition);
    await expectTrue(world.env, world.target);
    expect(eventsOfType(world.env, 'artifact_adopted')).toHaveLength(1);
  });

  it('when the run was cancelled', async () => {
    const { env, definition, target } = crew();
    await run(env, definition);
    env.clock.advance(1000);
    demand(await cancelRun(nextProcess(env), { ...target, reason: 'no money', by: 'ann' }));
    const { recovery_state: state } = await expectTrue(env, { ...target, run: stateIn(env).run });
    expect(state).toMatchObject({ workflow_status: 'cancelled', current_activity: 'cancelled: no money' });
  });

  it('when a stage has listed the units of the next one', async () => {
    const env = memoryEnvironment();
    const definition: CodePipeline = {
      pawl: 1,
      pipeline: 'listed',
      stages: [
        {
          name: 'plan',
          units: ['plan'],
          phases: {
            list: { run: () => ({ tasks: [{ id: 'a' }, { id: 'b' }] }), outputs: { tasks: 'tasks.json' } },
          },
        },
        {
          name: 'work',
          units: { artifact: 'list.tasks' },
          phases: { make: { run: ({ unit }) => ({ out: unit.id }), outputs: { out: 'out/{unit}' } } },
        },
      ],
    };
    await run(env, definition);
    const { recovery_state: state } = await expectTrue(env, {
      path: root,
      pipeline: definePipeline(definition),
    });
    expect(state.current_activity).toBe('done: 2 of 2 units');
  });

  it('though nothing was put on record: a lease that ran out, a holder that is gone', async () => {
    const { env, definition, target } = crew();
    await run(env, definition);
    demand(await nextTask(env, { ...target, actor: 'ann' }));
    env.clock.advance(10 * 60_000);
    demand(await showBrief(env, target));
    expect((await expectTrue(env, target)).recovery_state.current_activity).toContain('the lease ran out');
    const world = letters({ units: ['ann'] });
    world.env.disk.failWhen(({ operation, path }) =>
      operation === 'rename' && path.includes('/out/ann.json') ? { kind: 'crash', when: 'after' } : undefined,
    );
    await expect(run(world.env, world.definition)).rejects.toThrow(CrashSignal);
    const later = { ...nextProcess(world.env), disk: world.env.disk.kill() };
    const answer = demand(await showBrief(later, world.target));
    expect(answer.staleness.level).toBe('FRESH');
    const { recovery_state: state } = await expectTrue(later, world.target, { isCrashed: true });
    expect(state.workflow_status).toBe('interrupted');
  });

  it('and is left as it is by whoever only asks', async () => {
    const { env, definition, target } = crew();
    await run(env, definition);
    const { path, folder } = stateIn(env);
    const stamps = () =>
      [path, `${folder}/brief.json`, `${folder}/RESUME.md`].map((one) => env.disk.stat(`${root}/${one}`));
    const before = stamps();
    demand(await showBrief(env, target));
    demand(await showBrief(env, { ...target, check: true }));
    demand(await showStatus(env, target));
    expect(stamps()).toEqual(before);
    expect(before).not.toContain(undefined);
  });
});

describe('what is made from the journal', () => {
  it.each(['brief.yaml', 'brief.json', 'RESUME.md'])('is made again when %s is gone', async (name) => {
    const { env, definition, target } = crew();
    await run(env, definition);
    const { folder } = stateIn(env);
    const all = () => ['brief.yaml', 'RESUME.md'].map((file) => env.disk.read(`${root}/${folder}/${file}`));
    const before = all();
    env.disk.remove(`${root}/${folder}/${name}`);
    demand(await showBrief(env, target));
    expect(all()).toEqual(before);
    env.disk.remove(`${root}/${folder}/${name}`);
    env.clock.advance(1000);
    demand(await recordDecision(env, { ...target, decision: 'on' }));
    await expectTrue(env, target);
  });

  it('is made again when all of it is gone', async () => {
    const { env, definition, target } = crew();
    await run(env, definition);
    demand(await recordDecision(env, { ...target, decision: 'one' }));
    const { folder } = stateIn(env);
    for (const name of ['brief.yaml', 'brief.json', 'RESUME.md'])
      env.disk.remove(`${root}/${folder}/${name}`);
    env.disk.remove(`${root}/.pawl/brief`);
    env.clock.advance(1000);
    demand(await recordSummary(env, { ...target, agent: 'zed', summary: 'DONE.' }));
    expect((await expectTrue(env, target)).decision_log).toHaveLength(1);
  });

  it('leads to the run that was last at work', async () => {
    const { env, definition, target } = crew();
    await run(env, definition);
    const { run: first } = stateIn(env);
    env.disk.remove(`${root}/.pawl/brief`);
    demand(await showBrief(env, target));
    expect(stateIn(env).run).toBe(first);
    env.clock.advance(60_000);
    await run(nextProcess(env), definition, { fresh: true });
    const { run: second } = stateIn(env);
    expect(second).not.toBe(first);
    demand(await recordDecision(env, { ...target, run: first, decision: 'one' }));
    expect(stateIn(env).run).toBe(first);
  });
});

it('a run in which nothing has begun has a document', async () => {
  const env = memoryEnvironment();
  const phases = { one: { run: { task: 'x' } } };
  const definition: CodePipeline = { pawl: 1, pipeline: 'waiting', units: ['u'], phases };
  await run(env, definition);
  const target = { path: root, pipeline: definePipeline(definition) };
  const { recovery_state: state } = await expectTrue(env, target);
  expect(state).toMatchObject({ current_phase: null, last_checkpoint: null, workflow_status: 'paused' });
});

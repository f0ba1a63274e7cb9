import { describe, expect, it } from 'vitest';
import { letters } from '../../../../test/fixtures/letters.ts';
import {
  type CodePipeline,
  demand,
  eventsOf,
  failureOf,
  nextProcess,
  root,
  run,
  type TestEnvironment,
} from '../../../../test/fixtures/memory.ts';
import { ann } from '../../../../test/fixtures/people.ts';
import { definePipeline } from '../../../pipeline/define.ts';
import type { PhaseFunction } from '../../../runner/executors/task.ts';
import type { Environment } from '../../open/environment.ts';
import { showGraph } from '../../show/graph.ts';
import { showStatus } from '../../show/status.ts';
import { cancelRun } from '../cancel.ts';
import { answerCheckpoint, type CheckpointAnswerRequest } from './answer.ts';
import { listCheckpoints } from './list.ts';

/** Letters whose reader frowns until the rounds are used up, and then asks. */
async function asking(more: Partial<CodePipeline> = {}) {
  const world = letters({ units: ['ann'], ...more });
  world.work.read = ({ iteration: round }) => ({ report: { status: 'fail', iteration: round } });
  const answer = await run(world.env, world.definition);
  const decide = (id: string, request: Partial<CheckpointAnswerRequest> = {}, env: Environment = world.env) =>
    answerCheckpoint(env, { ...world.target, id, decision: 'approved', ...ann, ...request });
  return { ...world, answer, decide };
}

const decisionsIn = (env: TestEnvironment) =>
  eventsOf(env).flatMap((event) => (event.type === 'checkpoint_decided' ? [event] : []));

describe('a gate that asks', () => {
  it('makes the run wait for a person, under a number', async () => {
    const { answer, env, target } = await asking();
    expect(answer.heading.status).toBe('waiting_human');
    expect(answer.stops).toEqual([
      {
        unit: 'ann',
        phase: 'read',
        why: expect.objectContaining({
          code: 'gate-asks',
          verdict: 'fail',
          iterations: 2,
          report: expect.stringMatching(/^sha256:/),
          asks: expect.objectContaining({ id: 'C1', question: 'gate', redo: 'mend' }),
        }),
      },
    ]);
    const status = demand(await showStatus(env, target));
    expect(status.heading.status).toBe('waiting_human');
    expect(status.counts).toMatchObject({ waiting_human: 1, succeeded: 2, pending: 1 });
  });

  it('is asked once, however often the run is gone on with', async () => {
    const { env, definition } = await asking();
    const again = await run(nextProcess(env), definition);
    expect(again.stops).toMatchObject([{ why: { asks: { id: 'C1' } } }]);
    expect(eventsOf(env).filter(({ type }) => type === 'checkpoint_asked')).toHaveLength(1);
  });

  it('that is approved goes on, in another process too', async () => {
    const { env, definition, decide, ran } = await asking();
    const before = ran.length;
    const answer = demand(await decide('C1', { note: 'good enough' }));
    expect(answer).toMatchObject({
      checkpoint: { id: 'C1', unit: 'ann', phase: 'read', state: 'approved' },
      decision: 'approved',
      already: false,
    });
    expect(ran.slice(before)).toEqual([]);
    const after = await run(nextProcess(env), definition);
    expect(ran.slice(before)).toEqual(['ann/seal']);
    expect(after.heading.status).toBe('completed');
    expect(after.notices).toMatchObject([
      { code: 'gate-accepted', unit: 'ann', phase: 'read', verdict: 'fail', by: 'person' },
    ]);
  });

  it('that is rejected is sent back to where its loop begins, with the feedback, and asks again', async () => {
    const { env, definition, decide, work, ran } = await asking();
    demand(await decide('C1', { decision: 'rejected', note: 'too cold' }));
    const handed: unknown[] = [];
    work.mend = (task) => {
      handed.push(task.feedback);
      return { text: 'Dearest' };
    };
    const before = ran.length;
    const after = await run(nextProcess(env), definition);
    expect(handed).toEqual([[expect.objectContaining({ from: 'C1', text: 'too cold', by: 'ann' })]]);
    expect(ran.slice(before)).toEqual(['ann/mend', 'ann/read']);
    expect(after.heading.status).toBe('waiting_human');
    expect(after.stops).toMatchObject([{ unit: 'ann', phase: 'read', why: { asks: { id: 'C2' } } }]);
    demand(await decide('C2'));
    expect(await run(env, definition)).toMatchObject({ heading: { status: 'completed' } });
  });

  it('is listed by its number, whatever the order of the units', async () => {
    const { env, definition, target, decide } = await asking({ units: ['ann', 'bob'] });
    const listed = async () => demand(await listCheckpoints(env, target)).checkpoints;
    const ofAnn = (await listed()).find(({ unit }) => unit === 'ann')?.id ?? '';
    demand(await decide(ofAnn, { decision: 'rejected', note: 'warmer' }));
    await run(env, definition);
    expect((await listed()).map(({ unit }) => unit)).toEqual(['bob', 'ann']);
  });

  it('that is rejected and then passes needs nobody any more', async () => {
    const { env, definition, decide, work } = await asking();
    demand(await decide('C1', { decision: 'rejected', note: 'too cold' }));
    work.mend = () => ({ text: 'Dearest' });
    work.read = () => ({ report: { status: 'pass' } });
    expect(await run(env, definition)).toMatchObject({ heading: { status: 'completed' }, stops: [] });
  });

  it('has the word bound to the report: another report is asked about again', async () => {
    const { env, definition, decide, work } = await asking();
    demand(await decide('C1', { note: 'good enough' }));
    work.read = () => ({ report: { status: 'fail', worse: true } });
    const after = await run(env, definition, { rerunFrom: 'read' });
    expect(after.heading.status).toBe('waiting_human');
    expect(after.stops).toMatchObject([{ why: { asks: { id: 'C2' } } }]);
    const [decided] = decisionsIn(env);
    expect(after.stops).not.toMatchObject([{ why: { asks: { shown: decided?.shown } } }]);
  });
});

describe('a decision', () => {
  it('is written down with what it is about, who made it, how and why', async () => {
    const { env, answer, decide } = await asking();
    demand(await decide('C1', { note: 'good enough' }));
    const [stop] = answer.stops;
    expect(decisionsIn(env)).toEqual([
      expect.objectContaining({
        id: 'C1',
        question: 'gate',
        unit: 'ann',
        phase: 'read',
        place: 'gate',
        shown: stop !== undefined && 'asks' in stop.why ? stop.why.asks?.shown : undefined,
        decision: 'approved',
        by: 'ann',
        host: 'here',
        channel: 'terminal',
        note: 'good enough',
      }),
    ]);
  });

  it('is made once: the same word again writes nothing, another one is refused', async () => {
    const { env, decide } = await asking();
    demand(await decide('C1'));
    expect(demand(await decide('C1', {}, nextProcess(env)))).toMatchObject({ already: true });
    expect(failureOf(await decide('C1', { decision: 'rejected', note: 'no' }))).toMatchObject({
      reason: 'question-closed',
      id: 'C1',
      why: 'decided',
      decided: { decision: 'approved', by: 'ann' },
    });
    expect(decisionsIn(env)).toHaveLength(1);
  });

  it('of two who decide at once is made by one', async () => {
    const { env, decide } = await asking();
    env.clock.skippedMs = 1000;
    const both = await Promise.all([
      decide('C1', { by: 'ann' }),
      decide('C1', { by: 'bob', decision: 'rejected', note: 'no' }),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(decisionsIn(env)).toHaveLength(1);
  });

  it('can be made while the run goes on, and is heard of', async () => {
    const { env, definition, target, work } = letters({ units: ['ann', 'bob'] });
    work.read = ({ unit }) => ({ report: { status: unit.id === 'ann' ? 'fail' : 'pass' } });
    const first = await run(env, definition);
    expect(first.stops).toMatchObject([{ why: { asks: { id: 'C1' } } }]);
    work.seal = async ({ unit }) => {
      if (unit.id === 'bob')
        demand(await answerCheckpoint(env, { ...target, id: 'C1', decision: 'approved', ...ann }));
      return { letter: 'sealed' };
    };
    const after = await run(env, definition, { rerunFrom: 'seal', unit: 'bob' });
    expect(after.heading.status).not.toBe('waiting_human');
    expect(await run(env, definition)).toMatchObject({ heading: { status: 'completed' } });
  });

  it.each([
    ['ann/read', ['C1']],
    ['c1', ['C1']],
    ['C7', ['C1']],
    ['', ['C1']],
  ])('about %s is about nothing that was asked: a cell may hold something else by now', async (id, open) => {
    const { decide } = await asking();
    expect(failureOf(await decide(id))).toEqual({ reason: 'no-such-question', id, open });
  });

  it('by a way that the manifest does not allow is none', async () => {
    const { env, decide } = await asking();
    for (const channel of ['script', 'mcp'] as const)
      expect(failureOf(await decide('C1', { channel }))).toEqual({
        reason: 'channel-closed',
        id: 'C1',
        channel,
        allowed: ['terminal', 'page'],
      });
    expect(decisionsIn(env)).toEqual([]);
    const open = await asking({ channels: ['script'] });
    demand(await open.decide('C1', { channel: 'script' }));
    expect(failureOf(await (await asking({ channels: ['script'] })).decide('C1'))).toMatchObject({
      reason: 'channel-closed',
      channel: 'terminal',
      allowed: ['script'],
    });
  });

  it.each([undefined, '', ' \n'])('to reject needs a word that says why, and %j is none', async (note) => {
    const { env, decide } = await asking();
    expect(failureOf(await decide('C1', { decision: 'rejected', note }))).toMatchObject({
      reason: 'usage',
      problem: { code: 'needs-flag' },
    });
    expect(decisionsIn(env)).toEqual([]);
  });

  it('is not made of a run that was cancelled', async () => {
    const { env, target, answer, decide } = await asking();
    demand(await cancelRun(env, { ...target, reason: 'no more', by: 'ann' }));
    expect(failureOf(await decide('C1'))).toEqual({ reason: 'no-run', workspace: '.' });
    const { run: id } = answer.heading;
    expect(failureOf(await decide('C1', { run: id }))).toEqual({
      reason: 'run-terminal',
      run: id,
      status: 'cancelled',
    });
    expect(decisionsIn(env)).toEqual([]);
  });

  it('needs a run', async () => {
    const { env, target } = letters();
    const request = { ...target, id: 'C1', decision: 'approved' as const, ...ann };
    expect(failureOf(await answerCheckpoint(env, request))).toEqual({ reason: 'no-run', workspace: '.' });
  });
});

describe('a checkpoint of the manifest', () => {
  /** `write` is approved before `print` runs; what it writes, the test says. */
  function printing(more: Partial<CodePipeline> = {}, expires?: string) {
    const { env } = letters();
    const ran: string[] = [];
    const work: Record<'write' | 'print', PhaseFunction> = {
      write: () => ({ text: 'a text' }),
      print: () => ({ page: 'a page' }),
    };
    const does =
      (name: 'write' | 'print'): PhaseFunction =>
      (task) => {
        ran.push(name);
        return work[name](task);
      };
    const checkpoint = { name: 'Text', ...(expires !== undefined && { expires }) };
    const definition: CodePipeline = {
      pawl: 1,
      pipeline: 'printing',
      units: ['u'],
      phases: {
        write: { run: does('write'), outputs: { text: { path: 'text.md', on_edit: 'ask' } }, checkpoint },
        print: { run: does('print'), inputs: { text: 'write.text' }, outputs: { page: 'page.html' } },
      },
      ...more,
    };
    const target = { path: root, pipeline: definePipeline(definition) };
    const decide = (id: string, request: Partial<CheckpointAnswerRequest> = {}) =>
      answerCheckpoint(env, { ...target, id, decision: 'approved', ...ann, ...request });
    const listed = async (history = false) =>
      demand(await listCheckpoints(env, { ...target, history })).checkpoints.map(
        ({ id = 'new', state, shown }) => `${id} ${state} ${shown.map(({ path, label }) => path ?? label)}`,
      );
    return { env, definition, target, decide, listed, ran, work };
  }

  it('approved, and then a crash before the next phase: not asked again, nothing is paid twice', async () => {
    const { env, definition, decide, listed, ran } = printing();
    await run(env, definition);
    expect(await listed()).toEqual(['C1 waiting text.md']);
    demand(await decide('C1'));
    const after = await run(nextProcess(env), definition);
    expect(after.heading.status).toBe('completed');
    expect(ran).toEqual(['write', 'print']);
    expect(await listed()).toEqual([]);
    expect(await listed(true)).toEqual(['C1 approved text.md']);
  });

  it('is named by the task that waits for it', async () => {
    const { env, definition, target, decide } = printing();
    const asked = async () =>
      demand(await showGraph(env, target)).stages.flatMap(({ tasks }) => tasks.map(({ asks }) => asks));
    await run(env, definition);
    expect(await asked()).toEqual([{ id: 'C1', name: 'Text' }]);
    demand(await decide('C1'));
    expect(await asked()).toEqual([undefined]);
  });

  it('before a phase shows what it would take, by the paths where that lies', async () => {
    const write = { run: () => ({ 'text.md': 'a text' }), outputs: { 'text.md': 'text.md' } };
    const checkpoint = { name: 'Print it?', when: 'before' as const };
    const print = { run: () => ({}), inputs: { words: 'a.write.text.md' }, checkpoint };
    const { env, definition, listed } = printing({ phases: { 'a.write': write, print } });
    await run(env, definition);
    expect(await listed()).toEqual(['C1 waiting text.md']);
  });

  it('is refused where what was shown is another by now, and shown again', async () => {
    const { env, definition, decide, listed, work } = printing();
    await run(env, definition);
    work.write = () => ({ text: 'another text' });
    await run(env, definition, { rerunFrom: 'write' });
    expect(await listed()).toEqual(['C2 waiting text.md']);
    expect(failureOf(await decide('C1'))).toMatchObject({
      reason: 'question-closed',
      why: 'changed',
      changes: [{ label: 'write.text' }],
    });
    demand(await decide('C2'));
    expect(await run(env, definition)).toMatchObject({ heading: { status: 'completed' } });
  });

  it('that expired says so, and is asked again', async () => {
    const { env, definition, decide, listed } = printing({}, '1h');
    await run(env, definition);
    env.clock.ms += 3_600_000;
    expect(failureOf(await decide('C1'))).toMatchObject({ reason: 'question-closed', why: 'expired' });
    expect(await listed(true)).toEqual(['new not-asked text.md', 'C1 expired text.md']);
    await run(env, definition);
    expect(await listed(true)).toEqual(['C2 waiting text.md', 'C1 expired text.md']);
    demand(await decide('C2'));
  });

  it('that came to nothing says so', async () => {
    const { env, definition, decide, work } = printing();
    await run(env, definition);
    work.write = () => {
      throw new Error('no');
    };
    await run(env, definition, { rerunFrom: 'write' });
    expect(failureOf(await decide('C1'))).toMatchObject({ reason: 'question-closed', why: 'superseded' });
  });

  it('asks about an edit: keep or restart has to be said, and the choice counts for these bytes', async () => {
    const { env, definition, decide, listed, ran } = printing();
    await run(env, definition);
    demand(await decide('C1'));
    await run(env, definition);
    env.disk.putFile(`${root}/text.md`, 'my text');
    const asked = await run(env, definition);
    expect(asked.heading.status).toBe('waiting_human');
    expect(await listed()).toEqual(['C2 waiting text.md']);
    expect(failureOf(await decide('C2'))).toMatchObject({ problem: { code: 'needs-flag' } });
    expect(failureOf(await decide('C2', { keep: true, restart: 'print' }))).toMatchObject({
      problem: { code: 'flags-exclude' },
    });
    expect(failureOf(await decide('C2', { restart: 'prnt' }))).toMatchObject({
      problem: { code: 'unknown-phase', valid: ['write', 'print'] },
    });
    demand(await decide('C2', { restart: 'print' }));
    const before = ran.length;
    expect(await run(env, definition)).toMatchObject({ heading: { status: 'completed' } });
    expect(ran.slice(before)).toEqual(['print']);
  });
});

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
import { hashBytes } from '../../base/hash.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { readJournal } from '../../store/file/journal/read.ts';
import { planPipeline } from '../show/plan.ts';
import { showStatus } from '../show/status.ts';
import { whyStep } from '../show/why.ts';
import { nextTask } from '../tasks/next.ts';

/*
 * A run that another tool has begun: a plan of several files, a graph that somebody has to approve, tasks that are
 * implemented and verified, and an end.
 */

const folder = 'runs/20260105-1000-told-ab12';
const events = `${root}/${folder}/events`;
const graph = (status: string) =>
  JSON.stringify({ status, tasks: [{ id: 't1' }, { id: 't2', needs: ['t1'] }] });

/** Whoever has not approved it is asked. */
const approval = {
  verdict: 'graph.status',
  pass: ['approved'],
  back_to: 'graph',
  iterations: 1,
  // biome-ignore lint/suspicious/noThenProperty: the manifest's own word
  then: 'ask' as const,
};

let env: TestEnvironment;
let ran: string[];

function pipeline(): CodePipeline {
  const own = (name: string, outputs: Record<string, string>) => () => {
    ran.push(name);
    return outputs;
  };
  return {
    pawl: 1,
    pipeline: 'told',
    layout: { run: 'runs/{id}' },
    foreign: {
      unit: ['task_id'],
      stage: ['to_phase'],
      events: {
        task_started: { means: 'started' },
        task_implemented: { means: 'succeeded', phase: 'implement' },
        task_completed: { means: 'succeeded' },
        phase_transition: { means: 'stage-entered' },
        run_completed: { means: 'run-completed' },
      },
    },
    stages: [
      {
        name: 'planning',
        units: ['planning'],
        phases: {
          prd: {
            run: own('prd', { prd: 'new prd', why: 'new why' }),
            outputs: { prd: '{run}/prd.md', why: { path: '{run}/why.md', optional: true } },
          },
          graph: {
            run: own('graph', { graph: graph('proposed') }),
            inputs: {},
            outputs: { graph: { path: '{run}/task-graph.json', check: 'json', on_edit: 'adopt' } },
            gate: approval,
          },
        },
      },
      {
        name: 'tasks',
        units: { artifact: 'graph.graph.tasks' },
        phases: {
          implement: { run: { task: 'executor' }, outputs: { notes: '{run}/notes/{unit}.md' } },
          verify: {
            run: own('verify', { report: 'ok' }),
            inputs: {},
            outputs: { report: '{run}/verified/{unit}.md' },
          },
        },
      },
      {
        name: 'end',
        units: ['end'],
        phases: { close: { run: own('close', { text: 'x' }), outputs: { text: 'closed.txt' } } },
      },
    ],
  };
}

const target = () => ({ path: root, pipeline: definePipeline(pipeline()) });
const put = (path: string, text: string) => env.disk.putFile(`${root}/${folder}/${path}`, text);
const recorded = () => [...readJournal(env.disk, events).events()];

function say(...said: readonly (readonly [type: string, about?: Record<string, string | number>])[]): void {
  const lines = said.map(([type, about = {}], nth) =>
    JSON.stringify({ timestamp: `2026-11-15T10:00:${String(nth).padStart(2, '0')}Z`, type, ...about }),
  );
  put('events/other/log.jsonl', `${lines.join('\n')}\n`);
}

async function decisionOn(step: string): Promise<unknown> {
  const answer = demand(await whyStep(env, { ...target(), cell: step }));
  return answer.verdict.do;
}

beforeEach(() => {
  env = memoryEnvironment();
  ran = [];
  put('prd.md', 'old prd');
  put('task-graph.json', graph('approved'));
  say(['task_started', { task_id: 't1' }], ['task_completed', { task_id: 't1' }]);
});

describe('a run of another tool', () => {
  it('is looked at with what lies there as done, and nothing is written', async () => {
    const before = env.disk.calls;
    expect(demand(await showStatus(env, target())).heading).toMatchObject({ run: folder.slice(5) });
    demand(await planPipeline(env, target()));
    for (const step of ['planning/prd', 'planning/graph', 't1/implement', 't1/verify'])
      expect(await decisionOn(step), step).toBe('reuse');
    expect(await decisionOn('t2/implement')).toBe('run');
    expect(env.disk.calls).toBe(before);
  });

  it('is gone on with: what was taken over is on record, with its hashes and why', async () => {
    expect(await run(env, pipeline())).toMatchObject({ kind: 'resumed', heading: { status: 'paused' } });
    expect(ran).toEqual([]);
    const own = recorded();
    expect(own.slice(0, 5).map(({ type }) => type)).toEqual([
      'run_created',
      'revision_recorded',
      'artifact_adopted',
      'artifact_adopted',
      'foreign_reports_bound',
    ]);
    expect(own.filter(({ type }) => type === 'artifact_adopted')).toMatchObject([
      {
        unit: 'planning',
        phase: 'prd',
        output: 'prd',
        attempt: 1,
        after: { path: `${folder}/prd.md`, hash: hashBytes('old prd') },
        reason: 'taken over from another tool',
      },
      { phase: 'graph', output: 'graph', verdict: 'approved' },
    ]);
  });

  it('is not changed by that: neither its logs nor what it left', async () => {
    const before = ['prd.md', 'task-graph.json', 'events/other/log.jsonl'].map((path) => textAt(path));
    await run(env, pipeline());
    expect(['prd.md', 'task-graph.json', 'events/other/log.jsonl'].map((path) => textAt(path))).toEqual(
      before,
    );
  });

  it('is taken over once', async () => {
    await run(env, pipeline());
    const before = recorded().length;
    env = nextProcess(env);
    await run(env, pipeline());
    const later = recorded()
      .slice(before)
      .map(({ type }) => type);
    expect(later[0]).toBe('run_resumed');
    expect(later).not.toContain('artifact_adopted');
    expect(later).not.toContain('run_created');
  });

  it('is worked on only after that', async () => {
    expect(failureOf(await nextTask(env, { ...target(), actor: 'ann' }))).toMatchObject({
      reason: 'told-only',
    });
    await run(env, pipeline());
    env = nextProcess(env);
    expect(demand(await nextTask(env, { ...target(), actor: 'ann' })).task).toMatchObject({
      unit: 't2',
      attempt: 1,
    });
  });
});

describe('a phase', () => {
  it('of which a file is missing is run again, unless that may be missing', async () => {
    env.disk.remove(`${root}/${folder}/task-graph.json`);
    expect([await decisionOn('planning/prd'), await decisionOn('planning/graph')]).toEqual(['reuse', 'run']);
    env.disk.remove(`${root}/${folder}/prd.md`);
    put('why.md', 'because');
    expect(await decisionOn('planning/prd')).toBe('run');
  });

  it('is taken over with all that it has left', async () => {
    put('why.md', 'because');
    await run(env, pipeline());
    const adopted = recorded().filter((event) => event.type === 'artifact_adopted' && event.phase === 'prd');
    expect(adopted.map((event) => 'output' in event && event.output)).toEqual(['prd', 'why']);
  });

  it('that only led to what lies there is not needed any more', async () => {
    env.disk.remove(`${root}/${folder}/prd.md`);
    expect(await decisionOn('planning/prd')).toBe('skip');
  });

  it('that agents do is not taken as done because a file lies there', async () => {
    put('notes/t2.md', 'a draft');
    expect(await decisionOn('t2/implement')).toBe('run');
  });

  it('that was only implemented is still verified', async () => {
    say(['task_implemented', { task_id: 't1' }]);
    expect([await decisionOn('t1/implement'), await decisionOn('t1/verify')]).toEqual(['reuse', 'run']);
    await run(env, pipeline());
    expect(ran).toEqual(['verify']);
  });

  it('in whose place something else lies than a file is run', async () => {
    for (const path of ['prd.md', 'task-graph.json']) env.disk.remove(`${root}/${folder}/${path}`);
    put('prd.md/x', 'odd');
    expect(await decisionOn('planning/prd')).toBe('run');
  });
});

describe('a gate', () => {
  const proposed = () => put('task-graph.json', graph('proposed'));

  it('asks about what another tool has left without an approval', async () => {
    proposed();
    say(['phase_transition', { to_phase: 0 }]);
    expect(demand(await showStatus(env, target())).heading.status).not.toBe('completed');
    expect(await run(env, pipeline())).toMatchObject({ heading: { status: 'waiting_human' } });
  });

  it.each([
    ['it says so', ['phase_transition', { to_phase: 1 }]],
    ['there is work behind it', ['task_started', { task_id: 't1' }]],
  ] as const)('is taken as passed where the run has gone on: %s', async (_, said) => {
    proposed();
    say(said);
    await run(env, pipeline());
    expect(
      recorded().find((event) => event.type === 'artifact_adopted' && event.phase === 'graph'),
    ).toMatchObject({
      verdict: 'approved',
    });
  });
});

describe('a run with a journal of its own', () => {
  it('takes nothing over, whatever lies in its folder', async () => {
    const other = memoryEnvironment();
    await run(other, pipeline());
    const own = other.disk.list(`${root}/runs`)?.[0] ?? '';
    const types = [...readJournal(other.disk, `${root}/runs/${own}/events`).events()].map(({ type }) => type);
    expect(types).not.toContain('artifact_adopted');
    expect(ran).toEqual(['prd', 'graph']);
  });
});

function textAt(path: string): string {
  return Buffer.from(env.disk.read(`${root}/${folder}/${path}`) ?? []).toString();
}

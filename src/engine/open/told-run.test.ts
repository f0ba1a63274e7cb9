import { beforeEach, describe, expect, it } from 'vitest';
import { memoryEnvironment, root, type TestEnvironment } from '../../../test/fixtures/memory.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Pipeline } from '../../model/definition.ts';
import type { StoredEvent } from '../../model/event.ts';
import { definePipeline } from '../../pipeline/define.ts';
import { inOrderOfTime, readTold, toldCreation } from './told-run.ts';
import { openWorkspace } from './workspace.ts';

const events = `${root}/runs/r1/events`;
const timeOf = (second: number) => `2026-01-05T10:00:${String(second).padStart(2, '0')}.000Z`;

let env: TestEnvironment;
let pipeline: Pipeline;

const definition = {
  pawl: 1 as const,
  pipeline: 'told',
  identity: { project: 'shop' },
  foreign: {
    unit: ['task_id'],
    stage: ['to_phase'],
    events: {
      task_started: { means: 'started' as const },
      task_completed: { means: 'succeeded' as const },
      phase_transition: { means: 'stage-entered' as const },
      heartbeat: { means: 'nothing' as const },
    },
  },
  stages: [
    {
      name: 'plan',
      units: ['plan'],
      phases: { draft: { run: { command: ['true'] }, outputs: { text: 'plan.md' } } },
    },
    {
      name: 'tasks',
      units: ['t1', 't2'],
      phases: {
        implement: { run: { task: 'executor' }, outputs: {} },
        verify: { run: { task: 'verifier' }, outputs: {} },
      },
    },
  ],
};

beforeEach(async () => {
  env = memoryEnvironment();
  pipeline = await load(definition);
});

async function load(given: object): Promise<Pipeline> {
  const target = { path: root, pipeline: definePipeline(given as never) };
  const opened = await openWorkspace(env, target as never);
  if (!opened.ok) throw new Error(JSON.stringify(opened.failure));
  return opened.value.loaded.pipeline;
}

function put(file: string, ...lines: readonly (JsonObject | string)[]): void {
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
  env.disk.putFile(`${events}/${file}`, text);
}

const said = (second: number, type: string, more: JsonObject = {}) => ({
  timestamp: timeOf(second),
  type,
  ...more,
});

describe('the logs of other tools', () => {
  it('are translated by the words of the manifest, one event for each phase that is meant', () => {
    put(
      'ann/log.jsonl',
      said(1, 'task_started', { task_id: 't1' }),
      said(2, 'TASK-COMPLETED', { task_id: 'T1' }),
    );
    expect(readTold(env, root, 'runs/r1', pipeline)).toMatchObject({
      findings: [],
      events: [
        { type: 'foreign_work_reported', unit: 't1', means: 'started', phase: 'implement', ...from(1) },
        { type: 'foreign_work_reported', unit: 't1', means: 'succeeded', phase: 'implement', ...from(2) },
        { type: 'foreign_work_reported', unit: 't1', means: 'succeeded', phase: 'verify', ...from(2) },
      ],
    });
  });

  it('are in the order of their times, whoever wrote them', () => {
    put(
      'bob/b.jsonl',
      said(3, 'task_started', { task_id: 't2' }),
      said(1, 'phase_transition', { to_phase: 1 }),
    );
    put('ann/a.jsonl', said(2, 'task_started', { task_id: 't1' }));
    const told = readTold(env, root, 'runs/r1', pipeline)?.events ?? [];
    expect(told.map(({ type, actor, at }) => [type, actor, at])).toEqual([
      ['foreign_run_reported', 'bob', timeOf(1)],
      ['foreign_work_reported', 'ann', timeOf(2)],
      ['foreign_work_reported', 'bob', timeOf(3)],
    ]);
  });

  it('with words that nobody has declared are told with file and line, and not guessed at', () => {
    put(
      'ann/log.jsonl',
      said(1, 'coffee_made'),
      said(2, 'heartbeat'),
      said(3, 'task_started'),
      said(4, 'phase_transition', { to_phase: 9 }),
    );
    expect(readTold(env, root, 'runs/r1', pipeline)).toMatchObject({
      events: [],
      findings: [1, 3, 4].map((line) => ({
        code: 'unknown-event',
        file: 'runs/r1/events/ann/log.jsonl',
        line,
        detail: line === 1 ? 'coffee_made' : line === 3 ? 'task_started' : 'phase_transition',
        weight: 'quiet',
      })),
    });
  });

  it('that are damaged are told, a torn tail quietly, beside what could be read', () => {
    put('ann/log.jsonl', said(1, 'task_started', { task_id: 't1' }), '%%%\n', '{"timestamp":');
    const told = readTold(env, root, 'runs/r1', pipeline);
    expect(told?.events).toHaveLength(1);
    expect(told?.findings.map(({ code, line, weight }) => [code, line, weight])).toEqual([
      ['garbage-line', 2, 'warning'],
      ['torn-tail', 3, 'quiet'],
    ]);
  });

  it('are none where there are none, or where the manifest has no words for them', async () => {
    expect(readTold(env, root, 'runs/r1', pipeline)).toBeUndefined();
    put('ann/log.jsonl', said(1, 'task_started', { task_id: 't1' }));
    const { foreign: _, ...without } = definition;
    expect(readTold(env, root, 'runs/r1', await load(without))).toBeUndefined();
    expect(readTold(env, root, 'runs/r1', undefined)).toBeUndefined();
    expect(readTold(env, root, 'elsewhere', pipeline)).toBeUndefined();
  });

  it('are never changed', () => {
    put('ann/log.jsonl', said(1, 'task_started', { task_id: 't1' }), '{"torn":');
    const before = env.disk.calls;
    readTold(env, root, 'runs/r1', pipeline);
    expect(env.disk.calls).toBe(before);
  });

  const from = (second: number) => ({ at: timeOf(second), actor: 'ann', seq: 0, epoch: 0 });
});

describe('a run that only other tools have written to', () => {
  it('is for what the manifest is for', () => {
    expect(toldCreation(env, pipeline, { id: 'r1', folder: 'runs/r1' })).toEqual({
      type: 'run_created',
      run: 'r1',
      pipeline: 'told',
      identity: pipeline.identity,
      durability: 'power',
      manifest: '',
      folder: 'runs/r1',
      boot: 'boot-1',
    });
  });
});

describe('two lists of events', () => {
  const at = (second: number, actor: string): StoredEvent => ({
    type: 'task_unblocked',
    unit: 't1',
    seq: 1,
    epoch: 1,
    at: timeOf(second),
    actor,
  });
  const merged = (own: readonly StoredEvent[], told: readonly StoredEvent[]) =>
    [...inOrderOfTime(own, told)].map((event) => `${event.actor}${event.at.slice(17, 19)}`);

  it.each([
    [[], [], ''],
    [[1, 2], [], 'own01 own02'],
    [[], [1, 2], 'told01 told02'],
    [[1, 3], [2, 4], 'own01 told02 own03 told04'],
    [[5], [1, 2, 6], 'told01 told02 own05 told06'],
    [[1], [1], 'told01 own01'],
  ])('%j and %j are one by time, and what others told comes first: %s', (own, told, expected) => {
    const events = (seconds: readonly number[], actor: string) => seconds.map((second) => at(second, actor));
    expect(merged(events(own, 'own'), events(told, 'told')).join(' ')).toBe(expected);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import {
  documentIn,
  editText,
  expectTrue,
  inboxOf,
  leave,
  notesIn,
  stateIn,
  textAt,
} from '../../../test/fixtures/briefs.ts';
import { copyOf, manifest, next, startedWorld } from '../../../test/fixtures/claimed.ts';
import { demand, nextProcess, root, type TestEnvironment } from '../../../test/fixtures/memory.ts';
import { systemIds } from '../../base/ids.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { CrashSignal } from '../../disk/memory-disk.ts';
import { recordDecision } from '../../engine/brief/decide.ts';
import { completeTask } from '../../engine/tasks/complete.ts';
import { quickNext } from '../../engine/tasks/quick/next.ts';

const target = { path: root };
let env: TestEnvironment;

beforeEach(async () => {
  env = await startedWorld();
  env.clock.advance(1000);
  demand(await next(env, 'ann'));
  env.clock.advance(1000);
});

/** Claims what is remembered to be next, in a process of its own. */
const quick = async (actor: string) => {
  env = nextProcess(env);
  const answer = await quickNext(env, { path: root, actor });
  env.clock.advance(1000);
  return answer?.ok ? answer.value.task?.unit : answer;
};
const activity = () => (documentIn(env).recovery_state as JsonObject).current_activity;

describe('the document after a claim that did not look at the run', () => {
  it('is what the whole journal gives, claim after claim', async () => {
    const units = [];
    for (const actor of ['bob', 'cy', 'dee', 'cy']) {
      const unit = await quick(actor);
      units.push(unit);
      const { recovery_state: state } = await expectTrue(env, target);
      expect(state.current_activity).toMatch(
        new RegExp(`^${unit}/implement, attempt 1, claimed by ${actor} until `),
      );
    }
    expect(units).toEqual(['t2', 't4', 't7', 't5']);
    expect(stateIn(env).survey.underWay.count).toBe(5);
    expect(notesIn(env)).toEqual({});
  });

  it('is what the whole journal gives where somebody had it before', async () => {
    expect(await quick('bob')).toBe('t2');
    env.clock.advance(10 * 60_000);
    expect(demand(await next(env, 'cy')).task).toMatchObject({ unit: 't1', attempt: 2 });
    env.clock.advance(1000);
    expect(await quick('dee')).toBe('t2');
    const { recovery_state: state } = await expectTrue(env, target);
    expect(state.current_activity).toContain('t2/implement, attempt 2, claimed by dee');
    expect(state.current_activity).toContain('and 1 more under way');
  });

  it('leaves every other part byte for byte', async () => {
    demand(await recordDecision(env, { ...target, decision: 'one way' }));
    demand(await next(env, 'bob'));
    env.clock.advance(1000);
    const parts = (text: string) => text.slice(text.indexOf('  quality_trajectory:'));
    const before = parts(textAt(env, stateIn(env).path));
    expect(await quick('cy')).toBe('t4');
    expect(parts(textAt(env, stateIn(env).path))).toBe(before);
    await expectTrue(env, target);
  });

  it.each<[string, object, () => unknown]>([
    ['a decision', { decision_recorded: 1 }, () => recordDecision(env, { ...target, decision: 'one way' })],
    ['a completion', {}, () => completeTask(env, { ...target, actor: 'ann', unit: 't1', note: 'Well' })],
    [
      'a compaction',
      { compaction_seen: 1 },
      () => leave(env, 'cx-001.json', { timestamp: '2026-11-15T12:30:00Z', trigger: 'auto' }),
    ],
    [
      'a note',
      { context_crossed: 1 },
      () => leave(env, '1763208000000-a.json', { kind: 'context-crossed', fill: 64, tier: 'WARNING' }),
    ],
    [
      'a decision by hand',
      { decision_recorded: 1 },
      () => editText(env, stateIn(env).path, 'decision_log: []', 'decision_log: [{ decision: by hand }]'),
    ],
    [
      'a derived field that was edited',
      { brief_edited: 1 },
      () => editText(env, stateIn(env).path, 'count: 0', 'count: 7'),
    ],
    ['a document that is gone', {}, () => env.disk.remove(`${root}/${stateIn(env).path}`)],
    ['a state that is gone', {}, () => env.disk.remove(`${root}/${stateIn(env).folder}/brief.json`)],
  ])('tells of %s in between, and goes on from there', async (_, notes, between) => {
    expect(await quick('bob')).toBe('t2');
    await between();
    env.clock.advance(1000);
    for (const actor of ['cy', 'dee']) {
      demand(await next(env, actor));
      env.clock.advance(1000);
      await expectTrue(env, target);
      expect(activity()).toContain(`claimed by ${actor}`);
    }
    expect(inboxOf(env).filter((name) => !name.startsWith('cx-'))).toEqual([]);
    expect(await quick('ed')).toMatch(/^t\d$/);
    await expectTrue(env, target);
    expect(notesIn(env)).toEqual(notes);
  });

  it('is that of the whole look after a compaction in the middle of a round', async () => {
    const gate = { active_gate: 't1/verify', active_gate_iteration: 1 };
    leave(env, 'cx-001.json', { timestamp: '2026-11-15T12:30:00Z', trigger: 'auto', ...gate });
    for (const actor of ['bob', 'cy']) {
      expect(await quick(actor)).toBeUndefined();
      demand(await next(env, actor));
      env.clock.advance(1000);
      const { recovery_state: state } = await expectTrue(env, target);
      expect(state.next_step).toContain('Begin round 1 of the gate t1/verify again');
    }
  });

  it('is left to the whole look where it is a section of another file', async () => {
    const text = manifest.replace('layout: {', 'layout: { brief: ORCHESTRATION.yaml,');
    env = await startedWorld({ 'pawl.yaml': text, 'ORCHESTRATION.yaml': '# theirs\na: 1\n' });
    for (const actor of ['ann', 'bob', 'cy']) {
      expect(await quick(actor)).toBeUndefined();
      demand(await next(env, actor));
      env.clock.advance(1000);
      await expectTrue(env, target);
    }
    expect(textAt(env, 'ORCHESTRATION.yaml').startsWith('# theirs\na: 1\nresumption:\n')).toBe(true);
  });
});

describe('a state that somebody has written into', () => {
  type Change = (state: Record<string, JsonValue>) => unknown;
  const parts = ['recovery_state', 'files_to_read', 'quality_trajectory', 'defect_summary', 'decision_log'];
  const others = ['agent_summaries', 'compaction_events'];
  const without: [string, Change][] = [...parts, ...others].map((name) => [
    `without ${name}`,
    (state) => ({ ...state, brief: { ...(state.brief as JsonObject), [name]: null } }),
  ]);
  const changes: readonly [string, Change][] = [
    ...without,
    ['with no brief', (state) => ({ ...state, brief: [] })],
    ['with an empty brief', (state) => ({ ...state, brief: { recovery_state: {} } })],
    ['with an empty survey', (state) => ({ ...state, survey: {} })],
    [
      'with decisions that are none',
      (state) => ({ ...state, brief: { ...(state.brief as JsonObject), decision_log: [1] } }),
    ],
    ['that leads elsewhere', (state) => ({ ...state, path: '../../etc/passwd' })],
    ['of another version', (state) => ({ ...state, version: 99 })],
    ['with no heads', (state) => ({ ...state, heads: 7 })],
    ['that is nothing', () => null],
  ];

  it.each(changes)('%s is not believed, and is in nobody’s way', async (_, change) => {
    const path = `${stateIn(env).folder}/brief.json`;
    const broken = change(JSON.parse(textAt(env, path)) as Record<string, JsonValue>);
    env.disk.putFile(`${root}/${path}`, JSON.stringify(broken));
    expect(await quick('bob')).toBeUndefined();
    demand(await next(env, 'bob'));
    await expectTrue(env, target);
    env.clock.advance(1000);
    demand(await recordDecision(env, { ...target, decision: 'one way' }));
    await expectTrue(env, target);
    expect(notesIn(env)).toEqual({ decision_recorded: 1 });
  });
});

it('whoever is killed while claiming leaves nothing that is taken for somebody’s word', async () => {
  let call = 1;
  for (; ; call++) {
    const mine = { ...copyOf(env), ids: systemIds };
    const when = (['before', 'during', 'after'] as const)[call % 3] ?? 'after';
    mine.disk.failAt(mine.disk.calls + call, { kind: 'crash', when });
    const isOver = await quickNext(mine, { path: root, actor: 'bob' }).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof CrashSignal)) throw error;
        return false;
      },
    );
    const later = { ...nextProcess(mine), disk: mine.disk.kill() };
    later.clock.advance(1000);
    demand(await next(later, 'cy'));
    await expectTrue(later, target, { isCrashed: true });
    expect(notesIn(later), `call ${call}`).toEqual({});
    const left = (later.disk.list(`${root}/${stateIn(later).folder}`) ?? []).filter((name) =>
      name.endsWith('.tmp'),
    );
    expect(left, `call ${call}`).toEqual([]);
    if (isOver) break;
  }
  expect(call).toBeGreaterThan(20);
});

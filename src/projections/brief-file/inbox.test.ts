import { beforeEach, describe, expect, it } from 'vitest';
import {
  crashAt,
  eventsOfType,
  expectTrue,
  inboxOf,
  leave,
  notesIn,
  stateIn,
} from '../../../test/fixtures/briefs.ts';
import { type Letters, letters } from '../../../test/fixtures/letters.ts';
import { demand, nextProcess, root, run, type TestEnvironment } from '../../../test/fixtures/memory.ts';
import type { JsonObject } from '../../base/json.ts';
import { recordDecision } from '../../engine/brief/decide.ts';
import { showBrief } from '../../engine/brief/show.ts';
import type { Brief } from '../brief/document.ts';

let world: Letters;
let env: TestEnvironment;

beforeEach(async () => {
  world = letters({ units: ['ann'] });
  env = world.env;
  await run(env, world.definition);
  env.clock.advance(60_000);
});

const timestamp = '2026-11-15T12:30:00.000Z';
const compaction = (number: number, more: JsonObject = {}): JsonObject => ({
  id: `CX-00${number}`,
  timestamp,
  trigger: 'auto',
  estimated_fill_before: 81.5,
  active_phase: 2,
  active_gate: null,
  active_gate_iteration: null,
  session: 's1',
  agent: 'claude',
  run: 'r1',
  recovery_state: {},
  ...more,
});
const note = (kind: string, more: JsonObject = {}): JsonObject => ({
  kind,
  agent: 'claude',
  session: 's1',
  timestamp,
  ...more,
});
let count = 0;
const leaveNote = (kind: string, more: JsonObject = {}) => {
  count += 1;
  const name = `${1_763_208_000_000 + count}-abc${count}.json`;
  leave(env, name, note(kind, more));
  return name;
};
const act = async (on = env) => {
  demand(await showBrief(on, world.target));
  on.clock.advance(60_000);
};
const acknowledged = ({ compaction_events: { events } }: Brief) => events.map((one) => one.acknowledged);

describe('a checkpoint that a compaction has left', () => {
  it('is told of in the document, once, and stays', async () => {
    leave(env, 'cx-001.json', compaction(1, { active_gate: 'ann/read', active_gate_iteration: 2 }));
    await act();
    const brief = await expectTrue(env, world.target);
    expect(brief.compaction_events).toEqual({
      count: 1,
      events: [
        {
          id: 'CX-001',
          timestamp,
          trigger: 'auto',
          estimated_fill_before: 81.5,
          active_phase: 2,
          active_gate: 'ann/read',
          active_gate_iteration: 2,
          checkpoint_file: `${stateIn(env).folder}/inbox/cx-001.json`,
          acknowledged: false,
        },
      ],
    });
    expect(brief.recovery_state.context_fill_at_update).toBe(81.5);
    await act();
    demand(await recordDecision(env, { ...world.target, decision: 'on' }));
    await run(nextProcess(env), world.definition, { rerunAll: true });
    expect(notesIn(env)).toEqual({ compaction_seen: 1, decision_recorded: 1 });
    expect(inboxOf(env)).toEqual(['cx-001.json']);
    await expectTrue(env, world.target);
  });

  it('counts by its number, in whatever order they come', async () => {
    leave(env, 'cx-002.json', compaction(2));
    await act();
    leave(env, 'cx-001.json', compaction(1, { trigger: 'manual' }));
    leave(env, 'cx-1000.json', compaction(1));
    await act();
    const { compaction_events: told } = await expectTrue(env, world.target);
    expect(told.events.map(({ id }) => id)).toEqual(['CX-001', 'CX-002', 'CX-1000']);
    expect(told.count).toBe(3);
  });

  it('several that nobody was told of: whoever is given the newest knows of all', async () => {
    for (const number of [1, 2, 3]) leave(env, `cx-00${number}.json`, compaction(number));
    await act();
    expect(acknowledged(await expectTrue(env, world.target))).toEqual([false, false, false]);
    expect(stateIn(env).digest).toContain('CX-003');
    leaveNote('reoriented', { upTo: 'CX-003' });
    leave(env, 'cx-004.json', compaction(4));
    await act();
    expect(acknowledged(await expectTrue(env, world.target))).toEqual([true, true, true, false]);
    leaveNote('reoriented', { upTo: 'CX-002' });
    await act();
    expect(acknowledged(await expectTrue(env, world.target))).toEqual([true, true, true, false]);
  });

  it.each<[string, JsonObject | string]>([
    ['empty', ''],
    ['torn', '{"id":"CX-001","timest'],
    ['without a time', { id: 'CX-001', trigger: 'auto' }],
    ['with a time that is none', compaction(1, { timestamp: 'yesterday' })],
    ['no object', '[1]'],
    ['too large', compaction(1, { recovery_state: 'x'.repeat(70_000) })],
  ])('is not consumed while it is %s', async (_, text) => {
    leave(env, 'cx-001.json', text);
    await act();
    expect(notesIn(env)).toEqual({});
    expect(inboxOf(env)).toEqual(['cx-001.json']);
    // Whoever was writing it comes to an end.
    leave(env, 'cx-001.json', compaction(1));
    await act();
    expect(notesIn(env)).toEqual({ compaction_seen: 1 });
  });

  it('that says odd things leads to a document of the schema all the same', async () => {
    const odd = {
      estimated_fill_before: -3,
      active_phase: 1.5,
      active_gate_iteration: -1,
      trigger: 'who knows',
    };
    leave(env, 'cx-001.json', compaction(1, odd));
    leave(
      env,
      'cx-002.json',
      compaction(2, { active_gate: '\u202eetag\u0007', session: 7, active_phase: '2' }),
    );
    leaveNote('context-crossed', { fill: -5, tier: 'WARNING' });
    await act();
    const { compaction_events: told } = await expectTrue(env, world.target);
    expect(told.events).toMatchObject([
      { trigger: 'auto', estimated_fill_before: null, active_phase: null, active_gate_iteration: null },
      { active_gate: '\\u{202e}etag\\u{7}', active_phase: null },
    ]);
  });
});

describe('a note of a hook', () => {
  it('is put on record, and goes', async () => {
    leaveNote('session-started', { source: 'startup' });
    leaveNote('stopped');
    leaveNote('session-ended', { reason: 'other' });
    leaveNote('subagent-stopped', { agent_id: 'a1', agent_type: 'executor' });
    leaveNote('context-crossed', { fill: 71, tier: 'WARNING' });
    leaveNote('reoriented', {});
    await act();
    expect(inboxOf(env)).toEqual([]);
    expect(eventsOfType(env, 'session_seen').map(({ what, how }) => [what, how])).toEqual([
      ['started', 'startup'],
      ['stopped', undefined],
      ['ended', 'other'],
      ['stopped', 'executor-a1'],
    ]);
    expect((await expectTrue(env, world.target)).recovery_state.context_fill_at_update).toBe(71);
    await act();
    expect(notesIn(env)).toEqual({ session_seen: 4, context_crossed: 1, brief_delivered: 1 });
  });

  it('of a subagent that has said something is its line', async () => {
    const said = { agent_id: 'a1', agent_type: 'executor', summary: 'Two notes\nand more \u202e' };
    leaveNote('subagent-stopped', said);
    leaveNote('subagent-stopped', said);
    leaveNote('subagent-stopped', { agent_id: 'a2', agent_type: '', summary: 'One\u0007 note!' });
    await act();
    const { agent_summaries: lines } = await expectTrue(env, world.target);
    expect(lines).toEqual({ 'executor-a1': 'DONE. Two notes.', a2: 'DONE. One\\u{7} note!' });
  });

  it.each<[string, JsonObject | string]>([
    ['1763208000000-a.json', ''],
    ['1763208000000-a.json', '{"kind":"stop'],
    ['1763208000000-a.json', { kind: 'unheard-of' }],
    ['1763208000000-a.json', { kind: 'context-crossed', fill: 'much' }],
    ['1763208000000-a.json', 'null'],
    ['readme.txt', 'mine'],
    ['cx-1.json', { timestamp }],
    ['.pawl-temp.tmp', '{}'],
    ['cx-001.json.bak', { timestamp }],
  ])('that is none stays: %s %j', async (name, text) => {
    leave(env, name, text);
    env.disk.makeFolder(`${root}/${stateIn(env).folder}/inbox/1763208000001-b.json`);
    const stopped = leaveNote('stopped');
    await act();
    expect(inboxOf(env)).toEqual([name, '1763208000001-b.json'].sort());
    expect(inboxOf(env)).not.toContain(stopped);
    expect(notesIn(env)).toEqual({ session_seen: 1 });
  });

  it('that cannot be removed is heard once by whoever has the run', async () => {
    const name = leaveNote('subagent-stopped', { agent_id: 'a1', agent_type: 'x', summary: 'Well.' });
    env.disk.failWhen(({ operation, path }) =>
      operation === 'remove' && path.endsWith(name) ? { kind: 'error', code: 'EACCES' } : undefined,
    );
    world.work.seal = ({ unit }) => {
      env.clock.advance(1000);
      return { letter: unit.id };
    };
    await run(nextProcess(env), world.definition, { rerunAll: true });
    expect(inboxOf(env)).toEqual([name]);
    expect(notesIn(env)).toEqual({ summary_recorded: 1 });
    await act();
    // Told again, it changes nothing.
    expect((await expectTrue(env, world.target)).agent_summaries).toEqual({ 'x-a1': 'DONE. Well.' });
  });

  it('is taken in by whatever is done, also while a run goes on', async () => {
    world.work.seal = ({ unit }) => {
      leaveNote('context-crossed', { fill: 64, tier: 'WARNING' });
      env.clock.advance(1000);
      return { letter: unit.id };
    };
    await run(nextProcess(env), world.definition, { rerunAll: true });
    expect(inboxOf(env)).toEqual([]);
    expect(eventsOfType(env, 'context_crossed')).toMatchObject([{ actor: 'runner', fill: 64 }]);
    expect((await expectTrue(env, world.target)).recovery_state.context_fill_at_update).toBe(64);
  });

  it('in an inbox that cannot be looked into is nobody’s loss', async () => {
    leaveNote('stopped');
    env.disk.failWhen(({ operation, path }) =>
      operation === 'list' && path.endsWith('/inbox') ? { kind: 'error', code: 'EIO' } : undefined,
    );
    await act();
    expect(notesIn(env)).toEqual({});
    await expectTrue(env, world.target);
  });
});

it('whoever dies while they are taken in loses none, and merges none twice', async () => {
  for (const number of [1, 2]) leave(env, `cx-00${number}.json`, compaction(number));
  leaveNote('reoriented', { upTo: 'CX-001' });
  leaveNote('subagent-stopped', { agent_id: 'a1', agent_type: 'x', summary: 'Well.' });
  leaveNote('context-crossed', { fill: 64, tier: 'WARNING' });
  let call = 1;
  for (; ; call++) {
    const { isOver, later } = await crashAt(env, call, act);
    await act(later);
    const brief = await expectTrue(later, world.target, { isCrashed: true });
    expect(acknowledged(brief), `call ${call}`).toEqual([true, false]);
    expect(brief.agent_summaries).toEqual({ 'x-a1': 'DONE. Well.' });
    expect(brief.recovery_state.context_fill_at_update).toBe(64);
    expect(notesIn(later).compaction_seen, `call ${call}`).toBe(2);
    expect(inboxOf(later)).toEqual(['cx-001.json', 'cx-002.json']);
    if (isOver) break;
  }
  expect(call).toBeGreaterThan(20);
});

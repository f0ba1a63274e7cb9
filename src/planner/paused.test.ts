import { describe, expect, it } from 'vitest';
import { failed, started, succeeded, timeOf } from '../../test/fixtures/events.ts';
import { line, phase, tries } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import { hashBytes } from '../base/hash.ts';
import type { EventBody } from '../model/event.ts';

const noon = '2026-11-15T13:00:00.000Z';

function paused(name: string, until = noon): EventBody {
  const [, unit = '', of = '', attempt] = /^(.+)\/(.+)#(\d+)$/.exec(name) ?? [];
  return {
    type: 'attempt_paused',
    unit,
    phase: of,
    attempt: Number(attempt),
    reason: 'quota',
    message: 'Enough for today',
    until,
    ms: 1,
  };
}

async function world(more = {}, ...events: EventBody[]): Promise<World> {
  const made = await World.of(
    line({ units: ['a', 'b'], phases: { ...phase('one', more), ...phase('two') } }),
  );
  made.begin();
  made.fold(...events);
  made.facts.now = timeOf(1);
  return made;
}

describe('a cell whose provider asked to wait', () => {
  it('stops until then, and says until when and why', async () => {
    const made = await world({}, started('a/one#1'), paused('a/one#1'));
    expect(made.decision('a/one')).toMatchObject({
      do: 'stop',
      why: { code: 'paused', until: noon, pause: 'quota', message: 'Enough for today' },
    });
    expect(made.decisions()).toMatchObject({ 'a/two': 'wait for one', 'b/one': 'run never-ran' });
    expect(made.plan().finished).toBe(false);
  });

  it('runs at that very moment, and says that it has waited', async () => {
    const made = await world({}, started('a/one#1'), paused('a/one#1'));
    made.facts.now = '2026-11-15T12:59:59.999Z';
    expect(made.decisions()['a/one']).toBe('stop paused');
    made.facts.now = noon;
    expect(made.decision('a/one')).toMatchObject({
      do: 'run',
      why: { code: 'waited', attempt: 1, pause: 'quota' },
    });
  });

  it('waits also after a failure, and then goes on from the pause', async () => {
    const events = [
      started('a/one#1'),
      failed('a/one#1', 'answer-unparsable'),
      started('a/one#2'),
      paused('a/one#2'),
    ];
    const made = await world({}, ...events);
    expect(made.decisions()['a/one']).toBe('stop paused');
    made.facts.now = noon;
    expect(made.decision('a/one')).toMatchObject({
      do: 'run',
      why: { code: 'waited', attempt: 2 },
    });
  });

  it('uses up no attempt, however often it waits', async () => {
    const events = [1, 2, 3, 4].flatMap((at) => [started(`a/one#${at}`), paused(`a/one#${at}`, timeOf(0))]);
    const made = await world({ retries: 1 }, ...events);
    expect(made.decisions()['a/one']).toBe('run waited');
    made.fold(started('a/one#5'), failed('a/one#5', 'server-error'));
    expect(made.decisions()['a/one']).toBe('stop attempts-used-up');
  });

  it('does not wait after it was begun again and died: that comes first', async () => {
    const made = await world({}, started('a/one#1'), paused('a/one#1', timeOf(0)), started('a/one#2'));
    expect(made.decision('a/one')).toMatchObject({ do: 'run', why: { code: 'interrupted', attempt: 2 } });
  });

  it('stops as used up once its time has come, where it is', async () => {
    const events = [started('a/one#1'), failed('a/one#1'), started('a/one#2'), paused('a/one#2')];
    const made = await world({ retries: tries(1, 'stop') }, ...events);
    made.facts.now = noon;
    expect(made.decisions()['a/one']).toBe('stop attempts-used-up');
  });

  it('waits also with a result that has to be made anew', async () => {
    const made = await world({}, started('a/one#1'), succeeded('a/one#1', { out: 'x' }));
    made.setFact('draft/a/out', { kind: 'missing' });
    expect(made.decisions()['a/one']).toBe('run output-missing');
    made.fold(started('a/one#2'), paused('a/one#2'));
    expect(made.decisions()['a/one']).toBe('stop paused');
    made.facts.now = noon;
    expect(made.decisions()['a/one']).toBe('run output-missing');
  });

  it('does not wait for whoever goes past limits', async () => {
    const made = await world({}, started('a/one#1'), paused('a/one#1'));
    expect(made.override({ pastLimits: { reason: 'they said it is over' } })).toEqual([]);
    expect(made.decision('a/one')).toMatchObject({ do: 'run' });
  });
});

describe('a call in doubt', () => {
  const call = { model: 'openai/gpt-5', key: hashBytes('call'), atStake: 0.25 };
  const shown = { model: 'openai/gpt-5', atStake: 0.25 };

  it('says what may have been paid', async () => {
    const made = await world({}, started('a/one#1', { call }));
    expect(made.decision('a/one')).toMatchObject({
      do: 'run',
      why: { code: 'interrupted', attempt: 1, call: shown },
    });
    const { atStake: _atStake, ...unpriced } = call;
    const other = await world({}, started('a/one#1', { call: unpriced }));
    expect(other.decision('a/one')).toMatchObject({
      why: { code: 'interrupted', call: { model: 'openai/gpt-5', atStake: undefined } },
    });
  });

  it('says so to who wants to be asked', async () => {
    const made = await world({ on_interrupt: 'ask' }, started('a/one#1', { call }));
    expect(made.decision('a/one')).toMatchObject({
      do: 'refuse',
      refusals: [{ guard: 'in-doubt', attempt: 1, call: shown }],
    });
  });

  it('is in doubt also where there was a result before that has to be made anew', async () => {
    const made = await world({}, started('a/one#1'), succeeded('a/one#1', { out: 'x' }));
    made.setFact('draft/a/out', { kind: 'missing' });
    made.fold(started('a/one#2', { call }));
    expect(made.decision('a/one')).toMatchObject({
      do: 'run',
      why: { code: 'interrupted', attempt: 2, call: shown },
    });
  });
});

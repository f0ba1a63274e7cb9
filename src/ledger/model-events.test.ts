import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyEvents,
  created,
  failed,
  revision,
  started,
  stored,
  succeeded,
} from '../../test/fixtures/events.ts';
import { hashBytes } from '../base/hash.ts';
import type { EventBody, StoredEvent } from '../model/event.ts';
import { foldEvent, foldEvents } from './fold.ts';
import { findStep, type Ledger, type Step } from './ledger.ts';
import { ledgerFromSnapshot, ledgerToSnapshot } from './snapshot.ts';

const fold = (...bodies: EventBody[]) => foldEvents(stored([created, revision(1), ...bodies]));
const key = hashBytes('call');

function stepOf(ledger: Ledger, name = 'u/write'): Step {
  const [unit = '', phase = ''] = name.split('/');
  const step = findStep(ledger, unit, phase);
  if (step === undefined) throw new Error(`no cell ${name}`);
  return step;
}

function paused(attempt: number, more: Partial<EventBody & { type: 'attempt_paused' }> = {}): EventBody {
  return {
    type: 'attempt_paused',
    unit: 'u',
    phase: 'write',
    attempt,
    reason: 'rate-limited',
    message: 'Slow down',
    until: '2026-11-15T13:00:00.000Z',
    ms: 5,
    ...more,
  };
}

describe('a start', () => {
  it('says which call it is about to make', () => {
    const call = { model: 'openai/gpt-5', key, atStake: 0.5 };
    expect(stepOf(fold(started('u/write#1', { call }))).running).toMatchObject({ attempt: 1, call });
    expect(stepOf(fold(started('u/write#1'))).running).not.toHaveProperty('call');
  });
});

describe('a pause', () => {
  it('ends the attempt, and nothing has failed', () => {
    const step = stepOf(fold(started('u/write#1'), paused(1)));
    expect(step).toMatchObject({ attempts: 1, failures: 0, running: undefined, failure: undefined });
    expect(step.paused).toEqual({
      attempt: 1,
      reason: 'rate-limited',
      message: 'Slow down',
      until: '2026-11-15T13:00:00.000Z',
      times: 1,
    });
  });

  it('leaves what had failed before, and counts how often in a row', () => {
    const step = stepOf(
      fold(
        started('u/write#1'),
        failed('u/write#1', 'server-error'),
        started('u/write#2'),
        paused(2),
        paused(3),
      ),
    );
    expect(step).toMatchObject({ attempts: 3, failures: 1, failure: { reason: 'server-error', attempt: 1 } });
    expect(step.paused).toMatchObject({ attempt: 3, times: 2 });
  });

  it('leaves an attempt alone that came after it', () => {
    const step = stepOf(fold(started('u/write#2'), paused(1)));
    expect(step).toMatchObject({ attempts: 2, running: { attempt: 2 } });
  });

  it('is over after a success and a rerun, and waits no longer after an override of limits', () => {
    const begin = [started('u/write#1'), paused(1)];
    expect(stepOf(fold(...begin, started('u/write#2'), succeeded('u/write#2')))).not.toHaveProperty('paused');
    const rerun: EventBody = {
      type: 'results_superseded',
      steps: ['u/write'],
      because: 'rerun-requested',
      reason: 'x',
    };
    expect(stepOf(fold(...begin, rerun))).not.toHaveProperty('paused');
    const past = (guard: string) =>
      ({ type: 'override_used', guard, flag: '--past-limits', facts: {} }) as EventBody;
    // It stays on record: a step that goes on was paused, and not cut off.
    const { paused: before } = stepOf(fold(...begin));
    expect(stepOf(fold(...begin, past('limit-reached'))).paused).toEqual({ ...before, until: '', times: 0 });
    expect(stepOf(fold(...begin, past('prompt-changed'))).paused).toEqual(before);
  });

  it('costs nothing that a budget knows of, and no attempt of a limit on failures', () => {
    const ledger = fold(started('u/write#1'), paused(1));
    expect(ledger.spent).toEqual([]);
    expect(ledger.tallies).toMatchObject([{ phase: 'write', attempts: 1, bad: 0, badInARow: 0 }]);
  });
});

describe('a failure', () => {
  const cost = { usd: 0.5, inputTokens: 10, outputTokens: 2, cacheReadTokens: 1 };

  it('is paid for all the same', () => {
    const ledger = fold(
      started('u/write#1'),
      { ...failed('u/write#1', 'answer-truncated'), cost } as EventBody,
      started('u/write#2'),
      succeeded('u/write#2', {}, { cost }),
    );
    expect(stepOf(ledger).cost).toEqual({ usd: 1, inputTokens: 20, outputTokens: 4, cacheReadTokens: 2 });
    expect(ledger.spent).toMatchObject([
      { phase: 'write', attempts: 2, usd: 1, tokens: 24, ms: 15 },
      { phase: '', attempts: 2, usd: 1, tokens: 24, ms: 15 },
    ]);
  });

  it('is not the only end without a result that is paid for', () => {
    const ends: EventBody[] = [
      { type: 'attempt_interrupted', unit: 'u', phase: 'write', attempt: 1, ms: 3, cost },
      {
        type: 'revision_requested',
        unit: 'u',
        phase: 'write',
        attempt: 1,
        to: 'plan',
        reason: 'r',
        ms: 3,
        cost,
      },
    ];
    for (const end of ends) {
      const ledger = fold(started('u/write#1'), end);
      expect(stepOf(ledger).cost).toEqual(cost);
      expect(ledger.spent).toMatchObject([
        { phase: 'write', usd: 0.5, tokens: 12, ms: 3 },
        { phase: '', usd: 0.5, tokens: 12, ms: 3 },
      ]);
    }
  });

  it('counts for a budget what a call may have come to, from the moment it is sent', () => {
    const call = { model: 's/m', key: hashBytes(Buffer.from('key')), atStake: 0.75 };
    const doubtOf = (...events: EventBody[]) => fold(...events).spent.map(({ doubt }) => doubt);
    const sent = started('u/write#1', { call });
    expect(doubtOf(sent)).toEqual([0.75, 0.75]);
    expect(doubtOf(sent, started('u/write#2', { call }))).toEqual([1.5, 1.5]);
    expect(doubtOf(sent, { ...failed('u/write#1', 'answer-truncated'), cost } as EventBody)).toEqual([0, 0]);
    expect(doubtOf(sent, failed('u/write#1', 'connection-lost'))).toEqual([0.75, 0.75]);
  });

  it.each(['not-authorized', 'model-unknown', 'provider-missing'])(
    'by %s uses up no attempt: somebody has to set something right',
    (reason) => {
      const step = stepOf(fold(started('u/write#1'), failed('u/write#1', reason)));
      expect(step).toMatchObject({ attempts: 1, failures: 0, failure: { reason, attempt: 1 } });
    },
  );

  it.each([
    'call-refused',
    'server-error',
    'connection-lost',
    'provider-failed',
    'answer-empty',
    'timed-out',
  ])('by %s does', (reason) => {
    expect(stepOf(fold(started('u/write#1'), failed('u/write#1', reason))).failures).toBe(1);
  });
});

describe('a grant', () => {
  const spend = [
    started('u/write#1'),
    succeeded('u/write#1', {}, { cost: { usd: 2, inputTokens: 7 }, ms: 9 }),
  ];
  const decided = (more: Partial<EventBody & { type: 'checkpoint_decided' }>): EventBody => ({
    type: 'checkpoint_decided',
    id: 'C1',
    question: 'budget',
    unit: '',
    phase: '',
    place: 'budget_usd',
    shown: { budget_usd: key },
    decision: 'approved',
    by: 'ann',
    host: 'here',
    channel: 'terminal',
    ...more,
  });
  const from = (ledger: Ledger, phase: string) => ledger.spent.find((spent) => spent.phase === phase)?.from;
  const zero = { usd: 0, tokens: 0, ms: 0 };

  it('is for what was asked about, and for that account alone', () => {
    expect(from(fold(...spend, decided({})), '')).toEqual({ usd: 2, tokens: 0, ms: 0 });
    expect(from(fold(...spend, decided({})), 'write')).toEqual(zero);
    const tokens = fold(...spend, decided({ phase: 'write', place: 'budget_tokens' }));
    expect(from(tokens, 'write')).toEqual({ usd: 0, tokens: 7, ms: 0 });
    expect(from(tokens, '')).toEqual(zero);
    expect(from(fold(...spend, decided({ place: 'budget_time' })), '')).toEqual({ usd: 0, tokens: 0, ms: 9 });
  });

  it('is none for a no, for another question, and when it is told twice', () => {
    expect(from(fold(...spend, decided({ decision: 'rejected' })), '')).toEqual(zero);
    expect(from(fold(...spend, decided({ question: 'approval' })), '')).toEqual(zero);
    const more = [started('v/write#1'), succeeded('v/write#1', {}, { cost: { usd: 3 } })];
    expect(from(fold(...spend, decided({}), ...more, decided({})), '')).toMatchObject({ usd: 2 });
  });

  it('is for everything for who goes past limits', () => {
    const past: EventBody = {
      type: 'override_used',
      guard: 'limit-reached',
      flag: '--past-limits',
      facts: {},
    };
    const ledger = fold(...spend, past);
    for (const phase of ['', 'write']) expect(from(ledger, phase)).toEqual({ usd: 2, tokens: 7, ms: 9 });
  });
});

describe('a snapshot in the middle', () => {
  /** Events of models between all others. */
  function modelEvents(): fc.Arbitrary<EventBody> {
    const at = {
      unit: fc.constantFrom('u1', 'u2'),
      phase: fc.constantFrom('plan', 'write'),
      attempt: fc.integer({ min: 1, max: 4 }),
    };
    const cost = fc.record(
      { usd: fc.nat(9), inputTokens: fc.nat(9), cacheReadTokens: fc.nat(9) },
      { requiredKeys: [] },
    );
    const call = fc.constant({ model: 'p/m', key });
    return fc.oneof(
      fc.record({ type: fc.constant('attempt_started' as const), ...at, revision: fc.constant(1), call }),
      fc.record({
        type: fc.constant('attempt_paused' as const),
        ...at,
        reason: fc.constantFrom('quota' as const, 'overloaded' as const),
        message: fc.constant('wait'),
        until: fc.constant('2026-11-15T13:00:00.000Z'),
        ms: fc.nat(9),
      }),
      fc.record({
        type: fc.constant('attempt_failed' as const),
        ...at,
        reason: fc.constantFrom('not-authorized', 'answer-empty'),
        message: fc.constant(''),
        ms: fc.nat(9),
        cost,
      }),
      fc.record({
        type: fc.constant('attempt_succeeded' as const),
        ...at,
        outputs: fc.constant({}),
        ms: fc.nat(9),
        cost,
      }),
      fc.record({
        type: fc.constant('override_used' as const),
        guard: fc.constant('limit-reached' as const),
        flag: fc.constant('--past-limits'),
        facts: fc.constant({}),
      }) as fc.Arbitrary<EventBody>,
    );
  }

  const copied = (ledger: Ledger): Ledger => {
    const parts = JSON.parse(JSON.stringify([...ledgerToSnapshot(ledger)])) as [];
    const read = ledgerFromSnapshot(parts);
    if (read === undefined) throw new Error('no ledger');
    return read;
  };

  it('changes nothing of what becomes of a run', () => {
    const mixed = fc
      .tuple(anyEvents(), fc.array(modelEvents(), { maxLength: 20 }), fc.infiniteStream(fc.boolean()))
      .map(([others, calls, chance]): StoredEvent[] => {
        const bodies: EventBody[] = [];
        const queue = [...calls];
        for (const event of others) {
          while (queue.length > 0 && chance.next().value === true) bodies.push(queue.shift() as EventBody);
          const { seq: _s, at: _a, actor: _c, epoch: _e, ...body } = event;
          bodies.push(body as EventBody);
        }
        return stored([...bodies, ...queue]);
      });
    fc.assert(
      fc.property(mixed, fc.nat(60), (events, cut) => {
        const whole = foldEvents(events);
        const ledger = copied(foldEvents(events.slice(0, cut)));
        for (const event of events.slice(cut)) foldEvent(ledger, event);
        expect(JSON.parse(JSON.stringify([...ledgerToSnapshot(ledger)]))).toEqual(
          JSON.parse(JSON.stringify([...ledgerToSnapshot(whole)])),
        );
      }),
      { numRuns: 200 },
    );
  });
});

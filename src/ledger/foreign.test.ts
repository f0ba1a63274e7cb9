import { describe, expect, it } from 'vitest';
import { created, revision, started, succeeded } from '../../test/fixtures/events.ts';
import type { ForeignEventMeaning } from '../model/definition.ts';
import type { EventBody, StoredEvent } from '../model/event.ts';
import { foldEvents } from './fold.ts';
import { findStep, newestResult } from './ledger.ts';

const timeOf = (second: number) => new Date(Date.UTC(2026, 10, 15, 12, 0, second)).toISOString();

function fold(...bodies: readonly EventBody[]) {
  const events = bodies.map(
    (body, nth): StoredEvent => ({ ...body, seq: nth + 1, actor: actorOf(body), epoch: 1, at: timeOf(nth) }),
  );
  return foldEvents(events);
}

/** Of Pawl's own events those of an agent are an agent's. */
function actorOf(body: EventBody): string {
  if (body.type === 'foreign_work_reported' || body.type === 'foreign_run_reported') return 'other';
  return 'lease' in body || body.type === 'attempt_succeeded' ? 'ann' : 'runner';
}

const stepOf = (...bodies: readonly EventBody[]) => findStep(fold(...bodies), 't1', 'make');

function report(
  means: ForeignEventMeaning,
  more: { phase?: string; note?: string } = { phase: 'make' },
): EventBody {
  return { type: 'foreign_work_reported', unit: 't1', means, ...more };
}

describe('the word of another tool', () => {
  it.each([
    ['claimed', false],
    ['started', true],
  ] as const)('that a unit is %s leaves it in doubt: nobody has promised anything', (means, begun) => {
    expect(stepOf(report(means))).toMatchObject({
      attempts: 1,
      running: { attempt: 1, at: timeOf(0), claim: { actor: 'other', until: '', begun } },
    });
  });

  it('that it was started after it was claimed speaks of the same attempt', () => {
    const step = stepOf(report('claimed'), report('started'));
    expect(step).toMatchObject({ attempts: 1, running: { claim: { begun: true } } });
  });

  it('that it was done stands by its word alone', () => {
    const step = stepOf(
      created,
      revision(1),
      report('started'),
      report('succeeded', { phase: 'make', note: 'easy' }),
    );
    expect(step).toMatchObject({
      attempts: 1,
      running: undefined,
      promoted: 1,
      results: [{ reported: true, actor: 'other', note: 'easy', outputs: {}, revision: 1, attempt: 1 }],
    });
  });

  it('that it was done, and never that it was started, counts as well', () => {
    expect(stepOf(report('succeeded'))).toMatchObject({ attempts: 1, results: [{ attempt: 1 }] });
  });

  it('said twice counts once', () => {
    const once = stepOf(report('started'), report('succeeded'));
    expect(stepOf(report('started'), report('succeeded'), report('succeeded'), report('started'))).toEqual(
      once,
    );
  });

  it('that it failed ends the attempt, and takes back that it was done', () => {
    expect(stepOf(report('started'), report('failed', { phase: 'make', note: 'no idea' }))).toMatchObject({
      attempts: 1,
      failures: 1,
      running: undefined,
      failure: { attempt: 1, reason: 'told-failed', message: 'no idea' },
    });
    const taken = stepOf(report('succeeded'), report('failed'));
    expect(taken).toMatchObject({ attempts: 2, failures: 1 });
    expect(taken && newestResult(taken)).toBeUndefined();
  });

  it('that it was sent back takes back that it was done, and nothing else', () => {
    const taken = stepOf(report('succeeded'), report('sent-back'));
    expect(taken?.failures).toBe(1);
    expect(taken && newestResult(taken)).toBeUndefined();
    expect(stepOf(report('started'), report('sent-back'))).toMatchObject({ running: undefined, failures: 1 });
    expect(stepOf(report('sent-back'))).toMatchObject({ attempts: 0, failures: 0, failure: undefined });
  });

  it('after a failure begins a new attempt', () => {
    const step = stepOf(report('started'), report('failed'), report('started'), report('succeeded'));
    expect(step).toMatchObject({ attempts: 2, failures: 0, failure: undefined, results: [{ attempt: 2 }] });
  });

  it('that a unit is blocked holds until it says otherwise', () => {
    const blocked = report('blocked', { note: 'no dictionary' });
    expect(fold(blocked).blocked).toEqual([
      { unit: 't1', reason: 'no dictionary', actor: 'other', at: timeOf(0) },
    ]);
    expect(fold(blocked, report('blocked', {})).blocked).toMatchObject([{ reason: '' }]);
    expect(fold(blocked, report('unblocked', {})).blocked).toEqual([]);
  });

  it('about no phase in particular is for whoever translates it', () => {
    expect(fold(report('succeeded', {})).steps.byUnit.size).toBe(0);
  });
});

describe('what Pawl itself has on record', () => {
  const claim = started('t1/make#1', { lease: timeOf(600) });

  it.each(['claimed', 'started', 'succeeded', 'failed', 'sent-back'] as const)(
    'is not undone while somebody is at it: %s',
    (means) => {
      expect(stepOf(claim, report(means))).toEqual(stepOf(claim));
    },
  );

  it.each(['claimed', 'started', 'succeeded', 'sent-back'] as const)(
    'is not undone when it is done: %s',
    (means) => {
      const done = [claim, succeeded('t1/make#1')];
      expect(stepOf(...done, report(means))).toEqual(stepOf(...done));
    },
  );

  it('takes over what another tool has begun, under the next number', () => {
    const step = stepOf(report('started'), started('t1/make#2', { lease: timeOf(600) }));
    expect(step).toMatchObject({ attempts: 2, running: { attempt: 2, claim: { actor: 'ann' } } });
  });
});

describe('the word of another tool about the run', () => {
  it('is the newest of each kind', () => {
    const ledger = fold(
      { type: 'foreign_run_reported', stage: '1' },
      { type: 'foreign_run_reported', stage: '2' },
      { type: 'foreign_run_reported', completed: true },
    );
    expect(ledger.told).toEqual({ stage: '2', completed: true });
    expect(
      fold({ type: 'foreign_run_reported', completed: true }, { type: 'foreign_run_reported', stage: '3' })
        .told,
    ).toEqual({
      stage: '3',
      completed: true,
    });
  });
});

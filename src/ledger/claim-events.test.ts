import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { created, failed, revision, started, succeeded } from '../../test/fixtures/events.ts';
import { byCodeUnit } from '../base/json.ts';
import type { EventBody, StoredEvent } from '../model/event.ts';
import { foldEvent, foldEvents } from './fold.ts';
import { findStep, type Ledger } from './ledger.ts';
import { ledgerFromSnapshot, ledgerToSnapshot } from './snapshot.ts';

type Said = readonly [actor: string, body: EventBody];

/** One after the other, each a second later, numbered by actor. */
function foldSaid(...said: readonly Said[]): StoredEvent[] {
  const seqs = new Map<string, number>();
  return said.map(([actor, body], nth) => {
    const seq = (seqs.get(actor) ?? 0) + 1;
    seqs.set(actor, seq);
    return { ...body, seq, actor, epoch: 1, at: timeOf(nth) };
  });
}

const timeOf = (second: number) => new Date(Date.UTC(2026, 10, 15, 12, 0, second)).toISOString();
const lease = timeOf(600);
const later = timeOf(1200);

const claim = (attempt: string) => started(attempt, { lease });
const renewal = (attempt: number): EventBody => ({
  type: 'lease_renewed',
  unit: 't1',
  phase: 'make',
  attempt,
  until: later,
});
const release = (attempt: number): EventBody => ({
  type: 'attempt_interrupted',
  unit: 't1',
  phase: 'make',
  attempt,
  ms: 1,
});
const stepOf = (...said: readonly Said[]) => findStep(foldEvents(foldSaid(...said)), 't1', 'make');

describe('a claim', () => {
  it('is an attempt that belongs to its actor until its lease runs out', () => {
    expect(stepOf(['ann', claim('t1/make#1')])).toMatchObject({
      attempts: 1,
      running: { attempt: 1, at: timeOf(0), claim: { actor: 'ann', until: lease, begun: false } },
    });
  });

  it('that is renewed runs longer, and work on it has begun', () => {
    expect(stepOf(['ann', claim('t1/make#1')], ['ann', renewal(1)])?.running?.claim).toEqual({
      actor: 'ann',
      until: later,
      begun: true,
    });
  });

  it('that is completed names who did it, with the files and the note', () => {
    const done = succeeded(
      't1/make#1',
      { notes: 'x' },
      { files: { a: { hash: 'sha256:0', size: 1 } }, note: 'easy' },
    );
    expect(stepOf(['ann', claim('t1/make#1')], ['ann', done])).toMatchObject({
      running: undefined,
      results: [{ attempt: 1, actor: 'ann', note: 'easy', files: { a: { size: 1 } } }],
    });
  });

  it('that is given back leaves only its number', () => {
    expect(stepOf(['ann', claim('t1/make#1')], ['ann', release(1)])).toMatchObject({
      attempts: 1,
      failures: 0,
      running: undefined,
      results: [],
    });
  });

  it('under a higher number replaces the one before', () => {
    expect(stepOf(['ann', claim('t1/make#1')], ['bob', claim('t1/make#2')])?.running).toMatchObject({
      attempt: 2,
      claim: { actor: 'bob' },
    });
  });

  it.each([1, 2])('under number %i comes too late when number 2 was given', (number) => {
    const step = stepOf(['ann', claim('t1/make#2')], ['bob', claim(`t1/make#${number}`)]);
    expect(step).toMatchObject({ attempts: 2, running: { attempt: 2, claim: { actor: 'ann' } } });
  });

  it('comes too late also when the number was used up', () => {
    const step = stepOf(
      ['ann', claim('t1/make#1')],
      ['ann', succeeded('t1/make#1')],
      ['bob', claim('t1/make#1')],
    );
    expect(step).toMatchObject({ attempts: 1, running: undefined, results: [{ actor: 'ann' }] });
  });

  it('is counted once, however often its number was given', () => {
    const ledger = foldEvents(foldSaid(['ann', claim('t1/make#1')], ['bob', claim('t1/make#1')]));
    expect(ledger.tallies).toMatchObject([{ phase: 'make', attempts: 1 }]);
  });
});

describe('what is said under a claim that came too late', () => {
  const given: readonly Said[] = [
    ['ann', claim('t1/make#1')],
    ['bob', claim('t1/make#1')],
  ];

  it.each<[string, EventBody]>([
    ['a renewal', renewal(1)],
    ['a release', release(1)],
    ['a failure', failed('t1/make#1')],
  ])('does not count: %s', (_, body) => {
    expect(stepOf(...given, ['bob', body])).toEqual(stepOf(...given));
  });

  it.each<[string, EventBody]>([
    ['a release', release(1)],
    ['a renewal', renewal(1)],
  ])('does not count after the claim that it lost to has ended: %s', (_, body) => {
    const ended: readonly Said[] = [...given, ['ann', release(1)]];
    expect(stepOf(...ended, ['bob', body])).toEqual(stepOf(...ended));
  });

  it('counts when it is a completion, and the first one: it was acknowledged on its branch', () => {
    const done = succeeded('t1/make#1');
    expect(stepOf(...given, ['bob', done])?.results).toMatchObject([{ actor: 'bob' }]);
    expect(stepOf(...given, ['bob', done], ['ann', done])?.results).toMatchObject([{ actor: 'bob' }]);
    expect(stepOf(...given, ['ann', done], ['bob', done])?.results).toMatchObject([{ actor: 'ann' }]);
    expect(stepOf(...given, ['ann', release(1)], ['bob', done])?.results).toMatchObject([{ actor: 'bob' }]);
  });
});

describe('what is said under an old number', () => {
  it.each<[string, EventBody]>([
    ['a renewal', renewal(1)],
    ['a release', release(1)],
    ['a completion', succeeded('t1/make#1')],
    ['a failure', failed('t1/make#1')],
  ])('does not count: %s', (_, body) => {
    const given: readonly Said[] = [
      ['ann', claim('t1/make#1')],
      ['ann', claim('t1/make#2')],
    ];
    expect(stepOf(...given, ['ann', body])).toEqual(stepOf(...given));
  });

  it('and was refused is on record, and changes nothing', () => {
    const refusal: EventBody = {
      type: 'completion_refused',
      unit: 't1',
      phase: 'make',
      attempt: 1,
      reason: 'claimed-by-another',
    };
    const given: readonly Said[] = [['ann', claim('t1/make#1')]];
    expect(stepOf(...given, ['bob', refusal])).toEqual(stepOf(...given));
    expect(foldEvents(foldSaid(['bob', refusal])).steps.byUnit.size).toBe(0);
  });
});

describe('a blocked unit', () => {
  const block = (reason: string): EventBody => ({ type: 'task_blocked', unit: 't1', reason });

  it('is blocked once, for the newest reason, until anybody says otherwise', () => {
    const said: readonly Said[] = [
      ['ann', block('no key')],
      ['bob', block('no door')],
    ];
    expect(foldEvents(foldSaid(...said)).blocked).toEqual([
      { unit: 't1', reason: 'no door', actor: 'bob', at: timeOf(1) },
    ]);
    expect(foldEvents(foldSaid(...said, ['cat', { type: 'task_unblocked', unit: 't1' }])).blocked).toEqual(
      [],
    );
  });

  it('leaves others as they are', () => {
    const other: EventBody = { type: 'task_blocked', unit: 't2', reason: 'x' };
    const { blocked } = foldEvents(
      foldSaid(['ann', other], ['ann', block('y')], ['ann', { type: 'task_unblocked', unit: 't1' }]),
    );
    expect(blocked.map(({ unit }) => unit)).toEqual(['t2']);
  });
});

describe('actors that work on different cells', () => {
  const deed = fc.constantFrom('claim', 'renew', 'complete', 'fail', 'release', 'block', 'unblock');
  const deeds = fc.record({ ann: fc.array(deed), bob: fc.array(deed), cat: fc.array(deed) });
  const units = { ann: 't1', bob: 't2', cat: 't3' };

  it('come to the same ledger in whatever order they are heard, and from any snapshot on the way', () => {
    fc.assert(
      fc.property(deeds, fc.infiniteStream(fc.nat()), (done, chance) => {
        const journals = Object.entries(done).map(([actor, list]) =>
          eventsOf(actor, units[actor as keyof typeof units], list),
        );
        const inTime = journals.flat().sort((a, b) => byCodeUnit(a.at, b.at) || byCodeUnit(a.actor, b.actor));
        const begun = foldSaid(['runner', created], ['runner', revision(1)]);
        const expected = asData(foldEvents([...begun, ...inTime]));
        const heard: StoredEvent[] = [...begun];
        const waiting = journals.map((journal) => [...journal]);
        while (waiting.some((journal) => journal.length > 0)) {
          const open = waiting.filter((journal) => journal.length > 0);
          const event = open[Number(chance.next().value) % open.length]?.shift();
          if (event !== undefined) heard.push(event);
        }
        expect(asData(foldEvents(heard))).toEqual(expected);
        const half = heard.length >> 1;
        const snapshot = JSON.parse(JSON.stringify([...ledgerToSnapshot(foldEvents(heard.slice(0, half)))]));
        const ledger = ledgerFromSnapshot(snapshot);
        if (ledger === undefined) throw new Error('the snapshot cannot be read');
        for (const event of heard.slice(half)) foldEvent(ledger, event);
        expect(asData(ledger)).toEqual(expected);
      }),
    );
  });
});

/** What one actor says of its own unit: claims are numbered, and everything else is about the last one. */
function eventsOf(actor: string, unit: string, deeds: readonly string[]): StoredEvent[] {
  let attempt = 0;
  return deeds.map((deed, nth) => {
    if (deed === 'claim') attempt += 1;
    const at = { unit, phase: 'make', attempt };
    const bodies: Record<string, EventBody> = {
      claim: { type: 'attempt_started', ...at, revision: 1, lease },
      renew: { type: 'lease_renewed', ...at, until: timeOf(600 + nth) },
      complete: { type: 'attempt_succeeded', ...at, outputs: {}, ms: 1 },
      fail: { type: 'attempt_failed', ...at, reason: 'agent-failed', message: '', ms: 1 },
      release: { type: 'attempt_interrupted', ...at, ms: 1 },
      block: { type: 'task_blocked', unit, reason: `${nth}` },
      unblock: { type: 'task_unblocked', unit },
    };
    const body = bodies[deed];
    if (body === undefined) throw new Error(`no deed ${deed}`);
    return { ...body, seq: nth + 1, actor, epoch: 1, at: timeOf(1 + nth) };
  });
}

/**
 * Without the order in which steps and blocked units were first mentioned, and without sums over all of them.
 */
function asData(ledger: Ledger): unknown {
  const [head, ...parts] = JSON.parse(JSON.stringify([...ledgerToSnapshot(ledger)]));
  const { blocked, tallies, settled, ...rest } = head.ledger;
  const sortBy = (list: Record<string, string>[]) =>
    list.sort((a, b) => byCodeUnit(a.unit ?? '', b.unit ?? ''));
  const counts = tallies.map(({ badInARow, ...tally }: { badInARow: number }) => tally);
  return {
    rest,
    counts,
    settled: settled.sort(byCodeUnit),
    blocked: sortBy(blocked),
    cells: sortBy(parts.flat()),
  };
}

import { describe, expect, it } from 'vitest';
import type { EventBody, StoredEvent } from '../model/event.ts';
import { foldEvents } from './fold.ts';
import { findStep } from './ledger.ts';

const step = { unit: 'T001', phase: 'implement' };
const lease = '2026-01-02T00:00:00.000Z';

let count = 0;
function said(actor: string, minute: number, body: EventBody): StoredEvent {
  count += 1;
  const at = `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
  return { ...body, actor, at, seq: count, epoch: 1 };
}

const claim = (actor: string, minute: number, attempt = 1) =>
  said(actor, minute, { type: 'attempt_started', ...step, attempt, revision: 1, lease });
const done = (actor: string, minute: number, attempt = 1) =>
  said(actor, minute, { type: 'attempt_succeeded', ...step, attempt, outputs: {}, ms: 1 });
const report = (actor: string, minute: number, means: 'blocked' | 'unblocked') =>
  said(actor, minute, { type: 'foreign_work_reported', unit: 'T001', means });

const folded = (...events: StoredEvent[]) => findStep(foldEvents(events), 'T001', 'implement');

describe('two claims under one number', () => {
  it('the first one has it', () => {
    expect(folded(claim('a', 1), claim('b', 2))?.running).toMatchObject({
      attempt: 1,
      claim: { actor: 'a' },
    });
  });

  it('whoever is done first is done: nothing that was acknowledged is lost', () => {
    const ledger = folded(claim('b', 1), claim('a', 2), done('a', 3));
    expect(ledger).toMatchObject({ running: undefined, results: [{ actor: 'a', attempt: 1 }] });
  });

  it('and one result counts', () => {
    const ledger = folded(claim('a', 1), claim('b', 2), done('b', 3), done('a', 4));
    expect(ledger?.results).toMatchObject([{ actor: 'b' }]);
  });

  it('are over with the next number', () => {
    const ledger = folded(claim('a', 1), claim('b', 2), claim('c', 3, 2), done('b', 4));
    expect(ledger).toMatchObject({ running: { attempt: 2, claim: { actor: 'c' } }, results: [] });
  });
});

describe('what another tool calls blocked', () => {
  it('is blocked until it or somebody here says otherwise', () => {
    expect(foldEvents([report('x', 1, 'blocked')]).blocked).toMatchObject([{ unit: 'T001' }]);
    expect(foldEvents([report('x', 1, 'blocked'), report('x', 2, 'unblocked')]).blocked).toEqual([]);
  });

  it('is not blocked again by a clock that is ahead', () => {
    const settled = said('me', 1, { type: 'task_unblocked', unit: 'T001' });
    expect(foldEvents([settled, report('x', 9, 'blocked')]).blocked).toEqual([]);
  });
});

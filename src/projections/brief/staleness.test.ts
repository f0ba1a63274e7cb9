import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTime } from '../../base/clock.ts';
import { readTime } from './read-time.ts';
import { type NewestEvent, type StalenessFacts, staleness } from './staleness.ts';

const minute = 60_000;
const newestAt = at('2026-02-20T10:00:00.500Z');

/** The run is at its third phase since nine, of a session since eight; the newest event was at ten. */
const newest: NewestEvent = {
  at: formatTime(newestAt),
  phase: 3,
  phaseName: 'write',
  phaseSince: '2026-02-20T09:00:00.000Z',
  sessionSince: '2026-02-20T08:00:00.000Z',
};
const facts: StalenessFacts = { updatedAt: newest.at, phase: 3, newest, now: newestAt + 10 };

const judge = (changes: Partial<StalenessFacts>) => {
  const { level, code } = staleness({ ...facts, ...changes });
  return `${level} ${code}`;
};
const updated = (ms: number, changes: Partial<StalenessFacts> = {}) =>
  judge({ updatedAt: formatTime(ms), ...changes });

describe('a document that tells of the newest event', () => {
  it('is fresh', () => {
    expect(staleness(facts)).toEqual({ level: 'FRESH', code: 'nothing-since', ageMs: 10 });
  });

  it.each([
    ['after half an hour', { now: newestAt + 31 * minute }],
    ['after a year', { now: newestAt + 365 * 24 * 60 * minute }],
    ['while the clock is behind', { now: newestAt - 365 * 24 * 60 * minute }],
    ['even if its phase is another', { phase: 1 }],
    ['even before the session', { newest: { ...newest, sessionSince: '2026-02-20T11:00:00.000Z' } }],
    ['in whatever spelling', { updatedAt: '2026-02-20 11:00:00.5 +01:00' }],
    ['a moment later', { updatedAt: formatTime(newestAt + 1) }],
  ])('is fresh %s', (_, changes) => {
    expect(judge(changes)).toBe('FRESH nothing-since');
  });
});

describe('a document that something has happened since', () => {
  it('is fresh within the phase', () => {
    expect(updated(newestAt - 1)).toBe('FRESH within-phase');
    expect(updated(at('2026-02-20T09:45:00Z'))).toBe('FRESH within-phase');
  });

  it('is stale half an hour later, not sooner', () => {
    const at945 = at('2026-02-20T09:45:00Z');
    expect(updated(at945, { now: at945 + 30 * minute - 1 })).toBe('FRESH within-phase');
    expect(updated(at945, { now: at945 + 30 * minute })).toBe('FRESH within-phase');
    expect(updated(at945, { now: at945 + 30 * minute + 1 })).toBe('STALE too-old');
  });

  it('is stale when it is from before the phase', () => {
    const soon = { now: at('2026-02-20T09:00:01Z') };
    const since = at(newest.phaseSince);
    expect(updated(since - 1, soon)).toBe('STALE phase-changed');
    expect(updated(since, soon)).toBe('FRESH within-phase');
    expect(updated(since + 1, soon)).toBe('FRESH within-phase');
  });

  it('is critical when it is from before the session', () => {
    const since = at(newest.sessionSince);
    expect(updated(since - 1)).toBe('CRITICAL from-earlier-session');
    expect(updated(since)).toBe('STALE phase-changed');
    // The session matters more than the phase.
    expect(updated(since - 1, { phase: 1 })).toBe('CRITICAL from-earlier-session');
  });

  it.each<[number | string | null, string]>([
    [3, 'FRESH within-phase'],
    ['3', 'FRESH within-phase'],
    ['Phase 3', 'FRESH within-phase'],
    ['phase-3', 'FRESH within-phase'],
    ['write', 'FRESH within-phase'],
    ['Write', 'FRESH within-phase'],
    [2, 'STALE phase-changed'],
    ['2', 'STALE phase-changed'],
    ['Phase 4', 'STALE phase-changed'],
    ['3b', 'STALE phase-changed'],
    ['lint', 'STALE phase-changed'],
    ['', 'STALE phase-changed'],
    [null, 'STALE phase-changed'],
  ])('of phase %j is %s', (phase, expected) => {
    expect(updated(newestAt - 1, { phase })).toBe(expected);
  });

  it('compares no phases before the first', () => {
    const before = { newest: { ...newest, phase: null, phaseName: null, phaseSince: '' } };
    expect(updated(newestAt - 1, { ...before, phase: null })).toBe('FRESH within-phase');
    expect(updated(newestAt - 1, { ...before, phase: 0 })).toBe('STALE phase-changed');
  });

  it('goes without a session that nobody knows of', () => {
    const ago = newestAt - 10 * 24 * 60 * minute;
    expect(updated(ago, { newest: { ...newest, sessionSince: '' } })).toBe('STALE phase-changed');
  });
});

describe('a document without a journal', () => {
  it('is asked for its age alone', () => {
    const alone = { newest: undefined, now: newestAt };
    expect(updated(newestAt, alone)).toBe('FRESH recently-updated');
    expect(updated(newestAt - 30 * minute, alone)).toBe('FRESH recently-updated');
    expect(updated(newestAt - 30 * minute - 1, alone)).toBe('STALE too-old');
    expect(updated(newestAt - 30 * minute - 1, { ...alone, phase: null })).toBe('STALE too-old');
  });
});

describe('a time that cannot be', () => {
  it.each([undefined, null, ''])('is missing: %j', (updatedAt) => {
    expect(staleness({ ...facts, updatedAt })).toEqual({ level: 'CRITICAL', code: 'no-time' });
  });

  it.each(['just now', '2026-02-30T10:00:00Z', '2026-13-01', true, {}, [], 7])('is none: %j', (updatedAt) => {
    expect(staleness({ ...facts, updatedAt })).toEqual({ level: 'CRITICAL', code: 'unreadable-time' });
  });

  it('lies ahead of the clock', () => {
    const { now } = facts;
    for (const journal of [newest, undefined]) {
      const fresh = journal === undefined ? 'FRESH recently-updated' : 'FRESH nothing-since';
      expect(updated(now + 5 * minute, { newest: journal })).toBe(fresh);
      expect(updated(now + 5 * minute + 1, { newest: journal })).toBe('STALE from-the-future');
    }
    expect(staleness({ ...facts, updatedAt: '2027-02-20' }).ageMs).toBeLessThan(0);
  });

  it('does not when the journal has seen it', () => {
    const now = newestAt - 60 * minute;
    expect(judge({ now })).toBe('FRESH nothing-since');
    expect(updated(newestAt - 1, { now })).toBe('FRESH within-phase');
    expect(updated(newestAt + 1, { now })).toBe('STALE from-the-future');
  });
});

describe('odd spellings', () => {
  it.each([
    ['2026-02-20 09:59', 'FRESH within-phase'],
    ['20260220T095900Z', 'FRESH within-phase'],
    [1771581540, 'FRESH within-phase'],
    [1771581540000, 'FRESH within-phase'],
    ['2026-02-20t10:59:00+01', 'FRESH within-phase'],
    ['2026-02-20', 'CRITICAL from-earlier-session'],
    [20260220, 'CRITICAL from-earlier-session'],
    ['"2026-02-20 08:30 UTC"', 'STALE phase-changed'],
    // Finer than the journal's milliseconds, and of the same one.
    ['2026-02-20T10:00:00.500999Z', 'FRESH nothing-since'],
    ['2026-02-20T10:00:00.499999Z', 'FRESH within-phase'],
  ])('%j is %s', (updatedAt, expected) => {
    expect(judge({ updatedAt })).toBe(expected);
  });
});

it('never gets better as a document gets older', () => {
  const order = ['FRESH', 'STALE', 'CRITICAL'];
  const times = fc.tuple(fc.nat(), fc.nat()).map((pair) => pair.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(times, fc.nat({ max: 90 * minute }), ([younger = 0, older = 0], late) => {
      const levelOf = (age: number) =>
        staleness({ ...facts, updatedAt: formatTime(newestAt - age), now: newestAt + late }).level;
      expect(order.indexOf(levelOf(older))).toBeGreaterThanOrEqual(order.indexOf(levelOf(younger)));
    }),
  );
});

function at(text: string): number {
  return readTime(text) ?? Number.NaN;
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { created, failed, started, stored, succeeded } from '../../test/fixtures/events.ts';
import type { Hash } from '../base/hash.ts';
import type { JsonValue } from '../base/json.ts';
import type { EventBody } from '../model/event.ts';
import { foldEvent, foldEvents } from './fold.ts';
import type { Ledger, Tally } from './ledger.ts';
import { ledgerFromSnapshot, ledgerToSnapshot } from './snapshot.ts';

const fold = (...bodies: EventBody[]): Ledger => foldEvents(stored([created, ...bodies]));
const tallyOf = (ledger: Ledger, phase = 'audit') => ledger.tallies.find((tally) => tally.phase === phase);
const judged = (passed: boolean) => ({ verdict: 'x', judged: { passed } });
const pastLimits: EventBody = {
  type: 'override_used',
  guard: 'limit-reached',
  flag: '--past-limits',
  reason: 'x',
  facts: {},
};

function throughDisk(ledger: Ledger): Ledger {
  const parts = JSON.parse(JSON.stringify([...ledgerToSnapshot(ledger)])) as JsonValue[];
  const back = ledgerFromSnapshot(parts);
  if (back === undefined) throw new Error('a snapshot that cannot be read');
  return back;
}

describe('a tally', () => {
  it('counts attempts of all units, and which were not their first', () => {
    const ledger = fold(
      started('a/audit#1'),
      started('b/audit#1'),
      started('a/audit#2'),
      started('a/audit#3'),
    );
    expect(tallyOf(ledger)).toEqual({ phase: 'audit', attempts: 4, retries: 2, bad: 0, badInARow: 0 });
  });

  it('is one for each phase', () => {
    const ledger = fold(started('a/draw#1'), failed('a/draw#1'), started('a/audit#1'));
    expect(ledger.tallies.map(({ phase, bad }) => [phase, bad])).toEqual([
      ['draw', 1],
      ['audit', 0],
    ]);
  });

  it('counts as bad what failed and what its gate sent back', () => {
    const ledger = fold(
      started('a/audit#1'),
      failed('a/audit#1'),
      started('b/audit#1'),
      succeeded('b/audit#1', {}, judged(false)),
    );
    expect(tallyOf(ledger)).toMatchObject({ attempts: 2, bad: 2, badInARow: 2 });
  });

  it('counts as good what succeeded, and what its gate let through', () => {
    const bad = [started('a/audit#1'), failed('a/audit#1'), started('b/audit#1')];
    for (const good of [succeeded('b/audit#1'), succeeded('b/audit#1', {}, judged(true))])
      expect(tallyOf(fold(...bad, good))).toMatchObject({ attempts: 2, bad: 1, badInARow: 0 });
  });

  it('goes by what the gate said then, not by the verdict', () => {
    const ledger = fold(started('a/audit#1'), succeeded('a/audit#1', {}, { verdict: 'fail' }));
    expect(tallyOf(ledger)).toMatchObject({ bad: 0 });
  });

  it('counts an attempt that nobody let end as neither', () => {
    const ledger = fold(
      started('a/audit#1'),
      failed('a/audit#1'),
      started('a/audit#2'),
      { type: 'attempt_interrupted', unit: 'a', phase: 'audit', attempt: 2, ms: 1 },
      started('a/audit#3'),
    );
    expect(tallyOf(ledger)).toEqual({ phase: 'audit', attempts: 3, retries: 2, bad: 1, badInARow: 1 });
  });

  it('is not touched by what is no attempt', () => {
    const before = [started('a/audit#1'), failed('a/audit#1')];
    const ledger = fold(
      ...before,
      { type: 'results_superseded', steps: ['a/audit'], because: 'rerun-requested' },
      { type: 'run_ended', status: 'stopped' },
      { type: 'run_resumed', boot: 'boot-2' },
      { ...pastLimits, guard: 'prompt-changed' },
    );
    expect(tallyOf(ledger)).toEqual(tallyOf(fold(...before)));
  });

  it('starts anew when somebody goes past a limit, for every phase', () => {
    const ledger = fold(started('a/draw#1'), started('a/audit#1'), failed('a/audit#1'), pastLimits);
    expect(ledger.tallies).toEqual([]);
    const after = fold(started('a/audit#1'), failed('a/audit#1'), pastLimits, started('a/audit#2'));
    expect(after.tallies).toEqual([{ phase: 'audit', attempts: 1, retries: 1, bad: 0, badInARow: 0 }]);
  });

  it('is there for a phase with any name', () => {
    const ledger = fold(started('a/constructor#1'), started('a/__proto__#1'));
    expect(ledger.tallies.map(({ phase }) => phase)).toEqual(['constructor', '__proto__']);
  });
});

it('counts the same over any snapshot', () => {
  const step = fc.record({
    phase: fc.constantFrom('draw', 'audit'),
    unit: fc.constantFrom('a', 'b', 'c'),
    end: fc.constantFrom('good', 'passed', 'failed', 'sent back', 'interrupted', 'none', 'past'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(), (steps, cut) => {
      const attempts = new Map<string, number>();
      const counted = new Map<string, Tally>();
      const bodies: EventBody[] = [created];
      for (const { phase, unit, end } of steps) {
        if (end === 'past') {
          bodies.push(pastLimits);
          counted.clear();
          continue;
        }
        const number = (attempts.get(`${unit}/${phase}`) ?? 0) + 1;
        attempts.set(`${unit}/${phase}`, number);
        const name = `${unit}/${phase}#${number}`;
        const ends: Record<string, EventBody[]> = {
          good: [succeeded(name)],
          passed: [succeeded(name, {}, judged(true))],
          failed: [failed(name)],
          'sent back': [succeeded(name, {}, judged(false))],
          interrupted: [{ type: 'attempt_interrupted', unit, phase, attempt: number, ms: 1 }],
        };
        bodies.push(started(name), ...(ends[end] ?? []));
        const before = counted.get(phase) ?? { phase, attempts: 0, retries: 0, bad: 0, badInARow: 0 };
        const isBad = end === 'failed' || end === 'sent back';
        const isGood = end === 'good' || end === 'passed';
        counted.set(phase, {
          phase,
          attempts: before.attempts + 1,
          retries: before.retries + (number > 1 ? 1 : 0),
          bad: before.bad + (isBad ? 1 : 0),
          badInARow: isBad ? before.badInARow + 1 : isGood ? 0 : before.badInARow,
        });
      }
      const events = stored(bodies);
      const at = cut % (events.length + 1);
      const ledger = throughDisk(foldEvents(events.slice(0, at)));
      for (const event of events.slice(at)) foldEvent(ledger, event);
      expect(ledger.tallies).toEqual([...counted.values()]);
    }),
  );
});

describe('the history of resumes', () => {
  const resumed = (more: Partial<EventBody & { type: 'run_resumed' }> = {}): EventBody => ({
    type: 'run_resumed',
    boot: 'boot-1',
    ...more,
  });

  it('says when, from where, and whether the manifest had changed', () => {
    const revision = (number: number, manifest: Hash): EventBody => ({
      type: 'revision_recorded',
      revision: number,
      manifest,
      phases: {},
    });
    const [first, second] = [revision(1, 'sha256:aa'), revision(2, 'sha256:bb')];
    const ledger = fold(first, resumed({ from: 'f4' }), resumed({ from: 'f6' }), second, resumed());
    expect(ledger.resumes).toBe(3);
    expect(ledger.resumeHistory).toEqual([
      { at: '2026-11-15T12:00:03.000Z', from: 'f4', manifestChanged: false },
      { at: '2026-11-15T12:00:04.000Z', from: 'f6', manifestChanged: true },
      { at: '2026-11-15T12:00:06.000Z', from: undefined, manifestChanged: false },
    ]);
    expect(throughDisk(ledger).resumeHistory).toEqual(ledger.resumeHistory);
  });

  it('has an end: of very many the newest are kept, and all are counted', () => {
    const ledger = fold(...Array.from({ length: 1200 }, (_, at) => resumed({ from: `f${at}` })));
    expect(ledger.resumes).toBe(1200);
    expect(ledger.resumeHistory).toHaveLength(1000);
    expect(ledger.resumeHistory[0]?.from).toBe('f200');
    expect(ledger.resumeHistory.at(-1)?.from).toBe('f1199');
  });

  it('is not believed of a snapshot that was made before there was one', () => {
    const [head] = ledgerToSnapshot(fold());
    const old = { ...(head as Record<string, JsonValue>), version: 1 };
    expect(ledgerFromSnapshot([old])).toBeUndefined();
  });
});

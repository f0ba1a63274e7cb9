import { describe, expect, it } from 'vitest';
import { created, failed, started, stored, succeeded, timeOf } from '../../test/fixtures/events.ts';
import { ann } from '../../test/fixtures/people.ts';
import { hashBytes } from '../base/hash.ts';
import type { Asked, CheckpointAsked, CheckpointDecided, EventBody, StoredEvent } from '../model/event.ts';
import { foldEvents } from './fold.ts';
import { findStep, type Ledger, type Step } from './ledger.ts';
import { allQuestions, feedbackHash, isSameShown, takeQuestionId } from './questions.ts';

const about: Asked = {
  id: 'C1',
  question: 'approval',
  unit: 'u',
  phase: 'write',
  place: 'after',
  shown: { 'write.prose': hashBytes('text') },
};

const asked = (more: Partial<CheckpointAsked> = {}): CheckpointAsked => ({
  type: 'checkpoint_asked',
  ...about,
  name: 'Text',
  ...more,
});

const decided = (
  decision: CheckpointDecided['decision'],
  more: Partial<CheckpointDecided> = {},
): CheckpointDecided => ({ type: 'checkpoint_decided', ...about, decision, ...ann, ...more });

const fold = (...bodies: EventBody[]): Ledger => foldEvents(stored(bodies));

function stepOf(ledger: Ledger, phase = 'write'): Step {
  const step = findStep(ledger, 'u', phase);
  if (step === undefined) throw new Error(`no cell u/${phase}`);
  return step;
}

describe('a question', () => {
  it('belongs to its cell, open until somebody answers', () => {
    const ledger = fold(created, asked({ expires: timeOf(60) }));
    expect(stepOf(ledger).questions).toEqual([
      { ...about, name: 'Text', at: timeOf(2), expires: timeOf(60) },
    ]);
    expect(ledger.questions).toEqual([]);
  });

  it('that concerns no one cell belongs to the run, and makes no cell', () => {
    const change = { unit: '', phase: '', place: 'file:idea', question: 'change' as const };
    const ledger = fold(created, asked(change), decided('approved', { ...change, restart: 'write' }));
    expect(ledger.questions).toMatchObject([{ place: 'file:idea', decided: { restart: 'write' } }]);
    expect([...ledger.steps.values()]).toEqual([]);
  });

  it('that is told twice is one', () => {
    const ledger = fold(created, asked(), asked());
    expect(stepOf(ledger).questions).toHaveLength(1);
  });

  it('has a number that no other one gets, also one that only an answer names', () => {
    expect(takeQuestionId(fold(created))).toBe('C1');
    const ledger = fold(created, asked({ id: 'C2' }), decided('approved', { id: 'C7' }));
    expect(takeQuestionId(ledger)).toBe('C8');
    expect(takeQuestionId(ledger)).toBe('C9');
  });

  it('whose number is none counts for nothing in the numbering', () => {
    const ledger = fold(created, asked({ id: 'gate' }), asked({ id: 'C99999999999999999999' }));
    expect(takeQuestionId(ledger)).toBe('C1');
    expect(stepOf(ledger).questions).toHaveLength(2);
  });

  it('stands among all others in the order of asking', () => {
    const ledger = fold(
      created,
      asked({ id: 'C10' }),
      asked({ id: 'C2', phase: 'lint' }),
      asked({ id: 'C3', unit: '', phase: '' }),
    );
    expect(allQuestions(ledger).map(({ id }) => id)).toEqual(['C2', 'C3', 'C10']);
  });
});

describe('an answer', () => {
  it('is kept with who gave it, when, how and why', () => {
    const ledger = fold(created, asked(), decided('approved', { note: 'good' }));
    expect(stepOf(ledger).questions).toEqual([
      {
        ...about,
        name: 'Text',
        at: timeOf(2),
        decided: { decision: 'approved', ...ann, at: timeOf(3), note: 'good' },
      },
    ]);
  });

  it('counts when it is the first', () => {
    const ledger = fold(
      created,
      asked(),
      decided('approved', { by: 'ann' }),
      decided('rejected', { by: 'bob', redo: 'write', note: 'no' }),
    );
    expect(stepOf(ledger).questions).toMatchObject([{ decided: { decision: 'approved', by: 'ann' } }]);
    expect(stepOf(ledger).feedback).toBeUndefined();
  });

  it('whose question was lost, or comes after it, is taken for what it says itself', () => {
    const lost = fold(created, decided('approved'));
    expect(stepOf(lost).questions).toMatchObject([{ ...about, name: '', decided: { decision: 'approved' } }]);
    const late = fold(created, decided('approved'), asked());
    expect(stepOf(late).questions).toMatchObject([
      { ...about, name: 'Text', decided: { decision: 'approved' } },
    ]);
  });

  it('counts for the bytes that it names, though another question has the same number', () => {
    const shown = { 'write.prose': hashBytes('other') };
    const ledger = fold(created, asked(), asked({ shown }), decided('approved', { shown }));
    expect(stepOf(ledger).questions?.map(({ decided: answer }) => answer?.decision)).toEqual([
      undefined,
      'approved',
    ]);
  });

  it('counts for its place, though another one of the same cell has the same number', () => {
    const ledger = fold(
      created,
      asked(),
      asked({ place: 'after.2' }),
      decided('rejected', { place: 'after.2' }),
    );
    expect(stepOf(ledger).questions).toMatchObject([
      { place: 'after' },
      { place: 'after.2', decided: { decision: 'rejected' } },
    ]);
    expect(stepOf(ledger).questions?.[0]?.decided).toBeUndefined();
  });

  it('grants as many attempts again, where these were used up', () => {
    const attempts = { question: 'attempts' as const, place: 'attempts' };
    const tried = [created, started('u/write#1'), failed('u/write#1'), asked(attempts)];
    expect(stepOf(fold(...tried)).failures).toBe(1);
    expect(stepOf(fold(...tried, decided('rejected', attempts))).failures).toBe(1);
    const granted = stepOf(fold(...tried, decided('approved', attempts)));
    expect(granted).toMatchObject({ failures: 0, attempts: 1 });
    expect(stepOf(fold(...tried, decided('approved'))).failures).toBe(1);
  });
});

describe('merged branches', () => {
  const at = (actor: string, second: number, body: EventBody): StoredEvent => ({
    ...body,
    seq: second,
    at: timeOf(second),
    actor,
    epoch: 1,
  });

  it('that gave one number to two questions keep both, each with its own answer', () => {
    const shown = { 'write.prose': hashBytes('of the other branch') };
    const ledger = foldEvents([
      at('runner', 1, created),
      at('runner', 2, asked()),
      at('people-b', 3, asked({ shown })),
      at('people', 4, decided('approved')),
      at('people-b', 5, decided('rejected', { shown, redo: 'write', note: 'too long' })),
    ]);
    expect(stepOf(ledger).questions).toMatchObject([
      { shown: about.shown, decided: { decision: 'approved' } },
      { shown, decided: { decision: 'rejected' } },
    ]);
    expect(takeQuestionId(ledger)).toBe('C2');
  });

  it('that answered the same question have one answer, the first', () => {
    const ledger = foldEvents([
      at('runner', 1, created),
      at('runner', 2, asked()),
      at('people', 3, decided('rejected', { redo: 'write', note: 'too long' })),
      at('people-b', 4, decided('approved')),
    ]);
    expect(stepOf(ledger).questions).toMatchObject([{ decided: { decision: 'rejected' } }]);
    expect(stepOf(ledger).feedback).toHaveLength(1);
  });

  it('take a revision from whoever has the attempt, and from nobody else', () => {
    const revision: EventBody = {
      ...{ type: 'revision_requested', unit: 'u', phase: 'write', attempt: 1 },
      ...{ to: 'plan', reason: 'a gap', ms: 1 },
    };
    const claim = started('u/write#1', { lease: timeOf(600) });
    const claimed = [at('runner', 1, created), at('a', 2, claim), at('b', 3, claim)];
    const late = foldEvents([...claimed, at('a', 4, succeeded('u/write#1')), at('b', 5, revision)]);
    expect(findStep(late, 'u', 'plan')).toBeUndefined();
    const inTime = foldEvents([...claimed, at('a', 4, revision), at('b', 5, revision)]);
    expect(stepOf(inTime, 'plan').feedback).toHaveLength(1);
  });
});

describe('feedback', () => {
  const rejected = (id: string, note: string) => decided('rejected', { id, redo: 'plan', note });

  it('goes to the phase that is done again, all of it in the order of saying', () => {
    const ledger = fold(created, asked(), rejected('C1', 'too long'), rejected('C2', 'too short'));
    expect(stepOf(ledger, 'plan').feedback).toMatchObject([
      { from: 'C1', kind: 'rejection', text: 'too long', by: 'ann', at: timeOf(3) },
      { from: 'C2', kind: 'rejection', text: 'too short', by: 'ann', at: timeOf(4) },
    ]);
    expect(stepOf(ledger).feedback).toBeUndefined();
  });

  it('is none where nothing is done again', () => {
    const ledger = fold(created, asked(), decided('rejected', { note: 'no' }), decided('approved'));
    expect(stepOf(ledger).feedback).toBeUndefined();
    expect(feedbackHash(stepOf(ledger))).toBeUndefined();
  });

  it('comes from a later phase too, and ends the attempt that gives it without a failure', () => {
    const requested: EventBody = {
      ...{ type: 'revision_requested', unit: 'u', phase: 'write', attempt: 1 },
      ...{ to: 'plan', reason: 'a gap', ms: 1 },
    };
    const ledger = fold(created, started('u/write#1'), requested, requested);
    expect(stepOf(ledger, 'plan').feedback).toEqual([
      { from: 'write#1', kind: 'revision', text: 'a gap', by: 'write', at: timeOf(3) },
    ]);
    expect(stepOf(ledger)).toMatchObject({
      attempts: 1,
      failures: 0,
      running: undefined,
      failure: undefined,
    });
  });

  it('of two questions with one number is told twice', () => {
    const shown = { 'write.prose': hashBytes('other') };
    const ledger = fold(
      created,
      rejected('C1', 'too long'),
      decided('rejected', { shown, redo: 'plan', note: 'too cold' }),
    );
    expect(stepOf(ledger, 'plan').feedback?.map(({ text }) => text)).toEqual(['too long', 'too cold']);
  });

  it('is the same in whatever order journals are read', () => {
    const events = stored([created, rejected('C1', 'too long'), rejected('C2', 'too short')]);
    const [first, ...words] = events;
    const one = foldEvents(events);
    const other = foldEvents([...(first === undefined ? [] : [first]), ...words.reverse()]);
    expect(stepOf(other, 'plan').feedback).toEqual(stepOf(one, 'plan').feedback);
    expect(feedbackHash(stepOf(other, 'plan'))).toBe(feedbackHash(stepOf(one, 'plan')));
  });

  it('is known by its words: results tell what they were made with', () => {
    const one = fold(created, rejected('C1', 'too long'));
    const two = fold(created, rejected('C1', 'too long'), rejected('C2', 'too short'));
    const hash = feedbackHash(stepOf(one, 'plan'));
    expect(hash).toBeDefined();
    expect(feedbackHash(stepOf(two, 'plan'))).not.toBe(hash);
    const made = fold(
      created,
      rejected('C1', 'too long'),
      started('u/plan#1', hash === undefined ? {} : { feedback: hash }),
      succeeded('u/plan#1'),
    );
    expect(stepOf(made, 'plan').results[0]?.feedback).toBe(hash);
  });
});

it.each([
  [{}, {}, true],
  [{ a: 'x' }, { a: 'x' }, true],
  [{ a: 'x', b: 'y' }, { b: 'y', a: 'x' }, true],
  [{ a: 'x' }, { a: 'y' }, false],
  [{ a: 'x' }, {}, false],
  [{}, { a: 'x' }, false],
  [{ a: 'x' }, { b: 'x' }, false],
])('what was shown as %j and as %j is the same: %j', (a, b, isSame) => {
  const hashes = (texts: object) =>
    Object.fromEntries(Object.entries(texts).map(([label, text]) => [label, hashBytes(text)]));
  expect(isSameShown(hashes(a), hashes(b))).toBe(isSame);
});

import { expect, it } from 'vitest';
import { started, stored, succeeded } from '../../../test/fixtures/events.ts';
import type { EventBody } from '../../model/event.ts';
import { gatherAttempts } from './attempts.ts';
import { judgesOf } from './judges.ts';

/** `draw#1: look#1`, for every attempt that somebody judged. */
function judged(bodies: readonly EventBody[]): string[] {
  const attempts = gatherAttempts(stored(bodies), false).get('u') ?? [];
  const judgeOf = judgesOf(attempts);
  return attempts.flatMap((attempt) => {
    const judge = judgeOf(attempt);
    return judge === undefined
      ? []
      : [`${attempt.phase}#${attempt.attempt}: ${judge.phase}#${judge.attempt}`];
  });
}

function made(attempt: string, from: readonly string[] = [], verdict?: string): EventBody[] {
  const inputs = Object.fromEntries(from.map((name, at) => [`i${at}`, `${name} sha256:00`]));
  const more = verdict === undefined ? {} : { verdict, judged: { passed: verdict === 'pass' } };
  return [started(attempt, { inputs }), succeeded(attempt, { out: attempt }, more)];
}

it('finds the gate that looked at what was made, of the same round and no other', () => {
  expect(
    judged([
      ...made('u/draw#1'),
      ...made('u/look#1', ['draw#1'], 'fail'),
      ...made('u/draw#2@2', ['look#1']),
      ...made('u/look#2@2', ['draw#2', 'other/draw#9'], 'pass'),
      ...made('u/keep#1', ['draw#2']),
    ]),
  ).toEqual(['draw#1: look#1', 'look#1: look#1', 'draw#2: look#2', 'look#2: look#2']);
});

it('finds the nearest gate behind what was made of it', () => {
  expect(
    judged([...made('u/sketch#1'), ...made('u/ink#1', ['sketch#1']), ...made('u/look#1', ['ink#1'], 'pass')]),
  ).toEqual(['sketch#1: look#1', 'ink#1: look#1', 'look#1: look#1']);
});

it('of several takes the one that counts, a bad one first', () => {
  expect(
    judged([
      ...made('u/draw#1'),
      ...made('u/look#1', ['draw#1'], 'fail'),
      ...made('u/look#2', ['draw#1'], 'pass'),
      ...made('u/taste#1', ['draw#1'], 'fail'),
      ...made('u/smell#1', ['draw#1'], 'pass'),
    ])[0],
  ).toBe('draw#1: taste#1');
});

it('takes nothing from other units, and ends where attempts were made from each other', () => {
  expect(judged([...made('u/draw#1'), ...made('u/look#1', ['other/draw#1'], 'pass')])).toEqual([
    'look#1: look#1',
  ]);
  expect(judged([...made('u/a#1', ['b#1']), ...made('u/b#1', ['a#1'])])).toEqual([]);
});

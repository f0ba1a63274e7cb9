import { expect, it } from 'vitest';
import { created, stored } from '../../test/fixtures/events.ts';
import type { EventBody } from '../model/event.ts';
import { foldEvents } from './fold.ts';

const decided = (id: string, decision: string): EventBody => ({ type: 'decision_recorded', id, decision });
const decisionsOf = (...events: EventBody[]) =>
  foldEvents(stored([created, ...events])).decisions.map(({ id, decision }) => `${id} ${decision}`);

it('a decision that is told twice under one number is one; another one under the same number is another', () => {
  expect(decisionsOf(decided('RD-001', 'a'), decided('RD-001', 'a'))).toEqual(['RD-001 a']);
  expect(decisionsOf(decided('RD-001', 'a'), decided('RD-001', 'b'))).toEqual(['RD-001 a', 'RD-001 b']);
  expect(decisionsOf(decided('RD-001', 'a'), decided('RD-002', 'a'))).toEqual(['RD-001 a', 'RD-002 a']);
});

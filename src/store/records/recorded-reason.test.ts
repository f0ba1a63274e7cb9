import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../base/hash.ts';
import type { JsonValue } from '../../base/json.ts';
import { type RunReason, recordedReason } from '../../model/reason.ts';
import { classifyEvent } from './event-check.ts';
import { readReason } from './recorded-reason.ts';

const one = hashBytes('one');
const two = hashBytes('two');

const reasons: readonly RunReason[] = [
  { code: 'told-of-another', actor: 'a' },
  { code: 'interrupted', attempt: 1, call: { model: 'mock/x', atStake: 0.5 } },
  { code: 'released', attempt: 1 },
  { code: 'waited', attempt: 1, pause: 'rate-limited' },
  { code: 'failed-before', attempt: 1, failure: 'command-failed' },
  { code: 'gate-failed', gate: 'lint', verdict: 'fail', iteration: 2 },
  { code: 'input-changed', input: 'prose', before: one, after: two },
  { code: 'output-missing', output: 'text', path: 'out/a' },
  { code: 'output-damaged', output: 'text', path: 'out/a', damage: { kind: 'copy-of', cell: 'b/one' } },
  { code: 'rerun-requested', reason: 'better' },
  { code: 'chain-cascade' },
  { code: 'file-changed', file: 'idea', before: one, after: two },
  { code: 'rejected', checkpoint: 'C1', feedback: 'shorter' },
  { code: 'revision-requested', by: 'review', reason: 'too long' },
];

const readBack = (why: JsonValue | undefined, attempt = 2) =>
  readReason({ attempt, ...(why !== undefined && { why: JSON.parse(JSON.stringify(why)) as JsonValue }) });

describe('the reason of an attempt', () => {
  it('is read as it was recorded', () => {
    for (const why of reasons) expect(readBack(recordedReason(why, 2, undefined))).toEqual(why);
    const withDecision = recordedReason({ code: 'rerun-requested', reason: undefined }, 2, 'runner#7');
    expect(readBack(withDecision)).toEqual({ code: 'rerun-requested', decision: 'runner#7' });
  });

  it('takes no room for the first attempt of a step that never ran', () => {
    expect(recordedReason({ code: 'never-ran' }, 1, undefined)).toBeUndefined();
    expect(readBack(undefined, 1)).toEqual({ code: 'never-ran' });
    // A later attempt without a reason is one of an older version.
    expect(readBack(recordedReason({ code: 'never-ran' }, 3, undefined), 3)).toEqual({ code: 'never-ran' });
    expect(readBack(undefined, 2)).toEqual({ code: 'not-recorded' });
    expect(readReason({ attempt: 1, repaired: true })).toEqual({ code: 'not-recorded' });
  });

  it('keeps the beginning of a long text', () => {
    const why = recordedReason(
      { code: 'rejected', checkpoint: 'C1', feedback: 'x'.repeat(9000) },
      2,
      undefined,
    );
    expect(JSON.stringify(why).length).toBeLessThan(400);
  });

  it('of another version is data: nothing of it is trusted, and the event still counts', () => {
    const strange: JsonValue[] = [
      { code: 'moon-phase', moon: 'full' },
      { code: 'constructor' },
      { code: 'failed-before', attempt: 'one', failure: 7 },
      { code: 'output-damaged', output: 'o', path: 'p', damage: { kind: 'rust' } },
      { code: 'released', attempt: 1, decision: { not: 'text' } },
      {},
    ];
    for (const why of strange) expect(readBack(why)).toEqual({ code: 'other-version', recorded: why });
    expect(readBack('text')).toEqual({ code: 'other-version', recorded: { why: 'text' } });
    const event = { type: 'attempt_started', unit: 'u', phase: 'p', attempt: 2, revision: 1, why: 'text' };
    expect(classifyEvent(event)).toBe('known');
  });
});

import { describe, expect, it } from 'vitest';
import { failed, started, stored } from '../../../test/fixtures/events.ts';
import { foldEvents } from '../../ledger/fold.ts';
import type { Phase } from '../../model/definition.ts';
import type { AttemptFailureReason } from '../../model/failure.ts';
import type { RunContext } from '../context.ts';
import type { ReadyStep } from './attempt.ts';
import { retryAfter, type Tries } from './waits.ts';

interface Given {
  readonly attempts?: number | undefined;
  readonly backoffMs?: number;
  readonly repair?: boolean;
  readonly isProgram?: boolean;
}

/** What becomes of failures that come one after the other: the waits between them, and that it is left alone. */
function waits(given: Given, ...reasons: AttemptFailureReason[]): (number | undefined)[] {
  const { attempts, backoffMs = 1000, repair = false, isProgram = false } = given;
  const phase = {
    name: 'write',
    executor: isProgram ? { kind: 'command' } : { kind: 'model', provider: 'p', model: 'm' },
    prompt: { system: undefined, phase: 't.md', override: undefined, ...(repair && { repair: 'r.md' }) },
    // biome-ignore lint/suspicious/noThenProperty: the manifest's own word
    retries: { attempts, backoffMs, then: 'stop', ...(isProgram ? {} : { sitting: 3 }) },
  } as unknown as Phase;
  const tries: Tries = new Map();
  return reasons.map((reason, at) => {
    const events = reasons
      .slice(0, at + 1)
      .flatMap((one, nth) => [started(`u/write#${nth + 1}`), failed(`u/write#${nth + 1}`, one)]);
    const run = { ledger: foldEvents(stored(events)) } as unknown as RunContext;
    const step = { unit: { id: 'u' }, phase } as unknown as ReadyStep;
    return retryAfter(run, step, { reason }, tries);
  });
}

const tried = (given: Given, ...reasons: AttemptFailureReason[]) =>
  waits(given, ...reasons).map((ms) => ms !== undefined);

describe('a call without a word on retries', () => {
  it.each<AttemptFailureReason>(['server-error', 'connection-lost', 'answer-empty', 'answer-unparsable'])(
    'that ends with %s is tried three times a sitting',
    (reason) => {
      expect(tried({}, reason, reason, reason)).toEqual([true, true, false]);
    },
  );

  it.each<AttemptFailureReason>([
    'not-authorized',
    'model-unknown',
    'provider-missing',
    'call-refused',
    'provider-failed',
    'timed-out',
    'answer-truncated',
    'answer-filtered',
    'answer-too-large',
    'check-failed',
    'template-failed',
    'input-unavailable',
  ])('that ends with %s is not', (reason) => {
    expect(tried({}, reason)).toEqual([false]);
  });

  it.each<AttemptFailureReason>(['check-failed', 'answer-unparsable', 'verdict-unreadable'])(
    'that ends with %s is, where it can be told what was wrong',
    (reason) => {
      expect(tried({ repair: true }, reason, reason, reason)).toEqual([true, true, false]);
    },
  );

  it('counts all of them together', () => {
    expect(tried({}, 'server-error', 'answer-empty', 'connection-lost')).toEqual([true, true, false]);
  });
});

describe('a declared number of attempts', () => {
  it('is used for whatever failed, as long as that is not final', () => {
    expect(tried({ attempts: 3 }, 'answer-truncated', 'check-failed', 'server-error')).toEqual([
      true,
      true,
      false,
    ]);
    expect(tried({ attempts: 5 }, 'call-refused')).toEqual([false]);
    expect(tried({ attempts: 5 }, 'model-unknown')).toEqual([false]);
    expect(tried({ attempts: 1 }, 'server-error')).toEqual([false]);
  });

  it('holds for programs as before', () => {
    expect(
      waits({ attempts: 4, isProgram: true }, 'command-failed', 'command-failed', 'command-failed'),
    ).toEqual([1000, 2000, 4000]);
    expect(waits({ isProgram: true }, 'command-failed')).toEqual([undefined]);
  });
});

describe('the wait', () => {
  it('doubles, up to five minutes, and is never the same for two', () => {
    const reasons = Array.from({ length: 15 }, () => 'server-error' as const);
    const all = waits({ attempts: 99 }, ...reasons);
    for (const [at, ms = 0] of all.entries()) {
      const whole = Math.min(1000 * 2 ** at, 300_000);
      expect(ms).toBeGreaterThanOrEqual(whole / 2);
      expect(ms).toBeLessThanOrEqual(whole);
    }
    const firsts = new Set(
      Array.from({ length: 50 }, () => waits({ backoffMs: 1_000_000 }, 'server-error')[0]),
    );
    expect(firsts.size).toBeGreaterThan(1);
  });

  it('may be none', () => {
    expect(waits({ backoffMs: 0 }, 'server-error')).toEqual([0]);
  });
});

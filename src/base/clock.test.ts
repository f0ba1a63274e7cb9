import { afterEach, describe, expect, it, vi } from 'vitest';
import { formatTime, parseTime, systemClock } from './clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('sleep', () => {
  it('ends when its time is over, and not before', async () => {
    vi.useFakeTimers();
    const woken = vi.fn();
    void systemClock.sleep(1000).then(woken);
    await vi.advanceTimersByTimeAsync(999);
    expect(woken).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(woken).toHaveBeenCalledOnce();
  });

  it('ends at once when the signal fires, and leaves no timer behind', async () => {
    vi.useFakeTimers();
    const abort = new AbortController();
    const sleeping = systemClock.sleep(1000, abort.signal);
    expect(vi.getTimerCount()).toBe(1);
    abort.abort();
    await sleeping;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not begin when the signal has fired already', async () => {
    vi.useFakeTimers();
    await systemClock.sleep(1000, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lets go of the signal when its time is over', async () => {
    vi.useFakeTimers();
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, 'removeEventListener');
    const sleeping = systemClock.sleep(5, signal);
    await vi.advanceTimersByTimeAsync(5);
    await sleeping;
    expect(removed).toHaveBeenCalledOnce();
  });
});

describe('monotonicMs', () => {
  it('never goes back', () => {
    let last = systemClock.monotonicMs();
    for (let count = 0; count < 1000; count++) {
      const now = systemClock.monotonicMs();
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
  });
});

describe('times as text', () => {
  it('are RFC 3339 in UTC with milliseconds', () => {
    expect(formatTime(0)).toBe('1970-01-01T00:00:00.000Z');
    expect(formatTime(Date.parse('2026-11-15T13:03:59+01:00'))).toBe('2026-11-15T12:03:59.000Z');
  });

  it('are read back', () => {
    expect(parseTime(formatTime(1_794_744_239_123))).toBe(1_794_744_239_123);
    expect(parseTime('2026-11-15T12:03:59+01:00')).toBe(Date.parse('2026-11-15T11:03:59Z'));
    expect(parseTime('yesterday')).toBeUndefined();
  });
});

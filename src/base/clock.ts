/** Where time comes from; tests pass their own. */
export interface Clock {
  /** Wall time in milliseconds since 1970. May jump in either direction. */
  now(): number;
  /** Milliseconds that only ever grow; for durations. */
  monotonicMs(): number;
  /** Resolves after the given time, or at once when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `performance.now()`: the first one who asks for that loads a module, and a command is waited for.
  monotonicMs: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
      function done() {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
    }),
};

/** RFC 3339 in UTC with milliseconds. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Milliseconds since 1970, or undefined for what is no time. */
export function parseTime(text: string): number | undefined {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** `2026-11-15 13:03:11` in the time zone of this process; undefined for what is no time. */
export function localTime(text: string): string | undefined {
  const ms = parseTime(text);
  if (ms === undefined) return undefined;
  const at = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
}

import { afterEach, expect, test, vi } from 'vitest';
import { type Signals, watchSignals } from './signals.ts';

let signals: Signals | undefined;

afterEach(() => {
  signals?.ignore();
  vi.restoreAllMocks();
});

function watch() {
  const told: string[] = [];
  signals = watchSignals({
    stopping: () => told.push('stopping'),
    ending: () => told.push('ending'),
    leaving: () => told.push('leaving'),
  });
  return { signals, told };
}

test('the first signal stops, the second ends, the third leaves', () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const { signals, told } = watch();
  expect(signals.exitCode()).toBeUndefined();

  process.emit('SIGTERM', 'SIGTERM');
  expect([signals.stop.aborted, signals.interrupt.aborted]).toEqual([true, false]);

  process.emit('SIGINT', 'SIGINT');
  expect([signals.stop.aborted, signals.interrupt.aborted]).toEqual([true, true]);
  expect(exit).not.toHaveBeenCalled();

  process.emit('SIGINT', 'SIGINT');
  expect(exit).toHaveBeenCalledWith(143);
  expect(told).toEqual(['stopping', 'ending', 'leaving']);
});

test('the first signal decides the exit code', () => {
  const { signals } = watch();
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGTERM', 'SIGTERM');
  expect(signals.exitCode()).toBe(130);
});

test('a signal that comes when the run is over does nothing', () => {
  const { signals, told } = watch();
  signals.ignore();
  process.emit('SIGINT', 'SIGINT');
  expect(told).toEqual([]);
  expect(signals.exitCode()).toBeUndefined();
});

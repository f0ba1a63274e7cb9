import { expect, test } from 'vitest';
import { watchSignals } from './signals.ts';

function watch() {
  const told: string[] = [];
  const receivers = new Map<string, () => void>();
  const io = {
    exitCode: undefined as number | undefined,
    onSignal: (name: string, receive: () => void) => void receivers.set(name, receive),
    exit: () => void told.push(`exit ${io.exitCode}`),
  };
  const signals = watchSignals(io, {
    stopping: () => told.push('stopping'),
    ending: () => told.push('ending'),
    leaving: () => told.push('leaving'),
  });
  const send = (name: NodeJS.Signals) => receivers.get(name)?.();
  return { signals, told, send };
}

test('the first signal stops, the second ends, the third leaves', () => {
  const { signals, told, send } = watch();
  expect(signals.exitCode()).toBeUndefined();

  send('SIGTERM');
  expect([signals.stop.aborted, signals.interrupt.aborted]).toEqual([true, false]);

  send('SIGINT');
  expect([signals.stop.aborted, signals.interrupt.aborted]).toEqual([true, true]);
  expect(told).toEqual(['stopping', 'ending']);

  send('SIGINT');
  expect(told).toEqual(['stopping', 'ending', 'leaving', 'exit 143']);
});

test('the first signal decides the exit code', () => {
  const { signals, send } = watch();
  send('SIGINT');
  send('SIGTERM');
  expect(signals.exitCode()).toBe(130);
});

test('a signal that comes when the run is over does nothing', () => {
  const { signals, told, send } = watch();
  signals.ignore();
  send('SIGINT');
  expect(told).toEqual([]);
  expect(signals.exitCode()).toBeUndefined();
});

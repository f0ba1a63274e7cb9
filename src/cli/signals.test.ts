import { expect, test } from 'vitest';
import { watchSignals } from './signals.ts';

function watch() {
  const calls: string[] = [];
  const receivers = new Map<string, () => void>();
  const io = {
    exitCode: undefined as number | undefined,
    onSignal: (name: string, receive: () => void) => void receivers.set(name, receive),
    exit: () => void calls.push(`exit ${io.exitCode}`),
  };
  const signals = watchSignals(io, {
    stopping: () => calls.push('stopping'),
    ending: () => calls.push('ending'),
    leaving: () => calls.push('leaving'),
  });
  const send = (name: NodeJS.Signals) => receivers.get(name)?.();
  return { signals, calls, send };
}

test('the first signal stops, the second ends, the third leaves', () => {
  const { signals, calls, send } = watch();
  expect(signals.exitCode()).toBeUndefined();

  send('SIGTERM');
  expect([signals.stop.aborted, signals.interrupt.aborted]).toEqual([true, false]);

  send('SIGINT');
  expect([signals.stop.aborted, signals.interrupt.aborted]).toEqual([true, true]);
  expect(calls).toEqual(['stopping', 'ending']);

  send('SIGINT');
  expect(calls).toEqual(['stopping', 'ending', 'leaving', 'exit 143']);
});

test('the first signal decides the exit code', () => {
  const { signals, send } = watch();
  send('SIGINT');
  send('SIGTERM');
  expect(signals.exitCode()).toBe(130);
});

test('a signal that comes when the run is over does nothing', () => {
  const { signals, calls, send } = watch();
  signals.ignore();
  send('SIGINT');
  expect(calls).toEqual([]);
  expect(signals.exitCode()).toBeUndefined();
});

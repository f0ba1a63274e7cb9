import { expect, it } from 'vitest';
import { TestClock } from '../../../test/fixtures/memory.ts';
import { groupSignalOf } from '../../disk/group-signal.ts';
import { isCutOff } from './failure.ts';

const killed = (facts: Record<string, string | number>) =>
  ({ reason: 'command-killed', message: '', facts }) as const;

function stopping() {
  const stop = new AbortController();
  const clock = new TestClock();
  return { stop, clock, run: { stop: stop.signal, clock } };
}

it('waits for the own signal where the end of the command is seen first', async () => {
  const { stop, clock, run } = stopping();
  const cutOff = isCutOff(run, killed({ signal: 'SIGINT' }));
  setImmediate(() => stop.abort());
  expect(await cutOff).toBe(true);
  expect(clock.slept).toEqual([]);
});

it('waits a moment for whoever signals one process after the other', async () => {
  const { stop, clock, run } = stopping();
  const cutOff = isCutOff(run, killed({ signal: 'SIGTERM' }));
  while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(await cutOff).toBe(true);
});

it('takes an end from outside for a failure where nothing stops this invocation', async () => {
  const { clock, run } = stopping();
  clock.skippedMs = 1_000;
  expect(await isCutOff(run, killed({ signal: 'SIGTERM' }))).toBe(false);
});

it.each([
  [{ signal: 'SIGKILL' }, false],
  [{ exitCode: 1 }, false],
  [{ exitCode: 130 }, true],
  [{ exitCode: 143 }, true],
  [{ signal: 'SIGHUP' }, true],
])('while it is being stopped, %j is an interruption: %s', async (facts, isOne) => {
  const { stop, run } = stopping();
  stop.abort();
  expect(await isCutOff(run, killed(facts as Record<string, string | number>))).toBe(isOne);
});

it('knows how the libraries for child processes report a signal', () => {
  const errors = [
    Object.assign(new Error('exec'), { killed: false, code: null, signal: 'SIGINT' }),
    Object.assign(new Error('exec'), { code: 130, signal: null }),
    Object.assign(new Error('execSync'), { status: 143, signal: null }),
    Object.assign(new Error('execa'), { exitCode: 129, signal: undefined }),
    Object.assign(new Error('open'), { code: 'ENOENT' }),
    Object.assign(new Error('exec'), { code: 1 }),
    'thrown',
  ];
  expect(errors.map(groupSignalOf)).toEqual([
    { signal: 'SIGINT' },
    { exitCode: 130 },
    { exitCode: 143 },
    { exitCode: 129 },
    undefined,
    undefined,
    undefined,
  ]);
});

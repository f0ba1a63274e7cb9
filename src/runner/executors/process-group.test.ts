import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { TestClock, testHost } from '../../../test/fixtures/memory.ts';
import { caller, openLine } from '../../../test/fixtures/real.ts';
import { systemHost } from '../../disk/host.ts';
import type { ProcessStarted } from '../../model/event.ts';
import { endLeftover, isLeftover } from './process-group.ts';

/** A pid that no process can have: above what any kernel gives out. */
const nobody = 2 ** 30;

function left(more: Partial<ProcessStarted> = {}): ProcessStarted {
  return {
    type: 'process_started',
    unit: 'a',
    phase: 'make',
    attempt: 1,
    pid: nobody,
    started: `t${nobody}`,
    boot: 'boot-1',
    host: 'here',
    ...more,
  };
}

describe('a process group of a dead runner', () => {
  it('is still there when its leader is', () => {
    expect(isLeftover(testHost(), left())).toBe(true);
  });

  it('is gone when another process has its number', () => {
    expect(isLeftover(testHost(), left({ started: 'another time' }))).toBe(false);
  });

  it('is gone when neither leader nor group is there', () => {
    const host = testHost();
    host.dead.add(nobody);
    expect(isLeftover(host, left())).toBe(false);
  });

  it('is nothing to us on another machine, or before the last boot', () => {
    expect(isLeftover(testHost(), left({ host: 'there' }))).toBe(false);
    expect(isLeftover(testHost(), left({ boot: 'boot-0' }))).toBe(false);
  });

  it('is ended with its children, also without its leader', async () => {
    const line = await openLine();
    const child = caller(line, 'child');
    const leader = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: 'ignore' }); ${caller(line, 'leader')}`;
    const process = spawn(globalThis.process.execPath, ['-e', leader], { detached: true, stdio: 'ignore' });
    const [first, second] = await Promise.all([line.call('leader'), line.call('child')]);
    const pid = process.pid ?? 0;
    const host = systemHost();
    const started = host.startedAt(pid) ?? '';
    const { boot, host: name } = host.self;
    const group = left({ pid, started, boot, host: name });
    expect(isLeftover(host, group)).toBe(true);

    const exit = new Promise((resolve) => process.once('exit', resolve));
    process.kill('SIGKILL');
    await Promise.all([exit, first.over]);
    expect(isLeftover(host, group)).toBe(true);

    const clock = new TestClock();
    clock.skippedMs = 1000;
    await endLeftover(host, clock, group);
    await second.over;
  });

  it('that does not end when it is asked to is killed', async () => {
    const line = await openLine();
    const stubborn = `process.on('SIGTERM', () => undefined); ${caller(line, 'stubborn')}`;
    const process = spawn(globalThis.process.execPath, ['-e', stubborn], { detached: true, stdio: 'ignore' });
    const { over } = await line.call('stubborn');
    const host = systemHost();
    const pid = process.pid ?? 0;
    const { boot, host: name } = host.self;
    const clock = new TestClock();
    clock.skippedMs = 1000;
    await endLeftover(host, clock, left({ pid, started: host.startedAt(pid) ?? '', boot, host: name }));
    await over;
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(2000);
  });
});

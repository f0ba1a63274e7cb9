import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { systemHost } from './host.ts';
import {
  parentFromPs,
  parentOf,
  parseProcStat,
  parsePs,
  processLook,
  statFromProc,
  statFromPs,
} from './process-look.ts';

describe('reading what the system says', () => {
  test('/proc: the command may hold brackets and spaces', () => {
    const rest = `S ${Array.from({ length: 18 }, (_, index) => index + 4).join(' ')} 98765 23 24`;
    expect(parseProcStat(`17 (node) ${rest}\n`)).toEqual({ zombie: false, started: '98765' });
    expect(parseProcStat(`17 (a) Z (b) ${rest}\n`)).toEqual({ zombie: false, started: '98765' });
    expect(parseProcStat(`17 (node) ${rest.replace('S', 'Z')}\n`)).toEqual({
      zombie: true,
      started: '98765',
    });
  });

  test.each(['', '17 (node)', '17 (node) S 1 2', 'nonsense'])('/proc: %j tells nothing', (text) => {
    expect(parseProcStat(text)).toBeUndefined();
  });

  test('ps: state and start, with one space between', () => {
    expect(parsePs('Ss   Sat Nov 15 12:03:07 2025\n')).toEqual({
      zombie: false,
      started: 'Sat Nov 15 12:03:07 2025',
    });
    expect(parsePs('S+   Sat Nov  1 02:03:07 2025    \n')?.started).toBe('Sat Nov 1 02:03:07 2025');
    expect(parsePs('Z    Sat Nov 15 12:03:07 2025\n')?.zombie).toBe(true);
  });

  test.each(['', 'Ss', 'ps: illegal option', 'Ss 15.11.2025 12:03'])('ps: %j tells nothing', (text) => {
    expect(parsePs(text)).toBeUndefined();
  });

  test.runIf(existsSync('/bin/ps'))('ps tells about this process, the same in every time zone', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    const first = statFromPs(process.pid);
    vi.stubEnv('TZ', 'America/New_York');
    const second = statFromPs(process.pid);
    vi.unstubAllEnvs();
    expect(first).toMatchObject({
      zombie: false,
      started: expect.stringMatching(/^\w{3} \w{3} \d+ [\d:]{8} \d{4}$/),
    });
    // Some versions on Linux count back from now and are a second off at times.
    const apartMs = Date.parse(first?.started ?? '') - Date.parse(second?.started ?? '');
    expect(Math.abs(apartMs)).toBeLessThan(5_000);
  });
});

describe('looking at a process', () => {
  const nothing = () => undefined;

  test('a number that no process can have is not looked for', () => {
    const refuse = () => {
      throw new Error('must not be read');
    };
    for (const pid of [0, -1, 1.5, Number.NaN, 2 ** 31]) {
      expect(processLook(refuse)(pid)).toEqual({ state: 'hidden' });
    }
  });

  test('one that is there and tells nothing is hidden', () => {
    expect(processLook(nothing)(process.pid)).toEqual({ state: 'hidden' });
  });

  test('one that has ended is gone', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    expect(processLook()(child.pid ?? 0)).toEqual({ state: 'gone' });
  });

  test.runIf(existsSync('/proc/self/stat'))('a zombie is gone', async () => {
    // The shell turns into a program that never asks for its child, so the child stays a zombie until that one ends.
    const script = 'sh -c "exit 0" & echo $!; exec cat';
    const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [data] = await once(parent.stdout, 'data');
    const pid = Number(String(data));
    while (statFromProc(pid)?.zombie === false) await new Promise(setImmediate);
    expect(processLook()(pid)).toEqual({ state: 'gone' });
    parent.stdin.end();
    await once(parent, 'exit');
  });
});

describe('the host', () => {
  test('knows itself as alive', () => {
    const host = systemHost();
    expect(host.self.pid).toBe(process.pid);
    expect(host.self.started).not.toBe('');
    expect(host.isAlive(host.self)).toBe('alive');
    expect(host.startedAt(process.pid)).toBe(host.self.started);
  });

  test('knows a dead one by pid, by start and by boot', () => {
    const host = systemHost();
    expect(host.isAlive({ ...host.self, started: 'another' })).toBe('dead');
    if (host.self.boot !== '') expect(host.isAlive({ ...host.self, boot: 'another' })).toBe('dead');
    expect(systemHost(() => ({ state: 'gone' })).isAlive(host.self)).toBe('dead');
  });

  test('doubts where it cannot know', () => {
    const host = systemHost();
    expect(host.isAlive({ ...host.self, host: 'another' })).toBe('unknown');
    expect(host.isAlive({ ...host.self, started: '' })).toBe('unknown');
    expect(host.isAlive({ ...host.self, pid: 0 })).toBe('unknown');
    const blind = systemHost(() => ({ state: 'hidden' }));
    expect(blind.self.started).toBe('');
    expect(blind.isAlive(host.self)).toBe('unknown');
    expect(blind.startedAt(process.pid)).toBeUndefined();
  });
});

describe('ancestors', () => {
  test('begin with the process that started this one', () => {
    const host = systemHost();
    const [nearest] = host.ancestors();
    expect(nearest).toEqual({ pid: process.ppid, started: host.startedAt(process.ppid) });
    expect(parentOf(process.pid)).toBe(process.ppid);
    expect(parentOf(0x7ffffffe)).toBeUndefined();
  });

  test.runIf(existsSync('/bin/ps'))('ps shows the same parent', () => {
    expect(parentFromPs(process.pid)).toBe(process.ppid);
  });
});

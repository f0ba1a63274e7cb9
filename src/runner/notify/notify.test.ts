import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestClock } from '../../../test/fixtures/memory.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { callProcess } from '../../base/call-process.ts';
import type { Notifier, NotifyEvent } from '../../model/definition.ts';
import type { NotificationPayload } from './notification.ts';
import { tellAll } from './notify.ts';

const payload: NotificationPayload = {
  event: 'failed',
  run: 'r1',
  pipeline: 'book',
  identity: {},
  status: 'stopped',
  message: 'book: stopped',
  text: 'book: stopped',
  waiting: [],
  at: '2026-11-15T12:00:00.000Z',
};

afterEach(() => vi.unstubAllEnvs());

function tell(notifiers: readonly Notifier[], terminal?: (text: string) => void) {
  const signal = new AbortController().signal;
  return tellAll(
    { clock: new TestClock(), process: callProcess(process.env), root: tempFolder(), terminal, signal },
    notifiers,
    payload,
  );
}

const when = (...on: NotifyEvent[]) => ({ on, timeoutMs: 60_000 });
const bell = String.fromCharCode(7);

describe('those who are to be told', () => {
  it('are told of the events that they ask for', async () => {
    const command = (code: number, event: NotifyEvent): Notifier => ({
      ...when(event),
      kind: 'command',
      argv: [process.execPath, '-e', `process.exitCode = ${code}`],
      env: {},
    });
    expect(await tell([command(0, 'failed'), command(1, 'failed'), command(0, 'completed')])).toMatchObject([
      { via: 'command', to: process.execPath, event: 'failed', ok: true },
      { via: 'command', event: 'failed', ok: false, reason: 'command-failed', facts: { exitCode: 1 } },
    ]);
  });

  it('look at a terminal only where there is one', async () => {
    const notifiers: Notifier[] = [
      { ...when('failed'), kind: 'bell' },
      { ...when('failed'), kind: 'osc9' },
    ];
    expect(await tell(notifiers)).toEqual([]);
    const written: string[] = [];
    expect(await tell(notifiers, (text) => written.push(text))).toEqual([
      { via: 'bell', to: 'terminal', event: 'failed', ok: true },
      { via: 'osc9', to: 'terminal', event: 'failed', ok: true },
    ]);
    expect(written).toEqual([bell, `${String.fromCharCode(27)}]9;Pawl: book: stopped${bell}`]);
  });

  it('are not told, whatever goes wrong, and nothing is thrown', async () => {
    vi.stubEnv('TMPDIR', '/nowhere/at/all');
    const notifiers: Notifier[] = [
      { ...when('failed'), kind: 'command', argv: ['true'], env: {} },
      { ...when('failed'), kind: 'bell' },
    ];
    const broken = () => {
      throw new TypeError('hunter22');
    };
    expect(await tell(notifiers, broken)).toEqual([
      {
        via: 'command',
        to: 'true',
        event: 'failed',
        ok: false,
        reason: 'cannot-start',
        facts: { code: 'ENOENT' },
      },
      {
        via: 'bell',
        to: 'terminal',
        event: 'failed',
        ok: false,
        reason: 'cannot-start',
        facts: { code: 'TypeError' },
      },
    ]);
  });
});

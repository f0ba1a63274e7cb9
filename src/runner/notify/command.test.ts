import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestClock } from '../../../test/fixtures/memory.ts';
import { caller, openLine } from '../../../test/fixtures/real.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { callProcess } from '../../base/call-process.ts';
import type { NotificationPayload } from './notification.ts';
import { callNotifier } from './notify.ts';

const payload: NotificationPayload = {
  event: 'completed',
  run: 'r1',
  pipeline: 'book',
  identity: { book: 'ember' },
  status: 'completed',
  message: 'book: "$HOME"; `id` {run}',
  text: 'book: "$HOME"; `id` {run}',
  waiting: [],
  exitCode: 0,
  at: '2026-11-15T12:00:00.000Z',
};

afterEach(() => vi.unstubAllEnvs());

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

function call(argv: readonly string[], options: Options = {}) {
  const root = tempFolder();
  const clock = new TestClock();
  // Everything that is left behind would lie there.
  const temp = tempFolder();
  vi.stubEnv('TMPDIR', temp);
  const { env = {}, signal = new AbortController().signal, timeoutMs = 60_000 } = options;
  const notifier = { kind: 'command', argv, env, on: [], timeoutMs } as const;
  const told = callNotifier(
    { clock, process: callProcess(process.env), root, signal, terminal: undefined },
    notifier,
    payload,
  );
  return { root, temp, clock, told };
}

const node = (text: string, ...args: string[]) => [process.execPath, '-e', text, '--', ...args];
const tellAll =
  'require("fs").writeFileSync("told.json", JSON.stringify({ args: process.argv.slice(1), env: process.env, payload: JSON.parse(require("fs").readFileSync(process.env.PAWL_NOTIFICATION)) }))';

describe('a command that tells people', () => {
  it('gets what it asks for as arguments, and all of it in a file', async () => {
    const { root, temp, told } = call(
      node(tellAll, '{event}', '{run}/{pipeline}', '{message}', '{}', '{other}'),
    );
    expect(await told).toEqual({ ok: true, value: undefined });
    const seen = JSON.parse(readFileSync(join(root, 'told.json'), 'utf8'));
    expect(seen.args).toEqual(['completed', 'r1/book', payload.message, '{}', '{other}']);
    expect(seen.payload).toEqual(payload);
    expect(seen.env).toMatchObject({
      PAWL_EVENT: 'completed',
      PAWL_RUN: 'r1',
      PAWL_PIPELINE: 'book',
      PAWL_MESSAGE: payload.message,
    });
    expect(seen.env.PAWL_NOTIFICATION.startsWith(temp)).toBe(true);
    expect(readdirSync(temp)).toEqual([]);
  });

  it('has the environment of a phase, and no more', async () => {
    vi.stubEnv('TEST_TOKEN', 'hunter22');
    vi.stubEnv('TEST_OTHER', 'other');
    const { root, told } = call(node(tellAll), { env: { MINE: '$TEST_TOKEN' } });
    expect((await told).ok).toBe(true);
    const { env } = JSON.parse(readFileSync(join(root, 'told.json'), 'utf8'));
    expect(env).toMatchObject({ MINE: 'hunter22' });
    expect(env).not.toHaveProperty('TEST_TOKEN');
    expect(env).not.toHaveProperty('TEST_OTHER');
  });
});

describe('a command that does not work', () => {
  it('is not there', async () => {
    expect(await call(['no-such-program-here']).told).toMatchObject({
      ok: false,
      failure: { reason: 'command-not-found', facts: { command: 'no-such-program-here' } },
    });
  });

  it('fails, and what it says is told without secrets', async () => {
    vi.stubEnv('TEST_TOKEN', 'hunter22');
    const program = 'console.error("no entry with " + process.env.TOKEN); process.exitCode = 3';
    expect(await call(node(program), { env: { TOKEN: '$TEST_TOKEN' } }).told).toEqual({
      ok: false,
      failure: {
        reason: 'command-failed',
        facts: { exitCode: 3 },
        message: 'no entry with [TEST_TOKEN]',
      },
    });
  });

  it('takes too long: then it is ended, with all that it has started', async () => {
    const line = await openLine();
    const child = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(caller(line, 'child'))}], { stdio: 'ignore' });`;
    const { clock, told } = call(node(`${child}${caller(line, 'parent')}`), { timeoutMs: 5_000 });
    const [first, second] = await Promise.all([line.call('child'), line.call('parent')]);
    clock.advance(5_000);
    expect(await told).toMatchObject({ failure: { reason: 'timed-out', facts: { timeoutMs: 5_000 } } });
    await Promise.all([first.over, second.over]);
  });

  it('is not waited for by somebody who wants to leave', async () => {
    const line = await openLine();
    const leaving = new AbortController();
    const { told } = call(node(caller(line, 'here')), { signal: leaving.signal });
    const { over } = await line.call('here');
    leaving.abort();
    expect(await told).toEqual({ ok: false, failure: { reason: 'interrupted' } });
    await over;
  });
});

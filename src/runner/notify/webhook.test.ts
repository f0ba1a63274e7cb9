import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callProcess } from '../../base/call-process.ts';
import type { Notifier } from '../../model/definition.ts';
import type { NotificationPayload } from './notification.ts';
import { postToWebhook, webhookName } from './notify.ts';

const servers: Server[] = [];

afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server on this machine, and all that it was asked. */
async function serve(answer: (response: ServerResponse) => void): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      asked.push({ method: request.method, url: request.url, headers: request.headers, body });
      answer(response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, asked };
}

const payload: NotificationPayload = {
  event: 'waiting',
  run: 'r1',
  pipeline: 'book',
  identity: { book: 'ember' },
  status: 'waiting_human',
  message: 'book: a person has to decide',
  text: 'book: a person has to decide',
  waiting: [{ unit: 'a', phase: 'lint', question: 'still fail' }],
  exitCode: 3,
  at: '2026-11-15T12:00:00.000Z',
};

function post(url: string, more: Partial<Notifier & { kind: 'webhook' }> = {}, signal = never()) {
  const notifier = { kind: 'webhook', url, headers: {}, on: [], timeoutMs: 60_000, ...more } as const;
  return postToWebhook({ signal, process: callProcess(process.env) }, notifier, payload);
}

const never = () => new AbortController().signal;
const yes = (response: ServerResponse) => void response.end('thank you');

describe('a webhook', () => {
  it('is posted the whole payload as JSON', async () => {
    const { url, asked } = await serve(yes);
    expect(await post(url)).toEqual({ ok: true, value: undefined });
    expect(asked).toMatchObject([
      { method: 'POST', url: '/hook', headers: { 'content-type': 'application/json' } },
    ]);
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual(payload);
  });

  it('is sent headers whose values only the environment knows', async () => {
    vi.stubEnv('TEST_TOKEN', 'hunter22\n');
    const { url, asked } = await serve(yes);
    const headers = { Authorization: 'Bearer $TEST_TOKEN', 'X-Key': '$TEST_TOKEN' };
    expect((await post(url, { headers })).ok).toBe(true);
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer hunter22', 'x-key': 'hunter22' });
  });

  it('may itself be known to the environment only', async () => {
    const { url, asked } = await serve(yes);
    vi.stubEnv('TEST_HOOK', `${url}?secret=hunter22`);
    expect((await post('$TEST_HOOK')).ok).toBe(true);
    expect(asked[0]?.url).toBe('/hook?secret=hunter22');
  });

  it('is called by its host or its variable, never by its path', () => {
    expect(webhookName('https://hooks.example.org:8443/T0/B0/hunter22?x=y')).toBe('hooks.example.org:8443');
    expect(webhookName('$HOOK')).toBe('$HOOK');
  });
});

describe('a webhook that does not work', () => {
  it.each([400, 404, 500, 503])('answers with %i', async (status) => {
    const { url } = await serve((response) => void response.writeHead(status).end());
    expect(await post(url)).toEqual({ ok: false, failure: { reason: 'http-status', facts: { status } } });
  });

  it('is not followed to where it points', async () => {
    const { url, asked } = await serve(
      (response) => void response.writeHead(307, { location: '/hook' }).end(),
    );
    expect(await post(url)).toMatchObject({ failure: { reason: 'http-status', facts: { status: 307 } } });
    expect(asked).toHaveLength(1);
  });

  it('is not listened to for longer than it takes to say yes', async () => {
    const isCutOff: Promise<void>[] = [];
    const { url } = await serve((response) => {
      isCutOff.push(new Promise((resolve) => response.on('close', resolve)));
      response.writeHead(200);
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', pour);
      pour();
    });
    expect((await post(url)).ok).toBe(true);
    await Promise.all(isCutOff);
  });

  it('is not there', async () => {
    const { url } = await serve(yes);
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    expect(await post(url)).toEqual({
      ok: false,
      failure: { reason: 'unreachable', facts: { code: 'ECONNREFUSED' } },
    });
  });

  it('breaks off', async () => {
    const { url } = await serve((response) => void response.destroy());
    expect(await post(url)).toMatchObject({ failure: { reason: 'unreachable' } });
  });

  it('never answers', async () => {
    const { url } = await serve(() => undefined);
    expect(await post(url, { timeoutMs: 50 })).toEqual({
      ok: false,
      failure: { reason: 'timed-out', facts: { timeoutMs: 50 } },
    });
  });

  it('is not waited for by somebody who wants to leave', async () => {
    const leaving = new AbortController();
    const { url } = await serve(() => leaving.abort());
    expect(await post(url, {}, leaving.signal)).toEqual({ ok: false, failure: { reason: 'interrupted' } });
  });

  it.each([
    ['$TEST_NOTHING', {}, 'variable-missing', 'TEST_NOTHING'],
    ['$TEST_EMPTY', {}, 'variable-missing', 'TEST_EMPTY'],
    ['$TEST_TEXT', {}, 'variable-unusable', 'TEST_TEXT'],
    ['$TEST_FILE', {}, 'variable-unusable', 'TEST_FILE'],
    ['http://127.0.0.1:1/', { Authorization: 'Bearer $TEST_NOTHING' }, 'variable-missing', 'TEST_NOTHING'],
    ['http://127.0.0.1:1/', { Authorization: '$TEST_LINES' }, 'variable-unusable', 'TEST_LINES'],
  ])('because of its variable: %s %j', async (url, headers, reason, name) => {
    vi.stubEnv('TEST_EMPTY', ' ');
    vi.stubEnv('TEST_TEXT', 'hunter22');
    vi.stubEnv('TEST_FILE', 'file:///hunter22');
    vi.stubEnv('TEST_LINES', 'hunter22\nX-Other: yes');
    const told = await post(url, { headers });
    expect(told).toEqual({ ok: false, failure: { reason, facts: { name } } });
  });
});

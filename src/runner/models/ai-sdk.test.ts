import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { TestClock } from '../../../test/fixtures/memory.ts';
import { latch, type ModelServer, modelServer, type Script, type Turn } from '../../../test/models/server.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Provider } from '../../model/definition.ts';
import type { ModelRequest } from '../executors/model-client.ts';
import { sdkClient } from './ai-sdk.ts';
import { mediaTypeOf } from './attached-files.ts';

const limits = { concurrency: undefined, requestsPerMinute: undefined, tokensPerMinute: undefined };
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const closed = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
  additionalProperties: false,
};

type Kind = 'anthropic' | 'openai' | 'google' | 'openai-compatible';
interface Api {
  readonly kind: Kind;
  readonly model: string;
  /** What of the cache its protocol can say. */
  readonly cacheWrite: boolean;
  readonly request: string;
}

const apis: readonly Api[] = [
  { kind: 'anthropic', model: 'claude-sonnet-4-5', cacheWrite: true, request: 'req_1' },
  { kind: 'openai', model: 'gpt-4o', cacheWrite: true, request: 'req_1' },
  { kind: 'google', model: 'gemini-2.5-flash', cacheWrite: false, request: 'response-1' },
  { kind: 'openai-compatible', model: 'qwen', cacheWrite: false, request: 'req_1' },
];

const brokeUnread = {
  kind: 'failed',
  failure: { reason: 'connection-lost', message: 'a part of the answer could not be read' },
};

const open: ModelServer[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(
  does: Turn | Script,
  rules: Parameters<typeof modelServer>[1] = {},
): Promise<ModelServer> {
  const server = await modelServer(typeof does === 'function' ? does : () => does, rules);
  open.push(server);
  return server;
}

function provider(kind: Kind): Provider {
  return { name: 'mine', api: { kind }, baseUrl: undefined, key: 'KEY', headers: {}, limits };
}

interface Asking {
  readonly request?: Partial<ModelRequest>;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onPiece?: (text: string) => void;
}

async function ask(
  { kind, model }: Pick<Api, 'kind' | 'model'>,
  server: ModelServer | string,
  asking: Asking = {},
) {
  const baseUrl = typeof server === 'string' ? server : `${server.url}/v1`;
  const { headers = {}, request, onPiece } = asking;
  const key = 'key' in asking ? asking.key : 'right';
  const client = sdkClient(process.cwd(), provider(kind), { key, baseUrl, headers }, new TestClock());
  if (client === undefined) throw new Error('the packages are not installed');
  const pieces: string[] = [];
  const answered = await client.ask(
    {
      model,
      system: undefined,
      turns: [{ role: 'user', text: 'Hi' }],
      parameters: {},
      schema: undefined,
      files: [],
      idempotencyKey: 'idem-1',
      signal: new AbortController().signal,
      ...request,
    },
    (text) => {
      pieces.push(text);
      onPiece?.(text);
    },
  );
  return { answered, pieces };
}

describe.each(apis)('$kind', (api) => {
  it('tells an answer piece by piece, and then all that is known of it', async () => {
    const usage = { input: 10, output: 5, cacheRead: 3, ...(api.cacheWrite && { cacheWrite: 2 }) };
    const server = await serve({ do: 'answer', text: 'Hello wörld 🦊!', usage, model: `${api.model}-0901` });
    const { answered, pieces } = await ask(api, server);
    expect(pieces).toEqual(['Hell', 'o wö', 'rld', ' 🦊!']);
    expect(answered).toEqual({
      ok: true,
      value: {
        text: 'Hello wörld 🦊!',
        finish: 'stop',
        usage: {
          inputTokens: 10,
          outputTokens: 5,
          cacheReadTokens: 3,
          ...(api.cacheWrite && { cacheWriteTokens: 2 }),
        },
        // Google's package does not say which model has answered.
        answered: expect.stringMatching(new RegExp(`^${api.model}`)),
        request: api.request,
      },
    });
  });

  it('says nothing of a cache that was not used', async () => {
    const server = await serve({ do: 'answer', text: 'Hi', usage: { input: 4, output: 2 } });
    const { answered } = await ask(api, server);
    expect(answered.ok && answered.value.usage).toEqual({ inputTokens: 4, outputTokens: 2 });
  });

  it('sends the system, all turns and the parameters', async () => {
    const server = await serve({ do: 'answer', text: 'Hi' }, { key: 'right' });
    const turns = [
      { role: 'user' as const, text: 'One' },
      { role: 'assistant' as const, text: 'Two' },
      { role: 'user' as const, text: 'Three' },
    ];
    const parameters = { temperature: 0.5, maxTokens: 99, topP: 0.9, stop: ['END'] };
    await ask(api, server, {
      request: { system: 'Be brief', turns, parameters },
      headers: { 'x-team': 'red' },
    });
    expect(server.rejected).toEqual([]);
    expect(server.asked).toHaveLength(1);
    const [asked] = server.asked;
    expect(asked).toMatchObject({
      model: api.model,
      stream: true,
      system: 'Be brief',
      messages: [
        { role: 'user', text: 'One', parts: 0 },
        { role: 'assistant', text: 'Two', parts: 0 },
        { role: 'user', text: 'Three', parts: 0 },
      ],
    });
    expect(asked?.headers).toMatchObject({ 'x-team': 'red', 'idempotency-key': 'idem-1' });
    const sent = JSON.stringify(asked?.body);
    expect(sent).toContain('0.5');
    expect(sent).toContain('99');
  });

  it('sends pictures as such, before the text of the first turn, and texts as text', async () => {
    const server = await serve({ do: 'answer', text: 'A dot' });
    const files = [
      { name: 'dot', mediaType: 'image/png', bytes: () => pixel },
      { name: 'notes', mediaType: 'text/markdown', bytes: () => Buffer.from('Some nötes') },
      { name: 'data', mediaType: 'application/json', bytes: () => Buffer.from('{"a":1}') },
    ];
    const turns = [
      { role: 'user' as const, text: 'What is it?' },
      { role: 'assistant' as const, text: 'x' },
      { role: 'user' as const, text: 'Again' },
    ];
    await ask(api, server, { request: { files, turns } });
    expect(server.rejected).toEqual([]);
    const messages = server.asked[0]?.messages ?? [];
    expect(messages.map(({ parts }) => parts)).toEqual([1, 0, 0]);
    expect(messages[0]?.text).toBe(
      '<file name="notes">\nSome nötes\n</file><file name="data">\n{"a":1}\n</file>What is it?',
    );
    expect(JSON.stringify(server.asked[0]?.body)).toContain(pixel.toString('base64'));
  });

  it('sends a PDF as a file', async () => {
    const server = await serve({ do: 'answer', text: 'A page' });
    const files = [{ name: 'page', mediaType: 'application/pdf', bytes: () => Buffer.from('%PDF-1.7 x') }];
    const { answered } = await ask(api, server, { request: { files } });
    expect(server.rejected).toEqual([]);
    expect(answered.ok).toBe(true);
    expect(server.asked[0]?.messages[0]?.parts).toBe(1);
  });

  it('asks for JSON of a schema, and gets its text', async () => {
    const server = await serve({ do: 'answer', text: '{"title":"Ember"}' });
    const { answered } = await ask(api, server, { request: { schema: closed } });
    expect(answered).toMatchObject({ ok: true, value: { text: '{"title":"Ember"}', finish: 'stop' } });
    expect(server.rejected).toEqual([]);
    expect(server.asked[0]?.schema).toMatchObject({ properties: { title: { type: 'string' } } });
  });

  it.each<[string, JsonObject]>([
    [
      'a member that may lack',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        required: ['a'],
        additionalProperties: false,
      },
    ],
    ['members of any name', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
  ])('asks for JSON of a schema with %s', async (_, schema) => {
    const server = await serve({ do: 'answer', text: '{"a":"x"}' });
    const { answered } = await ask(api, server, { request: { schema } });
    expect(answered).toMatchObject({ ok: true, value: { text: '{"a":"x"}' } });
  });

  it('gives whatever came in the place of JSON: to judge it is not for here', async () => {
    const server = await serve({ do: 'answer', text: 'I would rather not.' });
    const { answered } = await ask(api, server, { request: { schema: closed } });
    expect(answered).toMatchObject({ ok: true, value: { text: 'I would rather not.', finish: 'stop' } });
  });

  it.each(['length', 'content-filter'] as const)('says that an answer ended by %s', async (finish) => {
    const server = await serve({ do: 'answer', text: 'Hel', finish });
    const { answered } = await ask(api, server);
    expect(answered).toMatchObject({ ok: true, value: { text: 'Hel', finish } });
  });

  it('takes an empty answer for what it is', async () => {
    const server = await serve({ do: 'answer', text: '' });
    expect((await ask(api, server)).answered).toMatchObject({
      ok: true,
      value: { text: '', finish: 'stop' },
    });
  });

  it('prints nothing, whatever the SDK has to say', async () => {
    const words = ['log', 'info', 'warn', 'error', 'debug'] as const;
    const spies = words.map((word) => vi.spyOn(console, word).mockImplementation(() => undefined));
    const server = await serve(({ nth }) =>
      nth === 1 ? { do: 'answer', text: '{}' } : { do: 'refuse', status: 400, message: 'no' },
    );
    // No provider knows all of these, and the SDK warns of each that it leaves out.
    const parameters = { topK: 4, seed: 7, temperature: 2, topP: 0.5 };
    await ask(api, server, { request: { parameters, schema: { type: 'object', properties: { a: {} } } } });
    await ask(api, server, { request: { parameters } });
    const printed = spies.flatMap((spy) => spy.mock.calls);
    vi.restoreAllMocks();
    expect(printed).toEqual([]);
  });
});

describe.each(apis)('trouble with $kind', (api) => {
  const refuse = (status: number, more: Partial<Turn & { do: 'refuse' }> = {}): Turn => ({
    do: 'refuse',
    status,
    message: 'No, thanks',
    ...more,
  });
  const failed = (reason: string, status: number, message = 'No, thanks') => ({
    ok: false,
    failure: { kind: 'failed', failure: { reason, message, facts: { status } } },
  });

  it.each<[number, string]>([
    [400, 'call-refused'],
    [401, 'not-authorized'],
    [403, 'not-authorized'],
    [404, 'model-unknown'],
    [413, 'call-refused'],
    [500, 'server-error'],
    [502, 'server-error'],
    [503, 'server-error'],
  ])('%i is %s', async (status, reason) => {
    const server = await serve(refuse(status));
    expect((await ask(api, server)).answered).toEqual(failed(reason, status));
    expect(server.asked).toHaveLength(1);
  });

  it('a key that is wrong, or none, is told as that', async () => {
    const server = await serve({ do: 'answer', text: 'x' }, { key: 'right' });
    expect((await ask(api, server, { key: 'wrong' })).answered).toMatchObject(
      failed('not-authorized', 401, 'Incorrect API key provided.'),
    );
    expect((await ask(api, server, { key: undefined })).answered).toMatchObject({
      failure: { failure: { reason: 'not-authorized' } },
    });
  });

  it('a limit asks to wait, as long as the provider says', async () => {
    const server = await serve(refuse(429, { headers: { 'retry-after': '7' } }));
    expect((await ask(api, server)).answered).toEqual({
      ok: false,
      failure: { kind: 'wait', reason: 'rate-limited', message: 'No, thanks', waitMs: 7000 },
    });
  });

  it('a limit by the day is a quota', async () => {
    const server = await serve(refuse(429, { message: 'Your requests per day are used up' }));
    expect((await ask(api, server)).answered).toMatchObject({
      failure: { kind: 'wait', reason: 'quota', waitMs: undefined },
    });
  });

  it('an overloaded provider asks to wait', async () => {
    const server = await serve(refuse(529, { headers: { 'retry-after': '2' } }));
    expect((await ask(api, server)).answered).toMatchObject({
      failure: { kind: 'wait', reason: 'overloaded', waitMs: 2000 },
    });
  });

  it('a page of a proxy is told by its status', async () => {
    const server = await serve(refuse(502, { body: '<html>bad gateway</html>' }));
    const { answered } = await ask(api, server);
    expect(answered).toMatchObject(failed('server-error', 502, 'Bad Gateway'));
  });

  it('a connection that breaks before anything is lost', async () => {
    const server = await serve({ do: 'drop', text: 'Hello' });
    const { answered, pieces } = await ask(api, server);
    expect(pieces).toEqual([]);
    expect(answered).toMatchObject({ ok: false, failure: { failure: { reason: 'connection-lost' } } });
  });

  it('nobody at the address is a connection that is lost', async () => {
    const server = await serve({ do: 'answer', text: 'x' });
    const { url } = server;
    await server.close();
    const { answered } = await ask(api, `${url}/v1`);
    expect(answered).toMatchObject({ ok: false, failure: { failure: { reason: 'connection-lost' } } });
    expect(JSON.stringify(answered)).toMatch(/ECONNREFUSED|fetch failed|connect/i);
  });

  it.each([1, 2, 4])(
    'a connection that breaks after %i pieces is lost, and so is one that ends there',
    async (after) => {
      for (const how of ['drop', 'stop-short'] as const) {
        const server = await serve({ do: how, text: 'Hello world', after });
        const { answered, pieces } = await ask(api, server);
        expect(pieces.join('')).toBe('Hello world'.slice(0, [3, 6, 8, 11][after - 1]));
        expect(answered, how).toMatchObject({
          ok: false,
          failure: { kind: 'failed', failure: { reason: 'connection-lost' } },
        });
      }
    },
  );

  it('rubbish in the middle is no answer', async () => {
    const server = await serve({ do: 'garble', text: 'Hello world', after: 2 });
    expect((await ask(api, server)).answered).toMatchObject({ ok: false, failure: brokeUnread });
  });

  it.each([0, 2])('an error within the stream after %i pieces is told by what it says', async (after) => {
    const say = (kind: 'overloaded' | 'rate-limit' | 'internal'): Turn => ({
      do: 'error-event',
      text: 'Hello world',
      after,
      kind,
      message: 'Not now',
    });
    const troubles = ['overloaded', 'rate-limit', 'internal'] as const;
    for (const kind of troubles) {
      const server = await serve(say(kind));
      const { answered } = await ask(api, server);
      if (answered.ok) throw new Error(`${kind} is no answer`);
      const { failure: trouble } = answered;
      const word = trouble.kind === 'wait' ? trouble.reason : trouble.failure.reason;
      // Nothing that somebody would have to mend, and nothing that is taken for an answer.
      if (kind === 'rate-limit') expect(word).toBe('rate-limited');
      else if (kind === 'overloaded')
        expect(['overloaded', 'server-error', 'connection-lost']).toContain(word);
      else expect(['server-error', 'connection-lost']).toContain(word);
      expect(JSON.stringify(trouble)).toContain('Not now');
    }
  });

  it.each([0, 2])(
    'a call that is ended after %i pieces ends at once, and the provider hears of it',
    async (after) => {
      const never = latch();
      const ending = new AbortController();
      const server = await serve({ do: 'hang', text: 'Hello world', after, until: never.opened });
      let heard = 0;
      const asking = ask(api, server, {
        request: { signal: ending.signal },
        onPiece: () => {
          heard += 1;
          if (heard === after) ending.abort();
        },
      });
      await server.waitFor(1);
      if (after === 0) ending.abort();
      expect((await asking).answered).toMatchObject({ ok: false });
      await server.idle();
      expect(server.left).toEqual([1]);
      never.open();
    },
  );

  it('a call that is ended before it begins is not made', async () => {
    const server = await serve({ do: 'answer', text: 'x' });
    const { answered } = await ask(api, server, { request: { signal: AbortSignal.abort() } });
    expect(answered.ok).toBe(false);
    expect(server.asked).toEqual([]);
  });

  it('what the listener throws comes through: a full disk is no fault of the provider’s', async () => {
    const server = await serve({ do: 'answer', text: 'Hello world' });
    const full = () => {
      throw new Error('disk full');
    };
    await expect(ask(api, server, { onPiece: full })).rejects.toThrow('disk full');
  });
});

describe('what the SDK will not even send', () => {
  const troubleOf = async (kind: Kind, model: string, request: Partial<ModelRequest>) => {
    const server = await serve({ do: 'answer', text: 'x' });
    const { answered } = await ask({ kind, model }, server, { request });
    return answered.ok || answered.failure.kind === 'wait' ? undefined : answered.failure.failure;
  };

  it.each<[string, Kind, string, Partial<ModelRequest>]>([
    [
      'a file that the provider cannot take',
      'anthropic',
      'claude-sonnet-4-5',
      { files: [{ name: 'sound', mediaType: 'audio/mpeg', bytes: () => new Uint8Array([1, 2]) }] },
    ],
    [
      'options of another shape',
      'anthropic',
      'claude-sonnet-4-5',
      { parameters: { options: { thinking: 'a lot' } } },
    ],
    [
      'options of another shape',
      'google',
      'gemini-2.5-flash',
      { parameters: { options: { thinkingConfig: 7 } } },
    ],
  ])(
    '%s is refused, and no connection is lost: nothing changes when it is tried again',
    async (_, kind, model, request) => {
      const trouble = await troubleOf(kind, model, request);
      expect(['call-refused', 'provider-failed']).toContain(trouble?.reason);
      // One line that says what it is about.
      expect(trouble?.message).toMatch(/^.*(?:options|audio\/mpeg).*$/);
    },
  );
});

describe('what only some providers have', () => {
  const api = (kind: Kind, model: string) => ({ kind, model });

  it('options go to the provider as it calls them', async () => {
    const server = await serve({ do: 'answer', text: 'x' });
    const request = (options: JsonObject) => ({ request: { parameters: { options } } });
    await ask(api('openai', 'gpt-5'), server, request({ reasoningEffort: 'low' }));
    expect(server.asked[0]?.body).toMatchObject({ reasoning: { effort: 'low' } });
    await ask(api('openai-compatible', 'qwen'), server, request({ user: 'ann' }));
    expect(server.asked[1]?.body).toMatchObject({ user: 'ann' });
    await ask(api('google', 'gemini-2.5-flash'), server, request({ thinkingConfig: { thinkingBudget: 5 } }));
    expect(JSON.stringify(server.asked[2]?.body)).toContain('thinkingBudget');
    await ask(
      api('anthropic', 'claude-sonnet-4-5'),
      server,
      request({ thinking: { type: 'enabled', budgetTokens: 1024 } }),
    );
    expect(server.asked[3]?.body).toMatchObject({ thinking: { type: 'enabled' } });
  });

  it('a schema whose members say nothing is taken by OpenAI as well', async () => {
    const server = await serve({ do: 'answer', text: '{"a":1}' });
    const schema = { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false };
    await ask(api('openai', 'gpt-4o'), server, { request: { schema } });
    // OpenAI turns down a strict schema with a member without a type.
    expect(server.asked[0]?.body).toMatchObject({ text: { format: { type: 'json_schema', strict: false } } });
  });

  it('a drawing that is text is sent as text: no provider takes it as a picture', async () => {
    const server = await serve({ do: 'answer', text: 'x' });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const files = [{ name: 'logo', mediaType: mediaTypeOf('logo.svg', svg), bytes: () => svg }];
    for (const one of apis) expect((await ask(one, server, { request: { files } })).answered.ok).toBe(true);
    for (const { messages } of server.asked) expect(messages[0]?.parts).toBe(0);
  });

  it('an older model of Anthropic’s gives JSON through a tool', async () => {
    const server = await serve({ do: 'answer', text: '{"title":"Ember"}' });
    const { answered, pieces } = await ask(api('anthropic', 'claude-sonnet-4-0'), server, {
      request: { schema: closed },
    });
    expect(answered).toMatchObject({ ok: true, value: { text: '{"title":"Ember"}', finish: 'stop' } });
    expect(pieces.join('')).toBe('{"title":"Ember"}');
  });

  it('a count that is none is told in a few words, and not with all that was expected instead', async () => {
    const parts = [
      { id: '1', choices: [{ delta: { content: 'Hi' } }] },
      { id: '1', choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 'many' } },
    ];
    const body = parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('');
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${body}data: [DONE]\n\n`);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const { answered } = await ask(api('openai-compatible', 'qwen'), `http://127.0.0.1:${port}/v1`);
    server.closeAllConnections();
    server.close();
    expect(answered).toMatchObject({ ok: false, failure: brokeUnread });
  });

  it('a server without a key is asked without one', async () => {
    const server = await serve({ do: 'answer', text: 'x' });
    await ask(api('openai-compatible', 'qwen'), server, { key: undefined });
    expect(server.asked[0]?.headers).not.toHaveProperty('authorization');
  });

  it('no key of the environment goes to whom it was not meant for', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-not-for-you');
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-not-for-you');
    vi.stubEnv('GOOGLE_GENERATIVE_AI_API_KEY', 'sk-not-for-you');
    const server = await serve({ do: 'answer', text: 'x' });
    for (const one of apis) await ask(one, server, { key: undefined });
    vi.unstubAllEnvs();
    expect(JSON.stringify(server.asked)).not.toContain('not-for-you');
  });
});

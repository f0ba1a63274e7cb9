import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, jsonSchema, type LanguageModel, Output, streamText } from 'ai';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { countUsage, latch, type ModelServer, modelServer, type Script, type Turn } from './server.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const schema = {
  type: 'object',
  properties: { title: { type: 'string' } },
  required: ['title'],
  additionalProperties: false,
} as const;
const output = Output.object({ schema: jsonSchema<{ title: string }>({ ...schema, required: ['title'] }) });

/** Each protocol through the package that people reach it by; chat through the two that speak it. */
const kinds = [
  {
    name: 'openai chat',
    path: 'chat/completions',
    model: (baseURL: string, apiKey = 'k'): LanguageModel => createOpenAI({ baseURL, apiKey }).chat('gpt-4o'),
    id: 'chatcmpl-1',
    raw: ['stop', 'length', 'content_filter'],
    cacheWrite: 2,
    requestId: 'x-request-id',
    early: true,
    error: { message: 'Overloaded', code: 'server_is_overloaded' },
    bad: { error: { type: 'invalid_request_error', message: expect.any(String), param: expect.any(String) } },
    minimal: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] },
  },
  {
    name: 'openai-compatible',
    path: 'chat/completions',
    model: (baseURL: string, apiKey = 'k'): LanguageModel =>
      createOpenAICompatible({
        name: 'local',
        baseURL,
        apiKey,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })('qwen'),
    id: 'chatcmpl-1',
    raw: ['stop', 'length', 'content_filter'],
    cacheWrite: undefined,
    requestId: 'x-request-id',
    early: false,
    error: { message: 'Overloaded', code: 'server_is_overloaded' },
    bad: { error: { type: 'invalid_request_error', message: expect.any(String), param: expect.any(String) } },
    minimal: { model: 'qwen', messages: [{ role: 'user', content: 'Hi' }] },
  },
  {
    name: 'openai responses',
    path: 'responses',
    model: (baseURL: string, apiKey = 'k'): LanguageModel => createOpenAI({ baseURL, apiKey })('gpt-5'),
    id: 'resp_1',
    raw: [undefined, 'max_output_tokens', 'content_filter'],
    cacheWrite: 2,
    requestId: 'x-request-id',
    early: true,
    error: { message: 'Overloaded', statusCode: 503, isRetryable: true },
    bad: { error: { type: 'invalid_request_error', message: expect.any(String), param: expect.any(String) } },
    minimal: { model: 'gpt-5', input: 'Hi' },
  },
  {
    name: 'anthropic',
    path: 'messages',
    model: (baseURL: string, apiKey = 'k'): LanguageModel =>
      createAnthropic({ baseURL, apiKey })('claude-sonnet-4-5'),
    id: 'msg_1',
    raw: ['end_turn', 'max_tokens', 'refusal'],
    cacheWrite: 2,
    requestId: 'request-id',
    early: true,
    error: { type: 'overloaded_error', message: 'Overloaded' },
    bad: { type: 'error', error: { type: 'invalid_request_error', message: expect.any(String) } },
    minimal: { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  },
  {
    name: 'google',
    path: 'models/gemini-2.5-flash:generateContent',
    model: (baseURL: string, apiKey = 'k'): LanguageModel =>
      createGoogleGenerativeAI({ baseURL, apiKey })('gemini-2.5-flash'),
    id: 'response-1',
    raw: ['STOP', 'MAX_TOKENS', 'SAFETY'],
    cacheWrite: undefined,
    requestId: 'x-goog-request-id',
    early: false,
    error: { message: 'Overloaded', statusCode: 503, isRetryable: true },
    bad: { error: { code: 400, message: expect.any(String), status: 'INVALID_ARGUMENT' } },
    minimal: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  },
];

const open: ModelServer[] = [];

beforeAll(() => {
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;
});

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

describe.each(kinds)('$name', ({ model, ...kind }) => {
  const usage = { input: 10, output: 5, cacheRead: 3, cacheWrite: 2 };

  it('streams an answer with its usage, ids and headers', async () => {
    const server = await start({
      do: 'answer',
      text: 'Hello wörld 🦊!',
      usage,
      headers: { 'x-left': '7' },
    });
    const { parts, text } = await ask(model(`${server.url}/v1`));
    expect(text).toEqual(['Hell', 'o wö', 'rld', ' 🦊!']);
    expect(types(parts)).toEqual('start start-step text-start text-delta text-end finish-step finish');
    expect(finishStep(parts)).toMatchObject({
      finishReason: 'stop',
      usage: {
        inputTokens: 10,
        outputTokens: 5,
        inputTokenDetails: { cacheReadTokens: 3, cacheWriteTokens: kind.cacheWrite },
      },
      response: {
        id: kind.id,
        modelId: modelName(model),
        headers: { 'x-left': '7', [kind.requestId]: 'req_1' },
      },
    });
    expect(finishStep(parts).rawFinishReason).toBe(kind.raw[0]);
  });

  it('gives an answer in one document', async () => {
    const server = await start({ do: 'answer', text: 'Hello', usage, id: 'mine' });
    const result = await generateText({ model: model(`${server.url}/v1`), prompt: 'Hi', maxRetries: 0 });
    expect(result.text).toBe('Hello');
    expect(result.finishReason).toBe('stop');
    expect(result.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    expect(result.response.id).toBe('mine');
    expect(server.asked[0]?.stream).toBe(false);
  });

  it('tells what was asked, whatever the protocol', async () => {
    const server = await start({ do: 'answer', text: 'A dot.' });
    await ask(model(`${server.url}/v1`), {
      system: 'You are brief.',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', image: pixel, mediaType: 'image/png' },
          ],
        },
      ],
    });
    const [asked] = server.asked;
    expect(asked).toMatchObject({
      model: modelName(model),
      stream: true,
      system: 'You are brief.',
      prompt: 'What is this?',
      messages: [
        { role: 'user', text: 'Hi', parts: 0 },
        { role: 'assistant', text: 'Hello', parts: 0 },
        { role: 'user', text: 'What is this?', parts: 1 },
      ],
      nth: 1,
    });
    expect(asked?.schema).toBeUndefined();
    expect(JSON.stringify(asked?.body)).toContain(pixel);
    expect(server.rejected).toEqual([]);
  });

  it('counts tokens from all texts when no usage is given', async () => {
    const server = await start({ do: 'answer', text: 'wörld' });
    const { parts } = await ask(model(`${server.url}/v1`), { system: 'Be brief', prompt: 'Say' });
    expect(finishStep(parts).usage).toMatchObject({ inputTokens: 3, outputTokens: 2 });
    expect(server.asked.map((asked) => countUsage(asked, 'wörld'))).toEqual([{ input: 3, output: 2 }]);
  });

  it.each(['length', 'content-filter'] as const)('ends with %s', async (finish) => {
    const server = await start({ do: 'answer', text: 'Hello', finish });
    const streamed = await ask(model(`${server.url}/v1`));
    const raw = kind.raw[finish === 'length' ? 1 : 2];
    expect(finishStep(streamed.parts)).toMatchObject({ finishReason: finish, rawFinishReason: raw });
    const whole = await generateText({ model: model(`${server.url}/v1`), prompt: 'Hi', maxRetries: 0 });
    expect(whole.finishReason).toBe(finish);
  });

  it('answers what has to fit a schema', async () => {
    const server = await start({ do: 'answer', text: '{"title":"Ember"}' });
    const result = streamText({ model: model(`${server.url}/v1`), prompt: 'Hi', maxRetries: 0, output });
    expect(await result.output).toEqual({ title: 'Ember' });
    const whole = await generateText({
      model: model(`${server.url}/v1`),
      prompt: 'Hi',
      maxRetries: 0,
      output,
    });
    expect(whole.output).toEqual({ title: 'Ember' });
    for (const asked of server.asked) {
      expect(asked.schema).toMatchObject({ properties: { title: { type: 'string' } }, required: ['title'] });
    }
  });

  it('refuses in its own words', async () => {
    const server = await start(({ nth }) =>
      nth === 1
        ? { do: 'refuse', status: 429, message: 'Slow down', headers: { 'retry-after': '7' } }
        : { do: 'refuse', status: 502, body: '<html>bad gateway</html>' },
    );
    const limited = await ask(model(`${server.url}/v1`));
    expect(types(limited.parts)).toBe('start error');
    expect(apiError(limited.errors[0])).toMatchObject({
      message: 'Slow down',
      statusCode: 429,
      isRetryable: true,
      responseHeaders: { 'retry-after': '7' },
      data: { error: { message: 'Slow down' } },
    });
    const proxied = await ask(model(`${server.url}/v1`));
    expect(apiError(proxied.errors[0])).toMatchObject({
      message: 'Bad Gateway',
      statusCode: 502,
      responseBody: '<html>bad gateway</html>',
    });
  });

  it('drops the connection before any byte', async () => {
    const server = await start({ do: 'drop', text: 'Hello' });
    const { errors, parts } = await ask(model(`${server.url}/v1`));
    expect(types(parts)).toBe('start error');
    expect(apiError(errors[0])).toMatchObject({ isRetryable: true, cause: { code: 'UND_ERR_SOCKET' } });
    expect(apiError(errors[0]).statusCode).toBeUndefined();
    await server.idle();
    expect(server.left).toEqual([]);
  });

  it('drops the connection in the middle', async () => {
    const server = await start({ do: 'drop', text: 'Hello world', after: 2 });
    const { thrown, text, errors } = await ask(model(`${server.url}/v1`));
    expect(text.join('')).toBe('Hello ');
    expect(errors).toEqual([]);
    expect(apiError(thrown)).toMatchObject({ statusCode: 200, isRetryable: true });
    await expect(
      generateText({ model: model(`${server.url}/v1`), prompt: 'Hi', maxRetries: 0 }),
    ).rejects.toMatchObject({ statusCode: 200, isRetryable: true });
  });

  it('stops short of an end, in good order', async () => {
    const server = await start({ do: 'stop-short', text: 'Hello world', after: 4 });
    const { text, parts } = await ask(model(`${server.url}/v1`));
    expect(text.join('')).toBe('Hello world');
    expect(['other', 'error']).toContain(finishStep(parts).finishReason);
    expect(finishStep(parts).usage.outputTokens ?? 0).toBe(0);
  });

  it('garbles a piece and goes on', async () => {
    const server = await start({ do: 'garble', text: 'Hello world', after: 2 });
    const { text, errors, parts } = await ask(model(`${server.url}/v1`));
    expect(text.join('')).toBe('Hello rld');
    expect(errors).toMatchObject([{ name: 'AI_JSONParseError' }]);
    expect(types(parts)).toMatch(/finish-step finish$/);
    await expect(
      generateText({ model: model(`${server.url}/v1`), prompt: 'Hi', maxRetries: 0 }),
    ).rejects.toMatchObject({ name: 'AI_APICallError', message: 'Invalid JSON response' });
  });

  it('sends an error within the stream', async () => {
    const server = await start({ do: 'error-event', text: 'Hello world', after: 2, message: 'Overloaded' });
    const { text, errors, parts } = await ask(model(`${server.url}/v1`));
    expect(text.join('')).toBe('Hello ');
    expect(errors).toMatchObject([kind.error]);
    expect(finishStep(parts).finishReason).toBe('error');
    await expect(
      generateText({ model: model(`${server.url}/v1`), prompt: 'Hi', maxRetries: 0 }),
    ).rejects.toMatchObject({ message: 'Overloaded', statusCode: 500 });
  });

  it('sends an error as the first event', async () => {
    const server = await start({ do: 'error-event', text: 'Hello', after: 0, message: 'Overloaded' });
    const { text, errors, parts } = await ask(model(`${server.url}/v1`));
    expect(text).toEqual([]);
    expect(errors).toHaveLength(1);
    // Some packages look at the first events before they begin, and take this for a refusal.
    expect(types(parts)).toBe(kind.early ? 'start error' : 'start start-step error finish-step finish');
  });

  it.each([0, 2])('hangs after %i pieces until the test lets it go on', async (after) => {
    const { opened, open: go } = latch();
    const server = await start({ do: 'hang', text: 'Hello world', after, until: opened });
    const seen: string[] = [];
    const half = latch();
    const all = ask(model(`${server.url}/v1`), {
      onChunk: ({ chunk }) => {
        if (chunk.type === 'text-delta') seen.push(chunk.text);
        if (seen.length === after) half.open();
      },
    });
    await server.waitFor(1);
    if (after > 0) await half.opened;
    expect(server.inFlight()).toBe(1);
    expect(seen.join('')).toBe(after === 0 ? '' : 'Hello ');
    go();
    expect((await all).text.join('')).toBe('Hello world');
    await server.idle();
    expect(server.inFlight()).toBe(0);
  });

  it('refuses a key that is wrong or missing', async () => {
    const server = await start({ do: 'answer', text: 'Hello' }, { key: 'right' });
    const wrong = await ask(model(`${server.url}/v1`, 'wrong'));
    expect(apiError(wrong.errors[0])).toMatchObject({ statusCode: 401, isRetryable: false });
    expect(apiError(wrong.errors[0]).data).toBeDefined();
    const missing = await post(server, kind.path, kind.minimal);
    expect(missing.status).toBe(401);
    expect(server.asked).toEqual([]);
    const right = await ask(model(`${server.url}/v1`, 'right'));
    expect(right.text.join('')).toBe('Hello');
  });

  it('refuses what is malformed, in its own words', async () => {
    const server = await start({ do: 'answer', text: 'Hello' });
    expect((await post(server, kind.path, kind.minimal)).status).toBe(200);
    const listOf = Object.keys(kind.minimal).find((key) => /messages|input|contents/.test(key)) ?? '';
    const bad: unknown[] = [
      'not an object',
      {},
      { ...kind.minimal, [listOf]: [] },
      { ...kind.minimal, [listOf]: [{ role: 'stranger', content: 'Hi', parts: [{ text: 'Hi' }] }] },
      { ...kind.minimal, [listOf]: [{ role: 'user', content: [{ type: 'image' }], parts: [{}] }] },
      { ...kind.minimal, [listOf]: 7 },
      { ...kind.minimal, surprise: true },
    ];
    for (const body of bad) {
      const answer = await post(server, kind.path, body);
      expect(answer.status, JSON.stringify(body)).toBe(400);
      if (typeof body === 'object') expect(await answer.json()).toMatchObject(kind.bad);
    }
    expect(server.rejected.map(({ status }) => status)).toEqual(bad.map(() => 400));
    expect(server.asked).toHaveLength(1);
  });
});

describe('what only some protocols have', () => {
  it('a model without a format for answers is asked through a tool, and answers through it', async () => {
    const server = await start({ do: 'answer', text: '{"title":"Ember"}' });
    const model = createAnthropic({ baseURL: `${server.url}/v1`, apiKey: 'k' })('claude-sonnet-4-0');
    const result = streamText({ model, prompt: 'Hi', maxRetries: 0, output });
    expect(await result.output).toEqual({ title: 'Ember' });
    expect(await result.rawFinishReason).toBe('tool_use');
    expect(await result.finishReason).toBe('stop');
    const whole = await generateText({ model, prompt: 'Hi', maxRetries: 0, output });
    expect(whole.output).toEqual({ title: 'Ember' });
    expect(server.asked[0]?.body).toMatchObject({ tool_choice: { type: 'any' }, tools: [{ name: 'json' }] });
    expect(server.asked.map((asked) => asked.schema)).toEqual([schema, schema]);
  });

  it('chat tells usage in a stream only when it is asked to', async () => {
    const server = await start({ do: 'answer', text: 'Hello' });
    const local = createOpenAICompatible({ name: 'local', baseURL: `${server.url}/v1` });
    const { parts } = await ask(local('qwen'));
    expect(finishStep(parts).usage.inputTokens).toBeUndefined();
  });

  it('a strict schema is closed and has no optional property, unless the server is lenient', async () => {
    const loose = { type: 'object', properties: { a: { type: 'string' } } };
    const format = (strict: boolean) => ({
      ...(kinds[0]?.minimal ?? {}),
      response_format: { type: 'json_schema', json_schema: { name: 'response', strict, schema: loose } },
    });
    const server = await start({ do: 'answer', text: '{}' });
    const refused = await post(server, 'chat/completions', format(true));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('additionalProperties') },
    });
    expect((await post(server, 'chat/completions', format(false))).status).toBe(200);
    const lenient = await start({ do: 'answer', text: '{}' }, { lenient: true });
    expect((await post(lenient, 'chat/completions', format(true))).status).toBe(200);
    expect((await post(lenient, 'chat/completions', { ...format(true), top_k: 3 })).status).toBe(200);
  });

  it('any JSON is given only to those who speak of it, unless the server is lenient', async () => {
    const asking = (content: string) => ({
      model: 'gpt-4o',
      messages: [{ role: 'user', content }],
      response_format: { type: 'json_object' },
    });
    const server = await start({ do: 'answer', text: '{}' });
    expect((await post(server, 'chat/completions', asking('Hi'))).status).toBe(400);
    expect((await post(server, 'chat/completions', asking('As JSON'))).status).toBe(200);
    const lenient = await start({ do: 'answer', text: '{}' }, { lenient: true });
    expect((await post(lenient, 'chat/completions', asking('Hi'))).status).toBe(200);
  });

  it('an image that is none is refused', async () => {
    const server = await start({ do: 'answer', text: 'Hello' });
    const image = (url: string) => ({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    });
    expect((await post(server, 'chat/completions', image(`data:image/png;base64,${pixel}`))).status).toBe(
      200,
    );
    for (const url of ['pixel.png', 'data:image/png;base64,!!', 'file:///etc/passwd']) {
      expect((await post(server, 'chat/completions', image(url))).status).toBe(400);
    }
  });
});

describe('the server', () => {
  it('speaks the lines that providers speak', async () => {
    const server = await start({ do: 'answer', text: 'Hi', chunks: 1 });
    const streamed = async (path: string, body: object): Promise<string> =>
      (await post(server, path, body)).text();
    const [chat, , responses, anthropic] = kinds.map(({ minimal }) => ({ ...minimal, stream: true }));
    expect(await streamed('chat/completions', chat ?? {})).toMatch(
      /^data: \{.*\n\n(data: .*\n\n)+data: \[DONE\]\n\n$/,
    );
    expect(eventNames(await streamed('responses', responses ?? {}))).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(eventNames(await streamed('messages', anthropic ?? {}))).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    const google = await streamed('models/g:streamGenerateContent?alt=sse', kinds[4]?.minimal ?? {});
    expect(google).toMatch(/^(data: \{.*\}\r\n\r\n){2}$/);
  });

  it('counts those who are in flight at once, and tells who left', async () => {
    const { opened, open: go } = latch();
    const server = await start(({ nth }) =>
      nth <= 3 ? { do: 'hang', text: 'Hello', until: opened } : { do: 'answer', text: 'Hello' },
    );
    const leaving = new AbortController();
    const model = kinds[0]?.model(`${server.url}/v1`) as LanguageModel;
    const first = ask(model, { abortSignal: leaving.signal });
    await server.waitFor(1);
    const others = [ask(model), ask(model)];
    await server.waitFor(3);
    expect([server.inFlight(), server.maxInFlight]).toEqual([3, 3]);
    leaving.abort();
    expect(types((await first).parts)).toMatch(/abort$/);
    await server.idle(2);
    go();
    for (const { text } of await Promise.all(others)) expect(text.join('')).toBe('Hello');
    await server.idle();
    expect(server.left).toEqual([1]);
    await ask(model);
    await server.idle();
    expect([server.inFlight(), server.maxInFlight, server.asked.length]).toEqual([0, 3, 4]);
  });

  it('does not wait for a script when its client has left', async () => {
    const server = await start(() => new Promise<Turn>(() => undefined));
    const leaving = new AbortController();
    const asking = ask(kinds[0]?.model(`${server.url}/v1`) as LanguageModel, { abortSignal: leaving.signal });
    await server.waitFor(1);
    leaving.abort();
    await asking;
    await server.idle();
    expect(server.left).toEqual([1]);
  });

  it('ends all connections when it closes, whatever hangs', async () => {
    const forever = new Promise(() => undefined);
    const server = await modelServer(() => ({ do: 'hang', text: 'Hello', after: 1, until: forever }));
    const begun = latch();
    const asking = ask(kinds[0]?.model(`${server.url}/v1`) as LanguageModel, { onChunk: begun.open });
    const silent = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(silent, 'connect');
    const closed = once(silent.resume(), 'close');
    const waiting = expect(server.waitFor(2)).rejects.toThrow('only 1 of 2 requests came');
    await begun.opened;
    await server.close();
    await waiting;
    await closed;
    expect(apiError((await asking).thrown).isRetryable).toBe(true);
    expect([server.inFlight(), server.left]).toEqual([0, []]);
    await expect(fetch(server.url)).rejects.toThrow();
    await server.close();
  });

  it('says so when its script fails, so that this passes for no error of a provider', async () => {
    const scripts: Script[] = [
      () => {
        throw new Error('no such page');
      },
      () => ({ do: 'drop', text: 'Hi', after: 3 }),
      () => ({ do: 'answer', text: 'Hi', usage: { input: 1, output: 1, cacheRead: 2 } }),
      () => ({ do: 'answer', text: 'Hi', chunks: 0 }),
      () => ({ do: 'refuse', status: 200 }),
      () => ({ do: 'hang', until: Promise.reject(new Error('let down')) }),
    ];
    const messages = [
      'no such page',
      'after 3 of 2',
      'does not add up',
      '0 chunks',
      'refuses nothing',
      'let down',
    ];
    for (const [at, script] of scripts.entries()) {
      const server = await modelServer(script);
      const { errors } = await ask(kinds[0]?.model(`${server.url}/v1`) as LanguageModel);
      expect(errors).toHaveLength(1);
      await expect(server.close()).rejects.toThrow(messages[at]);
    }
  });

  it('takes nothing but requests for answers', async () => {
    const server = await start({ do: 'answer', text: 'Hello' });
    const url = `${server.url}/v1/chat/completions`;
    expect((await fetch(url)).status).toBe(405);
    expect((await post(server, 'embeddings', {})).status).toBe(404);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
    const json = { 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', body: '{"model":', headers: json })).status).toBe(400);
    const huge = `{"model":"${'x'.repeat(32 * 1024 * 1024)}"}`;
    expect((await fetch(url, { method: 'POST', body: huge, headers: json })).status).toBe(413);
    const noVersion = { ...json, 'x-api-key': 'k' };
    const body = JSON.stringify(kinds[3]?.minimal);
    expect(
      (await fetch(`${server.url}/v1/messages`, { method: 'POST', body, headers: noVersion })).status,
    ).toBe(400);
    expect((await post(server, 'models/%zz:generateContent', kinds[4]?.minimal)).status).toBe(400);
    expect(server.rejected.map(({ status }) => status)).toEqual([405, 404, 400, 400, 413, 400, 400]);
    expect(server.asked).toEqual([]);
  });

  it('forgets whoever leaves in the middle of a request', async () => {
    const server = await start({ do: 'answer', text: 'Hello' });
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{');
    await once(socket, 'connect');
    socket.destroy();
    await once(socket, 'close');
    const { text } = await ask(kinds[3]?.model(`${server.url}/v1`) as LanguageModel);
    expect(text.join('')).toBe('Hello');
    await server.close();
    expect(server.asked).toHaveLength(1);
  });

  it('answers another process', async () => {
    const server = await start(({ prompt }) => ({ do: 'answer', text: `You said ${prompt}.` }), {
      key: 'right',
    });
    const program = `
      const answer = await fetch(process.env.MODEL_URL + '/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer right' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
      });
      console.log((await answer.json()).choices[0].message.content);`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, MODEL_URL: server.url },
    });
    expect(stdout).toBe('You said hello.\n');
  });
});

type AskOptions = Partial<Parameters<typeof streamText>[0]>;
type Part = Awaited<ReturnType<typeof ask>>['parts'][number];

async function start(
  does: Turn | Script,
  rules: Parameters<typeof modelServer>[1] = {},
): Promise<ModelServer> {
  const server = await modelServer(typeof does === 'function' ? does : () => does, rules);
  open.push(server);
  return server;
}

/** All that a stream gives, and what it throws. */
async function ask(model: LanguageModel, options: AskOptions = {}) {
  const errors: unknown[] = [];
  const what = options.messages === undefined ? { prompt: 'Hi' } : {};
  const result = streamText({
    ...what,
    ...options,
    model,
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
  } as Parameters<typeof streamText>[0]);
  const parts = [];
  let thrown: unknown;
  try {
    for await (const part of result.fullStream) parts.push(part);
  } catch (error) {
    thrown = error;
  }
  const text = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : []));
  return { parts, text, errors, thrown };
}

function types(parts: readonly Part[]): string {
  return parts
    .map(({ type }) => type)
    .filter((type, at, all) => type !== all[at - 1])
    .join(' ');
}

function finishStep(parts: readonly Part[]): Part & { type: 'finish-step' } {
  const found = parts.find((part) => part.type === 'finish-step');
  if (found === undefined) throw new Error(`no finish-step: ${types(parts)}`);
  return found;
}

function apiError(error: unknown): APICallError {
  if (!APICallError.isInstance(error)) throw new Error(`no APICallError: ${String(error)}`);
  return error;
}

function modelName(model: (baseURL: string) => LanguageModel): string {
  const made = model('http://127.0.0.1');
  return typeof made === 'string' ? made : made.modelId;
}

function eventNames(stream: string): string[] {
  return [...stream.matchAll(/^event: (.+)$/gm)].map(([, name = '']) => name);
}

function post(server: ModelServer, path: string, body: unknown): Promise<Response> {
  return fetch(`${server.url}/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  });
}

import { describe, expect, it } from 'vitest';
import { TestClock } from '../../../test/fixtures/memory.ts';
import { post, type Send } from './post.ts';

const destination = {
  url: 'http://collector:4318/v1/traces?key=secret',
  headers: new Map([
    ['authorization', 'Bearer hunter22'],
    ['content-type', 'text/plain'],
  ]),
  timeoutMs: 10_000,
};

/** Answers in turn; the last answer is given again and again. */
function answering(...answers: (() => Response | Promise<Response>)[]) {
  const asked: { url: string; init: RequestInit }[] = [];
  const clock = new TestClock();
  const cut = new AbortController();
  const send: Send = async (url, init) => {
    asked.push({ url, init });
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    if (answer === undefined) throw new Error('nothing to answer with');
    return answer();
  };
  const run = () => post({ clock, send, cut: cut.signal }, destination, { a: 1 });
  return { asked, clock, cut, run };
}

const status = (code: number, headers: Record<string, string> = {}) => {
  return () => new Response(null, { status: code, headers });
};
const json = (body: string) => () =>
  new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
const accepted = { ok: true, value: 0 };

describe('a request', () => {
  it('is JSON by POST, with the headers that were asked for', async () => {
    const { asked, run } = answering(status(200));
    expect(await run()).toEqual(accepted);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({
      url: destination.url,
      init: {
        method: 'POST',
        body: '{"a":1}',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          authorization: 'Bearer hunter22',
          'user-agent': 'pawl',
        },
      },
    });
  });

  it('leaves no timer behind', async () => {
    const { clock, run } = answering(status(200));
    await run();
    expect(clock.sleeping).toBe(0);
  });

  it.each([
    ['{}', 0],
    ['{"partialSuccess":{}}', 0],
    ['{"partialSuccess":{"rejectedSpans":"3","errorMessage":"no"}}', 3],
    ['{"partialSuccess":{"rejectedDataPoints":2}}', 2],
    ['{"partialSuccess":{"rejectedSpans":"many"}}', 0],
    ['{"partialSuccess":{"rejectedSpans":-1}}', 0],
    ['{"partialSuccess":', 0],
    ['null', 0],
    ['', 0],
    [`{"partialSuccess":{"rejectedSpans":3},"x":"${'x'.repeat(70_000)}"}`, 0],
  ])('is answered by %.60s', async (body, value) => {
    expect(await answering(json(body)).run()).toEqual({ ok: true, value });
  });
});

describe('a request that fails', () => {
  it.each([400, 401, 404, 413, 500, 307])('is not sent again after %i', async (code) => {
    const { asked, run } = answering(status(code));
    expect(await run()).toEqual({ ok: false, failure: { reason: 'http-status', facts: { status: code } } });
    expect(asked).toHaveLength(1);
  });

  it.each([429, 502, 503, 504])('is sent once more after %i', async (code) => {
    const { asked, clock, run } = answering(status(code), status(200));
    clock.skippedMs = 5000;
    expect(await run()).toEqual(accepted);
    expect(asked).toHaveLength(2);
    expect(clock.slept).toEqual([10_000, 1000]);
  });

  it('is not sent a third time', async () => {
    const { asked, clock, run } = answering(status(503));
    clock.skippedMs = 5000;
    expect(await run()).toMatchObject({ failure: { facts: { status: 503 } } });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['0', 0],
    ['3', 3000],
    ['5', 5000],
    ['Sun, 15 Nov 2026 12:00:02 GMT', 2000],
    ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
  ])('waits as long as %j says', async (text, waitMs) => {
    const { asked, clock, run } = answering(status(429, { 'retry-after': text }), status(200));
    clock.skippedMs = 5000;
    expect(await run()).toEqual(accepted);
    expect(asked).toHaveLength(2);
    expect(clock.slept).toEqual([10_000, waitMs]);
  });

  it.each(['6', '3600', 'soon'])('is not sent again where %j is asked for', async (text) => {
    const { asked, run } = answering(status(429, { 'retry-after': text }));
    expect(await run()).toMatchObject({ failure: { facts: { status: 429 } } });
    expect(asked).toHaveLength(1);
  });

  it('is not sent again when that would be after the time limit', async () => {
    const { asked, clock, run } = answering(() => {
      clock.advance(9500);
      return new Response(null, { status: 503 });
    });
    expect(await run()).toMatchObject({ failure: { facts: { status: 503 } } });
    expect(asked).toHaveLength(1);
  });

  it('says which error it was, and nothing of what was sent', async () => {
    const cause = Object.assign(new Error('connect to secret'), { code: 'ECONNREFUSED' });
    const refused = answering(() => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(await refused.run()).toEqual({
      ok: false,
      failure: { reason: 'unreachable', facts: { code: 'ECONNREFUSED' } },
    });
    const odd = answering(() => Promise.reject(new TypeError('hunter22')));
    expect(await odd.run()).toEqual({ ok: false, failure: { reason: 'unreachable' } });
  });
});

describe('a request that is not answered', () => {
  const silent = () => {
    const world = answering(
      () =>
        new Promise((_, reject) => {
          world.asked[0]?.init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    );
    return world;
  };
  const timedOut = { ok: false, failure: { reason: 'timed-out', facts: { timeoutMs: 10_000 } } };

  it('is given up after the time limit', async () => {
    const { clock, run } = silent();
    const posted = run();
    clock.advance(10_000);
    expect(await posted).toEqual(timedOut);
  });

  it('is given up when nobody waits any more', async () => {
    const { clock, cut, run } = silent();
    const posted = run();
    cut.abort();
    expect(await posted).toEqual(timedOut);
    expect(clock.sleeping).toBe(0);
  });
});

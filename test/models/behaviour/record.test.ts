import { beforeAll, describe, expect, it } from 'vitest';
import { hashBytes } from '../../../src/base/hash.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Finished, pawl, start } from '../../support/command.ts';
import type { RawEvent } from '../../support/journal.ts';
import { has, read, type TestWorkspace } from '../../support/workspace.ts';
import { latch } from '../server.ts';
import {
  answer,
  asking,
  attemptFolder,
  inTurn,
  of,
  ofAttempt,
  only,
  serve,
  until,
  workspaceFor,
} from '../support.ts';

/* What is on record before a call, while it is answered, and after. */

const text = 'First half, and then the other half.';
const usage = { input: 1000, output: 50, cacheRead: 300, cacheWrite: 200 };
const sha256 = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);

describe('a call', () => {
  let workspace: TestWorkspace;
  let finished: Finished;
  /** As it was when the request had come and no byte of an answer. */
  let before: { events: RawEvent[]; hasPrompt: boolean; hasAnswer: boolean };
  /** As it was when half of the answer was sent. */
  let during: { response: string; hasAnswer: boolean; ended: RawEvent[] };

  beforeAll(async () => {
    const [silent, halfway] = [latch(), latch()];
    const server = await serve(async () => {
      await silent.opened;
      return {
        do: 'hang',
        after: 2,
        until: halfway.opened,
        text,
        usage,
        model: 'claude-sonnet-5-20260901',
        headers: { 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy' },
      };
    });
    workspace = workspaceFor(server, asking({ model: 'anthropic/claude-sonnet-5' }));
    const running = start(workspace, ['run']);
    await server.waitFor(1);
    const folder = attemptFolder(workspace, 'a/write#1');
    before = {
      events: of(workspace, 'attempt_started'),
      hasPrompt: has(workspace, `${folder}/prompt.md`),
      hasAnswer: has(workspace, `${folder}/answer.json`),
    };
    silent.open();
    const half = text.slice(0, text.length / 2);
    await until(
      () => has(workspace, `${folder}/response.txt`) && read(workspace, `${folder}/response.txt`) === half,
    );
    during = {
      response: ofAttempt(workspace, 'a/write#1', 'response.txt'),
      hasAnswer: has(workspace, `${folder}/answer.json`),
      ended: of(workspace, 'attempt_succeeded'),
    };
    halfway.open();
    finished = await running.ended;
  }, 60_000);

  it('is in the journal with the hash of its prompt before the provider hears of it', () => {
    expect(before.events).toMatchObject([
      {
        unit: 'a',
        phase: 'write',
        attempt: 1,
        prompt: sha256,
        call: { model: 'anthropic/claude-sonnet-5', key: sha256, atStake: expect.any(Number) },
      },
    ]);
    expect(before).toMatchObject({ hasPrompt: true, hasAnswer: false });
  });

  it('is written down as it arrives, and not called whole before it is', () => {
    expect(during).toEqual({ response: 'First half, and th', hasAnswer: false, ended: [] });
  });

  it('is on record afterwards with all that is known of it', () => {
    expect(finished.code, finished.stderr).toBe(0);
    const { call, cost, response } = only(workspace, 'attempt_succeeded');
    expect(call).toEqual({
      model: 'anthropic/claude-sonnet-5',
      answered: 'claude-sonnet-5-20260901',
      request: 'req_011CSHoEeqs5C35K2UUqR7Fy',
      finish: 'stop',
      ms: expect.any(Number),
      firstMs: expect.any(Number),
    });
    const { ms, firstMs } = call as { ms: number; firstMs: number };
    expect(firstMs).toBeGreaterThanOrEqual(0);
    expect(ms).toBeGreaterThanOrEqual(firstMs);
    // 500 plain, 300 kept, 200 to keep, 50 out, at the list price.
    expect(cost).toEqual({
      usd: 0.00206,
      inputTokens: 1000,
      outputTokens: 50,
      cacheReadTokens: 300,
      cacheWriteTokens: 200,
    });
    expect(response).toBe(hashBytes(text));
    expect(ofAttempt(workspace, 'a/write#1', 'response.txt')).toBe(text);
    expect(read(workspace, 'out/a.md')).toBe(`${text}\n`);
  });

  it('is marked as whole in its folder', () => {
    expect(JSON.parse(ofAttempt(workspace, 'a/write#1', 'answer.json'))).toMatchObject({
      key: keyOf(only(workspace, 'attempt_started')),
      hash: hashBytes(text),
      call: { request: 'req_011CSHoEeqs5C35K2UUqR7Fy' },
      cost: { usd: 0.00206 },
    });
  });

  it('is shown by logs: prompt, answer, model, request and cost', async () => {
    const { stdout, code } = await pawl(workspace, 'logs', 'a/write', '--all');
    expect(code).toBe(0);
    for (const part of [
      'Say a.',
      text,
      'claude-sonnet-5-20260901',
      'req_011CSHoEeqs5C35K2UUqR7Fy',
      '$0.0021',
    ])
      expect(stdout).toContain(part);
  });
});

describe('the price', () => {
  it.each([
    [
      'of the manifest goes before the list',
      { input: 100, output: 200, cache_read: 10, cache_write: 125 },
      0.088,
    ],
    ['of what is kept is that of all input where it is not said', { input: 100, output: 200 }, 0.11],
  ])('%s', async (_, price, usd) => {
    const server = await inTurn(answer(text, { usage }));
    const prices: JsonObject = { 'anthropic/claude-sonnet-5': price };
    const workspace = workspaceFor(
      server,
      asking({ model: 'anthropic/claude-sonnet-5' }, { models: { prices } }),
    );
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(only(workspace, 'attempt_succeeded').cost).toMatchObject({ usd, cacheWriteTokens: 200 });
  });

  it('of a model that nobody knows is not guessed', async () => {
    const server = await inTurn(answer(text, { usage: { input: 7, output: 3 } }));
    const workspace = workspaceFor(server, asking());
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(only(workspace, 'attempt_succeeded').cost).toEqual({ inputTokens: 7, outputTokens: 3 });
    expect((await pawl(workspace, 'cost')).stdout).toContain('no price is known for local/writer');
  });
});

function keyOf({ call }: RawEvent): string {
  return (call as { readonly key: string }).key;
}

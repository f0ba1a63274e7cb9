import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Finished, pawl, pawlJson } from '../../support/command.ts';
import { copyOf, has, readJson, type TestWorkspace, write } from '../../support/workspace.ts';
import type { ModelServer, Turn } from '../server.ts';
import {
  answer,
  asking,
  filesWith,
  of,
  ofAttempt,
  reasons,
  serve,
  unitAsked,
  workspaceFor,
} from '../support.ts';

/* Answers that are none: each is a failed attempt with its reason, is kept with it, is paid, and is never used. */

const schema: JsonObject = {
  type: 'object',
  properties: { mood: { type: 'string' }, why: { type: 'string' } },
  required: ['mood', 'why'],
  additionalProperties: false,
};
const good = '{"mood":"calm","why":"rain"}';
const spoiled = 'SPOILED';

/** By unit: what the first answer is, and why it is none. */
const faults: Record<string, { turn: Turn; reason: string; kept: string }> = {
  length: {
    turn: answer(`{"mood":"${spoiled}","why":"cut"}`, { finish: 'length' }),
    reason: 'answer-truncated',
    kept: `{"mood":"${spoiled}","why":"cut"}`,
  },
  filter: {
    turn: answer(`{"mood":"${spoiled}","why":"bad"}`, { finish: 'content-filter' }),
    reason: 'answer-filtered',
    kept: `{"mood":"${spoiled}","why":"bad"}`,
  },
  empty: { turn: answer('', { usage: { input: 5, output: 0 } }), reason: 'answer-empty', kept: '' },
  blank: { turn: answer(' \n '), reason: 'answer-empty', kept: ' \n ' },
  unparsable: {
    turn: answer(`{"mood": ${spoiled}`),
    reason: 'answer-unparsable',
    kept: `{"mood": ${spoiled}`,
  },
  violation: {
    turn: answer(`{"mood":"${spoiled}"}`),
    reason: 'check-failed',
    kept: `{"mood":"${spoiled}"}`,
  },
};
const units = Object.keys(faults);

/** Asks for JSON of the schema, at a temperature at which answers are reused. */
function judging(more: JsonObject = {}): string {
  return asking(
    {
      model: { use: 'local/writer', temperature: 0 },
      outputs: { card: { schema: 'card.schema.json', path: 'out/{unit}.json' } },
      retries: { attempts: 2, backoff: '1ms' },
      ...(more.phase as JsonObject | undefined),
    },
    { units, models: { prices: { 'local/writer': { input: 1, output: 1 } } }, ...(more.top as JsonObject) },
  );
}

describe('an answer that is none', () => {
  let server: ModelServer;
  let workspace: TestWorkspace;
  let finished: Finished;

  beforeAll(async () => {
    const met = new Set<string>();
    server = await serve((asked) => {
      const unit = unitAsked(asked);
      const fault = met.has(unit) ? undefined : faults[unit];
      met.add(unit);
      return fault?.turn ?? answer(good);
    });
    workspace = workspaceFor(server, judging(), { 'card.schema.json': JSON.stringify(schema) });
    finished = await pawl(workspace, 'run');
  }, 60_000);

  it.each(units)('is a failed attempt with its reason: %s', (unit) => {
    const step = `${unit}/write`;
    const { reason, kept } = faults[unit] ?? { reason: '', kept: '' };
    expect(reasons(workspace, step)).toEqual([reason]);
    const [failed] = of(workspace, 'attempt_failed', step);
    // It was paid all the same.
    expect(failed?.cost).toMatchObject({ inputTokens: expect.any(Number), usd: expect.any(Number) });
    expect(ofAttempt(workspace, `${step}#1`, 'response.txt')).toBe(kept);
    expect(has(workspace, `out/${unit}.json`)).toBe(true);
  });

  it('is asked for once more, and what comes then is taken', () => {
    expect(finished.code, finished.stderr).toBe(0);
    expect(server.asked).toHaveLength(units.length * 2);
    for (const unit of units) expect(readJson(workspace, `out/${unit}.json`)).toEqual(JSON.parse(good));
  });

  it('is to be found with its attempt and nowhere else', () => {
    const files = filesWith(workspace, spoiled).filter(
      (path) => !/\/runs\/[^/]+\/(attempts|events)\//.test(path),
    );
    expect(files).toEqual([]);
  });

  it('counts as spent and as wasted', async () => {
    const { rows } = await pawlJson<{
      rows: { name: string; calls: number; spent: { usd: number }; wasted: { usd: number } }[];
    }>(workspace, 'cost', '--by', 'unit');
    for (const { calls, spent, wasted } of rows) {
      expect(calls).toBe(2);
      expect(wasted.usd).toBeGreaterThan(0);
      expect(wasted.usd).toBeLessThan(spent.usd);
    }
    expect(rows).toHaveLength(units.length);
  });

  it('is not reused by another run, which finds the good ones', async () => {
    const before = server.asked.length;
    const copy = copyOf(workspace);
    expect((await pawl(copy, 'run', '--fresh')).code).toBe(0);
    expect(server.asked).toHaveLength(before);
    for (const unit of units) expect(readJson(copy, `out/${unit}.json`)).toEqual(JSON.parse(good));
  });
});

describe('a cell that never gets a good answer', () => {
  it('is given up with the reason, asks no more often than it may, and is asked anew by another run', async () => {
    const server = await serve(() => answer(`{"mood":"${spoiled}"}`));
    const text = judging({ top: { units: ['violation'] } });
    const workspace = workspaceFor(server, text, { 'card.schema.json': JSON.stringify(schema) });
    const { finished, stops } = await pawlJson<{ stops: JsonObject[] }>(workspace, 'run');
    expect(finished.code).toBe(1);
    expect(stops).toMatchObject([
      { unit: 'violation', phase: 'write', why: { code: 'attempts-used-up', failure: 'check-failed' } },
    ]);
    expect(server.asked).toHaveLength(2);
    expect((await pawl(workspace, 'run')).code).toBe(1);
    expect(server.asked).toHaveLength(2);
    expect((await pawl(workspace, 'run', '--fresh')).code).toBe(1);
    expect(server.asked).toHaveLength(4);
    expect(has(workspace, 'out/violation.json')).toBe(false);
  });
});

describe('a repair prompt', () => {
  const files = {
    'card.schema.json': JSON.stringify(schema),
    'system.md': 'You judge.\n',
    'repair.md': 'Wrong in {{ failure.output }} ({{ failure.reason }}): {{ failure.message }}\n',
  };
  const prompt = { system: 'system.md', phase: 'prompt.md', repair: 'repair.md' };

  it('is sent with the bad answer and what was wrong with it, until it is right', async () => {
    const turns = [answer('{"mood":"calm"}'), answer('no JSON at all'), answer(good)];
    const server = await serve(({ nth }) => turns[nth - 1] ?? answer('too often'));
    const text = judging({
      phase: { prompt, retries: { attempts: 5, backoff: '1ms' } },
      top: { units: ['a'] },
    });
    const workspace = workspaceFor(server, text, files);
    expect((await pawl(workspace, 'run')).code).toBe(0);
    const said = server.asked.map(({ messages }) =>
      messages.map(({ role, text }) => `${role}: ${text.trim()}`),
    );
    expect(said[0]).toEqual(['user: Say a.']);
    expect(said[1]).toEqual([
      'user: Say a.',
      'assistant: {"mood":"calm"}',
      expect.stringMatching(/^user: Wrong in card \(check-failed\): .*why/),
    ]);
    expect(said[2]).toEqual([
      'user: Say a.',
      'assistant: no JSON at all',
      expect.stringMatching(/^user: Wrong in (card)? ?\(answer-unparsable\): .+/),
    ]);
    expect(server.asked.map(({ system }) => system.trim())).toEqual([
      'You judge.',
      'You judge.',
      'You judge.',
    ]);
    // The schema goes with every one of them.
    expect(server.asked.every(({ schema }) => schema !== undefined)).toBe(true);
    expect(ofAttempt(workspace, 'a/write#2', 'prompt.md')).toMatch(
      /<!-- answer -->\n\{"mood":"calm"\}\n<!-- prompt -->\nWrong in card/,
    );
    // What led to the result is the same prompt each time.
    const prompts = of(workspace, 'attempt_started').map((event) => event.prompt);
    expect(new Set(prompts).size).toBe(1);
    expect(readJson(workspace, 'out/a.json')).toEqual(JSON.parse(good));
  });

  it('is sent by the next sitting as well, and not after what no repair can mend', async () => {
    const turns = [answer('{"mood":"calm"}'), answer(good, { finish: 'length' }), answer(good)];
    const server = await serve(({ nth }) => turns[nth - 1] ?? answer('too often'));
    const one = judging({ phase: { prompt, retries: { attempts: 1 } }, top: { units: ['a'] } });
    const workspace = workspaceFor(server, one, files);
    expect((await pawl(workspace, 'run')).code).toBe(1);
    const three = judging({
      phase: { prompt, retries: { attempts: 3, backoff: '1ms' } },
      top: { units: ['a'] },
    });
    write(workspace, 'pawl.yaml', three);
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(server.asked.map(({ messages }) => messages.length)).toEqual([1, 3, 1]);
    expect(reasons(workspace)).toEqual(['check-failed', 'answer-truncated']);
  });
});

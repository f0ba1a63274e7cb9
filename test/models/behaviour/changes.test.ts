import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { pawl, pawlJson } from '../../support/command.ts';
import { copyOf, read, type TestWorkspace, withEnv, write } from '../../support/workspace.ts';
import type { ModelServer } from '../server.ts';
import { answer, asking, inTurn, local, refuse, serve, unitAsked, workspaceFor } from '../support.ts';

/* What may change without a word, and what is a change of the pipeline. */

const model: JsonObject = { use: 'local/writer', temperature: 0.7, max_tokens: 400 };
const units = ['a', 'b'];

describe('where a model is found, what it is called and what it costs', () => {
  let server: ModelServer;
  let workspace: TestWorkspace;

  beforeAll(async () => {
    server = await inTurn();
    const prices = { 'local/writer': { input: 1, output: 1 } };
    workspace = workspaceFor(server, asking({ model }, { units, models: { prices } }));
    expect((await pawl(workspace, 'run')).code).toBe(0);
  }, 60_000);

  it('may change at any time: nothing is refused, and nothing runs again', async () => {
    const elsewhere = await inTurn();
    const models: JsonObject = {
      use: { scribe: 'local/writer', other: 'openai/gpt-5' },
      providers: {
        local: { ...local, base_url: '$OTHER_URL', headers: { 'X-Team': 'books' }, concurrency: 2 },
        another: { base_url: 'http://127.0.0.1:9/v1' },
      },
      prices: { 'local/writer': { input: 70, output: 90, cache_read: 1 } },
      limits: { 'local/writer': { requests_per_minute: 5 } },
    };
    const phase = { model: { ...model, use: 'scribe' }, reuse: 'content', budget: { usd: 3 } };
    write(workspace, 'pawl.yaml', asking(phase, { units, models, budget: { usd: 5, tokens: 99_999 } }));
    const moved = withEnv(workspace, { OTHER_URL: `${elsewhere.url}/v1` });
    expect(await pawlJson(moved, 'run')).toMatchObject({ ok: true, kind: 'unchanged' });
    expect(server.asked).toHaveLength(2);
    expect(elsewhere.asked).toHaveLength(0);
    // What was recorded stays what it was.
    const { total } = await pawlJson<{ total: { spent: { usd: number } } }>(moved, 'cost');
    expect(total.spent.usd).toBe(0.000008);
  });
});

describe('another model or parameter', () => {
  let server: ModelServer;
  let workspace: TestWorkspace;
  let refusing = true;

  beforeAll(async () => {
    server = await serve((asked) =>
      refusing && unitAsked(asked) === 'b' ? refuse(400) : answer(`by ${asked.model}`),
    );
    workspace = workspaceFor(server, asking({ model }, { units, models: { use: { one: 'local/writer' } } }));
    expect((await pawl(workspace, 'run')).code).toBe(1);
    refusing = false;
  }, 60_000);

  it.each([
    [
      'the model itself',
      { model: { ...model, use: 'local/poet' } },
      {},
      'phases.write.model.use',
      '"local/writer"',
      '"local/poet"',
    ],
    [
      'what a name stands for',
      { model: { ...model, use: 'one' } },
      { use: { one: 'local/poet' } },
      'phases.write.model.use',
      '"local/writer"',
      '"local/poet"',
    ],
    [
      'the temperature',
      { model: { ...model, temperature: 0.9 } },
      {},
      'phases.write.model.temperature',
      '0.7',
      '0.9',
    ],
    ['the length', { model: { ...model, max_tokens: 99 } }, {}, 'phases.write.model.max_tokens', '400', '99'],
  ] as const)(
    '%s: is refused with its path, the old value and the new',
    async (_, phase, models, ...told) => {
      write(workspace, 'pawl.yaml', asking({ ...phase }, { units, models: { ...models } }));
      const asked = server.asked.length;
      const { code, stdout, stderr } = await pawl(workspace, 'run');
      expect(code).toBe(4);
      const [path, before, after] = told;
      expect(`${stdout}${stderr}`).toContain(`${path}: ${before} → ${after}`);
      expect(server.asked).toHaveLength(asked);
    },
  );

  it('is gone on with by --force: what is finished is kept, what is not asks the new one', async () => {
    const forced = copyOf(workspace);
    write(forced, 'pawl.yaml', asking({ model: { ...model, use: 'local/poet' } }, { units }));
    const { code, stderr } = await pawl(forced, 'run', '--force');
    expect(code, stderr).toBe(0);
    expect(read(forced, 'out/a.md')).toBe('by writer\n');
    expect(read(forced, 'out/b.md')).toBe('by poet\n');
    expect(server.asked.map((asked) => [unitAsked(asked), asked.model])).toEqual([
      ['a', 'writer'],
      ['b', 'writer'],
      ['b', 'poet'],
    ]);
    expect((await pawl(forced, 'run')).code).toBe(0);
    expect(server.asked).toHaveLength(3);
    // What is finished is done again where somebody wants that.
    expect((await pawl(forced, 'run', '--rerun-from', 'write', '--unit', 'a')).code).toBe(0);
    expect(read(forced, 'out/a.md')).toBe('by poet\n');
    expect(server.asked).toHaveLength(4);
  });
});

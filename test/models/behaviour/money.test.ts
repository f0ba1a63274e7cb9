import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Answer, pawl, pawlJson, pawlProcess, start } from '../../support/command.ts';
import { read, write } from '../../support/workspace.ts';
import { latch, modelServer } from '../server.ts';
import { answer, asking, inTurn, of, reasons, refuse, serve, until, workspaceFor } from '../support.ts';

/* What is said of money has to be true: which calls are the same to a provider, and what may have been paid. */

/** A cent for each token of the input; an answer is at most ten of the output. */
const prices: JsonObject = { 'local/writer': { input: 1000, output: 1000 } };
const capped: JsonObject = { model: { use: 'local/writer', max_tokens: 10 } };
const usage = { input: 10, output: 0 };
const channels = ['script', 'terminal'];

it('a call is the same to its provider until it has brought an answer', async () => {
  const server = await inTurn(
    { do: 'drop', after: 2, text: 'never to its end' },
    refuse(500),
    refuse(429, { headers: { 'retry-after': '0' } }),
    answer('', { usage }),
    answer('whole', { usage }),
  );
  const workspace = workspaceFor(server, asking({ retries: { attempts: 9, backoff: '1ms' } }));
  const { code, stderr } = await pawl(workspace, 'run');
  expect(code, stderr).toBe(0);
  expect(reasons(workspace)).toEqual(['connection-lost', 'server-error', 'rate-limited', 'answer-empty']);
  const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
  // The fifth wants another answer than the empty one that the fourth has brought.
  expect(new Set(keys.slice(0, 4)).size).toBe(1);
  expect(new Set(keys).size).toBe(2);
});

it('another prompt is another call, also after a broken stream', async () => {
  const broken = { do: 'drop', after: 2, text: 'never to its end' } as const;
  const server = await inTurn(broken, broken, broken);
  const workspace = workspaceFor(server, asking());
  expect((await pawl(workspace, 'run')).code).toBe(1);
  write(workspace, 'prompt.md', `${read(workspace, 'prompt.md')}\nIn other words.\n`);
  const again = await pawl(workspace, 'run');
  expect(again.code, again.stderr).toBe(0);
  const keys = server.asked.map(({ headers }) => headers['idempotency-key']);
  expect([new Set(keys.slice(0, 3)).size, new Set(keys).size]).toEqual([1, 2]);
});

it('a budget that runs out between two tries is a question, and no failure', async () => {
  const server = await serve(() => answer('', { usage }));
  const more = { channels, budget: { usd: 0.015 }, models: { prices } };
  const workspace = workspaceFor(
    server,
    asking({ ...capped, retries: { attempts: 5, backoff: '1ms' } }, more),
  );
  const told = await pawlJson<Answer & { stops: unknown[] }>(workspace, 'run');
  expect([told.exitCode, told.reason, told.stops]).toEqual([3, 'waits-for-person', []]);
  expect(server.asked).toHaveLength(2);
  expect((await pawl(workspace, 'run')).code).toBe(3);
  expect((await pawl(workspace, 'approve', 'C1')).code).toBe(0);
  expect(server.asked).toHaveLength(2);
});

it('in doubt is no part of what was spent, wherever both are shown', async () => {
  const server = await inTurn(answer('yes', { usage }), { do: 'drop', after: 2, text: 'never to its end' });
  const more = { units: ['a', 'b'], pace: { concurrency: 1 }, budget: { usd: 9 }, models: { prices } };
  const workspace = workspaceFor(server, asking({ ...capped, retries: 1 }, more));
  expect((await pawl(workspace, 'run')).code).toBe(1);
  const { stdout } = await pawl(workspace, 'cost');
  const total = /^total .*(\$[0-9.]+) .*up to (\$[0-9.]+)$/m.exec(stdout);
  expect(total, stdout).not.toBeNull();
  expect(stdout).toContain(
    `budget of the whole run: ${total?.[1]} spent and up to ${total?.[2]} in doubt, of $9.00`,
  );
});

it('an interruption says which calls were cut off, and what may have been paid', async () => {
  const end = latch();
  const server = await serve(() => ({ do: 'hang', after: 1, text: 'never to its end', until: end.opened }));
  const workspace = workspaceFor(
    server,
    asking(capped, { units: ['a', 'b'], pace: { concurrency: 2 }, models: { prices } }),
  );
  const running = start(workspace, ['run']);
  await server.waitFor(2);
  running.kill('SIGINT');
  await running.line('finishing what runs');
  running.kill('SIGINT');
  const { code, stdout } = await running.ended;
  expect(code).toBe(130);
  expect(stdout).toMatch(
    /2 calls were cut off and up to \$[0-9.]+ may have been paid; finished steps are kept/,
  );
  expect(stdout).not.toContain('nothing is lost');
  end.open();
});

it('an answer that asks for a tool was not cut off', async () => {
  const server = await inTurn(answer('Let me look.', { usage, finish: 'tool-calls' }));
  const workspace = workspaceFor(server, asking({ retries: 1 }));
  const { code, stdout } = await pawl(workspace, 'run');
  expect(code).toBe(1);
  expect(of(workspace, 'attempt_failed').map(({ reason }) => reason)).toEqual(['answer-calls-tool']);
  expect(stdout).toContain('the model asked for a tool that this phase does not offer');
  expect(stdout).not.toContain('cut off');
});

it('a call is in doubt only once its request is sent: not while its provider is loaded', async () => {
  const server = await inTurn();
  const models = {
    providers: { local: { function: './provider.mjs#answer' } },
    prices: { 'local/writer': { input: 1000, output: 1000 } },
  };
  const workspace = workspaceFor(server, asking({ ...capped, on_interrupt: 'ask' }, { models }), {
    'provider.mjs': "process.kill(process.pid, 'SIGKILL');\nexport const answer = () => 'yes';\n",
  });
  expect((await pawlProcess(workspace, 'run')).signal).toBe('SIGKILL');
  expect(of(workspace, 'run_created')).toHaveLength(1);
  expect(of(workspace, 'attempt_started')).toEqual([]);
  const { total } = await pawlJson<{ total: { inDoubt: JsonObject } }>(workspace, 'cost');
  expect(total.inDoubt).toEqual({ calls: 0, usd: 0 });
  write(workspace, 'provider.mjs', "export const answer = () => 'yes';\n");
  expect((await pawl(workspace, 'run')).code).toBe(0);
});

it('a call to a server that takes no connection is not in doubt, and uses up no budget', async () => {
  const server = await modelServer(() => answer('never asked'));
  await server.close();
  const more = { channels, budget: { usd: 0.015 }, models: { prices } };
  const retried = { ...capped, retries: { attempts: 3, backoff: '1ms' } };
  const workspace = workspaceFor(server, asking(retried, more));
  expect((await pawl(workspace, 'run')).code).toBe(1);
  expect(reasons(workspace)).toEqual(['connection-lost', 'connection-lost', 'connection-lost']);
  const { total } = await pawlJson<{ total: { inDoubt: JsonObject } }>(workspace, 'cost');
  expect(total.inDoubt).toEqual({ calls: 0, usd: 0 });
});

it('a call that waits for the answer to the same call is not in doubt when both are interrupted', async () => {
  const end = latch();
  const server = await serve(() => ({ do: 'hang', after: 1, text: 'never to its end', until: end.opened }));
  const more = { units: ['a', 'b'], pace: { concurrency: 2 }, models: { prices } };
  const workspace = workspaceFor(server, asking({ ...capped, reuse: 'content', prompt: 'same.md' }, more), {
    'same.md': 'Say it.',
  });
  const running = start(workspace, ['run']);
  await server.waitFor(1);
  await until(() => of(workspace, 'attempt_started').length === 2);
  running.kill('SIGINT');
  await running.line('finishing what runs');
  running.kill('SIGINT');
  expect((await running.ended).stdout).toContain('1 call was cut off');
  const { total } = await pawlJson<{ total: { inDoubt: { calls: number } } }>(workspace, 'cost');
  expect(total.inDoubt.calls).toBe(1);
  expect(of(workspace, 'attempt_interrupted').filter(({ unsent }) => unsent)).toHaveLength(1);
  end.open();
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Finished, pawl, pawlJson, pawlKilledAt } from '../../support/command.ts';
import { type TestWorkspace, write } from '../../support/workspace.ts';
import { latch, type ModelServer } from '../server.ts';
import { answer, asking, manifest, of, only, serve, unitAsked, workspaceFor } from '../support.ts';

/* What may be spent, over every resume. At the limit a person is asked; nothing fails, nothing is lost or done twice. */

/** A cent for each call, and ten tokens. */
const prices: JsonObject = { 'local/writer': { input: 1000, output: 0 } };
const usage = { input: 10, output: 0 };
/** A script may answer here. */
const channels = ['script', 'terminal'];

function units(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `u${at + 1}`);
}

function spending(budget: JsonObject, more: JsonObject = {}, phase: JsonObject = {}): string {
  return asking(phase, { units: units(7), channels, budget, models: { prices }, ...more });
}

function cents(): Promise<ModelServer> {
  return serve(() => answer('yes', { usage }));
}

interface RunJson {
  readonly reason?: string;
  readonly limits: readonly {
    readonly limit: string;
    readonly phase: string;
    readonly value: number;
    readonly max: number;
    readonly asks?: { readonly id: string };
  }[];
  readonly notices: readonly { readonly code: string; readonly limit?: string }[];
}

describe('a budget in money', () => {
  let server: ModelServer;
  let workspace: TestWorkspace;
  let killed: Finished;
  /** The sitting after that, and how often was asked until then. */
  let reached: RunJson & { readonly finished: Finished };
  let askedThen: number;
  let again: Finished;
  let listed: Finished;
  let plan: Finished;
  let askedAgain: number;
  let approved: Finished;
  let granted: RunJson & { readonly finished: Finished };
  let askedGranted: number;
  let raised: Finished;

  beforeAll(async () => {
    server = await cents();
    workspace = workspaceFor(server, spending({ usd: 0.03 }));
    killed = await pawlKilledAt(workspace, 'u2 finished', 'run');
    reached = await pawlJson<RunJson>(workspace, 'run');
    askedThen = server.asked.length;
    again = await pawl(workspace, 'run');
    listed = await pawl(workspace, 'checkpoints');
    plan = await pawl(workspace, 'plan');
    askedAgain = server.asked.length;
    approved = await pawl(workspace, 'approve', 'C1', '--note', 'it is worth it');
    granted = await pawlJson<RunJson>(workspace, 'run');
    askedGranted = server.asked.length;
    write(workspace, 'pawl.yaml', spending({ usd: 5 }));
    raised = await pawl(workspace, 'run');
  }, 120_000);

  it('holds over every resume, however the sitting before ended', () => {
    expect(killed.signal).toBe('SIGKILL');
    expect(askedThen).toBe(3);
    expect(reached.finished.code).toBe(3);
    expect(reached).toMatchObject({
      ok: false,
      reason: 'waits-for-person',
      limits: [{ limit: 'budget_usd', phase: '', value: 0.03, max: 0.03, asks: { id: 'C1' } }],
    });
    expect(of(workspace, 'attempt_failed')).toEqual([]);
  });

  it('is asked about once, and nothing starts before it is answered', () => {
    expect(again.code).toBe(3);
    expect(`${again.stdout}${again.stderr}`).toContain('the whole run: $0.03 spent, and the budget is $0.03');
    expect(askedAgain).toBe(3);
    expect(listed.stdout).toContain('C1');
    expect(listed.stdout).not.toContain('C2');
    expect(plan.stdout).toContain('run would ask a person and start nothing');
  });

  it('is granted as much again by a person', () => {
    expect(approved.code, approved.stderr).toBe(0);
    expect(granted.finished.code).toBe(3);
    expect(askedGranted).toBe(6);
    expect(granted.limits).toMatchObject([{ limit: 'budget_usd', asks: { id: 'C2' } }]);
    expect(of(workspace, 'checkpoint_asked')).toHaveLength(2);
  });

  it('may be raised in the manifest, and no guard has a word to say', async () => {
    expect(raised.code, raised.stderr).toBe(0);
    // Each once: nothing was lost, and nothing was paid twice.
    expect(server.asked.map(unitAsked)).toEqual(units(7));
    expect(of(workspace, 'attempt_started')).toHaveLength(7);
    const { total } = await pawlJson<{ total: { spent: JsonObject } }>(workspace, 'cost');
    expect(total.spent).toMatchObject({ usd: 0.07, inputTokens: 70 });
  });
});

describe('a budget', () => {
  it.each([
    ['in tokens', { tokens: 25 }, {}, 'budget_tokens', '', 3],
    ['in time', { time: '1ms' }, {}, 'budget_time', '', 1],
    ['of a phase in money', undefined, { budget: { usd: 0.02 } }, 'budget_usd', 'write', 2],
    ['of a phase in tokens', undefined, { budget: { tokens: 11 } }, 'budget_tokens', 'write', 2],
    ['of a phase in time', undefined, { budget: { time: '1ms' } }, 'budget_time', 'write', 1],
  ] as const)('%s is asked about, and granted', async (_, top, phase, limit, of, asked) => {
    const server = await cents();
    const text = asking(
      { ...phase },
      { units: units(4), channels, models: { prices }, ...(top && { budget: top }) },
    );
    const workspace = workspaceFor(server, text);
    const { finished, limits } = await pawlJson<RunJson>(workspace, 'run');
    expect(finished.code).toBe(3);
    expect(limits).toMatchObject([{ limit, phase: of, asks: { id: 'C1' } }]);
    expect(server.asked).toHaveLength(asked);
    expect((await pawl(workspace, 'approve', 'C1', '--note', 'go on')).code).toBe(0);
    expect([0, 3]).toContain((await pawl(workspace, 'run')).code);
    expect(server.asked.length).toBeGreaterThan(asked);
    expect(new Set(server.asked.map(unitAsked)).size).toBe(server.asked.length);
  });

  it('of one phase counts that phase alone', async () => {
    const server = await cents();
    const phase = (more: JsonObject): JsonObject => ({ model: 'local/writer', prompt: 'prompt.md', ...more });
    const phases = {
      plan: phase({ outputs: { text: 'out/{unit}.plan.md' } }),
      write: phase({ outputs: { text: 'out/{unit}.md' }, budget: { usd: 0.03 } }),
    };
    const text = manifest(phases, { units: units(2), channels, models: { prices } });
    const workspace = workspaceFor(server, text);
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(server.asked).toHaveLength(4);
  });

  it('counts what failed as well', async () => {
    const server = await serve(() => answer('yes', { usage, finish: 'length' }));
    const workspace = workspaceFor(
      server,
      spending({ usd: 0.03 }, {}, { retries: { attempts: 2, backoff: '1ms' } }),
    );
    const { finished } = await pawlJson<RunJson>(workspace, 'run');
    expect(server.asked).toHaveLength(3);
    expect([1, 3]).toContain(finished.code);
  });

  it('is told of from a share of it on', async () => {
    const server = await cents();
    const workspace = workspaceFor(server, spending({ usd: 0.1, warn_at: '60%' }));
    const { finished, notices } = await pawlJson<RunJson>(workspace, 'run');
    expect(finished.code).toBe(0);
    expect(notices).toMatchObject([{ code: 'budget-near', limit: 'budget_usd' }]);
    write(workspace, 'pawl.yaml', spending({ usd: 0.1, warn_at: '80%' }));
    const later = await pawlJson<RunJson>(workspace, 'run');
    expect(later.notices).toEqual([]);
  });

  it('that calls under way may come to lets no more start than fit in it', async () => {
    const server = await cents();
    // Each may cost two cents at most, and in the end costs one.
    const model = { use: 'local/writer', max_tokens: 10 };
    const stake: JsonObject = { 'local/writer': { input: 500, output: 1500 } };
    const more = { pace: { concurrency: 6 }, models: { prices: stake } };
    const workspace = workspaceFor(server, spending({ usd: 0.03 }, more, { model }));
    expect((await pawl(workspace, 'run')).code).toBe(3);
    expect(server.maxInFlight).toBeLessThanOrEqual(2);
    const { total } = await pawlJson<{ total: { spent: { usd: number } } }>(workspace, 'cost');
    expect(total.spent.usd).toBeLessThanOrEqual(0.04);
  });

  it('reserves by what calls have cost once five were answered, so that they run side by side', async () => {
    const stake: JsonObject = { 'local/writer': { input: 1000, output: 1000 } };
    const model = { use: 'local/writer', max_tokens: 100 };
    const more = { pace: { concurrency: 4 }, models: { prices: stake }, units: units(12) };
    const sideBySide = latch();
    // A call may cost ten cents, and costs one. From the sixth on none is answered before four are under way.
    const server: ModelServer = await serve(async ({ nth }) => {
      if (server.inFlight() === 4) sideBySide.open();
      if (nth > 5) await sideBySide.opened;
      return answer('yes', { usage });
    });
    const workspace = workspaceFor(server, spending({ usd: 0.2 }, more, { model }));
    const { code, stderr } = await pawl(workspace, 'run');
    expect(code, stderr).toBe(0);
    expect(server.asked).toHaveLength(12);
    expect(stderr).toMatch(/near the budget: [12] steps? at a time/);

    const careful = await cents();
    const strict = workspaceFor(careful, spending({ usd: 0.2, strict: true }, more, { model }));
    expect((await pawl(strict, 'run')).code).toBe(0);
    expect(careful.maxInFlight).toBeLessThanOrEqual(2);
  });

  it('in money needs a price for every model under it', async () => {
    const server = await cents();
    const workspace = workspaceFor(server, asking({}, { budget: { usd: 1 } }));
    const { code, stderr, stdout } = await pawl(workspace, 'run');
    expect(code).toBe(2);
    expect(`${stdout}${stderr}`).toContain('local/writer');
    expect(server.asked).toEqual([]);
  });

  it('that a person will not raise ends the run, and loses nothing', async () => {
    const server = await cents();
    const workspace = workspaceFor(server, spending({ usd: 0.01 }));
    expect((await pawl(workspace, 'run')).code).toBe(3);
    expect((await pawl(workspace, 'reject', 'C1', '--feedback', 'that was all')).code).toBe(0);
    expect((await pawl(workspace, 'run')).code).toBe(1);
    expect(server.asked).toHaveLength(1);
    const past = await pawl(workspace, 'run', '--past-limits', '--reason', 'I changed my mind');
    expect([0, 3]).toContain(past.code);
    expect(server.asked.length).toBeGreaterThan(1);
    expect(only(workspace, 'attempt_succeeded', 'u1/write')).toBeDefined();
  });
});

import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { pawl, pawlJson } from '../../support/command.ts';
import { write } from '../../support/workspace.ts';
import { answer, asking, serve, workspaceFor } from '../support.ts';

/* What a plan expects to be spent: by the calls of this run, before them by `max_tokens`; and against the budget. */

/** A call costs one cent; with the longest answer it would cost a little more than ten. */
const prices: JsonObject = { 'local/writer': { input: 1000, output: 1000 } };
const usage = { input: 10, output: 0 };
const units = Array.from({ length: 7 }, (_, at) => `u${at + 1}`);

function limited(usd: number | undefined, phase: JsonObject = {}): string {
  const model = { use: 'local/writer', max_tokens: 100 };
  return asking({ model, ...phase }, { units, models: { prices }, ...(usd && { budget: { usd } }) });
}

interface PlanJson {
  readonly calls: { readonly usd: number; readonly usdMax: number; readonly budgets: JsonObject[] };
  readonly plan: { readonly notices: readonly JsonObject[] };
}

it('before the first call a plan tells the most that it may cost, and warns of a budget that may not suffice', async () => {
  const server = await serve(() => answer('yes', { usage }));
  const workspace = workspaceFor(server, limited(0.5));
  const { stdout } = await pawl(workspace, 'plan');
  expect(stdout).toMatch(/ask +local\/writer for write: 7 calls.*; at most \$0\.7\d$/m);
  expect(stdout).toMatch(/^ {2}budget +\$0\.50 left of \$0\.50$/m);
  expect(stdout).toMatch(
    /! budget of the whole run: \$0\.50 left, and the plan may need up to \$0\.7\d; at the limit the run asks/,
  );
  write(workspace, 'pawl.yaml', limited(0.8));
  expect((await pawl(workspace, 'plan')).stdout).not.toContain('the plan may need');
  write(workspace, 'pawl.yaml', limited(undefined, { model: 'local/writer' }));
  expect((await pawl(workspace, 'plan')).stdout).toMatch(
    /about \$28\.\d\d \(no limit: max_tokens is not set\)$/m,
  );
});

it('after calls were answered a plan expects what those came to, and run warns before it starts', async () => {
  const server = await serve(() => answer('yes', { usage }));
  const workspace = workspaceFor(server, limited(0.05));
  expect((await pawl(workspace, 'run')).code).toBe(3);
  expect(server.asked).toHaveLength(5);

  write(workspace, 'pawl.yaml', limited(1));
  const enough = await pawl(workspace, 'plan');
  expect(enough.stdout).toMatch(/write: 2 calls.*; about \$0\.02 \(at most \$0\.2\d\)$/m);
  expect(enough.stdout).toMatch(/^ {2}budget +\$0\.95 left of \$1\.00$/m);
  expect(enough.stdout).not.toContain('the plan needs');

  write(workspace, 'pawl.yaml', limited(0.06));
  const planned = await pawlJson<PlanJson>(workspace, 'plan');
  expect(planned.calls).toMatchObject({
    usd: 0.02,
    budgets: [{ limit: 'budget_usd', left: 0.01, max: 0.06 }],
  });
  expect(planned.calls.usdMax).toBeGreaterThan(0.2);
  const warning =
    /! budget of the whole run: \$0\.01 left, but the plan needs about \$0\.02 \(at most \$0\.2\d\); at the limit the run asks/;
  const { stderr, code } = await pawl(workspace, 'run');
  expect(code).toBe(3);
  expect(stderr).toMatch(warning);
  expect(stderr.search(warning)).toBeLessThan(stderr.indexOf('u6/write started'));
  expect(server.asked).toHaveLength(6);
});

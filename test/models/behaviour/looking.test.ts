import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { pawl, pawlJson } from '../../support/command.ts';
import { copyOf, hashes, type TestWorkspace, write } from '../../support/workspace.ts';
import type { ModelServer } from '../server.ts';
import { answer, manifest, serve, unitAsked, workspaceFor } from '../support.ts';

/* What would be asked, what was asked, and what that has cost. Whoever looks changes nothing, and asks nobody. */

const prices: JsonObject = {
  'local/planner': { input: 1000, output: 1000 },
  'local/writer': { input: 10_000, output: 20_000 },
};
const usage = { input: 10, output: 5 };
const phases: JsonObject = {
  plan: {
    model: { use: 'local/planner', temperature: 0, max_tokens: 100 },
    prompt: { system: 'system.md', phase: 'plan.md' },
    outputs: { text: 'out/{unit}.plan.md' },
    retries: { backoff: '1ms' },
  },
  write: {
    model: { use: 'local/writer', max_tokens: 50 },
    prompt: 'write.md',
    outputs: { text: 'out/{unit}.md' },
    retries: { attempts: 2, backoff: '1ms' },
  },
};
const files = {
  'system.md': 'You plan.\n',
  // The third unit asks for the same plan as the first.
  'plan.md': 'Say {{ unit.as | default: unit.id }}. A plan.\n',
  'write.md': 'Say {{ unit.id }}. Write after:\n{{ inputs.text }}',
};
const units = ['a', 'b', { id: 'c', as: 'a' }];

interface PlanJson {
  readonly calls: {
    readonly usd: number;
    readonly models: readonly {
      readonly model: string;
      readonly phases: readonly string[];
      readonly ready: number;
      readonly waiting: number;
      readonly inputTokens: number;
      readonly usd: number;
    }[];
  };
}

interface CostJson {
  readonly rows: readonly CostRow[];
  readonly total: CostRow;
}

interface CostRow {
  readonly name: string;
  readonly calls: number;
  readonly spent: { readonly usd: number };
  readonly wasted: { readonly usd?: number };
  readonly saved: { readonly usd?: number };
}

let server: ModelServer;
let workspace: TestWorkspace;

beforeAll(async () => {
  let isFirst = true;
  server = await serve((asked) => {
    const isWrite = asked.prompt.includes('Write after');
    if (isWrite && unitAsked(asked) === 'b' && isFirst) {
      isFirst = false;
      return answer('cut of', { usage, finish: 'length' });
    }
    return answer(isWrite ? `text of ${unitAsked(asked)}` : `plan of ${unitAsked(asked)}`, { usage });
  });
  workspace = workspaceFor(server, manifest(phases, { units, models: { prices } }), files);
});

describe('before anything is paid', () => {
  it('plan says what would be asked, and what that may cost at most', async () => {
    const before = hashes(workspace);
    const { calls } = await pawlJson<PlanJson>(workspace, 'plan');
    const [planner, writer] = calls.models;
    expect(planner).toMatchObject({ model: 'local/planner', phases: ['plan'], ready: 3, waiting: 0 });
    expect(writer).toMatchObject({ model: 'local/writer', phases: ['write'], ready: 0, waiting: 3 });
    // Three answers of a hundred tokens, and about ten of each prompt.
    expect(planner?.usd).toBeGreaterThan(0.3);
    expect(planner?.usd).toBeLessThan(0.36);
    expect(planner?.inputTokens).toBeGreaterThan(12);
    expect(planner?.inputTokens).toBeLessThan(60);
    const { stdout } = await pawl(workspace, 'plan');
    expect(stdout).toMatch(
      /ask +local\/planner for plan: 3 calls, about \d+ tokens to send now; at most \$0\.3/,
    );
    expect(stdout).toMatch(/ask +local\/writer for write: 3 calls, 3 of them later/);
    expect(hashes(workspace)).toEqual(before);
    expect(server.asked).toEqual([]);
  });

  it('prompt shows what would be sent, and what cannot be told yet', async () => {
    const { stdout, code } = await pawl(workspace, 'prompt', 'c/plan');
    expect(code).toBe(0);
    expect(stdout).toContain('You plan.');
    expect(stdout).toContain('Say a. A plan.');
    expect(stdout).toContain('local/planner');
    expect(stdout).toMatch(/about \$0\.1/);
    const waiting = await pawl(workspace, 'prompt', 'a/write');
    expect(waiting.code).toBe(4);
    expect(`${waiting.stdout}${waiting.stderr}`).toContain('it waits for');
    expect(server.asked).toEqual([]);
  });
});

describe('after a run', () => {
  beforeAll(async () => {
    const { code, stderr } = await pawl(workspace, 'run');
    expect(code, stderr).toBe(0);
    expect(server.asked).toHaveLength(6);
  }, 60_000);

  /** Of one plan and of one text. */
  const [plan, text] = [0.015, 0.2];

  it('cost has what was spent, wasted and saved, by phase', async () => {
    const { rows, total } = await pawlJson<CostJson>(workspace, 'cost');
    expect(rows).toMatchObject([
      { name: 'write', calls: 4, spent: { usd: text * 4 }, wasted: { usd: text }, saved: {} },
      { name: 'plan', calls: 2, spent: { usd: plan * 2 }, wasted: {}, saved: { usd: plan } },
    ]);
    expect(total).toMatchObject({
      calls: 6,
      spent: { usd: 0.83 },
      wasted: { usd: text },
      saved: { usd: plan },
    });
    const { stdout } = await pawl(workspace, 'cost');
    expect(stdout).toMatch(/total +6 +60 +30 +\$0\.83 +\$0\.20 +\$0\.015/);
  });

  it('cost by model, by unit and by run add up to the same', async () => {
    const by = async (what: string) => await pawlJson<CostJson>(workspace, 'cost', '--by', what);
    const [model, unit, run] = [await by('model'), await by('unit'), await by('run')];
    expect(model.rows.map(({ name, spent }) => [name, spent.usd])).toEqual([
      ['local/writer', 0.8],
      ['local/planner', 0.03],
    ]);
    expect(unit.rows.map(({ name, spent }) => [name, spent.usd])).toEqual([
      ['b', 0.415],
      ['a', 0.215],
      ['c', 0.2],
    ]);
    expect(run.rows).toMatchObject([{ calls: 6, spent: { usd: 0.83 } }]);
    for (const { total } of [model, unit, run])
      expect(total).toMatchObject({ calls: 6, spent: { usd: 0.83 } });
  });

  it('cost by run counts every run of the workspace', async () => {
    const copy = copyOf(workspace);
    expect((await pawl(copy, 'run', '--fresh')).code).toBe(0);
    const { rows, total } = await pawlJson<CostJson>(copy, 'cost', '--by', 'run');
    expect(rows).toHaveLength(2);
    expect(total).toMatchObject({ calls: 9, saved: { usd: plan * 4 } });
    const { finished } = await pawlJson(workspace, 'cost', '--by', 'moon');
    expect(finished.code).toBe(2);
  });

  it('logs have prompt and response of each attempt', async () => {
    const { stdout, code } = await pawl(workspace, 'logs', 'b/write', '--all', '--attempt', 'all');
    expect(code).toBe(0);
    const [first = '', second = ''] = stdout.split(/^b\/write attempt 2/m);
    expect(first).toContain('the answer was cut off');
    expect(first).toContain('| cut of');
    expect(first).toContain('Write after:');
    expect(second).toContain('| text of b');
    expect(second).toContain('ended with stop');
  });

  it('prompt is the one that was sent, and --diff shows what an edit makes of it', async () => {
    const same = await pawl(workspace, 'prompt', 'b/plan', '--diff');
    expect(same.code).toBe(0);
    expect(same.stdout).toContain('is the one that attempt 1 was sent');
    const asked = server.asked.length;
    const edited = copyOf(workspace);
    write(edited, 'plan.md', 'Say {{ unit.as | default: unit.id }}. A plan in three steps.\n');
    const { stdout, code } = await pawl(edited, 'prompt', 'b/plan', '--diff');
    expect(code).toBe(0);
    expect(stdout).toContain('-Say b. A plan.');
    expect(stdout).toContain('+Say b. A plan in three steps.');
    expect(stdout).not.toContain('+You plan.');
    const whole = await pawl(edited, 'prompt', 'b/plan');
    expect(whole.stdout).toContain('attempt 1 was sent another one');
    expect(server.asked).toHaveLength(asked);
  });
});

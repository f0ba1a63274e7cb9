import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Finished, pawl, pawlJson, pawlKilledAt, type Running, start } from '../../support/command.ts';
import { type Door, openDoor } from '../../support/door.ts';
import { has, read, type TestWorkspace, write } from '../../support/workspace.ts';
import type { ModelServer } from '../server.ts';
import {
  answer,
  asking,
  attemptFolder,
  inTurn,
  of,
  ofAttempt,
  only,
  reasons,
  serve,
  until,
  workspaceFor,
} from '../support.ts';

/* The command is killed while it asks a model. What was paid for is not paid again, and what is not known is said. */

const prices: JsonObject = { 'local/writer': { input: 1000, output: 10_000 } };
const usage = { input: 100, output: 20 };
const usd = 0.3;

interface CostJson {
  readonly total: {
    readonly calls: number;
    readonly spent: { readonly usd?: number };
    readonly inDoubt: { readonly calls: number; readonly usd: number };
  };
}

/** Killed when the model has said half of its answer. */
async function killedInTheMiddle(phase: JsonObject = {}): Promise<[TestWorkspace, ModelServer]> {
  const server = await serve(({ nth }) =>
    nth === 1
      ? { do: 'hang', after: 2, until: new Promise(() => undefined), text: 'never heard to its end' }
      : answer('the answer', { usage }),
  );
  const text = asking({ model: { use: 'local/writer', max_tokens: 100 }, ...phase }, { models: { prices } });
  const workspace = workspaceFor(server, text);
  const running = start(workspace, ['run']);
  await server.waitFor(1);
  const response = `${attemptFolder(workspace, 'a/write#1')}/response.txt`;
  await until(() => has(workspace, response) && read(workspace, response) === 'never heard');
  running.kill('SIGKILL');
  expect((await running.ended).signal).toBe('SIGKILL');
  return [workspace, server];
}

describe('killed in the middle of a call', () => {
  let workspace: TestWorkspace;
  let server: ModelServer;
  /** What is told of it before anything else is done. */
  let views: Readonly<Record<'plan' | 'why' | 'status' | 'logs', Finished>>;
  let doubtful: CostJson;
  let again: Finished;

  beforeAll(async () => {
    [workspace, server] = await killedInTheMiddle();
    views = {
      plan: await pawl(workspace, 'plan'),
      why: await pawl(workspace, 'why', 'a/write'),
      status: await pawl(workspace, 'status'),
      logs: await pawl(workspace, 'logs', 'a/write'),
    };
    doubtful = await pawlJson<CostJson>(workspace, 'cost');
    again = await pawl(workspace, 'run');
  }, 120_000);

  it.each(['plan', 'why', 'status'] as const)(
    '%s says which model was asked, and what is at stake',
    (view) => {
      const { stdout, code } = views[view];
      expect(code).toBe(0);
      expect(stdout).toContain('local/writer');
      expect(stdout).toContain('$1.00');
    },
  );

  it('the attempt is in doubt, and counted apart', () => {
    const calls = of(workspace, 'attempt_started').map(({ call }) => call as { atStake: number });
    const { atStake } = calls[0] ?? { atStake: 0 };
    // 100 tokens of an answer, and a few of a prompt.
    expect(atStake).toBeGreaterThan(1);
    expect(atStake).toBeLessThan(1.1);
    expect(doubtful.total).toMatchObject({ spent: {}, inDoubt: { calls: 1, usd: atStake } });
    expect(views.logs.stdout).toContain('never ended: in doubt');
    expect(views.logs.stdout).toContain('never heard');
  });

  it('it is asked again by default, and what was in doubt stays so', async () => {
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain('local/writer');
    expect(server.asked).toHaveLength(2);
    expect(of(workspace, 'attempt_started').map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(read(workspace, 'out/a.md')).toBe('the answer\n');
    // Both calls are the same to whoever charges money.
    const names = server.asked.map(({ headers }) => headers['idempotency-key']);
    expect(names[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(names).size).toBe(1);
    const { total } = await pawlJson<CostJson>(workspace, 'cost');
    expect(total).toMatchObject({ calls: 1, spent: { usd }, inDoubt: { calls: 1 } });
  });

  it('with on_interrupt: ask nothing is started before somebody has said so', async () => {
    const [careful, asked] = await killedInTheMiddle({ on_interrupt: 'ask' });
    const { code, stderr, stdout } = await pawl(careful, 'run');
    expect(code).toBe(4);
    expect(`${stdout}${stderr}`).toContain('local/writer was asked, and up to $1.00 may have been paid');
    expect(asked.asked).toHaveLength(1);
    const again = await pawl(careful, 'run', '--rerun-from', 'write', '--unit', 'a');
    expect(again.code, again.stderr).toBe(0);
    expect(asked.asked).toHaveLength(2);
  });
});

const checked: JsonObject = {
  text: { path: 'out/{unit}.md', check: { function: './atDoor.mjs#look' } },
};
const atDoor = `import { knock } from './door.mjs';
export const look = async ({ unit }) => (await knock(\`check \${unit.id}\`)) !== 'fail' || 'not good enough';
`;

/** Ended when the whole answer is there, and is looked at by a check; it waits at the door. */
async function killedAfterTheAnswer(
  phase: JsonObject = {},
  end: (running: Running) => Promise<void> = kill,
): Promise<{ workspace: TestWorkspace; server: ModelServer; door: Door; behindDoor: TestWorkspace }> {
  const server = await inTurn(answer('the answer', { usage }), answer('another answer', { usage }));
  const text = asking({ outputs: checked, ...phase }, { models: { prices } });
  const workspace = workspaceFor(server, text, { 'atDoor.mjs': atDoor });
  const { door, workspace: behindDoor } = await openDoor(workspace, ['*']);
  const running = start(behindDoor, ['run']);
  await door.visit('check a');
  await end(running);
  expect(of(workspace, 'attempt_succeeded')).toEqual([]);
  return { workspace, server, door, behindDoor };
}

async function kill(running: Running): Promise<void> {
  running.kill('SIGKILL');
  expect((await running.ended).signal).toBe('SIGKILL');
}

/** As somebody does who will not wait for what runs. */
async function interruptTwice(running: Running): Promise<void> {
  running.kill('SIGINT');
  await running.line('finishing what runs');
  running.kill('SIGINT');
  expect((await running.ended).code).toBe(130);
}

describe('killed when the answer has arrived, and before it is recorded', () => {
  it('the next run takes it, asks nobody, and counts its cost once', async () => {
    const { workspace, server } = await killedAfterTheAnswer();
    const { code, stderr } = await pawl(workspace, 'run');
    expect(code, stderr).toBe(0);
    expect(server.asked).toHaveLength(1);
    expect(read(workspace, 'out/a.md')).toBe('the answer\n');
    const succeeded = only(workspace, 'attempt_succeeded');
    expect(succeeded).toMatchObject({ attempt: 2, call: { adopted: 1, request: 'req_1' }, cost: { usd } });
    const { total } = await pawlJson<CostJson>(workspace, 'cost');
    expect(total).toEqual({
      name: '',
      calls: 1,
      spent: { usd, inputTokens: 100, outputTokens: 20 },
      wasted: {},
      saved: {},
      inDoubt: { calls: 0, usd: 0 },
    });
    expect((await pawl(workspace, 'logs', 'a/write')).stdout).toContain(
      'the answer that attempt 1 had received',
    );
  });

  it('it is taken also when whoever wanted to take it is killed as well', async () => {
    const { workspace, server } = await killedAfterTheAnswer();
    for (let nth = 1; nth <= 2; nth++) {
      const killed = await pawlKilledAt(workspace, 'a/write started', 'run');
      expect(killed.signal).toBe('SIGKILL');
    }
    const { code, stderr } = await pawl(workspace, 'run');
    expect(code, stderr).toBe(0);
    expect(server.asked).toHaveLength(1);
    expect(read(workspace, 'out/a.md')).toBe('the answer\n');
    expect(only(workspace, 'attempt_succeeded').cost).toMatchObject({ usd });
    const { total } = await pawlJson<CostJson>(workspace, 'cost');
    expect(total).toMatchObject({ calls: 1, spent: { usd } });
  });

  it('it is checked like any other: one that does not pass is failed, and paid once', async () => {
    const { workspace, server, door, behindDoor } = await killedAfterTheAnswer({
      retries: { attempts: 1 },
    });
    const running = start(behindDoor, ['run']);
    (await door.visit('check a')).answer('fail');
    expect((await running.ended).code).toBe(1);
    expect(reasons(workspace)).toEqual(['check-failed']);
    expect(server.asked).toHaveLength(1);
    expect(only(workspace, 'attempt_failed').cost).toMatchObject({ usd });
  });

  it('it is not in doubt: on_interrupt: ask has nothing to ask', async () => {
    const { workspace, server } = await killedAfterTheAnswer({ on_interrupt: 'ask' });
    const { code, stderr } = await pawl(workspace, 'run');
    expect(code, stderr).toBe(0);
    expect(server.asked).toHaveLength(1);
  });

  it('it is not taken where its bytes are others than those that came', async () => {
    const { workspace, server } = await killedAfterTheAnswer();
    write(workspace, `${attemptFolder(workspace, 'a/write#1')}/response.txt`, 'the answor');
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(server.asked).toHaveLength(2);
    expect(read(workspace, 'out/a.md')).toBe('another answer\n');
  });

  it('it is not taken for another question', async () => {
    const { workspace, server } = await killedAfterTheAnswer();
    write(workspace, 'prompt.md', 'Shout {{ unit.id }}.\n');
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(server.asked.map(({ prompt }) => prompt.trim())).toEqual(['Say a.', 'Shout a.']);
    expect(read(workspace, 'out/a.md')).toBe('another answer\n');
    expect(ofAttempt(workspace, 'a/write#1', 'response.txt')).toBe('the answer');
  });
});

describe('ended by a signal', () => {
  it('when the answer has arrived: that is taken by the next run, and not paid again', async () => {
    const { workspace, server } = await killedAfterTheAnswer({}, interruptTwice);
    const { code, stderr } = await pawl(workspace, 'run');
    expect(code, stderr).toBe(0);
    expect(server.asked).toHaveLength(1);
    expect(read(workspace, 'out/a.md')).toBe('the answer\n');
    const { total } = await pawlJson<CostJson>(workspace, 'cost');
    expect(total).toMatchObject({ calls: 1, spent: { usd }, inDoubt: { calls: 0 } });
  });

  it('in the middle of a call: that ends with it, and is made again by the next run', async () => {
    const server = await serve(({ nth }) =>
      nth === 1
        ? { do: 'hang', after: 1, until: new Promise(() => undefined), text: 'half of it' }
        : answer('the answer'),
    );
    const workspace = workspaceFor(server, asking());
    const running = start(workspace, ['run']);
    await server.waitFor(1);
    await interruptTwice(running);
    await server.idle();
    expect(server.left).toEqual([1]);
    expect(of(workspace, 'attempt_interrupted')).toHaveLength(1);
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(read(workspace, 'out/a.md')).toBe('the answer\n');
    expect(reasons(workspace)).toEqual([]);
  });
});

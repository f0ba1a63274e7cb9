import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { type Finished, pawl, start } from '../../support/command.ts';
import { read, type TestWorkspace, withEnv } from '../../support/workspace.ts';
import type { ModelServer, Turn } from '../server.ts';
import {
  answer,
  asking,
  attemptFolder,
  filesWith,
  inTurn,
  keys,
  manifest,
  ofAttempt,
  reasons,
  refuse,
  serve,
  unitAsked,
  until,
  workspaceFor,
} from '../support.ts';

/* A provider that says the key aloud wherever it can, and a key in an input: it is nowhere to be found afterwards. */

const key = keys.LOCAL_API_KEY;
/** Half of a key is no key, but nothing of it has to be anywhere either. */
const half = key.slice(0, 16);
const password = 'correct-horse-battery';
/** Not ours: known by what it looks like. */
const foreign = 'sk-proj-Zm9yZWlnbi1rZXktMTIzNDU2';
/** What opens something, and what is known of it from the environment. */
const secrets = [half, password, foreign];
const own = { DATABASE_PASSWORD: password };

/** What the server does first, by unit. */
const turns: Record<string, Turn> = {
  said: answer(`The key is ${key}, the password ${password}, and ${key}${key}.`, { chunks: 60 }),
  json: answer(`{"key":"${key}"}`, { chunks: 9 }),
  error: refuse(500, { message: `Incorrect key ${key}, or ${foreign}.` }),
  // So that a cut at a round number goes through the key.
  long: refuse(500, { message: `${'x'.repeat(1975)}${key}` }),
  longer: refuse(500, { message: `${'x'.repeat(3975)}${key}` }),
  proxy: refuse(502, { body: `<p>Authorization: Bearer ${key}</p>` }),
  event: { do: 'error-event', kind: 'internal', message: `at ${key}`, after: 2, text: 'broken off' },
  limit: refuse(429, { message: `too many for ${key}`, headers: { 'retry-after': '0' } }),
  dropped: { do: 'drop', after: 30, text: `half of ${key} and more`, chunks: 40 },
  named: answer('yes', {
    model: `writer-${key}`,
    id: `id-${key}`,
    headers: { 'x-request-id': `req-${key}` },
  }),
  refused: refuse(400, { message: `No call with ${key}.` }),
  zlocked: refuse(401, { message: `Incorrect API key provided: ${key}.` }),
};
const units = Object.keys(turns);

/** What somebody wrote into an input, and the copy of it by which changes are told. */
function isOfPerson(path: string): boolean {
  return path === 'work/notes.md' || path.startsWith('work/.pawl/objects/');
}

describe('keys that are said aloud', () => {
  let server: ModelServer;
  let workspace: TestWorkspace;
  const outputs: Finished[] = [];

  beforeAll(async () => {
    const met = new Set<string>();
    server = await serve((asked) => {
      const unit = unitAsked(asked);
      const isFirst = !met.has(unit) || unit === 'refused';
      met.add(unit);
      return (isFirst && turns[unit]) || answer(`fine, ${key}`);
    });
    const phase: JsonObject = {
      inputs: { notes: 'notes' },
      retries: { attempts: 2, backoff: '1ms' },
    };
    const text = asking(phase, { units, inputs: { notes: 'notes.md' } });
    workspace = withEnv(
      workspaceFor(server, text, {
        'notes.md': `Remember: ${key} and ${password}.\n`,
        'prompt.md': 'Say {{ unit.id }}. Notes: {{ inputs.notes }}',
      }),
      own,
    );
    outputs.push(await pawl(workspace, 'run'), await pawl(workspace, 'run', '--json'));
    const views = [
      ...['status', 'plan', 'cost', 'inspect'].flatMap((view) => [[view], [view, '--json']]),
      ...['said', 'error', 'named', 'refused', 'zlocked'].map((unit) => [
        'logs',
        `${unit}/write`,
        '--all',
        '--attempt',
        'all',
        '--json',
      ]),
      ['logs', 'long/write', '--all', '--attempt', 'all'],
      ['logs', '--failed'],
      ['logs', '--failed', '--json', '--all'],
      ['why', 'refused/write', '--json'],
      ['prompt', 'said/write', '--json'],
      ['prompt', 'said/write', '--diff'],
      ['verify', '--json'],
      ['report'],
    ];
    outputs.push(...(await Promise.all(views.map((view) => pawl(workspace, ...view)))));
  }, 120_000);

  it('were said in every way that this test knows of', () => {
    expect(new Set(server.asked.map(unitAsked))).toEqual(new Set(units));
    expect(new Set(reasons(workspace))).toEqual(
      new Set(['server-error', 'connection-lost', 'rate-limited', 'call-refused', 'not-authorized']),
    );
    expect(outputs.map(({ code }) => code).filter((code) => code === 70 || code === null)).toEqual([]);
  });

  it('are in no file of the workspace or of the state outside, but where a person has written them', () => {
    for (const secret of secrets) {
      const found = filesWith(workspace, secret).filter((path) => !isOfPerson(path));
      expect([secret, found]).toEqual([secret, []]);
    }
    // The content store has the input as it is, and nothing else of it.
    const stored = filesWith(workspace, half).filter((path) => path.startsWith('work/.pawl/objects/'));
    const times = stored.map((path) => read(workspace, path.slice('work/'.length)).split(half).length - 1);
    expect(times).toEqual([1]);
  });

  it('are in nothing that a command prints', () => {
    for (const { stdout, stderr } of outputs) {
      const printed = `${stdout}${stderr}`;
      for (const secret of secrets)
        if (printed.includes(secret)) expect.fail(printed.slice(printed.indexOf(secret) - 200).slice(0, 300));
    }
  });

  it('are not sent to the provider with a prompt either', () => {
    for (const { messages } of server.asked) {
      expect(JSON.stringify(messages)).not.toContain(half);
      expect(messages[0]?.text).toContain('Remember: [LOCAL_API_KEY] and [DATABASE_PASSWORD].');
    }
  });

  it('leave their name in their place', () => {
    expect(read(workspace, 'out/said.md')).toBe(
      'The key is [LOCAL_API_KEY], the password [DATABASE_PASSWORD], and [LOCAL_API_KEY][LOCAL_API_KEY].\n',
    );
    expect(read(workspace, 'out/json.md')).toBe('{"key":"[LOCAL_API_KEY]"}\n');
    expect(ofAttempt(workspace, 'error/write#1', 'prompt.md')).toContain('[LOCAL_API_KEY]');
    expect(outputs.map(({ stdout }) => stdout).join('')).toContain('Incorrect key [LOCAL_API_KEY]');
  });
});

describe('a key', () => {
  it('is not on disk for a moment, however its pieces arrive', async () => {
    const never = new Promise<void>(() => undefined);
    const server = await serve(() => ({
      do: 'hang',
      after: 9,
      until: never,
      text: `so: ${key}${'.'.repeat(40)}`,
      chunks: 36,
    }));
    const workspace = workspaceFor(server, asking());
    const running = start(workspace, ['run']);
    await server.waitFor(1);
    const response = `${attemptFolder(workspace, 'a/write#1')}/response.txt`;
    await until(() => filesWith(workspace, 'so: ').some((path) => path.endsWith('response.txt')));
    running.kill('SIGKILL');
    await running.ended;
    expect(read(workspace, response)).not.toContain('sk-local');
    expect(filesWith(workspace, half)).toEqual([]);
  });

  it('in the address of a provider is as secret as any other', async () => {
    const server = await inTurn();
    const workspace = withEnv(workspaceFor(server, asking()), {
      LOCAL_URL: `${server.url.replace('http://', 'http://someone:hunter2-hunter2@')}/v1`,
    });
    const finished = await pawl(workspace, 'run');
    expect(`${finished.stdout}${finished.stderr}`).not.toContain('hunter2');
    expect(filesWith(workspace, 'hunter2')).toEqual([]);
    const logs = await pawl(workspace, 'logs', 'a/write', '--all', '--json');
    expect(`${logs.stdout}${logs.stderr}`).not.toContain('hunter2');
  });

  it('in a header of a provider is sent, and is nowhere else', async () => {
    const team = 'team-secret-77aa';
    const providers = {
      local: { base_url: '$LOCAL_URL', headers: { 'X-Team-Token': '$TEAM', Authorization: 'Bearer $TEAM' } },
    };
    const server = await serve(({ headers }) => answer(`You sent ${headers['x-team-token']}.`));
    const text = asking({}, { models: { providers } });
    const workspace = withEnv(workspaceFor(server, text), { TEAM: team });
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(server.asked[0]?.headers).toMatchObject({ 'x-team-token': team, authorization: `Bearer ${team}` });
    expect(read(workspace, 'out/a.md')).toBe('You sent [TEAM].\n');
    expect(filesWith(workspace, team)).toEqual([]);
  });

  it('is not in the prompt that a phase without a model keeps on disk', async () => {
    const server = await inTurn();
    const phases = {
      step: {
        run: { function: './phases.mjs#step' },
        inputs: { notes: 'notes' },
        prompt: 'step.md',
        outputs: { text: 'out/{unit}.txt' },
      },
    };
    const workspace = workspaceFor(server, manifest(phases, { inputs: { notes: 'notes.md' } }), {
      'notes.md': `Remember: ${key}.\n`,
      'step.md': 'Notes: {{ inputs.notes }}',
    });
    expect((await pawl(workspace, 'run')).code).toBe(0);
    expect(filesWith(workspace, half).filter((path) => path.endsWith('prompt.md'))).toEqual([]);
  });
});

import { spawnSync } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { library, libraryEnvironment } from '../support/library.ts';
import { canPretend, inTerminal } from '../support/terminal.ts';
import {
  edit,
  has,
  hashes,
  readJson,
  type TestWorkspace,
  withEnv,
  workspaceWith,
  write,
} from '../support/workspace.ts';

const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe('a command is told', () => {
  it('that a run is completed, with all the facts, and once', async () => {
    const work = workspace(manifest(tellCommand));
    const run = await pawlJson<RunJson>(work, 'run');
    expect(run).toMatchObject({
      exitCode: 0,
      notifications: [{ via: 'command', event: 'completed', ok: true }],
    });
    expect(told(work)).toMatchObject([
      {
        args: ['completed', run.heading.run, 'told', 'told (book=ember): completed, 1 of 1 unit done'],
        payload: {
          event: 'completed',
          run: run.heading.run,
          pipeline: 'told',
          identity: { book: 'ember' },
          status: 'completed',
          message: 'told (book=ember): completed, 1 of 1 unit done',
          waiting: [],
          exitCode: 0,
          counts: { units: 1, unitsFinished: 1, cells: 1, done: 1, succeeded: 1, failed: 0 },
        },
      },
    ]);

    const before = hashes(work);
    for (const command of ['run', 'status', 'plan', 'verify'])
      expect((await pawl(work, command)).code).toBe(0);
    expect(hashes(work)).toEqual(before);
  });

  it('that a person has to decide, and what; and not again before something has happened', async () => {
    const work = workspace(asking(tellCommand));
    for (const _ of [1, 2]) expect((await pawl(work, 'run')).code).toBe(3);
    expect(told(work)).toMatchObject([
      {
        args: ['waiting', expect.any(String), 'told', expect.stringContaining('a/lint')],
        payload: {
          status: 'waiting_human',
          exitCode: 3,
          waiting: [{ id: 'C1', unit: 'a', phase: 'lint', question: expect.stringContaining('fail') }],
        },
      },
    ]);
    expect((await pawl(work, 'approve', 'C1', '--note', 'good enough')).code).toBe(0);
    expect(told(work)).toHaveLength(1);
    expect((await pawl(work, 'resume')).code).toBe(0);
    expect(told(work)).toMatchObject([{}, { payload: { event: 'completed', exitCode: 0 } }]);
  });

  it('that a phase failed', async () => {
    const work = workspace(manifest(tellCommand, '{ fails: 1 }'));
    expect((await pawl(work, 'run')).code).toBe(1);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(told(work)).toMatchObject([
      { payload: { event: 'failed', status: 'stopped', exitCode: 1, counts: { failed: 1 } } },
      { payload: { event: 'completed' } },
    ]);
  });

  it('only of what it asks for', async () => {
    const work = workspace(manifest(`${tellCommand}\n    on: [waiting, failed]`));
    expect(await pawlJson(work, 'run')).not.toHaveProperty('notifications');
    expect(has(work, 'told.json')).toBe(false);
  });

  it('by the library as well', async () => {
    const work = workspace(manifest(tellCommand));
    const { run } = await library();
    const answer = await run({ path: work.root }, await libraryEnvironment(work));
    expect(answer).toMatchObject({ ok: true, value: { notifications: [{ ok: true }] } });
    expect(told(work)).toMatchObject([{ payload: { event: 'completed' } }]);
  });
});

describe('a webhook is told', () => {
  it('with headers of which nobody else learns', async () => {
    const { port, posts } = await serve(200);
    const entry = `  - { webhook: "http://127.0.0.1:${port}/hook/path-of-mine", headers: { Authorization: Bearer $MY_TOKEN } }`;
    const work = withEnv(workspace(manifest(entry)), { MY_TOKEN: 'hunter22' });
    const run = await pawl(work, 'run', '--json');
    expect(run.code).toBe(0);
    expect(posts).toMatchObject([
      {
        headers: { authorization: 'Bearer hunter22' },
        body: { event: 'completed', text: expect.any(String) },
      },
    ]);
    const shown = JSON.stringify([
      run,
      await pawl(work, 'status', '--json'),
      await pawl(work, 'plan', '--json'),
    ]);
    for (const secret of ['hunter22', 'path-of-mine']) expect(shown).not.toContain(secret);
    const kept = spawnSync('grep', ['-rlE', 'hunter22|path-of-mine', '.pawl'], { cwd: work.root });
    expect(kept.stdout.toString()).toBe('');
  });

  it('and when it does not work, the run is as it would have been', async () => {
    const { port } = await serve(500);
    const gone = await serve(200);
    await new Promise((resolve) => servers.at(-1)?.close(resolve));
    const entries = [
      `  - { webhook: "http://127.0.0.1:${port}/path-of-mine" }`,
      `  - { webhook: "http://127.0.0.1:${gone.port}/path-of-mine" }`,
      '  - { webhook: $MY_HOOK }',
      '  - { command: [no-such-program-here] }',
      '  - { command: [node, -e, "console.error(process.env.TOKEN); process.exitCode = 3"], env: { TOKEN: $MY_TOKEN } }',
      '  - { command: [node, -e, "setInterval(() => undefined, 1000)"], timeout: 100ms }',
      tellCommand,
    ];
    const work = withEnv(workspace(manifest(entries.join('\n'))), { MY_TOKEN: 'hunter22' });
    const run = await pawlJson<RunJson>(work, 'run');
    expect(run).toMatchObject({ ok: true, exitCode: 0, heading: { status: 'completed' } });
    expect(run.finished.code).toBe(0);
    expect(run.notifications).toMatchObject([
      { via: 'webhook', to: `127.0.0.1:${port}`, ok: false, reason: 'http-status', facts: { status: 500 } },
      { via: 'webhook', ok: false, reason: 'unreachable', facts: { code: 'ECONNREFUSED' } },
      { via: 'webhook', to: '$MY_HOOK', ok: false, reason: 'variable-missing' },
      { via: 'command', ok: false, reason: 'command-not-found' },
      { via: 'command', ok: false, reason: 'command-failed', message: '[MY_TOKEN]' },
      { via: 'command', ok: false, reason: 'timed-out' },
      { via: 'command', ok: true },
    ]);
    const warnings = run.finished.stderr.split('\n').filter((line) => line.includes('not told of'));
    expect(warnings).toHaveLength(6);
    expect(run.finished.stderr + run.finished.stdout).not.toMatch(/hunter22|path-of-mine/);
    expect(await pawlJson(work, 'run')).toMatchObject({ kind: 'unchanged', exitCode: 0 });
  });

  it('nor is a failed run any better or worse for it', async () => {
    const work = workspace(manifest('  - { command: [no-such-program-here] }', '{ fails: 1 }'));
    const run = await pawl(work, 'run', '--quiet');
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('no-such-program-here');
  });
});

describe('who is told', () => {
  it('may change at any time', async () => {
    const work = workspace(manifest(tellCommand, '{ fails: 1 }'));
    expect((await pawl(work, 'run')).code).toBe(1);
    edit(work, 'pawl.yaml', '"{message}"', '"now {message}"');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(told(work)[1]?.args[3]).toMatch(/^now /);
    write(work, 'pawl.yaml', manifest('  - { bell: true }', '{ fails: 1 }'));
    expect(await pawlJson(work, 'run')).toMatchObject({ kind: 'unchanged', exitCode: 0 });
  });

  it('is checked before anything starts', async () => {
    const work = workspace(manifest('  - { webhook: "https://x", headers: { Authorization: hunter22 } }'));
    const run = await pawl(work, 'run');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('notify[0].headers.Authorization');
    expect(run.stderr).not.toContain('hunter22');
    expect(has(work, 'out/a.txt')).toBe(false);
  });
});

describe.skipIf(!canPretend)('a terminal', () => {
  const bell = String.fromCharCode(7);
  const message = `${String.fromCharCode(27)}]9;Pawl: told (book=ember): completed, 1 of 1 unit done${bell}`;
  const entries = '  - { bell: true }\n  - { osc9: true }';

  it('rings and shows a message', async () => {
    const { code, screen } = await inTerminal(workspace(manifest(entries)), 'run');
    expect(code).toBe(0);
    expect(screen).toContain(message);
    expect(screen.replace(message, '').split(bell)).toHaveLength(2);
  });

  it.each(['--quiet', '--json'])('is left alone with %s', async (option) => {
    const { code, screen } = await inTerminal(workspace(manifest(entries)), `run ${option}`);
    expect(code).toBe(0);
    expect(screen).not.toContain(bell);
  });

  it('that is none is left alone, too', async () => {
    const run = await pawl(workspace(manifest(entries)), 'run');
    expect(run.code).toBe(0);
    expect(run.stdout + run.stderr).not.toContain(bell);
  });
});

interface RunJson {
  readonly heading: { readonly run: string; readonly status: string };
  readonly notifications: readonly object[];
}

interface Told {
  readonly args: readonly string[];
  readonly payload: object;
}

/** Everything that the command has been told so far. */
function told(work: TestWorkspace): Told[] {
  return has(work, 'told.json') ? (readJson(work, 'told.json') as Told[]) : [];
}

/** Writes down its arguments and its payload, after all that came before. */
const teller = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const before = existsSync('told.json') ? JSON.parse(readFileSync('told.json', 'utf8')) : [];
const payload = JSON.parse(readFileSync(process.env.PAWL_NOTIFICATION, 'utf8'));
writeFileSync('told.json', JSON.stringify([...before, { args: process.argv.slice(2), payload }]));
`;

const tellCommand = '  - command: [node, tell.mjs, "{event}", "{run}", "{pipeline}", "{message}"]';

async function serve(
  status: number,
): Promise<{ port: number; posts: { headers: IncomingHttpHeaders; body: unknown }[] }> {
  const posts: { headers: IncomingHttpHeaders; body: unknown }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      posts.push({ headers: request.headers, body: JSON.parse(text) });
      response.writeHead(status).end('thank you');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, posts };
}

const workspace = (text: string) => workspaceWith(text, { 'tell.mjs': teller });

function manifest(notify: string, params = '{}'): string {
  return `
pawl: 1
pipeline: told
identity: { book: ember }
units: [a]
phases:
  one:
    run: { function: ./phases.mjs#step }
    params: ${params}
    outputs: { text: "out/{unit}.txt" }
notify:
${notify}
`;
}

/** Its gate is never content, and asks. */
function asking(notify: string): string {
  return `
pawl: 1
pipeline: told
channels: [script]
units: [{ id: a, verdicts: [fail] }]
phases:
  lint:
    run: { function: ./phases.mjs#judge }
    outputs: { report: { path: "out/{unit}.json", check: json } }
    gate: { verdict: report.status, pass: [pass], back_to: lint, iterations: 1, then: ask }
notify:
${notify}
`;
}

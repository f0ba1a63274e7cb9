import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDoor } from '../support/door.ts';
import { projectRoot, read, type TestWorkspace } from '../support/workspace.ts';
import { crewManifest, doWork, startedCrew } from './crew.ts';

const open = new Set<ChildProcess>();

afterAll(() => {
  for (const child of open) child.kill('SIGKILL');
});

/** A server spoken to line by line, without any library in between. */
function serve(workspace: TestWorkspace, ...args: string[]) {
  const child = spawn(process.execPath, [join(projectRoot, 'bin/pawl.js'), 'mcp', ...args], {
    cwd: workspace.root,
    env: { ...workspace.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  open.add(child);
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const watch of watchers) watch();
    });
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const messages = (): Message[] =>
    output.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return {
    child,
    output,
    ended,
    messages,
    send: (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    answer: (id: number) =>
      new Promise<Message>((resolve, reject) => {
        const watch = () => {
          try {
            const found = output.stdout.endsWith('\n') ? messages().find((one) => one.id === id) : undefined;
            if (found !== undefined) resolve(found);
          } catch {
            reject(new Error(`not a message: ${output.stdout}`));
          }
        };
        watchers.add(watch);
        void ended.then(() => reject(new Error(`ended without an answer: ${output.stderr}`)));
        watch();
      }),
  };
}

interface Message {
  readonly jsonrpc: string;
  readonly id?: number | null;
  readonly result?: { readonly isError?: boolean; readonly [field: string]: unknown };
  readonly error?: { readonly code: number };
}

const hello = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

async function greeted(workspace: TestWorkspace, ...args: string[]) {
  const server = serve(workspace, ...args);
  server.send(hello);
  await server.answer(1);
  server.send({ method: 'notifications/initialized' });
  return server;
}

function call(id: number, name: string, request: object = {}): object {
  return { id, method: 'tools/call', params: { name, arguments: request } };
}

const noisy = `
import { knock } from './door.mjs';
console.log('a line of its own');
process.stdout.write('{"jsonrpc":"2.0","id":9,"result":{}}\\n');
export async function guard(file) {
  console.info('checking');
  process.stdout.write('half a');
  await knock('guard', {});
  return file.text().length > 0;
}
`;

const guarded = crewManifest.replace('check: non-empty', 'check: { function: ./guard.mjs#guard }');

describe('stdout', () => {
  it('holds the protocol and nothing else, whatever a check of the user prints', async () => {
    const workspace = await startedCrew(guarded, { 'guard.mjs': noisy });
    const server = await greeted(workspace, '--actor', 'ann');
    server.send(call(2, 'task_next'));
    await server.answer(2);
    doWork(workspace, 't1');
    server.send(call(3, 'task_complete', { unit: 't1' }));
    expect((await server.answer(3)).result?.isError).toBeUndefined();
    server.child.stdin.end();
    expect(await server.ended).toBe(0);
    expect(server.messages().map(({ jsonrpc, id }) => ({ jsonrpc, id }))).toEqual(
      [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id })),
    );
    for (const text of ['a line of its own', 'checking', 'half a'])
      expect(server.output.stderr).toContain(text);
  });

  it('answers each line that is no message with an error, and lives on', async () => {
    const workspace = await startedCrew();
    const server = await greeted(workspace);
    server.child.stdin.write(
      'not json\n\n{"jsonrpc":"2.0"}\n[]\n{"jsonrpc":"2.0","id":7,"method":"no/such"}\n',
    );
    expect(await server.answer(7)).toMatchObject({ error: { code: -32601 } });
    // A message in two pieces is one; one that is cut off by the end of the line is none.
    server.child.stdin.write('{"jsonrpc":"2.0","id":9,');
    server.child.stdin.write('"method":"no/such"}\n{"jsonrpc":"2.0","id":10,\n{"id":11,"method":"x"}\n');
    await server.answer(11);
    expect(server.messages().map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      [null, -32700],
      [null, -32600],
      [null, -32600],
      [7, -32601],
      [9, -32601],
      [null, -32700],
      [11, -32600],
    ]);
    server.send(call(8, 'run_list'));
    expect(await server.answer(8)).toMatchObject({ result: { structuredContent: { ok: true } } });
    server.child.stdin.end();
    expect(await server.ended).toBe(0);
  });
});

describe('the end', () => {
  it('comes when the client closes its end, before it has said anything too', async () => {
    const workspace = await startedCrew();
    const silent = serve(workspace);
    silent.child.stdin.end();
    expect(await silent.ended).toBe(0);
    expect(silent.output).toEqual({ stdout: '', stderr: '' });
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('comes with %s', async (signal, code) => {
    const server = await greeted(await startedCrew());
    server.child.kill(signal);
    expect(await server.ended).toBe(code);
  });

  it.each(['close', 'SIGTERM'] as const)('waits for what was begun: %s', async (way) => {
    const started = await startedCrew(guarded, { 'guard.mjs': noisy });
    const { door, workspace } = await openDoor(started, ['guard']);
    const server = await greeted(workspace, '--actor', 'ann');
    server.send(call(2, 'task_next'));
    await server.answer(2);
    doWork(workspace, 't1');
    server.send(call(3, 'task_complete', { unit: 't1' }));
    const visit = await door.visit('guard');
    if (way === 'close') server.child.stdin.end();
    else server.child.kill(way);
    visit.answer('go');
    expect(await server.ended).toBe(way === 'close' ? 0 : 143);
    const later = await greeted(started);
    later.send(call(2, 'run_status', { all: true }));
    expect(await later.answer(2)).toMatchObject({
      result: { structuredContent: { finished: 1, counts: { succeeded: 1 } } },
    });
    expect(read(started, 'notes/t1.md')).toBe('t1 is built\n');
  });

  it('comes when the client is gone without a word', async () => {
    const server = await greeted(await startedCrew());
    server.child.stdout.destroy();
    server.child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', ...call(2, 'run_list') })}\n`);
    expect(await server.ended).toBe(0);
    expect(server.output.stderr).not.toContain('a bug');
  });
});

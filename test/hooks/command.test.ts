import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { formatHeader } from '../../src/store/records/line.ts';
import { pawl, start } from '../support/command.ts';
import { segments } from '../support/journal.ts';
import { tempFolder } from '../support/temp.ts';
import {
  copyOf,
  has,
  projectRoot,
  read,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';
import { hook } from './hook-calls.ts';

const manifest = `
pawl: 1
pipeline: crowd
units: [a, b]
phases:
  work: { run: { task: worker } }
`;

/** A phase of it never ends by itself. */
const codeManifest = `
import { definePipeline } from ${JSON.stringify(pathToFileURL(join(projectRoot, 'dist/index.js')).href)};
const run = () => new Promise((resolve) => setTimeout(resolve, 3_600_000));
export const pipeline = definePipeline({ pawl: 1, pipeline: 'code', units: ['a'], phases: { work: { run } } });
`;

const agents = ['claude', 'codex', 'cursor', 'gemini', 'copilot', 'opencode'];
const silent = { code: 0, signal: null, stdout: '', stderr: '' };

async function workspaceWithRun(): Promise<TestWorkspace> {
  const workspace = workspaceWith(manifest);
  expect((await pawl(workspace, 'run')).code).toBe(75);
  return workspace;
}

/** How each agent says that a session has begun. */
const sessionStarts = (cwd: string) => ({
  claude: { hook_event_name: 'SessionStart', session_id: 's1', cwd, source: 'startup' },
  codex: { hook_event_name: 'SessionStart', session_id: 's1', cwd, source: 'startup', transcript_path: null },
  cursor: { hook_event_name: 'sessionStart', conversation_id: 's1', workspace_roots: [cwd] },
  gemini: { hook_event_name: 'SessionStart', session_id: 's1', cwd, source: 'startup' },
  copilot: { sessionId: 's1', timestamp: 1_794_823_200_000, cwd, source: 'new' },
  opencode: { hook: 'session.created', sessionID: 's1', directory: cwd },
});

describe('the hook of an agent', () => {
  it('hands over the brief of a run that somebody can go on with, in the words of each agent', async () => {
    const workspace = await workspaceWithRun();
    for (const [agent, payload] of Object.entries(sessionStarts(workspace.root))) {
      const finished = await hook(workspace, agent, payload);
      expect(finished, agent).toMatchObject({ code: 0, stderr: '' });
      expect(finished.stdout.trimEnd().split('\n'), agent).toHaveLength(1);
      expect(JSON.stringify(JSON.parse(finished.stdout)), agent).toContain('pawl next --actor NAME');
    }
  });

  it('says nothing where there is no run', async () => {
    const workspace = workspaceWith(manifest);
    for (const [agent, payload] of Object.entries(sessionStarts(workspace.root)))
      expect(await hook(workspace, agent, payload), agent).toEqual(silent);
    expect(has(workspace, '.pawl')).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'SessionStart'],
    ['half of it', '{"hook_event_name": "SessionSt'],
    ['a list', '[]'],
    ['bytes that are no text', '\ufffd\0\u0001'],
    ['too much', JSON.stringify({ hook_event_name: 'Stop', more: 'x'.repeat(3 * 1024 * 1024) })],
    ['wrong types', JSON.stringify({ hook_event_name: 'SessionStart', session_id: [], cwd: {}, source: 1 })],
    [
      'a NUL in a path',
      JSON.stringify({
        hook_event_name: 'PreToolUse',
        cwd: '/\0',
        tool_name: 'Write',
        tool_input: { file_path: 'a\0b' },
      }),
    ],
    ['an unknown event', JSON.stringify({ hook_event_name: 'Thought', hook: 'thought' })],
  ])('ends well and says nothing when it is sent %s', async (_, payload) => {
    const workspace = workspaceWith(manifest);
    for (const agent of agents) expect(await hook(workspace, agent, payload), agent).toEqual(silent);
  });

  it('ends well whatever it is called with', async () => {
    const workspace = workspaceWith(manifest);
    for (const args of [[], ['nobody'], ['claude', 'Odd', 'more'], ['--json', 'claude'], ['__proto__']])
      expect(await start(workspace, ['hook', ...args], { input: '{}' }).ended, args.join()).toEqual(silent);
    expect(await start(workspace, ['statusline'], { input: 'x' }).ended).toEqual(silent);
  });

  it('waits for nobody: stdin may be closed, or lead nowhere', () => {
    const bin = join(projectRoot, 'bin/pawl.js');
    const nowhere = spawnSync(process.execPath, [bin, 'hook', 'claude'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    expect([nowhere.status, nowhere.stdout, nowhere.stderr]).toEqual([0, '', '']);
    const closed = spawnSync('sh', ['-c', '"$0" "$1" hook claude <&-', process.execPath, bin], {
      encoding: 'utf8',
    });
    expect([closed.status, closed.stdout, closed.stderr]).toEqual([0, '', '']);
  });

  it('does not mind that nobody reads the answer', async () => {
    const workspace = await workspaceWithRun();
    const payload = JSON.stringify(sessionStarts(workspace.root).claude);
    const bin = join(projectRoot, 'bin/pawl.js');
    const { status } = spawnSync('sh', ['-c', '"$0" "$1" hook claude >&-', process.execPath, bin], {
      input: payload,
      encoding: 'utf8',
    });
    expect(status).toBe(0);
  });

  it('tells of its troubles in a file', async () => {
    const workspace = await workspaceWithRun();
    await hook(workspace, 'claude', 'no JSON');
    expect(read(workspace, '.pawl/hook.log')).toMatch(/^\d{4}-\S+Z the payload is no JSON: SyntaxError/);
  });

  it('finds the project by its variable when the agent has gone elsewhere', async () => {
    const { root, env } = await workspaceWithRun();
    const elsewhere = { root: '/', env: { ...env, CLAUDE_PROJECT_DIR: root } };
    const { stdout } = await hook(elsewhere, 'claude', sessionStarts('/').claude);
    expect(stdout).toContain('pawl next');
  });

  it('tells of a process that is gone, also where the pipeline is written in code', async () => {
    const workspace = workspaceWith(manifest, { 'pawl.config.mjs': codeManifest });
    rmSync(join(workspace.root, 'pawl.yaml'));
    const running = start(workspace, ['run']);
    await running.line('a/work started');
    const told = async () => (await hook(workspace, 'claude', sessionStarts(workspace.root).claude)).stdout;
    expect(await told()).toContain('Pawl is at it');
    expect(await told()).not.toContain('is gone');
    running.kill('SIGKILL');
    await running.ended;
    expect(await told()).toContain('The process that ran it is gone');
  });

  it('knows nothing of a run that came with the folder', async () => {
    const workspace = await workspaceWithRun();
    const copy = copyOf(workspace);
    const [path = ''] = segments(copy);
    const [header = '', ...rest] = read(copy, path).split('\n');
    const { owner, actor, epoch, version, opened } = JSON.parse(header);
    const elsewhere = { version, actor, epoch, opened, owner: { ...owner, boot: 'another' } };
    write(copy, path, `${formatHeader(elsewhere).text}${rest.join('\n')}`);
    const payload = sessionStarts(copy.root).claude;
    const { stdout } = await hook(copy, 'claude', payload);
    expect(stdout).toContain('this user has not worked with');
    expect(stdout).not.toContain('pawl next');
  });

  it('is not silenced by the end of the folder that it was called in', async () => {
    const workspace = await workspaceWithRun();
    const gone = join(tempFolder(), 'gone');
    mkdirSync(gone);
    const payload = JSON.stringify(sessionStarts(workspace.root).claude);
    const command = 'cd "$0" && rmdir "$0" && "$1" "$2" hook claude';
    const bin = join(projectRoot, 'bin/pawl.js');
    const { stdout } = spawnSync('sh', ['-c', command, gone, process.execPath, bin], {
      input: payload,
      encoding: 'utf8',
      env: { ...process.env, ...workspace.env },
    });
    expect(stdout).toContain('pawl next');
  });

  it('writes under a name that nobody else can take', async () => {
    const workspace = await workspaceWithRun();
    for (const args of [['next'], ['start', 'a'], ['decide', 'So be it']])
      expect((await pawl(workspace, ...args, '--actor', 'hooks')).stderr, args[0]).toContain(
        'hooks cannot be an actor',
      );
  });

  it('tells the log why a brief could not be made anew', async () => {
    const workspace = await workspaceWithRun();
    const [, folder = ''] = /"folder":"([^"]+)"/.exec(read(workspace, '.pawl/brief')) ?? [];
    write(workspace, `${folder}/brief.json`, '{"torn');
    write(workspace, 'pawl.yaml', 'pawl: [');
    await hook(workspace, 'claude', sessionStarts(workspace.root).claude);
    expect(read(workspace, '.pawl/hook.log')).toContain('the brief could not be made anew: ');
  });

  it('makes the brief anew where it is behind', async () => {
    const workspace = await workspaceWithRun();
    const [, folder = ''] = /"folder":"([^"]+)"/.exec(read(workspace, '.pawl/brief')) ?? [];
    write(workspace, `${folder}/brief.json`, '{"torn');
    const { stdout } = await hook(workspace, 'claude', sessionStarts(workspace.root).claude);
    expect(stdout).toContain('pawl next --actor NAME');
  });
});

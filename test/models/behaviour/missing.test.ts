import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../../support/command.ts';
import { tempFolder } from '../../support/temp.ts';
import { calls, projectRoot, read, type TestWorkspace, withEnv, write } from '../../support/workspace.ts';
import type { ModelServer } from '../server.ts';
import { asking, inTurn, keys, manifest, workspaceFor } from '../support.ts';

/* What a phase needs to ask a model, and how it is told that it is not there: before anything is started or paid. */

const afterTool = {
  prepare: { run: { function: './phases.mjs#step' }, outputs: { text: 'out/{unit}.txt' } },
  write: {
    model: 'anthropic/claude-sonnet-5',
    prompt: 'prompt.md',
    outputs: { text: 'out/{unit}.md' },
    retries: { backoff: '1ms' },
  },
};

let server: ModelServer;

beforeAll(async () => {
  server = await inTurn();
});

describe('a key that is not set', () => {
  it('is named before anything is started, also for a phase that comes later', async () => {
    const workspace = withEnv(workspaceFor(server, manifest(afterTool)), { ANTHROPIC_API_KEY: '' });
    const { finished, ...told } = await pawlJson(workspace, 'run');
    expect(finished.code).toBe(2);
    expect(told).toMatchObject({ ok: false, reason: 'provider-missing' });
    expect(told.message).toContain('anthropic');
    expect(told.next?.join('\n')).toContain('ANTHROPIC_API_KEY');
    expect(calls(workspace)).toEqual([]);
    // Not even a run is left behind.
    expect(existsSync(join(workspace.root, '.pawl/runs'))).toBe(false);
    expect(server.asked).toEqual([]);
    const words = await pawl(workspace, 'run');
    expect(words.stderr).toContain('set ANTHROPIC_API_KEY in the environment');
  });

  it('keeps nobody from looking, nor from a run that asks nothing any more', async () => {
    const workspace = workspaceFor(server, asking());
    expect((await pawl(workspace, 'run')).code).toBe(0);
    const locked = withEnv(workspace, { LOCAL_API_KEY: '' });
    for (const args of [['run'], ['plan'], ['prompt', 'a/write'], ['status']]) {
      expect([args, (await pawl(locked, ...args)).code]).toEqual([args, 0]);
    }
  });

  it('is not needed where the provider has none, and a key in its place is refused', async () => {
    const open = workspaceFor(
      server,
      asking({}, { models: { providers: { local: { base_url: '$LOCAL_URL' } } } }),
    );
    expect((await pawl(open, 'run')).code).toBe(0);
    expect(server.asked.at(-1)?.headers.authorization).toBeUndefined();
    const written = { local: { base_url: '$LOCAL_URL', key: keys.LOCAL_API_KEY } };
    const refused = await pawl(workspaceFor(server, asking({}, { models: { providers: written } })), 'run');
    expect(refused.code).toBe(2);
    expect(`${refused.stdout}${refused.stderr}`).toContain('models.providers.local.key');
    expect(`${refused.stdout}${refused.stderr}`).not.toContain(keys.LOCAL_API_KEY);
  });
});

describe('packages that are not installed', () => {
  let bin: string;
  let workspace: TestWorkspace;

  beforeAll(() => {
    bin = copyWithoutPackages();
    workspace = workspaceFor(server, manifest(afterTool));
  });

  it('are named with the line that installs them, before anything is started', () => {
    const finished = pawlOf(bin, workspace, 'run');
    expect(finished.status).toBe(2);
    expect(finished.stderr).toContain('npm install ai@6 @ai-sdk/anthropic@3');
    expect(finished.stderr).not.toMatch(/\n\s+at /);
    expect(calls(workspace)).toEqual([]);
    // Not even a run is left behind.
    expect(existsSync(join(workspace.root, '.pawl/runs'))).toBe(false);
    const told = JSON.parse(pawlOf(bin, workspace, 'run', '--json').stdout);
    expect(told).toMatchObject({ ok: false, exitCode: 2, reason: 'provider-missing' });
  });

  it('are not missed by phases that ask no such provider', () => {
    const own = {
      models: { providers: { standin: { function: './standin.mjs#answer' } } },
    };
    const offline = workspaceFor(server, asking({ model: 'standin/m' }, own), {
      'standin.mjs': "export const answer = ({ prompt }) => 'You said: ' + prompt;\n",
    });
    expect(pawlOf(bin, offline, 'run').status).toBe(0);
    expect(read(offline, 'out/a.md')).toBe('You said: Say a.\n');
  });

  it('are named in a notice where telemetry needs them, and the run goes on', () => {
    const own = { models: { providers: { standin: { function: './standin.mjs#answer' } } } };
    const offline = workspaceFor(server, asking({ model: 'standin/m' }, own), {
      'standin.mjs': "export const answer = ({ prompt }) => 'You said: ' + prompt;\n",
    });
    const observed = withEnv(offline, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    const { status, stdout } = pawlOf(bin, observed, 'run', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout).notices).toEqual([
      { code: 'telemetry-failed', why: 'packages-missing', to: '127.0.0.1:1', packages: telemetryPackages },
    ]);
    expect(read(offline, 'out/a.md')).toBe('You said: Say a.\n');
    const again = pawlOf(bin, observed, 'run', '--rerun-all', '--reason', 'again');
    expect(`${again.stdout}${again.stderr}`).toContain(`npm install ${telemetryPackages.join(' ')}`);
    expect(pawlOf(bin, observed, 'doctor').stdout).toContain(`npm install ${telemetryPackages.join(' ')}`);
  });

  it('are missing as well where there is only another major version', () => {
    const old = workspaceFor(server, manifest(afterTool));
    write(old, 'node_modules/ai/package.json', '{"name":"ai","version":"5.0.1","main":"index.js"}');
    write(old, 'node_modules/ai/index.js', 'throw new Error("loaded");');
    link(join(old.root, 'node_modules'), '@ai-sdk/anthropic');
    const finished = pawlOf(bin, old, 'run');
    expect(finished.status).toBe(2);
    expect(finished.stderr).toContain('npm install ai@6\n');
  });

  it('are found in the workspace', () => {
    for (const name of ['ai', '@ai-sdk/anthropic']) link(join(workspace.root, 'node_modules'), name);
    const plan = pawlOf(bin, workspace, 'plan');
    expect(plan.stdout).toContain('anthropic/claude-sonnet-5');
    // It gets as far as the network, which has no such port.
    const away = withEnv(workspace, { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/v1' });
    const finished = pawlOf(bin, away, 'run');
    expect(finished.status).toBe(1);
    expect(finished.stderr).toContain('the provider refuses this call');
    expect(calls(workspace)).toHaveLength(1);
  });
});

const telemetryPackages = [
  '@opentelemetry/api@1.9',
  '@opentelemetry/resources@2.9',
  '@opentelemetry/sdk-trace-base@2.9',
  '@opentelemetry/sdk-metrics@2.9',
  '@opentelemetry/exporter-trace-otlp-http@0.220',
  '@opentelemetry/exporter-metrics-otlp-http@0.220',
];

/** The command as it is installed, beside which there is nothing that speaks with models. */
function copyWithoutPackages(): string {
  const folder = join(tempFolder(), 'pawl');
  mkdirSync(folder);
  for (const part of ['bin', 'dist', 'schema', 'package.json'])
    cpSync(join(projectRoot, part), join(folder, part), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) link(join(folder, 'node_modules'), name);
  return join(folder, 'bin/pawl.js');
}

function link(modules: string, name: string): void {
  mkdirSync(dirname(join(modules, name)), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name));
}

function pawlOf(bin: string, { root, env }: TestWorkspace, ...args: string[]) {
  return spawnSync(process.execPath, [bin, ...args], { cwd: root, env, encoding: 'utf8' });
}

import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { has, projectRoot, type TestWorkspace, workspaceWith } from '../support/workspace.ts';

const manifest = `
pawl: 1
pipeline: moved
units: [a, b]
phases:
  one:
    run: { command: [sh, -c, "echo hello > $PAWL_OUTPUT_TEXT"] }
    outputs: { text: "out/{unit}.txt" }
`;

interface Headed {
  readonly heading: { readonly run: string };
}

let work: TestWorkspace;
let run: string;

beforeAll(async () => {
  work = workspaceWith(manifest);
  mkdirSync(join(work.root, 'demo/deep'), { recursive: true });
  renameSync(join(work.root, 'pawl.yaml'), join(work.root, 'demo/pawl.yaml'));
  expect((await pawl(work, '-C', 'demo', 'run')).code).toBe(0);
  run = (await pawlJson<Headed>(work, 'status', 'demo')).heading.run;
});

describe('-C', () => {
  it('starts every command in that folder, wherever it stands', async () => {
    for (const argv of [
      ['-C', 'demo', 'status', '--json'],
      ['status', '--json', '-C', 'demo'],
      ['status', '--json', '--dir', 'demo'],
      ['--dir=demo', 'status', '--json'],
      ['-C', '.', 'status', '-C', 'demo', '--json'],
      ['-C', 'demo/deep', 'status', '--json'],
      ['-C', 'demo/pawl.yaml', 'status', '--json'],
      ['-C', 'demo', 'status', '.', '--json'],
    ]) {
      const { code, stdout } = await pawl(work, ...argv);
      expect(code, argv.join(' ')).toBe(0);
      expect(JSON.parse(stdout), argv.join(' ')).toMatchObject({
        heading: { run, workspace: 'demo' },
      });
    }
  });

  it('finds relative paths from there, and shows them from where it was typed', async () => {
    const written = await pawlJson<{ path: string }>(work, '-C', 'demo', 'report', '-o', 'page.html');
    expect(written.path).toBe('demo/page.html');
    expect(has(work, 'demo/page.html')).toBe(true);
    const made = await pawl(work, '-C', 'demo/deep', 'init', 'minimal', 'new');
    expect(made.stdout).toContain('pawl run demo/deep/new');
  });

  it('names the folder in the commands to type next', async () => {
    const { stdout } = await pawl(work, 'plan', '--rerun-all', '-C', 'demo');
    expect(stdout).toContain('pawl run --rerun-all demo');
    const failed = await pawlJson(work, 'status', '-C', 'demo/deep/new');
    expect(failed.next).toEqual(['to start one: pawl run demo/deep/new']);
  });

  it('refuses a folder that does not exist before anything is done', async () => {
    const failed = await pawlJson(work, 'init', '-C', 'nowhere');
    expect(failed).toMatchObject({ ok: false, reason: 'folder-not-found', exitCode: 2 });
    expect(failed.message).toBe('there is no folder nowhere');
    expect((await pawl(work, '-C', 'nowhere')).code).toBe(2);
  });

  it('works without a command, and for the commands that agents start', async () => {
    expect((await pawl(work, '-C', 'demo')).stdout).toContain('moved');
    const served = await pawl(work, '-C', 'nowhere', 'mcp');
    expect(served.code).toBe(2);
    expect(served.stderr).toContain('there is no manifest at nowhere');
    const waiting = workspaceWith(manifest.replace(/command: .*\]/, 'agent: writer'));
    expect((await pawl(waiting, 'run')).code).toBe(75);
    const bin = join(projectRoot, 'bin/pawl.js');
    const line = (folder: string) =>
      spawnSync(process.execPath, [bin, '-C', folder, 'statusline'], {
        cwd: projectRoot,
        env: { ...work.env },
        input: '{}',
        encoding: 'utf8',
      });
    expect(line(waiting.root).stdout).toContain('run 0/2');
    expect(line('nowhere')).toMatchObject({ status: 0, stdout: '' });
  });
});

describe('a path', () => {
  it('is the argument of commands that take no other', async () => {
    expect((await pawlJson(work, 'checkpoints', 'demo')).ok).toBe(true);
    const none = await pawlJson(work, 'next', 'demo', '--actor', 'ann');
    expect(none).toMatchObject({ command: 'next' });
    const over = await pawlJson(work, 'cancel', 'demo', '--yes', '--reason', 'enough');
    expect(over).toMatchObject({ reason: 'run-terminal' });
  });

  it('stands where a run can be named', async () => {
    for (const command of ['inspect', 'graph', 'report']) {
      for (const argv of [
        ['demo'],
        ['demo/pawl.yaml'],
        [run, '-C', 'demo'],
        [run.slice(0, 8), '-C', 'demo'],
      ]) {
        const answer = await pawlJson(work, command, ...argv);
        expect(answer, `${command} ${argv.join(' ')}`).toMatchObject({
          ok: true,
          heading: { run },
        });
      }
      const unknown = await pawlJson(work, command, 'nothing', '-C', 'demo');
      expect(unknown).toMatchObject({ ok: false, reason: 'run-not-found' });
    }
  });
});

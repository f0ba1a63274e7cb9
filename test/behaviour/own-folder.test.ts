import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { runFolder } from '../support/journal.ts';
import { calls, has, hashes, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

const task = `
pawl: 1
pipeline: crew
units: [a]
phases:
  code:
    run: { task: coder, lease: 10m }
    outputs: { code: "code/{unit}.txt" }
`;

const list = '.pawl/.gitignore';

describe('the folder of Pawl in a repository', () => {
  it('keeps git away from itself, and is given its list again by whatever writes next', async () => {
    const work = workspaceWith(task, { '.git/HEAD': 'ref: refs/heads/main\n' });
    expect((await expectCode(work, 0, 'doctor')).stdout).not.toContain('.gitignore');
    await expectCode(work, 75, 'run');
    expect(read(work, list)).toBe('*\n');
    expect((await expectCode(work, 0, 'doctor')).stdout).not.toContain('.gitignore');

    rmSync(join(work.root, list));
    await expectCode(work, 0, 'next', '--actor', 'a1');
    expect(read(work, list)).toBe('*\n');

    // What a power cut has emptied is ours; what a person has written is not.
    write(work, list, '');
    write(work, 'code/a.txt', 'text\n');
    await expectCode(work, 0, 'complete', 'a', '--actor', 'a1');
    expect(read(work, list)).toBe('*\n');
    write(work, list, '*\n!runs/\n');
    await expectCode(work, 0, 'run');
    expect(read(work, list)).toBe('*\n!runs/\n');
  });
});

const frames = `
pawl: 1
pipeline: frames
units: [a, b, c]
layout: { run: "runs/{id}" }
phases:
  draw:
    run: { function: ./phases.mjs#step }
    outputs: { text: "{run}/drawn/{unit}.txt" }
  approve:
    run: { function: ./phases.mjs#step }
    inputs: { frame: draw.text }
    outputs: { text: "done/{unit}/approved.txt" }
`;

interface Refused {
  readonly reason?: string;
  readonly path?: string;
  readonly target?: string;
  readonly finished: { readonly code: number | null };
}

describe('a link out of the workspace', () => {
  /** A folder beside the workspace, and the link to it. */
  function linked(work: TestWorkspace, path: string): string {
    const target = join(dirname(work.root), `elsewhere-${path.replaceAll('/', '-')}`);
    mkdirSync(target);
    mkdirSync(dirname(join(work.root, path)), { recursive: true });
    symlinkSync(target, join(work.root, path));
    return target;
  }

  it('in the place of a folder of outputs is found before anything is paid for', async () => {
    const work = workspaceWith(frames);
    const target = linked(work, 'done/c');
    for (const command of ['plan', 'run']) {
      const refused = await pawlJson<Refused>(work, command);
      expect(refused).toMatchObject({ reason: 'link-outside', path: 'done/c', target });
      expect(refused.finished.code).toBe(4);
    }
    expect(calls(work)).toEqual([]);
    expect(has(work, 'runs')).toBe(false);
    rmSync(join(work.root, 'done/c'));
    await expectCode(work, 0, 'run');
    const done = calls(work).length;

    // The same within a run, in a folder that only the run's own place tells.
    const [first = ''] = Object.keys(hashes(work, 'runs')).filter((path) => path.includes('/drawn/'));
    const attempts = `${first.slice(0, first.indexOf('/drawn/'))}/attempts`;
    linked(work, attempts);
    for (const command of ['plan', 'run'])
      expect((await expectCode(work, 4, command, '--rerun-from', 'draw')).stderr).toContain(attempts);
    // Nothing would be written.
    for (const command of ['plan', 'run']) await expectCode(work, 0, command);
    rmSync(join(work.root, attempts));
    const drawn = dirname(first);
    renameSync(join(work.root, drawn), join(dirname(work.root), 'moved'));
    symlinkSync(join(dirname(work.root), 'moved'), join(work.root, drawn));
    const refused = await expectCode(work, 4, 'run', '--rerun-from', 'draw');
    expect(refused.stderr).toContain(`${drawn} is a symbolic link that leads out of the workspace, to `);
    expect(calls(work)).toHaveLength(done);
  });

  it.each(['.pawl', '.pawl/objects'])('in the place of %s is refused, with where it leads', async (path) => {
    const work = workspaceWith(task);
    const target = linked(work, path);
    for (const command of ['plan', 'run']) {
      const refused = await expectCode(work, 4, command);
      expect(refused.stderr).toContain(
        `${path} is a symbolic link that leads out of the workspace, to ${target}`,
      );
    }
    expect(hashes({ ...work, root: target })).toEqual({});
    rmSync(join(work.root, path));
    await expectCode(work, 75, 'run');
  });

  it.each(['', '/events/runner'])('in the place of a run%s is no reason to start over', async (below) => {
    const work = workspaceWith(task);
    await expectCode(work, 75, 'run');
    const path = `${runFolder(work)}${below}`;
    const elsewhere = join(dirname(work.root), 'elsewhere');
    renameSync(join(work.root, path), elsewhere);
    symlinkSync(elsewhere, join(work.root, path));
    const before = hashes({ ...work, root: elsewhere });
    for (const command of ['plan', 'run']) {
      const refused = await pawlJson<Refused>(work, command);
      expect(refused).toMatchObject({ reason: 'link-outside', path, target: elsewhere });
      expect(refused.finished.code).toBe(4);
    }
    expect((await pawl(work, 'repair', '--yes', '--reason', 'so')).code).not.toBe(0);
    expect(hashes({ ...work, root: elsewhere })).toEqual(before);
    rmSync(join(work.root, path));
    renameSync(elsewhere, join(work.root, path));
    await expectCode(work, 75, 'run');
  });

  it('in the place of a folder of the run is refused to agents, too', async () => {
    const work = workspaceWith(task);
    await expectCode(work, 75, 'run');
    const events = `${runFolder(work)}/attempts`;
    rmSync(join(work.root, events), { recursive: true, force: true });
    const target = linked(work, events);
    const refused = await expectCode(work, 4, 'next', '--actor', 'a1');
    expect(refused.stderr).toContain(
      `${events} is a symbolic link that leads out of the workspace, to ${target}`,
    );
    expect(hashes({ ...work, root: target })).toEqual({});
  });
});

const removing = `
pawl: 1
pipeline: tidy
units: [a]
phases:
  make:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.txt" }
  tidy:
    run: { command: [node, tidy.mjs] }
    outputs: { log: "out/{unit}.log" }
`;

const tidy = `
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
rmSync('.pawl', { recursive: true });
mkdirSync(dirname(process.env.PAWL_OUTPUT_LOG), { recursive: true });
writeFileSync(process.env.PAWL_OUTPUT_LOG, 'tidy');
`;

describe('a command that removes .pawl', () => {
  it('ends the run, which does not say that nothing is lost', async () => {
    const work = workspaceWith(removing, { 'tidy.mjs': tidy });
    const run = await expectCode(work, 7, 'run');
    expect(run.stderr).toMatch(/the journal of the run was removed .*: \.pawl\/runs\/\S+\/events is gone/);
    expect(run.stderr).not.toContain('nothing that was acknowledged is lost');
    expect(run.stderr).not.toContain('a/tidy succeeded');
    expect(read(work, 'out/a.txt')).toBe('a/make\n');
  });
});

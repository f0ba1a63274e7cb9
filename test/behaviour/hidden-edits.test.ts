import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { calls, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

/* An edit that leaves size, inode and modification time as recorded. Only the change time gives it away. */

const manifest = `
pawl: 1
pipeline: hidden
units: [a]
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.one.txt" }
  two:
    run: { function: ./phases.mjs#step }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}.two.txt" }
`;

/** Other bytes of the same length, in the same file, and the time as it was, to the nanosecond. */
function editHidden({ root }: TestWorkspace, path: string, from: string, to: string): void {
  const file = join(root, path);
  const like = join(root, '../like');
  const before = statSync(file, { bigint: true });
  execFileSync('touch', ['-r', file, like]);
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
  execFileSync('touch', ['-r', like, file]);
  const { ino, size, mtimeNs } = statSync(file, { bigint: true });
  expect([ino, size, mtimeNs]).toEqual([before.ino, before.size, before.mtimeNs]);
}

interface Verified {
  readonly findings: readonly object[];
  readonly finished: { readonly code: number | null };
}

async function expectSeen(work: TestWorkspace, path: string): Promise<void> {
  const before = calls(work).length;
  for (const command of ['plan', 'run']) {
    const refused = await pawl(work, command);
    expect(refused.code, refused.stdout).toBe(4);
    expect(refused.stdout + refused.stderr).toContain(`${path} was edited by hand`);
  }
  const status = await pawl(work, 'status');
  expect(status.stdout + status.stderr).toContain(`${path} was edited by hand`);
  for (const flag of [[], ['--quick']]) {
    const verified = await pawlJson<Verified>(work, 'verify', ...flag);
    expect(verified.finished.code).toBe(7);
    expect(verified.findings).toContainEqual(expect.objectContaining({ code: 'output-edited', file: path }));
  }
  expect(calls(work)).toHaveLength(before);
}

describe('an edit with the time put back', () => {
  let done: TestWorkspace;

  beforeAll(async () => {
    done = workspaceWith(manifest);
    expect((await pawl(done, 'run')).code).toBe(0);
  });

  it('is seen by run, plan and status in a finished run, and a change of rights alone is none', async () => {
    chmodSync(join(done.root, 'out/a.one.txt'), 0o600);
    expect((await pawl(done, 'run')).stdout).toContain('nothing to do');
    editHidden(done, 'out/a.two.txt', 'two', 'TWO');
    await expectSeen(done, 'out/a.two.txt');
    editHidden(done, 'out/a.two.txt', 'TWO', 'two');
    expect((await pawl(done, 'run')).stdout).toContain('nothing to do');
    expect(calls(done)).toHaveLength(2);
  });

  it('is seen in a run that was killed', async () => {
    const work = workspaceWith(manifest);
    await pawlKilledAt(work, 'a/two started', 'run');
    editHidden(work, 'out/a.one.txt', 'one', 'ONE');
    await expectSeen(work, 'out/a.one.txt');
    editHidden(work, 'out/a.one.txt', 'ONE', 'one');
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(calls(work).filter(({ cell: step }) => step === 'a/one')).toHaveLength(1);
  });

  it('is seen by next, also where it answers from what it remembered', async () => {
    const work = workspaceWith(team);
    expect((await pawl(work, 'run')).code).toBe(75);
    expect((await pawl(work, 'start', 'a', '--actor', 'ann')).code).toBe(0);
    write(work, 'pages/a.md', 'first');
    expect((await pawl(work, 'complete', 'a', '--actor', 'ann')).code).toBe(0);
    expect(await pawlJson(work, 'next', '--actor', 'bob')).toMatchObject({ task: { unit: 'b' } });
    editHidden(work, 'pages/a.md', 'first', 'FIRST');
    // Bob is at work, and c waits for the edit.
    const held = await pawlJson<{ exitCode: number; task?: object | null }>(work, 'next', '--actor', 'cai');
    expect([held.exitCode, held.task ?? null]).toEqual([75, null]);
    editHidden(work, 'pages/a.md', 'FIRST', 'first');
    expect(await pawlJson(work, 'next', '--actor', 'cai')).toMatchObject({ task: { unit: 'c' } });
  });
});

const team = `
pawl: 1
pipeline: team
units:
  - { id: a }
  - { id: b }
  - { id: c, needs: [a] }
phases:
  write:
    run: { task: writer }
    outputs: { page: "pages/{unit}.md" }
`;

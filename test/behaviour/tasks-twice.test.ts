import { describe, expect, it } from 'vitest';
import { pawlJson } from '../support/command.ts';
import { hashes, read, type TestWorkspace, withEnv, workspaceWith, write } from '../support/workspace.ts';
import { expectCode, next } from './tasks-work.ts';

/** Pages that an agent writes and a person approves. */
const manifest = (check: string) => `
pawl: 1
pipeline: pages
channels: [terminal, script]
units: [a, b]
phases:
  write:
    run: { task: writer, lease: 10m }
    outputs: { page: { path: "pages/{unit}.md", check: ${check} } }
    checkpoint: Page approval
`;

interface TaskJson {
  readonly again: boolean;
  readonly exitCode: number;
  readonly attempt: number;
  readonly outputs: readonly { readonly hash: string }[];
}

const complete = (work: TestWorkspace, number: number, ...more: string[]) =>
  pawlJson<TaskJson>(work, 'complete', 'a', '--actor', 'me', '--number', String(number), ...more);

async function claimed(check = 'non-empty'): Promise<TestWorkspace> {
  const work = workspaceWith(manifest(check));
  await expectCode(work, 75, 'run');
  await expectCode(work, 0, 'start', 'a', '--actor', 'me');
  write(work, 'pages/a.md', 'a page\n');
  return work;
}

describe('a completion that is said twice', () => {
  it('is answered alike before its approval is asked, while it is asked, and after', async () => {
    const work = await claimed();
    const first = await complete(work, 1);
    expect(first).toMatchObject({ exitCode: 0, again: false, attempt: 1 });
    const same = { exitCode: 0, again: true, attempt: 1, outputs: first.outputs };
    expect(await complete(work, 1)).toMatchObject(same);
    await expectCode(work, 3, 'run');
    expect(await complete(work, 1, '--output', 'page=pages/a.md')).toMatchObject(same);
    await expectCode(work, 0, 'approve', 'C1');
    expect(await complete(work, 1)).toMatchObject(same);
    // Other bytes are another completion, and nobody has a claim for it.
    write(work, 'other.md', 'another page\n');
    expect(await complete(work, 1, '--output', 'page=other.md')).toMatchObject({ exitCode: 6 });
  });
});

describe('a number', () => {
  it('that was never handed out is answered with the claim that there is, and leaves everything in place', async () => {
    const work = await claimed();
    const before = hashes(work);
    const wrong = await expectCode(work, 6, 'complete', 'a', '--actor', 'me', '--number', '2');
    expect(wrong.stderr).toContain('me has it under number 1');
    expect(wrong.stderr).toContain('--number 1');
    expect(wrong.stderr).not.toContain('nobody');
    const other = await expectCode(work, 6, 'heartbeat', 'a', '--actor', 'you', '--number', '1');
    expect(other.stderr).toContain("a/write is not you's under number 1: me has it under number 1");
    expect(Object.keys(hashes(work)).filter((path) => path.includes('aside'))).toEqual([]);
    expect(hashes(work)['pages/a.md']).toBe(before['pages/a.md']);
    expect(await complete(work, 1)).toMatchObject({ exitCode: 0, again: false });
  });
});

describe('a task that was released', () => {
  it('is handed out again as released, not as cut off', async () => {
    const work = await claimed();
    await expectCode(work, 0, 'release', 'a', '--actor', 'me');
    const why = await expectCode(work, 0, 'why', 'a/write');
    expect(why.stdout).toContain('attempt 1 was released');
    expect((await expectCode(work, 0, 'logs', 'a/write')).stdout).toContain('released');
    expect(await next(work, 'you')).toMatchObject({
      task: { unit: 'a', attempt: 2, why: { code: 'released' } },
    });
  });
});

describe('a check command', () => {
  it('is not started by complete where this user never ran the manifest, and is after a run or with PAWL_TRUST', async () => {
    const work = await claimed('{ command: [sh, -c, "echo ran >> checked.log", "{file}"] }');
    const stranger = withEnv(work, { XDG_STATE_HOME: `${work.env.XDG_STATE_HOME}-of-another` });
    const refused = await pawlJson<{ manifest: string; message: string; next: string[]; reason: string }>(
      stranger,
      ...['complete', 'a', '--actor', 'me'],
    );
    expect(refused).toMatchObject({ exitCode: 4, reason: 'never-run' });
    expect(refused.next?.join('\n')).toContain(`PAWL_TRUST=${refused.manifest}`);
    expect(Object.keys(hashes(work))).not.toContain('checked.log');
    const agent = withEnv(stranger, { PAWL_TRUST: refused.manifest, CODEX_CI: '1' });
    await expectCode(agent, 4, 'complete', 'a', '--actor', 'me');
    await expectCode(withEnv(stranger, { PAWL_TRUST: 'sha256:0' }), 4, 'complete', 'a', '--actor', 'me');
    await expectCode(
      withEnv(stranger, { PAWL_TRUST: refused.manifest }),
      0,
      'complete',
      'a',
      '--actor',
      'me',
    );
    expect(read(work, 'checked.log')).toBe('ran\n');
    // A run with nothing to do for the runner is consent as well.
    await expectCode(stranger, 3, 'run');
    await expectCode(stranger, 0, 'start', 'b', '--actor', 'me');
    write(work, 'pages/b.md', 'b page\n');
    await expectCode(stranger, 0, 'complete', 'b', '--actor', 'me');
  });
});

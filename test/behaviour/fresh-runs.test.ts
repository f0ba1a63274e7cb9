import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { copyOf, hashes, read, type TestWorkspace, withEnv, workspaceWith } from '../support/workspace.ts';

const manifest = `
pawl: 1
pipeline: notes
units: [a, b]
pace: { concurrency: 1 }
phases:
  write:
    run: { function: "stamp.mjs#stamp" }
    outputs: { text: { path: "out/{unit}.md" } }
`;
const stamp = 'export const stamp = ({ unit }) => ({ text: unit.id + process.env.STAMP });\n';

interface Heading extends Answer {
  readonly heading: { readonly run: string; readonly replacedBy?: string };
}

interface Runs extends Answer {
  readonly runs: readonly { readonly run: string; readonly replacedBy?: string }[];
}

function folders(work: TestWorkspace): string[] {
  return readdirSync(join(work.root, '.pawl/runs')).sort();
}

/** A run that a kill left open after its first unit; the bytes that it makes hold its stamp. */
async function leaveOpen(work: TestWorkspace, word: string, ...args: string[]): Promise<string> {
  const before = folders(work);
  const killed = await pawlKilledAt(withEnv(work, { STAMP: word }), 'a finished', 'run', ...args);
  expect(killed.signal, killed.stderr).toBe('SIGKILL');
  return folders(work).find((name) => !before.includes(name)) ?? '';
}

describe('a run that --fresh replaces', () => {
  let work: TestWorkspace;
  let old: string;
  let fresh: string;
  let before: Record<string, string>;

  beforeAll(async () => {
    work = workspaceWith(manifest, { 'stamp.mjs': stamp, '.pawl/runs/.keep': '' });
    rmSync(join(work.root, '.pawl/runs/.keep'));
    old = await leaveOpen(work, 'old');
    before = hashes(work, `.pawl/runs/${old}`);
    const run = await pawlJson<Heading>(withEnv(work, { STAMP: 'new' }), 'run', '--fresh');
    expect(run.finished.code, run.finished.stderr).toBe(0);
    fresh = run.heading.run;
  });

  it('is listed as abandoned and never chosen', async () => {
    expect(await pawlJson<Heading>(work, 'run')).toMatchObject({
      kind: 'unchanged',
      heading: { run: fresh },
    });
    expect(await pawlJson<Heading>(work, 'status')).toMatchObject({ heading: { run: fresh } });
    const { runs } = await pawlJson<Runs>(work, 'runs');
    expect(new Map(runs.map(({ run, replacedBy }) => [run, replacedBy]))).toEqual(
      new Map([
        [old, fresh],
        [fresh, undefined],
      ]),
    );
    expect((await pawl(work, 'runs')).stdout).toContain(`abandoned: replaced by ${fresh}`);
    const resumed = await pawlJson<Heading>(work, 'resume');
    expect(resumed.finished.stdout).not.toContain(old);
    expect(hashes(work, `.pawl/runs/${old}`)).toEqual(before);
  });

  it('is looked at by its id, and what the fresh run wrote is called that', async () => {
    const status = await pawlJson<Heading>(work, 'status', '--run', old);
    expect(status.heading).toMatchObject({ run: old, replacedBy: fresh });
    const plan = await pawl(work, 'plan', '--run', old);
    expect(plan.code).toBe(4);
    expect(plan.stdout).toContain(`out/a.md was written by run ${fresh}`);
    const verify = await pawl(work, 'verify', '--run', old);
    expect(verify.stdout).toContain(`another run wrote this output since (${fresh})`);
    const why = await pawl(work, 'why', 'a/write', '--run', old);
    for (const { stdout } of [plan, verify, why]) expect(stdout).not.toContain('edited by hand');
    expect(hashes(work, `.pawl/runs/${old}`)).toEqual(before);
  });

  it('is resumed by its id', async () => {
    const copy = withEnv(copyOf(work), { STAMP: 'old' });
    const refused = await pawl(copy, 'run', '--resume', old);
    expect(refused.code).toBe(4);
    // Without the id each command would be about the fresh run.
    expect(refused.stderr).toContain(`pawl run --resume ${old} --keep-changed --reason`);
    expect(refused.stderr).toContain(`pawl diff --run ${old}`);
    const status = await pawl(copy, 'status', '--run', old);
    expect(status.stdout).toContain(`pawl run --resume ${old} --keep-changed --reason`);
    const plan = await pawlJson<Answer>(copy, 'plan', '--run', old);
    expect(plan.next?.join('\n')).toContain(`pawl run --resume ${old} --keep-changed`);
    rmSync(join(copy.root, 'out/a.md'));
    const resumed = await pawlJson<Heading>(copy, 'run', '--resume', old, '--restore');
    expect(resumed).toMatchObject({ ok: true, heading: { run: old } });
    expect(read(copy, 'out/a.md')).toBe('aold');
  });
});

describe('a chain of fresh runs', () => {
  let work: TestWorkspace;
  let runs: string[];

  beforeAll(async () => {
    work = workspaceWith(manifest, { 'stamp.mjs': stamp, '.pawl/runs/.keep': '' });
    rmSync(join(work.root, '.pawl/runs/.keep'));
    runs = [];
    for (const word of ['one', 'two', 'three'])
      runs.push(await leaveOpen(work, word, ...(runs.length > 0 ? ['--fresh'] : [])));
  });

  async function chosen(without: string): Promise<string> {
    const copy = copyOf(work);
    rmSync(join(copy.root, '.pawl/runs', without), { recursive: true, force: true });
    return (await pawlJson<Heading>(copy, 'status')).heading.run;
  }

  it('leads to the newest that is there', async () => {
    const [, two = '', three = ''] = runs;
    expect(await chosen('none')).toBe(three);
    expect(await chosen(two)).toBe(three);
    expect(await chosen(three)).toBe(two);
  });

  it('is asked about where the newest cannot be read', async () => {
    const copy = copyOf(work);
    const [, two = '', three = ''] = runs;
    for (const name of ['snapshot', 'events/runner/00000001.jsonl'])
      rmSync(join(copy.root, '.pawl/runs', three, name), { force: true });
    const events = join(copy.root, '.pawl/runs', three, 'events/runner');
    for (const name of readdirSync(events)) writeFileSync(join(events, name), 'unreadable\n');
    const asked = await pawlJson<Answer & { candidates: { id: string; status: string }[] }>(copy, 'run');
    expect(asked).toMatchObject({ exitCode: 5, reason: 'which-run' });
    expect(asked.candidates.map(({ id, status }) => [id, status])).toEqual([
      [two, 'interrupted'],
      [three, 'damaged'],
    ]);
  });
});

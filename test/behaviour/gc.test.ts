import { mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { copyOf, has, hashes, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';

describe('gc', () => {
  let two: TestWorkspace;

  beforeAll(async () => {
    two = workspaceWith(manifest);
    expect((await pawl(two, 'run')).code).toBe(0);
    expect((await pawl(two, 'run', '--fresh')).code).toBe(0);
  });

  it('says what it would delete, and changes nothing', async () => {
    const work = copyOf(two);
    age(work);
    const before = hashes(work);
    const told = await pawl(work, 'gc', '--older-than', '0d');
    expect(told.code).toBe(0);
    expect(told.stdout).toContain('would delete');
    expect(told.stdout).toMatch(/nothing was deleted; [\d.]+ KB would be freed: add --delete to do it/);
    expect(await pawlJson(work, 'gc', '--older-than', '0d', '--keep', 'approved')).toMatchObject({
      ok: true,
    });
    expect(await pawlJson(work, 'gc', '--older-than', '30d')).toMatchObject({ bytes: 0, runs: [] });
    expect(hashes(work)).toEqual(before);
  });

  it('deletes the older run and leaves the newest as it was', async () => {
    const work = copyOf(two);
    age(work);
    const [first = '', second = ''] = readdirSync(join(work.root, 'runs')).toSorted();
    const before = hashes(work, `runs/${second}`);
    const told = await pawlJson<Collected>(work, 'gc', '--older-than', '0d');
    const size = sizeOf(work);
    const done = await pawlJson<Collected>(work, 'gc', '--older-than', '0d', '--delete');
    expect(done).toMatchObject({
      ok: true,
      deleted: true,
      bytes: told.bytes,
      runs: [{ folder: `runs/${first}` }],
    });
    expect(size - sizeOf(work)).toBe(told.bytes);
    expect(has(work, `runs/${first}`)).toBe(false);
    expect(hashes(work, `runs/${second}`)).toEqual(before);
    expect(readdirSync(join(work.root, '.pawl/runs'))).toHaveLength(1);
    expect(await pawlJson(work, 'verify')).toMatchObject({ ok: true, findings: [] });
    expect((await pawl(work, 'run')).stdout).toContain('nothing');
    expect(await pawlJson(work, 'gc', '--older-than', '0d', '--delete')).toMatchObject({
      runs: [],
      bytes: 0,
    });
  });

  it('keeps what is approved, and runs and inspect still tell of it', async () => {
    const work = copyOf(two);
    const [first = ''] = readdirSync(join(work.root, 'runs')).toSorted();
    const done = await pawlJson<Collected>(
      work,
      'gc',
      '--older-than',
      '0d',
      '--keep',
      'approved',
      '--delete',
    );
    const id = done.runs[0]?.run ?? '';
    expect(Object.keys(hashes(work, `runs/${first}`)).filter((path) => path.endsWith('.txt'))).toEqual([
      `runs/${first}/approved/a.txt`,
      `runs/${first}/approved/b.txt`,
    ]);
    expect(has(work, `runs/${first}/manifest.lock.json`)).toBe(true);
    expect((await pawl(work, 'runs')).stdout).toContain(id);
    const inspected = await pawlJson<{ units: { attempts: unknown[] }[] }>(work, 'inspect', id);
    expect(inspected.units.map(({ attempts }) => attempts.length)).toEqual([2, 2]);
  });

  it('never follows a link out of the workspace', async () => {
    const work = copyOf(two);
    const [first = ''] = readdirSync(join(work.root, 'runs')).toSorted();
    const outside = join(work.root, '..', 'outside');
    renameSync(join(work.root, `runs/${first}/candidates`), outside);
    symlinkSync(outside, join(work.root, `runs/${first}/candidates`));
    const done = await pawlJson<Collected>(work, 'gc', '--older-than', '0d', '--delete');
    expect(done.runs[0]?.leftAlone).toEqual([
      { path: `runs/${first}/candidates/a_01.txt`, reason: 'through-link' },
      { path: `runs/${first}/candidates/b_01.txt`, reason: 'through-link' },
      { path: `runs/${first}/candidates`, reason: 'not-made-by-run' },
    ]);
    expect(readdirSync(outside)).toEqual(['a_01.txt', 'b_01.txt']);
    expect(readdirSync(join(work.root, `runs/${first}`))).toEqual(['candidates']);
  });

  it('leaves edits and files of other people', async () => {
    const work = copyOf(two);
    const [first = ''] = readdirSync(join(work.root, 'runs')).toSorted();
    write(work, `runs/${first}/approved/a.txt`, 'my edit\n');
    write(work, `runs/${first}/notes.md`, 'my notes\n');
    mkdirSync(join(work.root, `runs/${first}/empty`));
    const told = await pawl(work, 'gc', '--older-than', '0d', '--delete');
    expect(told.stdout).toContain(`left alone: runs/${first}/approved/a.txt (not as the run made it)`);
    expect(Object.keys(hashes(work, `runs/${first}`)).toSorted()).toEqual([
      `runs/${first}/approved/a.txt`,
      `runs/${first}/notes.md`,
    ]);
    expect(read(work, `runs/${first}/approved/a.txt`)).toBe('my edit\n');
  });

  it('is refused while somebody runs', async () => {
    const { door, workspace } = await openDoor(copyOf(two), ['a/draw']);
    const [first = ''] = readdirSync(join(workspace.root, 'runs')).toSorted();
    const before = hashes(workspace, `runs/${first}`);
    const running = start(workspace, ['run', '--fresh']);
    const visit = await door.visit('a/draw');
    const refused = await pawlJson(workspace, 'gc', '--older-than', '0d', '--delete');
    expect(refused).toMatchObject({ exitCode: 6, reason: 'run-held' });
    expect((await pawl(workspace, 'gc', '--older-than', '0d')).stdout).toContain('is held');
    expect(hashes(workspace, `runs/${first}`)).toEqual(before);
    visit.answer('go');
    expect((await running.ended).code).toBe(0);
  });

  it('works where the manifest is gone', async () => {
    const work = copyOf(two);
    rmSync(join(work.root, 'pawl.yaml'));
    expect(await pawlJson(work, 'gc', '--older-than', '0d', '--delete')).toMatchObject({ ok: true });
    expect(readdirSync(join(work.root, 'runs'))).toHaveLength(1);
  });

  it.each([[['gc']], [['gc', '--older-than', 'soon']], [['gc', '--older-than', '1d', '--keep', 'all']]])(
    '%j is no call',
    async (args) => {
      const slip = await pawl(two, ...args);
      expect(slip.code).toBe(2);
      expect(slip.stderr).toMatch(/--older-than|--keep/);
    },
  );
});

/** As if everything in the store had been put there long ago. */
function age({ root }: TestWorkspace): void {
  const long = new Date(Date.now() - 2 * 3_600_000);
  for (const entry of readdirSync(join(root, '.pawl/objects'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), long, long);
}

function sizeOf(work: TestWorkspace): number {
  const files = Object.keys(hashes(work)).filter((path) => !path.startsWith('.pawl/turns/'));
  return files.reduce((sum, path) => sum + statSync(join(work.root, path)).size, 0);
}

interface Collected {
  readonly bytes: number;
  readonly runs: readonly { readonly run: string; readonly leftAlone: readonly unknown[] }[];
}

const manifest = `
pawl: 1
pipeline: gallery
identity: { character: blaze }
units: [a, b]
phases:
  draw:
    run: { function: ./phases.mjs#step }
    outputs: { text: "{run}/candidates/{unit}_{attempt:02}.txt" }
  approve:
    run: { function: ./phases.mjs#step }
    inputs: { text: draw.text }
    outputs: { text: "{run}/approved/{unit}.txt" }
layout: { run: "runs/{date}_{character}" }
`;

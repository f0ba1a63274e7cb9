import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { documentOf, pawl, pawlJson, pawlKilledAt, pawlProcess } from '../support/command.ts';
import { events } from '../support/journal.ts';
import { expectNothingToDo, expectSound, library, libraryEnvironment } from '../support/library.ts';
import { tempFolder } from '../support/temp.ts';
import { callWithoutRoot } from '../support/without-root.ts';
import {
  calls,
  copyOf,
  copyOfBook,
  finalFiles,
  hashes,
  projectRoot,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
} from '../support/workspace.ts';

describe('a workspace that was copied or moved', () => {
  it('resumes where it was, in both places', async () => {
    const book = copyOfBook();
    await pawlKilledAt(book, 'ch001_sc002/write succeeded', 'run');
    const done = new Set(stepsCalled(book));
    const copy = copyOf(book);
    for (const workspace of [copy, book]) {
      const before = workspace === book ? calls(book).length : 0;
      await pawlKilledAt(workspace, 'ch001_sc002 finished', 'run');
      const rerun = stepsCalled(workspace, before);
      expect(rerun[0]).toBe('ch001_sc002/state_repair');
      expect(rerun.filter((step) => done.has(step))).toEqual([]);
    }
    expect(finalFiles(copy)).toEqual(finalFiles(book));

    const moved: TestWorkspace = { ...book, root: join(tempFolder(), 'elsewhere') };
    renameSync(book.root, moved.root);
    const before = calls(moved).length;
    await pawlKilledAt(moved, 'ch001_sc003/plan started', 'run');
    expect(stepsCalled(moved, before)).toEqual([]);
  });

  it('has nothing to do where it was done, and proves it by its bytes', async () => {
    const work = workspaceWith(manifest);
    expect((await pawl(work, 'run')).code).toBe(0);
    const copy = copyOf(work);
    await expectNothingToDo(copy);
    await expectSound(copy);
    expect(calls(copy)).toEqual([]);
    writeFileSync(join(copy.root, 'out/a.one.txt'), 'other bytes\n');
    expect((await pawl(copy, 'run')).code).toBe(4);
    expect((await pawl(work, 'run')).code).toBe(0);
  });
});

describe('a clock that was set back', () => {
  it('changes neither the order of events nor what is done', async () => {
    const work = workspaceWith(manifest.replace('#step }', '#step }\n    params: { fails: 1 }'));
    const { run, status } = await library();
    const hour = 3_600_000;
    const first = await run({ path: work.root }, await environmentAt(work, Date.now()));
    expect(first).toMatchObject({ ok: true, value: { heading: { status: 'stopped' } } });
    const second = await run({ path: work.root }, await environmentAt(work, Date.now() - 48 * hour));
    expect(second).toMatchObject({ ok: true, value: { heading: { status: 'completed' } } });

    const all = events(work);
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, index) => index + 1));
    expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted());
    expect(all.at(-1)).toMatchObject({ type: 'run_ended', status: 'completed' });
    expect(await status({ path: work.root }, await environmentAt(work, 0))).toMatchObject({
      ok: true,
      value: { heading: { status: 'completed' }, findings: [] },
    });
    await expectNothingToDo(work);
  });
});

describe('a folder that may only be read', () => {
  it('ends in a clear error, can be looked at, and is resumed when it may be written to', async ({
    skip,
  }) => {
    const work = workspaceWith(manifest);
    await pawlKilledAt(work, 'a/one succeeded', 'run');
    const before = hashes(work);
    const call = callWithoutRoot(work) ?? skip('no other user can reach this workspace');
    execFileSync('chmod', ['-R', 'a-w', work.root]);

    const refused = await call('run', '--json');
    expect(refused.code).toBe(7);
    expect(documentOf(refused)).toMatchObject({ reason: 'disk-failed', code: 'EACCES' });
    const told = await call('run');
    expect(told.stderr).toContain('permission was denied');
    expect(told.stderr).toContain(work.root);
    expect(told.stderr).not.toMatch(/^\s+at /m);
    for (const look of ['status', 'plan', 'runs', 'verify']) expect((await call(look)).code).toBe(0);
    expect(hashes(work)).toEqual(before);

    execFileSync('chmod', ['-R', 'u+w', work.root]);
    expect((await call('run')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/one', 'a/two']);
  });

  it('is said before a new run is begun, and leaves nothing behind', async ({ skip }) => {
    const work = workspaceWith(manifest);
    const before = hashes(work);
    const call = callWithoutRoot(work) ?? skip('no other user can reach this workspace');
    chmodSync(work.root, 0o555);
    const refused = await call('run');
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('permission was denied');
    chmodSync(work.root, 0o755);
    expect(hashes(work)).toEqual(before);
  });
});

const smallDisk = mountSmallDisk();
afterAll(() => {
  if (smallDisk !== undefined) execFileSync('umount', ['-l', smallDisk]);
});

/** Mounting takes a privilege that not everybody has: without it there is no true full disk to be had. */
describe.skipIf(smallDisk === undefined)('a disk that is full', () => {
  it('ends the run with a clear error; it can be read, and goes on when there is room again', async () => {
    const made = workspaceWith(manyUnits);
    const root = join(smallDisk ?? '', 'work');
    renameTo(made.root, root);
    const work: TestWorkspace = { ...made, root };

    const full = await pawlJson(work, 'run');
    expect(full).toMatchObject({ ok: false, exitCode: 7, reason: 'disk-failed', code: 'ENOSPC' });
    expect(full.finished.code).toBe(7);
    const told = await pawl(work, 'run');
    expect(told.code).toBe(7);
    expect(told.stderr).toContain('no space left');
    expect(told.stderr).toContain('free some space');

    const status = await pawlJson<{ counts: { succeeded: number }; findings: { weight: string }[] }>(
      work,
      'status',
    );
    expect(status.finished.code).toBe(0);
    expect(status.counts.succeeded).toBeGreaterThan(0);
    expect(status.findings.filter(({ weight }) => weight === 'loud')).toEqual([]);
    const succeeded = succeededSteps(work);

    const before = calls(work).length;
    execFileSync('mount', ['-o', 'remount,size=16m', smallDisk ?? '']);
    const resumed = await pawl(work, 'run');
    expect(resumed.code).toBe(0);
    const rerun = new Set(stepsCalled(work, before));
    expect(succeeded.filter((step) => rerun.has(step))).toEqual([]);
    await expectSound(work);
    expect(read(work, 'out/39.txt')).toContain('39/one');
  });
});

describe.runIf(existsSync('/dev/full'))('an answer for which there is no room', () => {
  for (const form of [[], ['--json']]) {
    it(`is not called one${form.map((flag) => `, with ${flag}`).join('')}`, () => {
      const { root, env } = workspaceWith(manifest);
      const bin = join(projectRoot, 'bin/pawl.js');
      const command = `exec "$0" "$@" > /dev/full`;
      const told = spawnSync('sh', ['-c', command, process.execPath, bin, 'plan', ...form], {
        cwd: root,
        env: { ...env },
        encoding: 'utf8',
      });
      expect(told.stderr).toContain('no space left (ENOSPC, write standard output)');
      expect(told.status).toBe(7);
    });
  }
});

describe('code of a pipeline', () => {
  const withCode = (code: string) =>
    workspaceWith(
      'pawl: 1\npipeline: p\nunits: [a]\nphases: { one: { run: { function: ./code.mjs#one }, outputs: { out: "{unit}.txt" } } }\n',
      { 'code.mjs': `export function one() {\n  ${code}\n  return { out: 'x' };\n}\n` },
    );

  it('that ends the process does not make a success of it', async () => {
    for (const code of [0, 3]) {
      const work = withCode(`process.exit(${code});`);
      expect(documentOf(await pawlProcess(work, 'run', '--json'))).toMatchObject({
        exitCode: 70,
        reason: 'process-ended',
      });
      const told = await pawlProcess(work, 'run');
      expect(told.code).toBe(70);
      expect(told.stderr).toContain('code that was loaded by pawl ended the process');
    }
  });

  it('that prints does not spoil the one document', async () => {
    const work = withCode(`console.log('printed'); process.stdout.write('written');`);
    const ran = await pawlProcess(work, 'run', '--json');
    expect(documentOf(ran)).toMatchObject({ ok: true, exitCode: 0 });
    expect(ran.stderr).toContain('printed\nwritten');
  });
});

function succeededSteps(work: TestWorkspace): string[] {
  return events(work).flatMap(({ type, unit, phase }) =>
    type === 'attempt_succeeded' ? [`${unit}/${phase}`] : [],
  );
}

async function environmentAt(work: TestWorkspace, nowMs: number) {
  const began = Date.now();
  const clock: Clock = { ...systemClock, now: () => nowMs + (Date.now() - began) };
  return { ...(await libraryEnvironment(work)), clock };
}

function renameTo(from: string, to: string): void {
  mkdirSync(to);
  execFileSync('cp', ['-r', `${from}/.`, to]);
  rmSync(from, { recursive: true });
}

function mountSmallDisk(): string | undefined {
  const folder = tempFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=640k', 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    return undefined;
  }
}

const manifest = `
pawl: 1
pipeline: places
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

const manyUnits = `
pawl: 1
pipeline: many
units: { count: 40 }
pace: { concurrency: 1 }
phases:
  one:
    run: { function: ./phases.mjs#step }
    params: { word: "${'long '.repeat(2_000)}" }
    outputs: { text: "out/{unit}.txt" }
`;

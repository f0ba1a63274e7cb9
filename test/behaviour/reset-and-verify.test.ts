import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/base/hash.ts';
import { pawl, pawlJson, pawlKilledAt, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { eventsOf, runFolder, segments } from '../support/journal.ts';
import {
  calls,
  copyOf,
  copyOfBook,
  edit,
  finalFiles,
  has,
  hashes,
  read,
  readJson,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

describe('reset', () => {
  it('archives the book with all that it made, so that the next run starts fresh', async () => {
    const book = copyOfBook();
    await pawlKilledAt(book, 'ch001_sc002 finished', 'run');
    const made = finalFiles(book);
    const history = hashes(book, 'draft/context/phase_history');
    const run = runFolder(book);
    const journal = hashes(book, `${run}/events`);
    expect(Object.keys(history)).toHaveLength(2);
    const before = calls(book).length;

    const reset = await pawlJson<{ archived: { to: string; files: number }[] }>(book, 'reset', '--yes');
    expect(reset.finished.code).toBe(0);
    const { to = '', files = 0 } = reset.archived[0] ?? {};
    const manifest = readJson(book, `${to}/manifest.json`) as { files: ArchivedFile[] };
    expect(manifest.files).toHaveLength(files);
    const archived = Object.fromEntries(manifest.files.map(({ path, hash }) => [path, hash]));
    expect(archived).toMatchObject({ ...made, ...history });
    for (const { path, hash } of manifest.files) {
      expect(hashBytes(read(book, `${to}/files/${path}`))).toBe(hash);
      expect(has(book, path)).toBe(false);
    }
    for (const [path, hash] of Object.entries(journal)) {
      // The last segment has one line more: that the run is over.
      if (path !== segmentsBefore(journal).at(-1)) expect(archived[path]).toBe(hash);
      expect(archived[path]).toBeDefined();
    }
    expect(has(book, 'draft/context/phase_history/ch001_sc001.json')).toBe(false);
    expect(await pawlJson(book, 'status')).toMatchObject({ exitCode: 5, reason: 'no-run' });

    const fresh = await pawlKilledAt(book, 'ch001_sc001/preflight started', 'run');
    expect(fresh.stderr).toContain('new run');
    expect(runFolder(book)).not.toBe(run);
    expect(stepsCalled(book, before)).toEqual(['ch001_sc001/plan']);
    expect(eventsOf(book, 'attempt_succeeded')).toMatchObject([
      { unit: 'ch001_sc001', phase: 'plan', attempt: 1 },
    ]);
  });

  it('never takes what somebody else has put there, and keeps what was edited', async () => {
    const work = workspaceWith(manifest);
    expect((await pawl(work, 'run')).code).toBe(0);
    write(work, 'out/mine.txt', 'not made by a run\n');
    write(work, 'out/a.two.txt', 'my edit\n');
    const { archived } = await pawlJson<{ archived: { to: string }[] }>(work, 'reset', '--yes');
    expect(read(work, 'out/mine.txt')).toBe('not made by a run\n');
    expect(read(work, `${archived[0]?.to}/files/out/a.two.txt`)).toBe('my edit\n');
  });

  it('of the older of two runs leaves the newer one whole; of none in particular leaves none', async () => {
    const work = workspaceWith(manifest);
    const first = await pawlJson<{ heading: { run: string } }>(work, 'run');
    const second = await pawlJson<{ heading: { run: string } }>(work, 'run', '--fresh');
    const told = await pawl(work, 'reset', '--run', first.heading.run, '--yes');
    expect(told.stdout).toContain(`the next run comes back to ${second.heading.run}`);
    expect(told.stdout).toContain('left alone: out/a.one.txt');
    expect((await pawl(work, 'verify')).code).toBe(0);
    expect((await pawl(work, 'run', '--fresh')).code).toBe(0);
    expect((await pawl(work, 'reset', '--yes')).stdout).toContain(
      '2 runs archived; the next run starts fresh',
    );
    expect(has(work, 'out/a.one.txt')).toBe(false);
    expect(await pawlJson(work, 'run')).toMatchObject({ kind: 'new' });
  });

  it('asks first, and where nobody can be asked does nothing without --yes', async () => {
    const work = workspaceWith(manifest);
    expect((await pawl(work, 'run')).code).toBe(0);
    const before = hashes(work);
    const refused = await pawl(work, 'reset');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--yes');
    expect(hashes(work)).toEqual(before);
  });

  it('leaves a run alone that somebody holds', async () => {
    const { door, workspace } = await openDoor(workspaceWith(manifest), ['a/one']);
    const running = start(workspace, ['run']);
    const visit = await door.visit('a/one');
    expect((await pawl(workspace, 'reset', '--yes')).code).toBe(6);
    visit.answer('go');
    expect((await running.ended).code).toBe(0);
    expect(has(workspace, 'out/b.two.txt')).toBe(true);
  });
});

describe('verify', () => {
  let done: TestWorkspace;
  let work: TestWorkspace;

  beforeAll(async () => {
    done = workspaceWith(manifest);
    expect((await pawl(done, 'run')).code).toBe(0);
  });

  beforeEach(() => {
    work = copyOf(done);
  });

  it('finds nothing where nothing is wrong', async () => {
    const verified = await pawlJson<Verified>(work, 'verify');
    expect(verified).toMatchObject({ ok: true, exitCode: 0, findings: [], checked: { outputs: 4 } });
    expect(verified.checked.events).toBeGreaterThan(8);
  });

  it.each([
    ['a missing output', 'output-missing', 'out/a.one.txt', () => remove(work, 'out/a.one.txt')],
    ['an edited output', 'output-edited', 'out/a.two.txt', () => write(work, 'out/a.two.txt', 'edited\n')],
    ['a damaged output', 'output-damaged', 'out/b.one.txt', () => write(work, 'out/b.one.txt', '')],
  ])('finds %s', async (_, code, file, damage) => {
    damage();
    const before = hashes(work);
    const verified = await pawlJson<Verified>(work, 'verify');
    expect(verified.finished.code).toBe(7);
    expect(verified.findings).toEqual([{ code, file, weight: 'loud' }]);
    const told = await pawl(work, 'verify');
    expect(told.code).toBe(7);
    expect(told.stdout).toContain(file);
    expect(hashes(work)).toEqual(before);
  });

  it('finds bytes that the content store has lost', async () => {
    const objects = '.pawl/objects';
    for (const name of readdirSync(join(work.root, objects), { recursive: true, withFileTypes: true })) {
      if (name.isFile()) rmSync(join(name.parentPath, name.name));
    }
    const verified = await pawlJson<Verified>(work, 'verify');
    expect(verified.finished.code).toBe(7);
    expect(new Set(verified.findings.map(({ code }) => code))).toEqual(new Set(['object-missing']));
  });

  it('finds a file that lies where an output belongs and that no attempt has made', async () => {
    const half = workspaceWith(manifest);
    await pawlKilledAt(half, 'a/one succeeded', 'run');
    write(half, 'out/b.two.txt', 'from somewhere\n');
    const verified = await pawlJson<Verified>(half, 'verify');
    expect(verified.findings).toContainEqual({ code: 'orphan-file', file: 'out/b.two.txt', weight: 'quiet' });
  });

  it('finds a ledger file that says something else than the journal', async () => {
    const ledger = 'ledger/a.json';
    edit(work, ledger, '"success"', '"fail"');
    const verified = await pawlJson<Verified>(work, 'verify');
    expect(verified.findings).toEqual([{ code: 'projection-differs', file: ledger, weight: 'quiet' }]);
  });

  it.each([
    ['changed', (lines: string[]) => lines.with(4, (lines[4] ?? '').replace('"phase"', '"phasf"'))],
    ['removed', (lines: string[]) => lines.toSpliced(4, 1)],
  ])('finds a line of the journal that was %s', async (_, damage) => {
    const [segment = ''] = segments(work);
    write(work, segment, damage(read(work, segment).split('\n')).join('\n'));
    const before = hashes(work);
    const verified = await pawlJson<Verified>(work, 'verify');
    expect(verified.finished.code).toBe(7);
    const loud = verified.findings.filter(({ weight, file }) => weight === 'loud' && file === segment);
    expect(loud.length).toBeGreaterThan(0);
    for (const { line } of loud) expect(line).toBeGreaterThanOrEqual(5);
    const told = await pawl(work, 'verify');
    expect(told.stdout).toContain(`${segment}:5`);
    expect(hashes(work)).toEqual(before);
  });

  it('finds a line of the journal that was swapped with the next, and counts both by the chain', async () => {
    const [segment = ''] = segments(work);
    const lines = read(work, segment).split('\n');
    write(
      work,
      segment,
      lines
        .with(4, lines[5] ?? '')
        .with(5, lines[4] ?? '')
        .join('\n'),
    );
    const before = hashes(work);
    const { finished, findings } = await pawlJson<Verified>(work, 'verify');
    expect(finished.code).toBe(0);
    const found = { code: 'line-out-of-place', file: segment, weight: 'quiet' };
    expect(findings).toMatchObject([
      { ...found, line: 5 },
      { ...found, line: 6 },
    ]);
    expect(hashes(work)).toEqual(before);
    expect(await pawlJson(work, 'run')).toMatchObject({ kind: 'unchanged' });
  });

  it('finds a journal whose last lines were cut off', async () => {
    // How far it had come is kept for the place where it stands, and a copy stands elsewhere.
    expect(await pawlJson(work, 'run', '--rerun-all')).toMatchObject({ ok: true });
    const segment = segments(work).at(-1) ?? '';
    const lines = read(work, segment).split('\n');
    write(work, segment, `${lines.slice(0, -6).join('\n')}\n`);
    const verified = await pawlJson<Verified>(work, 'verify');
    expect(verified.finished.code).toBe(7);
    expect(verified.findings).toContainEqual(
      expect.objectContaining({ code: 'journal-shorter-than-head', weight: 'loud' }),
    );
  });
});

function remove(work: TestWorkspace, path: string): void {
  rmSync(join(work.root, path));
}

function segmentsBefore(journal: Record<string, string>): string[] {
  return Object.keys(journal)
    .filter((path) => path.endsWith('.jsonl'))
    .sort();
}

interface ArchivedFile {
  readonly path: string;
  readonly hash: string;
}

interface Verified {
  readonly findings: readonly { code: string; file: string; line?: number; weight: string }[];
  readonly checked: { readonly events: number };
}

const manifest = `
layout: { ledger: "ledger/{unit}.json" }
pawl: 1
pipeline: kept
units: [a, b]
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: { path: "out/{unit}.one.txt", check: non-empty } }
  two:
    run: { function: ./phases.mjs#step }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}.two.txt" }
`;

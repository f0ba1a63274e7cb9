import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashBytes } from '../../src/base/hash.ts';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { eventsOf, runFolder } from '../support/journal.ts';
import { expectNothingToDo, expectSound } from '../support/library.ts';
import {
  calls,
  copyOf,
  copyOfBook,
  edit,
  finalFiles,
  has,
  hashes,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

let done: TestWorkspace;
let half: TestWorkspace;
let work: TestWorkspace;

beforeAll(async () => {
  done = workspaceWith(manifest, { 'seed.json': '{"count":0,"log":[]}' });
  half = copyOf(done);
  expect((await pawl(done, 'run')).code).toBe(0);
  expect(calls(done)).toHaveLength(8);
  await pawlKilledAt(half, 'b/plan started', 'run');
  expect(calls(half)).toHaveLength(4);
});

beforeEach(() => {
  work = copyOf(done);
});

describe('an output that is missing', () => {
  it('is made again, and nothing behind it, for it has the same bytes', async () => {
    const before = hashes(work, 'out');
    rmSync(join(work.root, 'out/a.plan.json'));
    const run = await pawl(work, 'run');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('a/plan started (attempt 2');
    expect(stepsCalled(work)).toEqual(['a/plan']);
    expect(hashes(work, 'out')).toEqual(before);
  });

  it('is brought back from the content store when --restore asks for it', async () => {
    const before = hashes(work, 'out');
    rmSync(join(work.root, 'out'), { recursive: true });
    expect((await pawl(work, 'plan', '--restore')).stdout).toContain('pawl run --restore\n');
    const run = await pawl(work, 'run', '--restore');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('out/a.plan.json put back');
    expect(calls(work)).toEqual([]);
    expect(hashes(work, 'out')).toEqual(before);
    await expectSound(work);
  });

  it('reruns the phase of the book that made it', async () => {
    const book = copyOfBook();
    expect((await pawlKilledAt(book, 'ch001_sc001 finished', 'run')).signal).toBe('SIGKILL');
    const before = calls(book).length;
    const pack = read(book, 'draft/context/ch001_sc001/continuity_pack.md');
    rmSync(join(book.root, 'draft/context/ch001_sc001/continuity_pack.md'));
    await pawlKilledAt(book, 'ch001_sc002/plan started', 'run');
    expect(stepsCalled(book, before)).toEqual(['ch001_sc001/continuity_pack']);
    expect(read(book, 'draft/context/ch001_sc001/continuity_pack.md')).toBe(pack);
  });
});

describe('an output that is damaged', () => {
  it.each([
    ['fails its check', () => write(work, 'out/a.plan.json', '{"cut off'), '{"cut off'],
    [
      'is the file of another unit',
      () => cpSync(join(work.root, 'out/b.plan.json'), join(work.root, 'out/a.plan.json')),
      '"b/plan\\n"',
    ],
  ])('because it %s is moved aside and made again', async (_, damage, kept) => {
    const before = hashes(work, 'out');
    damage();
    const run = await pawl(work, 'run');
    expect(run.code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/plan']);
    expect(hashes(work, 'out')).toEqual(before);
    expect(read(work, asideOf(run.stderr, 'out/a.plan.json'))).toBe(kept);
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link', (path: string) => symlinkSync('/etc/hostname', path)],
  ])('because it is %s is moved aside and made again', async (_, replace) => {
    const path = join(work.root, 'out/a.plan.json');
    const before = hashes(work, 'out');
    rmSync(path);
    replace(path);
    const run = await pawl(work, 'run');
    expect(run.code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/plan']);
    expect(hashes(work, 'out')).toEqual(before);
    expect(asideOf(run.stderr, 'out/a.plan.json')).toContain('aside');
  });
});

describe('an output that was edited by hand', () => {
  const mine = 'a sentence of my own\n';

  beforeEach(() => write(work, 'out/a.write.txt', mine));

  it('is named, refused and left alone', async () => {
    const recorded = hashBytes('a/write text["a/plan\\n"] state[{"count":0,"log":[]}]\n');
    const refused = await pawlJson<{ refusals: object[] }>(work, 'run');
    expect(refused.finished.code).toBe(4);
    expect(refused.refusals).toEqual([
      {
        guard: 'output-edited',
        unit: 'a',
        phase: 'write',
        output: 'text',
        path: 'out/a.write.txt',
        before: recorded,
        after: hashBytes(mine),
      },
    ]);
    const told = await pawl(work, 'run');
    expect(told.stderr).toContain('out/a.write.txt was edited by hand');
    expect(told.stderr).toContain('pawl adopt');
    expect(read(work, 'out/a.write.txt')).toBe(mine);
    expect(calls(work)).toEqual([]);
  });

  it.each([
    ['adopt', ['adopt', 'out/a.write.txt']],
    ['adopt of its cell', ['adopt', 'a/write']],
    ['--force-resume', ['run', '--force-resume']],
  ])('is kept by %s, with a reason; only what depends on it reruns', async (_, args) => {
    const withoutReason = await pawl(work, ...args);
    expect(withoutReason.code).toBe(2);
    expect(withoutReason.stderr).toContain('--reason');
    const accepted = await pawl(work, ...args, '--reason', 'better so');
    expect(accepted.code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(stepsCalled(work)).toEqual(['a/check']);
    expect(read(work, 'out/a.write.txt')).toBe(mine);
    expect(read(work, 'out/a.check.txt')).toContain(mine.trim());
    expect(eventsOf(work, 'artifact_adopted')).toMatchObject([
      { output: 'text', reason: 'better so', after: { path: 'out/a.write.txt', hash: hashBytes(mine) } },
    ]);
    await expectNothingToDo(work);
    await expectSound(work);
  });

  it('says what adopting it will rerun', async () => {
    const adopted = await pawlJson<{ reruns: string[] }>(work, 'adopt', 'out/a.write.txt', '--reason', 'so');
    expect(adopted.reruns).toContain('a/check');
    expect(adopted.reruns).not.toContain('a/plan');
  });

  it('can be undone by putting the recorded bytes back', async () => {
    renameSync(join(work.root, 'out/a.write.txt'), join(work.root, 'mine.txt'));
    expect((await pawl(work, 'run', '--restore')).code).toBe(0);
    expect(calls(work)).toEqual([]);
    expect(read(work, 'out/a.write.txt')).toContain('a/write');
  });

  it('must pass its check to be taken for an edit, and may not be adopted otherwise', async () => {
    write(work, 'out/b.plan.json', 'no JSON');
    const adopted = await pawl(work, 'adopt', 'out/b.plan.json', '--reason', 'so');
    expect(adopted.code).toBe(2);
    expect(adopted.stderr).toContain('out/b.plan.json');
  });
});

describe('the state', () => {
  const edited = '{"count":40,"log":["by hand"]}';

  it('that was edited is named, refused and left alone', async () => {
    write(work, 'state.json', edited);
    const refused = await pawlJson<{ refusals: object[] }>(work, 'run');
    expect(refused.finished.code).toBe(4);
    expect(refused.refusals).toMatchObject([
      { guard: 'state-edited', path: 'state.json', after: hashBytes(edited) },
    ]);
    expect((await pawl(work, 'run')).stderr).toContain('state.json was edited by hand');
    expect(read(work, 'state.json')).toBe(edited);
    expect(calls(work)).toEqual([]);
  });

  it.each([
    ['adopt', ['adopt', 'state.json']],
    ['--force-resume', ['run', '--force-resume']],
  ])('that was edited between two units is what the next one starts from, after %s', async (_, args) => {
    const between = copyOf(half);
    write(between, 'state.json', edited);
    expect((await pawl(between, 'run')).code).toBe(4);
    expect((await pawl(between, ...args, '--reason', 'a jump in time')).code).toBe(0);
    expect((await pawl(between, 'run')).code).toBe(0);
    expect(stepsCalled(between).toSorted()).toEqual(['b/check', 'b/commit', 'b/plan', 'b/write']);
    expect(JSON.parse(read(between, 'state.json'))).toEqual({ count: 41, log: ['by hand', 'b'] });
    await expectSound(between);
  });

  it('that was edited alike in both of its places is asked about once, and kept by --force-resume', async () => {
    const between = copyOf(half);
    write(between, 'state.json', edited);
    write(between, 'state/a.json', edited);
    const refused = await pawlJson<{ refusals: object[] }>(between, 'run');
    expect(refused.refusals).toMatchObject([{ guard: 'output-edited', path: 'state/a.json' }]);
    expect((await pawl(between, 'run', '--force-resume', '--reason', 'a jump in time')).code).toBe(0);
    expect(JSON.parse(read(between, 'state.json'))).toEqual({ count: 41, log: ['by hand', 'b'] });
    await expectSound(between);
  });

  it('that was edited while the run went on is kept aside', async () => {
    const work = workspaceWith(
      `
pawl: 1
pipeline: editor
state: { path: state.json, initial: seed.json, snapshots: "state/{unit}.json" }
units: { list: [a, b], order: chain }
phases:
  commit: { state: write, run: { function: ./editor.mjs#commit } }
`,
      {
        'seed.json': '{}',
        'editor.mjs': `import { writeFileSync } from 'node:fs';
export function commit(task) {
  if (task.unit.id === 'b') writeFileSync('state.json', 'by hand');
  return { state: { last: task.unit.id } };
}`,
      },
    );
    const run = await pawl(work, 'run');
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('state.json stood in the way');
    expect(JSON.parse(read(work, 'state.json'))).toEqual({ last: 'b' });
    expect(read(work, `${runFolder(work)}/aside/state.json`)).toBe('by hand');
  });

  it('in whose place there is a folder is shown again, and the folder is kept aside', async () => {
    const before = read(work, 'state.json');
    rmSync(join(work.root, 'state.json'));
    mkdirSync(join(work.root, 'state.json'));
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(read(work, 'state.json')).toBe(before);
  });

  it('that is missing is shown again, and nothing reruns', async () => {
    const before = read(work, 'state.json');
    rmSync(join(work.root, 'state.json'));
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(calls(work)).toEqual([]);
    expect(has(work, 'state.json') && read(work, 'state.json')).toBe(before);
  });
});

describe('an edit in the book', () => {
  it('of the prose is kept, and only what was made from it is made again', async () => {
    const book = copyOfBook();
    await pawlKilledAt(book, 'ch001_sc002/plan started', 'run');
    const before = calls(book).length;
    const prose = 'draft/context/ch001_sc001/write.md';
    edit(book, prose, 'Ines', 'Ines Vale');
    const refused = await pawl(book, 'run');
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain(prose);
    const bytes = read(book, prose);
    expect((await pawl(book, 'adopt', prose, '--reason', 'her whole name')).code).toBe(0);
    await pawlKilledAt(book, 'ch001_sc001 finished', 'run');
    const rerun = stepsCalled(book, before).filter((step) => step.startsWith('ch001_sc001/'));
    expect(rerun).toEqual(expect.arrayContaining(['ch001_sc001/lint', 'ch001_sc001/commit']));
    for (const step of ['plan', 'preflight', 'continuity_pack', 'write']) {
      expect(rerun).not.toContain(`ch001_sc001/${step}`);
    }
    expect(read(book, prose)).toBe(bytes);
    expect(read(book, 'draft/ch001_sc001.md')).toContain('Ines Vale');
    expect(finalFiles(book)['draft/ch001_sc001.md']).toBeDefined();
  });
});

function asideOf(stderr: string, path: string): string {
  const line = stderr.split('\n').find((text) => text.includes(`${path} stood in the way; moved to `)) ?? '';
  return line.slice(line.lastIndexOf(' ') + 1);
}

const manifest = `
pawl: 1
pipeline: outputs
state: { path: state.json, initial: seed.json, snapshots: "state/{unit}.json" }
units: { list: [a, b], order: chain }
phases:
  plan:
    run: { function: ./phases.mjs#card }
    outputs: { card: { path: "out/{unit}.plan.json", check: json } }
  write:
    state: read
    run: { function: ./phases.mjs#step }
    inputs: { text: plan.card }
    outputs: { text: "out/{unit}.write.txt" }
  check:
    run: { function: ./phases.mjs#step }
    inputs: { text: write.text }
    outputs: { text: "out/{unit}.check.txt" }
  commit:
    needs: [plan]
    state: write
    run: { function: ./phases.mjs#commit }
    inputs: {}
    outputs: { text: "out/{unit}.commit.txt" }
`;

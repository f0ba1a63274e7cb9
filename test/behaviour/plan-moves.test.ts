import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson } from '../support/command.ts';
import { runFolder } from '../support/journal.ts';
import { edit, has, hashes, read, type TestWorkspace, workspaceWith, write } from '../support/workspace.ts';
import { expectCode } from './tasks-work.ts';

/* Every file that a run will move is announced by its plan, and no other one is. */

interface Planned {
  readonly plan: { readonly notices: readonly { readonly code: string; readonly paths?: string[] }[] };
}

async function planned(work: TestWorkspace, code: string, ...args: string[]): Promise<string[] | undefined> {
  const { plan } = await pawlJson<Planned>(work, 'plan', ...args);
  return plan.notices.find((notice) => notice.code === code)?.paths;
}

const aside = (work: TestWorkspace) => readdirSync(join(work.root, runFolder(work), 'aside')).sort();

const kept = `
pawl: 1
pipeline: kept
units: { list: [a, b], order: chain }
state: { path: shown/state.json, initial: first.json, snapshots: "states/{unit}.json" }
layout: { ledger: "history/{unit}.json", progress: shown/progress.json, audit_log: "logs/all.jsonl" }
phases:
  note:
    state: write
    run: { function: ./note.mjs#note }
    outputs: { note: { path: "notes/{unit}.md", check: non-empty } }
`;
const note = `export const note = ({ unit }) => ({ note: unit.id, state: '{}' });\n`;

const chained = `export const note = ({ unit }) => ({ note: unit.id, state: JSON.stringify({ last: unit.id }) });\n`;

describe('files of the user where Pawl writes its own', () => {
  it('are announced by the plan of a run, and moved by the run', async () => {
    const work = workspaceWith(kept, { 'first.json': '{"n":0}', 'note.mjs': note });
    const theirs = ['history/a.json', 'shown/progress.json', 'shown/state.json'];
    for (const path of theirs) write(work, path, `mine: ${path}\n`);
    expect((await planned(work, 'files-replaced'))?.sort()).toEqual(theirs);
    expect((await pawl(work, 'plan')).stdout).toContain('the run moves them to aside/');
    const before = hashes(work);
    await expectCode(work, 0, 'run');
    expect(aside(work)).toEqual(theirs.map((path) => path.replace('/', '__')));
    expect(Object.values(hashes(work, `${runFolder(work)}/aside`))).toEqual(
      theirs.map((path) => before[path]),
    );

    // A finished run moves nothing, so its plan announces nothing.
    write(work, 'history/a.json', 'edited\n');
    expect(await planned(work, 'files-replaced')).toBeUndefined();
    expect(await planned(work, 'files-replaced', '--rerun-all')).toEqual(['history/a.json']);
  });

  it('which a state of a lost run is too, instead of an edit by hand', async () => {
    const work = workspaceWith(kept, { 'first.json': '{"n":0}', 'note.mjs': chained });
    await expectCode(work, 0, 'run');
    for (const lost of ['.pawl', 'history', 'logs', 'shown/progress.json', 'notes/b.md', 'states/b.json'])
      rmSync(join(work.root, lost), { recursive: true });
    const before = read(work, 'shown/state.json');
    expect(await planned(work, 'files-replaced', '--adopt-existing')).toEqual(['shown/state.json']);
    const { stdout, stderr } = await expectCode(work, 0, 'run', '--adopt-existing');
    expect(stdout + stderr).not.toContain('by hand');
    expect(read(work, `${runFolder(work)}/aside/shown__state.json`)).toBe(before);
    expect(read(work, 'shown/state.json')).toBe(before);
  });

  it('and a folder there is a finding of verify, not a failing disk', async () => {
    const work = workspaceWith(kept, { 'first.json': '{"n":0}', 'note.mjs': note });
    await expectCode(work, 0, 'run');
    for (const path of ['logs/all.jsonl', 'history/a.json']) {
      rmSync(join(work.root, path));
      mkdirSync(join(work.root, path));
    }
    const verified = await pawlJson<{ findings: { code: string; file: string }[] }>(work, 'verify');
    expect(verified.finished.code).toBe(0);
    expect(verified.findings.map(({ code, file }) => `${code} ${file}`).sort()).toEqual([
      'projection-differs history/a.json',
      'projection-differs logs/all.jsonl',
    ]);
  });
});

const listed = `
pawl: 1
pipeline: listed
stages:
  - name: plan
    units: [all]
    phases:
      list: { run: { function: ./list.mjs#list }, outputs: { list: { path: plan/list.json, check: json } } }
  - name: work
    units: { artifact: list.list }
    phases:
      do: { run: { function: ./phases.mjs#step }, outputs: { text: { path: "out/{unit}.txt", check: non-empty } } }
`;
const list = `export const list = () => ({ list: '["t1","t2"]' });\n`;

describe('files where the manifest moves the outputs of finished steps to', () => {
  const moved = `
pawl: 1
pipeline: moved
units: [a, b]
phases:
  note:
    run: { function: ./phases.mjs#step }
    outputs: { text: "notes/{unit}.md" }
`;
  const answer = ['--rerun-changed', '--reason', 'a better place'];

  it('are announced where they are of the user, and moved', async () => {
    const work = workspaceWith(moved);
    await expectCode(work, 0, 'run');
    write(work, 'texts/a.md', 'mine\n');
    edit(work, 'pawl.yaml', 'notes/', 'texts/');
    for (const args of [['plan', ...answer], ['plan', '--keep-changed', '--reason', 'r'], ['status']])
      expect((await pawl(work, ...args)).stdout).toContain(
        'texts/a.md exists; a/note moves it to aside/ when it runs',
      );
    // The result of the step is elsewhere: the file alone cannot take its place.
    await expectCode(work, 2, 'adopt', 'texts/a.md', '--reason', 'mine');
    await expectCode(work, 0, 'run', ...answer);
    expect(aside(work)).toEqual(['texts__a.md']);
    expect(read(work, `${runFolder(work)}/aside/texts__a.md`)).toBe('mine\n');
  });

  it('are said to be of the step of this run that wrote them, and none is called not made by this run', async () => {
    const work = workspaceWith(moved);
    await expectCode(work, 0, 'run');
    edit(work, 'pawl.yaml', 'notes/', 'texts/');
    await expectCode(work, 0, 'run', ...answer);
    write(
      work,
      'pawl.yaml',
      `${read(work, 'pawl.yaml')}${moved.slice(moved.indexOf('  note:')).replace('note:', 'page:')}`,
    );
    const { stdout } = await pawl(work, 'plan');
    expect(stdout).toContain('2 files at output paths were written by phase note of this run');
    expect(stdout).not.toContain('not made by this run');
    expect(await pawlJson<{ findings: object[] }>(work, 'verify')).toMatchObject({ findings: [] });
    await expectCode(work, 0, 'run', '--force');
    expect(aside(work)).toEqual(['notes__a.md', 'notes__b.md']);
    // A step replaces what it wrote itself, so nothing is moved, and nothing is announced.
    const back = workspaceWith(moved);
    await expectCode(back, 0, 'run');
    edit(back, 'pawl.yaml', 'notes/', 'texts/');
    await expectCode(back, 0, 'run', ...answer);
    edit(back, 'pawl.yaml', 'texts/', 'notes/');
    expect((await pawl(back, 'plan', ...answer)).stdout).not.toContain('aside/');
    await expectCode(back, 0, 'run', ...answer);
    expect(has(back, `${runFolder(back)}/aside`)).toBe(false);
  });
});

describe('files of units that the run lists itself', () => {
  it('are asked about by a new run, like all that it finds at output paths', async () => {
    const work = workspaceWith(listed, { 'list.mjs': list, 'out/t1.txt': 'mine\n' });
    for (const command of ['plan', 'run'])
      expect(await pawlJson(work, command)).toMatchObject({
        exitCode: 4,
        reason: 'outputs-exist',
        paths: ['out/t1.txt'],
        checked: 1,
      });
    expect(has(work, '.pawl')).toBe(false);
    expect(await planned(work, 'files-unlisted', '--replace-existing')).toEqual(['out/t1.txt']);
    await expectCode(work, 0, 'run', '--replace-existing');
    expect(read(work, `${runFolder(work)}/aside/out__t1.txt`)).toBe('mine\n');
    // The list is known now, and what the run made itself is no one else's.
    expect(await planned(work, 'files-unlisted')).toBeUndefined();
    expect((await pawl(work, 'run', '--fresh', '--dry-run')).code).toBe(0);
  });
});

const feature = `
pawl: 1
pipeline: feature
channels: [terminal, script]
units: [f]
layout: { status: "specs/{unit}/state.md", spec: spec.text }
phases:
  spec:
    run: { function: ./phases.mjs#step }
    outputs: { text: "specs/{unit}/spec.md" }
  build:
    run: { function: ./phases.mjs#step }
    inputs: { spec: spec.text }
    outputs: { text: "specs/{unit}/build.md" }
`;
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const page = (status: string) => `# Pipeline State
run_id: theirs-1
spec_hash: ${sha('spec\n')}
status: ${status}
current_stage: —

## Completed Stages
| Stage | Artifact | Hash |
|---|---|---|
| spec | spec.md | ${sha('spec\n')} |
| build | build.md | ${sha('build\n')} |

## Notes
- the export was too slow
`;

function withPage(status: string): TestWorkspace {
  return workspaceWith(feature, {
    'specs/f/spec.md': 'spec\n',
    'specs/f/build.md': 'build\n',
    'specs/f/state.md': page(status),
  });
}

describe('a status page in the place of the one that the run writes', () => {
  it('that says COMPLETE has no file moved, and none is announced', async () => {
    const work = withPage('COMPLETE');
    for (const command of ['plan', 'status', 'run']) {
      const { stdout } = await expectCode(work, 0, command);
      expect(stdout).toContain('f is complete; 2 files verified');
      expect(stdout, command).not.toContain('aside/');
    }
    expect(has(work, '.pawl/runs')).toBe(false);
  });

  it('that says FAILED is announced as moved, and its notes are named where they then are', async () => {
    const work = withPage('FAILED');
    expect(await planned(work, 'files-replaced')).toEqual(['specs/f/state.md']);
    const { stdout } = await expectCode(work, 0, 'run');
    const moved = /its notes are in (\S+)/.exec(stdout)?.[1] ?? '';
    expect(moved).toBe(`${runFolder(work)}/aside/specs__f__state.md`);
    expect(read(work, moved)).toBe(page('FAILED'));
  });
});

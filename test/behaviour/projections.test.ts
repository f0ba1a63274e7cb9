import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlProcess } from '../support/command.ts';
import { events, eventsOf, runFolder } from '../support/journal.ts';
import { expectSound } from '../support/library.ts';
import {
  has,
  hashes,
  read,
  readJson,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

const manifest = `
pawl: 1
pipeline: notes
units: { list: [a, b], order: chain }
state: { path: kept/state.json, initial: first.json, snapshots: "states/{unit}.json" }
layout: { ledger: "history/{unit}.json", status: "pages/{unit}.md", progress: shown/progress.json, audit_log: logs/all.jsonl }
phases:
  note:
    state: write
    run: { function: ./note.mjs#note }
    outputs: { note: "notes/{unit}.md" }
`;

const note = `export const note = ({ unit }) => ({ note: unit.id, state: JSON.stringify({ last: unit.id }) });\n`;

interface Said {
  readonly notices: readonly { readonly code: string; readonly path?: string; readonly error?: string }[];
  readonly finished: { readonly code: number | null; readonly stderr: string };
}

async function failedIn(work: TestWorkspace, ...args: string[]): Promise<Record<string, string>> {
  const said = await pawlJson<Said>(work, 'run', ...args);
  expect(said.finished.code, said.finished.stderr).toBe(0);
  const failed = said.notices.filter(({ code }) => code === 'projection-failed');
  return Object.fromEntries(failed.map(({ path = '', error = '' }) => [path, error]));
}

describe('a file for people that cannot be written', () => {
  const places = ['history', 'pages', 'shown', 'logs', 'kept'];

  it('does not stop the run, is reported with its cause, and is written by the next run', async () => {
    const work = workspaceWith(manifest, { 'first.json': '{"last":null}', 'note.mjs': note });
    // A file stands where its folder belongs: that is so for every user, whatever their rights.
    for (const place of places) write(work, place, 'in the way\n');
    const failed = await failedIn(work);
    const paths = ['history/a.json', 'history/b.json', 'pages/a.md', 'pages/b.md', 'shown/progress.json'];
    expect(Object.keys(failed).toSorted()).toEqual(
      [...paths, 'kept/state.json', 'logs/all.jsonl'].toSorted(),
    );
    expect(new Set(Object.values(failed))).toEqual(new Set(['EEXIST']));
    expect(read(work, 'notes/b.md')).toBe('b');
    for (const place of places) expect(read(work, place)).toBe('in the way\n');

    for (const place of places) rmSync(join(work.root, place));
    expect(await failedIn(work, '--rerun-from', 'note', '--unit', 'b')).toEqual({});
    for (const path of paths) expect(has(work, path), path).toBe(true);
    expect(readJson(work, 'kept/state.json')).toEqual({ last: 'b' });
    const logged = read(work, 'logs/all.jsonl').trimEnd().split('\n');
    const seqs = logged.map((line) => (JSON.parse(line) as { seq: number }).seq);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    await expectSound(work);

    const summary = `${runFolder(work)}/run.json`;
    rmSync(join(work.root, summary));
    mkdirSync(join(work.root, summary));
    expect(await failedIn(work, '--rerun-from', 'note', '--unit', 'b')).toEqual({ [summary]: 'EISDIR' });
    expect(eventsOf(work, 'attempt_succeeded')).toHaveLength(4);
    rmSync(join(work.root, summary), { recursive: true });
    expect(await failedIn(work, '--rerun-from', 'note', '--unit', 'b')).toEqual({});
    expect(readJson(work, summary)).toMatchObject({ status: 'completed' });
  });

  it('is written by the next run that has nothing else to do, also the audit log and the brief', async () => {
    const briefed = manifest.replace('layout: {', 'layout: { brief: kept/BRIEF.yaml,');
    const work = workspaceWith(briefed, { 'first.json': '{"last":null}', 'note.mjs': note });
    expect(await failedIn(work)).toEqual({});
    const paths = ['logs/all.jsonl', 'kept/BRIEF.yaml', 'shown/progress.json', 'history/a.json'];
    for (const path of paths) {
      const before = read(work, path);
      rmSync(join(work.root, path));
      if (path === 'logs/all.jsonl')
        expect((await pawl(work, 'verify')).stdout).toContain(`${path}: is not what the journal says`);
      expect((await pawl(work, 'run')).stdout).toContain('nothing to do');
      expect(has(work, path), path).toBe(true);
      if (path === 'logs/all.jsonl') expect(read(work, path).startsWith(before)).toBe(true);
    }
    expect(eventsOf(work, 'attempt_started')).toHaveLength(2);
  });
});

/** The step of `b` kills its process once; later it tells which files it finds. That of `a` keeps them as they were. */
const killed = `
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
const parse = (path) => JSON.parse(readFileSync(path, 'utf8'));
export const note = ({ unit }) => {
  const summary = '.pawl/runs/' + readdirSync('.pawl/runs')[0] + '/run.json';
  if (unit.id === 'a') {
    cpSync(summary, 'earlier/run.json');
    cpSync('shown', 'earlier/shown', { recursive: true });
    return { note: 'a', state: '{}' };
  }
  if (existsSync('armed')) {
    rmSync('armed');
    process.kill(process.pid, 'SIGKILL');
  }
  const found = { summary: parse(summary), a: parse('history/a.json'), progress: parse('shown/progress.json') };
  return { note: JSON.stringify(found), state: '{}' };
};
`;

describe('files that a killed run left behind its journal', () => {
  it('are marked by those who only look, and are written before the next run starts a step', async () => {
    const work = workspaceWith(manifest, { 'first.json': '{}', 'note.mjs': killed, armed: '' });
    expect((await pawlProcess(work, 'run')).signal).toBe('SIGKILL');
    // As a kill right after a fast step leaves them: how fast the steps are must not matter here.
    const summary = `${runFolder(work)}/run.json`;
    write(work, summary, read(work, 'earlier/run.json'));
    write(work, 'shown/progress.json', read(work, 'earlier/shown/progress.json'));
    rmSync(join(work.root, 'history'), { recursive: true, force: true });
    const newest = events(work).at(-1)?.seq ?? 0;
    const behind = newest - (readJson(work, summary) as Summary).journal.seq;
    expect(behind).toBeGreaterThan(0);

    const before = hashes(work);
    const mark = `${behind} events behind the journal; to write them:\n    pawl run`;
    for (const look of [['status'], ['verify'], ['brief', '--check']])
      expect((await pawl(work, ...look)).stdout, look[0]).toContain(mark);
    expect(await pawlJson(work, 'status')).toMatchObject({ behind });
    expect(hashes(work)).toEqual(before);

    expect((await pawl(work, 'run')).code).toBe(0);
    const found = readJson(work, 'notes/b.md') as { summary: Summary; a: unknown; progress: unknown };
    expect(found.summary.journal.seq).toBeGreaterThan(newest);
    expect(found.a).toMatchObject({ phases: { note: { status: 'success' } } });
    expect(found.progress).not.toEqual(readJson(work, 'earlier/shown/progress.json'));
    for (const look of ['status', 'verify']) expect(await pawlJson(work, look)).not.toHaveProperty('behind');
  });
});

interface Summary {
  readonly journal: { readonly seq: number };
}

import { beforeEach, describe, expect, it } from 'vitest';
import { type Gallery, gallery } from '../../../../test/fixtures/gallery.ts';
import {
  demand,
  failureOf,
  memoryEnvironment,
  nextProcess,
  readText,
  root,
  run,
  TestClock,
  type TestEnvironment,
} from '../../../../test/fixtures/memory.ts';
import { CrashSignal, MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { hashBytes } from '../../../base/hash.ts';
import { newTempName } from '../../../disk/write.ts';
import type { EventBody } from '../../../model/event.ts';
import { claimJournal } from '../../../store/file/journal/claim.ts';
import { formatHeader } from '../../../store/records/line.ts';
import { takeClaimLock } from '../../open/claim-lock.ts';
import { allRuns } from '../../open/find-run.ts';
import { takeGcLock } from '../../open/gc-lock.ts';
import { openWorkspace } from '../../open/workspace.ts';
import { adoptFiles } from '../../people/adopt.ts';
import { runPipeline } from '../../run/run.ts';
import { inspectRun } from '../../show/inspect.ts';
import { listRuns } from '../../show/runs.ts';
import { verifyRun } from '../../show/verify.ts';
import { resetRuns } from '../reset.ts';
import { collectGarbage, type GcRequest } from './collect.ts';
import type { GcAnswer } from './gc-answer.ts';

const day = 86_400_000;
const old = { olderThanMs: 30 * day };

let env: TestEnvironment;

beforeEach(() => {
  const clock = new TestClock();
  env = { ...memoryEnvironment({}, new MemoryDisk({ now: () => clock.now() })), clock };
});

/** A new run, and the days that pass after it. */
async function runFor(art: Gallery, seed: string, days: number): Promise<string> {
  art.seed = seed;
  const { heading } = await run(env, art.definition, { fresh: true });
  env.clock.advance(days * day);
  return heading.run;
}

const gc = async (art: Gallery, request: Partial<GcRequest> = {}): Promise<GcAnswer> =>
  demand(await collectGarbage(env, { ...art.target, ...old, ...request }));

/** Every file with the hash of its bytes. */
function listing(folder = root): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of env.disk.list(folder) ?? []) {
    const path = `${folder}/${name}`;
    const stat = env.disk.stat(path);
    if (stat?.kind === 'folder') Object.assign(found, listing(path));
    else
      found[path.slice(root.length + 1)] = hashBytes(
        stat?.kind === 'file' ? (env.disk.read(path) ?? '') : '',
      );
  }
  return found;
}

const paths = (folder = '') =>
  Object.keys(listing(folder === '' ? root : `${root}/${folder}`)).filter(
    (path) => !path.startsWith('.pawl/turns/') && !['.pawl/.gitignore', '.pawl/files'].includes(path),
  );

const sizeOfAll = () => paths().reduce((sum, path) => sum + (env.disk.stat(`${root}/${path}`)?.size ?? 0), 0);

/** Appends to the journal of a run what Pawl itself would not. */
async function append(folder: string, ...events: EventBody[]): Promise<void> {
  const claimed = demand(
    await claimJournal({
      ...env,
      eventsFolder: `${root}/${folder}/events`,
      actor: 'runner',
      durable: true,
      run: folder,
    }),
  );
  await claimed.writer.append(events);
  await claimed.writer.close();
}

async function folderOf(art: Gallery, id: string): Promise<string> {
  const workspace = demand(await openWorkspace(env, art.target));
  return allRuns(workspace).find((opened) => opened.ledger.run?.run === id)?.folder ?? '';
}

async function loudFindings(art: Gallery, id: string): Promise<unknown[]> {
  const { findings } = demand(await verifyRun(env, { ...art.target, run: id }));
  return findings.filter(({ weight }) => weight === 'loud');
}

const reasons = ({ kept }: GcAnswer) => Object.fromEntries(kept.map(({ run: id, reason }) => [id, reason]));

describe('without --delete', () => {
  it.each(['run', 'shared'] as const)('nothing is changed (files of the %s)', async (where) => {
    const art = gallery(where);
    const first = await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    const before = listing();
    const { calls } = env.disk;
    const answer = await gc(art);
    expect(answer).toMatchObject({ deleted: false, runs: [{ run: first, status: 'completed' }] });
    expect(await gc(art, { keep: 'approved' })).toMatchObject({ deleted: false, runs: [{ run: first }] });
    expect(listing()).toEqual(before);
    expect(env.disk.calls).toBe(calls);
  });

  it.each([undefined, 'approved'] as const)('the bytes are told that are freed (keep: %s)', async (keep) => {
    const art = gallery('run');
    await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    const told = await gc(art, { keep });
    const before = sizeOfAll();
    const done = await gc(art, { keep, delete: true });
    expect(done.bytes).toBe(told.bytes);
    // What stays of a run has two more events than before.
    const grown =
      keep === undefined
        ? 0
        : (env.disk.stat(`${root}/runs/20261115_blaze/events/runner/000002.jsonl`)?.size ?? 0);
    expect(before - sizeOfAll() + grown).toBe(told.bytes);
    expect({ ...done, deleted: false }).toEqual(told);
  });

  it('a workspace without a run has nothing to delete, and --delete makes nothing there', async () => {
    const art = gallery('run');
    expect(await gc(art, { delete: true })).toMatchObject({ bytes: 0, runs: [], kept: [] });
    expect(paths()).toEqual([]);
  });
});

describe('an old run', () => {
  it('goes with its folder, its files, its pointer and its objects; the next one is as it was', async () => {
    const art = gallery('run');
    const first = await runFor(art, 'one', 40);
    const second = await runFor(art, 'two', 1);
    const before = listing();
    const answer = await gc(art, { delete: true });
    expect(answer.runs).toMatchObject([
      { run: first, folder: 'runs/20261115_blaze', files: 20, leftAlone: [] },
    ]);
    expect(answer.runs[0]?.outputs).toHaveLength(9);
    expect(answer.objects).toMatchObject({ loose: 1, packs: 0, partly: { packs: 1, objects: 7 } });
    const after = listing();
    for (const path of Object.keys(after))
      if (!path.startsWith('.pawl/turns')) expect(after[path]).toBe(before[path]);
    const gone = Object.keys(before).filter((path) => after[path] === undefined);
    expect(gone.filter((path) => !path.startsWith('runs/20261115_blaze/'))).toEqual([
      expect.stringMatching(/^\.pawl\/objects\/[0-9a-f]{2}\/[0-9a-f]{62}$/),
      `.pawl/runs/${first}.json`,
    ]);
    expect(env.disk.list(`${root}/runs`)).toEqual(['20261225_blaze']);
    expect(demand(await listRuns(env, art.target)).runs.map(({ run: id }) => id)).toEqual([second]);
    expect(await loudFindings(art, second)).toEqual([]);
    expect(demand(await runPipeline(env, art.target))).toMatchObject({ kind: 'unchanged' });
  });

  it('is told by its last event, and only beyond the age', async () => {
    const art = gallery('run');
    const first = await runFor(art, 'one', 30);
    art.seed = 'two';
    await run(env, art.definition, { fresh: true });
    expect(reasons(await gc(art))[first]).toBe('young');
    env.clock.advance(1);
    expect((await gc(art)).runs).toMatchObject([{ run: first }]);
  });

  it('that can be gone on with stays, whatever its age', async () => {
    const art = gallery('run');
    art.failing = 'approve';
    const stopped = await runFor(art, 'one', 400);
    const killed = gallery('run', { identity: { character: 'ember' } });
    env.disk.failWhen(({ path }) =>
      path.includes('_ember/looks/f1_02') ? { kind: 'crash', when: 'before' } : undefined,
    );
    await expect(runPipeline(env, killed.target)).rejects.toThrow(CrashSignal);
    env.clock.advance(400 * day);
    env = { ...nextProcess(env), disk: env.disk.kill() };
    const before = listing();
    const answer = await gc(art, { delete: true });
    expect(answer).toMatchObject({ runs: [], bytes: 0 });
    expect(answer.kept.map(({ reason, status }) => [reason, status])).toEqual([
      ['resumable', 'stopped'],
      ['resumable', 'interrupted'],
    ]);
    expect(reasons(answer)[stopped]).toBe('resumable');
    const after = listing();
    for (const path of Object.keys(before)) expect(after[path]).toBe(before[path]);
  });

  it.each(['failed', 'cancelled'] as const)('that is %s goes', async (status) => {
    const art = gallery('run');
    await runFor(art, 'one', 0);
    await append('runs/20261115_blaze', { type: 'run_ended', status });
    env.clock.advance(31 * day);
    expect((await gc(art, { delete: true })).runs).toMatchObject([{ status, files: 22 }]);
    expect(paths()).toEqual([]);
  });

  it('stays while it is the newest completed one of its identity', async () => {
    const blaze = gallery('run');
    const ember = gallery('run', { identity: { character: 'ember' } });
    const ids = [
      await runFor(blaze, 'one', 1),
      await runFor(blaze, 'two', 1),
      await runFor(ember, 'three', 1),
      await runFor(blaze, 'four', 400),
    ];
    // One that came later and came to nothing is none to build on.
    await append('runs/20261118_blaze', { type: 'run_ended', status: 'cancelled' });
    env.clock.advance(400 * day);
    const answer = await gc(blaze, { delete: true });
    expect(answer.runs.map(({ run: id }) => id)).toEqual([ids[0], ids[3]]);
    expect(reasons(answer)).toEqual({
      [ids[1] ?? '']: 'newest-completed',
      [ids[2] ?? '']: 'newest-completed',
    });
    expect(env.disk.list(`${root}/runs`)).toEqual(['20261116_blaze', '20261117_ember']);
  });
});

describe('a file', () => {
  it('that is not as the run made it stays, and so does what the run did not make', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    const folder = 'runs/20261115_blaze';
    env.disk.putFile(`${root}/${folder}/candidates/f0_01.txt`, 'mine');
    env.disk.putFile(`${root}/${folder}/notes.txt`, 'mine, too');
    env.disk.putFile(`${root}/${folder}/approved/mine/f9.txt`, 'also mine');
    env.disk.remove(`${root}/${folder}/looks/f0_01.json`);
    env.disk.makeFolder(`${root}/${folder}/looks/f0_01.json`);
    env.disk.putLink(`${root}/${folder}/link`, '/etc');
    const answer = await gc(art, { delete: true });
    expect(answer.runs[0]?.leftAlone).toEqual([
      { path: `${folder}/candidates/f0_01.txt`, reason: 'edited' },
      { path: `${folder}/looks/f0_01.json`, reason: 'edited' },
      { path: `${folder}/approved/mine/f9.txt`, reason: 'not-made-by-run' },
      { path: `${folder}/link`, reason: 'not-made-by-run' },
      { path: `${folder}/notes.txt`, reason: 'not-made-by-run' },
    ]);
    expect(paths(folder)).toEqual([
      `${folder}/approved/mine/f9.txt`,
      `${folder}/candidates/f0_01.txt`,
      `${folder}/link`,
      `${folder}/notes.txt`,
    ]);
    const runs = demand(await listRuns(env, art.target)).runs;
    expect(runs).toMatchObject([{ status: 'completed', createdAt: '2026-12-25T12:00:00.000Z' }]);
    // Nor is it taken for anything by the next one.
    expect(await gc(art, { delete: true })).toMatchObject({ runs: [], bytes: 0 });
    expect(paths(folder)).toHaveLength(4);
  });

  it('that only the engine keeps in the folder of a run goes with it', async () => {
    const art = gallery('run');
    const id = await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    const folder = 'runs/20261115_blaze';
    demand(await takeClaimLock({ env, root }, { id, folder })).release();
    for (const name of ['imported/f0.md', 'settled']) env.disk.putFile(`${root}/${folder}/${name}`, '');
    // A page that a person wrote may be the only copy.
    const kept = `.pawl/kept/${id}/imported/f0.md`;
    const leftAlone = [{ path: kept, reason: 'not-made-by-run' }];
    expect((await gc(art, { delete: true })).runs).toMatchObject([{ folder, leftAlone }]);
    expect(env.disk.stat(`${root}/${folder}`)).toBeUndefined();
    expect(env.disk.stat(`${root}/${kept}`)?.kind).toBe('file');
  });

  it('of a person is not taken for a ledger file where those lie elsewhere', async () => {
    const layout = { run: 'runs/{date}_{character}', ledger: '{run}/history/{unit}.json' };
    const art = gallery('run', { layout });
    await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    const path = 'runs/20261115_blaze/ledger/costs.md';
    env.disk.putFile(`${root}/${path}`, 'mine');
    const answer = await gc(art, { delete: true });
    expect(answer.runs[0]?.leftAlone).toEqual([{ path, reason: 'not-made-by-run' }]);
    expect(paths('runs/20261115_blaze')).toEqual([path]);
  });

  it.each(['{run}/pages/{unit}.md', 'pages/{unit}.md'])(
    'about a unit for people goes with the run that wrote it: %s',
    async (status) => {
      const art = gallery('run', { layout: { run: 'runs/{date}_{character}', status } });
      const first = await runFor(art, 'one', 0);
      await append('runs/20261115_blaze', { type: 'run_ended', status: 'cancelled' });
      env.clock.advance(40 * day);
      const folder = status.startsWith('{run}') ? 'runs/20261115_blaze/pages' : 'pages';
      expect(readText(env, `${folder}/f0.md`)).toContain(first);
      const another = `${readText(env, `${folder}/f0.md`)?.replace(first, 'another')}`;
      const isShared = folder === 'pages';
      if (isShared) env.disk.putFile(`${root}/pages/f0.md`, another);
      expect((await gc(art, { delete: true })).runs).toMatchObject([{ run: first, leftAlone: [] }]);
      expect(paths()).toEqual(isShared ? ['pages/f0.md'] : []);
    },
  );

  it('about a unit for people stays with what is kept of its run', async () => {
    const art = gallery('run', {
      layout: { run: 'runs/{date}_{character}', status: '{run}/pages/{unit}.md' },
    });
    await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    const answer = await gc(art, { delete: true, keep: 'approved' });
    expect(answer.runs[0]?.leftAlone).toEqual([]);
    expect(env.disk.list(`${root}/runs/20261115_blaze/pages`)).toEqual(['f0.md', 'f1.md', 'sheet.md']);
  });

  it('that a person adopted stays', async () => {
    const art = gallery('run');
    const first = await runFor(art, 'one', 0.1);
    const path = 'runs/20261115_blaze/export/sheet.txt';
    env.disk.putFile(`${root}/${path}`, 'my own sheet');
    demand(await adoptFiles(env, { ...art.target, targets: [path], reason: 'nicer' }));
    expect(demand(await runPipeline(env, art.target)).heading.run).toBe(first);
    env.clock.advance(40 * day);
    await runFor(art, 'two', 1);
    const answer = await gc(art, { delete: true });
    expect(answer.runs).toMatchObject([{ run: first, leftAlone: [{ path, reason: 'adopted' }] }]);
    expect(paths('runs/20261115_blaze')).toEqual([path]);
  });

  it('that a run which is kept has made as well stays, and the others go', async () => {
    const art = gallery('shared');
    const first = await runFor(art, 'one', 40);
    // This time nothing is sent back.
    const next = gallery('shared', { pipeline: 'gallery' });
    next.isGood = true;
    const second = await runFor(next, 'one', 1);
    const before = listing(`${root}/art`);
    const answer = await gc(art, { delete: true });
    expect(answer.runs).toMatchObject([
      { run: first, outputs: ['art/candidates/f1_02.txt', 'art/looks/f1_02.json'] },
    ]);
    const after = listing(`${root}/art`);
    expect(Object.keys(before).filter((path) => after[path] !== before[path])).toEqual(
      answer.runs[0]?.outputs,
    );
    expect(await loudFindings(next, second)).toEqual([]);
  });

  it('that Pawl writes for all runs goes with the run that wrote it last', async () => {
    const layout = { ledger: 'ledgers/{unit}.json', progress: 'progress.json', audit_log: 'log.jsonl' };
    const art = gallery('shared', { layout });
    await runFor(art, 'one', 0);
    const run1 = env.disk.list(`${root}/.pawl/runs`)?.[0] ?? '';
    await append(`.pawl/runs/${run1}`, { type: 'run_ended', status: 'cancelled' });
    env.disk.putFile(`${root}/ledgers/f0.json`, '{"run":"another"}');
    env.clock.advance(40 * day);
    await gc(art, { delete: true });
    expect(paths()).toEqual(['ledgers/f0.json', 'log.jsonl']);
  });
});

describe('a link', () => {
  it('is never followed: what lies behind it stays', async () => {
    const art = gallery('shared');
    const first = await runFor(art, 'one', 0);
    await append(`.pawl/runs/${first}`, { type: 'run_ended', status: 'cancelled' });
    env.clock.advance(40 * day);
    const sheet = readText(env, 'art/export/sheet.txt') ?? '';
    env.disk.putFile('/outside/sheet.txt', sheet);
    env.disk.remove(`${root}/art/export/sheet.txt`);
    env.disk.remove(`${root}/art/export`);
    env.disk.putLink(`${root}/art/export`, '/outside');
    // Also one that stays within the workspace.
    env.disk.rename(`${root}/art/approved`, `${root}/elsewhere`);
    env.disk.putLink(`${root}/art/approved`, `${root}/elsewhere`);
    // In the run's own folder the link itself goes.
    env.disk.putLink(`${root}/.pawl/runs/${first}/attempts`, '/outside');
    const answer = await gc(art, { delete: true });
    expect(answer.runs[0]?.leftAlone.map(({ path, reason }) => [path, reason])).toEqual([
      ['art/approved/f0.txt', 'through-link'],
      ['art/approved/f1.txt', 'through-link'],
      ['art/export/sheet.txt', 'through-link'],
    ]);
    expect(env.disk.list('/outside')).toEqual(['sheet.txt']);
    expect(env.disk.list(`${root}/elsewhere`)).toEqual(['f0.txt', 'f1.txt']);
    expect(paths()).toEqual(['art/approved', 'art/export', 'elsewhere/f0.txt', 'elsewhere/f1.txt']);
  });

  it.each(['../victim.txt', '/victim.txt', 'a/../../victim.txt', '.git/config', 'art/../.pawl/x'])(
    'is not needed to lead out: a recorded path %s is not removed',
    async (path) => {
      const art = gallery('shared');
      const first = await runFor(art, 'one', 0);
      const places = ['/victim.txt', `${root}/.git/config`, `${root}/.pawl/x`];
      for (const place of places) env.disk.putFile(place, 'precious');
      const record = { path, hash: hashBytes('precious'), size: 8 };
      const at = { unit: 'f0', phase: 'draw', attempt: 9 };
      await append(
        `.pawl/runs/${first}`,
        { type: 'attempt_started', ...at, revision: 1 },
        { type: 'attempt_succeeded', ...at, outputs: { picture: record }, ms: 1 },
        { type: 'run_ended', status: 'cancelled' },
      );
      env.clock.advance(40 * day);
      const answer = await gc(art, { delete: true });
      expect(answer.runs[0]?.leftAlone).toContainEqual({ path, reason: 'through-link' });
      for (const place of places) expect(env.disk.stat(place)?.size).toBe(8);
    },
  );

  it('to the folder of a run keeps the run', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    env.disk.rename(`${root}/runs`, '/outside');
    env.disk.putLink(`${root}/runs`, '/outside');
    const answer = await gc(art, { delete: true });
    expect(answer).toMatchObject({ runs: [], bytes: 0 });
    expect(answer.kept.map(({ reason }) => reason)).toEqual(['through-link', 'through-link']);
    expect(env.disk.list('/outside')).toEqual(['20261115_blaze', '20261225_blaze']);
  });

  it('to the content store is refused, and keeps all of it', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    env.disk.rename(`${root}/.pawl/objects`, '/outside');
    env.disk.putLink(`${root}/.pawl/objects`, '/outside');
    const before = listing('/outside');
    expect(await collectGarbage(env, { ...art.target, ...old, delete: true })).toMatchObject({
      ok: false,
      failure: { reason: 'link-outside', path: '.pawl/objects', target: '/outside' },
    });
    expect(listing('/outside')).toEqual(before);
  });
});

describe('a damaged run', () => {
  it('stays, and with it everything that it might name', async () => {
    const art = gallery('run');
    const first = await runFor(art, 'one', 1);
    const second = await runFor(art, 'two', 1);
    await runFor(art, 'three', 40);
    const segment = `${root}/runs/20261116_blaze/events/runner/000001.jsonl`;
    env.disk.putFile(segment, new TextDecoder().decode(env.disk.read(segment)).replace('"look"', '"lool"'));
    const objects = listing(`${root}/.pawl/objects`);
    const before = listing(`${root}/runs/20261116_blaze`);
    const answer = await gc(art, { delete: true });
    expect(answer.runs.map(({ run: id }) => id)).toEqual([first]);
    expect(reasons(answer)[second]).toBe('damaged');
    expect(answer.objects).toMatchObject({
      loose: 0,
      bytes: 0,
      doubts: [{ reason: 'damaged', path: 'runs/20261116_blaze' }],
    });
    expect(listing(`${root}/.pawl/objects`)).toEqual(objects);
    expect(listing(`${root}/runs/20261116_blaze`)).toEqual(before);
  });

  it('whose journal cannot be read at all stays as well', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 1);
    await runFor(art, 'two', 40);
    env.disk.failWhen(({ operation, path }) =>
      operation === 'read' && path.includes('20261115_blaze/events')
        ? { kind: 'error', code: 'EIO' }
        : undefined,
    );
    const objects = listing(`${root}/.pawl/objects`);
    const answer = await gc(art, { delete: true });
    expect(answer.runs).toEqual([]);
    expect(answer.kept.map(({ reason }) => reason)).toEqual(['damaged', 'newest-completed']);
    expect(answer.objects.doubts.length).toBeGreaterThan(0);
    expect(listing(`${root}/.pawl/objects`)).toEqual(objects);
  });
});

describe('--keep approved', () => {
  it('leaves the final outputs and what tells of them, and it can still be asked about', async () => {
    const art = gallery('run');
    const first = await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    const folder = 'runs/20261115_blaze';
    const before = listing(`${root}/${folder}`);
    const answer = await gc(art, { keep: 'approved', delete: true });
    expect(answer.runs).toMatchObject([{ run: first, keep: 'approved', status: 'completed' }]);
    const kept = ['approved/f0.txt', 'approved/f1.txt', 'audit_log.jsonl', 'events/runner/000001.jsonl'];
    const rest = ['export/sheet.txt', 'manifest.lock.json', 'snapshot', 'state.json'];
    const after = listing(`${root}/${folder}`);
    for (const path of [...kept, ...rest])
      expect(after[`${folder}/${path}`]).toBe(before[`${folder}/${path}`]);
    expect(paths(folder)).toEqual(
      [...kept, 'events/runner/000002.jsonl', ...rest].map((path) => `${folder}/${path}`),
    );
    expect(demand(await listRuns(env, art.target)).runs).toMatchObject([
      { status: 'completed' },
      { run: first, status: 'cancelled' },
    ]);
    const inspected = demand(await inspectRun(env, { ...art.target, run: first }));
    expect(inspected.totals).toMatchObject({ units: 3, attempts: 9 });
    expect(failureOf(await runPipeline(env, { ...art.target, run: first }))).toMatchObject({
      reason: 'run-terminal',
    });
  });

  it('has nothing more to do the second time, and later all of it can go', async () => {
    const art = gallery('run');
    const first = await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    await gc(art, { keep: 'approved', delete: true });
    const before = listing(`${root}/runs`);
    const again = await gc(art, { keep: 'approved', delete: true });
    expect(again).toMatchObject({ runs: [], bytes: 0 });
    expect(reasons(again)[first]).toBe('approved-only');
    expect(listing(`${root}/runs`)).toEqual(before);
    // It is as old as it was: that something was removed of it makes it no younger.
    expect((await gc(art, { delete: true })).runs).toMatchObject([{ run: first, keep: 'nothing' }]);
    expect(env.disk.list(`${root}/runs`)).toEqual(['20261225_blaze']);
  });

  it('frees the objects of what was removed, and not of what is kept', async () => {
    const art = gallery('run');
    art.isLarge = true;
    await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    const loose = () => paths('.pawl/objects').filter((path) => !path.includes('/packs/'));
    expect(loose()).toHaveLength(12);
    const answer = await gc(art, { keep: 'approved', delete: true });
    expect(answer.objects).toMatchObject({ loose: 3 });
    expect(loose()).toHaveLength(9);
    for (const path of ['approved/f0.txt', 'approved/f1.txt', 'export/sheet.txt']) {
      const hash = hashBytes(env.disk.read(`${root}/runs/20261115_blaze/${path}`) ?? '').slice(
        'sha256:'.length,
      );
      expect(loose()).toContain(`.pawl/objects/${hash.slice(0, 2)}/${hash.slice(2)}`);
    }
  });

  it('keeps nothing of a unit that did not come to its end', async () => {
    const art = gallery('run');
    art.failing = 'f1/approve';
    await runFor(art, 'one', 0);
    await append('runs/20261115_blaze', { type: 'run_ended', status: 'cancelled' });
    env.clock.advance(40 * day);
    await gc(art, { keep: 'approved', delete: true });
    expect(paths('runs/20261115_blaze').filter((path) => path.endsWith('.txt'))).toEqual([
      'runs/20261115_blaze/approved/f0.txt',
    ]);
  });
});

describe('the content store', () => {
  const objects = `${root}/.pawl/objects`;

  it('loses whole packs, large objects and leftovers that nobody names', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 0);
    const record = `${'0'.repeat(64)} 3\nabc\n`;
    env.disk.putFile(`${objects}/packs/nobody.pack`, record);
    env.disk.putFile(`${objects}/packs/nobody.idx`, 'an index that says nothing');
    env.disk.putFile(`${objects}/packs/gone.idx`, 'an index without a pack');
    env.disk.putFile(`${objects}/ab/${'0'.repeat(62)}`, 'large');
    env.disk.putFile(`${objects}/${newTempName()}`, 'half');
    env.disk.putFile(`${objects}/packs/${newTempName()}`, 'half');
    env.disk.putFile(`${objects}/README`, 'mine');
    env.disk.putFile(`${objects}/zz/${'0'.repeat(62)}`, 'mine');
    const before = paths('.pawl/objects').length;
    expect((await gc(art, { delete: true })).objects).toMatchObject({ young: { files: 5 }, bytes: 0 });
    env.clock.advance(3_600_001);
    const answer = await gc(art, { delete: true });
    expect(answer.objects).toMatchObject({ packs: 1, loose: 1, leftovers: 4, young: { files: 0 } });
    expect(answer.bytes).toBe(record.length + 26 + 23 + 5 + 4 + 4);
    expect(paths('.pawl/objects')).toHaveLength(before - 6);
    expect(env.disk.list(`${objects}/ab`)).toBeUndefined();
    expect(readText(env, '.pawl/objects/README')).toBe('mine');
  });

  it('keeps what an archive names, and what a copy of a run does', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 1);
    demand(await resetRuns(env, art.target));
    await runFor(art, 'two', 1);
    for (const [path] of Object.entries(listing(`${root}/runs`)))
      env.disk.putFile(
        `${root}/backup/${path.slice('runs/'.length)}`,
        env.disk.read(`${root}/${path}`) ?? new Uint8Array(),
      );
    await append('runs/20261116_blaze', { type: 'run_ended', status: 'cancelled' });
    env.clock.advance(40 * day);
    const answer = await gc(art, { delete: true });
    expect(answer.runs).toHaveLength(1);
    expect(answer.kept).toMatchObject([{ run: answer.runs[0]?.run, reason: 'stray' }]);
    // The copy claims what the run made, for it may be the run.
    expect(answer.objects).toMatchObject({ loose: 0, packs: 0, partly: { packs: 0 } });
    expect(env.disk.list(`${root}/backup/20261116_blaze`)).toContain('events');
    expect(env.disk.list(`${root}/.pawl/archive`)).toHaveLength(1);
  });

  it('keeps what a line names that does not count, or that nobody understands', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 1);
    await append('runs/20261115_blaze', {
      type: 'override_used',
      guard: 'from-the-future' as 'gc',
      flag: '--x',
      facts: { named: `see sha256:ab${'0'.repeat(62)}.` },
    });
    env.disk.putFile(`${objects}/ab/${'0'.repeat(62)}`, 'named');
    env.disk.putFile(`${objects}/ab/${'1'.repeat(62)}`, 'not named');
    env.clock.advance(day);
    expect((await gc(art, { delete: true })).objects).toMatchObject({ loose: 1 });
    expect(env.disk.list(`${objects}/ab`)).toEqual(['0'.repeat(62)]);
  });
});

describe('somebody else', () => {
  it('who holds a run keeps everything', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    const ember = gallery('run', { identity: { character: 'ember' } });
    const seen: unknown[] = [];
    ember.meanwhile = async () => {
      ember.meanwhile = async () => undefined;
      const other = env;
      env = nextProcess(env);
      env.host.dead.clear();
      const before = listing();
      seen.push(await gc(art));
      seen.push(failureOf(await collectGarbage(env, { ...art.target, ...old, delete: true })));
      expect(Object.keys(listing()).filter((path) => !path.startsWith('.pawl/turns'))).toEqual(
        Object.keys(before).filter((path) => !path.startsWith('.pawl/turns')),
      );
      env = other;
    };
    const { heading } = await run(env, ember.definition);
    expect(seen).toMatchObject([
      { deleted: false, held: [{ run: heading.run, holder: { pid: 1, alive: 'alive' } }] },
      { reason: 'run-held', run: heading.run, holder: { pid: 1, alive: 'alive' } },
    ]);
  });

  it('who is just making a run keeps everything', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 40);
    await runFor(art, 'two', 1);
    const header = { version: 1, actor: 'abc', epoch: 1, owner: env.host.self, opened: '' };
    env.disk.putFile(`${root}/.pawl/turns/abc/000001.jsonl`, formatHeader(header).text);
    const refused = await collectGarbage(nextLiving(), { ...art.target, ...old, delete: true });
    expect(failureOf(refused)).toMatchObject({ reason: 'run-held', run: 'abc', holder: { pid: 1 } });
  });

  it('who collects already is left alone, and takes nobody else in meanwhile', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 40);
    const turn = demand(await takeGcLock(env, root));
    const other = nextLiving();
    const held = { reason: 'run-held', holder: { pid: 1, alive: 'alive' } };
    expect(failureOf(await collectGarbage(other, { ...art.target, ...old, delete: true }))).toMatchObject(
      held,
    );
    const before = listing();
    expect(failureOf(await runPipeline(other, { ...art.target, fresh: true }))).toMatchObject(held);
    expect(failureOf(await resetRuns(other, art.target))).toMatchObject(held);
    for (const [path, hash] of Object.entries(before)) expect(listing()[path]).toBe(hash);
    expect(env.disk.list(`${root}/runs`)).toHaveLength(1);
    turn.release();
    expect(demand(await runPipeline(other, { ...art.target, fresh: true }))).toMatchObject({ kind: 'new' });
  });

  it('who begins to collect between a look and a hold is seen', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 40);
    const other = nextLiving();
    const header = { version: 1, actor: 'gc', epoch: 1, owner: env.host.self, opened: '' };
    env.disk.watch(({ operation, path }, when) => {
      if (when === 'after' && operation === 'link' && path.endsWith('_blaze/events/runner/000001.jsonl'))
        env.disk.putFile(`${root}/.pawl/turns/gc/000001.jsonl`, formatHeader(header).text);
    });
    const refused = await runPipeline(other, { ...art.target, fresh: true });
    expect(failureOf(refused)).toMatchObject({ reason: 'run-held', holder: { pid: 1, alive: 'alive' } });
    // Nothing but litter is left of it.
    expect(demand(await listRuns(other, art.target)).runs).toHaveLength(1);
  });

  it('who died while collecting is no obstacle', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 40);
    demand(await takeGcLock(env, root));
    env = nextProcess(env);
    expect(await runFor(art, 'two', 1)).toBeDefined();
    expect((await gc(art, { delete: true })).runs).toHaveLength(1);
  });

  function nextLiving(): TestEnvironment {
    const other = nextProcess(env);
    other.host.dead.clear();
    return other;
  }
});

describe('what lies about', () => {
  it('of a removal that was cut short goes, and pointers to nothing', async () => {
    const art = gallery('run');
    await runFor(art, 'one', 1);
    const temp = newTempName();
    env.disk.putFile(`${root}/runs/20261101_blaze/${temp}/runner/000001.jsonl`, 'half');
    env.disk.putFile(`${root}/.pawl/runs/a.json`, '{"folder":"runs/20261101_blaze"}');
    env.disk.putFile(`${root}/.pawl/runs/b.json`, '{"folder":"runs/nowhere"}');
    env.disk.putFile(`${root}/.pawl/runs/c.json`, '{"folder":"../outside"}');
    env.disk.putFile(`${root}/.pawl/runs/d/${temp}/runner/000001.jsonl`, 'half');
    await gc(art, { delete: true });
    expect(env.disk.list(`${root}/runs`)).toEqual(['20261115_blaze']);
    expect(env.disk.list(`${root}/.pawl/runs`)).toEqual(['20261115-1200-gallery-aaaz.json', 'c.json']);
  });

  it('of an earlier run under the same name is not remembered', async () => {
    const layout = { run: 'runs/{character}' };
    const art = gallery('run', { layout });
    await runFor(art, 'one', 1);
    await runFor(art, 'two', 40);
    await gc(art, { delete: true });
    expect(env.disk.list(`${root}/runs`)).toEqual(['blaze.2']);
    art.failing = 'draw';
    // Killed before it could say how far it had come.
    env.disk.failWhen(({ number, path }) =>
      number !== undefined && path.startsWith('/state') ? { kind: 'error', code: 'EIO' } : undefined,
    );
    await runFor(art, 'three', 0);
    expect(await folderOf(art, demand(await listRuns(env, art.target)).runs.at(0)?.run ?? '')).toBe(
      'runs/blaze',
    );
    expect(demand(await listRuns(env, art.target)).runs.map(({ status }) => status)).toEqual([
      'stopped',
      'completed',
    ]);
    expect(demand(await verifyRun(env, art.target)).findings).toEqual([]);
  });
});

it('works where the disk is full: finished runs give back what they have set aside', async () => {
  const art = gallery('run');
  await runFor(art, 'one', 40);
  await runFor(art, 'two', 1);
  let released = 0;
  env.disk.failWhen(({ operation, path }) => {
    if (operation === 'remove' && path.endsWith('/reserve')) released += 1;
    return released === 0 && operation === 'write' ? { kind: 'error', code: 'ENOSPC' } : undefined;
  });
  expect((await gc(art, { delete: true })).runs).toHaveLength(1);
  expect(released).toBeGreaterThan(0);
});

it('needs no manifest that can be loaded', async () => {
  const art = gallery('run');
  await runFor(art, 'one', 40);
  await runFor(art, 'two', 1);
  env.disk.putFile(`${root}/pawl.yaml`, 'pawl: 1\nwrong: true\n');
  const answer = demand(await collectGarbage(env, { path: root, ...old, delete: true }));
  // Where a manifest has the progress written, only the manifest knows.
  expect(answer.runs[0]?.leftAlone.map(({ path }) => path)).toEqual([
    'runs/20261115_blaze/audit_log.jsonl',
    'runs/20261115_blaze/state.json',
  ]);
});

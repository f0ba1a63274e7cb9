import { describe, expect, it } from 'vitest';
import { letters } from '../../../test/fixtures/letters.ts';
import {
  demand,
  failureOf,
  nextProcess,
  readText,
  root,
  run,
  type TestEnvironment,
} from '../../../test/fixtures/memory.ts';
import { hashBytes } from '../../base/hash.ts';
import { listRuns } from '../show/runs.ts';
import { resetRuns } from './reset.ts';

const layout = { ledger: 'ledger/{unit}.json' };

function filesBelow(env: TestEnvironment, folder: string): string[] {
  return (env.disk.list(folder) ?? []).flatMap((name) => {
    const path = `${folder}/${name}`;
    return env.disk.stat(path)?.kind === 'folder' ? filesBelow(env, path) : [path];
  });
}

describe('a reset', () => {
  it('puts the run and all that it made into an archive with a list', async () => {
    const { env, definition, target } = letters({ layout });
    const { heading } = await run(env, definition);
    const before = filesBelow(env, root).filter(
      (path) => !/\/(\.pawl\/(brief$|objects|turns|files$|\.gitignore$)|system|draft)/.test(path),
    );
    const answer = demand(await resetRuns(env, target));
    const to = `.pawl/archive/${heading.run}`;
    expect(answer.archived).toMatchObject([{ run: heading.run, to }]);
    const manifest = JSON.parse(readText(env, `${to}/manifest.json`) ?? '');
    expect(manifest).toMatchObject({
      run: heading.run,
      pipeline: 'letters',
      identity: { pipeline: 'letters' },
    });
    const listed = manifest.files.map(({ path }: { path: string }) => path);
    expect(listed).toEqual(expect.arrayContaining(['out/ann.draft', 'out/bob.letter', 'ledger/ann.json']));
    expect(new Set(listed).size).toBe(listed.length);
    expect(answer.archived[0]?.files).toBe(listed.length);
    for (const { path, hash } of manifest.files) {
      expect(hashBytes(env.disk.read(`${root}/${to}/files/${path}`) ?? '')).toBe(hash);
      expect(env.disk.stat(`${root}/${path}`)).toBeUndefined();
    }
    // All that was there is in it, but for what the letting go of the run has added.
    for (const path of before) expect(listed).toContain(path.slice(root.length + 1));
    expect(env.disk.list(`${root}/.pawl/runs`)).toEqual([]);
  });

  it('takes every file for people that is the run’s alone, and nothing twice', async () => {
    const layout = {
      run: 'runs/{date}',
      ledger: '{run}/history/{unit}.json',
      status: 'pages/{unit}.md',
      progress: 'progress.json',
      audit_log: 'log.jsonl',
      brief: 'PLAN.yaml',
    };
    const { env, definition, target } = letters({ layout });
    const { heading } = await run(env, definition);
    const log = readText(env, 'log.jsonl') ?? '';
    const answer = demand(await resetRuns(env, target));
    const manifest = JSON.parse(readText(env, `.pawl/archive/${heading.run}/manifest.json`) ?? '');
    const listed: string[] = manifest.files.map(({ path }: { path: string }) => path);
    const own = ['pages/ann.md', 'pages/bob.md', 'progress.json', 'runs/20261115/history/ann.json'];
    expect(listed).toEqual(expect.arrayContaining(own));
    expect(new Set(listed).size).toBe(listed.length);
    expect(answer.archived[0]?.files).toBe(listed.length);
    for (const path of listed) expect(env.disk.stat(`${root}/${path}`)).toBeUndefined();
    // All runs of the pipeline write to the one, and people to the other.
    expect(readText(env, 'log.jsonl')?.startsWith(log)).toBe(true);
    expect(readText(env, 'PLAN.yaml')).toContain('resumption');
  });

  it('leaves alone what the run did not make', async () => {
    const { env, definition, target } = letters();
    await run(env, definition);
    env.disk.putFile(`${root}/out/notes.txt`, 'mine');
    demand(await resetRuns(env, target));
    expect(filesBelow(env, `${root}/out`)).toEqual([`${root}/out/notes.txt`]);
    expect(readText(env, 'system.md')).toBe('You write.\n');
  });

  it('archives a file that was edited as it is', async () => {
    const { env, definition, target } = letters();
    const { heading } = await run(env, definition);
    env.disk.putFile(`${root}/out/ann.draft`, 'mine');
    demand(await resetRuns(env, target));
    expect(readText(env, `.pawl/archive/${heading.run}/files/out/ann.draft`)).toBe('mine');
  });

  it('lets the next run start fresh', async () => {
    const { env, definition, target, ran } = letters();
    const first = await run(env, definition);
    demand(await resetRuns(env, target));
    env.clock.advance(60_000);
    ran.length = 0;
    const second = await run(env, definition);
    expect(second).toMatchObject({ kind: 'new', ran: { succeeded: 6, failed: 0 } });
    expect(second.heading.run).not.toBe(first.heading.run);
    expect(ran).toHaveLength(6);
    expect(demand(await listRuns(env, target)).runs.map(({ run: id }) => id)).toEqual([second.heading.run]);
  });

  it('of nothing archives nothing', async () => {
    const { env, target } = letters();
    expect(demand(await resetRuns(env, target))).toEqual({ archived: [], next: [] });
  });

  it('is refused while somebody holds the run', async () => {
    const { env, definition, target, work } = letters({ units: ['ann'] });
    let refused: unknown;
    work.draft = async () => {
      const other = nextProcess(env);
      other.host.dead.clear();
      refused = failureOf(await resetRuns(other, target));
      return { text: 'x' };
    };
    await run(env, definition);
    expect(refused).toMatchObject({ reason: 'run-held', holder: { pid: 1, alive: 'alive' } });
  });

  it('removes nothing when there is no room for a copy, and can be tried again', async () => {
    const { env, definition, target } = letters();
    const { heading } = await run(env, definition);
    let isFull = true;
    env.disk.failWhen(({ operation, path }) =>
      isFull && operation === 'create' && path.includes('/archive/') && path.includes('/out/')
        ? { kind: 'error', code: 'ENOSPC' }
        : undefined,
    );
    expect(failureOf(await resetRuns(env, target))).toMatchObject({ reason: 'disk-failed' });
    expect(readText(env, 'out/ann.letter')).toBe('Dear ann. Sealed.');
    expect(filesBelow(env, `${root}/.pawl/archive`)).toEqual([]);
    expect(await run(env, definition)).toMatchObject({ kind: 'unchanged', heading: { run: heading.run } });
    isFull = false;
    expect(demand(await resetRuns(env, target)).archived).toMatchObject([{ run: heading.run, left: [] }]);
    expect(filesBelow(env, `${root}/out`)).toEqual([]);
  });

  it('leaves what is edited while it copies, and says so', async () => {
    const { env, definition, target } = letters();
    const { heading } = await run(env, definition);
    env.disk.watch(({ operation, path }, when) => {
      if (when === 'before' && operation === 'rename' && path.includes('/manifest.json'))
        env.disk.putFile(`${root}/out/ann.letter`, 'an hour of work');
      if (when === 'before' && operation === 'remove' && path.endsWith('/out/ann.draft'))
        env.disk.putFile(`${root}/out/bob.letter`, 'another hour');
    });
    const { archived } = demand(await resetRuns(env, target));
    expect(archived[0]?.left).toEqual([
      { path: 'out/ann.letter', reason: 'changed' },
      { path: 'out/bob.letter', reason: 'changed' },
    ]);
    expect(readText(env, 'out/ann.letter')).toBe('an hour of work');
    expect(readText(env, 'out/bob.letter')).toBe('another hour');
    const kept = `.pawl/archive/${heading.run}/files/out`;
    expect(readText(env, `${kept}/ann.letter`)).toBe('Dear ann. Sealed.');
    expect(readText(env, `${kept}/bob.letter`)).toBe('Dear bob. Sealed.');
  });
});

describe('of two runs of one identity, a reset', () => {
  async function twice() {
    const { env, definition, target, ran } = letters({ layout });
    const older = (await run(env, definition)).heading.run;
    env.clock.advance(60_000);
    const newer = (await run(env, definition, { fresh: true })).heading.run;
    env.clock.advance(60_000);
    return { env, definition, target, ran, older, newer };
  }

  it('puts both away, newest first, so that the next run starts fresh', async () => {
    const { env, definition, target, older, newer } = await twice();
    const answer = demand(await resetRuns(env, target));
    expect(answer).toMatchObject({ archived: [{ run: newer }, { run: older }], next: [] });
    expect(readText(env, `.pawl/archive/${newer}/files/out/ann.letter`)).toBe('Dear ann. Sealed.');
    expect(filesBelow(env, `${root}/out`)).toEqual([]);
    expect(await run(env, definition)).toMatchObject({ kind: 'new', ran: { succeeded: 6 } });
  });

  it('takes nothing from the newer one when the older one is named', async () => {
    const { env, definition, target, ran, older, newer } = await twice();
    const before = filesBelow(env, `${root}/out`);
    const ledger = readText(env, 'ledger/ann.json');
    const answer = demand(await resetRuns(env, { ...target, run: older }));
    expect(answer).toMatchObject({ archived: [{ run: older }], next: [newer] });
    expect(answer.archived[0]?.left).toContainEqual({ path: 'out/ann.letter', reason: 'of-another-run' });
    expect(filesBelow(env, `${root}/out`)).toEqual(before);
    expect(readText(env, 'ledger/ann.json')).toBe(ledger);
    ran.length = 0;
    expect(await run(env, definition)).toMatchObject({ kind: 'unchanged', heading: { run: newer } });
    expect(ran).toEqual([]);
  });

  it('asked about one of them leaves the other', async () => {
    const { env, target, older, newer } = await twice();
    const answer = demand(await resetRuns(env, { ...target, only: [newer] }));
    expect(answer).toMatchObject({ archived: [{ run: newer }], next: [older] });
  });

  it('takes its outputs along although a cancelled one had made the same', async () => {
    const { env, definition, target, older, newer } = await twice();
    demand(await resetRuns(env, { ...target, run: older }));
    await run(env, definition, { fresh: true });
    demand(await resetRuns(env, target));
    expect(filesBelow(env, `${root}/out`)).toEqual([]);
    expect(env.disk.list(`${root}/.pawl/archive`)).toHaveLength(3);
    expect(env.disk.stat(`${root}/.pawl/archive/${newer}`)).toBeDefined();
  });
});

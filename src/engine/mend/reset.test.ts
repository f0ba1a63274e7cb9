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
import { runPipeline } from '../run/run.ts';
import { listRuns } from '../show/status.ts';
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
      (path) => !/\/(\.pawl\/(brief$|objects|turns)|system|draft)/.test(path),
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
    expect(demand(await resetRuns(env, target))).toEqual({ archived: [] });
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

  it('removes nothing when a copy does not come out right, and the run is not resumed', async () => {
    const { env, definition, target } = letters();
    const { heading } = await run(env, definition);
    env.disk.failWhen(({ operation, path }) =>
      operation === 'create' && path.includes('/archive/') && path.includes('/out/')
        ? { kind: 'error', code: 'ENOSPC' }
        : undefined,
    );
    await resetRuns(env, target).then(
      (result) => expect(failureOf(result)).toMatchObject({ reason: 'disk-failed' }),
      (error: unknown) => expect(String(error)).toContain('ENOSPC'),
    );
    expect(readText(env, 'out/ann.letter')).toBe('Dear ann. Sealed.');
    expect(env.disk.list(`${root}/.pawl/runs`)).toEqual([heading.run]);
    const named = await runPipeline(env, { ...target, run: heading.run });
    expect(failureOf(named)).toEqual({ reason: 'run-terminal', run: heading.run, status: 'cancelled' });
  });
});

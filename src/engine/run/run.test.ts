import { describe, expect, it } from 'vitest';
import { letters } from '../../../test/fixtures/letters.ts';
import {
  attemptsOf,
  demand,
  eventsOf,
  failureOf,
  nextProcess,
  readText,
  root,
  run,
  type TestEnvironment,
  watching,
} from '../../../test/fixtures/memory.ts';
import type { Board } from '../observe/board.ts';
import { verifyRun } from '../show/verify.ts';
import { runPipeline } from './run.ts';

/** The machine was switched off and on: everything that was written is still there, but nobody can be sure of it. */
function rebooted(env: TestEnvironment): TestEnvironment {
  const next = nextProcess(env);
  next.host.self = { ...next.host.self, boot: 'boot-2' };
  return next;
}

/** The process dies right before the disk is asked to do this. */
function dieBefore(env: TestEnvironment, operation: string, end: string): void {
  env.disk.failWhen((call) =>
    call.operation === operation && call.path.endsWith(end) ? { kind: 'crash', when: 'before' } : undefined,
  );
}

/** What the next process finds after the one before it was killed. */
function survivors(env: TestEnvironment): TestEnvironment {
  return { ...nextProcess(env), disk: env.disk.kill() };
}

describe('a run', () => {
  it('is shown to an onlooker before anything starts', async () => {
    const { env, definition, ran } = letters();
    const boards: Board[] = [];
    const { observer } = watching();
    observer.begun = (board) => {
      expect(ran).toEqual([]);
      boards.push(board);
    };
    await run(env, definition, { observer });
    expect(boards).toHaveLength(1);
    expect(boards[0]).toMatchObject({
      kind: 'new',
      phases: ['draft', 'mend', 'read', 'seal'],
      heading: { status: 'running' },
    });
    expect(boards[0]?.units.map(({ unit, cells: steps }) => [unit, steps[0]?.status])).toEqual([
      ['ann', 'ready'],
      ['bob', 'ready'],
    ]);
  });

  it('tells what it did', async () => {
    const { env, definition } = letters();
    const answer = await run(env, definition);
    expect(answer).toMatchObject({
      kind: 'new',
      reopened: false,
      interrupted: false,
      cells: { units: 2, unitsFinished: 2, cells: 8, done: 6, reused: 0, skipped: 2 },
      ran: { succeeded: 6, failed: 0 },
      heading: {
        pipeline: 'letters',
        identity: { pipeline: 'letters' },
        status: 'completed',
        workspace: '.',
      },
    });
  });

  it('leaves files that say where it stands', async () => {
    const { env, definition } = letters({ layout: { ledger: 'ledger/{unit}.json' } });
    const { heading } = await run(env, definition);
    const folder = `.pawl/runs/${heading.run}`;
    const read = (name: string) => JSON.parse(readText(env, name) ?? 'null');
    expect(read(`${folder}/run.json`)).toMatchObject({ run: heading.run, status: 'completed', resumes: 0 });
    expect(read(`${folder}/manifest.lock.json`)).toMatchObject({
      revision: 1,
      manifest: { pipeline: 'letters' },
    });
    expect(read('ledger/ann.json')).toMatchObject({ unit: 'ann', phases: { seal: { status: 'success' } } });
    expect(env.disk.list(`${root}/${folder}/staging`) ?? []).toEqual([]);
  });

  it('that is complete is proven again, and left alone', async () => {
    const { env, definition } = letters();
    await run(env, definition);
    const { calls } = env.disk;
    expect(await run(nextProcess(env), definition)).toMatchObject({
      kind: 'unchanged',
      cells: { done: 6, reused: 6 },
    });
    expect(await run(nextProcess(env), definition, { deep: true })).toMatchObject({ kind: 'unchanged' });
    expect(env.disk.calls).toBe(calls);
  });

  it('that is complete is reopened when something is no longer true', async () => {
    const { env, definition, ran } = letters();
    const first = await run(env, definition);
    env.disk.remove(`${root}/out/ann.letter`);
    ran.length = 0;
    const answer = await run(env, definition);
    expect(answer).toMatchObject({ kind: 'resumed', reopened: true, ran: { succeeded: 1, failed: 0 } });
    expect(answer.heading.run).toBe(first.heading.run);
    expect(ran).toEqual(['ann/seal']);
    expect(eventsOf(env).filter(({ type }) => type === 'run_resumed')).toHaveLength(1);
  });

  it('wants every file that it names before it begins', async () => {
    const { env, target } = letters();
    env.disk.remove(`${root}/draft.md`);
    expect(failureOf(await runPipeline(env, target))).toMatchObject({
      reason: 'manifest-invalid',
      problems: [{ code: 'template-missing' }],
    });
    expect(env.disk.stat(`${root}/.pawl`)).toBeUndefined();
  });

  it('is not confused by the folder of one that died before its first event', async () => {
    const { env, definition } = letters();
    env.disk.makeFolder(`${root}/.pawl/runs/20250101-0000-letters-aaaa/events/runner`);
    env.disk.putFile(`${root}/.pawl/runs/notes.txt`, 'not a run');
    expect((await run(env, definition)).kind).toBe('new');
    expect((await run(env, definition)).kind).toBe('unchanged');
  });

  it('that is complete gives way to a fresh one, and both are kept', async () => {
    const { env, definition, target } = letters();
    const first = await run(env, definition);
    env.clock.advance(1000);
    const second = demand(await runPipeline(env, { ...target, fresh: true }));
    expect(second).toMatchObject({ kind: 'new', ran: { succeeded: 6 } });
    expect(second.heading.run).not.toBe(first.heading.run);
    const third = await run(env, definition);
    expect(third).toMatchObject({ kind: 'unchanged', heading: { run: second.heading.run } });
  });

  it('of which there are several has to be named', async () => {
    const { env, definition, target, work } = letters();
    work.seal = () => {
      throw new Error('no wax');
    };
    const { heading } = await run(env, definition);
    const copy = (from: string, to: string): void => {
      for (const name of env.disk.list(from) ?? []) {
        const bytes =
          env.disk.stat(`${from}/${name}`)?.kind === 'file' ? env.disk.read(`${from}/${name}`) : undefined;
        if (bytes === undefined) copy(`${from}/${name}`, `${to}/${name}`);
        else env.disk.putFile(`${to}/${name}`, bytes);
      }
    };
    copy(`${root}/.pawl/runs/${heading.run}`, `${root}/.pawl/runs/${heading.run}-copy`);
    const failure = failureOf(await runPipeline(env, target));
    expect(failure).toMatchObject({ reason: 'which-run' });
    expect(failure.reason === 'which-run' && failure.candidates).toHaveLength(2);
    expect(demand(await runPipeline(env, { ...target, run: heading.run })).kind).toBe('resumed');
  });
});

describe('a run that somebody holds', () => {
  it('is left alone', async () => {
    const { env, definition, target, work } = letters({ units: ['ann'] });
    const refused: unknown[] = [];
    work.draft = async () => {
      const other = nextProcess(env);
      other.host.dead.clear();
      refused.push(failureOf(await runPipeline(other, target)));
      return { text: 'x' };
    };
    await run(env, definition);
    expect(refused).toMatchObject([{ reason: 'run-held', holder: { pid: 1, host: 'here', alive: 'alive' } }]);
  });

  it('can be taken over, and whoever had it can write no more', async () => {
    const { env, target, work } = letters({ units: ['ann'] });
    let first = true;
    let taken: Promise<unknown> | undefined;
    work.draft = async () => {
      if (first) {
        first = false;
        const other = nextProcess(env);
        other.host.dead.clear();
        taken = runPipeline(other, { ...target, takeover: true });
        await taken;
      }
      return { text: 'x' };
    };
    const displaced = await runPipeline(env, target);
    expect(failureOf(displaced)).toMatchObject({ reason: 'fenced-out', holder: { pid: 2 } });
    expect(await taken).toMatchObject({ ok: true, value: { heading: { status: 'completed' } } });
    expect(attemptsOf(env).filter((attempt) => attempt.endsWith('succeeded'))).toEqual([
      'ann/draft#2 succeeded',
      'ann/read#1 succeeded',
      'ann/seal#1 succeeded',
    ]);
  });
});

describe('after a crash', () => {
  it('between the record of a success and its file, the file is put in its place and nothing is run again', async () => {
    const { env, definition, ran } = letters({ units: ['ann'] });
    dieBefore(env, 'rename', '/out/ann.letter');
    await expect(run(env, definition)).rejects.toThrow('the process died here');
    const next = survivors(env);
    expect(readText(next, 'out/ann.letter')).toBeUndefined();
    ran.length = 0;
    expect((await run(next, definition)).heading.status).toBe('completed');
    expect(ran).toEqual([]);
    expect(readText(next, 'out/ann.letter')).toBe('Dear ann. Sealed.');
  });

  it('there, a file that somebody put in the place is an edit: it is asked about, and not lost', async () => {
    const { env, definition, ran } = letters({ units: ['ann'] });
    dieBefore(env, 'rename', '/out/ann.letter');
    await expect(run(env, definition)).rejects.toThrow('the process died here');
    const next = survivors(env);
    next.disk.putFile(`${root}/out/ann.letter`, 'somebody else', env.clock.now() + 1);
    ran.length = 0;
    await expect(run(next, definition)).rejects.toThrow('output-edited');
    const answer = await run(next, definition, { forceResume: true, reason: 'mine' });
    expect(answer.heading.status).toBe('completed');
    expect(ran).toEqual([]);
    expect(readText(next, 'out/ann.letter')).toBe('somebody else');
  });

  it('before the record of a success the attempt is in doubt, and runs again', async () => {
    const { env, definition, ran } = letters({ units: ['ann'] });
    dieBefore(env, 'create', '~letter');
    await expect(run(env, definition)).rejects.toThrow('the process died here');
    const next = survivors(env);
    ran.length = 0;
    const { seen, observer } = watching();
    expect((await run(next, definition, { observer })).heading.status).toBe('completed');
    expect(ran).toEqual(['ann/seal']);
    expect(seen.find(({ type }) => type === 'attempt-started')).toMatchObject({
      attempt: 2,
      why: { code: 'interrupted', attempt: 1 },
    });
    expect(
      next.disk.list(`${root}/.pawl/runs/${(await run(next, definition)).heading.run}/staging`) ?? [],
    ).toEqual([]);
  });
});

describe('an output that is gone', () => {
  it('is made again, or brought back by --restore', async () => {
    for (const restore of [false, true]) {
      const { env, definition, ran, target } = letters({ units: ['ann'] });
      await run(env, definition);
      env.disk.remove(`${root}/out/ann.letter`);
      ran.length = 0;
      const { seen, observer } = watching();
      const answer = await run(env, definition, { restore, observer });
      expect(answer.heading.status).toBe('completed');
      expect(ran).toEqual(restore ? [] : ['ann/seal']);
      expect(seen.map(({ type }) => type).includes('output-restored')).toBe(restore);
      expect(readText(env, 'out/ann.letter')).toBe('Dear ann. Sealed.');
      expect(demand(await verifyRun(env, target)).findings).toEqual([]);
    }
  });
});

describe('after the machine was switched off', () => {
  it('every output is read once, and then its stat is believed again', async () => {
    const { env, definition } = letters();
    await run(env, definition);
    const next = rebooted(env);
    const first = await run(next, definition);
    expect(first).toMatchObject({ ran: { succeeded: 0, failed: 0 }, heading: { status: 'completed' } });
    expect(eventsOf(next).filter(({ type }) => type === 'outputs_verified')).toHaveLength(1);
    const { calls } = next.disk;
    expect((await run(next, definition)).kind).toBe('unchanged');
    expect(next.disk.calls).toBe(calls);
  });

  it('an output that did not survive is brought back, not made again', async () => {
    const { env, definition, ran } = letters();
    await run(env, definition);
    env.disk.remove(`${root}/out/ann.letter`);
    ran.length = 0;
    const next = rebooted(env);
    expect((await run(next, definition)).heading.status).toBe('completed');
    expect(ran).toEqual([]);
    expect(readText(next, 'out/ann.letter')).toBe('Dear ann. Sealed.');
  });
});

it('opens one guard with each flag, on record', async () => {
  const layout = { ledger: 'ledger/{unit}.json' };
  const { env, definition, target, ran } = letters({ units: ['ann'], layout });
  await run(env, definition);
  env.disk.putFile(`${root}/draft.md`, 'Draft otherwise.\n');
  expect(failureOf(await runPipeline(env, target))).toMatchObject({
    reason: 'refused',
    refusals: [{ guard: 'prompt-changed', unit: 'ann', phase: 'draft', path: 'draft.md' }],
  });
  ran.length = 0;
  const kept = await run(env, definition, { forceResume: true, reason: 'only a comma' });
  expect(ran).toEqual([]);
  expect(kept.heading.status).toBe('completed');
  env.disk.putFile(`${root}/draft.md`, 'Draft yet otherwise.\n');
  await run(env, definition, { allowPromptChange: true, reason: 'another voice' });
  expect(ran).toEqual(['ann/draft']);
  const used = eventsOf(env).flatMap((event) =>
    event.type === 'override_used' ? [[event.flag, event.reason]] : [],
  );
  expect(used).toEqual([
    ['--force-resume', 'only a comma'],
    ['--resume-allow-prompt-change', 'another voice'],
  ]);
  const ledger = JSON.parse(readText(env, 'ledger/ann.json') ?? '');
  expect(ledger.phases.draft).toMatchObject({ prompt_update_reason: 'another voice', attempt: 2 });
  expect(ledger.phases.draft.prompt_hash_new).toBe(ledger.phases.draft.prompt_hash);
  expect(ledger.phases.draft.prompt_hash_prev).not.toBe(ledger.phases.draft.prompt_hash_new);
});

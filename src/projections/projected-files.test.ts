import { describe, expect, it } from 'vitest';
import {
  type CodePipeline,
  memoryEnvironment,
  nextProcess,
  readText,
  root,
  run,
  type TestEnvironment,
} from '../../test/fixtures/memory.ts';
import { CrashSignal } from '../../test/memory/memory-disk.ts';
import { readJournal } from '../store/file/journal/read.ts';

/* The files of a layout with a folder per run, as a sitting leaves them. */

interface Frames {
  readonly count?: number;
  readonly seed?: number;
  /** Frames from this index on cannot be drawn. */
  readonly stuckFrom?: number;
}

function frames({ count = 4, seed = 7, stuckFrom = 99 }: Frames = {}): CodePipeline {
  return {
    pawl: 1,
    pipeline: 'sprites',
    identity: { character: 'blaze' },
    units: { count, id: 'frame_{index:02}' },
    phases: {
      draw: {
        run: ({ unit }) => {
          if (Number(unit.index) >= stuckFrom) throw new Error('no ink');
          return { picture: unit.id };
        },
        params: { seed, api_key: 'abc' },
        outputs: { picture: '{run}/approved/{unit}.txt' },
      },
    },
    layout: {
      run: 'runs/{date}_{character}',
      progress: '{run}/state.json',
      audit_log: '{run}/audit_log.jsonl',
      unit_key: 'frame',
      done_key: 'approved',
    },
    pace: { concurrency: 1 },
  };
}

const folder = 'runs/20261115_blaze';
const json = (env: TestEnvironment, name: string) => JSON.parse(readText(env, `${folder}/${name}`) ?? '');
const log = (env: TestEnvironment) => readText(env, `${folder}/audit_log.jsonl`) ?? '';
const events = (env: TestEnvironment) => [...readJournal(env.disk, `${root}/${folder}/events`).events()];
const numbers = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seq: number }).seq);

describe('how far a run is', () => {
  it('is told at its end, and when it was stopped', async () => {
    const env = memoryEnvironment();
    await run(env, frames({ stuckFrom: 2 }));
    expect(json(env, 'state.json')).toMatchObject({
      run_status: 'stopped',
      resumable: true,
      resume_from_frame: 2,
      approved_frame_indices: [0, 1],
      pending_frame_indices: [2, 3],
      resume_history: [],
    });
    env.clock.ms += 1000;
    await run(nextProcess(env), frames());
    expect(json(env, 'state.json')).toMatchObject({
      run_status: 'completed',
      resumable: false,
      resume_from_frame: null,
      approved_frame_indices: [0, 1, 2, 3],
      pending_frame_indices: [],
      resume_history: [{ resumed_at: '2026-11-15T12:00:01.000Z', from_frame: 2, manifest_hash_match: true }],
    });
  });

  it('names the gaps', async () => {
    const env = memoryEnvironment();
    await run(env, frames());
    env.disk.remove(`${root}/${folder}/approved/frame_01.txt`);
    await run(nextProcess(env), frames({ stuckFrom: 0 }));
    expect(json(env, 'state.json')).toMatchObject({
      resume_from_frame: 1,
      approved_frame_indices: [0, 2, 3],
      pending_frame_indices: [1],
    });
  });

  it('says whether the manifest was the same', async () => {
    const env = memoryEnvironment();
    await run(env, frames({ stuckFrom: 1 }));
    await run(nextProcess(env), frames({ seed: 8 }), { force: true });
    expect(json(env, 'state.json').resume_history).toMatchObject([
      { from_frame: 1, manifest_hash_match: false },
    ]);
  });
});

describe('files about a step that takes its time', () => {
  it('are less than 200 ms behind the journal, and nothing is left to be written later', async () => {
    const env = memoryEnvironment();
    const seqs: { readonly written: number; readonly newest: number | undefined }[] = [];
    let phases: unknown;
    const quick = { run: () => ({ out: 'x' }) };
    const slow = async () => {
      env.clock.advance(199);
      await new Promise((resolve) => setImmediate(resolve));
      phases = Object.keys(json(env, 'history/u.json').phases);
      seqs.push({ written: json(env, 'run.json').journal.seq, newest: events(env).at(-1)?.seq });
      return { out: 'x' };
    };
    await run(env, {
      pawl: 1,
      pipeline: 'slow',
      identity: { character: 'blaze' },
      units: ['u'],
      phases: {
        first: { ...quick, outputs: { out: 'out/1' } },
        second: { ...quick, outputs: { out: 'out/2' } },
        third: { run: slow, outputs: { out: 'out/3' } },
      },
      layout: { run: 'runs/{date}_{character}', ledger: '{run}/history/{unit}.json' },
    });
    expect(phases).toEqual(['first', 'second']);
    expect(seqs).toEqual([{ written: seqs[0]?.newest, newest: seqs[0]?.newest }]);
    expect(env.clock.sleeping).toBe(0);
  });
});

describe('files that were not written at the very end', () => {
  it('are written by the next run, though nothing else is to do', async () => {
    let writings = 0;
    const crashing = (env: TestEnvironment, at: number) =>
      env.disk.failWhen(({ operation, path }) =>
        operation === 'rename' && path.endsWith('/run.json') && ++writings === at
          ? { kind: 'crash', when: 'before' }
          : undefined,
      );
    const whole = memoryEnvironment();
    crashing(whole, 0);
    await run(whole, frames());
    const last = writings;
    writings = 0;
    const env = memoryEnvironment();
    crashing(env, last);
    await expect(run(env, frames())).rejects.toThrow(CrashSignal);
    const later = { ...nextProcess(env), disk: env.disk.kill() };
    expect(events(later).at(-1)?.type).toBe('run_ended');
    expect(json(later, 'run.json').status).toBe('running');
    await run(later, frames());
    expect(json(later, 'run.json')).toMatchObject({
      status: 'completed',
      journal: { seq: events(later).at(-1)?.seq },
    });
    expect((await run(nextProcess(later), frames())).kind).toBe('unchanged');
  });
});

describe('the audit log', () => {
  it('has every event, and grows from sitting to sitting', async () => {
    const env = memoryEnvironment();
    await run(env, frames({ stuckFrom: 2 }));
    const before = log(env);
    expect(numbers(before)).toEqual(events(env).map(({ seq }) => seq));
    await run(nextProcess(env), frames());
    expect(log(env).startsWith(before)).toBe(true);
    expect(numbers(log(env))).toEqual(events(env).map(({ seq }) => seq));
    expect(log(env)).toContain('"frame":"frame_03"');
  });

  it('holds what was forced', async () => {
    const env = memoryEnvironment();
    await run(env, frames({ stuckFrom: 1 }));
    await run(nextProcess(env), frames({ seed: 8 }), { force: true, reason: 'brighter' });
    const used = log(env)
      .split('\n')
      .find((line) => line.includes('override_used'));
    expect(JSON.parse(used ?? '')).toMatchObject({ flag: '--force', reason: 'brighter' });
  });

  it('that was cut or deleted is whole again after the next sitting', async () => {
    const env = memoryEnvironment();
    await run(env, frames({ stuckFrom: 2 }));
    const cut = log(env).slice(0, -30);
    env.disk.putFile(`${root}/${folder}/audit_log.jsonl`, cut);
    await run(nextProcess(env), frames({ stuckFrom: 3 }));
    expect(log(env).startsWith(cut)).toBe(true);
    env.disk.remove(`${root}/${folder}/audit_log.jsonl`);
    await run(nextProcess(nextProcess(env)), frames());
    expect(numbers(log(env))).toEqual(events(env).map(({ seq }) => seq));
  });
});

describe('the lock of the manifest', () => {
  it('holds the hash that is in force, and no secret', async () => {
    const env = memoryEnvironment();
    await run(env, frames());
    const lock = json(env, 'manifest.lock.json');
    const [revision] = events(env).flatMap((event) => (event.type === 'revision_recorded' ? [event] : []));
    expect(lock).toMatchObject({ revision: 1, manifest_hash: revision?.manifest });
    expect(lock.manifest.phases.draw.params).toEqual({ seed: 7, api_key: '(removed)' });
    expect(lock.manifest_hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('keeps the history of what was forced', async () => {
    const env = memoryEnvironment();
    await run(env, frames({ stuckFrom: 1 }));
    const [first] = json(env, 'manifest.lock.json').history;
    await run(nextProcess(env), frames({ seed: 8 }), { force: true });
    const lock = json(env, 'manifest.lock.json');
    expect(lock.history).toHaveLength(2);
    expect(lock.history[0]).toEqual(first);
    expect(lock).toMatchObject({ revision: 2, manifest_hash: lock.history[1].manifest_hash });
    expect(lock.history[1].manifest_hash).not.toBe(first.manifest_hash);
    expect(lock.manifest.phases.draw.params.seed).toBe(8);
  });

  it('goes along when there are more units', async () => {
    const env = memoryEnvironment();
    await run(env, frames({ count: 2 }));
    const answer = await run(nextProcess(env), frames({ count: 3 }));
    expect(answer).toMatchObject({ kind: 'resumed', ran: { succeeded: 1 } });
    expect(json(env, 'manifest.lock.json')).toMatchObject({ revision: 2, manifest: { units: { count: 3 } } });
  });
});

describe('a file that stood there before the run', () => {
  const layout = { ledger: 'history/{unit}.json', status: 'pages/{unit}.md', progress: 'progress.json' };
  const shared = () => ({ ...frames({ count: 1 }), ...outputs, layout });
  const outputs = {
    phases: { draw: { run: () => ({ picture: 'x' }), outputs: { picture: 'out/{unit}.txt' } } },
  };
  const asideOf = (env: TestEnvironment, id: string) => env.disk.list(`${root}/.pawl/runs/${id}/aside`) ?? [];

  it.each([
    ['progress.json', 'mine'],
    ['progress.json', '{"run_id":"of another tool"}'],
    ['history/frame_00.json', '{"my":"notes"}'],
    ['pages/frame_00.md', 'mine'],
  ])('is set aside, and not replaced: %s, %s', async (path, text) => {
    const env = memoryEnvironment({ [path]: text });
    const { heading } = await run(env, shared(), { fresh: true });
    const aside = asideOf(env, heading.run);
    expect(aside).toHaveLength(1);
    expect(readText(env, `.pawl/runs/${heading.run}/aside/${aside[0]}`)).toBe(text);
    expect(readText(env, path)).toContain(heading.run);
  });

  it.each([
    ['history/frame_01.json', layout],
    ['elsewhere/frame_00.json', { ...layout, ledger: 'elsewhere/{unit}.json' }],
  ])('is set aside, too, where the run comes to it later: %s', async (path, changed) => {
    const env = memoryEnvironment();
    const { heading } = await run(env, shared());
    env.disk.putFile(`${root}/${path}`, '{"my":"notes"}');
    await run(nextProcess(env), { ...frames({ count: 2 }), ...outputs, layout: changed }, { force: true });
    const [aside] = asideOf(env, heading.run);
    expect(readText(env, `.pawl/runs/${heading.run}/aside/${aside}`)).toBe('{"my":"notes"}');
    expect(readText(env, path)).toContain(heading.run);
  });

  it('is not taken for one that an earlier sitting of the run has written', async () => {
    const waits = { draw: { run: { task: 'artist' }, outputs: { picture: 'out/{unit}.txt' } } };
    const env = memoryEnvironment();
    const { heading } = await run(env, { ...shared(), phases: waits });
    expect(readText(env, 'pages/frame_00.md')).toContain(heading.run);
    await run(nextProcess(env), { ...shared(), phases: waits });
    expect(asideOf(env, heading.run)).toEqual([]);
  });
});

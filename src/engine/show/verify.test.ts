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
import { repairRun } from '../maintain/repair.ts';
import { listRuns } from './runs.ts';
import { verifyRun } from './verify.ts';

async function finished(more?: Parameters<typeof letters>[0]) {
  const world = letters(more);
  const { heading } = await run(world.env, world.definition);
  world.ran.length = 0;
  const verify = async () => demand(await verifyRun(world.env, world.target));
  const found = async () =>
    (await verify()).findings.map(({ code, weight, file }) => `${code} ${weight} ${file}`);
  return { ...world, heading, verify, found };
}

/** The only segment of the only journal. */
function segmentOf(env: TestEnvironment, id: string): string {
  const folder = `${root}/.pawl/runs/${id}/events/runner`;
  const segment = (env.disk.list(folder) ?? []).find((name) => name.endsWith('.jsonl'));
  return `${folder}/${segment}`;
}

describe('verifying', () => {
  it('finds nothing where nothing is wrong, and counts what it has read', async () => {
    const { verify, env } = await finished();
    const { calls } = env.disk;
    const answer = await verify();
    expect(answer).toMatchObject({ findings: [], checked: { outputs: 6, objects: 6 } });
    expect(answer.checked.events).toBeGreaterThan(12);
    expect(answer.heading.status).toBe('completed');
    expect(env.disk.calls).toBe(calls);
  });

  it('finds a missing output', async () => {
    const { env, found } = await finished();
    env.disk.remove(`${root}/out/ann.letter`);
    expect(await found()).toEqual(['output-missing loud out/ann.letter']);
  });

  it('finds an edited output, also one whose size and time are as they were', async () => {
    const { env, found } = await finished();
    env.disk.putFile(`${root}/out/ann.letter`, 'Dear ann! Sealed.');
    expect(await found()).toEqual(['output-edited loud out/ann.letter']);
  });

  it('finds a damaged output', async () => {
    const { env, found } = await finished();
    env.disk.putFile(`${root}/out/ann.json`, '{"cut');
    expect(await found()).toEqual(['output-damaged loud out/ann.json']);
  });

  it('finds a file at a declared path that nothing has made', async () => {
    const { env, found } = await finished();
    env.disk.putFile(`${root}/out/ann.mend`, 'where from?');
    expect(await found()).toEqual(['orphan-file quiet out/ann.mend']);
  });

  it('finds damage in the store', async () => {
    const { env, found } = await finished();
    const objects = `${root}/.pawl/objects`;
    const files = (folder: string): string[] =>
      (env.disk.list(folder) ?? []).flatMap((name) =>
        env.disk.stat(`${folder}/${name}`)?.kind === 'folder'
          ? files(`${folder}/${name}`)
          : [`${folder}/${name}`],
      );
    for (const file of files(objects)) {
      const bytes = env.disk.read(file);
      if (bytes !== undefined)
        env.disk.putFile(
          file,
          bytes.map((byte) => byte ^ 0x20),
        );
    }
    const codes = new Set((await found()).map((finding) => finding.split(' ')[0]));
    expect([...codes].every((code) => code === 'object-damaged' || code === 'object-missing')).toBe(true);
    expect(codes.size).toBeGreaterThan(0);
  });

  it('finds an object that is not there any more', async () => {
    const { env, found } = await finished();
    const remove = (folder: string): void => {
      for (const name of env.disk.list(folder) ?? []) {
        const path = `${folder}/${name}`;
        if (env.disk.stat(path)?.kind === 'folder') remove(path);
        env.disk.remove(path);
      }
    };
    remove(`${root}/.pawl/objects`);
    expect((await found()).every((finding) => finding.startsWith('object-missing loud'))).toBe(true);
    expect(await found()).toHaveLength(6);
  });

  it('finds a ledger file that says something else than the journal', async () => {
    const { env, found } = await finished({ layout: { ledger: 'ledger/{unit}.json' } });
    expect(await found()).toEqual([]);
    env.disk.putFile(`${root}/ledger/ann.json`, '{"phases":{}}');
    expect(await found()).toEqual(['projection-differs quiet ledger/ann.json']);
  });

  it('finds a changed line of the journal, although a snapshot stands for it', async () => {
    const { env, found, heading } = await finished();
    const segment = segmentOf(env, heading.run);
    const text = new TextDecoder().decode(env.disk.read(segment));
    env.disk.putFile(segment, text.replace('"ms":0', '"ms":9'));
    const findings = await found();
    expect(findings[0]).toMatch(/^checksum-differs loud \.pawl\/runs\/.*\.jsonl$/);
  });

  it('finds a journal that was cut short', async () => {
    const { env, found, heading } = await finished();
    const segment = segmentOf(env, heading.run);
    const lines = new TextDecoder().decode(env.disk.read(segment)).split('\n');
    env.disk.putFile(segment, `${lines.slice(0, -4).join('\n')}\n`);
    expect(await found()).toContainEqual(expect.stringMatching(/^journal-shorter-than-head loud/));
  });

  it('finds files of a unit that is listed no more, and leaves it at that', async () => {
    const world = await finished();
    const { target } = letters({ units: ['ann'] });
    world.env.disk.putFile(`${root}/out/bob.letter`, 'edited');
    const { findings } = demand(await verifyRun(world.env, target));
    expect(findings).toMatchObject([{ code: 'output-edited', weight: 'quiet', file: 'out/bob.letter' }]);
  });

  it('needs a run', async () => {
    const { env, target } = letters();
    expect(failureOf(await verifyRun(env, target))).toEqual({ reason: 'no-run', workspace: '.' });
  });
});

describe('a damaged journal', () => {
  async function damaged() {
    const world = await finished();
    const segment = segmentOf(world.env, world.heading.run);
    const lines = new TextDecoder().decode(world.env.disk.read(segment)).split('\n');
    // The third line from the end of what was recorded of a cell: something in the middle.
    const at = lines.findIndex((text) => text.includes('attempt_succeeded'));
    lines[at] = 'garbage';
    world.env.disk.putFile(segment, lines.join('\n'));
    world.env.disk.remove(`${root}/.pawl/runs/${world.heading.run}/snapshot`);
    return { ...world, segment, text: lines.join('\n') };
  }

  it('is not gone on with before a person has looked at it', async () => {
    const { env, definition, ran } = await damaged();
    await expect(run(env, definition)).rejects.toThrow('journal-damaged');
    expect(ran).toEqual([]);
  });

  it('is gone on with afterwards: what is proven stands, the rest runs again, and not a byte is changed', async () => {
    const { env, definition, target, ran, segment, text } = await damaged();
    const answer = demand(await repairRun(env, { ...target, reason: 'a bad disk' }));
    expect(answer.accepted.map(({ code }) => code)).toContain('garbage-line');
    const after = await run(nextProcess(env), definition);
    expect(after.heading.status).toBe('completed');
    expect(ran).toEqual(['ann/draft']);
    expect(
      readText(env, segment.slice(root.length + 1))?.startsWith(text.slice(0, text.indexOf('garbage') + 7)),
    ).toBe(true);
  });

  it('is not asked about twice', async () => {
    const { env, definition, target } = await damaged();
    demand(await repairRun(env, { ...target, reason: 'a bad disk' }));
    expect(failureOf(await repairRun(env, { ...target, reason: 'again' }))).toMatchObject({
      reason: 'nothing-to-repair',
    });
    await run(env, definition);
    expect((await run(env, definition)).kind).toBe('unchanged');
  });

  it('needs a reason, and damage', async () => {
    const { env, target, heading } = await finished();
    expect(failureOf(await repairRun(env, { ...target, reason: '' }))).toEqual({
      reason: 'usage',
      problem: { code: 'reason-required', flag: 'repair' },
    });
    expect(failureOf(await repairRun(env, { ...target, reason: 'r' }))).toEqual({
      reason: 'nothing-to-repair',
      run: heading.run,
    });
  });

  it('of one run does not hide the others', async () => {
    const { env, target, heading } = await finished();
    env.disk.putFile(
      `${root}/.pawl/runs/20250101-0000-lost-aaaa/events/runner/000001.jsonl`,
      'garbage\nmore\n',
    );
    const { runs } = demand(await listRuns(env, target));
    expect(runs).toEqual([
      expect.objectContaining({ run: heading.run, status: 'completed' }),
      expect.objectContaining({ run: '20250101-0000-lost-aaaa', status: 'damaged' }),
    ]);
  });
});

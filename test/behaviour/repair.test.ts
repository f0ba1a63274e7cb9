import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { pawl, pawlJson, pawlKilledAt, start } from '../support/command.ts';
import { openDoor } from '../support/door.ts';
import { eventsOf, runFolder, segments } from '../support/journal.ts';
import {
  calls,
  copyOf,
  hashes,
  read,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
  write,
} from '../support/workspace.ts';

/*
 * Repair leads out of every damage without paying for proven work again. A finished run in two segments, the first of
 * a process that was killed, and copies of it with each damage.
 */

let whole: TestWorkspace;
let killed: TestWorkspace;

beforeAll(async () => {
  whole = workspaceWith(manifest);
  await pawlKilledAt(whole, 'a/three started', 'run');
  killed = copyOf(whole);
  expect((await pawl(whole, 'run')).code).toBe(0);
  expect(segments(whole)).toHaveLength(2);
});

/** What a person types, and what has to follow: the run is usable, and nothing is executed again. */
async function expectRepaired(work: TestWorkspace, again: readonly string[] = []): Promise<Repaired> {
  const refused = await pawl(work, 'run');
  expect(refused.code, refused.stdout + refused.stderr).toBe(7);
  expect(refused.stderr).toContain('pawl repair');
  const before = calls(work).length;
  const repaired = await pawlJson<Repaired>(work, 'repair', '--yes', '--reason', 'looked at it');
  expect(repaired.finished.code, repaired.finished.stdout).toBe(0);
  const run = await pawl(work, 'run');
  expect(run.code, run.stderr).toBe(0);
  expect(stepsCalled(work, before)).toEqual(again);
  const verified = await pawl(work, 'verify');
  expect(verified.code, verified.stdout).toBe(0);
  return repaired;
}

/** A snapshot can be deleted at any time: nothing that was repaired may hang on it. */
async function expectIndependent(work: TestWorkspace): Promise<void> {
  const before = calls(work).length;
  for (const name of ['snapshot', 'settled']) rmSync(join(work.root, runFolder(work), name), { force: true });
  expect((await pawl(work, 'run')).code).toBe(0);
  expect(calls(work)).toHaveLength(before);
}

const unusable: readonly { name: string; put: (path: string, first: string) => void }[] = [
  { name: 'an empty file', put: (path) => writeFileSync(path, '') },
  { name: 'a folder', put: (path) => mkdirSync(path) },
  { name: 'a link', put: (path) => symlinkSync('/etc/hostname', path) },
  { name: 'a pipe', put: (path) => void execFileSync('mkfifo', [path]) },
  { name: 'a copy of the first one', put: (path, first) => writeFileSync(path, readFileSync(first)) },
];

describe('the newest segment', () => {
  it('with a flipped bit in its header is taken over where no process of this host has it', async () => {
    const work = copyOf(killed);
    const [segment = ''] = segments(work);
    const bytes = readFileSync(join(work.root, segment));
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(join(work.root, segment), bytes);
    await expectRepaired(work, ['a/three']);
    expect(readFileSync(join(work.root, segment)).equals(bytes)).toBe(true);
  });

  it.each(unusable)('that is $name is moved away, and what the snapshot proves is kept', async ({ put }) => {
    const work = copyOf(whole);
    const [first = '', second = ''] = segments(work);
    rmSync(join(work.root, second));
    put(join(work.root, second), join(work.root, first));
    const { moved, restored } = await expectRepaired(work);
    expect(moved).toEqual([{ from: second, to: expect.stringContaining('/damaged/runner-000002.jsonl') }]);
    expect(restored.map(({ unit, phase }) => `${unit}/${phase}`)).toEqual(['a/three']);
    await expectIndependent(work);
  });

  it('that a living process has open is left alone, and its process is named', async () => {
    const { door, workspace: work } = await openDoor(workspaceWith(manifest), ['a/one']);
    const running = start(work, ['run']);
    await door.visit('a/one');
    const [segment = ''] = segments(work);
    const bytes = readFileSync(join(work.root, segment));
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(join(work.root, segment), bytes);
    const refused = await pawl(work, 'repair', '--yes', '--reason', 'so');
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain(`process ${running.pid}`);
    expect(refused.stderr).not.toMatch(/on {2}|since ,/);
    running.kill('SIGKILL');
    await running.ended;
    expect((await pawl(work, 'repair', '--yes', '--reason', 'so')).code).toBe(0);
  });

  it('of another host is taken over only when a person says so', async () => {
    const work = copyOf(whole);
    const [first = ''] = segments(work);
    const other = read(work, first).replace(/"host":"[^"]*"/, '"host":"elsewhere"');
    const { checksum } = await import('../../src/base/hash.ts');
    const [header = '', ...lines] = other.split('\n');
    const open = header.slice(0, header.lastIndexOf(',"sum":"'));
    write(work, first, [`${open},"sum":"${checksum(open)}"}`, ...lines].join('\n'));
    const [, second = ''] = segments(work);
    writeFileSync(join(work.root, second), '');
    const refused = await pawl(work, 'repair', '--yes', '--reason', 'so');
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain('elsewhere');
    expect(refused.stderr).toContain('pawl repair --takeover');
    expect((await pawl(work, 'reset', '--yes')).code).toBe(6);
    expect((await pawl(copyOf(work), 'reset', '--yes', '--takeover')).code).toBe(0);
    expect((await pawl(work, 'repair', '--takeover', '--yes', '--reason', 'so')).code).toBe(0);
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(calls(work)).toEqual([]);
  });
});

describe('the only segment', () => {
  it.each([unusable[0], unusable[1]])('that is now $name costs one repair, and a question', async (how) => {
    const work = copyOf(killed);
    const [only = ''] = segments(work);
    rmSync(join(work.root, only));
    how?.put(join(work.root, only), '');
    expect((await pawl(work, 'run')).code).toBe(7);
    const repaired = await pawlJson<Repaired>(work, 'repair', '--yes', '--reason', 'looked at it');
    expect(repaired.finished.code, repaired.finished.stdout).toBe(0);
    expect(repaired.moved).toHaveLength(1);
    expect(new Set(repaired.facts.map(({ name }) => name)).size).toBe(repaired.facts.length);
    expect((await pawl(work, 'verify')).code).toBe(0);
    // No line says any more what was done: what becomes of the files is asked before anything is paid again.
    expect(await pawlJson(work, 'run')).toMatchObject({ exitCode: 4, reason: 'outputs-exist' });
    expect(calls(work)).toEqual([]);
  });
});

describe('a single lost line', () => {
  it('that said which run it is costs nothing: other files still say it', async () => {
    const work = copyOf(whole);
    withoutLine(work, 0, 1);
    rmSync(join(work.root, runFolder(work), 'snapshot'));
    const status = await pawl(work, 'status');
    expect(status.code).toBe(7);
    expect(status.stderr).toContain('the first record is lost');
    expect((await pawl(work, 'runs')).stdout).toContain('damaged');
    const { facts } = await expectRepaired(work);
    expect(facts).toContainEqual({ name: 'pipeline', value: 'mended', from: 'run.json' });
    expect(eventsOf(work, 'run_created')).toMatchObject([{ repaired: true }]);
    expect(eventsOf(work, 'damage_accepted')).toMatchObject([{ reason: 'looked at it' }]);
    expect((await pawl(work, 'status')).code).toBe(0);
  });

  it('that was accepted is no damage any more, whatever shows it', async () => {
    const work = copyOf(killed);
    const [segment = ''] = segments(work);
    const lines = read(work, segment).split('\n');
    const lost = lines.findIndex((line) => line.includes('"attempt_started"'));
    write(work, segment, lines.toSpliced(lost, 1).join('\n'));
    expect((await pawl(work, 'repair', '--yes', '--reason', 'looked at it')).code).toBe(0);
    for (const call of [['status'], ['plan'], ['run', '-q'], ['status'], ['graph'], ['inspect']]) {
      for (const name of ['snapshot', 'settled'])
        rmSync(join(work.root, runFolder(work), name), { force: true });
      const shown = await pawl(work, ...call);
      expect(shown.code, call.join(' ')).toBe(0);
      expect(shown.stdout + shown.stderr, call.join(' ')).not.toMatch(/✗.*events are missing/);
    }
  });

  it('that said that an attempt starts costs nothing while its result is intact', async () => {
    const work = copyOf(whole);
    rmSync(join(work.root, runFolder(work), 'snapshot'));
    const lines = read(work, segments(work)[0] ?? '').split('\n');
    withoutLine(
      work,
      0,
      lines.findIndex((line) => line.includes('"attempt_started"')),
    );
    const { restored } = await expectRepaired(work);
    expect(restored).toEqual([{ unit: 'a', phase: 'one', attempt: 1, from: 'success' }]);
    await expectIndependent(work);
  });

  it('of any kind costs nothing where a snapshot stands for it', async () => {
    const lines = read(whole, segments(whole)[0] ?? '')
      .trimEnd()
      .split('\n');
    for (const index of [1, 2, 3, 4]) {
      const work = copyOf(whole);
      withoutLine(work, 0, index);
      expect((await pawl(work, 'verify')).code, lines[index]).toBe(7);
      await expectRepaired(work);
      await expectIndependent(work);
    }
  });
});

describe('a damaged run', () => {
  it('is written into by no command but those that put it in order or away', async () => {
    const work = copyOf(killed);
    const [first = ''] = segments(work);
    write(work, first, read(work, first).split('\n').toSpliced(3, 2).join('\n'));
    write(work, 'out/a.one.txt', 'edited');
    const before = hashes(work, runFolder(work));
    for (const args of [
      ['adopt', 'out/a.one.txt', '--reason', 'r'],
      ['adopt', 'out/nothing.txt', '--reason', 'r'],
      ['cancel', '--reason', 'r', '--yes'],
    ]) {
      const refused = await pawl(work, ...args);
      expect(refused.code, refused.stdout + refused.stderr).toBe(7);
      expect(refused.stderr).toContain('pawl repair');
    }
    expect(hashes(work, runFolder(work))).toEqual(before);
    expect((await pawl(work, 'run')).code).toBe(7);
  });
});

describe('a segment that a snapshot stands for', () => {
  it('is missed by run and status, when it is emptied or gone', async () => {
    const work = copyOf(whole);
    writeFileSync(join(work.root, segments(work)[0] ?? ''), '');
    expect((await pawlJson<{ findings: object[] }>(work, 'status')).findings).not.toEqual([]);
    await expectRepaired(work);
    await expectIndependent(work);
  });
});

describe('the content store', () => {
  it('gets the bytes of intact outputs back', async () => {
    const work = copyOf(whole);
    const packs = join(work.root, '.pawl/objects/packs');
    for (const name of readdirSync(packs)) rmSync(join(packs, name));
    const red = await pawl(work, 'verify');
    expect(red.code).toBe(7);
    expect(red.stdout).toContain('pawl repair');
    const repaired = await pawlJson<Repaired>(work, 'repair', '--yes', '--reason', 'so');
    expect(repaired.healed).toHaveLength(3);
    const verified = await pawl(work, 'verify');
    expect(verified.code, verified.stdout).toBe(0);
    rmSync(join(work.root, 'out/a.one.txt'));
    expect((await pawl(work, 'run', '--restore')).code).toBe(0);
    expect(calls(work)).toEqual([]);
    expect((await pawl(work, 'repair', '--yes', '--reason', 'so')).code).toBe(2);
  });

  it('with a damaged object is named before anything is paid for it', async () => {
    const work = copyOf(whole);
    const pack = Object.keys(hashes(work, '.pawl/objects/packs')).find(
      (path) => path.endsWith('.pack') && readFileSync(join(work.root, path)).includes('a/one\n'),
    );
    const bytes = readFileSync(join(work.root, pack ?? ''));
    const at = bytes.indexOf('a/one\n');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(join(work.root, pack ?? ''), bytes);
    rmSync(join(work.root, 'out/a.one.txt'));
    for (const command of ['plan', 'run']) {
      const refused = await pawl(work, command, '--restore');
      expect(refused.code, refused.stdout).toBe(7);
      expect(refused.stderr).toContain('out/a.one.txt');
    }
    expect(calls(work)).toEqual([]);
  });
});

describe('verify', () => {
  it('reads every byte, whatever the time of a file says, and looks at the audit log', async () => {
    const work = workspaceWith(`${manifest}layout: { audit_log: audit.jsonl }\n`);
    expect((await pawl(work, 'run')).code).toBe(0);
    const path = join(work.root, 'out/a.three.txt');
    const { atime, mtime } = statSync(path);
    const changed = readFileSync(path, 'utf8').replace('three', 'THREE');
    writeFileSync(path, changed);
    utimesSync(path, atime, mtime);
    write(work, 'audit.jsonl', read(work, 'audit.jsonl').replace('\n', '\nbroken\n'));
    const { findings, finished } = await pawlJson<{ findings: object[] }>(work, 'verify');
    expect(finished.code).toBe(7);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'output-edited', file: 'out/a.three.txt' }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'garbage-line', file: 'audit.jsonl', line: 2, weight: 'quiet' }),
    );
    expect((await pawl(work, 'verify', '--deep')).code).toBe(7);
    expect((await pawl(work, 'run', '--deep')).code).toBe(4);
    expect(readFileSync(path, 'utf8')).toBe(changed);
  });
});

function withoutLine(work: TestWorkspace, segment: number, line: number): void {
  const path = segments(work)[segment] ?? '';
  write(work, path, read(work, path).split('\n').toSpliced(line, 1).join('\n'));
}

interface Repaired {
  readonly facts: readonly { name: string; value: string; from: string }[];
  readonly restored: readonly { unit: string; phase: string; attempt: number; from: string }[];
  readonly moved: readonly { from: string; to: string }[];
  readonly healed: readonly string[];
}

const manifest = `
pawl: 1
pipeline: mended
units: [a]
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.one.txt" }
  two:
    run: { function: ./phases.mjs#step }
    inputs: { text: one.text }
    outputs: { text: "out/{unit}.two.txt" }
  three:
    run: { function: ./phases.mjs#step }
    inputs: { text: two.text }
    outputs: { text: "out/{unit}.three.txt" }
`;

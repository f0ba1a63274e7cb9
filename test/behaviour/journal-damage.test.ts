import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { checksum } from '../../src/base/hash.ts';
import { pawl, pawlJson, pawlKilledAt } from '../support/command.ts';
import { segments } from '../support/journal.ts';
import { expectNothingToDo } from '../support/library.ts';
import {
  calls,
  copyOf,
  hashes,
  stepsCalled,
  type TestWorkspace,
  workspaceWith,
} from '../support/workspace.ts';

/*
 * One run that was killed in its last phase, and copies of it with every damage that a journal can come to. All
 * through the command: what it says, that it changes nothing, and how it goes on.
 */

let whole: TestWorkspace;

beforeAll(async () => {
  whole = workspaceWith(manifest);
  await pawlKilledAt(whole, 'a/three started', 'run');
  expect(calls(whole)).toHaveLength(2);
});

interface DamageCase {
  readonly name: string;
  /** Changes the bytes of the only segment. */
  readonly damage: (bytes: Buffer) => Buffer;
  /** What has to be told, with the line. */
  readonly finding: { readonly code: string; readonly line?: number };
  /** Phases that have to run again because nothing proves them any more; what they make is the same. */
  readonly lost?: readonly string[];
}

const quiet: DamageCase[] = [
  { name: 'a torn tail', damage: (bytes) => bytes.subarray(0, -20), finding: { code: 'torn-tail', line: 8 } },
  {
    name: 'a missing final newline',
    damage: (bytes) => bytes.subarray(0, -1),
    finding: { code: 'no-final-newline', line: 8 },
  },
  {
    name: 'NUL bytes at the end',
    damage: (bytes) => Buffer.concat([bytes, Buffer.alloc(300)]),
    finding: { code: 'nul-padding', line: 9 },
  },
  {
    name: 'half a UTF-8 character at the end',
    damage: (bytes) => Buffer.concat([bytes, Buffer.from('{"seq":9,"at":"…').subarray(0, -1)]),
    finding: { code: 'broken-utf8', line: 9 },
  },
  {
    name: 'a torn line glued to the next',
    damage: (bytes) =>
      withLines(bytes, (lines) => lines.with(4, `${(lines[3] ?? '').slice(0, 40)}${lines[4]}`)),
    finding: { code: 'torn-tail-glued', line: 5 },
  },
  {
    name: 'a byte order mark',
    damage: (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
    finding: { code: 'byte-order-mark', line: 1 },
  },
  {
    name: 'line ends of another system',
    damage: (bytes) => Buffer.from(bytes.toString().replaceAll('\n', '\r\n')),
    finding: { code: 'carriage-return', line: 1 },
  },
  {
    name: 'a line that is there twice',
    damage: (bytes) => withLines(bytes, (lines) => lines.toSpliced(5, 0, lines[4] ?? '')),
    finding: { code: 'duplicate-event', line: 6 },
  },
  {
    name: 'a copy of a line at an earlier place',
    damage: (bytes) => withLines(bytes, (lines) => lines.toSpliced(3, 0, lines[6] ?? '')),
    finding: { code: 'duplicate-event', line: 4 },
  },
  {
    name: 'a line that was moved',
    damage: (bytes) =>
      withLines(bytes, (lines) => [...lines.toSpliced(3, 1).toSpliced(6, 0, lines[3] ?? '')]),
    finding: { code: 'line-out-of-place', line: 7 },
  },
  {
    name: 'an event of a type that nobody knows',
    damage: (bytes) => appended(bytes, (seq, prev) => event(seq, prev, { type: 'tea_was_made', cups: 2 })),
    finding: { code: 'unknown-event', line: 9 },
  },
];

const loud: DamageCase[] = [
  {
    name: 'garbage in the middle',
    damage: (bytes) => withLines(bytes, (lines) => lines.toSpliced(4, 0, 'no JSON at all')),
    finding: { code: 'garbage-line', line: 5 },
  },
  {
    name: 'a line that is no object',
    damage: (bytes) => withLines(bytes, (lines) => lines.toSpliced(4, 0, '["a","list"]')),
    finding: { code: 'not-an-object', line: 5 },
  },
  {
    name: 'a line of broken characters in the middle',
    damage: (bytes) => splitAt(bytes, 4, Buffer.from([0x22, 0xc3, 0x28, 0x22, 0x0a])),
    finding: { code: 'broken-utf8', line: 5 },
  },
  {
    name: 'a changed line',
    damage: (bytes) => withLines(bytes, (lines) => lines.with(4, (lines[4] ?? '').replace('"one"', '"eno"'))),
    finding: { code: 'checksum-differs', line: 5 },
    lost: ['a/one'],
  },
  {
    name: 'a removed line',
    damage: (bytes) => withLines(bytes, (lines) => lines.toSpliced(4, 1)),
    finding: { code: 'sequence-gap', line: 5 },
    lost: ['a/one'],
  },
  {
    name: 'an event of a newer format',
    damage: (bytes) => appended(bytes, (seq, prev) => event(seq, prev, { v: 3, type: 'attempt_started' })),
    finding: { code: 'newer-format', line: 9 },
  },
];

describe('quiet damage', () => {
  it.each(quiet)('$name is told with its place, and the run goes on', async ({ damage, finding }) => {
    const { work, segment } = damaged(damage);
    await expectTold(work, segment, finding, 'quiet');
    const bytes = readFileSync(join(work.root, segment));

    const run = await pawl(work, 'run');
    expect(run.code).toBe(0);
    expect(stepsCalled(work).at(-1)).toBe('a/three');
    expect(readFileSync(join(work.root, segment))).toEqual(bytes);
    await expectReadable(work);
  });
});

describe('loud damage', () => {
  it.each(loud)('$name stops the run until a person has seen it', async ({ damage, finding, lost = [] }) => {
    const { work, segment } = damaged(damage);
    await expectTold(work, segment, finding, 'loud');
    const bytes = readFileSync(join(work.root, segment));
    const before = hashes(work);

    const refused = await pawlJson<Told>(work, 'run');
    expect(refused).toMatchObject({ exitCode: 7, reason: 'journal-damaged' });
    expect(refused.findings).toContainEqual(expect.objectContaining({ ...finding, file: segment }));
    expect(hashes(work)).toEqual(before);
    expect(calls(work)).toEqual([]);

    const repaired = await pawl(work, 'repair', '--reason', 'looked at it', '--yes');
    expect(repaired.code).toBe(0);
    expect(eventsIn(work)).toContainEqual(
      expect.objectContaining({ type: 'damage_accepted', reason: 'looked at it' }),
    );
    expect((await pawl(work, 'run')).code).toBe(0);
    expect(new Set(stepsCalled(work))).toEqual(new Set([...lost, 'a/three']));
    expect(readFileSync(join(work.root, segment))).toEqual(bytes);
    await expectReadable(work);
  });

  it('is said in words, with the place and the way on, which wants a reason', async () => {
    const { work, segment } = damaged((bytes) => withLines(bytes, (lines) => lines.toSpliced(4, 0, 'noise')));
    expect((await pawl(work, 'status')).stdout).toContain(`${segment}:5`);
    const told = await pawl(work, 'run');
    expect(told.code).toBe(7);
    expect(told.stderr).toContain(`${segment}:5`);
    expect(told.stderr).toContain('pawl repair');
    expect((await pawl(work, 'repair', '--yes')).code).toBe(2);
  });

  it('of a whole segment that is empty is not taken for a fresh run', async () => {
    const { work, segment } = damaged(() => Buffer.alloc(0));
    const before = hashes(work);
    for (const args of [['run'], ['status'], ['runs']]) {
      const answer = await pawl(work, ...args);
      expect(answer.stderr + answer.stdout).toContain(segment);
    }
    expect((await pawl(work, 'run')).code).toBe(7);
    expect(calls(work)).toEqual([]);
    expect(hashes(work)).toEqual(before);
  });

  it('of a segment in a newer format leaves it to a newer program', async () => {
    const { work, segment } = damaged((bytes) =>
      withLines(bytes, (lines) =>
        lines.with(0, sealed((lines[0] ?? '').replace('"version":2', '"version":3'))),
      ),
    );
    const before = hashes(work);
    for (const args of [['run'], ['run', '--takeover'], ['repair', '--reason', 'so', '--yes']]) {
      const refused = await pawl(work, ...args);
      expect(refused.code).toBe(7);
      expect(refused.stderr).toContain(segment);
    }
    expect(hashes(work)).toEqual(before);
  });
});

describe('one damaged run', () => {
  it('does not hide the others', async () => {
    const work = copyOf(whole);
    writeFileSync(join(work.root, 'other.yaml'), manifest.replace('pipeline: damage', 'pipeline: other'));
    expect((await pawl(work, 'run', 'other.yaml')).code).toBe(0);
    const segment = segmentOf(work, 'damage');
    writeFileSync(join(work.root, segment), 'nothing of this can be read\n');
    const { runs } = await pawlJson<{ runs: { status: string; pipeline?: string }[] }>(work, 'runs');
    expect(runs.map(({ status }) => status).toSorted()).toEqual(['completed', 'damaged']);
  });
});

/** A copy of the run whose segment was changed. */
function damaged(damage: (bytes: Buffer) => Buffer): { work: TestWorkspace; segment: string } {
  const work = copyOf(whole);
  const [segment = ''] = segments(work);
  const path = join(work.root, segment);
  const before = readFileSync(path);
  const after = damage(before);
  expect(after.equals(before)).toBe(false);
  writeFileSync(path, after);
  return { work, segment };
}

/** Looking works, says what is wrong and where, and leaves every byte as it was. */
async function expectTold(
  work: TestWorkspace,
  segment: string,
  finding: DamageCase['finding'],
  weight: string,
): Promise<void> {
  const before = hashes(work);
  const status = await pawlJson<Told>(work, 'status');
  expect(status.finished.code).toBe(0);
  expect(status.findings).toContainEqual(expect.objectContaining({ ...finding, file: segment, weight }));
  expect(hashes(work)).toEqual(before);
}

/** What was appended after the damage is found again, and numbers were not used twice. */
async function expectReadable(work: TestWorkspace): Promise<void> {
  await expectNothingToDo(work);
  const later = segments(work).slice(1);
  expect(later.length).toBeGreaterThan(0);
  const seqs = eventsIn(work).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(seqs).size).toBe(seqs.length);
}

/** Events of the segments that came after the damaged one. */
function eventsIn(work: TestWorkspace): { seq: number; type: string }[] {
  return segments(work)
    .slice(1)
    .flatMap((path) => readFileSync(join(work.root, path), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line))
    .filter((record) => 'type' in record);
}

function segmentOf(work: TestWorkspace, pipeline: string): string {
  const all = Object.keys(hashes(work, '.pawl/runs'));
  const found = all.find((path) => path.includes(`-${pipeline}-`) && path.endsWith('.jsonl'));
  return found ?? '';
}

function withLines(bytes: Buffer, change: (lines: string[]) => string[]): Buffer {
  return Buffer.from(change(bytes.toString().split('\n')).join('\n'));
}

function splitAt(bytes: Buffer, line: number, between: Buffer): Buffer {
  let at = 0;
  for (let count = 0; count < line; count++) at = bytes.indexOf(0x0a, at) + 1;
  return Buffer.concat([bytes.subarray(0, at), between, bytes.subarray(at)]);
}

function appended(bytes: Buffer, make: (seq: number, prev: string) => string): Buffer {
  const last = JSON.parse(bytes.toString().trimEnd().split('\n').at(-1) ?? '');
  return Buffer.concat([bytes, Buffer.from(`${make(last.seq + 1, last.sum)}\n`)]);
}

function event(seq: number, prev: string, fields: object): string {
  const body = { seq, at: '2099-01-01T00:00:00.000Z', ...fields, prev };
  return sealed(`${JSON.stringify(body).slice(0, -1)},"sum":"000000000000"}`);
}

/** The same line with the checksum that belongs to it. */
function sealed(line: string): string {
  const open = line.slice(0, line.lastIndexOf(',"sum":"'));
  return `${open},"sum":"${checksum(open)}"}`;
}

interface Told {
  readonly exitCode: number;
  readonly findings: readonly object[];
}

const manifest = `
pawl: 1
pipeline: damage
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

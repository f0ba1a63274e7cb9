import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../base/hash.ts';
import { MemoryDisk } from '../../disk/memory-disk.ts';
import { readSettled, type Settled, writeSettled } from './settled-file.ts';

const path = '/run/settled';

const settled: Settled = {
  head: {
    program: '1.0.0 7',
    boot: 'boot-1',
    pipeline: hashBytes('pipeline'),
    changedAfter: '2026-11-15T12:00:00.000Z',
    snapshot: { size: 100, mtime: 1763208000123.25, ino: 7 },
    positions: new Map([
      ['runner', { epoch: 2, length: 99, seq: 12, sum: 'aaaaaaaaaaaa', at: '2026-11-15T12:00:00.000Z' }],
    ]),
    state: { initial: hashBytes('seed'), shown: undefined },
    answer: {
      heading: {
        run: 'r',
        pipeline: 'p',
        identity: { book: 'ember' },
        status: 'completed',
        createdAt: '2026-11-15T12:00:00.000Z',
        updatedAt: '2026-11-15T12:00:01.000Z',
      },
      cells: { units: 1, unitsFinished: 1, cells: 2, done: 1, reused: 1, skipped: 1 },
      notices: [{ code: 'unit-removed', unit: 'x' }],
    },
  },
  parts: [
    { folder: 'ledger', present: ['a.json'], absent: ['b.json'] },
    { outputs: [['out/a.md', 4096, 1763208000456.7891, 123456789012345]] },
  ],
};

function written(): { disk: MemoryDisk; text: string } {
  const disk = new MemoryDisk();
  disk.makeFolder('/run');
  writeSettled(disk, path, settled);
  return { disk, text: new TextDecoder().decode(disk.read(path)) };
}

function reading(disk: MemoryDisk): Settled | undefined {
  const read = readSettled(disk, path);
  return read && { head: read.head, parts: [...read.parts] };
}

/** The first line says something else, and the file is as whole as before. */
function withHead(text: string, change: (head: Record<string, unknown>) => unknown): string {
  const [first = '', ...rest] = text.split('\n').slice(0, -2);
  const body = `${[JSON.stringify(change(JSON.parse(first))), ...rest].join('\n')}\n`;
  return `${body}${JSON.stringify({ hash: hashBytes(body) })}\n`;
}

describe('what is remembered of a settled run', () => {
  it('is read as it was written', () => {
    expect(reading(written().disk)).toEqual({
      head: expect.objectContaining(settled.head),
      parts: settled.parts,
    });
  });

  it('is nothing when there is no file', () => {
    expect(readSettled(new MemoryDisk(), path)).toBeUndefined();
  });

  it('is not used when it was cut anywhere', () => {
    const { disk, text } = written();
    for (let length = 0; length < text.length; length++) {
      disk.putFile(path, text.slice(0, length));
      expect(readSettled(disk, path), `cut to ${length}`).toBeUndefined();
    }
  });

  it('is not used when any bit was flipped, or anything was appended', () => {
    const { disk, text } = written();
    for (let at = 0; at < text.length; at++) {
      const bytes = Buffer.from(text);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      disk.putFile(path, bytes);
      expect(readSettled(disk, path), `flipped at ${at}`).toBeUndefined();
    }
    disk.putFile(path, `${text}\n`);
    expect(readSettled(disk, path)).toBeUndefined();
  });

  it.each<[string, (head: Record<string, unknown>) => unknown]>([
    ['of another version', (head) => ({ ...head, version: 2 })],
    ['of another kind', (head) => ({ ...head, pawl: 'snapshot' })],
    ['no object', () => []],
    ['without a program', ({ program: _, ...head }) => head],
    ['without a boot', ({ boot: _, ...head }) => head],
    ['without a pipeline', ({ pipeline: _, ...head }) => head],
    ['without a time of change', ({ changedAfter: _, ...head }) => head],
    ['without a snapshot', ({ snapshot: _, ...head }) => head],
    ['without positions', ({ positions: _, ...head }) => head],
    ['with half a position', (head) => ({ ...head, positions: { runner: { epoch: 1 } } })],
    ['with a state that is none', (head) => ({ ...head, state: 'seed' })],
    ['without an answer', ({ answer: _, ...head }) => head],
    ['with an answer that has no heading', (head) => ({ ...head, answer: { cells: {}, notices: [] } })],
    [
      'with counts that are none',
      (head) => ({ ...head, answer: { ...settled.head.answer, cells: { done: 'all' } } }),
    ],
    [
      'with notices that are none',
      (head) => ({ ...head, answer: { ...settled.head.answer, notices: ['beware'] } }),
    ],
  ])('is not used when its head is %s', (_, change) => {
    const { disk, text } = written();
    disk.putFile(
      path,
      withHead(text, (head) => head),
    );
    expect(readSettled(disk, path)).toBeDefined();
    disk.putFile(path, withHead(text, change));
    expect(readSettled(disk, path)).toBeUndefined();
  });

  it.each([
    'null',
    '7',
    'no JSON',
    '{}',
    '{"folder":"x","present":[]}',
    '{"present":[],"absent":[]}',
    '{"outputs":[null]}',
    '{"outputs":[[7]]}',
    '{"outputs":[["a\\u0000b"]]}',
  ])('has no part that says %s', (line) => {
    const { disk, text } = written();
    const [head] = text.split('\n');
    const body = `${head}\n${line}\n`;
    disk.putFile(path, `${body}${JSON.stringify({ hash: hashBytes(body) })}\n`);
    expect(reading(disk)?.parts).toEqual([undefined]);
  });
});

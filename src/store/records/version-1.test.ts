import { describe, expect, test } from 'vitest';
import { claim, eventsFolder, readAll } from '../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../test/memory/memory-disk.ts';
import { checksum, hashBytes } from '../../base/hash.ts';
import { readVersion1 } from './version-1.ts';

const segment = (epoch: number) => `${eventsFolder}/runner/00000${epoch}.jsonl`;
const hash = hashBytes('words');
const output = { path: 'a.md', hash, size: 5 };
const stamped = { ...output, ino: 7, mtime: 1.5 };

describe('an event of version 1', () => {
  test.each<[object, object]>([
    [
      { type: 'phase_started', unit: 'a', phase: 'p', attempt: 2, iteration: 3 },
      { type: 'attempt_started', unit: 'a', phase: 'p', attempt: 2, round: 3 },
    ],
    [
      { type: 'phase_succeeded', outputs: { text: stamped } },
      { type: 'attempt_succeeded', outputs: { text: output } },
    ],
    [
      { type: 'results_superseded', cells: ['a/p'], round: 2 },
      { type: 'results_superseded', steps: ['a/p'], round: 2 },
    ],
    [
      { type: 'results_kept', cells: ['a/p'], only: 4 },
      { type: 'results_kept', steps: ['a/p'], onlyAttempt: 4 },
    ],
    [
      { type: 'artifact_adopted', after: stamped },
      { type: 'artifact_adopted', after: output },
    ],
    [
      {
        type: 'page_imported',
        partial: { phase: 'p', outputs: { o: stamped } },
        handed: { p: { o: stamped } },
      },
      {
        type: 'page_imported',
        partial: { phase: 'p', outputs: { o: output } },
        handed: { p: { o: output } },
      },
    ],
    [
      {
        type: 'results_restored',
        steps: [
          { unit: 'a', phase: 'p', results: [null, { iteration: 2, told: true, outputs: { o: stamped } }] },
        ],
      },
      {
        type: 'results_restored',
        steps: [
          { unit: 'a', phase: 'p', results: [null, { round: 2, reported: true, outputs: { o: output } }] },
        ],
      },
    ],
    [
      { type: 'told_bound', units: [] },
      { type: 'foreign_reports_bound', units: [] },
    ],
  ])('%j is read in the words of version 2', (before, after) => {
    expect(readVersion1({ ...before })).toEqual(after);
    expect(readVersion1({ ...after })).toEqual(after);
  });

  test.each([
    { type: 'phase_succeeded', outputs: 'none' },
    { type: 'results_restored', steps: 7 },
    { type: 'results_restored', steps: [3, { results: 'x' }, { results: [1] }] },
    { type: 'constructor' },
    {},
  ])('%j is left to the check of its shape', (fields) => {
    expect(() => readVersion1(fields)).not.toThrow();
  });
});

describe('a journal that version 1 began', () => {
  const sealed = (open: string) => `${open},"sum":"${checksum(open)}"}`;
  const header = sealed(
    '{"pawl":"journal","version":1,"actor":"runner","epoch":1,"holder":{"pid":4711,"started":"1","boot":"b","host":"gone"},"opened":"2026-11-15T12:00:00.000Z"',
  );
  const started = sealed(
    '{"seq":1,"at":"2026-11-15T12:00:00.000Z","type":"phase_started","unit":"a","phase":"p","attempt":1,"revision":1,"iteration":2,"prev":""',
  );
  const closed = sealed(
    `{"closed":{"at":"2026-11-15T12:00:01.000Z","seq":1},"prev":"${started.slice(-14, -2)}"`,
  );

  test('is read, and continued in a segment of version 2', async () => {
    const disk = new MemoryDisk();
    disk.putFile(segment(1), `${header}\n${started}\n${closed}\n`);
    const taken = await claim(disk);
    expect(taken.events).toMatchObject([{ type: 'attempt_started', round: 2 }]);
    await taken.writer.append([{ type: 'run_ended', status: 'stopped' }]);
    await taken.writer.close();
    expect(Buffer.from(disk.read(segment(2)) ?? []).toString()).toMatch(/^\{"pawl":"journal","version":2,/);
    expect(readAll(disk)).toMatchObject({
      events: [
        { seq: 1, type: 'attempt_started', round: 2 },
        { seq: 2, type: 'run_ended' },
      ],
      findings: [],
    });
  });

  test('is read in the words of version 2 although its header is damaged', () => {
    const disk = new MemoryDisk();
    disk.putFile(segment(1), `${header.replace('runner', 'rumner')}\n${started}\n`);
    expect(readAll(disk).events).toMatchObject([{ type: 'attempt_started', round: 2 }]);
    expect(disk.list(eventsFolder)).toEqual(['runner']);
  });
});

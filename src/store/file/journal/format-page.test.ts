import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { eventsFolder, readAll } from '../../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import type { FindingCode } from '../../../model/failure.ts';

const page = readFileSync(new URL('../../../../docs/formats/journal.md', import.meta.url), 'utf8');

const codes: readonly FindingCode[] = [
  'torn-tail',
  'torn-tail-glued',
  'no-final-newline',
  'nul-padding',
  'broken-utf8',
  'garbage-line',
  'checksum-differs',
  'chain-broken',
  'sequence-gap',
  'duplicate-event',
  'byte-order-mark',
  'carriage-return',
  'empty-segment',
  'not-an-object',
  'unknown-event',
  'newer-format',
  'header-unreadable',
  'void-after-pin',
  'segment-shorter-than-pin',
  'journal-shorter-than-head',
  'line-too-long',
];

describe('the page on the format', () => {
  test('shows a journal that can be read', () => {
    const disk = new MemoryDisk();
    const segments = [...page.matchAll(/```jsonl\n(.*?)```/gs)].map((match) => match[1] ?? '');
    for (const [index, text] of segments.entries()) {
      disk.putFile(`${eventsFolder}/runner/00000${index + 1}.jsonl`, text);
    }
    const { events, findings, actors } = readAll(disk);
    expect(findings).toEqual([]);
    expect(events.map(({ seq, epoch, type }) => [seq, epoch, type])).toEqual([
      [1, 1, 'run_resumed'],
      [2, 1, 'attempt_interrupted'],
      [3, 2, 'run_ended'],
    ]);
    expect(actors.get('runner')).toMatchObject({ epoch: 2, closed: true, owner: { pid: 4802 } });
  });

  test.each(codes)('names %s', (code) => {
    expect(page).toContain(`\`${code}\``);
  });
});

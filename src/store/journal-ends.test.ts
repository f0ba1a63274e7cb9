import { describe, expect, test } from 'vitest';
import { eventsFolder, readAll, succeeded, write } from '../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../test/memory/memory-disk.ts';
import { compareJournalEnd, makeEndKey, readJournalEnd, writeJournalEnd } from './journal-ends.ts';

const state = '/state/pawl';
const segment = `${eventsFolder}/runner/000001.jsonl`;

describe('the head outside the run', () => {
  async function remembered(): Promise<MemoryDisk> {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a'), succeeded('b')]);
    await writeJournalEnd(disk, state, 'key', readAll(disk).actors);
    return disk;
  }

  const compare = (disk: MemoryDisk, key = 'key') =>
    compareJournalEnd(readJournalEnd(disk, state, key), readAll(disk).actors, 'events');

  test('says nothing while the journal is as long, or longer', async () => {
    const disk = await remembered();
    expect(compare(disk)).toEqual([]);
    await write(disk, [succeeded('c')]);
    expect(compare(disk)).toEqual([]);
  });

  test('finds a journal that was cut at the end of a line', async () => {
    const disk = await remembered();
    const lines = Buffer.from(disk.read(segment) ?? [])
      .toString()
      .split('\n');
    disk.putFile(segment, `${lines.slice(0, 2).join('\n')}\n`);
    expect(readAll(disk).codes).toEqual([]);
    expect(compare(disk)).toEqual([
      { code: 'journal-shorter-than-head', file: 'events/runner', detail: '1 < 2', weight: 'loud' },
    ]);
  });

  test('finds an actor that is gone', async () => {
    const disk = await remembered();
    disk.remove(segment);
    expect(compare(disk)).toMatchObject([{ detail: '0 < 2' }]);
  });

  test('is replaced, so that an accepted loss is told once', async () => {
    const disk = await remembered();
    disk.remove(segment);
    await writeJournalEnd(disk, state, 'key', readAll(disk).actors);
    expect(compare(disk)).toEqual([]);
  });

  test('says nothing of a run that it does not know, or when it cannot be read', async () => {
    const disk = await remembered();
    disk.remove(segment);
    expect(compare(disk, 'other')).toEqual([]);
    for (const text of [
      '',
      'null',
      '{"pawl":"head","version":1,"seqs":{"runner":-1}}',
      '{',
      '\0'.repeat(99),
    ]) {
      disk.putFile(`${state}/heads/key.json`, text);
      expect(compare(disk)).toEqual([]);
    }
  });

  test('belongs to one run in one place', () => {
    const keys = new Set([
      makeEndKey('a', '/x/a'),
      makeEndKey('a', '/y/a'),
      makeEndKey('b', '/x/a'),
      makeEndKey('a', '/x/a'),
    ]);
    expect(keys.size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });
});

import { describe, expect, test } from 'vitest';
import {
  claim,
  eventsFolder,
  readAll,
  succeeded,
  testHost,
  units,
  write,
} from '../../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import type { StoredEvent } from '../../../model/event.ts';

const segment = (epoch: number) => `${eventsFolder}/runner/00000${epoch}.jsonl`;

/** Two segments: the first pinned by the second, which is open. */
async function smallJournal(): Promise<{ disk: MemoryDisk; events: StoredEvent[] }> {
  const disk = new MemoryDisk();
  await write(disk, [succeeded('a'), succeeded('b', 'schön')]);
  const { writer } = await claim(disk, { host: testHost(2) });
  await writer.append([succeeded('c')]);
  await writer.append([succeeded('d', 'für'), { type: 'run_ended', status: 'stopped' }]);
  return { disk, events: readAll(disk).events };
}

describe('a journal', () => {
  test('that is cut at any length of its last segment gives a prefix, and can be gone on with', async () => {
    const { disk, events } = await smallJournal();
    const bytes = disk.read(segment(2)) ?? new Uint8Array();
    let counts = 0;
    for (let length = 0; length <= bytes.length; length++) {
      const cut = disk.kill();
      cut.putFile(segment(2), bytes.subarray(0, length));
      const before = readAll(cut);
      expect(before.events, `cut at ${length}`).toEqual(events.slice(0, before.events.length));
      expect(before.events.length).toBeGreaterThanOrEqual(2);
      counts += before.events.length;

      const [stored] = await write(cut, [succeeded('next')], { host: testHost(3) });
      expect(stored?.seq).toBe(before.events.length + 1);
      const after = readAll(cut);
      expect(after.events, `cut at ${length}`).toEqual([...before.events, stored]);
      expect(Buffer.from(cut.read(segment(2)) ?? []).equals(bytes.subarray(0, length))).toBe(true);
      // A cut inside a line is what a crash leaves; only the header is known to have been whole once.
      if (length > (bytes.indexOf(0x0a) ?? 0)) expect(loud(before.codes)).toEqual([]);
    }
    expect(counts).toBeGreaterThan(2 * bytes.length);
  });

  test('that is cut at any length of an earlier segment is told to be short', async () => {
    const { disk, events } = await smallJournal();
    const bytes = disk.read(segment(1)) ?? new Uint8Array();
    // Without the last newline nothing is missing.
    for (let length = 0; length < bytes.length - 1; length++) {
      const cut = disk.kill();
      cut.putFile(segment(1), bytes.subarray(0, length));
      const read = readAll(cut);
      expect(read.codes, `cut at ${length}`).toContain('segment-shorter-than-pin loud runner/000001.jsonl');
      expect(units(read.events).slice(-3)).toEqual(units(events).slice(-3));
      const [stored] = await write(cut, [succeeded('next')], { host: testHost(3) });
      expect(stored?.seq, 'no number is given twice').toBe(6);
    }
  });

  test('with any byte changed never gives an altered event, and never loses one in silence', async () => {
    const { disk, events } = await smallJournal();
    const known = new Set(events.map((event) => JSON.stringify(event)));
    const changes = [flip(0x01), to(0x0a), to(0x00), to(0xff)];
    for (const epoch of [1, 2]) {
      const bytes = disk.read(segment(epoch)) ?? new Uint8Array();
      for (const [index, byte] of bytes.entries()) {
        for (const change of changes) {
          if (change(byte) === byte) continue;
          disk.putFile(segment(epoch), bytes.with(index, change(byte)));
          const read = readAll(disk);
          const isHonest = read.events.every((event) => known.has(JSON.stringify(event)));
          const isReported = read.events.length === events.length || loud(read.codes).length > 0;
          const where = `epoch ${epoch} byte ${index} ${byte} to ${change(byte)}: ${read.codes.join(', ')}`;
          expect([isHonest, isReported, read.codes.length > 0], where).toEqual([true, true, true]);
        }
      }
      disk.putFile(segment(epoch), bytes);
    }
  });
});

const flip = (mask: number) => (byte: number) => byte ^ mask;
const to = (byte: number) => () => byte;

function loud(codes: readonly string[]): string[] {
  return codes.filter((code) => code.includes(' loud '));
}

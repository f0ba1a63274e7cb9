import { describe, expect, it } from 'vitest';
import { eventsFolder, succeeded, testHost, write } from '../../../test/fixtures/journal.ts';
import { MemoryDisk } from '../../../test/memory/memory-disk.ts';
import { classifyLog } from './log-kind.ts';

const path = '/run/events/runner/000001.jsonl';

function kindOf(content: string | Uint8Array): string {
  const disk = new MemoryDisk();
  disk.putFile(path, content);
  return classifyLog(disk, path);
}

describe('the kind of a log', () => {
  it('is foreign for lines that are not ours, whatever is wrong with them', () => {
    expect(kindOf('{"type":"task_started"}\n')).toBe('foreign');
    expect(kindOf('\ufeff{"type":"task_started"}\r\n')).toBe('foreign');
    expect(kindOf('{"type":"task_st')).toBe('foreign');
    expect(kindOf('# a note\n{"type":"task_started"}\n')).toBe('foreign');
    expect(kindOf('{"pawl":"other"}\n')).toBe('foreign');
  });

  it('is unclear where nothing is left to tell it', () => {
    expect(kindOf('')).toBe('unclear');
    expect(kindOf('{"p')).toBe('unclear');
    expect(kindOf('\0\0\0\0')).toBe('unclear');
    expect(kindOf(Uint8Array.from([0xff, 0x12, 0x0a, 0x99]))).toBe('unclear');
  });

  it('is unclear where the disk does not give it', () => {
    const disk = new MemoryDisk();
    disk.putFile(path, '{"type":"task_started"}\n');
    disk.failWhen(({ operation }) => (operation === 'read' ? { kind: 'error', code: 'EIO' } : undefined));
    expect(classifyLog(disk, path)).toBe('unclear');
    expect(classifyLog(disk, '/nowhere')).toBe('unclear');
  });

  it('is never foreign for a segment that was cut, or has a byte changed', async () => {
    const disk = new MemoryDisk();
    await write(disk, [succeeded('a')]);
    await write(disk, [succeeded('b')], { host: testHost(2) });
    for (const epoch of [1, 2]) {
      const bytes = disk.read(`${eventsFolder}/runner/00000${epoch}.jsonl`) ?? new Uint8Array();
      expect(kindOf(bytes)).toBe('segment');
      expect(kindOf(Buffer.concat([Buffer.from('\ufeff'), bytes]))).toBe('segment');
      for (let at = 0; at < bytes.length; at++) {
        expect(kindOf(bytes.subarray(0, at)), `cut at ${at}`).not.toBe('foreign');
        for (const changed of [0x0a, 0x00, 0xff, (bytes[at] ?? 0) ^ 1])
          expect(kindOf(bytes.with(at, changed)), `byte ${at} to ${changed}`).toBe('segment');
      }
    }
  });
});

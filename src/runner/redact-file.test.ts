import { expect, it } from 'vitest';
import { MemoryDisk } from '../../test/memory/memory-disk.ts';
import { createRedactor, redactFile } from './redaction.ts';

const secret = 'correct-horse-battery-staple';
const redactor = createRedactor({ TOKEN: secret }, { secrets: ['TOKEN'], addresses: [] });

function redacted(bytes: Uint8Array): Uint8Array {
  const disk = new MemoryDisk();
  disk.putFile('/log', bytes);
  redactFile(disk, '/log', redactor);
  return disk.read('/log') ?? new Uint8Array();
}

it('takes a secret out of a log of any size, wherever it stands', () => {
  // The last ends in the middle of a piece that is read at once, the one before across the border of two.
  const gaps = [0, 10, 1024 * 1024 - secret.length - 20, 20 * 1024 * 1024];
  const text = gaps.map((gap) => `${'é'.repeat(gap / 2)}${secret}`).join('');
  const expected = gaps.map((gap) => `${'é'.repeat(gap / 2)}[TOKEN]`).join('');
  expect(Buffer.compare(redacted(Buffer.from(text)), Buffer.from(expected))).toBe(0);
});

it('leaves a log alone that has none, text or not', () => {
  const bytes = Buffer.concat([Buffer.alloc(1024 * 1024 + 7, 0xff), Buffer.from('no secret')]);
  expect(Buffer.compare(redacted(bytes), bytes)).toBe(0);
});

it('makes no file where there is none', () => {
  const disk = new MemoryDisk();
  redactFile(disk, '/log', redactor);
  expect(disk.calls).toBe(0);
});

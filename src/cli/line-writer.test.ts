import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { LineWriter } from './line-writer.ts';

/** Takes what it is given only when the test lets it. */
function slowStream(): { stream: Writable; texts: string[]; take(): void } {
  const texts: string[] = [];
  const open: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 20,
    write: (chunk, _, done) => {
      texts.push(String(chunk));
      open.push(done);
    },
  });
  return { stream, texts, take: () => open.shift()?.() };
}

test('a reader that is behind is waited for, and one that keeps up is not', async () => {
  const { stream, texts, take } = slowStream();
  const lines = new LineWriter(stream);
  expect(lines.write({ a: 1 })).toBeUndefined();
  const behind = lines.write({ word: 'long enough' });
  expect(behind).toBeInstanceOf(Promise);
  expect(lines.write({ b: 2 })).toBe(behind);
  take();
  take();
  take();
  await behind;
  expect(texts).toEqual(['{"a":1}\n', '{"word":"long enough"}\n', '{"b":2}\n']);
  take();
});

test('a run that is to end waits for no reader', async () => {
  const lines = new LineWriter(slowStream().stream);
  const behind = lines.write({ word: 'longer than that' });
  expect(behind).toBeInstanceOf(Promise);
  lines.release();
  await behind;
  expect(lines.write({ word: 'longer than that' })).toBeUndefined();
});

test('a reader that has gone is neither waited for nor written to', async () => {
  const { stream, texts } = slowStream();
  const lines = new LineWriter(stream);
  const behind = lines.write({ word: 'longer than that' });
  stream.on('error', () => undefined);
  stream.destroy(new Error('EPIPE'));
  await behind;
  expect(lines.write({ word: 'longer than that' })).toBeUndefined();
  expect(texts).toHaveLength(1);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checksum } from '../../base/hash.ts';
import { lineBytesMax } from '../../disk/line-reader.ts';
import {
  formatClosed,
  formatEvent,
  formatHeader,
  formatPin,
  journalVersion,
  parseLine,
  readSumAtEnd,
} from './line.ts';

const at = '2026-11-15T12:00:00.000Z';
const bytesOf = (text: string) => Buffer.from(text.replace(/\n$/, ''));
const sums = fc.oneof(fc.constant(''), fc.stringMatching(/^[\w-]{12}$/));

describe('a line', () => {
  test('of an event is compact JSON that ends in two checksums', () => {
    const { text, sum } = formatEvent(7, at, '{"type":"run_ended","status":"stopped"}', 'abcdefghijkl');
    const open = `{"seq":7,"at":"${at}","type":"run_ended","status":"stopped","prev":"abcdefghijkl"`;
    expect(text).toBe(`${open},"sum":"${checksum(open)}"}\n`);
    expect(sum).toBe(checksum(open));
    expect(parseLine(bytesOf(text))).toEqual({
      kind: 'event',
      seq: 7,
      at,
      fields: { seq: 7, at, type: 'run_ended', status: 'stopped' },
      prev: 'abcdefghijkl',
      sum,
    });
  });

  test('of a header, a pin and a closing says what was put in', () => {
    const owner = { pid: 3, started: '55', boot: 'b', host: 'h' };
    const header = { version: journalVersion, actor: 'runner', epoch: 3, owner, opened: at };
    expect(parseLine(bytesOf(formatHeader(header).text))).toMatchObject({ kind: 'header', header });
    const pin = { epoch: 2, length: 12345, seq: 9 };
    expect(parseLine(bytesOf(formatPin(pin, 'abcdefghijkl').text))).toMatchObject({
      kind: 'pin',
      pin,
      seq: 9,
      prev: 'abcdefghijkl',
    });
    expect(parseLine(bytesOf(formatClosed(at, 9, '').text))).toMatchObject({
      kind: 'closed',
      seq: 9,
      prev: '',
    });
  });

  test('gives back any event, whatever characters it holds', () => {
    const value = fc.dictionary(
      fc.string({ unit: 'binary' }).filter((key) => !['seq', 'at', '__proto__'].includes(key)),
      fc.jsonValue(),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(value, sums, fc.integer({ min: 1 }), (fields, prev, seq) => {
        const text = JSON.stringify(fields);
        const line = formatEvent(seq, at, text, prev);
        const parsed = parseLine(bytesOf(line.text));
        expect(parsed).toEqual({
          kind: 'event',
          seq,
          at,
          fields: { seq, at, ...JSON.parse(text) },
          prev,
          sum: line.sum,
        });
        expect(line.text.indexOf('\n')).toBe(line.text.length - 1);
        expect(readSumAtEnd(Buffer.from(line.text))).toBe(line.sum);
      }),
    );
  });

  test('is damaged when one byte is another', () => {
    const { text } = formatEvent(1, at, '{"type":"run_ended","status":"stopped"}', '');
    const line = bytesOf(text);
    for (let index = 0; index < line.length; index++) {
      for (let bit = 0; bit < 8; bit++) {
        const other = Buffer.from(line);
        other[index] = (other[index] ?? 0) ^ (1 << bit);
        expect(parseLine(other).kind).toBe('damaged');
      }
    }
  });

  test('is damaged when it is cut anywhere', () => {
    const line = bytesOf(formatEvent(1, at, '{"type":"x","note":"äöü\u2028"}', '').text);
    for (let length = 0; length < line.length; length++) {
      expect(parseLine(line.subarray(0, length))).toEqual({ kind: 'damaged', damage: 'unsealed' });
    }
  });

  test.each([
    ['no object', '[1'],
    ['no sequence number', '{"at":"2026-11-15T12:00:00.000Z","type":"x","prev":""'],
    ['a number that is none', '{"seq":1.5,"at":"2026-11-15T12:00:00.000Z","type":"x","prev":""'],
    ['a time that does not sort', '{"seq":1,"at":"2026-11-15T13:00:00+01:00","type":"x","prev":""'],
    ['a pin without a length', '{"pin":{"epoch":1,"seq":0},"prev":""'],
    ['a header of something else', '{"pawl":"snapshot","version":1'],
    ['a header without a holder', '{"pawl":"journal","version":1,"actor":"a","epoch":1,"opened":""'],
    ['a syntax error', '{"seq":1,,"prev":""'],
  ])('with a right checksum and %s is malformed', (_, open) => {
    const line = Buffer.from(`${open},"sum":"${checksum(open)}"}`);
    expect(parseLine(line)).toEqual({ kind: 'damaged', damage: 'malformed' });
  });

  test('can be long', () => {
    const { text } = formatEvent(1, at, `{"type":"${'x'.repeat(lineBytesMax)}"}`, '');
    expect(parseLine(bytesOf(text)).kind).toBe('event');
  });
});

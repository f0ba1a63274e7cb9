import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTime } from '../../base/clock.ts';
import type { JsonValue } from '../../base/json.ts';
import { readTime } from './read-time.ts';

const shown = (value: JsonValue | undefined) => {
  const ms = readTime(value);
  return ms === undefined ? undefined : formatTime(ms);
};

describe('a time', () => {
  it.each<[JsonValue, string]>([
    // RFC 3339
    ['2026-02-20T10:00:00Z', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20T10:00:00.000Z', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20T10:00:00.1Z', '2026-02-20T10:00:00.100Z'],
    ['2026-02-20T10:00:00.123456789Z', '2026-02-20T10:00:00.123Z'],
    ['2026-02-20t10:00:00z', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20 10:00:00Z', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20T10:00:00+01:00', '2026-02-20T09:00:00.000Z'],
    ['2026-02-20T10:00:00-05:30', '2026-02-20T15:30:00.000Z'],
    ['2026-02-20T10:00:00-00:00', '2026-02-20T10:00:00.000Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['1990-12-31T23:59:60Z', '1991-01-01T00:00:00.000Z'],
    ['1990-12-31T15:59:60-08:00', '1991-01-01T00:00:00.000Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
    ['1937-01-01T12:00:27.87+00:20', '1937-01-01T11:40:27.870Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    // As it is written in YAML
    ['2026-02-20 10:00:00', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20  10:00:00 Z', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20T10:00', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20T10:00Z', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20 10:00 UTC', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20 10:00:00 utc', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20 10:00:00 GMT', '2026-02-20T10:00:00.000Z'],
    ['2026-02-20', '2026-02-20T00:00:00.000Z'],
    ['2026-2-5', '2026-02-05T00:00:00.000Z'],
    ['2001-12-14 21:59:43.10 -5', '2001-12-15T02:59:43.100Z'],
    ['2026-02-20T10:00:00+01', '2026-02-20T09:00:00.000Z'],
    ['2026-02-20T10:00:00+0100', '2026-02-20T09:00:00.000Z'],
    ['2026-02-20T10:00:00 +01:00', '2026-02-20T09:00:00.000Z'],
    ['2026-02-20T10:00:00,25Z', '2026-02-20T10:00:00.250Z'],
    ['20260220T100000Z', '2026-02-20T10:00:00.000Z'],
    ['20260220t100000.5z', '2026-02-20T10:00:00.500Z'],
    ['20260220T1000Z', '2026-02-20T10:00:00.000Z'],
    ['20260220T100000+0100', '2026-02-20T09:00:00.000Z'],
    ['20260220', '2026-02-20T00:00:00.000Z'],
    [20260220, '2026-02-20T00:00:00.000Z'],
    [20260220100000, '2026-02-20T10:00:00.000Z'],
    ['202602201000', '2026-02-20T10:00:00.000Z'],
    ['  2026-02-20T10:00:00Z\n', '2026-02-20T10:00:00.000Z'],
    ['"2026-02-20T10:00:00Z"', '2026-02-20T10:00:00.000Z'],
    ["'2026-02-20 10:00'", '2026-02-20T10:00:00.000Z'],
    // Epochs
    [1771581600, '2026-02-20T10:00:00.000Z'],
    [1771581600123, '2026-02-20T10:00:00.123Z'],
    [1771581600.5, '2026-02-20T10:00:00.500Z'],
    ['1771581600', '2026-02-20T10:00:00.000Z'],
    ['1771581600123', '2026-02-20T10:00:00.123Z'],
  ])('written %j is %s', (value, time) => {
    expect(shown(value)).toBe(time);
  });

  it.each<[JsonValue | undefined]>([
    [undefined],
    [null],
    [true],
    [{}],
    [['2026-02-20T10:00:00Z']],
    [''],
    ['""'],
    ['now'],
    ['yesterday'],
    ['null'],
    ['TBD'],
    ['ISO-8601'],
    ['Feb 20 2026'],
    ['10:00'],
    ['2026'],
    ['2026-02'],
    ['2026-13-01T00:00:00Z'],
    ['2026-00-01'],
    ['2026-02-00'],
    ['2026-02-29'],
    ['2026-02-30T10:00:00Z'],
    ['1900-02-29'],
    ['2026-04-31'],
    ['2026-02-20T24:00:00Z'],
    ['2026-02-20T10:60:00Z'],
    ['2026-02-20T10:00:61Z'],
    // Leap seconds end a day in UTC.
    ['2026-02-20T10:00:60Z'],
    ['1990-12-31T23:59:60+01:00'],
    ['2026-02-20T10:00:00+24:00'],
    ['2026-02-20T10:00:00+01:60'],
    ['2026-02-20T10:00:00+1:2:3'],
    ['2026-02-20T10:00:00.Z'],
    ['2026-02-20T10:00:00 CET'],
    ['2026-02-20T10:00:00Z (about)'],
    ['202602-20T10:00:00Z'],
    ['20261301'],
    [20261301],
    [3],
    [0],
    [-1771581600],
    [99_999_999],
    [1e20],
    [Number.NaN],
  ])('is not %j', (value) => {
    expect(readTime(value)).toBeUndefined();
  });

  it('has a fraction as long as anybody likes, within reason', () => {
    expect(shown(`2026-02-20T10:00:00.${'9'.repeat(500)}Z`)).toBe('2026-02-20T10:00:00.999Z');
    expect(shown(`2026-02-20T10:00:00.${'9'.repeat(2000)}Z`)).toBeUndefined();
  });

  it('is read back from what we write, to the millisecond', () => {
    const anyMs = fc.integer({ min: Date.parse('0001-01-01'), max: Date.parse('9999-12-31') });
    fc.assert(
      fc.property(anyMs, (ms) => {
        expect(readTime(formatTime(ms))).toBe(ms);
      }),
    );
  });

  it('is the same in every zone', () => {
    const anyMs = fc.integer({ min: 0, max: Date.parse('2100-01-01') });
    fc.assert(
      fc.property(anyMs, fc.integer({ min: -1439, max: 1439 }), (ms, offset) => {
        const local = formatTime(ms + offset * 60_000).slice(0, -1);
        const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
          String(part).padStart(2, '0'),
        );
        const sign = offset < 0 ? '-' : '+';
        expect(readTime(`${local}${sign}${hours}:${minutes}`)).toBe(ms);
        expect(readTime(`${local.replace('T', ' ')} ${sign}${hours}${minutes}`)).toBe(ms);
      }),
    );
  });

  it('is a whole number of milliseconds, or none, whatever the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const ms = readTime(value as JsonValue);
        expect(ms === undefined || Number.isInteger(ms)).toBe(true);
      }),
    );
  });

  // A pattern that goes back over what it has seen would take hours for these.
  it.each(['9', ' ', '2026-02-20 ', '2026-02-20T10:00:00.', '+', '"'])('is not %j over and over', (piece) => {
    expect(readTime(piece.repeat(1_000_000))).toBeUndefined();
    expect(readTime(`2026-02-20T10:00:00${piece.repeat(40)}`)).toSatisfy(
      (ms) => ms === undefined || Number.isInteger(ms),
    );
  });
});

import { parseTime } from '../../base/clock.ts';
import type { JsonValue } from '../../base/json.ts';

/**
 * A time as it stands in a document, in milliseconds since 1970. RFC 3339, and what people and other tools write in
 * YAML instead: a space for the T, no seconds, no zone (UTC is meant), a date alone, `20260220T100000Z`, an epoch in
 * seconds or milliseconds. Undefined for what is no time, or an impossible one: month 13, 30 February, 24:00.
 */
export function readTime(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return readDigits(String(value));
  if (typeof value !== 'string' || value.length > lengthMax) return undefined;
  const text = withoutQuotes(value.trim());
  return readDigits(text) ?? readWritten(written.exec(text)) ?? readWritten(compact.exec(text));
}

const lengthMax = 1000;

function withoutQuotes(text: string): string {
  const [first = ''] = text;
  const isQuoted = text.length > 2 && (first === '"' || first === "'") && text.endsWith(first);
  return isQuoted ? text.slice(1, -1).trim() : text;
}

const zone = '(?:\\s*(z|utc|gmt)|\\s*([+-])(\\d{1,2})(?::?(\\d{2}))?)?';
const written = new RegExp(
  `^(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:(?:t|\\s+)(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d+))?)?${zone})?$`,
  'i',
);
const compact = new RegExp(
  `^(\\d{4})(\\d{2})(\\d{2})(?:t?(\\d{2})(\\d{2})(?:(\\d{2})(?:[.,](\\d+))?)?${zone})?$`,
  'i',
);

function readWritten(match: RegExpExecArray | null): number | undefined {
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  if (!isDay || hour > 23 || minute > 59 || second > 60) return undefined;
  const [, , , , , , , fraction = '', , sign = '', offsetHours = 0, offsetMinutes = 0] = match;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === '-' ? -1 : 1);
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  const start = parseTime(`${date}T${pad(hour, 2)}:${pad(minute, 2)}:00.000Z`);
  if (start === undefined) return undefined;
  const minuteInUtc = start - offset * 60_000;
  // A leap second is the last one of a day in UTC, also if another zone is written.
  if (second === 60 && (minuteInUtc + 60_000) % dayMs !== 0) return undefined;
  return minuteInUtc + second * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}

/**
 * Digits alone. Eight, twelve or fourteen of them are a date where they can be one: as an epoch they would lie before
 * 2002 or after 2286. What is too small for an epoch that anybody has written is a count of something else.
 */
function readDigits(text: string): number | undefined {
  const digits = /^(\d{8,14})(?:\.\d+)?$/.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const date = text === digits && [8, 12, 14].includes(digits.length) ? compact.exec(text) : null;
  const time = readWritten(date);
  if (time !== undefined) return time;
  const epoch = Number(text);
  if (epoch < epochSecondsMin) return undefined;
  return Math.floor(epoch < epochMsMin ? epoch * 1000 : epoch);
}

/** In 1973. */
const epochSecondsMin = 100_000_000;
/** In 1973 as milliseconds, in 5138 as seconds. */
const epochMsMin = 100_000_000_000;
const dayMs = 24 * 60 * 60 * 1000;

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

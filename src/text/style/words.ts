import { shortHash } from '../../base/hash.ts';
import { stepName } from '../../model/names.ts';
import { clip, plain } from './plain.ts';
import type { Style } from './style.ts';

/** What a unit is called, from the key that files have for it: `scene` for `scene_id`. */
export function unitNoun(unitKey: string): string {
  return plain(unitKey.replace(/_id$/, '') || unitKey);
}

/** `1 unit`, `6 units`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** `a, b and c`; of a long list the beginning. */
export function list(items: readonly string[], itemsMax = 12): string {
  const shown =
    items.length > itemsMax ? [...items.slice(0, itemsMax), `${items.length - itemsMax} more`] : items;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** Like `list`, for a choice: `a, b or c`. */
export function choice(items: readonly string[], itemsMax = 12): string {
  const shown = items.length > itemsMax ? [...items.slice(0, itemsMax), 'another'] : items;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} or ${last}`;
}

/** `; did you mean write?`, or nothing when there is no guess. */
export function didYouMean(near: readonly string[]): string {
  return near.length === 0 ? '' : `; did you mean ${choice(near.map(plain))}?`;
}

/** A step as people type it. */
export function stepLabel(unit: string, phase: string): string {
  return plain(stepName(unit, phase));
}

/** `40 ms`, `1.2 s`, `12 s`, `3 min 4 s`, `2 h 5 min`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 100) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return parts(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 48 * 60) return parts(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return parts(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

/** `20 days`; shorter times as usual. */
export function longTime(ms: number): string {
  const days = Math.floor(ms / dayMs);
  return days < 2 ? duration(ms) : count(days, 'day');
}

const dayMs = 24 * 60 * 60_000;

/** `nothing has happened for 20 days (pace.stale_after: 14 days)` */
export function idleWords({
  idleMs,
  limitMs,
}: {
  readonly idleMs: number;
  readonly limitMs: number;
}): string {
  return `nothing has happened for ${longTime(idleMs)} (pace.stale_after: ${longTime(limitMs)})`;
}

/** The same without fractions, for a clock that runs: `0 s`, `12 s`, `3 min 4 s`. */
export function runningTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1000);
}

/** A duration as an estimate, without seconds from one minute on. */
export function roughTime(ms: number): string {
  if (ms < 60_000) return `${Math.max(1, Math.ceil(ms / 1000))} s`;
  return duration(Math.ceil(ms / 60_000) * 60_000);
}

/** `12 frames/min`, `4.2 frames/h`: in the shortest time in which there is one. */
export function rate(number: number, ms: number, noun: string): string {
  const [name, spanMs] = spans.find(([, each]) => (number / ms) * each >= 1) ?? ['day', 86_400_000];
  const value = (number / ms) * spanMs;
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${noun}/${name}`;
}

const spans = [
  ['min', 60_000],
  ['h', 3_600_000],
] as const;

/** A score as people compare it. */
export function score(value: number): string {
  return value.toFixed(2);
}

/** `2026-11-15 12:03:11 UTC` of a time as it is recorded. */
export function time(recorded: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(recorded);
  return match === null ? plain(recorded) : `${match[1]} ${match[2]} UTC`;
}

/** The same by the clock of the reader, where that is known: `2026-11-15 13:03:11`. */
export function readerTime(recorded: string, { localTime }: Style): string {
  return localTime?.(recorded) ?? time(recorded);
}

/** `500 bytes`, `12 KB`, `1.5 MB`, `2 GB`. */
export function bytes(size: number): string {
  if (size < 1024) return count(size, 'byte');
  let value = size;
  let unit = 'bytes';
  for (const larger of ['KB', 'MB', 'GB', 'TB']) {
    if (value < 1024) break;
    value /= 1024;
    unit = larger;
  }
  return `${Number(value.toFixed(1))} ${unit}`;
}

/** `sha256:1a2b3c4d → sha256:5e6f7a8b`; a side that is not there is said to be new or gone. */
export function hashChange(before: string | undefined, after: string | undefined, style: Style): string {
  if (before === undefined && after === undefined) return 'gone';
  if (before === undefined) return `new, ${short(after ?? '')}`;
  return `${short(before)} ${style.symbols.becomes} ${after === undefined ? 'gone' : short(after)}`;
}

/** Enough of a hash to tell it from another one. */
export function short(hash: string): string {
  return plain(shortHash(hash));
}

/** A line no wider than the terminal. One column stays free: some terminals break the line at the last one. */
export function within(text: string, { width, symbols }: Style, taken = 0): string {
  return clip(text, Math.max(0, width - 1 - taken), symbols.more);
}

/** `book=ember, move=idle`. */
export function identity(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => plain(`${name}=${value}`))
    .join(', ');
}

function parts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}

/** What is wrong with a file that is no longer as a run left it. */
export function changeWords({
  change,
  writtenBy,
}: {
  readonly change: string;
  readonly writtenBy?: string;
}): string {
  if (writtenBy !== undefined) return `was written by run ${plain(writtenBy)}`;
  switch (change) {
    case 'changed':
      return 'has changed';
    case 'edited':
      return 'was edited by hand';
    case 'missing':
      return 'is missing';
    case 'damaged':
      return 'is damaged';
    default:
      return plain(change);
  }
}

/** `: REASON`, as it follows what was decided; nothing without a reason. */
export function because(reason: string | undefined): string {
  return reason === undefined || reason === '' ? '' : `: ${clip(plain(reason), 120, '...')}`;
}

import { squash } from '../../projections/status-page/status-words.ts';
import { plainText, splitUnescaped } from '../../projections/status-page/text.ts';
import {
  filledOf,
  type ReadHash,
  readCount,
  readHash,
  readPageTime,
} from '../../projections/status-page/values.ts';
import { excerpt, type Report } from './findings.ts';
import type { Entry, Field } from './outline-state.ts';
import type { SectionKind } from './words.ts';

/* Shared by the readers of the parts: a value that cannot be read is reported once and left out. */

export interface Reading {
  readonly report: Report;
  /** Whether the pipeline has such a stage. */
  readonly isKnown: (raw: string) => boolean;
  /** A stage in the pipeline's own spelling; an unknown one is reported. Undefined if the text is no name. */
  readonly stage: (raw: string, line: number, section: SectionKind) => string | undefined;
}

export interface Said {
  readonly raw: string;
  readonly line: number;
}

/** `knownStages`: the phases of the pipeline; undefined: any stage is accepted. */
export function newReading(report: Report, knownStages: readonly string[] | undefined): Reading {
  const exact = new Set(knownStages);
  const bySpelling = new Map<string, string | undefined>();
  for (const stage of exact) {
    const spelling = squash(stage);
    // Two phases that differ only in spelling need their exact spelling.
    bySpelling.set(spelling, bySpelling.has(spelling) ? undefined : stage);
  }
  const find = (text: string) => (exact.has(text) ? text : bySpelling.get(squash(text)));
  return {
    report,
    isKnown: (raw) => stageText.test(plainText(raw)) && find(plainText(raw)) !== undefined,
    stage: (raw, line, section) => {
      const text = plainText(raw);
      if (!stageText.test(text)) return undefined;
      const known = find(text);
      if (known === undefined && knownStages !== undefined)
        report(line, { code: 'stage-unknown', stage: excerpt(text), section });
      return known ?? text;
    },
  };
}

/** The stage that a unit has reached. Text that is no stage name (`programmer, second try`) is reported. */
export function readStageOf(reading: Reading, said: Said, section: SectionKind): string | undefined {
  const read = (raw: string) => {
    const stage = reading.stage(raw, said.line, section);
    if (stage === undefined)
      reading.report(said.line, { code: 'stage-unknown', stage: excerpt(plainText(raw)), section });
    return stage;
  };
  return readFilledValue(reading, said, section === 'facts' ? 'current_stage' : 'stage', read, undefined);
}

/** What is there, is no blank of a form, and can be read. */
export function readFilledValue<T>(
  { report }: Reading,
  { raw, line }: Said,
  key: string,
  read: (raw: string) => T | undefined,
  unreadable: 'time-unreadable' | 'count-unreadable' | undefined,
): T | undefined {
  const filled = filledOf(raw);
  if (filled === 'placeholder') report(line, { code: 'placeholder-left', key, value: excerpt(raw) });
  if (filled !== 'filled') return undefined;
  const value = read(raw);
  if (value === undefined && unreadable !== undefined)
    report(line, { code: unreadable, key, value: excerpt(plainText(raw)) });
  return value;
}

export function readTimeOf(reading: Reading, said: Said | undefined, key: string): string | undefined {
  return said && readFilledValue(reading, said, key, readPageTime, 'time-unreadable');
}

export function readCountOf(reading: Reading, said: Said | undefined, key: string): number | undefined {
  return said && readFilledValue(reading, said, key, readCount, 'count-unreadable');
}

/** `of`: whose hash it is. */
export function readHashOf(reading: Reading, said: Said, of: string): ReadHash | undefined {
  const { report } = reading;
  return readFilledValue(
    reading,
    said,
    'hash',
    (raw) => {
      const hash = readHash(raw);
      const value = excerpt(plainText(raw));
      if (hash === undefined) report(said.line, { code: 'hash-unreadable', of, value });
      if (hash?.kind === 'abbreviated') report(said.line, { code: 'hash-abbreviated', of, value });
      return hash;
    },
    undefined,
  );
}

/** Paths or hashes in one place: a list below it, or separated by commas or line breaks. */
export function listIn(field: Field | undefined, section: SectionKind, { report }: Reading): string[] {
  if (field === undefined) return [];
  const list = partsOf(field);
  if (list.length <= listedMax) return list;
  report(field.line, { code: 'too-many-entries', section, limit: listedMax });
  return list.slice(0, listedMax);
}

function partsOf(said: Field): string[] {
  const whole = said.raw.startsWith('[') && said.raw.endsWith(']') ? said.raw.slice(1, -1) : said.raw;
  const inline =
    filledOf(said.raw) === 'filled' ? whole.replaceAll(link, '$1').split(/(?<!\\)<br *\/?>/i) : [];
  const parts = inline.flatMap((part) => splitUnescaped(part, ',')).concat(said.items);
  return parts.map((part) => part.trim()).filter((part) => filledOf(part) === 'filled');
}

/** `None.`, `| — | — |`. */
export function isBlank(entry: Entry): boolean {
  if (entry.mark !== undefined || filledOf(saidIn(entry)) !== 'absent') return false;
  return [...entry.fields.values()].every(
    ({ raw, items }) => filledOf(raw) === 'absent' && items.length === 0,
  );
}

export function tellUnreadable(entry: Entry, section: SectionKind, { report }: Reading): void {
  const text = saidIn(entry) || [...entry.fields.values()].map(({ raw }) => raw).join(' | ');
  report(entry.line, { code: 'entry-unreadable', section, text: excerpt(text) });
}

/** All that an entry says in words. */
export function saidIn({ parts }: Entry): string {
  return parts.join(' ').trim();
}

/** The most that may stand in one place. */
const listedMax = 100;
const stageText = /^[\p{L}\p{N}][\p{L}\p{N} ._/&-]{0,99}$/u;
/** `[the decision](specs/adr.md)`: what is meant is where it leads. */
export const link = /(?<!\\)\[[^[\]]*\]\(([^()]*)\)/g;

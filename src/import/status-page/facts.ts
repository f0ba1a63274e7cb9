import { readStatusWord, type StatusWord, squash } from '../../projections/status-page/status-words.ts';
import { plainText } from '../../projections/status-page/text.ts';
import { filledOf } from '../../projections/status-page/values.ts';
import { excerpt } from './findings.ts';
import { keyValueOf, readMark } from './lines.ts';
import type { Entry, Field } from './outline-state.ts';
import type { ReadCurrent, ReadPage } from './read-page.ts';
import {
  isBlank,
  listIn,
  type Reading,
  readCountOf,
  readFilledValue,
  readHashOf,
  readStageOf,
  readTimeOf,
  type Said,
  saidIn,
} from './reading.ts';
import { keyOf } from './words.ts';

type Facts = Pick<
  ReadPage,
  'unit' | 'runId' | 'specHash' | 'startedAt' | 'lastUpdatedAt' | 'currentStage' | 'status' | 'retryCount'
>;

/** What stands at the top of a page. */
export function readFacts(entries: readonly Entry[], reading: Reading): Facts {
  const one = <T>(key: string, read: (said: Said) => T | undefined, sameness?: (value: T) => string) =>
    onlyOne(entries, key, reading, read, sameness ?? String);
  const text = (key: string) =>
    one(key, (said) => readFilledValue(reading, said, key, (raw) => plainText(raw), undefined));
  const time = (key: string) => one(key, (said) => readTimeOf(reading, said, key));
  const status = readStatus(entries, reading);
  tellUnknownKeys(entries, reading);
  return {
    unit: text('unit'),
    runId: text('run_id'),
    specHash: one(
      'spec_hash',
      (said) => readHashOf(reading, said, 'spec_hash'),
      (hash) => (hash.kind === 'full' ? hash.hash : hash.text),
    ),
    startedAt: time('started_at'),
    lastUpdatedAt: time('last_updated_at'),
    currentStage: one('current_stage', (said) => readCurrentStage(reading, said, status, 'facts')),
    status,
    retryCount: one('retry_count', (said) => readCountOf(reading, said, 'retry_count')),
  };
}

/** A key may be there again with the same meaning. With another, or one that cannot be read, it says nothing. */
function onlyOne<T>(
  entries: readonly Entry[],
  key: string,
  reading: Reading,
  read: (said: Said) => T | undefined,
  sameness: (value: T) => string,
): T | undefined {
  let first: { readonly value: T; readonly said: Said } | undefined;
  let isClear = true;
  for (const { fields } of entries) {
    const said = fields.get(key);
    if (said === undefined || filledOf(said.raw) === 'absent') continue;
    const value = read(said);
    if (value === undefined) isClear = false;
    else if (first === undefined) first = { value, said };
    else if (sameness(first.value) !== sameness(value)) {
      isClear = false;
      tellContradiction(reading, key, first.said, said);
    }
  }
  return isClear ? first?.value : undefined;
}

function tellContradiction({ report }: Reading, key: string, before: Said, after: Said): void {
  const [first, second] = [before, after].map(({ raw }) => excerpt(plainText(raw))) as [string, string];
  const facts = { first, firstLine: before.line, second };
  if (key === 'status') report(after.line, { code: 'status-contradicts', ...facts });
  else report(after.line, { code: 'key-contradicts', key, ...facts });
}

function readStatus(entries: readonly Entry[], reading: Reading): StatusWord | undefined {
  const isSaid = ({ fields }: Entry) => filledOf(fields.get('status')?.raw ?? '') !== 'absent';
  if (!entries.some(isSaid)) {
    reading.report(1, { code: 'status-missing' });
    return undefined;
  }
  return onlyOne(
    entries,
    'status',
    reading,
    ({ raw, line }) => {
      const word = readStatusWord(plainText(raw));
      if (word === undefined)
        reading.report(line, { code: 'status-unknown', value: excerpt(plainText(raw)) });
      return word;
    },
    String,
  );
}

/** `done` is no stage: it means that no stage is left. */
function readCurrentStage(
  reading: Reading,
  said: Said,
  status: StatusWord | undefined,
  section: 'facts' | 'current',
): string | undefined {
  const text = plainText(said.raw);
  if (!doneWords.has(squash(text)) || reading.isKnown(said.raw)) return readStageOf(reading, said, section);
  if (status !== 'COMPLETE')
    reading.report(said.line, {
      code: 'current-stage-contradicts-status',
      stage: excerpt(text),
      status: status ?? '',
    });
  return undefined;
}

const doneWords = new Set(['done', 'complete', 'completed', 'finished']);

function tellUnknownKeys(entries: readonly Entry[], { report }: Reading): void {
  const unknown: { readonly key: string; readonly line: number }[] = [];
  for (const entry of entries) {
    if (entry.fields.size > 0) continue;
    const key = keyValueOf(saidIn(entry))?.key ?? '';
    const name = keyOf(key);
    // More words than that are a sentence that happens to have a colon.
    if (name !== '' && name.split('_').length <= keyWordsMax) unknown.push({ key: name, line: entry.line });
  }
  const [first] = unknown;
  if (first === undefined) return;
  const keys = unknown.slice(0, keysToldMax).map(({ key }) => key);
  report(first.line, { code: 'keys-unknown', keys, count: unknown.length });
}

const keyWordsMax = 4;
const keysToldMax = 20;

/** The part of a page about its current stage. */
export function readCurrent(
  entries: readonly Entry[],
  status: StatusWord | undefined,
  reading: Reading,
): ReadCurrent | undefined {
  const fields = new Map<string, Field>();
  for (const entry of entries) {
    if (isBlank(entry)) continue;
    const said = saidIn(entry);
    if (entry.fields.size === 0 && isName(said, reading) && !fields.has('stage'))
      fields.set('stage', { raw: said, line: entry.line, items: [] });
    for (const [name, field] of entry.fields) addOnce(fields, name, field, reading);
  }
  if (fields.size === 0) return undefined;
  const stage = fields.get('stage');
  return {
    stage: stage && readCurrentStage(reading, stage, status, 'current'),
    attempt: readCountOf(reading, fields.get('attempt'), 'attempt'),
    iteration: readCountOf(reading, fields.get('iteration'), 'iteration'),
    startedAt: readTimeOf(reading, fields.get('started_at'), 'started_at'),
    retryCount: readCountOf(reading, fields.get('retry_count'), 'retry_count'),
    files: listIn(fields.get('files'), 'current', reading).map((path) => plainText(path)),
  };
}

/** One word below the heading is the stage, and so are several if there is such a stage. Others are a remark. */
function isName(said: string, { isKnown }: Reading): boolean {
  return isKnown(said) || (/^[^\s:]{1,64}$/.test(said) && readMark(said) === undefined);
}

/** Of a key that is there twice nothing is taken. */
function addOnce(fields: Map<string, Field>, name: string, field: Field, { report }: Reading): void {
  const known = fields.get(name);
  if (known === undefined || known.raw === field.raw) {
    fields.set(name, known ?? field);
    return;
  }
  fields.set(name, { ...known, raw: '', items: [] });
  const [first, second] = [excerpt(known.raw), excerpt(field.raw)];
  report(field.line, { code: 'key-contradicts', key: name, first, firstLine: known.line, second });
}

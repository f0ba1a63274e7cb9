import type { StatusWord } from '../../projections/status-page/status-words.ts';
import { plainText } from '../../projections/status-page/text.ts';
import { readCurrentStage } from './facts.ts';
import { excerpt } from './findings.ts';
import { readMark } from './marks.ts';
import type { Entry, Field } from './outline-state.ts';
import type { ReadCurrent } from './read-page.ts';
import { isBlank, listIn, type Reading, readCountOf, readTimeOf, saidIn } from './reading.ts';

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

import {
  lastUnescaped,
  plainText,
  splitUnescaped,
  unescapeText,
  unwrap,
} from '../../projections/status-page/text.ts';
import { filledOf, leadingTime, readPageTime } from '../../projections/status-page/values.ts';
import { excerpt } from './findings.ts';
import { readMark, withoutSign } from './lines.ts';
import type { Entry, Field } from './outline-state.ts';
import type { ReadCheckpoint, ReadNote } from './read-page.ts';
import { isBlank, type Reading, readFilledValue, readTimeOf, saidIn, tellUnreadable } from './reading.ts';

/** The boxes of a page. Whatever is not plainly ticked counts as open. */
export function readCheckpoints(entries: readonly Entry[], reading: Reading): ReadCheckpoint[] {
  const byId = new Map<string, number>();
  const checkpoints: ReadCheckpoint[] = [];
  for (const entry of entries) {
    if (isBlank(entry)) continue;
    const checkpoint = entry.fields.size > 0 ? fromFields(entry, reading) : fromText(entry, reading);
    if (checkpoint.name === '' && checkpoint.id === undefined) {
      tellUnreadable(entry, 'checkpoints', reading);
      continue;
    }
    checkpoints.push(checkpoint);
    const { id, line } = checkpoint;
    const firstLine = id === undefined ? undefined : byId.get(id);
    if (id !== undefined && firstLine !== undefined)
      reading.report(line, { code: 'checkpoint-listed-twice', id, firstLine });
    else if (id !== undefined) byId.set(id, line);
  }
  return checkpoints;
}

/** Every line of the notes, with the time that it begins with. */
export function readNotes(entries: readonly Entry[]): ReadNote[] {
  return entries.flatMap((entry) => {
    const { line, fields } = entry;
    if (isBlank(entry)) return [];
    const text = fields.get('text');
    if (text === undefined) return [{ ...datedNote(noteText(entry)), line }];
    const at = readPageTime(fields.get('at')?.raw ?? '');
    return [{ at, text: plainText(text.raw, false), line }];
  });
}

/** A box before a note is part of what it says. */
function noteText(entry: Entry): string {
  const box = entry.mark === undefined ? '' : `[${entry.mark === '' ? ' ' : entry.mark}] `;
  return `${box}${saidIn(entry)}`;
}

function datedNote(raw: string): { readonly at: string | undefined; readonly text: string } {
  const start = /^(?:\*\*|\[|\(|`)?/.exec(raw)?.[0].length ?? 0;
  const at = leadingTime(raw.slice(start));
  if (at === undefined) return { at: undefined, text: unescapeText(unwrap(raw, false).raw) };
  const rest = raw.slice(start + at.length).replace(/^(?::?\*\*|\]|\)|`)?\s?(?:[:：—–-])?/, '');
  return { at, text: unescapeText(rest.trim()) };
}

interface Details {
  readonly id: string | undefined;
  readonly by: string | undefined;
  readonly at: string | undefined;
}

function fromText(entry: Entry, reading: Reading): ReadCheckpoint {
  const said = saidIn(entry);
  const { line } = entry;
  const start = said.endsWith(')') ? lastUnescaped(said, '(') : -1;
  const details = start < 0 ? undefined : detailsOf(said.slice(start + 1, -1));
  const named = details === undefined ? said : said.slice(0, start).trim();
  // With an id it is one of ours, and the name is all that stands before.
  if (entry.mark !== undefined && details?.id !== undefined) {
    const name = unescapeText(named);
    const cleared = clearedBy(entry.mark, [], name, line, reading);
    return { name, id: details.id, cleared, decidedBy: details.by, at: details.at, line };
  }
  const { name, marks } = signsOf(named);
  const plain = plainText(name, false);
  const cleared = clearedBy(entry.mark, marks, plain, line, reading);
  return { name: plain, id: details?.id, cleared, decidedBy: details?.by, at: details?.at, line };
}

function fromFields({ fields, line, mark }: Entry, reading: Reading): ReadCheckpoint {
  const text = (field: Field | undefined) =>
    field && readFilledValue(reading, field, 'checkpoint', (raw) => plainText(raw, false), undefined);
  const name = text(fields.get('name')) ?? '';
  const cleared = fields.get('cleared');
  const marks = cleared === undefined ? [] : [filledOf(cleared.raw) === 'absent' ? '' : cleared.raw];
  return {
    name,
    id: text(fields.get('id')),
    cleared: clearedBy(mark, marks, name, line, reading),
    decidedBy: text(fields.get('by')),
    at: readTimeOf(reading, fields.get('at'), 'at'),
    line,
  };
}

/** `Spec approval ✅`, `Spec approval: approved`. */
function signsOf(said: string): { readonly name: string; readonly marks: readonly string[] } {
  const signed = withoutSign(said);
  const marks = signed.mark === undefined ? [] : [signed.mark ? 'x' : ''];
  const colon = lastUnescaped(signed.text, ':');
  const word = colon < 0 ? '' : signed.text.slice(colon + 1).trim();
  if (word === '' || readMark(word) === undefined) return { name: signed.text, marks };
  return { name: signed.text.slice(0, colon).trim(), marks: [...marks, word] };
}

/** The box and everything else that says whether it is cleared have to say the same. */
function clearedBy(
  box: string | undefined,
  others: readonly string[],
  name: string,
  line: number,
  { report }: Reading,
): boolean {
  const marks = box === undefined ? others : [box, ...others];
  if (marks.length === 0) {
    report(line, { code: 'box-missing', name: excerpt(name) });
    return false;
  }
  const says = new Set(marks.map(readMark));
  const [first] = says;
  if (says.size === 1 && first !== undefined) return first;
  report(line, { code: 'box-unreadable', name: excerpt(name), value: excerpt(marks.join(' ')) });
  return false;
}

/** `C1, by Ann, at 2026-…`. Undefined when anything else stands there: then it belongs to the name. */
function detailsOf(raw: string): Details | undefined {
  let id: string | undefined;
  let by: string | undefined;
  let at: string | undefined;
  for (const part of splitUnescaped(raw, ',').map((text) => text.trim())) {
    const person = /^(?:(?:approved|cleared|decided|signed off) )?by (.+)$/is.exec(part)?.[1];
    const time = readPageTime(part.replace(/^(?:asked )?(?:at|on|since) /i, ''));
    if (person !== undefined && by === undefined) by = unescapeText(person.trim());
    else if (time !== undefined && at === undefined) at = time;
    else if (idPattern.test(part) && id === undefined) id = part;
    else return undefined;
  }
  return { id, by, at };
}

const idPattern = /^[A-Z]{1,4}-?\d{1,9}$/i;

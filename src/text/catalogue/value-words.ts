import type { JsonValue } from '../../base/json.ts';
import type { ValueChange } from '../../model/refusal.ts';
import { unitList } from '../phrases/steps.ts';
import { clip, plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count, list } from '../style/words.ts';

const changesMax = 20;
const pairsMax = 3;
const valueLengthMax = 60;
const pairLengthMax = 30;

/** Every place with its old and its new value; one field of many units is one line. */
export function changeLines(changes: readonly ValueChange[], style: Style): string[] {
  const fields = new Map<string, ValueChange[]>();
  for (const change of changes) {
    const field = fieldOf(change);
    const key = field === undefined ? change.path : `\n${field}`;
    fields.set(key, [...(fields.get(key) ?? []), change]);
  }
  const all = [...fields.values()].map((same) => {
    const [first] = same;
    const field = first && fieldOf(first);
    return first === undefined || field === undefined || same.length === 1
      ? changeLine(first as ValueChange, style)
      : fieldWords(
          field,
          same.map((change) => ({ ...change, id: change.unit?.id ?? '' })),
          style,
        );
  });
  const lines = all.slice(0, changesMax);
  const rest = all.length - lines.length;
  return rest > 0 ? [...lines, `${style.symbols.more} and ${count(rest, 'more change')}`] : lines;
}

/** `weather of 20 units: "snow" → "fog", "sun" → "rain" and 3 more` */
export function fieldWords(
  field: string,
  changes: readonly (Pick<ValueChange, 'before' | 'after'> & { readonly id: string })[],
  style: Style,
  verb = '',
): string {
  const pairs = new Set(changes.map((change) => pairWords(change, style)));
  const units = unitList([...new Set(changes.map(({ id }) => id))]);
  return `${plain(field)} of ${units}${verb}: ${list([...pairs], pairsMax)}`;
}

/** `"snow" → "fog"` */
function pairWords(
  { before, after }: Pick<ValueChange, 'before' | 'after'>,
  { symbols }: Style,
  lengthMax = pairLengthMax,
): string {
  const [was, is] = [value(before), value(after)];
  if (before === undefined) return `added ${excerpt(is, 0, lengthMax)}`;
  if (after === undefined) return `removed, was ${excerpt(was, 0, lengthMax)}`;
  const from = firstDifference(was, is);
  return `${excerpt(was, from, lengthMax)} ${symbols.becomes} ${excerpt(is, from, lengthMax)}`;
}

function changeLine(change: ValueChange, style: Style): string {
  const { path, after, line, column } = change;
  const place = line === undefined || after === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
  return `${path === '' ? 'the whole' : plain(path)}: ${pairWords(change, style, valueLengthMax)}${place}`;
}

/** The field of a unit, without the place of the unit. */
function fieldOf({ path, unit }: ValueChange): string | undefined {
  if (unit?.part !== 'field') return undefined;
  const at = path.indexOf(`.${unit.id}.`);
  return at < 0 ? undefined : path.slice(at + unit.id.length + 2);
}

function value(json: JsonValue | undefined): string {
  return plain(JSON.stringify(json ?? null));
}

/** Of two long values the part where they differ: their beginnings may well be the same. */
function excerpt(text: string, from: number, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const start = Math.max(0, from - lengthMax / 2);
  return start === 0 ? clip(text, lengthMax, '...') : clip(`...${text.slice(start)}`, lengthMax, '...');
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

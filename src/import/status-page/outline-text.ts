import { splitUnescaped, unwrap } from '../../projections/status-page/text.ts';
import { readHash } from '../../projections/status-page/values.ts';
import { excerpt } from './findings.ts';
import { itemOf, type KeyValue, keyValueOf, withoutRemark } from './lines.ts';
import {
  addFields,
  addSaid,
  type Entry,
  type Field,
  type OutlineState,
  openSection,
} from './outline-state.ts';
import { fieldOf, keyOf, sectionOf } from './words.ts';

/** A line that is neither a heading nor part of a table. `indent`: how far in it stands. */
export function takeText(state: OutlineState, indent: number, text: string, line: number): void {
  const { isItem, mark, text: said } = itemOf(state.isYaml ? withoutRemark(text) : text);
  const pair = pairOf(said, state.isYaml);
  if (isNested(state, indent)) {
    nest(state, isItem, said, pair, line);
    return;
  }
  const name = keyOf(pair?.key ?? said);
  if (!isItem && isLeft(state, indent, name)) openSection(state, 'facts', 0);
  if (state.section.kind === 'facts' && opensSection(state, indent, said, name, pair?.value, line)) return;

  const { kind, awaits } = state.section;
  const field = pair && kind !== 'notes' && mark === undefined ? fieldOf(kind, name) : undefined;
  if (pair !== undefined && field !== undefined) addFields(state, line, [[field, pair.value]], indent);
  else if (pair === undefined && awaits !== undefined) addFields(state, line, [[awaits, said]], indent);
  else addSaid(state, line, said, indent, mark);
}

/** In YAML `|` and `>` say that the value stands below. */
function pairOf(said: string, isYaml: boolean): KeyValue | undefined {
  const pair = keyValueOf(said);
  return isYaml && pair !== undefined && /^[|>][-+]?$/.test(pair.value) ? { ...pair, value: '' } : pair;
}

function isNested({ entry, section }: OutlineState, indent: number): boolean {
  return entry !== undefined && indent > entry.indent && section.kind !== 'unknown';
}

/** What stands below an entry, and further in, belongs to it. */
function nest(
  state: OutlineState,
  isItem: boolean,
  said: string,
  pair: KeyValue | undefined,
  line: number,
): void {
  const { entry, section } = state;
  // Below a key of another tool `status` is not the status of the page.
  if (entry === undefined || section.kind === 'facts') return;
  // `- sha256:…` is an item, although it looks like a key and a value.
  const isPair = pair !== undefined && section.kind !== 'notes' && readHash(said) === undefined;
  const field = isPair ? fieldOf(section.kind, keyOf(pair.key)) : undefined;
  if (pair !== undefined && field !== undefined) {
    addNested(state, entry, field, { raw: pair.value, line, items: [] });
  } else if (isItem && state.field?.raw === '') state.field.items.push(said);
  else if (!isPair) entry.parts.push(said);
}

/** Of a key that is there twice nothing is taken. */
function addNested(state: OutlineState, entry: Entry, name: string, field: Field): void {
  const known = entry.fields.get(name);
  state.field = field;
  if (known === undefined || known.raw === field.raw) {
    entry.fields.set(name, field);
    return;
  }
  entry.fields.set(name, { ...known, raw: '' });
  const [first, second] = [excerpt(known.raw), excerpt(field.raw)];
  state.report(field.line, { code: 'key-contradicts', key: name, first, firstLine: known.line, second });
}

/** What a key has opened another key at its height closes; in Markdown only one that means something. */
function isLeft({ section, isYaml }: OutlineState, indent: number, name: string): boolean {
  if (section.indent === undefined || indent > section.indent) return false;
  return isYaml || fieldOf('facts', name) !== undefined || sectionOf(name) !== undefined;
}

/** `completed_stages:`, `**Notes**`, `checkpoints: none`: a part of the page without a heading. */
function opensSection(
  state: OutlineState,
  indent: number,
  said: string,
  name: string,
  value: string | undefined,
  line: number,
): boolean {
  const kind = sectionOf(name);
  const fact = fieldOf('facts', name);
  if (kind === undefined) return false;
  // A bare word is no heading, but when it stands out as one.
  if (value === undefined && (fact !== undefined || unwrap(said, false).raw === said)) return false;
  if (value !== undefined && value !== '') {
    if (kind === 'facts' || fact !== undefined) return false;
    const { section } = state;
    openSection(state, kind, 0, indent);
    for (const part of kind === 'notes' ? [value] : partsOf(value)) addSaid(state, line, part, indent);
    openSection(state, section.kind, section.level, section.indent);
    return true;
  }
  openSection(state, kind, 0, indent);
  if (fact === 'status') state.section.awaits = fact;
  return true;
}

/** `[spec, clarify]`, `spec, clarify`. */
function partsOf(value: string): string[] {
  const inner = value.startsWith('[') && value.endsWith(']') ? value.slice(1, -1) : value;
  return splitUnescaped(inner, ',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

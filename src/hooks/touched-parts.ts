import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { TextEdit } from './call.ts';

/*
 * Which parts of the document an edit touches. Hooks cannot afford a YAML parser, and need none: the engine writes the
 * document in blocks, so a part is a key and the lines that are further in. A document that is written otherwise is
 * reported more coarsely, never wrongly: parts that cannot be distinguished count as the part above.
 */

/** The parts that only the engine can say, and that the edits will change: `recovery_state.current_phase`. */
export function partsToBeTouched(text: string, edits: readonly TextEdit[]): string[] {
  const edited = applyEdits(text, edits);
  return edited === undefined ? [] : differingParts(text, edited);
}

/** The same for edits that were made already. Of a file that was replaced, what it says is held against the brief. */
export function touchedParts(text: string, edits: readonly TextEdit[], brief: JsonObject): string[] {
  if (edits.some(({ before }) => before === undefined)) return partsUnlike(text, brief);
  const undoing = edits.map(({ before = '', after, everywhere }) => ({
    before: after,
    after: before,
    everywhere,
  }));
  // Of removed text the place is unknown.
  if (undoing.some(({ before }) => before === '')) return [];
  const original = applyEdits(text, undoing.reverse());
  return original === undefined ? [] : differingParts(original, text);
}

/** Undefined where an edit finds nothing to change: the tool will fail, and nothing is touched. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string | undefined {
  let edited = text;
  for (const { before, after, everywhere } of edits) {
    if (before === undefined || before === '') edited = after;
    else if (!edited.includes(before)) return undefined;
    else if (everywhere) edited = edited.split(before).join(after);
    // A function, since `$&` in the text itself would be taken for an order.
    else edited = edited.replace(before, () => after);
  }
  return edits.length === 0 ? undefined : edited;
}

function differingParts(one: string, other: string): string[] {
  const [before, after] = [partsOf(one), partsOf(other)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => isDerived(name) && before.get(name) !== after.get(name));
}

/** Plain values only: lists and texts of several lines can be written in too many ways to be compared. */
function partsUnlike(text: string, brief: JsonObject): string[] {
  return [...partsOf(text)].flatMap(([name, lines]) => {
    const [section = '', field = ''] = name.split('.');
    const known = brief[section];
    const value = isJsonObject(known) && Object.hasOwn(known, field) ? known[field] : undefined;
    const said = plainValue(lines);
    if (!isDerived(name) || said === undefined || value === undefined || typeof value === 'object') return [];
    return said === String(value) || Number(said) === value ? [] : [name];
  });
}

function plainValue(lines: string): string | undefined {
  const [, quoted, bare] =
    /^[^:]+:[ \t]*(?:(["'].*["'])|([^"'|>[{#\s][^#]*))?[ \t]*(?:#.*)?\n$/.exec(lines) ?? [];
  return quoted?.slice(1, -1) ?? bare?.trim();
}

const derivedSections = new Set([
  'recovery_state',
  'quality_trajectory',
  'defect_summary',
  'compaction_events',
]);
const authoredFields = new Set(['recovery_state.next_step', 'defect_summary.recurring_patterns']);

function isDerived(name: string): boolean {
  const [section = ''] = name.split('.');
  return derivedSections.has(section) && !authoredFields.has(name);
}

/** What stands in each part of `resumption:`, by `section` or `section.field`. Other keys of the file are not ours. */
function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  let isInside = false;
  let section: Key | undefined;
  let field: Key | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const key = keyOf(line);
    if (/^\S/.test(line)) {
      isInside = key?.name === 'resumption';
      section = undefined;
      continue;
    }
    if (!isInside) continue;
    if (key !== undefined && (section === undefined || key.indent <= section.indent)) {
      section = key;
      field = undefined;
    } else if (key !== undefined && (field === undefined || key.indent <= field.indent)) field = key;
    if (section === undefined) continue;
    const name = field === undefined ? section.name : `${section.name}.${field.name}`;
    parts.set(name, `${parts.get(name) ?? ''}${line.trim()}\n`);
  }
  return parts;
}

interface Key {
  readonly name: string;
  readonly indent: number;
}

function keyOf(line: string): Key | undefined {
  const [, space = '', name] = /^(\s*)(?:["']?)([A-Za-z_][\w-]*)["']?\s*:(?:\s|$)/.exec(line) ?? [];
  return name === undefined ? undefined : { name, indent: space.length };
}

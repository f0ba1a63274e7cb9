import type { JsonValue } from '../../base/json.ts';

/** As much of a document as its age is judged by. */
export interface RecoveryFields {
  readonly updatedAt: JsonValue | undefined;
  readonly phase: number | string | null;
  readonly status: JsonValue | undefined;
}

/**
 * Reads these fields out of a YAML text by its lines, because a hook has no time for a parser. Only the plain form is
 * read that documents have: block maps, and each value on the line of its key. Undefined for anything else.
 */
export function scanRecovery(text: string, key: string): RecoveryFields | undefined {
  const lines = text.split(/\r?\n/);
  if (lines.some((line) => otherDocument.test(line))) return undefined;
  const at = onlyIndex(lines, (line) => keyAt(line, 0) === key);
  const start = at === undefined ? undefined : lines[at];
  if (at === undefined || start === undefined || !endsAtColon(start)) return undefined;
  const section = blockBelow(lines, at);
  const state =
    section && onlyIndex(section.lines, (line) => keyAt(line, section.indent) === 'recovery_state');
  if (section === undefined || state === undefined || !endsAtColon(section.lines[state] ?? ''))
    return undefined;
  const fields = blockBelow(section.lines, state);
  if (fields === undefined) return undefined;
  const values = new Map<string, JsonValue>();
  for (const name of ['updated_at', 'current_phase', 'workflow_status']) {
    const value = valueIn(fields, name);
    if (value === unread) return undefined;
    if (value !== undefined) values.set(name, value);
  }
  const phase = values.get('current_phase') ?? null;
  return {
    updatedAt: values.get('updated_at'),
    phase: typeof phase === 'number' || typeof phase === 'string' ? phase : null,
    status: values.get('workflow_status'),
  };
}

interface Block {
  readonly lines: readonly string[];
  readonly indent: number;
}

const unread = Symbol('unread');
const otherDocument = /^(?:---|\.\.\.|%)/;
const isBlank = (line: string) => /^\s*(?:#.*)?$/.test(line);
const indentOf = (line: string) => /^ */.exec(line)?.[0].length ?? 0;
const endsAtColon = (line: string) => /:[ \t]*(?:[ \t]#.*)?$/.test(line);

/** Undefined: there is none, or there are two. */
function onlyIndex(lines: readonly string[], isIt: (line: string) => boolean): number | undefined {
  const first = lines.findIndex(isIt);
  return first < 0 || lines.findLastIndex(isIt) !== first ? undefined : first;
}

/** The key that a line begins with at a column. */
function keyAt(line: string, indent: number): string | undefined {
  if (indentOf(line) !== indent) return undefined;
  return /^(["']?)([A-Za-z_][\w-]*)\1[ \t]*:(?=\s|$)/.exec(line.slice(indent))?.[2];
}

/** What is indented below a line; undefined where that is no block map. */
function blockBelow(lines: readonly string[], at: number): Block | undefined {
  const own = indentOf(lines[at] ?? '');
  const below: string[] = [];
  for (const line of lines.slice(at + 1)) {
    if (!isBlank(line) && indentOf(line) <= own) break;
    below.push(line);
  }
  const first = below.find((line) => !isBlank(line));
  const indent = first === undefined ? 0 : indentOf(first);
  if (first === undefined || keyAt(first, indent) === undefined) return undefined;
  // A line further to the left belongs to a value that runs over several lines.
  return below.some((line) => !isBlank(line) && indentOf(line) < indent)
    ? undefined
    : { lines: below, indent };
}

function valueIn({ lines, indent }: Block, name: string): JsonValue | undefined | typeof unread {
  const places = lines.flatMap((line, nth) => (keyAt(line, indent) === name ? [nth] : []));
  const [place, second] = places;
  if (place === undefined) return undefined;
  const next = lines.slice(place + 1).find((line) => !isBlank(line));
  if (second !== undefined || (next !== undefined && indentOf(next) > indent)) return unread;
  const line = lines[place] ?? '';
  return scalarOf(line.slice(line.indexOf(':') + 1).trim());
}

function scalarOf(written: string): JsonValue | typeof unread {
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')(?:\s+#.*)?$/.exec(written);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? '';
  const plain = written.replace(/\s#.*$/, '').trim();
  if (plain === '' || plain.startsWith('#') || plain === 'null' || plain === '~') return null;
  if (/^(?:0|-?[1-9]\d{0,8})$/.test(plain)) return Number(plain);
  // Words and times only; a parser reads everything that YAML may read as another type.
  const isText = /^(?:[A-Za-z][\w .-]*|\d{4}-\d{2}-\d{2}[\w:.+ -]*)$/.test(plain);
  return isText && !/^(?:true|false|null|yes|no|on|off|nan|inf)$/i.test(plain) ? plain : unread;
}

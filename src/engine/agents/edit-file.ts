import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Disk } from '../../disk/disk.ts';
import { isOwnLaunch, type Launch, pawlCall } from './command.ts';
import type { AgentFile } from './definitions.ts';
import { type Edited, isOurs, withEntries, withoutEntries } from './entries.ts';
import { readTextFile } from './files.ts';
import { parseSettings, valueAt } from './json-text.ts';
import { holdsComment } from './json-trivia.ts';
import { isBelow, parseToml, type TomlStatement, tomlStrings, withoutTable, withTable } from './toml-text.ts';
import type { AgentTrouble } from './trouble.ts';

/** A file with what is installed in it; undefined in the place of its text: there is none yet. */
export function installedIn(
  disk: Disk,
  file: AgentFile,
  before: string | undefined,
  launch: Launch,
): Result<Edited, AgentTrouble> {
  switch (file.kind) {
    case 'whole':
      return ok(installedWhole(file, before));
    case 'toml':
      return keepingMark(before ?? '', (text) => installedToml(file, text, launch));
    case 'json': {
      const start = before ?? `${JSON.stringify(file.skeleton, null, 2)}\n`;
      const { entries, kept } = keptElsewhere(disk, file, launch);
      const edited = keepingMark(start, (text) => withEntries(file.path, text, entries, launch));
      return edited.ok ? ok({ ...edited.value, notes: [...edited.value.notes, ...kept] }) : edited;
    }
  }
}

/** A file without anything of ours; undefined where nothing is left of it. */
export function uninstalledFrom(
  file: AgentFile,
  before: string,
  launch: Launch,
): Result<string | undefined, AgentTrouble> {
  switch (file.kind) {
    case 'whole':
      return ok(file.mark.test(before) ? undefined : before);
    case 'toml': {
      const after = keepingMark(before, (text) => uninstalledToml(file, text));
      return after.ok ? ok(after.value.text === '' ? undefined : after.value.text) : after;
    }
    case 'json': {
      const after = keepingMark(before, (text) => {
        const without = withoutEntries(file.path, text, file.entries, launch);
        return without.ok ? ok({ text: without.value, notes: [] }) : without;
      });
      if (!after.ok) return after;
      const { text } = after.value;
      return ok(text !== before && isBare(text, file.skeleton) ? undefined : text);
    }
  }
}

type JsonFile = Extract<AgentFile, { kind: 'json' }>;
type TomlFile = Extract<AgentFile, { kind: 'toml' }>;
type WholeFile = Extract<AgentFile, { kind: 'whole' }>;

/** The byte order mark that some editors put first is none of the text's. */
function keepingMark(
  text: string,
  edit: (text: string) => Result<Edited, AgentTrouble>,
): Result<Edited, AgentTrouble> {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const edited = edit(text.slice(mark.length));
  return edited.ok ? ok({ ...edited.value, text: `${mark}${edited.value.text}` }) : edited;
}

function installedWhole(file: WholeFile, before: string | undefined): Edited {
  if (before === undefined) return { text: file.text, notes: [] };
  if (!file.mark.test(before)) return { text: before, notes: [{ note: 'file-taken', path: file.path }] };
  // A clone may have other line breaks than the package.
  return { text: before.replaceAll('\r\n', '\n') === file.text ? before : file.text, notes: [] };
}

/** Without what is somebody else's in other settings that count here, too: putting it in would hide that. */
function keptElsewhere(disk: Disk, file: JsonFile, launch: Launch) {
  const { entries, beside = [] } = file;
  const others = beside.flatMap((path) => {
    const read = readTextFile(disk, path);
    const settings = read.ok ? parseSettings(path, read.value.text ?? '') : undefined;
    return settings?.ok ? [settings.value] : [];
  });
  const taken = entries.properties.flatMap((entry) => {
    const other = others.find((settings) => {
      const value = valueAt(settings, entry.at);
      return value !== undefined && !isOurs(value, entry.task, launch);
    });
    return other === undefined ? [] : [{ entry, note: { ...entry.taken, path: other.path } }];
  });
  const properties = entries.properties.filter((entry) => taken.every((other) => other.entry !== entry));
  return { entries: { ...entries, properties }, kept: taken.map(({ note }) => note) };
}

/** Nothing is left but what such a file has to say when it says nothing. */
function isBare(text: string, skeleton: JsonObject): boolean {
  const settings = parseSettings('', text.replace(/^\uFEFF/, ''));
  if (!settings.ok || holdsComment(text, 0, text.length)) return false;
  const left = canonicalJson(valueAt(settings.value, []) ?? {});
  return left === '{}' || left === canonicalJson(skeleton);
}

function installedToml(file: TomlFile, text: string, launch: Launch): Result<Edited, AgentTrouble> {
  const statements = parseToml(file.path, text);
  if (!statements.ok) return statements;
  const [program = '', ...args] = [...file.argv, ...file.task];
  const put = (base: string, rest: readonly string[]) =>
    ok({ text: withTable(base, file.table, { command: program, args: [...args, ...rest] }), notes: [] });
  const found = statements.value.filter(({ name }) => isBelow(name, file.table));
  if (found.length === 0) return put(text, []);
  const call = callIn(file, text, found);
  if (call === undefined) return ok({ text, notes: [file.taken] });
  const isCurrent = call.launch.join('\0') === file.argv.join('\0');
  if (isCurrent || !call.isAlone || !(launch.isTold || isOwnLaunch(call.launch)))
    return ok({ text, notes: [] });
  return put(withoutTable(text, statements.value, file.table), call.rest);
}

function uninstalledToml(file: TomlFile, text: string): Result<Edited, AgentTrouble> {
  const statements = parseToml(file.path, text);
  if (!statements.ok) return statements;
  const found = statements.value.filter(({ name }) => isBelow(name, file.table));
  const isMine = callIn(file, text, found) !== undefined;
  return ok({ text: isMine ? withoutTable(text, statements.value, file.table) : text, notes: [] });
}

/** What the table starts, if it is a table and starts Pawl. */
function callIn(file: TomlFile, text: string, found: readonly TomlStatement[]) {
  const isTable = found.some(({ kind, name }) => kind === 'table' && name.length === file.table.length);
  const stringsOf = (key: string) =>
    found
      .filter(({ name }) => name.length === file.table.length + 1 && name.at(-1) === key)
      .flatMap((statement) => tomlStrings(text, statement));
  const call = isTable ? pawlCall([...stringsOf('command'), ...stringsOf('args')], file.task) : undefined;
  // With anything else in it, somebody has made it his own.
  return call && { ...call, isAlone: found.length === 3 };
}

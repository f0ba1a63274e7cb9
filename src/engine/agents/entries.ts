import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { ok, type Result } from '../../base/result.ts';
import { isOwnLaunch, type Launch, pawlCall } from './command.ts';
import {
  inserted,
  type JsonPath,
  parseSettings,
  removed,
  replaced,
  type Settings,
  valueAt,
} from './json-text.ts';
import type { AgentTrouble, InstallNote } from './trouble.ts';
import { shellWord, shellWords } from './words.ts';

/*
 * The entries of Pawl in a settings file. They are known by what they start: whatever else a person has changed about
 * one, it is still ours, and whatever else speaks of Pawl is not.
 */

/** What is put into one settings file. */
export interface AgentEntries {
  /** What Pawl is started for by a hook: `['hook', 'claude']`. */
  readonly hookTask: readonly string[];
  readonly hooks: readonly HookEntry[];
  readonly properties: readonly PropertyEntry[];
}

export interface HookEntry {
  readonly event: string;
  /** As an item of the event's list: with a `command`, or with a list `hooks` of such. */
  readonly value: JsonObject;
}

export interface PropertyEntry {
  readonly at: JsonPath;
  /** Where it belongs if the object above it is there already. */
  readonly ifThere?: JsonPath;
  /** Has a `command`, as a line, as a list, or with `args`. */
  readonly value: JsonObject;
  readonly task: readonly string[];
  /** Said where something else has that name. */
  readonly taken: InstallNote;
}

export interface Edited {
  readonly text: string;
  readonly notes: readonly InstallNote[];
}

/** The text with every entry in it. What is there already is kept, and at most started in another way. */
export function withEntries(
  path: string,
  text: string,
  entries: AgentEntries,
  launch: Launch,
): Result<Edited, AgentTrouble> {
  const start = parseSettings(path, text);
  if (!start.ok) return start;
  const notes: InstallNote[] = [];
  let settings = start.value;
  for (const { event, value } of entries.hooks) {
    const mine = handlersOf(settings, event).filter(({ value }) => isOurs(value, entries.hookTask, launch));
    const edited =
      mine.length === 0
        ? inserted(settings, ['hooks', event, 0], value)
        : ok(relaunchAll(settings, mine, entries.hookTask, launch));
    if (!edited.ok) return edited;
    settings = again(settings, edited.value);
  }
  for (const entry of entries.properties) {
    const at = placeOf(settings, entry);
    const found = valueAt(settings, at);
    if (found !== undefined && !isOurs(found, entry.task, launch)) {
      notes.push(entry.taken);
      continue;
    }
    const edited =
      found === undefined
        ? inserted(settings, at, entry.value)
        : ok(relaunchAll(settings, [{ path: at, value: found }], entry.task, launch));
    if (!edited.ok) return edited;
    settings = again(settings, edited.value);
  }
  return ok({ text: settings.text, notes });
}

/** The text without any entry of ours, be it one of those that are put in today. */
export function withoutEntries(
  path: string,
  text: string,
  entries: AgentEntries,
  launch: Launch,
): Result<string, AgentTrouble> {
  const start = parseSettings(path, text);
  if (!start.ok) return start;
  let settings = start.value;
  for (;;) {
    const path = firstOurs(settings, entries, launch);
    if (path === undefined) return ok(settings.text);
    settings = again(settings, removed(settings, path));
  }
}

/** Whether the value starts Pawl for this. */
export function isOurs(value: JsonValue | undefined, task: readonly string[], launch: Launch): boolean {
  const words = wordsOf(value);
  if (words === undefined) return false;
  const told = [...(shellWords(launch.shell) ?? []), ...task];
  return (
    pawlCall(words, task) !== undefined || (launch.isTold && told.every((word, at) => words[at] === word))
  );
}

interface Found {
  readonly path: JsonPath;
  readonly value: JsonValue;
}

/** Every hook of an event, the grouped ones and the others; a group of one goes as a whole. */
function handlersOf(settings: Settings, event: string): (Found & { readonly whole: JsonPath })[] {
  const list = valueAt(settings, ['hooks', event]);
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: JsonValue, at) => {
    const whole = ['hooks', event, at];
    const group = isJsonObject(item) ? item.hooks : undefined;
    if (!Array.isArray(group)) return [{ path: whole, value: item, whole }];
    return group.map((value: JsonValue, index) => {
      const path = [...whole, 'hooks', index];
      return { path, value, whole: group.length === 1 ? whole : path };
    });
  });
}

function firstOurs(settings: Settings, entries: AgentEntries, launch: Launch): JsonPath | undefined {
  const hooks = valueAt(settings, ['hooks']);
  for (const event of isJsonObject(hooks) ? Object.keys(hooks) : []) {
    const found = handlersOf(settings, event).find(({ value }) => isOurs(value, entries.hookTask, launch));
    if (found !== undefined) return found.whole;
  }
  return entries.properties
    .flatMap(({ at, ifThere, task }) =>
      [at, ...(ifThere === undefined ? [] : [ifThere])].map((path) => ({ path, task })),
    )
    .find(({ path, task }) => isOurs(valueAt(settings, path), task, launch))?.path;
}

function placeOf(settings: Settings, { at, ifThere }: PropertyEntry): JsonPath {
  return ifThere !== undefined && isJsonObject(valueAt(settings, ifThere.slice(0, -1))) ? ifThere : at;
}

function relaunchAll(
  settings: Settings,
  found: readonly Found[],
  task: readonly string[],
  launch: Launch,
): string {
  return found.reduce((now, { path, value }) => {
    const command = isJsonObject(value) ? relaunched(value, task, launch) : undefined;
    const keys = Object.entries(command ?? {});
    return keys.reduce((inner, [key, words]) => again(inner, replaced(inner, [...path, key], words)), now);
  }, settings).text;
}

/** What has to change about an entry for it to start Pawl as it is started now. */
function relaunched(value: JsonObject, task: readonly string[], launch: Launch): JsonObject | undefined {
  const words = wordsOf(value) ?? [];
  const call = pawlCall(words, task);
  if (call === undefined || !(launch.isTold || isOwnLaunch(call.launch))) return undefined;
  const isLine = typeof value.command === 'string' && !Array.isArray(value.args);
  if (isLine) {
    const line = task[0] === 'statusline' ? launch.statusLine : launch.shell;
    const isSame = (shellWords(line) ?? []).join('\0') === call.launch.join('\0');
    // What would have to be quoted anew may mean something else then.
    if (isSame || [...call.assigned, ...call.rest].some((word) => shellWord(word) !== word)) return undefined;
    return { command: [...call.assigned, line, ...task, ...call.rest].join(' ') };
  }
  if (launch.argv.join('\0') === call.launch.join('\0')) return undefined;
  const [program = '', ...args] = [...launch.argv, ...task, ...call.rest];
  return Array.isArray(value.command) ? { command: [program, ...args] } : { command: program, args };
}

/** What an entry starts, in whichever way it is written. */
function wordsOf(value: JsonValue | undefined): string[] | undefined {
  if (!isJsonObject(value)) return undefined;
  const { command, args } = value;
  if (typeof command === 'string' && !Array.isArray(args)) return shellWords(command);
  const words = Array.isArray(command) ? command : [command, ...(Array.isArray(args) ? args : [])];
  return words.every((word) => typeof word === 'string') ? words : undefined;
}

function again(settings: Settings, text: string): Settings {
  const next = parseSettings(settings.path, text);
  if (!next.ok) throw new Error(`an edit of ${settings.path} broke it: ${JSON.stringify(next.failure)}`);
  return next.value;
}

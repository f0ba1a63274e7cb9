import { dirname } from 'node:path';
import { ok, type Result } from '../../base/result.ts';
import type { TextDiff } from '../observe/text-diff.ts';
import { diffLines } from '../observe/text-diff.ts';
import type { Environment } from '../open/environment.ts';
import {
  type AgentFile,
  type AgentFilePlace,
  type Definition,
  definitionOf,
  launchNotes,
  skillMark,
} from './definitions.ts';
import { installedIn, uninstalledFrom } from './edit-file.ts';
import { readTextFile, type TextFile } from './files.ts';
import { type InstallRequest, settingsPlaceOf } from './place.ts';
import { shippedSkills } from './skills.ts';
import { type AgentName, agentNames } from './supports.ts';
import type { AgentTrouble, InstallNote } from './trouble.ts';
import { type Origin, originOf } from './undo.ts';

/** What would be written, to be shown before it is. */
export interface InstallPlan {
  /** Files below it are for others to read, too; undefined: all are the user's own. */
  readonly sharedBelow: string | undefined;
  /** Folders that are left empty go as well, but none of these and none above them. */
  readonly keptFolders: readonly string[];
  readonly changes: readonly FileChange[];
  readonly notes: readonly InstallNote[];
}

export interface FileChange {
  readonly path: string;
  /** Where its bytes are, if that is a link. */
  readonly target: string;
  /** Undefined: there is no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly diff: TextDiff['lines'];
  /** What was there before anything was installed, where that is known. */
  readonly origin: Origin | undefined;
}

/** What installing would write. Twice is once: then there is nothing left to change. */
export function planInstall(env: Environment, request: InstallRequest): Result<InstallPlan, AgentTrouble> {
  const place = settingsPlaceOf(env, request);
  if (!place.ok) return place;
  const definition = definitionOf(place.value);
  const changes: FileChange[] = [];
  const notes: InstallNote[] = [];
  for (const file of filesOf(env, definition)) {
    const read = readTextFile(env.disk, file.path);
    if (!read.ok) return read;
    const edited = installedIn(env.disk, file, read.value.text, place.value.launch);
    if (!edited.ok) return edited;
    notes.push(...edited.value.notes);
    const origin = originFor(env, file, read.value, place.value);
    changes.push(changeOf(file.path, read.value, edited.value.text, origin));
  }
  const real = changes.filter(({ before, after }) => before !== after);
  const told = definition.notes.filter((note) => isToTell(env, note, real, place.value));
  const launched = request.scope === 'project' && real.length > 0 ? launchNotes(place.value) : [];
  return ok({
    ...boundsOf(place.value, request),
    changes: real,
    notes: [...notes, ...told, ...launched],
  });
}

/** What taking out everything that was put in would write. */
export function planUninstall(env: Environment, request: InstallRequest): Result<InstallPlan, AgentTrouble> {
  const place = settingsPlaceOf(env, request);
  if (!place.ok) return place;
  const definition = definitionOf(place.value);
  const changes: FileChange[] = [];
  const notes: InstallNote[] = [];
  for (const file of filesOf(env, definition)) {
    const read = readTextFile(env.disk, file.path);
    if (!read.ok) return read;
    const { text, target } = read.value;
    if (text === undefined) continue;
    const origin = originOf(env, target, text);
    const structural = uninstalledFrom(file, text, place.value.launch);
    if (!structural.ok) return structural;
    if (structural.value === text) continue;
    const agents = othersUsing(env, request, target);
    if (agents.length > 0) {
      notes.push({ note: 'shared', path: file.path, agents });
      continue;
    }
    const after = origin === undefined ? structural.value : origin.kind === 'none' ? undefined : origin.text;
    const isLinked = target !== file.path && file.kind !== 'whole';
    changes.push(
      changeOf(file.path, read.value, isLinked ? (after ?? nothingIn[file.kind]) : after, undefined),
    );
  }
  return ok({ ...boundsOf(place.value, request), changes, notes });
}

/** Whether the agent calls our hooks; a server or skills alone are no installation. */
export function isInstalled(env: Environment, request: InstallRequest): boolean {
  const place = settingsPlaceOf(env, request);
  if (!place.ok) return false;
  return definitionOf(place.value).files.some((file) => {
    const hasHooks = file.kind === 'whole' || (file.kind === 'json' && file.entries.hooks.length > 0);
    const read = hasHooks ? readTextFile(env.disk, file.path) : undefined;
    if (!read?.ok || read.value.text === undefined) return false;
    const left = uninstalledFrom(file, read.value.text, place.value.launch);
    return left.ok && left.value !== read.value.text;
  });
}

/** The difference between what is there and what would be. */
export function changeOf(
  path: string,
  { target, text }: TextFile,
  after: string | undefined,
  origin: Origin | undefined,
): FileChange {
  return { path, target, before: text, after, diff: diffLines(text ?? '', after ?? ''), origin };
}

/** What settings say that say nothing: a link to them must not lead nowhere. */
const nothingIn = { json: '{}\n', toml: '' } as const;

function filesOf(env: Environment, definition: Definition): AgentFile[] {
  const skills = shippedSkills(env).map(
    ({ name, text }): AgentFile => ({
      kind: 'whole',
      path: `${definition.skillsFolder}/${name}/SKILL.md`,
      text,
      mark: skillMark,
    }),
  );
  return [...definition.files.map((file) => nameThatIsThere(env, file)), ...skills];
}

function nameThatIsThere({ disk }: Environment, file: AgentFile): AgentFile {
  if (file.kind !== 'json' || file.orPath === undefined || disk.stat(file.orPath) === undefined) return file;
  return { ...file, path: file.orPath };
}

/** What is ours as a whole needs no memory; what has entries of ours that nobody remembers has no known origin. */
function originFor(
  env: Environment,
  file: AgentFile,
  read: TextFile,
  place: AgentFilePlace,
): Origin | undefined {
  if (file.kind === 'whole') return undefined;
  if (read.text === undefined) return { kind: 'none' };
  const known = originOf(env, read.target, read.text);
  if (known !== undefined) return known;
  const without = uninstalledFrom(file, read.text, place.launch);
  return without.ok && without.value === read.text ? { kind: 'text', text: read.text } : undefined;
}

function boundsOf({ scope, root, userFolder }: AgentFilePlace, { home }: InstallRequest) {
  const keptFolders = [root, home, userFolder && dirname(userFolder)].filter(
    (folder) => folder !== undefined,
  );
  return { sharedBelow: scope === 'project' ? root : undefined, keptFolders };
}

/** Other agents that are installed and have a file in the same place. */
function othersUsing(env: Environment, request: InstallRequest, target: string): AgentName[] {
  return agentNames.filter((agent) => {
    if (agent === request.agent) return false;
    const other = { ...request, agent };
    const place = settingsPlaceOf(env, other);
    if (!place.ok) return false;
    const isTheirs = filesOf(env, definitionOf(place.value)).some(({ path }) => {
      const read = readTextFile(env.disk, path);
      return read.ok && read.value.text !== undefined && sameFile(env, read.value.target, target);
    });
    return isTheirs && isInstalled(env, other);
  });
}

function sameFile({ disk }: Environment, a: string, b: string): boolean {
  return a === b || (disk.realpath(a) ?? a) === (disk.realpath(b) ?? b);
}

function isToTell(
  env: Environment,
  note: InstallNote,
  changes: readonly FileChange[],
  place: AgentFilePlace,
): boolean {
  if (note.note === 'trust-hooks') return changes.some(({ path }) => path.endsWith('/hooks.json'));
  if (note.note !== 'claude-hooks-run-too') return changes.length > 0;
  const request = { agent: 'claude', scope: 'project', root: place.root, home: undefined } as const;
  return isInstalled(env, request);
}

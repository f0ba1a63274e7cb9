import type { Hash } from '../../base/hash.ts';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import { runFile } from '../../model/run-folder.ts';
import type { RunStatus } from '../../model/status.ts';
import { peekJournal } from '../../store/open-store.ts';
import { type Position, type Positions, parsePosition, positionOf } from '../../store/position.ts';
import type { Brief } from '../brief/document.ts';
import type { Survey } from '../brief/survey.ts';

/*
 * The brief as it was written last, and where every journal stood then. While none goes on, the text that an agent is
 * handed is true as it stands here, and a hook has one small file to read. It can be deleted at any time.
 */

export interface BriefState {
  readonly run: string;
  readonly pipeline: string;
  /** Of the run, relative to the workspace. */
  readonly folder: string;
  /** From the journal alone; `running` is true only while the owner of the lock lives. */
  readonly status: RunStatus;
  /** Where every actor's journal ended. */
  readonly heads: Positions;
  /** Where the document lies, relative to the workspace. */
  readonly path: string;
  /** The file belongs to others, and the document is a section of it. */
  readonly isSection: boolean;
  /** Files of others that the document was ever written into; absent: none. */
  readonly sections?: readonly string[];
  /** When the phase that the run is at has begun; empty before the first. */
  readonly phaseSince: string;
  readonly sessionSince: string;
  /**
   * Hash of the document: of the bytes of our own file, or of the values of a section. The document is written after this
   * state, so a crash may have left the one before: both are ours, and any other hash is an edit.
   */
  readonly hash: Hash;
  readonly hashBefore?: Hash | undefined;
  /** What the digest is made from, because claiming a task reads only this file. */
  readonly survey: Survey;
  readonly progress: { readonly done: number; readonly total: number };
  /** Spent so far, in dollars; undefined where no phase tells its cost. */
  readonly usd?: number | undefined;
  readonly brief: Brief;
  /** What an agent is handed: the brief in few words, most important first. */
  readonly digest: string;
}

/** The newest brief of a workspace; undefined where there is none that can be read. */
export function readBriefState(disk: Disk, root: string): BriefState | undefined {
  const folder = briefFolder(disk, root);
  return folder === undefined ? undefined : readStateOf(disk, root, folder);
}

/** Of the run whose brief was written last, relative to the workspace. */
export function briefFolder(disk: Disk, root: string): string | undefined {
  const pointer = parseJson(readText(disk, pointerPath(root), pointerBytesMax));
  if (!isJsonObject(pointer) || pointer.pawl !== 'brief' || !isInside(pointer.folder)) return undefined;
  return pointer.folder;
}

/** What leads to the brief of this run, relative to the workspace; undefined: it leads elsewhere. */
export function briefPointer(disk: Disk, root: string, folder: string): string | undefined {
  const pointer = parseJson(readText(disk, pointerPath(root), pointerBytesMax));
  return isJsonObject(pointer) && pointer.folder === folder ? '.pawl/brief' : undefined;
}

/** The brief of one run. */
export function readStateOf(disk: Disk, root: string, folder: string): BriefState | undefined {
  const value = parseJson(readText(disk, statePath(root, folder), stateBytesMax));
  if (!isJsonObject(value) || value.pawl !== 'brief-state' || value.version !== version) return undefined;
  const { run, status, path, heads, brief, digest, progress, survey, sections } = value;
  const positions = parseHeads(heads);
  const isUsable =
    positions !== undefined &&
    typeof run === 'string' &&
    typeof status === 'string' &&
    isInside(path) &&
    isJsonObject(brief) &&
    isJsonObject(brief.recovery_state) &&
    isJsonObject(progress) &&
    isJsonObject(survey) &&
    (sections === undefined || Array.isArray(sections)) &&
    typeof digest === 'string';
  // The folder is where it was found: a run that was moved is called otherwise.
  return isUsable ? { ...(value as unknown as BriefState), heads: positions, folder } : undefined;
}

/** Whether it is the document that goes with a state, or the one before it. */
export function isOwnHash({ hash, hashBefore }: BriefState, found: string): boolean {
  return found === hash || found === hashBefore;
}

/** True if no actor has appended to the run since the state was written. */
export function isCurrent(disk: Disk, root: string, { folder, heads }: BriefState): boolean {
  return peekJournal(disk, `${root}/${folder}`).endsAt(heads);
}

/** Whether every journal ended where it ends there, and there is no other. */
export function isSameHeads(a: Positions, b: Positions): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([actor, { epoch, length }]) => {
    const head = b.get(actor);
    return head?.epoch === epoch && head.length === length;
  });
}

export function isSameBrief(one: Brief, other: Brief): boolean {
  return canonicalJson(one as unknown as JsonObject) === canonicalJson(other as unknown as JsonObject);
}

/** Whether everything else that is written with a state is there: what leads to it, its document and the page for agents. */
export function isWrittenOut(
  disk: Disk,
  root: string,
  folder: string,
  { path, digest }: BriefState,
): boolean {
  if (briefPointer(disk, root, folder) === undefined) return false;
  try {
    if (disk.stat(`${root}/${path}`) === undefined) return false;
  } catch (error) {
    if (error instanceof DiskError) return false;
    throw error;
  }
  return readText(disk, `${root}/${runFile(folder, 'RESUME.md')}`, pageBytesMax) === digest;
}

/** Whether all parts are there that edits are compared with, because the file may have been edited. */
export function isWholeBrief(brief: unknown): brief is Brief {
  if (!isJsonObject(brief)) return false;
  const { recovery_state, quality_trajectory, defect_summary, agent_summaries, compaction_events } = brief;
  const isMaps = [recovery_state, quality_trajectory, defect_summary, agent_summaries].every(isJsonObject);
  const compactions = isJsonObject(compaction_events) ? compaction_events.events : undefined;
  const isLists = [brief.decision_log, compactions].every(
    (list) => Array.isArray(list) && list.every(isJsonObject),
  );
  return isMaps && isLists && Array.isArray(brief.files_to_read);
}

/** Replaces the state of a run, and makes it the one that is found first. Not synced: it can be done without. */
export function writeBriefState(disk: Disk, root: string, state: BriefState, tempFolder?: string): void {
  const { heads, ...rest } = state;
  const positions = Object.fromEntries([...heads].map(([actor, head]) => [actor, positionOf(head)]));
  const text = `${JSON.stringify({ pawl: 'brief-state', version, ...rest, heads: positions })}\n`;
  replaceFileNow(disk, statePath(root, state.folder), new TextEncoder().encode(text), tempFolder);
  const pointer = `${JSON.stringify({ pawl: 'brief', folder: state.folder })}\n`;
  if (readText(disk, pointerPath(root), pointerBytesMax) !== pointer)
    replaceFileNow(disk, pointerPath(root), new TextEncoder().encode(pointer), tempFolder);
}

const version = 2;
const pointerBytesMax = 4096;
const pageBytesMax = 64 * 1024;
const stateBytesMax = 4 * 1024 * 1024;
const pointerPath = (root: string) => `${root}/.pawl/brief`;
const statePath = (root: string, folder: string) => `${root}/${runFile(folder, 'brief.json')}`;

function parseHeads(value: JsonValue | undefined): Positions | undefined {
  if (!isJsonObject(value)) return undefined;
  const heads = new Map<string, Position>();
  for (const [actor, place] of Object.entries(value)) {
    const position = parsePosition(place);
    if (position === undefined) return undefined;
    heads.set(actor, position);
  }
  return heads;
}

function readText(disk: Disk, path: string, bytesMax: number): string | undefined {
  try {
    const bytes = disk.read(path, bytesMax);
    return bytes && new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

function isInside(path: JsonValue | undefined): path is string {
  return (
    typeof path === 'string' &&
    path !== '' &&
    !path.startsWith('/') &&
    !path.includes('\0') &&
    !path.split('/').includes('..')
  );
}

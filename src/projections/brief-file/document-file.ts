import { type Hash, hashBytes, hashJson } from '../../base/hash.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { replaceFileNow, replaceTheirFile } from '../../disk/write.ts';
import { type DocumentEdits, findEdits, findFirstEdits, isEmpty } from '../brief/authorship.ts';
import { type Brief, sectionNames } from '../brief/document.ts';
import { renderOwnDocument, sectionKey } from '../brief/yaml/render.ts';
import { type BriefState, isOwnHash } from './state-file.ts';

/** Where the document lies. */
export interface DocumentPlace {
  /** Relative to the workspace. */
  readonly path: string;
  /** The file belongs to others: only one key of it is ours. */
  readonly isSection: boolean;
}

/** Why a file of others is left alone; the document is then written into the run's own folder. */
export interface DocumentTrouble {
  readonly path: string;
  readonly reason: string;
  readonly line?: number | undefined;
  readonly detail?: string | undefined;
}

/** What lies at the document's place. */
export interface FoundDocument {
  readonly text: string | undefined;
  readonly stamp: Stamp | undefined;
  /** As `BriefState` has it; undefined where there is no document. */
  readonly hash: Hash | undefined;
  /** No process and no person has written it since. */
  readonly isNewest: boolean;
  /** Edits since Pawl last wrote it; undefined: none. */
  readonly edited: DocumentEdits | undefined;
  /** The version that edits were compared with. */
  readonly base: Brief | undefined;
  readonly trouble: DocumentTrouble | undefined;
  /** The bytes of a document that was kept before the run; undefined for any other. */
  readonly original?: Uint8Array | undefined;
}

/** While these stay the same, the file was not replaced. */
export interface Stamp {
  readonly size: number;
  readonly mtime: number;
  readonly ino: number;
}

/** A document as a process has left it. */
export interface LeftDocument {
  readonly path: string;
  readonly stamp: Stamp;
  readonly hash: Hash;
}

/** What is known of what was written there last. */
export interface KnownDocument {
  /** By this process; undefined: nothing yet. */
  readonly left: LeftDocument | undefined;
  /** By the last process that wrote it. Asked only if the file is not as this process left it. */
  readonly state: () => BriefState | undefined;
  /** Replaces the last written version if there is no record of it. */
  readonly derived: () => Brief;
  /**
   * The section in the form of version 2, if people or another tool kept it before the run; undefined if this run wrote
   * it, so that what it says is already on record.
   */
  readonly importForeign: (section: JsonObject) => Promise<JsonObject | undefined>;
}

/** Reads the document and finds edits in it. */
export async function readDocument(
  disk: Disk,
  root: string,
  place: DocumentPlace,
  known: KnownDocument,
): Promise<FoundDocument> {
  const absolute = `${root}/${place.path}`;
  const { left } = known;
  try {
    const stamp = stampOf(disk, absolute);
    if (stamp === undefined) return nothing;
    if (stamp === 'not-a-file') return { ...nothing, trouble: { path: place.path, reason: 'not-a-file' } };
    const isAsLeft = left?.path === place.path && isSameStamp(left.stamp, stamp);
    if (isAsLeft && !place.isSection) return { ...nothing, stamp, hash: left.hash, isNewest: true };
    const bytes = disk.read(absolute, documentBytesMax);
    if (bytes === undefined) return nothing;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    if (isAsLeft) return { ...nothing, text, stamp, hash: left.hash, isNewest: true };
    const state = known.state();
    const last = state?.path === place.path ? state : undefined;
    const found = place.isSection
      ? await lookAtSection(text, bytes, place, last, known)
      : await lookAtOwn(text, hashBytes(bytes), last);
    return { ...nothing, text, stamp, ...found };
  } catch (error) {
    if (error instanceof DiskError)
      return { ...nothing, trouble: { path: place.path, reason: 'unreadable', detail: error.code } };
    throw error;
  }
}

/** The file with the document in it; a trouble: it is to be left alone. */
export async function documentBytes(
  { path, isSection }: DocumentPlace,
  brief: Brief,
  text: string | undefined,
): Promise<Uint8Array | DocumentTrouble> {
  const value = brief as unknown as JsonObject;
  if (!isSection) return renderOwnDocument(value);
  // What takes a YAML file apart is loaded only where the document is a part of one.
  const { patchSection } = await import('../brief/yaml/section.ts');
  const cleared = await withoutStale(text ?? '', brief);
  const patched = patchSection(cleared, sectionKey, value);
  if (patched.ok) return new TextEncoder().encode(patched.value);
  return { path, reason: patched.failure.reason, ...patched.failure.facts };
}

/** The hash that tells the document from an edited one. */
export function documentHash(brief: Brief, { isSection }: DocumentPlace, bytes: Uint8Array): Hash {
  return isSection ? hashJson(brief as unknown as JsonObject) : hashBytes(bytes);
}

/**
 * Puts the file where it belongs; a trouble: the one that is there was left alone. `keepState` is called before, so that a
 * crash in between leaves a document that is known to be ours. Nothing is waited for between the look and the end.
 */
export function replaceDocument(
  disk: Disk,
  root: string,
  { path, isSection }: DocumentPlace,
  bytes: Uint8Array,
  found: Pick<FoundDocument, 'stamp'>,
  { tempFolder, keepState }: { readonly tempFolder: string; readonly keepState: () => void },
): Stamp | DocumentTrouble {
  const absolute = `${root}/${path}`;
  const changed: DocumentTrouble = { path, reason: changedMeanwhile };
  const before = stampOf(disk, absolute);
  // Edited in the meantime: the edit must be read before the file is replaced.
  if (before === 'not-a-file' || !isSameStamp(found.stamp, before)) return changed;
  keepState();
  try {
    const replace = isSection ? replaceTheirFile : replaceFileNow;
    replace(disk, absolute, bytes, tempFolder);
  } catch (error) {
    if (error instanceof DiskError && isSection && refusing.has(error.code))
      return { path, reason: 'not-writable', detail: error.code };
    throw error;
  }
  const stamp = stampOf(disk, absolute);
  return stamp === undefined || stamp === 'not-a-file' ? changed : stamp;
}

export function isTrouble(written: object): written is DocumentTrouble {
  return 'reason' in written;
}

/** The one trouble that is over as soon as it is looked at again. */
export const changedMeanwhile = 'changed-meanwhile';

const documentBytesMax = 1024 * 1024;
const nothing: FoundDocument = {
  text: undefined,
  stamp: undefined,
  hash: undefined,
  isNewest: false,
  edited: undefined,
  base: undefined,
  trouble: undefined,
};
const refusing = new Set(['EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOENT', 'ENOTDIR']);

type Seen = Partial<FoundDocument>;

/** Without a record of the last write there is nothing to compare an edit with. */
async function lookAtOwn(text: string, hash: Hash, state: BriefState | undefined): Promise<Seen> {
  if (state === undefined) return { hash };
  if (isOwnHash(state, hash)) return { hash, isNewest: hash === state.hash };
  const { readSection } = await import('../brief/yaml/section.ts');
  const section = readSection(text, sectionKey);
  const isDocument = section.ok && section.value !== undefined && !isFirstVersion(section.value);
  // The file is about to be rewritten, so text that is no document is at least recorded.
  if (!isDocument) return { hash, edited: text.trim() === '' ? undefined : wholeText(text) };
  const { brief } = state;
  const edited = findEdits(section.value, brief);
  return { hash, base: brief, edited: isEmpty(edited) ? undefined : edited };
}

async function lookAtSection(
  text: string,
  bytes: Uint8Array,
  { path }: DocumentPlace,
  state: BriefState | undefined,
  { derived, importForeign }: KnownDocument,
): Promise<Seen> {
  const { readSection } = await import('../brief/yaml/section.ts');
  const { hasWanted: isMet } = await import('../brief/yaml/wanted.ts');
  const section = readSection(text, sectionKey);
  if (!section.ok) {
    const { reason, facts } = section.failure;
    return { trouble: { path, reason, ...facts } };
  }
  const found = section.value;
  if (found === undefined) return {};
  // A document of version 1 is not turned into another one behind its owner's back.
  if (isFirstVersion(found)) return { trouble: { path, reason: 'needs-migration' } };
  const hash = hashJson(ownPart(found));
  const isNewest = state !== undefined && isMet(found, state.brief as unknown as JsonObject);
  if (state !== undefined && isOwnHash(state, hash)) return { hash, isNewest };
  const base = state?.brief ?? derived();
  const foreign = state === undefined ? await importForeign(found) : undefined;
  if (foreign !== undefined) {
    // Parts that the importer added say nothing.
    const said = Object.entries(foreign).filter(([name]) => Object.hasOwn(found, name));
    const edited = findFirstEdits(Object.fromEntries(said), base);
    return isEmpty(edited) ? { hash, isNewest, base } : { hash, isNewest, base, edited, original: bytes };
  }
  const { edits, ...rest } = findEdits(found, base);
  // Maps in a list may say more than they were made to.
  const edited = {
    ...rest,
    edits: edits.filter((one) => !isMet(one.found, listAt(base, one.path) ?? [null])),
  };
  // Without the last written copy an edit cannot be distinguished from what Pawl wrote.
  const believed = state !== undefined ? edited : { ...edited, edits: [], authored: undefined };
  return { hash, isNewest, base, edited: isEmpty(believed) ? undefined : believed };
}

/** Keys of others may stand beside ours. */
function ownPart(found: JsonObject): JsonObject {
  return Object.fromEntries(sectionNames.map((name) => [name, found[name] ?? null]));
}

/** The list of the document that a path like `compaction_events.events` leads to. */
function listAt(base: Brief, path: string): JsonValue[] | undefined {
  const [name = '', key = ''] = path.split('.');
  const section = (base as unknown as JsonObject)[name];
  const value = isJsonObject(section) ? section[key] : undefined;
  return Array.isArray(value) ? value : undefined;
}

function isFirstVersion(found: JsonObject): boolean {
  return found.recovery_state === undefined && firstVersionKeys.some((key) => key in found);
}

const firstVersionKeys = ['last_checkpoint', 'current_state', 'next_step'];

function wholeText(text: string): DocumentEdits {
  const edits = [{ path: sectionKey, found: text.slice(0, keptLengthMax) }];
  return { authored: undefined, decisions: [], applied: [], summaries: [], edits };
}

const keptLengthMax = 64 * 1024;

/**
 * Clears two maps before they are written. A patch keeps unknown keys of a map, but here each key is an agent or a gate:
 * one of an earlier run would look like an edit.
 */
async function withoutStale(text: string, brief: Brief): Promise<string> {
  const { patchSection, readSection } = await import('../brief/yaml/section.ts');
  const section = readSection(text, sectionKey);
  const found = section.ok ? section.value : undefined;
  if (found === undefined) return text;
  const trajectory = found.quality_trajectory;
  const scores = isJsonObject(trajectory) ? trajectory.score_history : undefined;
  const stale: JsonObject = {
    ...(hasOther(found.agent_summaries, brief.agent_summaries) && { agent_summaries: null }),
    ...(hasOther(scores, brief.quality_trajectory.score_history) && {
      quality_trajectory: { score_history: null },
    }),
  };
  const patched = patchSection(text, sectionKey, stale);
  return patched.ok ? patched.value : text;
}

function hasOther(found: unknown, wanted: object): boolean {
  return isJsonObject(found) && Object.keys(found).some((key) => !Object.hasOwn(wanted, key));
}

function stampOf(disk: Disk, path: string): Stamp | 'not-a-file' | undefined {
  const stat = disk.stat(path);
  if (stat === undefined) return undefined;
  return stat.kind === 'file' ? { size: stat.size, mtime: stat.mtimeMs, ino: stat.ino } : 'not-a-file';
}

function isSameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  return a?.size === b?.size && a?.mtime === b?.mtime && a?.ino === b?.ino;
}

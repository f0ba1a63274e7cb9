import { type Hash, hashBytes, hashJson } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { isEmpty, type Takings, takingsOf } from '../../brief/authorship.ts';
import { type Brief, sectionNames } from '../../brief/document.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import { ownDocument, sectionKey } from './own-document.ts';
import type { BriefState } from './state-file.ts';

/** Where the document lies. */
export interface DocumentPlace {
  /** Relative to the workspace. */
  readonly path: string;
  /** The file is somebody else's: only one key of it is ours. */
  readonly isSection: boolean;
}

/** Why a file of somebody else's is left alone; the document is then written into the run's own folder. */
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
  /** What somebody has written into it since; undefined: nothing. */
  readonly takings: Takings | undefined;
  readonly trouble: DocumentTrouble | undefined;
}

/** Of a file: while these are the same, nobody has put another one in its place. */
export interface Stamp {
  readonly size: number;
  readonly mtime: number;
  readonly ino: number;
}

/** What is known of what was written there last. */
export interface KnownDocument {
  readonly state: BriefState | undefined;
  /** By this process; undefined: nothing yet. */
  readonly stamp: Stamp | undefined;
  /** Stands in for what nobody remembers. */
  readonly derived: Brief;
  /** Nothing was ever written there for this run: what it says is all somebody's. */
  readonly isForeign: boolean;
}

/** Looks whether somebody has written into the document. */
export async function lookAtDocument(
  disk: Disk,
  root: string,
  place: DocumentPlace,
  known: KnownDocument,
): Promise<FoundDocument> {
  const absolute = `${root}/${place.path}`;
  const state = known.state?.path === place.path ? known.state : undefined;
  try {
    const stamp = stampOf(disk, absolute);
    if (stamp === undefined) return nothing;
    if (stamp === 'not-a-file') return { ...nothing, trouble: { path: place.path, reason: 'not-a-file' } };
    const isAsWritten = known.stamp !== undefined && isSameStamp(known.stamp, stamp);
    if (isAsWritten && !place.isSection) return { ...nothing, stamp };
    const bytes = disk.read(absolute, documentBytesMax);
    const text = bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    if (isAsWritten || bytes === undefined || text === undefined) return { ...nothing, text, stamp };
    // A file of our own that nobody remembers: there is nothing to tell an edit from.
    const isOurs = !place.isSection && (state === undefined || isHashOf(state, hashBytes(bytes)));
    if (isOurs) return { ...nothing, text, stamp };
    return { text, stamp, ...(await takingsIn(text, place, state, known)) };
  } catch (error) {
    if (error instanceof DiskError)
      return { ...nothing, trouble: { path: place.path, reason: 'unreadable', detail: error.code } };
    throw error;
  }
}

/** The hash that tells the document from an edited one. */
export function documentHash(brief: Brief, { isSection }: DocumentPlace): Hash {
  const value = brief as unknown as JsonObject;
  return isSection ? hashJson(value) : hashBytes(ownDocument(value));
}

/** Puts the document where it belongs; a trouble: the file was left alone. */
export async function writeDocument(
  disk: Disk,
  root: string,
  place: DocumentPlace,
  brief: Brief,
  found: Pick<FoundDocument, 'text' | 'stamp'>,
  tempFolder: string,
): Promise<Stamp | DocumentTrouble> {
  const absolute = `${root}/${place.path}`;
  const bytes = await bytesOf(place, brief, found.text);
  if (!(bytes instanceof Uint8Array)) return bytes;
  try {
    const now = stampOf(disk, absolute);
    // Somebody has written in between: what they wrote is looked at before anything is put in its place.
    if (now === 'not-a-file' || !isSameStamp(found.stamp, now))
      return { path: place.path, reason: 'changed-meanwhile' };
    replaceFileNow(disk, absolute, bytes, tempFolder);
    const stamp = stampOf(disk, absolute);
    const isThere = stamp !== undefined && stamp !== 'not-a-file';
    return isThere ? stamp : { path: place.path, reason: 'changed-meanwhile' };
  } catch (error) {
    if (error instanceof DiskError && place.isSection && refusing.has(error.code))
      return { path: place.path, reason: 'not-writable', detail: error.code };
    throw error;
  }
}

async function bytesOf(
  { path, isSection }: DocumentPlace,
  brief: Brief,
  text: string | undefined,
): Promise<Uint8Array | DocumentTrouble> {
  const value = brief as unknown as JsonObject;
  if (!isSection) return ownDocument(value);
  // What takes a YAML file apart is loaded only where the document is a part of one.
  const { patchSection } = await import('../../brief/yaml/section.ts');
  const patched = patchSection(text ?? '', sectionKey, value);
  if (patched.ok) return new TextEncoder().encode(patched.value);
  return { path, reason: patched.failure.reason, ...patched.failure.facts };
}

export function isTrouble(written: Stamp | DocumentTrouble): written is DocumentTrouble {
  return 'reason' in written;
}

const documentBytesMax = 1024 * 1024;
const nothing: FoundDocument = { text: undefined, stamp: undefined, takings: undefined, trouble: undefined };
const refusing = new Set(['EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOTDIR']);

async function takingsIn(
  text: string,
  place: DocumentPlace,
  state: BriefState | undefined,
  { derived, isForeign }: KnownDocument,
): Promise<Pick<FoundDocument, 'takings' | 'trouble'>> {
  const { readSection } = await import('../../brief/yaml/section.ts');
  const section = readSection(text, sectionKey);
  if (!section.ok) {
    const { reason, facts } = section.failure;
    return { takings: undefined, trouble: { path: place.path, reason, ...facts } };
  }
  const found = section.value;
  if (found === undefined) return { takings: undefined, trouble: undefined };
  // A document of version 1 is not turned into another one behind its owner's back.
  if (found.recovery_state === undefined && firstVersionKeys.some((key) => key in found))
    return { takings: undefined, trouble: { path: place.path, reason: 'needs-migration' } };
  if (place.isSection && state !== undefined && isHashOf(state, hashJson(ownPart(found))))
    return { takings: undefined, trouble: undefined };
  const takings = takingsOf(found, state?.brief ?? derived);
  const isKnown = state !== undefined || isForeign;
  const believed = isKnown ? takings : { ...takings, edits: [], authored: undefined };
  return { takings: isEmpty(believed) ? undefined : believed, trouble: undefined };
}

/** Keys of others may stand beside ours. */
function ownPart(found: JsonObject): JsonObject {
  return Object.fromEntries(sectionNames.map((name) => [name, found[name] ?? null]));
}

function isHashOf({ hash, hashBefore }: BriefState, found: Hash): boolean {
  return found === hash || found === hashBefore;
}

const firstVersionKeys = ['last_checkpoint', 'current_state', 'next_step'];

function stampOf(disk: Disk, path: string): Stamp | 'not-a-file' | undefined {
  const stat = disk.stat(path);
  if (stat === undefined) return undefined;
  return stat.kind === 'file' ? { size: stat.size, mtime: stat.mtimeMs, ino: stat.ino } : 'not-a-file';
}

export function isSameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  return a?.size === b?.size && a?.mtime === b?.mtime && a?.ino === b?.ino;
}

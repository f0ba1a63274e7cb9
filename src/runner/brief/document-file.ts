import type { JsonObject } from '../../base/json.ts';
import { isEmpty, type Takings, takingsOf } from '../../brief/authorship.ts';
import type { Brief } from '../../brief/document.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import { ownDocument, sectionKey } from './own-document.ts';
import type { BriefState, Stamp } from './state-file.ts';

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

/**
 * Looks whether somebody has written into the document. `written` is what stood there last, as far as anybody knows;
 * without it, `derived` stands in, and what differs is nobody's word unless the run is new.
 */
export async function lookAtDocument(
  disk: Disk,
  root: string,
  place: DocumentPlace,
  {
    state,
    derived,
    isNewRun,
  }: { readonly state: BriefState | undefined; readonly derived: Brief; readonly isNewRun: boolean },
): Promise<FoundDocument> {
  const absolute = `${root}/${place.path}`;
  const known = state?.path === place.path ? state : undefined;
  try {
    const stamp = stampOf(disk, absolute);
    if (stamp === undefined) return nothing;
    if (stamp === 'not-a-file') return { ...nothing, trouble: { path: place.path, reason: 'not-a-file' } };
    const isTouched = known?.stamp === undefined || !isSameStamp(known.stamp, stamp);
    if (!isTouched && !place.isSection) return { ...nothing, stamp };
    const bytes = disk.read(absolute, documentBytesMax);
    const text = bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    if (!isTouched || text === undefined) return { ...nothing, text, stamp };
    // A file of our own that nobody remembers: there is nothing to tell an edit from.
    if (known === undefined && !place.isSection) return { ...nothing, text, stamp };
    return { text, stamp, ...(await takingsIn(text, place, known?.brief, derived, isNewRun)) };
  } catch (error) {
    if (error instanceof DiskError)
      return { ...nothing, trouble: { path: place.path, reason: 'unreadable', detail: error.code } };
    throw error;
  }
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
  const value = brief as unknown as JsonObject;
  if (!place.isSection) {
    replaceFileNow(disk, absolute, ownDocument(value), tempFolder);
    return stampNow(disk, absolute, place);
  }
  // What takes a YAML file apart is loaded only where the document is a part of one.
  const { patchSection } = await import('../../brief/yaml/section.ts');
  const patched = patchSection(found.text ?? '', sectionKey, value);
  if (!patched.ok) return { path: place.path, reason: patched.failure.reason, ...patched.failure.facts };
  if (patched.value === found.text && found.stamp !== undefined) return found.stamp;
  try {
    const now = stampOf(disk, absolute);
    // Somebody has written in between: what they wrote is looked at before anything is put in its place.
    if (now === 'not-a-file' || !isSameStamp(found.stamp, now))
      return { path: place.path, reason: 'changed-meanwhile' };
    replaceFileNow(disk, absolute, encode(patched.value), tempFolder);
    return stampNow(disk, absolute, place);
  } catch (error) {
    if (error instanceof DiskError && refusing.has(error.code))
      return { path: place.path, reason: 'not-writable', detail: error.code };
    throw error;
  }
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
  written: Brief | undefined,
  derived: Brief,
  isNewRun: boolean,
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
  const takings = takingsOf(found, written ?? derived);
  const isKnown = written !== undefined || isNewRun;
  const believed = isKnown ? takings : { ...takings, edits: [], authored: undefined };
  return { takings: isEmpty(believed) ? undefined : believed, trouble: undefined };
}

const firstVersionKeys = ['last_checkpoint', 'current_state', 'next_step'];

function stampOf(disk: Disk, path: string): Stamp | 'not-a-file' | undefined {
  const stat = disk.stat(path);
  if (stat === undefined) return undefined;
  return stat.kind === 'file' ? { size: stat.size, mtime: stat.mtimeMs, ino: stat.ino } : 'not-a-file';
}

function stampNow(disk: Disk, path: string, place: DocumentPlace): Stamp | DocumentTrouble {
  const stamp = stampOf(disk, path);
  return stamp === undefined || stamp === 'not-a-file'
    ? { path: place.path, reason: 'changed-meanwhile' }
    : stamp;
}

function isSameStamp(a: Stamp | undefined, b: Stamp | undefined): boolean {
  return a?.size === b?.size && a?.mtime === b?.mtime && a?.ino === b?.ino;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

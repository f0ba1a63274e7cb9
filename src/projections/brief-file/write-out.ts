import type { Clock } from '../../base/clock.ts';
import type { Hash } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Disk } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { EventBody } from '../../model/event.ts';
import { runFile } from '../../model/run-folder.ts';
import type { RunStatus } from '../../model/status.ts';
import type { JournalWriter } from '../../store/journal.ts';
import type { Position, Positions } from '../../store/position.ts';
import type { Brief } from '../brief/document.ts';
import type { Survey } from '../brief/survey.ts';
import { renderOwnDocument } from '../brief/yaml/render.ts';
import {
  type DocumentPlace,
  type DocumentTrouble,
  documentBytes,
  documentHash,
  type FoundDocument,
  isTrouble,
  type LeftDocument,
  replaceDocument,
} from './document-file.ts';
import { type BriefState, writeBriefState } from './state-file.ts';

export interface BriefContext {
  /** Run status if the owner of the lock is dead; undefined: as in the journal. */
  readonly status?: RunStatus | undefined;
  readonly disk: Disk;
  readonly clock: Clock;
  /** The workspace, absolute. */
  readonly root: string;
  /** Of the run, relative to the workspace. */
  readonly folder: string;
  readonly actor: string;
  readonly ledger: Ledger;
  readonly journal: JournalWriter;
  /** How far the journals of all other actors have been taken in. */
  readonly others: ReadonlyMap<string, Position>;
  /** A section of an older form or another tool, in the form of version 2. */
  readonly importSection: (section: JsonObject) => Promise<JsonObject>;
  /** Takes in what others have written since. */
  readonly takeInNews: () => void;
  /** Writes events down durably and takes them into the ledger. */
  readonly record: (events: readonly EventBody[]) => Promise<void>;
}

/** What the state of the brief is made of, all of one moment. */
export interface BriefSnapshot {
  readonly survey: Survey;
  readonly brief: Brief;
  readonly digest: string;
  readonly heads: Positions;
  /** As `BriefState` has it. */
  readonly sections: readonly string[];
}

/** Where the document lies that no manifest has a place for. */
export function ownPlace({ folder }: Pick<BriefContext, 'folder'>): DocumentPlace {
  return { path: runFile(folder, 'brief.yaml'), isSection: false };
}

/** Puts the document into its place; the state that vouches for it is there before it. */
export async function writeDocument(
  ground: BriefContext,
  place: DocumentPlace,
  snapshot: BriefSnapshot,
  found: FoundDocument,
): Promise<LeftDocument | DocumentTrouble> {
  const { disk, root } = ground;
  const bytes = await documentBytes(place, snapshot.brief, found.text);
  if (!(bytes instanceof Uint8Array)) return bytes;
  const hash = documentHash(snapshot.brief, place, bytes);
  const keepState = () => writeState(ground, snapshot, place, hash, found.hash);
  const options = { tempFolder: tempFolder(ground), keepState };
  const stamp = replaceDocument(disk, root, place, bytes, found, options);
  return isTrouble(stamp) ? stamp : { path: place.path, stamp, hash };
}

/** Writes the document into the run's own folder, because the file of others is left alone. */
export function writeAside(ground: BriefContext, snapshot: BriefSnapshot): void {
  const own = ownPlace(ground);
  const bytes = renderOwnDocument(snapshot.brief as unknown as JsonObject);
  writeState(ground, snapshot, own, documentHash(snapshot.brief, own, bytes), undefined);
  replaceFileNow(ground.disk, `${ground.root}/${own.path}`, bytes, tempFolder(ground));
}

/** Writes the page that a new agent reads first. */
export function writeDigest(ground: BriefContext, { digest }: BriefSnapshot): void {
  const { disk, root, folder } = ground;
  const bytes = new TextEncoder().encode(digest);
  replaceFileNow(disk, `${root}/${runFile(folder, 'RESUME.md')}`, bytes, tempFolder(ground));
}

/** A document in the run's own folder is in no file of others. */
export function sectionsWith(
  sections: readonly string[],
  { path, isSection }: DocumentPlace,
): readonly string[] {
  return isSection && !sections.includes(path) ? [...sections, path] : sections;
}

function writeState(
  ground: BriefContext,
  { survey, brief, digest, heads, sections }: BriefSnapshot,
  place: DocumentPlace,
  hash: Hash,
  hashBefore: Hash | undefined,
): void {
  const { disk, root, folder } = ground;
  const { run, pipeline, status, phaseSince, sessionSince, progress, usd } = survey;
  const state: BriefState = {
    ...{ run, pipeline, status, phaseSince, sessionSince, progress, usd, survey, brief, digest, folder },
    ...{ ...place, hash, hashBefore, heads },
    sections: sectionsWith(sections, place),
  };
  writeBriefState(disk, root, state, tempFolder(ground));
}

/** What a kill leaves there the next start sweeps away. */
function tempFolder({ disk, root, folder }: BriefContext): string {
  const staging = `${root}/${runFile(folder, 'staging')}`;
  disk.makeFolder(staging);
  return staging;
}

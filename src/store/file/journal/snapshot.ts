import { createHash } from 'node:crypto';
import { hashBytes, hashJson } from '../../../base/hash.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../base/json.ts';
import { type Disk, DiskError } from '../../../disk/disk.ts';
import { replaceFileInPieces } from '../../../disk/write.ts';
import type { Snapshot } from '../../journal.ts';
import { type Position, type Positions, parsePosition, positionOf } from '../../position.ts';
import { eventTypes } from '../../records/event-check.ts';
import { isCount } from '../../records/line.ts';

/** Replaces the snapshot. Not synced: what a power cut leaves of it is seen by its hash and not used. */
export function writeSnapshot(disk: Disk, path: string, snapshot: Snapshot): void {
  try {
    replaceFileInPieces(disk, path, linesOf(snapshot));
  } catch (error) {
    // The one before it stands for less, but it can be read.
    if (!(error instanceof TooLarge)) throw error;
  }
}

/**
 * Undefined if there is none that can be used: then the journal is read from its start. Whether
 * the journal still is the one that the snapshot was made from, `readJournal` finds out from the positions.
 */
export function readSnapshot(disk: Disk, path: string): Snapshot | undefined {
  const bytes = readWhole(disk, path);
  if (bytes === undefined || bytes.at(-1) !== newline) return undefined;
  const bodyEnd = bytes.lastIndexOf(newline, -2) + 1;
  const seal = bytes.length - bodyEnd > sealBytesMax ? undefined : parseSeal(bytes.toString('utf8', bodyEnd));
  const body = bytes.subarray(0, bodyEnd);
  if (seal === undefined || body.length !== seal.bytes || hashBytes(body) !== seal.hash) return undefined;
  return { positions: seal.positions, body: parseLines(body) };
}

const version = 2;
/**
 * A program that does not know a type of events passes over them, and what it makes of the journal is without them: for
 * one that knows more its snapshot stands for nothing.
 */
const knows = hashJson(eventTypes.toSorted());
const sealBytesMax = 1024 * 1024;
const bodyBytesMax = 256 * 1024 * 1024;
const newline = 0x0a;

class TooLarge extends Error {}

interface Seal {
  readonly positions: Positions;
  readonly bytes: number;
  readonly hash: string;
}

/** A part a line, and a last line that seals them: nothing of it is known before they are written. */
function* linesOf({ positions, body }: Snapshot): Generator<Uint8Array> {
  const digest = createHash('sha256');
  let bytes = 0;
  for (const part of body) {
    const line = Buffer.from(`${JSON.stringify(part)}\n`);
    digest.update(line);
    bytes += line.length;
    if (bytes > bodyBytesMax) throw new TooLarge();
    yield line;
  }
  const places = Object.fromEntries([...positions].map(([actor, at]) => [actor, positionOf(at)]));
  const hash = `sha256:${digest.digest('hex')}`;
  const seal = { pawl: 'snapshot', version, knows, positions: places, bytes, hash };
  yield Buffer.from(`${JSON.stringify({ ...seal, check: hashBytes(JSON.stringify(seal)) })}\n`);
}

/** Null for a line that is no JSON, though its hash was right: then it is nothing that was written here. */
function* parseLines(body: Buffer): Generator<JsonValue> {
  for (let start = 0; start < body.length; ) {
    const end = body.indexOf(newline, start);
    yield parseJson(body.toString('utf8', start, end)) ?? null;
    start = end + 1;
  }
}

function readWhole(disk: Disk, path: string): Buffer | undefined {
  try {
    const bytes = disk.read(path, sealBytesMax + bodyBytesMax);
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (error) {
    // A projection that cannot be read costs time, and nothing else.
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

function parseSeal(text: string): Seal | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value) || value.pawl !== 'snapshot') return undefined;
  if (value.version !== version || value.knows !== knows) return undefined;
  const { check, ...rest } = value;
  if (hashBytes(JSON.stringify(rest)) !== check) return undefined;
  const positions = isJsonObject(value.positions) ? parsePositions(value.positions) : undefined;
  if (positions === undefined || !isCount(value.bytes) || typeof value.hash !== 'string') return undefined;
  return { positions, bytes: value.bytes, hash: value.hash };
}

function parsePositions(value: JsonObject): Positions | undefined {
  const positions = new Map<string, Position>();
  for (const [actor, place] of Object.entries(value)) {
    const position = parsePosition(place);
    if (position === undefined) return undefined;
    positions.set(actor, position);
  }
  return positions;
}

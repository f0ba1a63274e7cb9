import { createHash } from 'node:crypto';
import { hashBytes } from '../base/hash.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { type Disk, DiskError } from '../disk/disk.ts';
import { replaceFile } from '../disk/write.ts';
import { isCount } from './line.ts';
import { type Position, type Positions, parsePosition, positionOf } from './position.ts';

/** What the fold of a journal had come to at these positions. A projection: it can be deleted at any time. */
export interface Snapshot {
  readonly positions: Positions;
  /** In parts, so that a large one is never held as a whole. Belongs to whoever folds; nothing here looks into it. */
  readonly body: Iterable<JsonValue>;
}

/** Replaces the snapshot. Not synced: what a power cut leaves of it is seen by its hash and not used. */
export async function writeSnapshot(disk: Disk, path: string, snapshot: Snapshot): Promise<void> {
  const digest = createHash('sha256');
  const body: Buffer[] = [];
  let bytes = 0;
  for (const part of snapshot.body) {
    const line = Buffer.from(`${JSON.stringify(part)}\n`);
    digest.update(line);
    body.push(line);
    bytes += line.length;
    if (bytes > bodyBytesMax) return;
  }
  const positions = Object.fromEntries([...snapshot.positions].map(([actor, at]) => [actor, positionOf(at)]));
  const head = { pawl: 'snapshot', version, positions, bytes, hash: `sha256:${digest.digest('hex')}` };
  const first = `${JSON.stringify({ ...head, check: hashBytes(JSON.stringify(head)) })}\n`;
  await replaceFile(disk, path, Buffer.concat([Buffer.from(first), ...body]), { durable: false });
}

/**
 * Undefined when there is none that can be used, for whatever reason: then the journal is read from its start. Whether
 * the journal still is the one that the snapshot was made from, `readJournal` finds out from the positions.
 */
export function readSnapshot(disk: Disk, path: string): Snapshot | undefined {
  const bytes = readWhole(disk, path);
  const headEnd = bytes?.subarray(0, headBytesMax).indexOf(0x0a) ?? -1;
  if (bytes === undefined || headEnd < 0) return undefined;
  const head = parseHead(bytes.toString('utf8', 0, headEnd));
  const body = bytes.subarray(headEnd + 1);
  if (head === undefined || body.length !== head.bytes || hashBytes(body) !== head.hash) return undefined;
  return { positions: head.positions, body: parseLines(body) };
}

const version = 1;
const headBytesMax = 1024 * 1024;
const bodyBytesMax = 256 * 1024 * 1024;

interface Head {
  readonly positions: Positions;
  readonly bytes: number;
  readonly hash: string;
}

/** Null for a line that is no JSON, though its hash was right: then it is nothing that was written here. */
function* parseLines(body: Buffer): Generator<JsonValue> {
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf(0x0a, start);
    const end = newline < 0 ? body.length : newline;
    yield parseJson(body.toString('utf8', start, end)) ?? null;
    start = end + 1;
  }
}

function readWhole(disk: Disk, path: string): Buffer | undefined {
  try {
    const bytes = disk.read(path, headBytesMax + bodyBytesMax);
    return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (error) {
    // A projection that cannot be read costs time, and nothing else.
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

function parseHead(text: string): Head | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value) || value.pawl !== 'snapshot' || value.version !== version) return undefined;
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

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

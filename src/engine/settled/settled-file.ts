import { createHash } from 'node:crypto';
import type { Hash } from '../../base/hash.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import type { Disk } from '../../disk/disk.ts';
import { replaceFileInPieces } from '../../disk/write.ts';
import { isCount } from '../../journal/line.ts';
import { type Position, type Positions, parsePosition, positionOf } from '../../journal/position.ts';
import { runFile } from '../../model/run-folder.ts';
import type { RunAnswer } from '../answers.ts';
import { sealBytes, sealOf, unseal } from './seal.ts';
import type { Stamp } from './stamp.ts';

/*
 * A run that was found settled, remembered: what was answered, and all that the answer hangs on. It can be deleted at
 * any time, and nothing is lost but time. `docs/formats/settled.md` describes the file.
 */

export interface Settled {
  readonly head: SettledHead;
  /** Made or read as they are asked for: a large run has many. Undefined: one that says nothing. */
  readonly parts: Iterable<SettledPart | undefined>;
}

export interface SettledHead {
  /** The one that made it: another may decide otherwise. */
  readonly program: string;
  /** The machine's: after a power cut a stat proves nothing. */
  readonly boot: string;
  /** Over everything that the pipeline says. */
  readonly pipeline: Hash;
  /** An output that was changed in any way after this time is read. */
  readonly changedAfter: string;
  /** Of the snapshot, which stands for the journal up to its end. */
  readonly snapshot: Stamp;
  /** Where the journal ends. */
  readonly positions: Positions;
  /** Undefined: the pipeline has none. */
  readonly state: StateHashes | undefined;
  readonly answer: SettledAnswer;
}

export type SettledPart =
  /** Names in a folder: files that people read, and places that nothing was made for. */
  | { readonly folder: string; readonly present: readonly string[]; readonly absent: readonly string[] }
  /** Files that must be as recorded. */
  | { readonly outputs: readonly OutputRow[] };

export type OutputRow = readonly [path: string, size: number, mtime: number, ino: number];

/** Undefined: there is no such file. */
export interface StateHashes {
  readonly initial: Hash | undefined;
  readonly shown: Hash | undefined;
}

/** What an answer says, but for where it was asked and how long it took. */
export interface SettledAnswer extends Pick<RunAnswer, 'cells' | 'notices'> {
  readonly heading: Omit<RunAnswer['heading'], 'workspace'>;
}

export function settledPath(root: string, folder: string): string {
  return `${root}/${runFile(folder, 'settled')}`;
}

/** Replaces the file. Not synced: what a power cut leaves of it is seen by its hash, and is of another boot anyway. */
export function writeSettled(disk: Disk, path: string, settled: Settled): void {
  try {
    replaceFileInPieces(disk, path, linesOf(settled));
  } catch (error) {
    // Then the run is looked at as a whole each time.
    if (!(error instanceof TooLarge)) throw error;
  }
}

/** Undefined when there is none that is whole and of this format. */
export function readSettled(disk: Disk, path: string): Settled | undefined {
  const read = disk.read(path, bytesMax);
  const body = read && unseal(read);
  if (body === undefined) return undefined;
  const headEnd = body.indexOf(newline);
  const head = parseHead(parseJson(body.toString('utf8', 0, headEnd)));
  return head && { head, parts: parseParts(body.subarray(headEnd + 1)) };
}

const version = 1;
const bytesMax = 256 * 1024 * 1024;
const newline = 0x0a;

class TooLarge extends Error {}

function* linesOf(settled: Settled): Generator<Uint8Array> {
  const digest = createHash('sha256');
  let bytes = sealBytes;
  for (const value of valuesOf(settled)) {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    digest.update(line);
    bytes += line.length;
    if (bytes > bytesMax) throw new TooLarge();
    yield line;
  }
  yield Buffer.from(sealOf(`sha256:${digest.digest('hex')}`));
}

function* valuesOf({ head, parts }: Settled): Generator<unknown> {
  const { positions, ...rest } = head;
  const places = [...positions].map(([actor, place]) => [actor, positionOf(place)]);
  yield { pawl: 'settled', version, ...rest, positions: Object.fromEntries(places) };
  yield* parts;
}

/** The hash says that the bytes were written here; that they are of this version, only the parsed value can say. */
function parseHead(value: JsonValue | undefined): SettledHead | undefined {
  if (!isJsonObject(value) || value.pawl !== 'settled' || value.version !== version) return undefined;
  const { program, boot, pipeline, changedAfter, snapshot, state, answer } = value;
  const positions = parsePositions(value.positions);
  const isUsable =
    typeof program === 'string' &&
    typeof boot === 'string' &&
    typeof pipeline === 'string' &&
    typeof changedAfter === 'string' &&
    isJsonObject(snapshot) &&
    (state === undefined || isJsonObject(state)) &&
    isAnswer(answer);
  if (!isUsable || positions === undefined) return undefined;
  return { ...(value as unknown as SettledHead), positions };
}

function isAnswer(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value) || !isJsonObject(value.heading) || !isJsonObject(value.cells)) return false;
  const { identity, ...texts } = value.heading;
  if (!isJsonObject(identity) || !Array.isArray(value.notices)) return false;
  return (
    [...Object.values(texts), ...Object.values(identity)].every((text) => typeof text === 'string') &&
    Object.values(value.cells).every(isCount) &&
    value.notices.every(isJsonObject)
  );
}

function parsePositions(value: JsonValue | undefined): Positions | undefined {
  if (!isJsonObject(value)) return undefined;
  const positions = new Map<string, Position>();
  for (const [actor, place] of Object.entries(value)) {
    const position = parsePosition(place);
    if (position === undefined) return undefined;
    positions.set(actor, position);
  }
  return positions;
}

function* parseParts(lines: Buffer): Generator<SettledPart | undefined> {
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(newline, start);
    const value = parseJson(lines.toString('utf8', start, end));
    yield isPart(value) ? value : undefined;
    start = end + 1;
  }
}

function isPart(value: unknown): value is SettledPart {
  if (!isJsonObject(value)) return false;
  const { folder, present, absent, outputs } = value;
  if (Array.isArray(outputs)) return outputs.every((row) => Array.isArray(row) && isPath(row[0]));
  return isPath(folder) && Array.isArray(present) && Array.isArray(absent);
}

/** The system takes no other, and says so in a way that no disk does. */
function isPath(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && !value.includes('\0');
}

import { type Hash, hashBytes } from '../../../base/hash.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../../base/json.ts';
import type { FileToRead } from '../../../brief/document.ts';
import type { Disk } from '../../../disk/disk.ts';
import { replaceFileNow } from '../../../disk/write.ts';
import { type Position, type Positions, parsePosition, positionOf } from '../../../journal/position.ts';
import type { PhaseStarted } from '../../../model/event.ts';
import type { Toucher } from '../../../planner/conflicts.ts';
import type { RunHeading } from '../../answers.ts';
import { sealOf, unseal } from '../../settled/seal.ts';
import type { HandedTask, NextAnswer, TaskClaim, TaskCounts, TaskState } from '../answers.ts';

/*
 * What will be handed out next, remembered: the first tasks in their order, each ready to be handed out, and all that
 * this hangs on. It can be deleted at any time, and nothing is lost but time. `docs/formats/next.md` describes the file.
 */

export interface NextFile {
  readonly premises: Premises;
  readonly standing: Standing;
  /** As lines: only the one that is handed out is ever read. */
  readonly offers: readonly string[];
  /** As a line: whoever has checked the premises once need not do it again while they are the same. */
  readonly premisesLine: string;
}

/** What stays as it is while tasks are handed out. */
export interface Premises {
  /** The one that made it: another may decide otherwise. */
  readonly program: string;
  /** The machine's: after a power cut a stat proves nothing. */
  readonly boot: string;
  /** Its folder is relative to the workspace. */
  readonly run: { readonly id: string; readonly folder: string };
  /** Claims are synced before they are told. */
  readonly durable: boolean;
  /** Files that must be as they were, and such that must not be there. */
  readonly files: readonly FileRow[];
  /** Folders that must hold the same names; null: that must not be there. */
  readonly folders: readonly FolderRow[];
  /** Paths that must not lead out of the workspace. */
  readonly inside: readonly string[];
  readonly heading: Pick<RunHeading, 'run' | 'pipeline' | 'identity' | 'createdAt'>;
  readonly notices: NextAnswer['notices'];
}

export type FileRow =
  /** `ctime`: of an output, because an edit can put the other figures back. */
  readonly [path: string, size: number, mtime: number, ino: number, ctime?: number] | readonly [path: string];
export type FolderRow = readonly [path: string, names: Hash | null];

/** What each handing out changes. */
export interface Standing {
  /** When the plan was made: leases that were live then must be so still. */
  readonly at: string;
  readonly status: RunHeading['status'];
  /** Where every actor's journal ends. */
  readonly heads: Positions;
  /** Every claim that has not ended, also those whose lease has run out, in the order of the ledger. */
  readonly claims: readonly PlacedClaim[];
  /** Units that are somebody's now: what touches the same waits. */
  readonly taken: readonly TakenUnit[];
  /** Units that could be started but for what was handed out since the plan was made. */
  readonly heldBack: readonly string[];
  /** How many units the ledger knows. */
  readonly units: number;
  readonly tasks: TaskCounts;
}

/** `place`: of its unit in the ledger. */
export type PlacedClaim = Omit<TaskClaim, 'live'> & { readonly place: number };
export type TakenUnit = Toucher & { readonly stage: string };

/** A task that nobody has, ready to be handed out. */
export interface PreparedOffer {
  readonly taker: TakenUnit;
  /** Of its unit in the ledger; undefined: it is not there yet. */
  readonly place: number | undefined;
  /** As it was counted before. */
  readonly was: { readonly state: TaskState; readonly inDoubt: boolean };
  /** Units that cannot be started any more once this is handed out. */
  readonly conflicts: readonly string[];
  /** The record of the claim, but for its lease. */
  readonly event: PhaseStarted;
  /** With nobody's name and no time in it. */
  readonly task: HandedTask;
  /** What is kept of the prompt. */
  readonly prompt: string | undefined;
  /** What the brief says has to be read once it is somebody's. */
  readonly filesToRead: readonly FileToRead[];
}

/** Replaces the file. Not synced: what a power cut leaves of it is seen by its seal, and is of another boot anyway. */
export function writeNext(
  disk: Disk,
  root: string,
  { premisesLine, standing, offers }: Omit<NextFile, 'premises'>,
): void {
  const heads = Object.fromEntries([...standing.heads].map(([actor, head]) => [actor, positionOf(head)]));
  const lines = [premisesLine, JSON.stringify({ ...standing, heads }), ...offers];
  const body = Buffer.from(lines.map((line) => `${line}\n`).join(''));
  replaceFileNow(disk, nextPath(root), Buffer.concat([body, Buffer.from(sealOf(hashBytes(body)))]));
}

export function premisesLine(premises: Premises): string {
  return JSON.stringify({ pawl: 'next', version, ...premises });
}

/** Undefined when there is none that is whole and of this format. */
export function readNext(disk: Disk, root: string): NextFile | undefined {
  const read = disk.read(nextPath(root), bytesMax);
  const body = read && unseal(read);
  if (body === undefined) return undefined;
  const [premisesLine = '', standingLine = '', ...offers] = body.toString('utf8').trimEnd().split('\n');
  const premises = parsePremises(parseJson(premisesLine));
  const standing = premises && parseStanding(parseJson(standingLine));
  return standing && { premises, standing, offers, premisesLine };
}

/** Undefined for a line that says nothing. */
export function parseOffer(line: string): PreparedOffer | undefined {
  const value = parseJson(line);
  if (!isJsonObject(value)) return undefined;
  const { taker, was, conflicts, event, task, filesToRead } = value;
  const isUsable =
    isJsonObject(taker) &&
    isJsonObject(was) &&
    isJsonObject(event) &&
    isJsonObject(task) &&
    typeof task.folder === 'string' &&
    typeof task.leaseMs === 'number' &&
    Array.isArray(filesToRead) &&
    Array.isArray(conflicts);
  return isUsable ? (value as unknown as PreparedOffer) : undefined;
}

const version = 2;
const nextPath = (root: string) => `${root}/.pawl/next`;
const bytesMax = 16 * 1024 * 1024;

/** The seal says that the bytes were written here; that they are of this version, only the parsed value can say. */
function parsePremises(value: JsonValue | undefined): Premises | undefined {
  if (!isJsonObject(value) || value.pawl !== 'next' || value.version !== version) return undefined;
  const { program, boot, run, files, folders, inside, heading, notices } = value;
  const isUsable =
    typeof program === 'string' &&
    typeof boot === 'string' &&
    isJsonObject(run) &&
    typeof run.id === 'string' &&
    isPath(run.folder) &&
    areRows(files) &&
    areRows(folders) &&
    Array.isArray(inside) &&
    inside.every(isPath) &&
    isJsonObject(heading) &&
    Array.isArray(notices);
  return isUsable ? (value as unknown as Premises) : undefined;
}

function parseStanding(value: JsonValue | undefined): Standing | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.heads) || !isJsonObject(value.tasks)) return undefined;
  const { at, claims, taken, heldBack, units } = value;
  const heads = new Map<string, Position>();
  for (const [actor, place] of Object.entries(value.heads)) {
    const position = parsePosition(place);
    if (position === undefined) return undefined;
    heads.set(actor, position);
  }
  const isUsable =
    typeof at === 'string' &&
    typeof units === 'number' &&
    [claims, taken, heldBack].every((list) => Array.isArray(list));
  return isUsable ? { ...(value as unknown as Standing), heads } : undefined;
}

function areRows(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.every((row) => Array.isArray(row) && isPath(row[0]));
}

/** The system takes no other, and says so in a way that no disk does. */
function isPath(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && !value.includes('\0');
}

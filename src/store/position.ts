import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { ProcessName } from '../disk/host.ts';
import { isCount, isTime } from './records/line.ts';

/** A place between two records of one actor: everything before it has been read or written. */
export interface Position {
  /** The segment, and how many of its bytes. */
  readonly epoch: number;
  readonly length: number;
  /** Of the last event; 0 before the first. */
  readonly seq: number;
  /** Of the last record; empty before the first. */
  readonly sum: string;
  /** Of the last event; empty before the first. */
  readonly at: string;
  /** The bytes of all earlier segments together: others mean that something happened to what the position stands for. */
  readonly before?: number | undefined;
}

/** By actor. */
export type Positions = ReadonlyMap<string, Position>;

/** Where an actor's journal ends, and the owner of its lock. */
export interface ActorHead extends Position {
  /** The process that took the lock last; undefined if its name cannot be read. */
  readonly owner: ProcessName | undefined;
  /** When; empty when the header cannot be read. */
  readonly opened: string;
  /** The owner released the lock. */
  readonly closed: boolean;
}

export const startPosition: Position = { epoch: 0, length: 0, seq: 0, sum: '', at: '' };

export function positionOf({ epoch, length, seq, sum, at, before }: Position): Position {
  return { epoch, length, seq, sum, at, ...(before !== undefined && { before }) };
}

/** Reads what `positionOf` gave, back from a file. */
export function parsePosition(value: unknown): Position | undefined {
  if (!isJsonObject(value)) return undefined;
  const { epoch, length, seq, sum, at, before } = value as JsonObject;
  if (!isCount(epoch) || !isCount(length) || !isCount(seq)) return undefined;
  if (typeof sum !== 'string' || (at !== '' && !isTime(at))) return undefined;
  if (before !== undefined && !isCount(before)) return undefined;
  return { epoch, length, seq, sum, at, ...(before !== undefined && { before }) };
}

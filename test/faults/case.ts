import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Ended, Execution, Place } from './place.ts';
import { type Call, type Fault, readCalls } from './shim.ts';

/** What the fault happens to. */
export type Scenario =
  /** Functions, a loop and a state, one thing at a time: the n-th call is the same one in every run. */
  | 'loop'
  /** Commands, two at a time. */
  | 'tools'
  /** The loop, taken up after a kill between the record of a success and the promotion of its outputs. */
  | 'resumed';

/** One fault at one call of one scenario. */
export interface FaultCase {
  readonly scenario: Scenario;
  /** The number of the call. */
  readonly at: number;
  readonly fault: Fault;
  /** Opening for reading counts too, and only what happens below `.pawl` does. */
  readonly reads: boolean;
}

/** A scenario to which nothing happens. */
export interface Whole {
  /** What there is when it begins. */
  readonly start: Place;
  readonly past: readonly Sitting[];
  readonly calls: readonly Call[];
  readonly files: Readonly<Record<string, string>>;
  readonly executed: readonly Execution[];
}

/** One run of the command, as it is seen from outside. */
export interface Sitting {
  readonly ended: Ended;
  readonly executed: readonly Execution[];
}

/** What a shim has counted here so far. */
export function callsOf({ log }: Place): Call[] {
  return existsSync(log) ? readCalls(readFileSync(log, 'utf8')) : [];
}

/** What the n-th call was for: a file under a temporary name is for the one that it becomes. */
export function purposeOf(calls: readonly Call[], at: number): string {
  const call = calls[at - 1];
  if (call === undefined) return 'a call that there was none of';
  const becomes = isTemporary(call.path) ? calls.slice(at - 1).find(isNaming) : undefined;
  return `${call.operation} ${(becomes ?? call).path}`;
}

function isNaming({ operation }: Call): boolean {
  return operation === 'rename' || operation === 'link';
}

function isTemporary(path: string): boolean {
  return /^\.pawl-.*\.tmp$/.test(basename(path));
}

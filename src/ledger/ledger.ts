import type { Hash } from '../base/hash.ts';
import type {
  ArtifactRef,
  Cost,
  GateDecided,
  OutputRecord,
  OverrideUsed,
  PreState,
  ProcessStarted,
  RevisionRecorded,
  RunCreated,
  RunEnded,
  SupersededBecause,
} from '../model/event.ts';
import { type CellName, cellName } from '../model/names.ts';

/** The fold of a journal: everything that is known of a run, and nothing that the journal does not say. */
export interface Ledger {
  run: RunCreated | undefined;
  /** By number; numbers only grow. */
  revisions: Map<number, RevisionRecorded>;
  /** The newest one; 0 before the first. */
  revision: number;
  cells: Map<CellName, Cell>;
  overrides: (OverrideUsed & { readonly at: string })[];
  /** How the last holder let go; undefined while held, or when it died without a word. */
  ended: RunEnded['status'] | undefined;
  createdAt: string;
  updatedAt: string;
  resumes: number;
  /** The machine's boot under which the newest events were written, and the first of them. */
  boot: string;
  bootSince: number;
  /** Every output recorded up to this event was read and hashed after a reboot. */
  provenUpTo: number;
  /** Findings that a person has seen and accepted. */
  acceptedDamage: string[];
}

export interface Cell {
  readonly unit: string;
  readonly phase: string;
  /** The highest number given to an attempt; numbers are never used twice. */
  attempts: number;
  /** Attempts that failed since the last success or rerun: what a retry budget counts. */
  failures: number;
  /** The newest valid result of each round of the gate's loop; index 0 is round 1. */
  results: (CellResult | undefined)[];
  running: RunningAttempt | undefined;
  failure: FailedAttempt | undefined;
  /** Why the results are gone; until the next success. */
  superseded: { readonly because: SupersededBecause; readonly reason: string | undefined } | undefined;
  /** The attempt whose outputs were promoted last: the one whose bytes lie at the declared paths. */
  promoted: number;
  /** Those outputs; they outlive the result when it is superseded, since the files still lie there. */
  placed: Readonly<Record<string, OutputRecord>> | undefined;
  /** Hashes of outputs that were ours once: such a file is old, not edited. */
  former: Hash[];
  /** The change of prompt that the newest result comes from. */
  promptChange: PromptChange | undefined;
  decision: GateDecided | undefined;
  /** Spent over every attempt, kept or not. */
  cost: Cost | undefined;
}

export interface CellResult {
  readonly attempt: number;
  readonly iteration: number;
  revision: number;
  unitData: Hash | undefined;
  inputs: Readonly<Record<string, ArtifactRef>> | undefined;
  preState: PreState | undefined;
  readonly prompt: Hash | undefined;
  outputs: Readonly<Record<string, OutputRecord>>;
  readonly verdict: string | undefined;
  readonly response: Hash | undefined;
  readonly ms: number;
  readonly at: string;
  readonly seq: number;
}

export interface RunningAttempt {
  readonly attempt: number;
  readonly iteration: number;
  readonly revision: number;
  readonly unitData: Hash | undefined;
  readonly inputs: Readonly<Record<string, ArtifactRef>> | undefined;
  readonly preState: PreState | undefined;
  readonly prompt: Hash | undefined;
  readonly at: string;
  process: ProcessStarted | undefined;
}

export interface FailedAttempt {
  readonly attempt: number;
  readonly reason: string;
  readonly message: string;
  readonly at: string;
}

export interface PromptChange {
  readonly before: Hash | undefined;
  after: Hash | undefined;
  readonly reason: string | undefined;
}

export function emptyLedger(): Ledger {
  return {
    run: undefined,
    revisions: new Map(),
    revision: 0,
    cells: new Map(),
    overrides: [],
    ended: undefined,
    createdAt: '',
    updatedAt: '',
    resumes: 0,
    boot: '',
    bootSince: 0,
    provenUpTo: 0,
    acceptedDamage: [],
  };
}

export function findCell(ledger: Ledger, unit: string, phase: string): Cell | undefined {
  return ledger.cells.get(cellName(unit, phase));
}

/** The result whose outputs lie at the declared paths. */
export function promotedResult(cell: Cell): CellResult | undefined {
  return cell.results.find((result) => result?.attempt === cell.promoted);
}

/** The newest result, whatever round it belongs to. */
export function newestResult(cell: Cell): CellResult | undefined {
  let newest: CellResult | undefined;
  for (const result of cell.results) {
    if (result !== undefined && (newest === undefined || result.attempt > newest.attempt)) newest = result;
  }
  return newest;
}

/** May the stat of this result's files stand for their bytes? Not when a power cut may lie between. */
export function isStatTrusted(ledger: Ledger, result: CellResult, boot: string): boolean {
  if (result.seq <= ledger.provenUpTo) return true;
  return ledger.boot === boot && result.seq >= ledger.bootSince;
}

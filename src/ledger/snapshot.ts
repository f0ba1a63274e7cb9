import type { Hash } from '../base/hash.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { Cost, GateDecided, OutputRecord, PreState, RevisionRecorded } from '../model/event.ts';
import {
  addCell,
  type Cell,
  type CellResult,
  emptyLedger,
  type FailedAttempt,
  keepResult,
  type Ledger,
  type PromptChange,
  promotedResult,
  type RunningAttempt,
} from './ledger.ts';

/*
 * A ledger as data, so that opening a run costs what changed since. Rows instead of objects: a large run has
 * hundreds of thousands of cells, and most of them are one plain result.
 */

const version = 1;

type OutputRow = [name: string, path: string, hash: Hash, size: number, ino: number, mtime: number];
type ResultRow = [
  attempt: number,
  iteration: number,
  revision: number,
  seq: number,
  ms: number,
  at: string,
  outputs: OutputRow[],
  inputs: Readonly<Record<string, string>> | 0,
  rest: ResultRest | 0,
];
interface ResultRest {
  readonly preState?: PreState;
  readonly prompt?: Hash;
  readonly unitData?: Hash;
  readonly verdict?: string;
  readonly response?: Hash;
}
type CellRow = [
  unit: string,
  phase: string,
  attempts: number,
  promoted: number,
  results: ResultRow[],
  rest: CellRest | 0,
];
interface CellRest {
  readonly failures?: number;
  readonly running?: RunningAttempt;
  readonly failure?: FailedAttempt;
  readonly superseded?: NonNullable<Cell['superseded']>;
  readonly former?: Hash[];
  readonly promptChange?: PromptChange;
  readonly decision?: GateDecided;
  readonly cost?: Cost;
  readonly placed?: Readonly<Record<string, OutputRecord>>;
}

/** In parts, made as they are asked for: first what there is one of, then the cells, many to a part. */
export function* ledgerToSnapshot(ledger: Ledger): Generator<JsonValue> {
  const { cells, cellsByUnit: _, revisions, ...rest } = ledger;
  yield { version, ledger: rest, revisions: [...revisions.values()] } as unknown as JsonValue;
  let rows: CellRow[] = [];
  for (const cell of cells.values()) {
    rows.push(cellToRow(cell));
    if (rows.length < rowsPerPart) continue;
    yield rows as unknown as JsonValue;
    rows = [];
  }
  if (rows.length > 0) yield rows as unknown as JsonValue;
}

/** Undefined for parts of another version. Their bytes were proven by the file's own checksum. */
export function ledgerFromSnapshot(parts: Iterable<JsonValue>): Ledger | undefined {
  let ledger: Ledger | undefined;
  for (const part of parts) {
    if (ledger === undefined) ledger = ledgerFromHead(part);
    else if (Array.isArray(part)) for (const row of part) addCell(ledger, cellFromRow(row as CellRow));
    else return undefined;
    if (ledger === undefined) return undefined;
  }
  return ledger;
}

const rowsPerPart = 256;

function ledgerFromHead(part: JsonValue): Ledger | undefined {
  if (!isJsonObject(part) || part.version !== version || !isJsonObject(part.ledger)) return undefined;
  const ledger: Ledger = { ...emptyLedger(), ...part.ledger };
  for (const revision of part.revisions as unknown as RevisionRecorded[])
    ledger.revisions.set(revision.revision, revision);
  return ledger;
}

function cellToRow(cell: Cell): CellRow {
  const {
    unit,
    phase,
    attempts,
    promoted,
    failures,
    running,
    failure,
    superseded,
    former,
    promptChange,
    decision,
    cost,
  } = cell;
  const placed =
    cell.placed !== undefined && promotedResult(cell)?.outputs !== cell.placed ? cell.placed : undefined;
  const rest = present({
    failures: failures || undefined,
    running,
    failure,
    superseded,
    former: former.length > 0 ? former : undefined,
    promptChange,
    decision,
    cost,
    placed,
  });
  const results: ResultRow[] = [];
  for (const result of cell.results) if (result !== undefined) results.push(resultToRow(result));
  return [unit, phase, attempts, promoted, results, rest];
}

function cellFromRow([unit, phase, attempts, promoted, rows, rest]: CellRow): Cell {
  const more: CellRest = rest === 0 ? {} : rest;
  const cell: Cell = {
    unit,
    phase,
    attempts,
    failures: more.failures ?? 0,
    results: [],
    running: more.running,
    failure: more.failure,
    superseded: more.superseded,
    promoted,
    placed: more.placed,
    former: more.former ?? [],
    promptChange: more.promptChange,
    decision: more.decision,
    cost: more.cost,
  };
  for (const row of rows) {
    const result = resultFromRow(row);
    keepResult(cell, result);
    if (result.attempt === promoted) cell.placed ??= result.outputs;
  }
  return cell;
}

function resultToRow(result: CellResult): ResultRow {
  const { attempt, iteration, revision, seq, ms, at, inputs, preState, prompt, unitData, verdict, response } =
    result;
  const outputs: OutputRow[] = [];
  for (const name in result.outputs) {
    const { path, hash, size, ino, mtime } = result.outputs[name] as OutputRecord;
    outputs.push([name, path, hash, size, ino, mtime]);
  }
  return [
    attempt,
    iteration,
    revision,
    seq,
    ms,
    at,
    outputs,
    inputs ?? 0,
    present({ preState, prompt, unitData, verdict, response }),
  ];
}

function resultFromRow([
  attempt,
  iteration,
  revision,
  seq,
  ms,
  at,
  rows,
  inputs,
  rest,
]: ResultRow): CellResult {
  const outputs: Record<string, OutputRecord> = {};
  for (const [name, path, hash, size, ino, mtime] of rows) outputs[name] = { path, hash, size, ino, mtime };
  const more: ResultRest = rest === 0 ? {} : rest;
  return {
    attempt,
    iteration,
    revision,
    unitData: more.unitData,
    inputs: inputs === 0 ? undefined : inputs,
    preState: more.preState,
    prompt: more.prompt,
    outputs,
    verdict: more.verdict,
    response: more.response,
    ms,
    at,
    seq,
  };
}

/** The members that are there, or 0 for none: most cells have none. */
function present<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } | 0 {
  let found: Record<string, unknown> | 0 = 0;
  for (const key in members) {
    if (members[key] === undefined) continue;
    found = found === 0 ? {} : found;
    found[key] = members[key];
  }
  return found as { [K in keyof T]?: NonNullable<T[K]> } | 0;
}

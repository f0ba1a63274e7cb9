import { unreachable } from '../base/result.ts';
import type {
  ArtifactAdopted,
  Cost,
  OutputsRestored,
  OverrideUsed,
  PhaseFailed,
  PhaseStarted,
  PhaseSucceeded,
  ResultsKept,
  ResultsSuperseded,
  RunResumed,
  StoredEvent,
} from '../model/event.ts';
import { parseCellName } from '../model/names.ts';
import {
  type Cell,
  type CellResult,
  emptyLedger,
  findCell,
  keepResult,
  type Ledger,
  newestResult,
  type Tally,
} from './ledger.ts';

/** The ledger of a whole journal. */
export function foldEvents(events: Iterable<StoredEvent>): Ledger {
  const ledger = emptyLedger();
  for (const event of events) foldEvent(ledger, event);
  return ledger;
}

/**
 * Takes one more event into the ledger, in place: a ledger belongs to whoever folds it. Events that make no sense
 * where they stand (a success without a start, after lines were lost) are taken as far as they prove something.
 */
export function foldEvent(ledger: Ledger, event: StoredEvent): void {
  ledger.updatedAt = event.at;
  switch (event.type) {
    case 'run_created':
      ledger.run = event;
      ledger.createdAt = event.at;
      noteBoot(ledger, event.boot, event.seq);
      return;
    case 'run_resumed':
      noteResume(ledger, event);
      noteBoot(ledger, event.boot, event.seq);
      return;
    case 'run_ended':
      ledger.ended = event.status;
      if (event.state !== undefined) ledger.shownState = event.state;
      return;
    case 'revision_recorded':
      ledger.revisions.set(event.revision, event);
      ledger.revision = Math.max(ledger.revision, event.revision);
      return;
    case 'phase_started':
      startAttempt(takeCell(ledger, event.unit, event.phase), event);
      countStart(takeTally(ledger, event.phase), event.attempt);
      return;
    case 'process_started': {
      const { running } = takeCell(ledger, event.unit, event.phase);
      if (running?.attempt === event.attempt) running.process = event;
      return;
    }
    case 'phase_succeeded':
      succeed(takeCell(ledger, event.unit, event.phase), event);
      countEnd(takeTally(ledger, event.phase), event.judged?.passed ?? true);
      return;
    case 'phase_failed':
      failAttempt(takeCell(ledger, event.unit, event.phase), event);
      countEnd(takeTally(ledger, event.phase), false);
      return;
    case 'phase_interrupted': {
      const cell = takeCell(ledger, event.unit, event.phase);
      if (cell.running?.attempt === event.attempt) cell.running = undefined;
      return;
    }
    case 'outputs_restored':
      restoreResult(takeCell(ledger, event.unit, event.phase), event);
      return;
    case 'gate_decided':
      takeCell(ledger, event.unit, event.phase).decision = event;
      return;
    case 'results_superseded':
      supersede(ledger, event);
      return;
    case 'results_kept':
      keep(ledger, event);
      return;
    case 'artifact_adopted':
      adopt(takeCell(ledger, event.unit, event.phase), ledger.revision, event);
      return;
    case 'override_used':
      noteOverride(ledger, event);
      return;
    case 'outputs_proven':
      ledger.provenUpTo = Math.max(ledger.provenUpTo, event.upTo);
      return;
    case 'damage_accepted':
      ledger.acceptedDamage.push(...event.findings);
      return;
    default:
      unreachable(event);
  }
}

/** Whoever goes past a limit starts counting anew. */
function noteOverride(ledger: Ledger, event: OverrideUsed & { at: string }): void {
  ledger.overrides.push(event);
  if (event.guard === 'limit-reached') ledger.tallies = [];
}

function takeTally(ledger: Ledger, phase: string): Tally {
  for (const tally of ledger.tallies) if (tally.phase === phase) return tally;
  const tally: Tally = { phase, attempts: 0, retries: 0, bad: 0, badInARow: 0 };
  ledger.tallies.push(tally);
  return tally;
}

function countStart(tally: Tally, attempt: number): void {
  tally.attempts += 1;
  if (attempt > 1) tally.retries += 1;
}

function countEnd(tally: Tally, isGood: boolean): void {
  if (!isGood) tally.bad += 1;
  tally.badInARow = isGood ? 0 : tally.badInARow + 1;
}

const resumesKept = 1000;

function noteResume(
  ledger: Ledger,
  { at, from, manifestChanged = false }: RunResumed & { at: string },
): void {
  ledger.ended = undefined;
  ledger.resumes += 1;
  ledger.resumeHistory.push({ at, from, manifestChanged });
  if (ledger.resumeHistory.length > resumesKept) ledger.resumeHistory.shift();
}

function noteBoot(ledger: Ledger, boot: string, seq: number): void {
  if (ledger.boot === boot && ledger.bootSince !== 0) return;
  ledger.boot = boot;
  ledger.bootSince = seq;
}

function takeCell(ledger: Ledger, unit: string, phase: string): Cell {
  const known = findCell(ledger, unit, phase);
  if (known !== undefined) return known;
  const cell: Cell = {
    unit,
    phase,
    attempts: 0,
    failures: 0,
    results: [],
    running: undefined,
    failure: undefined,
    superseded: undefined,
    promoted: 0,
    placed: undefined,
    former: [],
    adopted: [],
    promptChange: undefined,
    decision: undefined,
    cost: undefined,
  };
  ledger.cells.add(cell);
  return cell;
}

function startAttempt(cell: Cell, event: PhaseStarted & { at: string }): void {
  cell.attempts = Math.max(cell.attempts, event.attempt);
  cell.running = {
    attempt: event.attempt,
    iteration: event.iteration ?? 1,
    revision: event.revision,
    unitData: event.unitData,
    inputs: event.inputs,
    preState: event.preState,
    prompt: event.prompt,
    at: event.at,
    process: undefined,
  };
}

function succeed(cell: Cell, event: PhaseSucceeded & { at: string; seq: number }): void {
  const { running } = cell;
  if (running?.attempt !== event.attempt) {
    // Its start was lost: nobody knows what it was made from, so it proves nothing.
    cell.attempts = Math.max(cell.attempts, event.attempt);
    return;
  }
  const result: CellResult = {
    attempt: event.attempt,
    iteration: running.iteration,
    revision: running.revision,
    unitData: running.unitData,
    inputs: running.inputs,
    preState: running.preState,
    prompt: running.prompt,
    outputs: event.outputs,
    verdict: event.verdict,
    passed: event.judged?.passed,
    score: event.judged?.score,
    defects: event.judged?.passed === false ? event.judged.defects : undefined,
    response: event.response,
    ms: event.ms,
    at: event.at,
    seq: event.seq,
  };
  retire(cell, newestResult(cell));
  keepResult(cell, result);
  cell.promoted = result.attempt;
  cell.placed = result.outputs;
  cell.running = undefined;
  cell.failure = undefined;
  cell.failures = 0;
  cell.superseded = undefined;
  if (cell.promptChange !== undefined && cell.promptChange.after === undefined) {
    cell.promptChange.after = result.prompt;
  }
  cell.cost = addCost(cell.cost, event.cost);
}

function failAttempt(cell: Cell, event: PhaseFailed & { at: string }): void {
  cell.attempts = Math.max(cell.attempts, event.attempt);
  cell.failures += 1;
  const { attempt, reason, message, at, facts } = event;
  cell.failure = { attempt, reason, message, at, ...(facts && { facts }) };
  if (cell.running?.attempt === event.attempt) cell.running = undefined;
}

function supersede(ledger: Ledger, event: ResultsSuperseded): void {
  for (const cell of cellsOf(ledger, event.cells)) {
    const newest = newestResult(cell);
    if (event.because === 'prompt-changed') {
      cell.promptChange = { before: newest?.prompt, after: undefined, reason: event.reason };
    }
    const kept = (event.round ?? 1) - 1;
    for (const result of cell.results.slice(kept)) retire(cell, result);
    cell.results = cell.results.slice(0, kept);
    // A person who asks for a rerun has also answered for an attempt in doubt, and grants a new budget.
    cell.running = undefined;
    cell.failures = 0;
    cell.failure = undefined;
    cell.superseded = { because: event.because, reason: event.reason };
  }
}

function keep(ledger: Ledger, event: ResultsKept): void {
  for (const cell of cellsOf(ledger, event.cells)) {
    for (const result of cell.results) {
      if (result === undefined) continue;
      result.revision = event.revision;
      if (event.unitData !== undefined) result.unitData = event.unitData ?? undefined;
      if (event.inputs !== undefined) result.inputs = event.inputs;
      if (event.preState !== undefined) result.preState = event.preState;
    }
  }
}

function adopt(cell: Cell, revision: number, event: ArtifactAdopted & { at: string; seq: number }): void {
  if (event.attempt !== undefined && event.attempt > cell.attempts)
    keepByHand(cell, revision, event.attempt, event);
  for (const result of cell.results) {
    if (result === undefined || result.attempt !== cell.promoted) continue;
    if (result.outputs[event.output] === undefined && result.byHand !== true) continue;
    retire(cell, result);
    result.outputs = { ...result.outputs, [event.output]: event.after };
    if (event.verdict !== undefined) result.verdict = event.verdict;
    result.seq = event.seq;
    if (!cell.adopted.includes(event.after.hash)) cell.adopted.push(event.after.hash);
    cell.placed = result.outputs;
  }
}

function keepByHand(
  cell: Cell,
  revision: number,
  attempt: number,
  { unitData, verdict, at, seq }: ArtifactAdopted & { at: string; seq: number },
): void {
  cell.attempts = attempt;
  cell.promoted = attempt;
  cell.running = undefined;
  cell.failure = undefined;
  cell.failures = 0;
  cell.superseded = undefined;
  keepResult(cell, {
    attempt,
    iteration: 1,
    revision,
    unitData,
    inputs: undefined,
    preState: undefined,
    prompt: undefined,
    outputs: {},
    verdict,
    response: undefined,
    ms: 0,
    at,
    byHand: true,
    seq,
  });
}

function restoreResult(cell: Cell, event: OutputsRestored & { seq: number }): void {
  const result = cell.results.find((candidate) => candidate?.attempt === event.attempt);
  if (result === undefined) return;
  retire(cell, newestResult(cell));
  result.outputs = { ...result.outputs, ...event.outputs };
  result.seq = event.seq;
  cell.promoted = result.attempt;
  cell.placed = result.outputs;
}

/** Its bytes may still lie at the declared path after a crash: they must not be taken for somebody's edit. */
function retire(cell: Cell, result: CellResult | undefined): void {
  if (result === undefined) return;
  for (const output of Object.values(result.outputs)) {
    if (cell.adopted.includes(output.hash) || cell.former.includes(output.hash)) continue;
    cell.former.push(output.hash);
  }
}

function cellsOf(ledger: Ledger, names: readonly string[]): Cell[] {
  const cells: Cell[] = [];
  for (const name of names) {
    const parsed = parseCellName(name);
    if (parsed !== undefined) cells.push(takeCell(ledger, parsed.unit, parsed.phase));
  }
  return cells;
}

function addCost(before: Cost | undefined, more: Cost | undefined): Cost | undefined {
  if (before === undefined || more === undefined) return before ?? more;
  return {
    usd: (before.usd ?? 0) + (more.usd ?? 0),
    inputTokens: (before.inputTokens ?? 0) + (more.inputTokens ?? 0),
    outputTokens: (before.outputTokens ?? 0) + (more.outputTokens ?? 0),
  };
}

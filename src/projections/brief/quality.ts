import { type Ledger, newestResult, type Step } from '../../ledger/ledger.ts';
import type { Gate, Pipeline } from '../../model/definition.ts';
import type { DefectSummary, QualityTrajectory } from './document.ts';
import { withEarlierDefects, withEarlierGates } from './history.ts';
import { briefStepName } from './survey.ts';

/** What the gates have made of the work so far. */
export function qualityTrajectory(pipeline: Pipeline, ledger: Ledger): QualityTrajectory {
  const gates = gatesOf(pipeline, ledger);
  const completed = gates.filter(isPassed).sort((a, b) => compare(passedAt(a), passedAt(b)));
  const remaining = gates.filter((gate) => !isPassed(gate));
  const current = currentGate(remaining);
  const own = {
    gates_completed: completed.slice(-listMax).map(({ id }) => id),
    gates_remaining: remaining.slice(0, listMax).map(({ id }) => id),
    ...(completed.length > listMax && { gates_completed_total: completed.length }),
    ...(remaining.length > listMax && { gates_remaining_total: remaining.length }),
    current_gate: current?.id ?? null,
    current_gate_iteration: current?.iteration ?? null,
    score_history: scoresOf(gates),
    lowest_dimension: lowestDimension(gates),
    total_iterations_used: gates.reduce((sum, { step }) => sum + (step?.judgements?.length ?? 0), 0),
  };
  return withEarlierGates(own, new Set(gates.map(({ id }) => id)), ledger);
}

/** What the reports of the gates have found fault with. */
export function defectSummary(pipeline: Pipeline, ledger: Ledger): DefectSummary {
  const gates = gatesOf(pipeline, ledger);
  let found = 0;
  let resolved = 0;
  const unresolved: string[] = [];
  for (const { step } of gates) {
    let open: readonly string[] = [];
    for (const { defects = [] } of step?.judgements ?? []) {
      const unique = [...new Set(defects)];
      found += unique.filter((defect) => !open.includes(defect)).length;
      resolved += open.filter((defect) => !unique.includes(defect)).length;
      open = unique;
    }
    unresolved.push(...open);
  }
  const own = {
    total_defects_found: found,
    total_defects_resolved: resolved,
    unresolved_defects: unresolved.slice(0, listMax),
    recurring_patterns: ledger.notes.patterns?.list ?? [],
    last_gate_primary_defect: newestJudged(gates)?.judgements?.at(-1)?.defects?.[0] ?? null,
  };
  return withEarlierDefects(own, ledger);
}

interface GateOfUnit {
  /** `UNIT/PHASE`. */
  readonly id: string;
  readonly gate: Gate;
  /** Undefined before anything was heard of it. */
  readonly step: Step | undefined;
}

const listMax = 100;
const scoresMax = 20;

function gatesOf({ stages }: Pipeline, ledger: Ledger): GateOfUnit[] {
  const found: GateOfUnit[] = [];
  for (const { phases, units } of stages) {
    for (const { name: phase, gate } of phases) {
      if (gate === undefined) continue;
      for (const { id: unit } of units)
        found.push({ id: briefStepName({ unit, phase }), gate, step: ledger.steps.find(unit, phase) });
    }
  }
  return found;
}

/** By the report, by a person, or because the manifest lets it go on after the last round. */
function isPassed({ gate, step }: GateOfUnit): boolean {
  const result = step && newestResult(step);
  if (step === undefined || result?.passed === undefined) return false;
  if (result.passed === true) return true;
  const asked = step.questions?.findLast(({ place }) => place === 'gate');
  if (asked !== undefined) return asked.decided?.decision === 'approved' && asked.decided.at >= result.at;
  return gate.then === 'accept' && result.round >= gate.iterations;
}

function passedAt({ step }: GateOfUnit): string {
  return (step && newestResult(step)?.at) ?? '';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The gate that sent back last, and the round that is under way since. */
function currentGate(remaining: readonly GateOfUnit[]): { id: string; iteration: number } | undefined {
  let current: { id: string; iteration: number; at: string } | undefined;
  for (const { id, gate, step } of remaining) {
    const result = step && newestResult(step);
    if (step === undefined || result?.passed === undefined) continue;
    const isAsking = step.questions?.some(({ place, decided }) => place === 'gate' && decided === undefined);
    const isOver = result.round >= gate.iterations && isAsking !== true;
    if (isOver || result.at < (current?.at ?? '')) continue;
    current = { id, iteration: Math.min(result.round + 1, gate.iterations), at: result.at };
  }
  return current;
}

/** Of the gates that were scored last. */
function scoresOf(gates: readonly GateOfUnit[]): Record<string, number[]> {
  const scored = gates
    .filter(({ step }) => step?.judgements?.some(({ score }) => score !== undefined))
    .sort((a, b) => compare(passedAt(a), passedAt(b)))
    .slice(-listMax);
  const inOrder = gates.filter((gate) => scored.includes(gate));
  return Object.fromEntries(
    inOrder.map(({ id, step }) => [
      id,
      (step?.judgements ?? []).flatMap(({ score }) => score ?? []).slice(-scoresMax),
    ]),
  );
}

/** By the newest judgement of every gate; of equal ones the first by name. */
function lowestDimension(gates: readonly GateOfUnit[]): string | null {
  let lowest: { readonly name: string; readonly score: number } | undefined;
  for (const { step } of gates) {
    for (const [name, score] of Object.entries(step?.judgements?.at(-1)?.scores ?? {})) {
      const isLower = lowest === undefined || score < lowest.score;
      if (isLower || (score === lowest?.score && name < lowest.name)) lowest = { name, score };
    }
  }
  return lowest?.name ?? null;
}

function newestJudged(gates: readonly GateOfUnit[]): Step | undefined {
  let newest: Step | undefined;
  for (const { step } of gates) {
    if (step?.judgements === undefined) continue;
    const at = newestResult(step)?.at ?? '';
    if (newest === undefined || at >= (newestResult(newest)?.at ?? '')) newest = step;
  }
  return newest;
}

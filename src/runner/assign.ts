import { hashJson } from '../base/hash.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import { type Cell, findCell } from '../ledger/ledger.ts';
import { feedbackHash } from '../ledger/questions.ts';
import { modelName, providerOf } from '../model/calls.ts';
import type { ModelCall } from '../model/definition.ts';
import { asksModel } from '../model/executor.ts';
import { priceOf } from '../pipeline/phases/prices.ts';
import { definitionIn } from '../planner/compare.ts';
import { unitParts } from '../planner/unit-parts.ts';
import type { AssignedCall, AssignedInput, Assignment } from './assignment.ts';
import type { Attempt } from './attempt.ts';
import { attemptFolder, type RunContext } from './context.ts';
import { handover } from './handover.ts';
import type { InputFile } from './input-file.ts';
import type { PreparedCall } from './models/prepared-call.ts';
import { providerVariables } from './redaction.ts';

/** Everything that the executor needs, as data. Made once the start is on record, because the call's key counts from there. */
export function assign(run: RunContext, attempt: Attempt): Assignment {
  const { unit, phase, number, iteration, why, prompt, call, taken } = attempt;
  const cell = findCell(run.ledger, unit.id, phase.name);
  const { mode, previous, existing, feedback } = handover(run, attempt);
  const every: Record<string, Assignment['every'][string]> = {};
  for (const name in taken.every)
    every[name] = (taken.every[name] ?? []).map((file) => ({
      ...assigned(`${name}/${file.unit}`, file),
      unit: file.unit,
    }));
  const inputs: AssignedInput[] = [];
  for (const name in taken.inputs) {
    const file = taken.inputs[name];
    if (file !== undefined) inputs.push(assigned(name, file));
  }
  return {
    run: runId(run),
    unit,
    phase,
    attempt: number,
    round: iteration,
    why,
    folder: attemptFolder(run, unit.id, phase.name, number),
    inputs,
    every,
    state: taken.state && assigned('state', taken.state),
    mode,
    previous,
    existing,
    feedback,
    prompt,
    call: call && asksModel(phase) ? assignedCall(run, attempt, phase.executor, call, cell) : undefined,
    work: workParts(run, attempt, cell),
    redaction: providerVariables(run.loaded),
    isDurable: run.loaded.pipeline.durability === 'power',
  };
}

function assigned(name: string, { source: { path, hash, size } }: InputFile): AssignedInput {
  return { name, path, hash, size };
}

function runId({ ledger }: RunContext): string {
  return ledger.run?.run ?? '';
}

function assignedCall(
  run: RunContext,
  { unit, phase, iteration, number }: Attempt,
  executor: ModelCall,
  call: PreparedCall,
  cell: Cell | undefined,
): AssignedCall {
  const { models } = run.loaded.pipeline;
  // The same while the call has brought no answer: after one, another attempt wants an answer of its own.
  const since = cell?.callSince ?? number;
  const parts = [runId(run), unit.id, phase.name, iteration, since, call.key];
  return {
    ...call,
    provider: providerOf(models, executor.provider),
    price: priceOf(models, modelName(executor)),
    idempotencyKey: hashJson(parts).slice('sha256:'.length, 'sha256:'.length + 32),
  };
}

/** The same for every attempt at the same work with the same inputs, in this run. */
function workParts(
  run: RunContext,
  { unit, phase, iteration, made, prompt }: Attempt,
  cell: Cell | undefined,
): JsonObject {
  const inputs: Record<string, string> = {};
  for (const [name, { output }] of made.inputs) inputs[name] = output.hash;
  const statics = run.loaded.statics.get(phase.name);
  const feedback = cell && feedbackHash(cell);
  return {
    run: runId(run),
    cell: `${unit.id}/${phase.name}`,
    iteration,
    definition: statics === undefined ? '' : definitionIn(statics, iteration),
    ...workedUnit(run, unit.id, phase.name),
    inputs,
    preState: made.preState?.hash ?? '',
    prompt: prompt?.hash ?? '',
    ...(feedback !== undefined && { feedback }),
  };
}

/** The unit in the words of older versions of Pawl: a key that was handed out before an upgrade is the same after it. */
function workedUnit({ loaded }: RunContext, unit: string, phase: string): Record<string, JsonValue> {
  const { unitData = '', unitFile } = unitParts(loaded, unit, phase);
  const older = loaded.unitDataWithFile.get(unit);
  if (unitFile === undefined) return { unitData };
  return older === undefined ? { unitData, unitFile: unitFile.hash } : { unitData: older };
}

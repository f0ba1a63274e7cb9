import { type Hash, hashJson } from '../../base/hash.ts';
import { findStep, type Step } from '../../ledger/ledger.ts';
import { feedbackHash } from '../../ledger/questions.ts';
import { modelName, providerOf } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import { asksModel } from '../../model/executor.ts';
import { runFile } from '../../model/run-folder.ts';
import { priceOf } from '../../pipeline/phases/prices.ts';
import { definitionIn } from '../../planner/compare.ts';
import { unitParts } from '../../planner/fixed-parts.ts';
import type { MadeFrom } from '../../planner/plan.ts';
import type { RunContext } from '../context.ts';
import type {
  AssignedCall,
  AssignedInput,
  Assignment,
  PreparedCall,
  WorkIdentity,
} from '../executors/assignment.ts';
import type { InputFile, TaskInputs } from '../executors/input-file.ts';
import { providerVariables } from '../redaction.ts';
import { type Attempt, handover } from './attempt.ts';

/** Everything that the executor needs, as data. Made once the start is on record, because the call's key counts from there. */
export function assign(run: RunContext, attempt: Attempt): Assignment {
  const { unit, phase, number, round, why, prompt, call, taken } = attempt;
  const step = findStep(run.ledger, unit.id, phase.name);
  const { mode, previous, existing, feedback } = handover(run, attempt);
  return {
    run: runId(run),
    unit,
    phase,
    attempt: number,
    round: round,
    why,
    attempts: runFile(run.folder, 'attempts'),
    inputs: inputsAssigned(taken),
    every: everyAssigned(taken),
    state: taken.state && assigned('state', taken.state),
    mode,
    previous,
    existing,
    feedback,
    prompt,
    call: call && asksModel(phase) ? assignedCall(run, attempt, phase.executor, call, step) : undefined,
    work: workIdentity(run, attempt, step),
    redaction: providerVariables(run.loaded),
    isDurable: run.loaded.pipeline.durability === 'power',
  };
}

/** An optional input that is not there has no entry. */
function inputsAssigned({ inputs }: TaskInputs): Assignment['inputs'] {
  const names = Object.keys(inputs);
  return names.length === 0 ? noInputs : names.map((name) => assigned(name, inputs[name] as InputFile));
}

const noInputs: Assignment['inputs'] = [];

function assigned(name: string, { source: { path, hash, size } }: InputFile): AssignedInput {
  return { name, path, hash, size };
}

function everyAssigned({ every }: TaskInputs): Assignment['every'] {
  const names = Object.keys(every);
  if (names.length === 0) return none;
  return Object.fromEntries(
    names.map((name) => [
      name,
      (every[name] ?? []).map(({ unit, source: { path, hash, size } }) => ({
        name: `${name}/${unit}`,
        unit,
        path,
        hash,
        size,
      })),
    ]),
  );
}

const none: Readonly<Record<string, never>> = {};

function runId({ ledger }: RunContext): string {
  return ledger.run?.run ?? '';
}

function assignedCall(
  run: RunContext,
  { unit, phase, round, number }: Attempt,
  executor: ModelCall,
  call: PreparedCall,
  step: Step | undefined,
): AssignedCall {
  const { models } = run.loaded.pipeline;
  // The same while the call has brought no answer: after one, another attempt wants an answer of its own.
  const since = step?.callSince ?? number;
  const parts = [runId(run), unit.id, phase.name, round, since, call.key];
  return {
    ...call,
    provider: providerOf(models, executor.provider),
    price: priceOf(models, modelName(executor)),
    idempotencyKey: hashJson(parts).slice('sha256:'.length, 'sha256:'.length + 32),
  };
}

function workIdentity(
  { loaded }: RunContext,
  { unit, phase, round, made }: Attempt,
  step: Step | undefined,
): WorkIdentity {
  const statics = loaded.statics.get(phase.name);
  const { unitData = '', unitFile } = unitParts(loaded, unit.id, phase.name);
  // In the words of older versions of Pawl, because a key that was handed out before an upgrade is the same after it.
  const older = unitFile && loaded.unitDataWithFile.get(unit.id);
  return {
    definition: statics === undefined ? '' : definitionIn(statics, round),
    inputs: consumedHashes(made),
    unitData: older ?? unitData,
    unitFile: older === undefined ? unitFile?.hash : undefined,
    feedback: step && feedbackHash(step),
  };
}

function consumedHashes({ inputs }: MadeFrom): WorkIdentity['inputs'] {
  if (inputs.size === 0) return none;
  const hashes: Record<string, Hash> = {};
  for (const [name, { output }] of inputs) hashes[name] = output.hash;
  return hashes;
}

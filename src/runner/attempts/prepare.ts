import { ok, type Result } from '../../base/result.ts';
import { findStep } from '../../ledger/ledger.ts';
import { feedbackHash } from '../../ledger/questions.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { ArtifactRef, AttemptStarted, CallIntent } from '../../model/event.ts';
import { asksModel } from '../../model/executor.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { recordedReason } from '../../model/reason.ts';
import type { RenderedPrompt } from '../../pipeline/loaded.ts';
import { unitParts } from '../../planner/fixed-parts.ts';
import type { RunContext } from '../context.ts';
import type { PreparedCall } from '../executors/assignment.ts';
import type { Attempt, ReadyStep } from './attempt.ts';
import { keepOwnFile, takeInputs } from './inputs.ts';
import { connectionsOf } from './local-host.ts';
import { promptHash, renderPrompt } from './prompt.ts';

/** Numbers are never used twice, so that what an earlier attempt left stays as it was. */
export function nextNumber(run: RunContext, unit: string, phase: string): number {
  return (findStep(run.ledger, unit, phase)?.attempts ?? 0) + 1;
}

/** Everything that an attempt needs, before it costs anything. */
export async function prepareAttempt(
  run: RunContext,
  step: ReadyStep,
  number: number,
): Promise<Result<Attempt, AttemptFailure>> {
  const { unit, phase } = step;
  if (unit.file !== undefined && run.loaded.fileTakers.has(phase.name)) await keepOwnFile(run, unit.file);
  const taken = takeInputs(run, step, number);
  if (!taken.ok) return taken;
  const prompt = phase.prompt === undefined ? ok(undefined) : await renderPrompt(run, step, taken.value);
  if (!prompt.ok) return prompt;
  if (asksModel(phase) && prompt.value !== undefined) {
    const { prepareCall } = await import('./prepare-call.ts');
    const call = await prepareCall(run, step, phase.executor, prompt.value, taken.value);
    if (!call.ok) return call;
    // A provider that cannot be asked, or takes long to load, leaves no call in doubt: nothing is on record yet.
    const { reachProvider } = await import('./earlier-answers.ts');
    const reached = await reachProvider(run, connectionsOf(run), step, phase.executor, call.value);
    if (!reached.ok) return reached;
    return ok(new PreparedAttempt(step, number, taken.value, prompt.value, call.value));
  }
  return ok(new PreparedAttempt(step, number, taken.value, prompt.value));
}

class PreparedAttempt implements Attempt {
  readonly unit: ReadyStep['unit'];
  readonly phase: ReadyStep['phase'];
  readonly round: number;
  readonly why: ReadyStep['why'];
  readonly made: ReadyStep['made'];
  readonly number: number;
  readonly taken: Attempt['taken'];
  readonly prompt: RenderedPrompt | undefined;
  readonly call: PreparedCall | undefined;

  constructor(
    { unit, phase, round, why, made }: ReadyStep,
    number: number,
    taken: Attempt['taken'],
    prompt: RenderedPrompt | undefined,
    call?: PreparedCall,
  ) {
    this.unit = unit;
    this.phase = phase;
    this.round = round;
    this.why = why;
    this.made = made;
    this.number = number;
    this.taken = taken;
    this.prompt = prompt;
    this.call = call;
  }
}

export function startedEvent(
  run: RunContext,
  { unit, phase, round, made, why }: ReadyStep,
  attempt: number,
  {
    prompt,
    call,
  }: { readonly prompt?: RenderedPrompt | undefined; readonly call?: PreparedCall | undefined },
): AttemptStarted {
  const step = findStep(run.ledger, unit.id, phase.name);
  const said = step && feedbackHash(step);
  const inputs: Record<string, ArtifactRef> = {};
  for (const [name, consumed] of made.inputs) inputs[name] = consumed.ref;
  const superseded = step?.superseded?.because === why.code ? step.superseded : undefined;
  const reason = recordedReason(why, attempt, superseded?.decision);
  return {
    type: 'attempt_started',
    unit: unit.id,
    phase: phase.name,
    attempt,
    ...(round > 1 && { round: round }),
    revision: run.ledger.revision,
    ...unitParts(run.loaded, unit.id, phase.name),
    ...(made.inputs.size > 0 && { inputs }),
    ...(made.preState !== undefined && { preState: made.preState }),
    ...promptHash(prompt),
    ...(said !== undefined && { feedback: said }),
    ...(call !== undefined && asksModel(phase) && { call: intentOf(phase.executor, call) }),
    ...(reason !== undefined && { why: reason }),
  };
}

function intentOf(executor: ModelCall, { key, atStake }: PreparedCall): CallIntent {
  return { model: modelName(executor), key, ...(atStake !== undefined && { atStake }) };
}

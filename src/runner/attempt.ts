import { fail, ok, type Result } from '../base/result.ts';
import { findCell } from '../ledger/ledger.ts';
import { feedbackHash } from '../ledger/questions.ts';
import type { ArtifactRef, Cost, PhaseStarted } from '../model/event.ts';
import type { AttemptFailure } from '../model/failure.ts';
import type { RenderedPrompt } from '../pipeline/loaded.ts';
import type { Assignment, Attempt } from './assignment.ts';
import { type RunContext, record } from './context.ts';
import { execute } from './execute.ts';
import { releaseInputs, takeInputs } from './inputs.ts';
import { type KeptOutputs, keepOutputs, promoteOutputs } from './outputs.ts';
import { promptHash, renderPrompt } from './prompt.ts';

export type AttemptOutcome =
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly failure: AttemptFailure; readonly ms: number }
  | { readonly kind: 'interrupted' }
  /** An earlier phase is done again first. */
  | { readonly kind: 'revised' };

/**
 * One attempt, from the record of its start to the promotion of its outputs. The order is the promise: started is
 * durable before anything is paid; the bytes are durable before the success that names them; the success is
 * durable before anybody sees the files. A crash between any two of these loses nothing that was acknowledged.
 */
export async function attemptCell(
  run: RunContext,
  assignment: Assignment,
  /** Told when the start is on record. */
  begun: () => void = () => undefined,
): Promise<AttemptOutcome> {
  const { unit, phase, iteration, why } = assignment;
  const at = { unit: unit.id, phase: phase.name, attempt: nextNumber(run, unit.id, phase.name) };
  const rounds = iteration > 1 ? { iteration } : {};
  const began = run.clock.monotonicMs();
  const elapsed = () => Math.round(run.clock.monotonicMs() - began);

  const prepared = await prepare(run, assignment, at.attempt);
  await record(
    run,
    startedEvent(run, assignment, at.attempt, prepared.ok ? prepared.value.prompt : undefined),
  );
  begun();
  run.observe({ type: 'attempt-started', ...at, iteration, why });

  const costs: Cost[] = [];
  const kept = prepared.ok ? await work(run, prepared.value, costs) : prepared;
  if (prepared.ok) releaseInputs(prepared.value.taken);
  if (!kept.ok && run.interrupt.aborted) {
    await record(run, { type: 'phase_interrupted', ...at, ...rounds, ms: elapsed() });
    run.observe({ type: 'attempt-interrupted', ...at });
    return { kind: 'interrupted' };
  }
  if (!kept.ok) {
    const { reason, message, facts } = kept.failure;
    const ms = elapsed();
    if (reason === 'revision-requested') {
      const to = String(facts?.to ?? '');
      await record(run, { type: 'revision_requested', ...at, ...rounds, to, reason: message, ms });
      return { kind: 'revised' };
    }
    await record(run, {
      type: 'phase_failed',
      ...at,
      ...rounds,
      reason,
      message: message.slice(0, messageLengthMax),
      ms,
      ...(facts && { facts }),
    });
    return { kind: 'failed', failure: kept.failure, ms };
  }
  const { outputs, verdict, judged, response } = kept.value;
  const before = findCell(run.ledger, unit.id, phase.name)?.placed;
  const ms = elapsed();
  await record(run, {
    type: 'phase_succeeded',
    ...at,
    ...rounds,
    outputs,
    ms,
    ...(verdict !== undefined && { verdict }),
    ...(judged !== undefined && { judged }),
    ...(response !== undefined && { response }),
    ...(costs.length > 0 && { cost: sum(costs) }),
  });
  promoteOutputs(run, at, outputs, before);
  run.observe({ type: 'attempt-succeeded', ...at, iteration, ms, verdict, judged });
  return { kind: 'succeeded' };
}

export const messageLengthMax = 4_000;

/** Numbers are never used twice, so that what an earlier attempt left stays as it was. */
export function nextNumber(run: RunContext, unit: string, phase: string): number {
  return (findCell(run.ledger, unit, phase)?.attempts ?? 0) + 1;
}

/** Everything that an attempt needs, before it costs anything. */
export async function prepare(
  run: RunContext,
  assignment: Assignment,
  number: number,
): Promise<Result<Attempt, AttemptFailure>> {
  const { phase } = assignment;
  const taken = takeInputs(run, assignment, number);
  if (!taken.ok) return taken;
  const prompt =
    phase.prompt === undefined ? ok(undefined) : await renderPrompt(run, assignment, taken.value);
  if (!prompt.ok) return prompt;
  // What is spread comes last: a spread in front gives each object a shape of its own, which costs microseconds.
  return ok({ number, taken: taken.value, prompt: prompt.value, ...assignment });
}

export function startedEvent(
  run: RunContext,
  { unit, phase, iteration, made }: Assignment,
  attempt: number,
  prompt: RenderedPrompt | undefined,
): PhaseStarted {
  const unitData = run.loaded.unitData.get(unit.id);
  const cell = findCell(run.ledger, unit.id, phase.name);
  const said = cell && feedbackHash(cell);
  const inputs: Record<string, ArtifactRef> = {};
  for (const [name, consumed] of made.inputs) inputs[name] = consumed.ref;
  return {
    type: 'phase_started',
    unit: unit.id,
    phase: phase.name,
    attempt,
    ...(iteration > 1 && { iteration }),
    revision: run.ledger.revision,
    ...(unitData !== undefined && { unitData }),
    ...(made.inputs.size > 0 && { inputs }),
    ...(made.preState !== undefined && { preState: made.preState }),
    ...promptHash(prompt),
    ...(said !== undefined && { feedback: said }),
  };
}

async function work(
  run: RunContext,
  attempt: Attempt,
  costs: Cost[],
): Promise<Result<KeptOutputs, AttemptFailure>> {
  const produced = await execute(run, attempt, costs);
  if (run.interrupt.aborted && !produced.ok)
    return fail({ reason: 'command-killed', message: 'interrupted' });
  return produced.ok ? await keepOutputs(run, attempt, produced.value) : produced;
}

function sum(costs: readonly Cost[]): Cost {
  const total = (of: (cost: Cost) => number | undefined) =>
    costs.reduce((all, cost) => all + (of(cost) ?? 0), 0);
  return {
    usd: total((cost) => cost.usd),
    inputTokens: total((cost) => cost.inputTokens),
    outputTokens: total((cost) => cost.outputTokens),
  };
}

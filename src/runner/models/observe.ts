import type { ModelCall } from '../../model/definition.ts';
import type { CallRecord, Cost } from '../../model/event.ts';
import type { Attempt } from '../attempt.ts';
import type { RunContext } from '../context.ts';

/** Tells that a call has ended; `failure`: why there is no answer. */
export function observeCall(
  run: RunContext,
  { unit, phase, number }: Attempt,
  { provider, model, parameters }: ModelCall,
  { answered, request, finish, ms, firstMs, reused }: CallRecord,
  { usd, ...usage }: Cost,
  failure: string | undefined,
): void {
  run.observe({
    type: 'call-ended',
    unit: unit.id,
    phase: phase.name,
    attempt: number,
    provider,
    model,
    answered,
    parameters,
    request,
    finish,
    ms,
    firstMs,
    usage,
    usd,
    failure,
    reused: reused !== undefined,
  });
}

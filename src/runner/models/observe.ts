import type { ModelCall } from '../../model/definition.ts';
import type { CallRecord, Cost } from '../../model/event.ts';
import type { Assignment } from '../assignment.ts';
import type { ExecutorHost } from '../executor-host.ts';

/** Tells that a call has ended; `failure`: why there is no answer. */
export function observeCall(
  { progress }: Pick<ExecutorHost, 'progress'>,
  { unit, phase, attempt }: Assignment,
  { provider, model, parameters }: ModelCall,
  { answered, request, finish, ms, firstMs, reused }: CallRecord,
  { usd, ...usage }: Cost,
  failure: string | undefined,
): void {
  progress({
    type: 'call-ended',
    unit: unit.id,
    phase: phase.name,
    attempt,
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

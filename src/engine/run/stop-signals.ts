import type { RunContext } from '../../runner/context.ts';
import type { Workspace } from '../open/workspace.ts';
import type { RunRequest } from './run-request.ts';

/** How a sitting is told to end. */
export type StopSignals = Pick<RunContext, 'stop' | 'interrupt'>;

/**
 * The first signal lets what runs end, for as long as the pace grants; then it is ended. Whoever wants to end what
 * runs wants nothing more to start. When the sitting is over nobody waits for the end of the grace any more.
 */
export function stopSignals({ env, loaded }: Workspace, request: RunRequest, over: AbortSignal): StopSignals {
  const asked = [request.stop, request.interrupt].filter((signal) => signal !== undefined);
  const stop = AbortSignal.any(asked);
  const interrupt = new AbortController();
  const end = () => interrupt.abort();
  const afterGrace = async () => {
    await env.clock.sleep(loaded.pipeline.pace.graceMs, AbortSignal.any([interrupt.signal, over]));
    if (!over.aborted) end();
  };
  request.interrupt?.addEventListener('abort', end, { once: true, signal: over });
  stop.addEventListener('abort', () => void afterGrace(), { once: true, signal: over });
  return { stop, interrupt: interrupt.signal };
}

import type { JsonObject } from '../../base/json.ts';
import type { AgentName } from '../../engine/agents/supports.ts';
import type { HookAnswer, HookCall } from '../call.ts';

/** How one coding agent talks to its hooks. */
export interface Dialect {
  readonly agent: AgentName;
  /**
   * The call that a payload means; undefined for an event that no hook answers. `event` is the name that the hook
   * was called with, for agents whose payload does not say.
   */
  read(payload: JsonObject, event: string | undefined): HookCall | undefined;
  /** The document for stdout; undefined: nothing is printed. */
  write(answer: HookAnswer | undefined, call: HookCall): JsonObject | undefined;
}

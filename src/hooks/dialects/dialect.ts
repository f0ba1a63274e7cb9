import type { JsonObject } from '../../base/json.ts';
import type { AgentName } from '../../engine/agents/supports.ts';
import type { HookAnswer, HookCall } from '../call.ts';

/** How one coding agent talks to its hooks. */
export interface Dialect {
  readonly agent: AgentName;
  /**
   * What a payload means; undefined for an event that hooks have nothing to do with. `event` is the name that the hook
   * was called with, for agents whose payload does not say.
   */
  read(payload: JsonObject, event: string | undefined): HookCall | undefined;
  /** What goes to stdout; undefined: nothing, and nobody is told. */
  write(answer: HookAnswer | undefined, call: HookCall): JsonObject | undefined;
}

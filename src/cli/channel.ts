import { type AgentMarker, agentHere } from '../engine/person.ts';
import type { Channel } from '../model/definition.ts';

/** A terminal counts as a person's unless a coding agent made it for its own shell. */
export function channelHere(): { readonly channel: Channel; readonly agent: AgentMarker | undefined } {
  const agent = agentHere();
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY && agent === undefined;
  return { channel: isTerminal ? 'terminal' : 'script', agent };
}

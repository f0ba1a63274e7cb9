import { type AgentMarker, agentHere, whoIsHere } from '../engine/person.ts';
import type { Channel } from '../model/definition.ts';
import type { Decider } from '../model/event.ts';
import { type Call, textOption } from './call.ts';

/** A terminal counts as a person's unless a coding agent made it for its own shell. */
export function channelHere(): { readonly channel: Channel; readonly agent: AgentMarker | undefined } {
  const agent = agentHere();
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY && agent === undefined;
  return { channel: isTerminal ? 'terminal' : 'script', agent };
}

/** Who decides what this call decides. */
export function deciderOf(call: Call): Decider {
  const { channel, agent: marker } = channelHere();
  const agent = (textOption(call, 'actor') ?? process.env.PAWL_ACTOR) || marker?.client;
  return { ...whoIsHere(), channel, ...(agent !== undefined && { agent }) };
}

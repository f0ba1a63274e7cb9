import type { CallPlace } from '../engine/open/environment.ts';
import { type AgentMarker, agentHere, whoIsHere } from '../engine/open/person.ts';
import type { Channel } from '../model/definition.ts';
import type { Decider } from '../model/event.ts';
import { type Call, textOption } from './call.ts';
import type { CommandIo } from './command-io.ts';
import type { Started } from './start-in.ts';

/** What use cases need of a call: its process, its folder and the person or agent who decides. */
export function placeOf(io: CommandIo, started: Started | undefined, call?: Call): CallPlace {
  return {
    process: io.process,
    clock: io.clock,
    get cwd() {
      return started?.cwd ?? io.cwd;
    },
    typedIn: started?.typedIn,
    decider: call && (() => deciderOf(call, io)),
  };
}

/** A terminal counts as a person's unless a coding agent made it for its own shell. */
export function channelOf(io: CommandIo): {
  readonly channel: Channel;
  readonly agent: AgentMarker | undefined;
} {
  const agent = agentHere(io.process.variables);
  const isTerminal = io.stdin.isTTY && io.stderr.isTTY && agent === undefined;
  return { channel: isTerminal ? 'terminal' : 'script', agent };
}

/** The person or agent that is recorded for the decisions of this call. */
function deciderOf(call: Call, io: CommandIo): Decider {
  const { channel, agent: marker } = channelOf(io);
  const agent = (textOption(call, 'actor') ?? io.process.variables.PAWL_ACTOR) || marker?.client;
  return { ...whoIsHere(), channel, ...(agent !== undefined && { agent }) };
}

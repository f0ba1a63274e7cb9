import type { CallPlace } from '../engine/open/environment.ts';
import type { Call } from './call.ts';
import { deciderOf } from './channel.ts';
import type { CommandIo } from './command-io.ts';
import type { Started } from './start-in.ts';

/** Where the use cases of a call find its process, its folder and who decides. */
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

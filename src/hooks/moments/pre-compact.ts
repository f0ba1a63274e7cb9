import type { HookCall } from '../call.ts';
import { leaveCheckpoint } from '../compactions.ts';
import { readContext } from '../context.ts';
import { isResumable, lookAtRun } from '../run-look.ts';
import type { World } from '../world.ts';
import { type Outcome, silence } from './outcome.ts';

/** The context is about to be lost: where the work stood last is put down. Nothing can be said to the agent here. */
export function beforeCompaction(world: World, root: string, call: HookCall): Outcome {
  const look = lookAtRun(world, root);
  if (look !== undefined && isResumable(look)) {
    const fill = call.fill ?? readContext(world.env.disk, root, call.session).fill;
    leaveCheckpoint(world, look, call, fill);
  }
  return silence;
}

import type { HookCall } from '../call.ts';
import { leaveCheckpoint } from '../compactions.ts';
import { readContext } from '../context.ts';
import { isResumable, lookClosely } from '../run-look.ts';
import type { World } from '../world.ts';
import { type Outcome, silence } from './outcome.ts';

/** The context is about to be lost: where the work stands is put down. Nothing can be said to the agent here. */
export async function beforeCompaction(world: World, root: string, call: HookCall): Promise<Outcome> {
  const look = await lookClosely(world, root, false);
  if (look !== undefined && isResumable(look)) {
    const fill = call.fill ?? readContext(world.env.disk, root, call.session).fill;
    leaveCheckpoint(world, look, call, fill);
  }
  return silence;
}

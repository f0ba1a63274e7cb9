import type { HookAnswer, HookCall } from '../call.ts';
import { type Compaction, compactionsOf } from '../compactions.ts';
import { isScored } from '../facts.ts';
import type { Note } from '../inbox.ts';
import { livenessOf } from '../liveness.ts';
import type { RunLook } from '../run-look.ts';
import { orientation } from '../words.ts';
import type { Disk, World } from '../world.ts';

export interface Oriented {
  readonly answer: HookAnswer;
  readonly reoriented: Note;
}

/** Shows where the work stands, and if wanted the newest compaction that no agent was shown. */
export function orient(world: World, look: RunLook, tellsOfCompaction: boolean): Oriented {
  const { env } = world;
  const all = compactionsOf(env.disk, look);
  const newest = all.at(-1);
  const missed = tellsOfCompaction ? all.findLast(({ isAcknowledged }) => !isAcknowledged) : undefined;
  const context = orientation({
    digest: look.state.digest,
    compaction: missed,
    isRoundOpen: missed !== undefined && isRoundOpen(look, missed),
    isBehind: !look.isCurrent,
    ...livenessOf(world, look),
    command: world.command(look.root),
    mark: env.ids.random(8),
  });
  // Also without a compaction, because one may come before the engine records this note.
  const reoriented: Note = { kind: 'reoriented', upTo: newest?.id ?? 'CX-000' };
  return { answer: { context }, reoriented };
}

function isRoundOpen({ state }: RunLook, { gate, iteration }: Compaction): boolean {
  return gate !== undefined && iteration !== undefined && !isScored(state, gate, iteration);
}

export const notOriented = { answer: undefined, reoriented: undefined };

/** The session has lost its context since it was last shown where the work stands. */
export function wasCompacted(disk: Disk, look: RunLook, { session }: HookCall): boolean {
  return compactionsOf(disk, look).some(
    ({ isAcknowledged, file }) => !isAcknowledged && file !== undefined && file.session === session,
  );
}

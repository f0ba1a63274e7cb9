import type { HookCall } from '../call.ts';
import { readContext, readSaid, type Said, type Tier, tierOf, writeSaid } from '../context.ts';
import type { Note } from '../inbox.ts';
import { attempt } from '../log.ts';
import { isResumable, lookAtRun } from '../run-look.ts';
import { stalenessOf } from '../staleness.ts';
import { contextMonitor } from '../words.ts';
import type { World } from '../world.ts';
import { notOriented, orient, wasCompacted } from './orientation.ts';
import { type Outcome, silence } from './outcome.ts';

/**
 * A person speaks to the agent: it is shown how full its context is and how far the brief can be trusted, if that has
 * changed. Most agents send no event after a compaction: those are shown here where the work stands.
 */
export async function atPrompt(world: World, root: string, call: HookCall): Promise<Outcome> {
  const look = lookAtRun(world, root);
  if (look === undefined || !isResumable(look)) return silence;
  const { disk } = world.env;
  const { fill } = readContext(disk, root, call.session);
  const tier = tierOf(fill);
  const said = readSaid(disk, root, call.session);
  const staleness = await stalenessOf(world, look, call.session);
  const text = contextMonitor(fill, tier, staleness, world.command(root));
  const isNew = said?.text !== text;
  attempt(world.env, root, () => {
    if (isNew) writeSaid(world, root, call.session, { text, tier, since: said?.since });
  });
  const { answer, reoriented } = wasCompacted(disk, look, call) ? orient(world, look, true) : notOriented;
  const pieces = [...(answer === undefined ? [] : [answer.context]), ...(isNew ? [text] : [])];
  return {
    look,
    answer: pieces.length === 0 ? undefined : { context: pieces.join('\n\n') },
    notes: crossing(said, tier, fill),
    notesWhenAnswered: reoriented === undefined ? [] : [reoriented],
  };
}

/** A new context is nearly empty, so the first prompt of a session crosses a limit only if it is not. */
function crossing(said: Said | undefined, tier: Tier, fill: number | undefined): Note[] {
  const before = said === undefined || said.tier === 'UNKNOWN' ? 'NOMINAL' : said.tier;
  if (fill === undefined || tier === before) return [];
  return [{ kind: 'context-crossed', fill, tier }];
}

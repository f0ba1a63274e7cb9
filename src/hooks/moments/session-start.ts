import { formatTime } from '../../base/clock.ts';
import type { HookCall } from '../call.ts';
import { forgetFill, readSaid, writeSaid } from '../context.ts';
import type { Note } from '../inbox.ts';
import { attempt } from '../log.ts';
import { lookClosely } from '../run-look.ts';
import { doubtLine } from '../words.ts';
import type { World } from '../world.ts';
import { orient } from './orientation.ts';
import { type Outcome, silence } from './outcome.ts';

/** A session begins or is resumed: it is shown where the work stands, if a run can be resumed. */
export async function atSessionStart(world: World, root: string, call: HookCall): Promise<Outcome> {
  const look = await lookClosely(world, root);
  if (look === undefined) return silence;
  if (typeof look === 'string')
    return { ...silence, answer: { context: doubtLine(look, world.command(root)) } };
  const { source = 'startup', session } = call;
  attempt(world.env, root, () => {
    if (source === 'compact' || source === 'clear') forgetFill(world, root, session);
    rememberStart(world, root, session);
  });
  const started: Note = { kind: 'session-started', source };
  // A person who clears the context knows that it is lost, so the loss is not reported.
  const { answer, reoriented } = orient(world, look, source !== 'clear');
  return { look, answer, notes: [started], notesWhenAnswered: [reoriented] };
}

/** Kept over resumptions and compactions, because the brief counts them as one session. */
function rememberStart(world: World, root: string, session: string): void {
  const said = readSaid(world.env.disk, root, session);
  if (said?.since !== undefined) return;
  const since = formatTime(world.env.clock.now());
  writeSaid(world, root, session, { text: said?.text ?? '', tier: said?.tier ?? 'UNKNOWN', since });
}

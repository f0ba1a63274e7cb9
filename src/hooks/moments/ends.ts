import type { HookCall } from '../call.ts';
import { forgetSession } from '../context.ts';
import type { Note } from '../inbox.ts';
import { attempt } from '../log.ts';
import { isResumable, lookAtRun } from '../run-look.ts';
import { summaryLine } from '../words.ts';
import type { World } from '../world.ts';
import { type Outcome, silence } from './outcome.ts';

/** The end of an agent's turn. An agent that a hook kept from stopping ended its turn before, and is not noted again. */
export function atStop(world: World, root: string, call: HookCall): Outcome {
  return call.stopHookActive === true ? silence : noted(world, root, { kind: 'stopped' });
}

/** An agent that the agent had started is done: one line of what it said last is kept. */
export function atSubagentStop(world: World, root: string, call: HookCall): Outcome {
  if (call.stopHookActive === true) return silence;
  const { id = '', type = '', message } = call.subagent ?? {};
  const summary = message === undefined ? undefined : summaryLine(message);
  return noted(world, root, {
    kind: 'subagent-stopped',
    agent_id: id,
    agent_type: type,
    ...(summary !== undefined && { summary }),
  });
}

/** The end of a session. The agent does not wait for an answer, so only one file is left. */
export function atSessionEnd(world: World, root: string, call: HookCall): Outcome {
  attempt(world.env, root, () => forgetSession(world, root, call.session));
  return noted(world, root, { kind: 'session-ended', reason: call.reason ?? 'other' });
}

function noted(world: World, root: string, note: Note): Outcome {
  const look = lookAtRun(world, root);
  return look !== undefined && isResumable(look) ? { ...silence, look, notes: [note] } : silence;
}

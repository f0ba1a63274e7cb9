import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { HookCall } from './call.ts';
import type { Dialect } from './dialects/dialect.ts';
import { dialectOf } from './dialects/index.ts';
import { handle } from './handle.ts';
import { dropNote } from './inbox.ts';
import { appendLog, attempt, messageOf } from './log.ts';
import { type Outcome, silence } from './moments/outcome.ts';
import type { Input } from './stdin.ts';
import { workspaceOf } from './workspace.ts';
import type { World } from './world.ts';

/**
 * Answers one call of a hook. It never throws, because no error here may hold up an agent. `print` says
 * whether the agent has taken the answer.
 */
export async function respond(
  world: World,
  [agent, event]: readonly string[],
  input: Input,
  print: (text: string) => boolean,
): Promise<void> {
  try {
    const dialect = dialectOf(agent);
    const payload = payloadOf(input);
    const call = dialect && typeof payload === 'object' ? dialect.read(payload, event) : undefined;
    if (dialect !== undefined && call !== undefined) return await carryOut(world, dialect, call, print);
    const trouble = dialect === undefined ? `no agent is called ${agent ?? ''}` : payload;
    if (typeof trouble === 'string') appendLog(world.env, workspaceOf(world, { cwd: undefined }), trouble);
  } catch (error) {
    appendLog(world.env, undefined, messageOf(error));
  }
}

/** Or what is wrong with it; undefined when there is none, as when a person tries the command. */
export function payloadOf(input: Input): JsonObject | string | undefined {
  if (input.kind === 'nothing') return undefined;
  if (input.kind === 'too-long') return 'the payload is too long';
  try {
    const payload: unknown = JSON.parse(input.text);
    return isJsonObject(payload) ? payload : 'the payload is no JSON object';
  } catch (error) {
    return `the payload is no JSON: ${messageOf(error)}`;
  }
}

async function carryOut(
  world: World,
  dialect: Dialect,
  call: HookCall,
  print: (text: string) => boolean,
): Promise<void> {
  const root = workspaceOf(world, call);
  const outcome = root === undefined ? silence : await tried(world, root, call);
  const written = dialect.write(outcome.answer, call);
  const isShown =
    written !== undefined && print(`${JSON.stringify(written)}\n`) && outcome.answer !== undefined;
  const { look } = outcome;
  if (look === undefined) return;
  // Only now, because the note says that the agent got the answer.
  for (const note of [...outcome.notes, ...(isShown ? outcome.notesWhenAnswered : [])])
    attempt(world.env, look.root, () => dropNote(world, look, call, note));
}

async function tried(world: World, root: string, call: HookCall): Promise<Outcome> {
  try {
    return await handle(world, root, call);
  } catch (error) {
    appendLog(world.env, root, `${call.agent} ${call.event}: ${messageOf(error)}`);
    return silence;
  }
}

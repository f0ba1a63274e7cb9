import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { clip, plain } from '../base/plain.ts';
import { writeContext } from './context.ts';
import { factsOf } from './facts.ts';
import { folderOf, objectOf, percentOf, textOf } from './fields.ts';
import { appendLog, attempt, messageOf } from './log.ts';
import { payloadOf } from './respond.ts';
import { isResumable, lookAtRun, type RunLook } from './run-look.ts';
import { stalenessOf } from './staleness.ts';
import type { Input } from './stdin.ts';
import { workspaceOf } from './workspace.ts';
import type { World } from './world.ts';

/**
 * The status line of Claude Code (https://code.claude.com/docs/en/statusline), which gets what no hook gets: how full
 * the context is. It leaves that for the hooks and prints one line. Never throws.
 */
export async function showStatus(
  world: World,
  input: Input,
  print: (text: string) => boolean,
): Promise<void> {
  try {
    const payload = payloadOf(input);
    if (typeof payload !== 'object') {
      if (payload !== undefined) appendLog(world.env, workspaceOf(world, { cwd: undefined }), payload);
      return;
    }
    const line = await statusOf(world, payload);
    if (line !== '') print(`${line}\n`);
  } catch (error) {
    appendLog(world.env, undefined, messageOf(error));
  }
}

async function statusOf(world: World, payload: JsonObject): Promise<string> {
  const session = textOf(payload, 'session_id') ?? '';
  const fill = fillOf(objectOf(payload, 'context_window') ?? {});
  const usd = amountOf(objectOf(payload, 'cost')?.total_cost_usd);
  const workspace = objectOf(payload, 'workspace') ?? {};
  const cwd = folderOf(workspace, 'current_dir', 'project_dir') ?? folderOf(payload, 'cwd');
  const root = workspaceOf(world, { cwd }) ?? workspaceOf(world, { cwd: folderOf(workspace, 'project_dir') });
  const share = fill === undefined ? undefined : `ctx ${Math.round(fill)}%`;
  if (root === undefined) return share ?? '';
  attempt(world.env, root, () => writeContext(world, root, session, { fill, usd }));
  const look = lookAtRun(world, root);
  if (look === undefined || !isResumable(look)) return share ?? '';
  const { level, document } = await stalenessOf(world, look, session);
  const trust = document === 'ours' ? level : `${level} (${document})`;
  return [...runParts(look, usd), share ?? 'ctx ?', trust].join(' · ');
}

function runParts(look: RunLook, sessionUsd: number | undefined): string[] {
  const { progress } = look.state;
  const [done, total] = [amountOf(progress.done), amountOf(progress.total)];
  const { phaseName } = factsOf(look.state);
  const usd = amountOf(look.state.usd) ?? sessionUsd;
  return [
    ...(done === undefined || total === undefined ? [] : [`run ${done}/${total}`]),
    ...(phaseName === undefined ? [] : [clip(plain(phaseName), phaseLengthMax, '…')]),
    ...(usd === undefined ? [] : [`$${usd.toFixed(2)}`]),
  ];
}

const phaseLengthMax = 40;

/** In percent. Null before the first answer of the model, and right after a compaction. */
function fillOf(window: JsonObject): number | undefined {
  return percentOf(window.used_percentage) ?? shareOf(window.current_usage, window.context_window_size);
}

/** As Claude Code counts it: what the model reads, from its cache or not; what it writes is left out. */
function shareOf(usage: JsonValue | undefined, size: JsonValue | undefined): number | undefined {
  if (!isJsonObject(usage) || typeof size !== 'number' || !(size > 0)) return undefined;
  const names = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  const read = names.map((name) => amountOf(usage[name])).filter((count) => count !== undefined);
  return read.length === 0 ? undefined : percentOf((read.reduce((a, b) => a + b, 0) / size) * 100);
}

function amountOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
}

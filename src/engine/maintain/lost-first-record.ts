import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import { DiskError } from '../../disk/disk.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RunCreated } from '../../model/event.ts';
import { type RunFileName, runFile } from '../../model/run-folder.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';
import type { LostFact } from './repair-answer.ts';

/**
 * The first record of a run once more, from what was made of it while it could be read. Nothing else believes these
 * files: a person sees where each fact comes from, and accepts it.
 */
export function firstRecord(
  workspace: Workspace,
  { id, folder }: OpenedRun,
  snapshot: Ledger | undefined,
): { readonly event: RunCreated; readonly facts: readonly LostFact[] } {
  const { env, loaded, manifest, runFolder } = workspace;
  const { name, identity, durability } = loaded.pipeline;
  const summary = readProjection(workspace, folder, 'run.json');
  const lock = readProjection(workspace, folder, 'manifest.lock.json');
  const facts: LostFact[] = [];
  const firstKnown = (fact: string, ...sources: readonly (readonly [string, unknown])[]): string => {
    const [from, value] = sources.find(([, found]) => typeof found === 'string' && found !== '') ?? ['', ''];
    facts.push({ name: fact, value: String(value), from });
    return String(value);
  };
  const known = snapshot?.run;
  const run = firstKnown(
    'run',
    ['snapshot', known?.run],
    ['run.json', summary?.run],
    ['manifest.lock.json', lock?.run_id],
    ['its folder', id],
  );
  const pipeline = firstKnown(
    'pipeline',
    ['snapshot', known?.pipeline],
    ['run.json', summary?.pipeline],
    ['manifest.lock.json', isJsonObject(lock?.manifest) ? lock.manifest.pipeline : undefined],
    ['the manifest', name],
  );
  const told = textsOf(known?.identity) ?? textsOf(summary?.identity);
  const source = known !== undefined ? 'snapshot' : told !== undefined ? 'run.json' : 'the manifest';
  for (const [key, value] of Object.entries(told ?? identity))
    if (!facts.some((fact) => fact.name === key)) facts.push({ name: key, value, from: source });
  const file = firstKnown(
    'manifest',
    ['snapshot', known?.manifest],
    ['run.json', summary?.manifest],
    ['the manifest', manifest],
  );
  const { gitHead, replaces, pawl, pace } = known ?? {};
  const event: RunCreated = {
    type: 'run_created',
    run,
    pipeline,
    identity: told ?? identity,
    durability: known?.durability ?? durability,
    manifest: file,
    ...(runFolder !== undefined && { folder: runFolder }),
    ...(gitHead !== undefined && { gitHead }),
    ...(replaces !== undefined && { replaces }),
    ...(pawl !== undefined && { pawl }),
    ...(pace !== undefined && { pace }),
    boot: env.host.self.boot,
    repaired: true,
  };
  return { event, facts };
}

const bytesMax = 64 * 1024 * 1024;

function readProjection({ env, root }: Workspace, folder: string, name: RunFileName): JsonObject | undefined {
  try {
    const bytes = env.disk.read(`${root}/${runFile(folder, name)}`, bytesMax);
    const value = bytes && parseJson(new TextDecoder().decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}

function textsOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined;
  const entries = Object.entries(value);
  return entries.every(([, text]) => typeof text === 'string')
    ? (value as Record<string, string>)
    : undefined;
}

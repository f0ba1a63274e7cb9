import { hashBytes } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { currentResult, findStep, type Ledger } from '../../ledger/ledger.ts';
import type { OutputRef } from '../../model/definition.ts';
import type { Failure, MadeList } from '../../model/failure.ts';
import type { ArtifactText } from '../../pipeline/context.ts';
import type { Workspace } from './workspace.ts';
import { openStore } from './workspace.ts';

/** The workspace with the units that a run has listed; undefined: as it is. Not placed. */
export async function listUnits(
  workspace: Workspace,
  ledger: Ledger,
  { recordedOnly = false, without = [] }: ListOptions = {},
): Promise<Result<Workspace | undefined, Failure>> {
  const lists: ReadList[] = [];
  for (const { source } of workspace.loaded.pipeline.stages) {
    const list = source && (await readList(workspace, ledger, source, recordedOnly));
    if (list !== undefined && !without.some(({ path }) => path === list.path)) lists.push(list);
  }
  if (lists.length === 0) return ok(undefined);
  const loaded = await workspace.reload(textsOf(lists));
  if (loaded.ok) return ok({ ...workspace, loaded: loaded.value });
  return fail(await blame(workspace, lists, loaded.failure));
}

interface ListOptions {
  /** What was recorded, also where an edit is meant. */
  readonly recordedOnly?: boolean;
  readonly without?: readonly MadeList[];
}

interface ReadList extends MadeList {
  /** As the manifest calls it: `graph.tasks`. */
  readonly name: string;
  readonly text: string;
}

function textsOf(lists: readonly ReadList[]): Map<string, ArtifactText> {
  return new Map(lists.map(({ name, path, text }) => [name, { path, text }]));
}

/** Which of the lists it is. Two of them may be good, each by itself, and not go together. */
async function blame(workspace: Workspace, lists: readonly ReadList[], failure: Failure): Promise<Failure> {
  if (failure.reason !== 'manifest-invalid') return failure;
  // Somebody may have changed the manifest since it was read.
  if (!(await workspace.reload(new Map())).ok) return failure;
  const bad: ReadList[] = [];
  for (const list of lists) if (!(await workspace.reload(textsOf([list]))).ok) bad.push(list);
  const blamed = bad.length > 0 ? bad : lists;
  return { ...failure, lists: blamed.map(({ unit, phase, path }) => ({ unit, phase, path })) };
}

/**
 * Exactly the recorded bytes: a list that somebody edits meanwhile is for a guard to judge, not to be run by. Unless
 * the manifest says that an edit is meant: then it is on its way to being recorded.
 */
async function readList(
  workspace: Workspace,
  ledger: Ledger,
  source: OutputRef,
  recordedOnly: boolean,
): Promise<ReadList | undefined> {
  const { env, root, loaded } = workspace;
  const maker = loaded.pipeline.stages.find(({ phases }) => phases.some(({ name }) => name === source.phase));
  const [unit] = maker?.units ?? [];
  const step = unit && findStep(ledger, unit.id, source.phase);
  const record = step && currentResult(step)?.outputs[source.output];
  if (unit === undefined || record === undefined) return undefined;
  const path = `${root}/${record.path}`;
  const placed = env.disk.read(path, artifactBytesMax);
  const phase = maker?.phases.find(({ name }) => name === source.phase);
  const spec = phase?.outputs.find(({ name }) => name === source.output);
  const isMeant = spec?.onEdit === 'adopt' && !recordedOnly;
  const isOurs = placed !== undefined && (isMeant || hashBytes(placed) === record.hash);
  // Nearly every pipeline lists its units itself, and pays for nothing here.
  const bytes = isOurs ? placed : openStore(workspace).get(record.hash);
  if (!(bytes instanceof Uint8Array)) return undefined;
  const name = `${source.phase}.${source.output}`;
  const text = new TextDecoder().decode(bytes);
  return { name, unit: unit.id, phase: source.phase, path: record.path, text };
}

const artifactBytesMax = 64 * 1024 * 1024;

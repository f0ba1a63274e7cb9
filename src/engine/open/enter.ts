import { hashBytes } from '../../base/hash.ts';
import { ok, type Result } from '../../base/result.ts';
import { currentResult, findCell, type Ledger } from '../../ledger/ledger.ts';
import type { OutputRef, Stage } from '../../model/definition.ts';
import type { Failure, Finding } from '../../model/failure.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import type { ArtifactText } from '../../pipeline/prompts/context.ts';
import { type Plan, standingResult } from '../../planner/plan.ts';
import { foldTakeOver } from '../other-tools/take-over.ts';
import type { OpenedRun } from './open-run.ts';
import { placeAt, type Workspace } from './workspace.ts';

/**
 * The workspace as one run sees it: files that lie in the run's folder have their place, and stages whose units the run
 * itself has listed have these units.
 */
export async function enter(
  workspace: Workspace,
  opened: Pick<OpenedRun, 'ledger' | 'folder' | 'isToldOnly'> | undefined,
): Promise<Workspace> {
  if (opened === undefined) return placeAt(workspace, undefined);
  await foldTakeOver(placeAt(workspace, opened.folder), opened);
  const listed = await listUnits(workspace, opened.ledger);
  if (listed.ok) return placeAt(listed.value ?? workspace, opened.folder);
  // An edit that went wrong hides nothing: the run is seen by the list that was recorded before.
  const recorded = await listUnits(workspace, opened.ledger, { recordedOnly: true });
  if (recorded.ok && recorded.value !== undefined)
    return { ...placeAt(recorded.value, opened.folder), listTrouble: listed.failure };
  // A list that was made wrong is told when the run comes to it: until then whoever made it may make it anew.
  return placeAt(workspace, opened.folder);
}

/** What is wrong with a list that somebody has edited, for those who only look. */
export function listFindings({ listTrouble }: Workspace): Finding[] {
  if (listTrouble?.reason !== 'manifest-invalid') return [];
  return listTrouble.problems.slice(0, findingsMax).map(({ code, place, path, facts }) => {
    const named = [facts.found ?? facts.cycle ?? []].flat().join(', ');
    return {
      code: 'unit-list-invalid',
      file: place?.file ?? path,
      ...(place !== undefined && { line: place.line }),
      detail: named === '' ? code : `${code} ${named}`,
      weight: 'loud',
    };
  });
}

const findingsMax = 20;

/** The same for who cannot go on without the list: what is wrong with it is told. */
export async function enterListed(
  workspace: Workspace,
  opened: Pick<OpenedRun, 'ledger' | 'folder'>,
): Promise<Result<Workspace, Failure>> {
  const listed = await listUnits(workspace, opened.ledger);
  return listed.ok ? ok(placeAt(listed.value ?? workspace, opened.folder)) : listed;
}

/** The workspace with the units that a run has listed; undefined: as it is. Not placed. */
export async function listUnits(
  workspace: Workspace,
  ledger: Ledger,
  { recordedOnly = false }: { readonly recordedOnly?: boolean } = {},
): Promise<Result<Workspace | undefined, Failure>> {
  const artifacts = new Map<string, ArtifactText>();
  for (const { source } of workspace.loaded.pipeline.stages) {
    const artifact = source && (await readArtifact(workspace, ledger, source, recordedOnly));
    if (artifact !== undefined) artifacts.set(`${source?.phase}.${source?.output}`, artifact);
  }
  if (artifacts.size === 0) return ok(undefined);
  const loaded = await workspace.reload(artifacts);
  return loaded.ok ? ok({ ...workspace, loaded: loaded.value }) : loaded;
}

/**
 * Exactly the recorded bytes: a list that somebody edits meanwhile is for a guard to judge, not to be run by. Unless
 * the manifest says that an edit is meant: then it is on its way to being recorded.
 */
async function readArtifact(
  workspace: Workspace,
  ledger: Ledger,
  source: OutputRef,
  recordedOnly: boolean,
): Promise<ArtifactText | undefined> {
  const { env, root, loaded } = workspace;
  const maker = loaded.pipeline.stages.find(({ phases }) => phases.some(({ name }) => name === source.phase));
  const [unit] = maker?.units ?? [];
  const cell = unit && findCell(ledger, unit.id, source.phase);
  const record = cell && currentResult(cell)?.outputs[source.output];
  if (record === undefined) return undefined;
  const path = `${root}/${record.path}`;
  workspace.sightings?.note(record.path, env.disk.stat(path));
  const placed = env.disk.read(path, artifactBytesMax);
  const phase = maker?.phases.find(({ name }) => name === source.phase);
  const spec = phase?.outputs.find(({ name }) => name === source.output);
  const isMeant = spec?.onEdit === 'adopt' && !recordedOnly;
  const isOurs = placed !== undefined && (isMeant || hashBytes(placed) === record.hash);
  // Nearly every pipeline lists its units itself, and pays for nothing here.
  const bytes = isOurs ? placed : (await import('../look/look.ts')).openStore(workspace).get(record.hash);
  return bytes instanceof Uint8Array
    ? { path: record.path, text: new TextDecoder().decode(bytes) }
    : undefined;
}

const artifactBytesMax = 64 * 1024 * 1024;

/**
 * The pipeline without the units that are about to be listed anew: what an earlier list says of them is no longer true,
 * and nothing may be started by it.
 */
export function withoutStaleLists(loaded: LoadedPipeline, plan: Plan): LoadedPipeline {
  const { stages } = loaded.pipeline;
  const isStale = ({ source, units }: Stage) => {
    if (source === undefined || units.length === 0) return false;
    const cells = [...plan.units.values()].flatMap(({ cells }) => cells);
    const maker = cells.find(({ phase }) => phase === source.phase);
    return maker !== undefined && standingResult(maker.decision) === undefined;
  };
  if (!stages.some(isStale)) return loaded;
  const opened = stages.map((stage) => (isStale(stage) ? { ...stage, units: [], isOpen: true } : stage));
  return { ...loaded, pipeline: { ...loaded.pipeline, stages: opened } };
}

import { runCheck, runsUserCode } from '../../artifacts/checks.ts';
import { hashFile } from '../../artifacts/hash-file.ts';
import { runnableOf } from '../../artifacts/promotion.ts';
import { type ReadReport, readReport } from '../../artifacts/verdict.ts';
import { foldEvent } from '../../ledger/fold.ts';
import { type CellResult, findCell, type Ledger } from '../../ledger/ledger.ts';
import type { Check, Phase, Stage, Unit } from '../../model/definition.ts';
import type { ArtifactAdopted, EventBody, ToldUnit } from '../../model/event.ts';
import { isForOthers } from '../../model/executor.ts';
import { expandPattern } from '../../pipeline/pattern.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';
import { newRevision } from '../run/revision.ts';

/*
 * Taking over a run that other tools have written. Their logs say what became of the tasks; what came before these lies
 * there as files. A phase whose outputs are all there is taken as done, with the hashes that they have now.
 */

/** Folds in what taking the run over will record; a run that has a journal of its own is left as it is. */
export async function foldTakeOver(
  workspace: Workspace,
  opened: Pick<OpenedRun, 'ledger' | 'isToldOnly'>,
): Promise<void> {
  if (!opened.isToldOnly) return;
  const { ledger } = opened;
  const take = (event: EventBody) =>
    foldEvent(ledger, { ...event, seq: 0, at: ledger.updatedAt, actor: '', epoch: 0 });
  const revision = newRevision(workspace, ledger);
  if (revision !== undefined) take(revision);
  const { stages } = workspace.loaded.pipeline;
  const reached = stageReached(stages, ledger);
  for (const [at, stage] of stages.entries())
    for (const unit of stage.units)
      for (const phase of stage.phases)
        for (const event of await adoptions(workspace, ledger, unit, phase, at < reached)) take(event);
}

/** The same as events, for the record: the revision, whatever was put there by hand, and which tasks the logs tell of. */
export function takeOverEvents({ loaded }: Workspace, { cells, revisions, blocked }: Ledger): EventBody[] {
  const events: EventBody[] = Array.from(revisions.values(), ({ revision, manifest, phases }) => ({
    type: 'revision_recorded',
    revision,
    manifest,
    phases,
  }));
  for (const { unit, phase, results } of cells.values()) {
    const result = results[0];
    if (result?.byHand !== true) continue;
    const { attempt, unitData } = result;
    for (const [output, after] of Object.entries(result.outputs))
      events.push(adopted({ unit, phase, output, after, attempt, unitData, report: judgedAs(result) }));
  }
  const told = new Set(blocked.map(({ unit }) => unit));
  for (const { unit, results, running, failure } of cells.values())
    if (results[0]?.told || running?.claim?.until === '' || failure?.reason === 'told-failed') told.add(unit);
  if (told.size > 0)
    events.push({ type: 'told_bound', units: [...told].map((unit) => toldUnit(loaded, unit)) });
  return events;
}

function toldUnit({ pipeline, unitData }: Workspace['loaded'], unit: string): ToldUnit {
  const listed = pipeline.stages.some(({ units }) => units.some(({ id }) => id === unit));
  const data = listed ? unitData.get(unit) : undefined;
  return { unit, listed, ...(data !== undefined && { unitData: data }) };
}

function judgedAs({ verdict, passed, score, defects }: CellResult): ReadReport | undefined {
  if (verdict === undefined || passed === undefined) return undefined;
  return { verdict, judged: { passed, ...(score !== undefined && { score }), ...(defects && { defects }) } };
}

/** The last stage that the run has come to: as it was said, or as the work shows. */
function stageReached(stages: readonly Stage[], ledger: Ledger): number {
  const told = stages.findIndex(({ name }) => name === ledger.told?.stage);
  const phases = new Set(Array.from(ledger.cells.values(), ({ phase }) => phase));
  const worked = stages.findLastIndex((stage) => stage.phases.some(({ name }) => phases.has(name)));
  return Math.max(told, worked);
}

/** The outputs of a phase that lie there, as a result that somebody else made; none unless all of it is there and good. */
async function adoptions(
  workspace: Workspace,
  ledger: Ledger,
  unit: Unit,
  phase: Phase,
  isPassed: boolean,
): Promise<ArtifactAdopted[]> {
  const { env, root, loaded } = workspace;
  // Work of others counts as done only when the run is past it: until then an agent may be at it.
  if ((isForOthers(phase) && !isPassed) || findCell(ledger, unit.id, phase.name) !== undefined) return [];
  const attempt = 1;
  const events: ArtifactAdopted[] = [];
  for (const { name: output, path: pattern, optional, check } of phase.outputs) {
    const path = expandPattern(pattern, unit, attempt);
    const stat = env.disk.stat(`${root}/${path}`);
    const hashed = stat?.kind === 'file' ? hashFile(env.disk, `${root}/${path}`) : undefined;
    if (stat === undefined || hashed === undefined) {
      // Done is all of it: the step that should have made the rest is run again.
      if (!optional) return [];
      continue;
    }
    if (check !== undefined && !(await isGood(workspace, check, path, unit))) return [];
    const after = { path, ...hashed, ino: stat.ino, mtime: stat.mtimeMs, ...runnableOf(stat) };
    const unitData = loaded.unitData.get(unit.id);
    const report = reportOf(phase, output, env.disk.read(`${root}/${path}`), isPassed);
    events.push(adopted({ unit: unit.id, phase: phase.name, output, after, attempt, unitData, report }));
  }
  return events;
}

/** Nothing of the user's is run for it: a file that only a program could judge is taken as it is. */
async function isGood({ env, root }: Workspace, check: Check, path: string, unit: Unit): Promise<boolean> {
  if (runsUserCode(check)) return true;
  const file = `${root}/${path}`;
  const checked = await runCheck(check, undefined, { disk: env.disk, file, cwd: root, env: {}, unit });
  return checked.passed || checked.unable === true;
}

/** Whoever has gone on past a gate had been let through. */
export function reportOf(
  { gate }: Phase,
  output: string,
  bytes: Uint8Array | undefined,
  isPassed: boolean,
): ReadReport | undefined {
  if (gate?.output !== output) return undefined;
  const read = readReport(gate, bytes ?? new Uint8Array());
  const report = read.ok ? read.value : undefined;
  if (!isPassed) return report;
  return { verdict: gate.pass[0] ?? 'pass', judged: { ...report?.judged, passed: true } };
}

function adopted({
  unitData,
  report,
  ...of
}: Pick<ArtifactAdopted, 'unit' | 'phase' | 'output' | 'after'> & {
  readonly attempt: number;
  readonly unitData: ArtifactAdopted['unitData'] | undefined;
  readonly report: ReadReport | undefined;
}): ArtifactAdopted {
  return {
    type: 'artifact_adopted',
    ...of,
    ...(unitData !== undefined && { unitData }),
    ...report,
    reason: 'taken over from another tool',
  };
}

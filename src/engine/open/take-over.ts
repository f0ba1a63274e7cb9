import { runCheck, runsUserCode } from '../../checks/run-check.ts';
import { type ReadReport, readReport } from '../../checks/verdict.ts';
import { foldEvent } from '../../ledger/fold.ts';
import { findStep, type Ledger, type StepResult } from '../../ledger/ledger.ts';
import type { OutputCheck, Phase, Stage, Unit } from '../../model/definition.ts';
import type { ArtifactAdopted, EventBody, ReportedUnit } from '../../model/event.ts';
import { isForOthers } from '../../model/executor.ts';
import type { RejectedImport } from '../../model/failure-details.ts';
import { expandPattern } from '../../pipeline/pattern.ts';
import { unitParts } from '../../planner/fixed-parts.ts';
import { recordFile } from '../../runner/verify-output.ts';
import type { OpenedRun } from './open-run.ts';
import { newRevision } from './revision.ts';
import type { Workspace } from './workspace.ts';

/*
 * Taking over a run that other tools have written. Their logs say what became of the tasks; what came before these lies
 * there as files. A phase whose outputs are all there is taken as done, with the hashes that they have now.
 */

/** Folds in what taking the run over will record; a run that has a journal of its own is left as it is. */
export async function foldForeignImport(
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

/** Outputs of stages that the run is past, which are all there and of which one fails its check. */
export async function rejectedImports(workspace: Workspace, ledger: Ledger): Promise<RejectedImport[]> {
  const found: RejectedImport[] = [];
  for (const { unit, phase } of passedBy(workspace, ledger)) {
    const trouble = await failedCheck(workspace, unit, phase);
    if (trouble !== undefined) found.push({ unit: unit.id, phase: phase.name, ...trouble });
  }
  return found;
}

/** Folds them in all the same: a person has accepted them. */
export async function acceptRejected(workspace: Workspace, ledger: Ledger): Promise<void> {
  for (const { unit, phase } of passedBy(workspace, ledger)) {
    const events = await adoptions(workspace, ledger, unit, phase, true, false);
    for (const event of events)
      foldEvent(ledger, { ...event, seq: 0, at: ledger.updatedAt, actor: '', epoch: 0 });
  }
}

function passedBy({ loaded }: Workspace, ledger: Ledger): { unit: Unit; phase: Phase }[] {
  const { stages } = loaded.pipeline;
  return stages
    .slice(0, Math.max(0, stageReached(stages, ledger)))
    .flatMap(({ units, phases }) => units.flatMap((unit) => phases.map((phase) => ({ unit, phase }))))
    .filter(({ unit, phase }) => findStep(ledger, unit.id, phase.name) === undefined);
}

/** Undefined: all is good, or a file is missing and its step runs again without a question. */
async function failedCheck(
  workspace: Workspace,
  unit: Unit,
  phase: Phase,
): Promise<Omit<RejectedImport, 'unit' | 'phase'> | undefined> {
  const { env, root } = workspace;
  let trouble: Omit<RejectedImport, 'unit' | 'phase'> | undefined;
  for (const { path: pattern, optional, check } of phase.outputs) {
    const path = expandPattern(pattern, unit, 1);
    const isThere = env.disk.stat(`${root}/${path}`)?.kind === 'file';
    if (!isThere && !optional) return undefined;
    const detail =
      isThere && check !== undefined ? await checkDetail(workspace, check, path, unit) : undefined;
    if (check !== undefined && detail !== undefined) trouble ??= { path, check: check.kind, detail };
  }
  return trouble;
}

/** The same as events, for the record: the revision, whatever was put there by hand, and which tasks the logs tell of. */
export function takeOverEvents(workspace: Workspace, { steps, revisions, blocked }: Ledger): EventBody[] {
  const { loaded } = workspace;
  const events: EventBody[] = Array.from(revisions.values(), ({ revision, manifest, phases }) => ({
    type: 'revision_recorded',
    revision,
    manifest,
    phases,
  }));
  for (const { unit, phase, results } of steps.values()) {
    const result = results[0];
    if (result?.byHand !== true) continue;
    const { attempt, unitData, unitFile } = result;
    for (const [output, after] of Object.entries(result.outputs))
      events.push({
        ...adopted({
          unit,
          phase,
          output,
          after,
          attempt,
          parts: { unitData, unitFile },
          report: judgedAs(result),
        }),
        ...acceptedWith(workspace, { unit, phase }),
      });
  }
  const told = new Set(blocked.map(({ unit }) => unit));
  for (const { unit, results, running, failure } of steps.values())
    if (results[0]?.reported || running?.claim?.until === '' || failure?.reason === 'told-failed')
      told.add(unit);
  if (told.size > 0)
    events.push({ type: 'foreign_reports_bound', units: [...told].map((unit) => toldUnit(loaded, unit)) });
  return events;
}

/** Why a person accepts a result of which a file fails its check. */
function acceptedWith(
  { acceptedImports }: Workspace,
  { unit, phase }: Pick<RejectedImport, 'unit' | 'phase'>,
): Pick<ArtifactAdopted, 'reason'> | undefined {
  const isAccepted = acceptedImports?.artifacts.some((one) => one.unit === unit && one.phase === phase);
  return isAccepted ? { reason: acceptedImports?.reason ?? '' } : undefined;
}

function toldUnit({ pipeline, unitData }: Workspace['loaded'], unit: string): ReportedUnit {
  const listed = pipeline.stages.some(({ units }) => units.some(({ id }) => id === unit));
  const data = listed ? unitData.get(unit) : undefined;
  return { unit, listed, ...(data !== undefined && { unitData: data }) };
}

function judgedAs({ verdict, passed, score, defects }: StepResult): ReadReport | undefined {
  if (verdict === undefined || passed === undefined) return undefined;
  return { verdict, judged: { passed, ...(score !== undefined && { score }), ...(defects && { defects }) } };
}

/** The last stage that the run has come to: as it was said, or as the work shows. */
function stageReached(stages: readonly Stage[], ledger: Ledger): number {
  const told = stages.findIndex(({ name }) => name === ledger.told?.stage);
  const phases = new Set(Array.from(ledger.steps.values(), ({ phase }) => phase));
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
  isChecked = true,
): Promise<ArtifactAdopted[]> {
  const { env, root, loaded } = workspace;
  // Work of others counts as done only when the run is past it: until then an agent may be at it.
  if ((isForOthers(phase) && !isPassed) || findStep(ledger, unit.id, phase.name) !== undefined) return [];
  const attempt = 1;
  const events: ArtifactAdopted[] = [];
  for (const { name: output, path: pattern, optional, check } of phase.outputs) {
    const path = expandPattern(pattern, unit, attempt);
    const after = recordFile(env.disk, workspace.files, root, path);
    if (after === undefined) {
      // Done is all of it: the step that should have made the rest is run again.
      if (!optional) return [];
      continue;
    }
    const isBad =
      isChecked && check !== undefined && (await checkDetail(workspace, check, path, unit)) !== undefined;
    if (isBad) return [];
    const parts = unitParts(loaded, unit.id, phase.name);
    const report = importReport(phase, output, env.disk.read(`${root}/${path}`), isPassed);
    events.push(adopted({ unit: unit.id, phase: phase.name, output, after, attempt, parts, report }));
  }
  return events;
}

/** What is wrong with a file. Nothing of the user's is run for it: what only a program could judge is taken as it is. */
async function checkDetail(
  { env, root }: Workspace,
  check: OutputCheck,
  path: string,
  unit: Unit,
): Promise<string | undefined> {
  if (runsUserCode(check)) return undefined;
  const file = `${root}/${path}`;
  const checked = await runCheck(check, undefined, { disk: env.disk, file, cwd: root, env: {}, unit });
  return checked.passed || checked.unable === true ? undefined : checked.detail;
}

/** Whoever has gone on past a gate had been let through. */
export function importReport(
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
  parts: { unitData, unitFile },
  report,
  ...of
}: Pick<ArtifactAdopted, 'unit' | 'phase' | 'output' | 'after'> & {
  readonly attempt: number;
  readonly parts: Pick<StepResult, 'unitFile'> & { readonly unitData?: StepResult['unitData'] };
  readonly report: ReadReport | undefined;
}): ArtifactAdopted {
  return {
    type: 'artifact_adopted',
    ...of,
    ...(unitData !== undefined && { unitData }),
    ...(unitFile !== undefined && { unitFile }),
    ...report,
    reason: 'taken over from another tool',
  };
}

import { basename } from 'node:path';
import { fail, ok, type Result } from '../../base/result.ts';
import { runCheck, runsUserCode } from '../../checks/run-check.ts';
import { readReport } from '../../checks/verdict.ts';
import { emptyLedger } from '../../ledger/ledger.ts';
import type { OutputSpec, Phase, Unit } from '../../model/definition.ts';
import type { ArtifactAdopted, MadeWith } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { stepName } from '../../model/names.ts';
import type { Notice } from '../../model/reason.ts';
import { unitParts } from '../../planner/fixed-parts.ts';
import type { MadeFrom } from '../../planner/plan.ts';
import { commandEnvironment } from '../../runner/executors/environment.ts';
import { recordFile } from '../../runner/verify-output.ts';
import { unrecorded } from '../observe/facts.ts';
import { Origins } from '../observe/origins.ts';
import { planRunFromDisk, planWith, type RunPlan } from '../observe/plan-from-disk.ts';
import { filesOfOpenStages } from '../observe/stray-files.ts';
import { type FoundFile, unknownFiles } from '../observe/unknown-files.ts';
import type { PlanRequest } from '../open/requests.ts';
import { newRevision } from '../open/revision.ts';
import { runsFolder } from '../open/run-places.ts';
import { listUnits } from '../open/unit-lists.ts';
import { placeWorkspace, type Workspace } from '../open/workspace.ts';
import { findPages } from '../status-import/pages.ts';

/*
 * A new run finds files at its output paths that no run of this workspace recorded: `.pawl` was lost, or the files came
 * with a clone. To run would pay again for finished work, so the user chooses: adopt what passes its check, or replace.
 */

/** Files at output paths whose origin is unknown: those of other runs are only moved, because their bytes are kept. */
function existingOutputs(workspace: Workspace): FoundFile[] {
  const ledger = emptyLedger();
  const origins = new Origins(workspace, undefined, ledger);
  return unknownFiles(workspace, ledger).filter((file) => origins.of(file).kind === 'unknown');
}

/** The same for stages whose units the run itself lists: which of the files its steps will replace is not known yet. */
function existingUnlisted(workspace: Workspace): FoundFile[] {
  const files = filesOfOpenStages(workspace, workspace.runFolder ?? runsFolder);
  return files.length === 0 ? [] : unrecorded(new Origins(workspace, undefined, emptyLedger()), files);
}

/** Refuses a new run that would replace files without being told to. */
export function refuseExisting(
  workspace: Workspace,
  { adoptExisting, replaceExisting, fresh = false }: PlanRequest,
): Result<readonly FoundFile[], Failure> {
  if (adoptExisting && replaceExisting) {
    const flags = ['--adopt-existing', '--replace-existing'];
    return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags } });
  }
  const found = existingOutputs(workspace);
  const unlisted = existingUnlisted(workspace);
  if (found.length + unlisted.length === 0 || adoptExisting || replaceExisting) return ok(found);
  // A status page says where these files come from, so `--fresh` and a page that was ended are answer enough.
  if (findPages(workspace).length > 0) return ok(found);
  const all = [...found, ...unlisted];
  const checked = all.filter((file) => isCheckable(workspace, file)).length;
  const paths = all.map(({ path }) => path);
  return fail({ reason: 'outputs-exist', workspace: workspace.shownPath, paths, checked, fresh });
}

export function adoptedNotice(events: readonly ArtifactAdopted[], unchecked = 0): Notice[] {
  const steps = new Set(events.map(({ unit, phase }) => stepName(unit, phase))).size;
  const paths = events.map(({ after }) => after.path);
  return steps === 0 ? [] : [{ code: 'outputs-adopted', steps, paths, ...(unchecked > 0 && { unchecked }) }];
}

/** How many of the files are checked by code of the user: a plan, which runs none, cannot say whether they pass. */
export function uncheckedIn({ loaded }: Workspace, events: readonly ArtifactAdopted[]): number {
  const phases = loaded.pipeline.stages.flatMap((stage) => stage.phases);
  return events.filter((event) => {
    const phase = phases.find(({ name }) => name === event.phase);
    const check = phase?.outputs.find(({ name }) => name === event.output)?.check;
    return check !== undefined && runsUserCode(check);
  }).length;
}

interface Adoption {
  readonly events: readonly ArtifactAdopted[];
  readonly seen: RunPlan;
  /** The path of the shown state, when another state than an adopted one stands there. */
  readonly state?: string;
}

/** Nobody edited a state that a run which is lost has shown: like its other files it gives way to that of this run. */
function withoutForeignState(seen: RunPlan): Pick<Adoption, 'seen' | 'state'> {
  const { facts, plan, workspace } = seen;
  const path = workspace.loaded.pipeline.state?.path;
  if (path === undefined || !plan.refusals.some(({ guard }) => guard === 'state-edited')) return { seen };
  const state = facts.state && { ...facts.state, shown: undefined };
  return { seen: planWith({ ...seen, facts: { ...facts, state } }, []), state: path };
}

/**
 * What is adopted, wave by wave as a plan would run the steps: so each is bound to the inputs that are there, and what
 * comes after a step that has to run is left to run as well. Without `staging` no code of the user is run, and what only
 * that could judge counts as good.
 */
export async function planAdoption(
  workspace: Workspace,
  files: readonly FoundFile[],
  staging?: string,
): Promise<Adoption> {
  const start = await planRunFromDisk(workspace, undefined, { deep: false, restore: false });
  const revision = newRevision(workspace, start.ledger);
  let seen = planWith(start, revision === undefined ? [] : [revision]);
  const all: ArtifactAdopted[] = [];
  const tried = new Set<string>();
  let known = files;
  for (;;) {
    const wave: ArtifactAdopted[] = [];
    for (const step of runnable(seen)) {
      const name = stepName(step.unit.id, step.phase.name);
      if (tried.has(name)) continue;
      tried.add(name);
      const own = known.filter(({ unit, phase }) => stepName(unit, phase) === name);
      if (own.length > 0) wave.push(...(await takeStep(seen.workspace, step, own, staging)));
    }
    if (wave.length === 0) return { events: all, ...withoutForeignState(seen) };
    all.push(...wave);
    seen = planWith(seen, wave);
    // An adopted artifact may be the list of the units that come next.
    const listed = await listUnits(workspace, seen.ledger);
    if (!listed.ok || listed.value === undefined) continue;
    seen = planWith({ ...seen, workspace: placeWorkspace(listed.value, undefined) }, []);
    known = existingOutputs(seen.workspace);
  }
}

interface Step {
  readonly unit: Unit;
  readonly phase: Phase;
  readonly made: MadeFrom;
}

/** Steps of the first round that nothing has to be done for first. */
function* runnable({ workspace, plan }: RunPlan): Generator<Step> {
  for (const { units, phases } of workspace.loaded.pipeline.stages)
    for (const unit of units)
      for (const { phase: name, iteration: round, decision } of plan.units.get(unit.id)?.cells ?? []) {
        const phase = phases.find((one) => one.name === name);
        if (phase !== undefined && round === 1 && decision.do === 'run')
          yield { unit, phase, made: decision.made };
      }
}

/** Every output that is owed has to be there, and every one that is there has to pass its check. */
async function takeStep(
  workspace: Workspace,
  { unit, phase, made }: Step,
  files: readonly FoundFile[],
  staging: string | undefined,
): Promise<ArtifactAdopted[]> {
  const { env, root, loaded } = workspace;
  const events: ArtifactAdopted[] = [];
  const inputs = Object.fromEntries([...made.inputs].map(([name, { ref }]) => [name, ref]));
  const madeWith: MadeWith = {
    ...(made.inputs.size > 0 && { inputs }),
    ...(made.preState !== undefined && { preState: made.preState }),
  };
  for (const spec of phase.outputs) {
    const path = files.find(({ output }) => output === spec.name)?.path;
    if (path === undefined && spec.optional) continue;
    const stat = path === undefined ? undefined : env.disk.stat(`${root}/${path}`);
    if (path === undefined || stat?.kind !== 'file') return [];
    if (!(await passes(workspace, { unit, phase, spec }, path, staging))) return [];
    const after = recordFile(env.disk, workspace.files, root, path);
    if (after === undefined) return [];
    const report =
      phase.gate?.output === spec.name
        ? readReport(phase.gate, env.disk.read(`${root}/${path}`) ?? new Uint8Array())
        : undefined;
    events.push({
      type: 'artifact_adopted',
      unit: unit.id,
      phase: phase.name,
      output: spec.name,
      after,
      attempt: 1,
      ...unitParts(loaded, unit.id, phase.name),
      madeWith,
      ...(report?.ok && report.value),
      reason: '--adopt-existing',
    });
  }
  return events;
}

async function passes(
  { env, root }: Workspace,
  { unit, phase, spec }: { readonly unit: Unit; readonly phase: Phase; readonly spec: OutputSpec },
  path: string,
  staging: string | undefined,
): Promise<boolean> {
  const { check } = spec;
  const isReport = phase.gate?.output === spec.name;
  const file = `${root}/${path}`;
  if (
    isReport &&
    phase.gate !== undefined &&
    !readReport(phase.gate, env.disk.read(file) ?? new Uint8Array()).ok
  )
    return false;
  if (check === undefined) return isReport;
  if (runsUserCode(check) && staging === undefined) return true;
  const checked = await runCheck(check, undefined, {
    disk: env.disk,
    file,
    ...(staging !== undefined && { scratch: { below: staging, name: basename(path) } }),
    cwd: root,
    env: commandEnvironment({}, {}, env.process.variables),
    importModule: env.process.importModule,
    unit,
  });
  return checked.passed;
}

/** A gate's report is checked by reading it. */
function isCheckable({ loaded }: Workspace, { phase: name, output }: FoundFile): boolean {
  const phase = loaded.pipeline.stages.flatMap(({ phases }) => phases).find((one) => one.name === name);
  const spec = phase?.outputs.find((one) => one.name === output);
  return spec?.check !== undefined || phase?.gate?.output === output;
}

import { basename } from 'node:path';
import { fail, ok, type Result } from '../../base/result.ts';
import { runCheck } from '../../checks/run-check.ts';
import { readReport } from '../../checks/verdict.ts';
import { findStep } from '../../ledger/ledger.ts';
import type { ArtifactAdopted, EventBody } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { stepName } from '../../model/names.ts';
import { asksOf, type Refusal } from '../../model/reason.ts';
import { adoption, type UnknownFile } from '../../planner/facts.ts';
import { unitParts } from '../../planner/fixed-parts.ts';
import type { Decision, Plan } from '../../planner/plan.ts';
import { planRun } from '../../planner/run.ts';
import { ProjectedFiles } from '../../projections/projected-files.ts';
import { type RunContext, record } from '../../runner/context.ts';
import { commandEnvironment } from '../../runner/executors/environment.ts';
import { stagingFolder } from '../../runner/promotion.ts';
import { recordFile } from '../../runner/verify-output.ts';
import { keepAdopted } from '../observe/adopted-bytes.ts';
import { adoptFacts, planRunFromDisk, planWith, type RunPlan } from '../observe/plan-from-disk.ts';
import type { FoundFile } from '../observe/unknown-files.ts';
import type { Environment } from '../open/environment.ts';
import { createRunHeading, needRun, type RunHeading } from '../open/find-run.ts';
import { type Hold, lockRun, releaseAfter } from '../open/hold.ts';
import type { Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { listUnits } from '../open/unit-lists.ts';
import { openWorkspace, placeWorkspace, type Workspace } from '../open/workspace.ts';

type Edited = Refusal & { guard: 'output-edited' | 'state-edited' };

/** Takes files that were edited by hand as the phase's result; what depends on them runs again, nothing else. */
export async function adoptFiles(
  env: Environment,
  request: Target & { readonly targets: readonly string[]; readonly reason: string },
): Promise<Result<AdoptAnswer, Failure>> {
  if (request.reason === '')
    return fail({ reason: 'usage', problem: { code: 'reason-required', flag: 'adopt' } });
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, request);
  if (!opened.ok)
    return opened.failure.reason === 'no-run' ? fail({ ...opened.failure, adopting: true }) : opened;
  const placed = await resolvePipelineForRun(workspace.value, opened.value);
  const hold = await lockRun(placed, opened.value, { takeover: false });
  if (!hold.ok) return hold;
  return await releaseAfter(placed, hold.value, async () => {
    const seen = await planRunFromDisk(
      placed,
      { ...opened.value, ledger: hold.value.ledger },
      { deep: false, restore: false },
    );
    const chosen = choose(seen, request.targets);
    if (!chosen.ok) return chosen;
    const { edited, unknown } = chosen.value;
    const outputs = edited.flatMap((refusal) => (refusal.guard === 'output-edited' ? [refusal] : []));
    const checked = await checkFiles(placed, stagingFolder(hold.value), [...outputs, ...unknown]);
    if (!checked.ok) return checked;
    const events = [
      ...edited.map((refusal) => adoption(seen.ledger, seen.facts, refusal, request.reason)),
      ...unknown.map((file) => takeIn(seen, file, request.reason)),
    ].filter((event) => event !== undefined);
    await write(hold.value, seen, events);
    const plan = await planAfter(workspace.value, placed, seen, opened.value.folder);
    const named = (isMeant: (decision: Decision) => boolean) =>
      [...plan.units.values()].flatMap(({ cells: steps }) =>
        steps.filter(({ decision }) => isMeant(decision)).map(({ unit, phase }) => stepName(unit, phase)),
      );
    return ok({
      heading: createRunHeading(placed, opened.value),
      adopted: events.map(shown),
      reruns: named((decision) => decision.do === 'run'),
      waits: named(isWaiting),
    });
  });
}

/** For others before it, or for a person. */
function isWaiting(decision: Decision): boolean {
  return decision.do === 'wait' || (decision.do === 'stop' && asksOf(decision.why) !== undefined);
}

/** What was adopted may be the very list of the units that come next. */
async function planAfter(
  workspace: Workspace,
  before: Workspace,
  seen: RunPlan,
  folder: string,
): Promise<Plan> {
  const listed = await listUnits(workspace, seen.ledger);
  const loaded =
    listed.ok && listed.value !== undefined ? placeWorkspace(listed.value, folder).loaded : before.loaded;
  return planRun(loaded, seen.ledger, seen.facts);
}

interface Chosen {
  readonly edited: readonly Edited[];
  readonly unknown: readonly UnknownFile[];
}

/** A target is a path, or a cell: then every edited output of it, and every file that nothing has made. */
function choose({ plan, facts, workspace }: RunPlan, targets: readonly string[]): Result<Chosen, Failure> {
  const edited = plan.refusals.filter(
    (refusal): refusal is Edited =>
      refusal.guard === 'output-edited' ||
      // Before the first commit there is no result that it could become part of.
      (refusal.guard === 'state-edited' && refusal.unit !== ''),
  );
  const { env, root } = workspace;
  const files = facts.unknown.filter(
    ({ path, hasResult }) => hasResult === undefined && env.disk.stat(`${root}/${path}`)?.kind === 'file',
  );
  const chosen = new Set<Edited>();
  const unknown = new Set<UnknownFile>();
  for (const target of targets) {
    const path = relativePath(workspace, target);
    const found = edited.filter(
      (refusal) =>
        refusal.path === path || ('phase' in refusal && stepName(refusal.unit, refusal.phase) === target),
    );
    const foreign = files.filter((file) => file.path === path || stepName(file.unit, file.phase) === target);
    if (found.length + foreign.length === 0) return fail({ reason: 'nothing-to-adopt', path: target });
    for (const refusal of found) chosen.add(refusal);
    // A result is whole or none: what lies there of the same cell comes along.
    for (const { unit, phase } of foreign) {
      const whole = files.filter((file) => file.unit === unit && file.phase === phase);
      const missing = missingOutput(workspace, unit, phase, whole);
      if (missing !== undefined) return fail({ reason: 'nothing-to-adopt', path: missing });
      for (const file of whole) unknown.add(file);
    }
  }
  return ok({ edited: [...chosen], unknown: [...unknown] });
}

/** The path of an output that the phase owes and that is not among the files. */
function missingOutput(
  { loaded }: Workspace,
  unit: string,
  phase: string,
  files: readonly UnknownFile[],
): string | undefined {
  const specs = loaded.pipeline.stages.flatMap(({ phases }) => phases.filter(({ name }) => name === phase));
  const owed = specs[0]?.outputs.filter(({ optional }) => !optional) ?? [];
  const missing = owed.find(({ name }) => !files.some(({ output }) => output === name));
  return missing && `${stepName(unit, phase)} ${missing.name}`;
}

/** The event that makes a result of a file that nothing has made. */
function takeIn(
  { workspace, ledger }: RunPlan,
  file: UnknownFile,
  reason: string,
): ArtifactAdopted | undefined {
  const { env, root, loaded } = workspace;
  const { unit, phase, output, path } = file;
  const absolute = `${root}/${path}`;
  const after = recordFile(env.disk, workspace.files, root, path);
  if (after === undefined) return undefined;
  const gate = loaded.pipeline.stages
    .flatMap(({ phases }) => phases)
    .find(({ name }) => name === phase)?.gate;
  const report =
    gate?.output === output ? readReport(gate, env.disk.read(absolute) ?? new Uint8Array()) : undefined;
  return {
    type: 'artifact_adopted',
    unit,
    phase,
    output,
    after,
    attempt: (findStep(ledger, unit, phase)?.attempts ?? 0) + 1,
    ...unitParts(loaded, unit, phase),
    ...(report?.ok && report.value),
    reason,
  };
}

function relativePath({ root, shownRoot }: Workspace, target: string): string {
  if (target.startsWith(`${root}/`)) return target.slice(root.length + 1);
  return target.startsWith(`${shownRoot}/`)
    ? target.slice(shownRoot.length + 1)
    : target.replace(/^\.\//, '');
}

/** Looking asks only what runs nothing of the user's; adopting asks every check: it is the last chance to say no. */
async function checkFiles(
  workspace: Workspace,
  staging: string,
  files: readonly FoundFile[],
): Promise<Result<undefined, Failure>> {
  for (const file of files) {
    const trouble = await troubleWith(workspace, staging, file);
    if (trouble !== undefined) return fail({ reason: 'adopt-check-failed', path: file.path, ...trouble });
  }
  return ok(undefined);
}

async function troubleWith(
  { env, root, loaded }: Workspace,
  staging: string,
  file: FoundFile,
): Promise<{ readonly check: string; readonly detail: string } | undefined> {
  const stage = loaded.pipeline.stages.find(({ phases }) => phases.some(({ name }) => name === file.phase));
  const phase = stage?.phases.find(({ name }) => name === file.phase);
  const check = phase?.outputs.find(({ name }) => name === file.output)?.check;
  const unit = stage?.units.find(({ id }) => id === file.unit);
  const path = `${root}/${file.path}`;
  if (check !== undefined && unit !== undefined) {
    const checked = await runCheck(check, undefined, {
      disk: env.disk,
      file: path,
      scratch: { below: staging, name: basename(path) },
      cwd: root,
      env: commandEnvironment({}, {}, env.process.variables),
      importModule: env.process.importModule,
      unit,
    });
    if (!checked.passed) return { check: check.kind, detail: checked.detail };
  }
  if (phase?.gate?.output !== file.output) return undefined;
  const report = readReport(phase.gate, env.disk.read(path) ?? new Uint8Array());
  return report.ok ? undefined : { check: 'verdict', detail: report.failure.detail };
}

/** Records what was decided. */
async function write(hold: Hold, seen: RunPlan, events: readonly EventBody[]): Promise<void> {
  const never = new AbortController().signal;
  const run: RunContext = {
    ...hold,
    facts: seen.facts,
    observe: () => undefined,
    stop: never,
    interrupt: never,
  };
  await keepAdopted(run, events);
  await record(run, ...events);
  adoptFacts(seen.facts, events);
  const { plan } = planWith(seen, []);
  const projections = new ProjectedFiles(run, plan.units, hold.projections);
  for (const event of events) {
    if (event.type !== 'artifact_adopted') continue;
    projections.unitChanged(event.unit, plan.units.get(event.unit)?.finished === true);
  }
  projections.flush();
}

function shown({ unit, phase, output, before, after }: ArtifactAdopted): AdoptAnswer['adopted'][number] {
  return { unit, phase, output, path: after.path, before, after: after.hash };
}

export interface AdoptAnswer {
  readonly heading: RunHeading;
  readonly adopted: readonly {
    readonly unit: string;
    readonly phase: string;
    readonly output: string;
    readonly path: string;
    /** Undefined: nothing had made it. */
    readonly before: string | undefined;
    readonly after: string;
  }[];
  /** What the next run will do again because of it. */
  readonly reruns: readonly string[];
  /** Cells that wait for others before them, or for a person. */
  readonly waits: readonly string[];
}

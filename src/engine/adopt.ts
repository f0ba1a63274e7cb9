import { runCheck } from '../artifacts/checks.ts';
import { fail, ok, type Result } from '../base/result.ts';
import type { ArtifactAdopted, EventBody } from '../model/event.ts';
import type { Failure } from '../model/failure.ts';
import { cellName } from '../model/names.ts';
import type { Refusal } from '../model/reason.ts';
import { adoption } from '../planner/overrides.ts';
import { type RunContext, record } from '../runner/context.ts';
import { commandEnvironment } from '../runner/executors/environment.ts';
import { Projections } from '../runner/projections.ts';
import { keepAdopted } from './adopted-bytes.ts';
import type { AdoptAnswer } from './answers.ts';
import type { Environment } from './environment.ts';
import { headingOf, needRun } from './find-run.ts';
import { type Hold, takeHold, whileHeld } from './hold.ts';
import { type Look, look, planWith } from './look.ts';
import type { Target } from './requests.ts';
import { openWorkspace, placeAt, type Workspace } from './workspace.ts';

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
  if (!opened.ok) return opened;
  const placed = placeAt(workspace.value, opened.value.folder);
  const hold = await takeHold(placed, opened.value, { takeover: false });
  if (!hold.ok) return hold;
  return await whileHeld(placed, hold.value, async () => {
    const seen = await look(
      placed,
      { ...opened.value, ledger: hold.value.ledger },
      { deep: false, restore: false },
    );
    const chosen = choose(seen, request.targets);
    if (!chosen.ok) return chosen;
    const checked = await checkEdited(placed, chosen.value);
    if (!checked.ok) return checked;
    const events = chosen.value
      .map((refusal) => adoption(seen.ledger, seen.facts, refusal, request.reason))
      .filter((event) => event !== undefined);
    await write(hold.value, seen, events);
    const { plan } = planWith(seen, []);
    const reruns = [...plan.units.values()].flatMap(({ cells }) =>
      cells.filter(({ decision }) => decision.do === 'run').map(({ unit, phase }) => cellName(unit, phase)),
    );
    return ok({ heading: headingOf(placed, opened.value), adopted: events.map(shown), reruns });
  });
}

/** A target is a path, or a cell: then every edited output of it. */
function choose({ plan, workspace }: Look, targets: readonly string[]): Result<Edited[], Failure> {
  const edited = plan.refusals.filter(
    (refusal): refusal is Edited =>
      refusal.guard === 'output-edited' ||
      // Before the first commit there is no result that it could become part of.
      (refusal.guard === 'state-edited' && refusal.unit !== ''),
  );
  const chosen = new Set<Edited>();
  for (const target of targets) {
    const path = relativePath(workspace, target);
    const found = edited.filter(
      (refusal) =>
        refusal.path === path || ('phase' in refusal && cellName(refusal.unit, refusal.phase) === target),
    );
    if (found.length === 0) return fail({ reason: 'nothing-to-adopt', path: target });
    for (const refusal of found) chosen.add(refusal);
  }
  return ok([...chosen]);
}

function relativePath({ root, shownRoot }: Workspace, target: string): string {
  if (target.startsWith(`${root}/`)) return target.slice(root.length + 1);
  return target.startsWith(`${shownRoot}/`)
    ? target.slice(shownRoot.length + 1)
    : target.replace(/^\.\//, '');
}

/** Looking asks only what runs nothing of the user's; adopting asks every check: it is the last chance to say no. */
async function checkEdited(
  { env, root, loaded }: Workspace,
  edited: readonly Edited[],
): Promise<Result<undefined, Failure>> {
  for (const refusal of edited) {
    if (refusal.guard !== 'output-edited') continue;
    const stage = loaded.pipeline.stages.find(({ phases }) =>
      phases.some(({ name }) => name === refusal.phase),
    );
    const phase = stage?.phases.find(({ name }) => name === refusal.phase);
    const check = phase?.outputs.find(({ name }) => name === refusal.output)?.check;
    const unit = stage?.units.find(({ id }) => id === refusal.unit);
    if (check === undefined || unit === undefined) continue;
    const checked = await runCheck(check, undefined, {
      disk: env.disk,
      file: `${root}/${refusal.path}`,
      cwd: root,
      env: commandEnvironment({}, {}, process.env),
      unit,
    });
    if (!checked.passed)
      return fail({
        reason: 'adopt-check-failed',
        path: refusal.path,
        check: check.kind,
        detail: checked.detail,
      });
  }
  return ok(undefined);
}

async function write(hold: Hold, seen: Look, events: readonly EventBody[]): Promise<void> {
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
  const projections = new Projections(run);
  for (const event of events) {
    if (event.type !== 'artifact_adopted') continue;
    seen.facts.outputs.delete(event.after.path);
    projections.unitChanged(event.unit, true);
  }
  projections.flush();
}

function shown({ unit, phase, output, before, after }: ArtifactAdopted): AdoptAnswer['adopted'][number] {
  return { unit, phase, output, path: after.path, before, after: after.hash };
}
